"""Every adapter of a port, made the same way, so that one suite judges all of them."""

from pathlib import Path

from core.ports.vector_store import VectorStore
from core.stores.database import Database, open_database
from core.stores.qdrant_client_store import QdrantClientStore
from core.stores.qdrant_edge import QdrantEdgeStore

DIMENSION = 8
EMBEDDER = "test@1"

VECTOR_KINDS = ["edge", "memory", "folder", "http"]
"""`http` is the client against the stand-in; no Qdrant server is tested here."""

DURABLE_KINDS = ["edge", "folder", "http"]
FOLDER_KINDS = ["edge", "folder"]


def make_vector_store(
    kind: str, location: str, dimension: int = DIMENSION, embedder: str = EMBEDDER
) -> VectorStore:
    if kind == "edge":
        return QdrantEdgeStore(Path(location), dimension=dimension, embedder=embedder)
    return QdrantClientStore(
        location,
        collection="contract",
        dimension=dimension,
        embedder=embedder,
        api_key=None,
        timeout=10,
    )


class VectorBackend:
    """Opens stores on the same data, in one of the ways there are."""

    def __init__(self, kind: str, location: str) -> None:
        self.kind = kind
        self.location = location
        self._opened: list[VectorStore] = []

    def open(self, *, dimension: int = DIMENSION, embedder: str = EMBEDDER) -> VectorStore:
        store = make_vector_store(self.kind, self.location, dimension, embedder)
        self._opened.append(store)
        return store

    def close_all(self) -> None:
        for store in self._opened:
            store.close()


class RecordBackend:
    """Opens databases on the same data. `folder` holds SQLite's files; `url` is None for it."""

    def __init__(self, url: str | None, folder: Path) -> None:
        self.url = url
        self.folder = folder
        self._opened: list[Database] = []

    def open(self) -> Database:
        database = open_database(self.url, self.folder)
        self._opened.append(database)
        return database

    def close_all(self) -> None:
        for database in self._opened:
            database.close()

    def bytes_on_disk(self) -> bytes:
        """All bytes of the database file, its write-ahead log and its shared memory."""
        return b"".join(path.read_bytes() for path in sorted(self.folder.iterdir()))
