"""Recalling, listing and deleting memories, on the real stores."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from core.domain.memory import MemoryKind
from core.errors import InvalidInputError, NotFoundError
from core.memory.engine import MemoryEngine
from core.scoring import recall_score

NS = "pdf_a"
EPISODIC, SEMANTIC, WORKING = MemoryKind.EPISODIC, MemoryKind.SEMANTIC, MemoryKind.WORKING


def test_recalls_by_words(add, recall):
    add("Softmax turns scores into probabilities.")
    add("Dropout fights overfitting.")
    assert recall("softmax") == ["Softmax turns scores into probabilities."]


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("过拟合是模型记住了训练数据", "过拟合"),
        ("监督学习需要带标签的数据", "监督学习有哪些"),
        ("Dropout helps against overfitting", "过拟合"),
        ("过拟合是模型记住了训练数据", "What did I learn about overfitting?"),
    ],
)
def test_recalls_chinese_and_across_languages(add, recall, content, query):
    add(content)
    add("Photosynthesis in plants")
    add("法国大革命始于1789年")
    assert recall(query) == [content]


def test_nothing_relevant_is_empty(add, recall):
    assert recall("quantum chromodynamics") == []
    add("Softmax sums to one.", importance=1.0)
    add("法国大革命始于1789年", EPISODIC, importance=1.0)
    add("Bought groceries", WORKING, importance=1.0)
    assert recall("quantum chromodynamics") == []
    assert recall("量子色动力学") == []


def test_relevance_goes_before_importance(add, recall):
    add("Bought groceries in the city of Nice", importance=0.9)
    add("The capital of France is Paris", importance=0.3)
    assert recall("capital of France")[0] == "The capital of France is Paris"


def test_a_faint_hit_is_noise_beside_a_clear_one_only(add, recall):
    add("weathering wind rain frost roots rivers glaciers salt heat cold moss acid sand")
    assert len(recall("erosion")) == 1
    add("erosion of rocks")
    assert recall("erosion") == ["erosion of rocks"]


def test_importance_and_recency_decide_between_equals(add, recall, clock):
    add("gradient descent one", importance=0.5)
    clock.forward(days=1)
    add("gradient descent two", importance=0.5)
    add("gradient descent six", importance=0.9)
    assert recall("gradient descent") == [
        "gradient descent six",
        "gradient descent two",
        "gradient descent one",
    ]


def test_limit_and_scores(add, manager, clock):
    for n in range(8):
        add(f"gradient descent {n}")
    hits = manager.recall("gradient descent", namespace=NS, limit=3)
    assert len(hits) == 3
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    for hit in hits:
        assert 0 < hit.relevance <= 1
        assert hit.score == pytest.approx(recall_score(hit.relevance, 0.0, 0.5))


def test_the_kinds_come_together(add, recall):
    add("self-attention noted", SEMANTIC)
    add("self-attention asked", EPISODIC)
    add("self-attention just now", WORKING)
    assert set(recall("self-attention")) == {
        "self-attention noted",
        "self-attention asked",
        "self-attention just now",
    }
    assert recall("self-attention", kinds=[EPISODIC]) == ["self-attention asked"]
    assert recall("self-attention", kinds=[WORKING]) == ["self-attention just now"]
    assert set(recall("self-attention", kinds=[SEMANTIC, WORKING])) == {
        "self-attention noted",
        "self-attention just now",
    }


def test_a_question_is_recalled_once(add, recall):
    add("Asked: what is attention?", WORKING, metadata={"question_id": "q1"})
    add("Learning about attention", EPISODIC, metadata={"question_id": "q1"})
    add("Asked: how does attention scale?", WORKING, metadata={"question_id": "q2"})
    assert set(recall("attention")) == {
        "Learning about attention",
        "Asked: how does attention scale?",
    }
    assert len(recall("what did I ask today")) == 2


def test_an_old_memory_among_thousands_is_found_by_words_and_by_meaning(add, recall, parts):
    old = add("Photosynthesis in plants")
    added = [
        replace(old, id=str(UUID(int=10_000 + n)), content=f"note {n}", metadata={"n": n})
        for n in range(2500)
    ]
    parts["store"].add_all(added, namespace=NS)
    assert recall("plants") == ["Photosynthesis in plants"]
    assert recall("光合作用") == ["Photosynthesis in plants"]
    assert recall("note 1234")[0] == "note 1234"


@pytest.mark.parametrize("query", ["", "  ", "?!", "。"])
def test_a_query_without_letters_is_refused(manager, query):
    with pytest.raises(InvalidInputError):
        manager.recall(query, namespace=NS)


def test_limits_of_a_query(manager):
    with pytest.raises(InvalidInputError):
        manager.recall("x", namespace=NS, limit=0)
    with pytest.raises(InvalidInputError):
        manager.recall("x" * 2001, namespace=NS)
    assert manager.recall("x" * 2000, namespace=NS) == []


# time and kinds of event


@pytest.fixture
def diary(add, clock):
    """Memories of three weeks, told on Wednesday, 18 March 2026."""
    for day, content, kind, event in [
        (4, "Loaded biology.pdf", EPISODIC, "document_loaded"),
        (5, "Chloroplasts are green", SEMANTIC, "note"),
        (9, "Loaded attention.pdf", EPISODIC, "document_loaded"),
        (11, "Learning about self-attention", EPISODIC, "qa_interaction"),
        (15, "Attention needs positions", SEMANTIC, "note"),
        (16, "Loaded history.pdf", EPISODIC, "document_loaded"),
        (17, "Learning about the French Revolution", EPISODIC, "qa_interaction"),
        (18, "The revolution began in 1789", SEMANTIC, "note"),
    ]:
        clock.now = datetime(2026, 3, day, 8, tzinfo=UTC)
        add(content, kind, event=event)
    clock.forward(hours=4)


@pytest.mark.parametrize(
    ("query", "contents"),
    [
        (
            "what did I do last week?",
            ["Attention needs positions", "Learning about self-attention", "Loaded attention.pdf"],
        ),
        (
            "上周我做了什么？",
            ["Attention needs positions", "Learning about self-attention", "Loaded attention.pdf"],
        ),
        ("yesterday", ["Learning about the French Revolution"]),
        ("今天学了什么", ["The revolution began in 1789"]),
        ("last month", []),
        (
            "What documents have I loaded before?",
            ["Loaded history.pdf", "Loaded attention.pdf", "Loaded biology.pdf"],
        ),
        ("上周加载过哪些文档", ["Loaded attention.pdf"]),
        (
            "我的笔记",
            ["The revolution began in 1789", "Attention needs positions", "Chloroplasts are green"],
        ),
        (
            "questions I asked",
            ["Learning about the French Revolution", "Learning about self-attention"],
        ),
        ("my notes about attention", ["Attention needs positions"]),
        ("what did I learn about attention last week?", None),
        ("attention yesterday", []),
    ],
)
def test_times_and_kinds_of_event(diary, recall, query, contents):
    if contents is None:
        found = set(recall(query))
        assert found == {
            "Attention needs positions",
            "Learning about self-attention",
            "Loaded attention.pdf",
        }
    else:
        assert recall(query) == contents


def test_a_list_has_a_limit_and_full_relevance(diary, manager):
    hits = manager.recall("what did I do last week?", namespace=NS, limit=2)
    assert [h.relevance for h in hits] == [1.0, 1.0]
    assert [h.memory.content for h in hits] == [
        "Attention needs positions",
        "Learning about self-attention",
    ]


def test_since_and_until_join_with_the_query(diary, recall, clock):
    since = datetime(2026, 3, 10, tzinfo=UTC)
    assert recall("last week", since=since) == [
        "Attention needs positions",
        "Learning about self-attention",
    ]
    assert recall("last week", until=since) == ["Loaded attention.pdf"]
    assert recall("last week", since=clock.now) == []
    assert recall("attention", since=since, until=since + timedelta(days=3)) == [
        "Learning about self-attention"
    ]


def test_list_is_newest_first_and_narrows(diary, add, manager):
    add("right now", WORKING)
    contents = [m.content for m in manager.list(namespace=NS, limit=2)]
    assert contents == ["right now", "The revolution began in 1789"]
    assert [m.content for m in manager.list(namespace=NS, kinds=[WORKING])] == ["right now"]
    assert len(manager.list(namespace=NS, kinds=[EPISODIC])) == 5
    until = datetime(2026, 3, 5, tzinfo=UTC)
    assert [m.content for m in manager.list(namespace=NS, until=until)] == ["Loaded biology.pdf"]


# owners, deleting, restarting


def test_owners_are_apart(add, recall, manager):
    mine = add("softmax is mine")
    for kind in (SEMANTIC, EPISODIC, WORKING):
        add("softmax is theirs", kind, namespace="pdf_b")
    assert recall("softmax") == ["softmax is mine"]
    assert recall("today") == ["softmax is mine"]
    assert manager.count(namespace=NS) == {SEMANTIC: 1}
    with pytest.raises(NotFoundError):
        manager.delete(mine.id, namespace="pdf_b")
    manager.forget_namespace("pdf_b")
    assert manager.count(namespace="pdf_b") == {}
    assert recall("softmax") == ["softmax is mine"]


@pytest.mark.parametrize("kind", [WORKING, EPISODIC, SEMANTIC])
def test_delete(add, recall, manager, parts, kind):
    gone, kept = add("photosynthesis one", kind), add("photosynthesis two", kind)
    manager.delete(gone.id, namespace=NS)
    assert recall("photosynthesis") == [kept.content]
    assert manager.list(namespace=NS) == [kept]
    assert parts["vectors"].count(namespace=NS, where={}) == (0 if kind is WORKING else 1)
    with pytest.raises(NotFoundError):
        manager.delete(gone.id, namespace=NS)


def test_deleting_a_long_note_takes_all_its_vectors(add, manager, parts):
    note = add("Sentence after sentence comes here. " * 100)
    assert parts["vectors"].count(namespace=NS, where={}) > 1
    manager.delete(note.id, namespace=NS)
    assert parts["vectors"].count(namespace=NS, where={}) == 0


def test_forget_namespace_leaves_nothing(add, manager, parts):
    for kind in (SEMANTIC, EPISODIC, WORKING):
        add("softmax", kind)
    manager.forget_namespace(NS)
    assert manager.list(namespace=NS) == []
    assert parts["vectors"].count(namespace=NS, where={}) == 0
    manager.forget_namespace(NS)


def test_after_a_restart_the_durable_ones_are_there(add, parts):
    add("photosynthesis noted", SEMANTIC)
    add("photosynthesis asked", EPISODIC)
    add("photosynthesis just now", WORKING)
    parts["store"].close()
    parts["vectors"].close()
    again = MemoryEngine(**parts)
    assert again.count(namespace=NS) == {EPISODIC: 1, SEMANTIC: 1}
    hits = again.recall("光合作用", namespace=NS)
    assert {h.memory.content for h in hits} == {"photosynthesis noted", "photosynthesis asked"}


# summary


def test_summary(add, manager, clock):
    add("noted", SEMANTIC, importance=0.8)
    clock.forward(hours=1)
    add("noted again", SEMANTIC, importance=0.7)
    add("Noted!", SEMANTIC, importance=0.8)
    add("loaded", EPISODIC, importance=0.9)
    add("unimportant", WORKING, importance=0.6)
    summary = manager.summary(namespace=NS, limit=3)
    assert summary["total"] == 4
    assert summary["kinds"] == {
        "working": {"count": 1, "mean_importance": 0.6},
        "episodic": {"count": 1, "mean_importance": 0.9},
        "semantic": {"count": 2, "mean_importance": 0.75},
    }
    assert [row["content"] for row in summary["important"]] == ["loaded", "noted", "noted again"]
    assert summary["important"][0] == {
        "id": summary["important"][0]["id"],
        "content": "loaded",
        "kind": "episodic",
        "event": "qa_interaction",
        "importance": 0.9,
        "created_at": clock.now.isoformat(),
    }
    named = manager.get(str(summary["important"][0]["id"]), namespace=NS)
    assert named.content == "loaded"
    assert manager.summary(namespace="pdf_b")["total"] == 0
