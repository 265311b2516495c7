"""Vector store through Qdrant's client: a server or cloud, memory only, or the client's folder."""

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

import httpx
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from core.errors import ConfigurationError, DimensionMismatchError, StoreError
from core.ports.embedder import Vectors
from core.ports.vector_store import Tier, VectorHit, VectorPoint, Where
from core.stores.gate import Gate
from core.stores.points import (
    FILTER_KEYS,
    INSTANT,
    NAMESPACE_KEY,
    REFINED,
    REFINED_DIMENSION,
    alike,
    batches,
    check_dimension,
    check_points,
    cosine,
    dimension_of,
    matches_nothing,
    named,
)

MEMORY = ":memory:"

_FAILURES = (ApiException, QdrantException, httpx.HTTPError, sqlite3.Error)
"""What a server call raises, and what the client's own folder does."""

_LOCAL_FAILURES = (ValueError, RuntimeError, OSError)
"""What the client's local mode raises besides: it has no exceptions of its own."""


class QdrantClientStore:
    """One collection at `location`: `http(s)://…`, `:memory:`, or a path of a folder.

    A folder writes point by point (tens of milliseconds each) and reads all points into memory,
    so it suits a few thousand; one process may hold it. `:memory:` forgets all when closed.
    """

    def __init__(
        self,
        location: str,
        *,
        collection: str,
        dimension: int,
        embedder: str,
        api_key: str | None,
        timeout: int,
    ) -> None:
        """`timeout` is in seconds. Raises `ConfigurationError` for an address without http://."""
        if re.fullmatch(r"[\w.-]+:\d+(/.*)?", location):
            raise ConfigurationError(
                f"QDRANT_URL is {location}, which has no http:// or https://.",
                remedy=f"Set QDRANT_URL=http://{location}.",
            )
        self._location = location
        self._is_server = location.startswith(("http://", "https://"))
        self._collection = collection
        self._dimension = dimension
        self._embedder = embedder
        self._api_key = api_key
        self._timeout = timeout
        self._gate = Gate()
        self._client: QdrantClient | None = None

    def ensure_ready(self) -> None:
        """Connect, and check or create the collection.

        Raises `DimensionMismatchError` when it was made with another embedder, and `StoreError`
        when it cannot be reached, or another process holds the folder.
        """
        with self._gate.exclusive(), self._translated():
            if self._client is None:
                with ExitStack() as on_failure:
                    client = self._connect()
                    on_failure.callback(client.close)
                    self._prepare(client)
                    on_failure.pop_all()
                self._client = client

    def upsert(self, points: Sequence[VectorPoint], *, namespace: str) -> None:
        """Write the points, durably. Raises `DimensionMismatchError` before anything is written."""
        check_points(points, self._dimension)
        with self._in_use() as client:
            for batch in alike(points):
                vectors = [named(p) for p in batch]
                client.upsert(
                    self._collection,
                    models.Batch(
                        ids=[p.id for p in batch],
                        vectors={name: [v[name] for v in vectors] for name in vectors[0]},
                        payloads=[{**p.payload, NAMESPACE_KEY: namespace} for p in batch],
                    ),
                    wait=True,
                )

    def refine(self, vectors: Mapping[str, Vectors], *, namespace: str) -> None:
        """See `VectorStore.refine`. A server refuses unknown ids, so they are looked up before.

        Raises `DimensionMismatchError` before anything is written.
        """
        for vector in vectors.values():
            check_dimension(vector, REFINED_DIMENSION)
        with self._in_use() as client:
            for batch in batches(list(vectors)):
                there = self._present(client, batch, namespace)
                if there:
                    found = [
                        models.PointVectors(id=i, vector={REFINED: vectors[i].tolist()})
                        for i in there
                    ]
                    client.update_vectors(self._collection, found, wait=True)

    def _present(self, client: QdrantClient, ids: Sequence[str], namespace: str) -> list[str]:
        """Return those of the ids that are points of the namespace."""
        own = _filter(namespace, {}, has_id=ids)
        records, _ = client.scroll(
            self._collection, own, limit=len(ids), with_payload=False, with_vectors=False
        )
        return [str(record.id) for record in records]

    def search(
        self,
        vector: Vectors,
        *,
        namespace: str,
        where: Where,
        limit: int,
        tier: Tier = Tier.INSTANT,
    ) -> list[VectorHit]:
        """Return at most `limit` hits of `namespace`, best first."""
        check_dimension(vector, dimension_of(tier, self._dimension))
        if limit < 1 or matches_nothing(where):
            return []
        with self._in_use() as client:
            found = client.query_points(
                self._collection,
                query=vector.tolist(),
                using=tier.value,
                query_filter=_filter(namespace, where),
                limit=limit,
                with_payload=True,
            )
        return [
            VectorHit(
                id=str(point.id),
                score=cosine(point.score),
                payload={k: v for k, v in (point.payload or {}).items() if k != NAMESPACE_KEY},
            )
            for point in found.points
        ]

    def count(self, *, namespace: str, where: Where, tier: Tier | None = None) -> int:
        """Return how many points of `namespace` match; with `tier`, how many have its vector."""
        if matches_nothing(where):
            return 0
        with self._in_use() as client:
            condition = _filter(namespace, where, tier)
            return client.count(self._collection, count_filter=condition, exact=True).count

    def delete(self, *, namespace: str, where: Where) -> None:
        """Delete the points of `namespace` that match. A server removes their bytes by itself."""
        if matches_nothing(where):
            return
        with self._in_use() as client:
            selector = models.FilterSelector(filter=_filter(namespace, where))
            client.delete(self._collection, points_selector=selector, wait=True)

    def purge(self) -> None:
        """Do nothing: a server has no call for it; its optimizer removes the bytes in time."""

    def flush(self) -> None:
        """Do nothing: each write waits until the server, or the folder, has it."""

    def close(self) -> None:
        """Release the connection or the folder. A closed store opens again at the next use."""
        with self._gate.exclusive(), self._translated():
            if self._client is not None:
                client, self._client = self._client, None
                client.close()

    @contextmanager
    def _in_use(self) -> Iterator[QdrantClient]:
        """Hold the open client: it is not closed meanwhile.

        Local mode is plain Python on shared arrays, so there the holder is alone.
        """
        passage = self._gate.shared if self._is_server else self._gate.exclusive
        while True:
            with passage(), self._translated():
                if self._client is not None:
                    yield self._client
                    return
            self.ensure_ready()

    def _connect(self) -> QdrantClient:
        if self._is_server:
            return QdrantClient(
                url=self._location,
                api_key=self._api_key,
                timeout=self._timeout,
                check_compatibility=False,  # it would ask in a thread and only print a warning
            )
        if self._location == MEMORY:
            return QdrantClient(MEMORY)
        return QdrantClient(path=self._location, force_disable_check_same_thread=True)

    def _prepare(self, client: QdrantClient) -> None:
        if not client.collection_exists(self._collection):
            self._create(client)
        info = client.get_collection(self._collection)
        self._check(info)
        if self._is_server:  # local mode has no indexes
            for key in (NAMESPACE_KEY, *FILTER_KEYS):
                if key not in info.payload_schema:
                    index = models.KeywordIndexParams(
                        type=models.KeywordIndexType.KEYWORD, is_tenant=key == NAMESPACE_KEY
                    )
                    client.create_payload_index(self._collection, key, index, wait=True)

    def _create(self, client: QdrantClient) -> None:
        cosine_distance = models.Distance.COSINE
        try:
            client.create_collection(
                self._collection,
                vectors_config={
                    INSTANT: models.VectorParams(size=self._dimension, distance=cosine_distance),
                    REFINED: models.VectorParams(size=REFINED_DIMENSION, distance=cosine_distance),
                },
                metadata={"embedder": self._embedder},
            )
        except UnexpectedResponse as exc:
            if exc.status_code != httpx.codes.CONFLICT:
                raise
            # another process created it since we looked; the check that follows judges it

    def _check(self, info: models.CollectionInfo) -> None:
        vectors = info.config.params.vectors
        if not isinstance(vectors, dict) or not {INSTANT, REFINED} <= vectors.keys():
            raise StoreError(
                f"The Qdrant collection {self._collection} was not made by this app.",
                remedy="Set QDRANT_COLLECTION to a name that is free.",
            )
        made_with = (info.config.metadata or {}).get("embedder", self._embedder)
        size = vectors[INSTANT].size
        if (size, made_with) != (self._dimension, self._embedder):
            raise DimensionMismatchError(
                f"The Qdrant collection {self._collection} was made with {made_with} "
                f"({size} dimensions); now {self._embedder} ({self._dimension} dimensions) is set.",
                remedy="Set the former model again, or set QDRANT_COLLECTION to a name that is "
                "free and load the documents again (re-index).",
            )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except _FAILURES as exc:
            raise self._failure(exc) from exc
        except _LOCAL_FAILURES as exc:
            if self._is_server:
                raise
            raise self._failure(exc) from exc

    def _failure(self, exc: Exception) -> StoreError:
        place = _without_login(self._location) if self._is_server else self._location
        if not self._is_server:
            if "already accessed" in str(exc):
                return StoreError(
                    f"Another process holds the search index in {place}.",
                    remedy="Another running copy of the app holds the data: stop it, "
                    "or set another QDRANT_URL.",
                )
            return StoreError(f"The search index in {place} failed: {exc}.")
        if isinstance(exc, UnexpectedResponse):
            if exc.status_code in (httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN):
                return StoreError(
                    f"Qdrant at {place} refused the key.", remedy="Check QDRANT_API_KEY."
                )
            said = exc.content[:200].decode(errors="replace")
            return StoreError(f"Qdrant at {place} answered {exc.status_code}: {said}.")
        return StoreError(
            f"Qdrant at {place} did not answer: {exc}.",
            remedy="Check that the server runs and that QDRANT_URL is right.",
        )


def _filter(
    namespace: str, where: Where, tier: Tier | None = None, *, has_id: Sequence[str] = ()
) -> models.Filter:
    conditions: list[models.Condition] = [
        models.FieldCondition(key=NAMESPACE_KEY, match=models.MatchValue(value=namespace))
    ]
    if tier is not None:
        conditions.append(models.HasVectorCondition(has_vector=tier.value))
    if has_id:
        conditions.append(models.HasIdCondition(has_id=list(has_id)))
    for key, value in where.items():
        match: models.MatchValue | models.MatchAny = (
            models.MatchValue(value=value)
            if isinstance(value, (str, int))
            else models.MatchAny(any=list(value))
        )
        conditions.append(models.FieldCondition(key=key, match=match))
    return models.Filter(must=conditions)


def _without_login(url: str) -> str:
    return str(httpx.URL(url).copy_with(username="", password=""))
