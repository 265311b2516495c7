"""The collections of a Qdrant server, or of the client's folders."""

from collections.abc import Collection as AnyOf
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from core.errors import StoreError
from core.ports.collections import Collection
from core.ports.vector_store import VectorStore
from core.stores.points import INSTANT
from core.stores.qdrant_client_store import MEMORY, QdrantClientStore

_FAILURES = (ApiException, QdrantException, httpx.HTTPError, OSError, ValueError, RuntimeError)


class QdrantCollections:
    """Collections whose names begin with `prefix`_; those named in `used` are in use.

    `location` is a server's address or a folder that has one folder a collection.
    """

    def __init__(
        self, location: str, *, prefix: str, used: AnyOf[str], api_key: str | None, timeout: int
    ) -> None:
        self._location = location
        self._prefix = f"{prefix}_"
        self._used = frozenset(used)
        self._api_key = api_key
        self._timeout = timeout
        self._is_server = location.startswith(("http://", "https://"))

    def former(self) -> list[Collection]:
        """Return the collections that are not in use, by name. Raises `StoreError`."""
        if self._location == MEMORY:
            return []
        try:
            return sorted(self._found(), key=lambda collection: collection.name)
        except _FAILURES as exc:
            raise StoreError(
                "The collections of former embedders cannot be listed.",
                remedy="Check that Qdrant runs and that QDRANT_URL and QDRANT_API_KEY are right.",
            ) from exc

    def open(self, collection: Collection) -> VectorStore:
        """Return a collection as a store."""
        location = self._location
        return QdrantClientStore(
            location if self._is_server else str(Path(location) / collection.name),
            collection=collection.name,
            dimension=collection.dimension,
            embedder=collection.embedder,
            api_key=self._api_key,
            timeout=self._timeout,
        )

    def _found(self) -> Iterator[Collection]:
        if self._is_server:
            client = QdrantClient(
                url=self._location,
                api_key=self._api_key,
                timeout=self._timeout,
                check_compatibility=False,
            )
            with closing(client):
                yield from self._of(client)
            return
        for path in Path(self._location).glob(f"{self._prefix}*"):
            if path.is_dir() and path.name not in self._used:
                with closing(QdrantClient(path=str(path))) as client:
                    yield from self._of(client)

    def _of(self, client: QdrantClient) -> Iterator[Collection]:
        for described in client.get_collections().collections:
            name = described.name
            if name in self._used or not name.startswith(self._prefix):
                continue
            info = client.get_collection(name)
            vectors = info.config.params.vectors
            embedder = (info.config.metadata or {}).get("embedder")
            if isinstance(vectors, dict) and INSTANT in vectors and isinstance(embedder, str):
                yield Collection(name=name, embedder=embedder, dimension=vectors[INSTANT].size)
