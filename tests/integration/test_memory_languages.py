"""Recall with the built-in embedder: English, Chinese, and from one to the other."""

import pytest

from core.domain.memory import MemoryKind
from core.embeddings.builtin import BuiltinEmbedder
from core.memory.engine import MemoryEngine
from core.stores.database import open_database
from core.stores.memories import SqlMemoryStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.fakes import Clock, IdCounter

NS = "pdf_a"
NOTES = (
    "Gradient descent moves the weights against the gradient.",
    "过拟合是指模型在训练集上表现很好，但在测试集上表现很差。",
    "How does dropout prevent overfitting?",
    "Photosynthesis turns light into chemical energy in chloroplasts.",
    "光合作用在叶绿体中把光能转化为化学能。",
    "The French Revolution began in 1789.",
    "法国大革命始于1789年。",
    "通货膨胀会降低货币的购买力。",
    "Mitochondria are the power plants of the cell.",
    "The derivative of sin x is cos x.",
)


@pytest.fixture(scope="module")
def manager(tmp_path_factory):
    folder = tmp_path_factory.mktemp("memory")
    embedder = BuiltinEmbedder()
    store = SqlMemoryStore(open_database(None, folder))
    vectors = QdrantEdgeStore(
        folder / "memories", dimension=embedder.dimension, embedder=embedder.name
    )
    vectors.ensure_ready()
    manager = MemoryEngine(
        store=store,
        vectors=vectors,
        embedder=embedder,
        clock=Clock(),
        new_id=IdCounter(),
        working_capacity=50,
        working_ttl_minutes=60,
    )
    for note in NOTES:
        manager.add(
            note, MemoryKind.SEMANTIC, namespace=NS, session_id="s", event="note", importance=0.8
        )
    yield manager
    store.close()
    vectors.close()


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("gradient descent", {0}),
        ("梯度下降", {0}),
        ("overfitting", {2}),
        ("过拟合", {1}),
        ("photosynthesis", {3, 4}),
        ("光合作用", {3, 4}),
        ("What did I learn about the French Revolution?", {5, 6}),
        ("我之前学过法国大革命吗", {5, 6}),
        ("inflation", {7}),
        ("线粒体", {8}),
    ],
)
def test_the_right_notes_come_first(manager, query, expected):
    hits = manager.recall(query, namespace=NS, limit=len(expected))
    assert {NOTES.index(hit.memory.content) for hit in hits} == expected


@pytest.mark.parametrize(
    "query",
    ["guitar chords", "football results", "足球比赛", "天文望远镜", "cat food", "quantum physics"],
)
def test_nothing_is_made_up(manager, query):
    assert manager.recall(query, namespace=NS) == []
