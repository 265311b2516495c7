"""Finding the collections that former embedders left (core/ports/collections.py)."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import StoreError
from core.ports.collections import Collection, Collections
from core.stores.edge_collections import EdgeCollections
from core.stores.qdrant_client_store import QdrantClientStore
from core.stores.qdrant_collections import QdrantCollections
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.contracts.samples import OTHER, OWNER, point
from tests.servers.qdrant_standin import qdrant_standin

USED = ("pdf_memories",)
MADE = {"pdf_memories": 8, "pdf_memories_aa": 8, "pdf_documents_bb": 16, "foreign_memories": 8}


class Backend:
    def __init__(self, kind: str, location: str) -> None:
        self.kind = kind
        self.location = location

    def make(self, name: str, dimension: int) -> None:
        if self.kind == "edge":
            store: QdrantEdgeStore | QdrantClientStore = QdrantEdgeStore(
                Path(self.location) / name, dimension=dimension, embedder=f"by {name}"
            )
        else:
            server = self.kind == "http"
            store = QdrantClientStore(
                self.location if server else str(Path(self.location) / name),
                collection=name,
                dimension=dimension,
                embedder=f"by {name}",
                api_key=None,
                timeout=10,
            )
        store.ensure_ready()
        if dimension == 8:
            number = sorted(MADE).index(name)
            store.upsert([point(number)], namespace=OWNER)
            store.upsert([point(number + 10)], namespace=OTHER)
        store.close()

    def open(self) -> Collections:
        if self.kind == "edge":
            return EdgeCollections(Path(self.location), used=(*USED, "foreign_memories"))
        return QdrantCollections(self.location, prefix="pdf", used=USED, api_key=None, timeout=10)


@pytest.fixture(params=["edge", "folder", "http"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Backend]:
    if request.param == "http":
        with qdrant_standin() as server:
            yield Backend("http", server.url)
    else:
        yield Backend(request.param, str(tmp_path / "vectors"))


def test_nothing_there_is_empty(backend: Backend) -> None:
    assert backend.open().former() == []


def test_former_collections_are_found_opened_and_emptied(backend: Backend) -> None:
    for name, dimension in MADE.items():
        backend.make(name, dimension)
    collections = backend.open()
    former = collections.former()
    assert former == [
        Collection(name="pdf_documents_bb", embedder="by pdf_documents_bb", dimension=16),
        Collection(name="pdf_memories_aa", embedder="by pdf_memories_aa", dimension=8),
    ]
    store = collections.open(former[1])
    assert store.count(namespace=OWNER, where={}) == 1
    store.delete(namespace=OWNER, where={})
    store.purge()
    store.close()
    again = collections.open(former[1])
    assert again.count(namespace=OWNER, where={}) == 0
    assert again.count(namespace=OTHER, where={}) == 1
    again.close()


def test_a_server_that_does_not_answer_is_a_store_error() -> None:
    silent = QdrantCollections("http://127.0.0.1:9", prefix="pdf", used=(), api_key=None, timeout=1)
    with pytest.raises(StoreError):
        silent.former()
