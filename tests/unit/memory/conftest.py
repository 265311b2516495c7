"""A memory manager on its real stores: SQLite and the embedded vector store."""

import pytest

from core.domain.memory import Memory, MemoryKind
from core.memory.engine import MemoryEngine
from core.stores.database import open_database
from core.stores.memories import SqlMemoryStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.fakes import Clock, IdCounter, WordEmbedder

NS = "pdf_a"
EPISODIC, SEMANTIC, WORKING = MemoryKind.EPISODIC, MemoryKind.SEMANTIC, MemoryKind.WORKING


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder(
        ("overfitting", "过拟合"),
        ("erosion", "weathering"),
        ("attention", "注意力机制"),
        ("photosynthesis", "光合作用"),
    )


@pytest.fixture
def parts(tmp_path, embedder, clock):
    """What a manager is made of; closed at the end."""
    store = SqlMemoryStore(open_database(None, tmp_path))
    vectors = QdrantEdgeStore(
        tmp_path / "memories", dimension=embedder.dimension, embedder=embedder.name
    )
    vectors.ensure_ready()
    yield {
        "store": store,
        "vectors": vectors,
        "embedder": embedder,
        "clock": clock,
        "new_id": IdCounter(),
        "working_capacity": 50,
        "working_ttl_minutes": 60,
    }
    store.close()
    vectors.close()


@pytest.fixture
def manager(parts) -> MemoryEngine:
    return MemoryEngine(**parts)


@pytest.fixture
def add(manager):
    def add_memory(content: str, kind=SEMANTIC, *, namespace=NS, importance=0.5, **more) -> Memory:
        event = {WORKING: "question", EPISODIC: "qa_interaction", SEMANTIC: "note"}[kind]
        options = {"session_id": "s1", "event": event, **more}
        return manager.add(content, kind, namespace=namespace, importance=importance, **options)

    return add_memory


@pytest.fixture
def recall(manager):
    def recall_contents(query: str, *, namespace=NS, limit=5, **narrow) -> list[str]:
        hits = manager.recall(query, namespace=namespace, limit=limit, **narrow)
        return [hit.memory.content for hit in hits]

    return recall_contents
