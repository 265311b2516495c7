"""Working memory: capacity, time to live, search, owners, threads."""

import threading
from dataclasses import replace

import pytest

from core.domain.memory import Memory, MemoryKind
from core.errors import NotFoundError
from core.memory.working import WorkingMemory
from core.scoring import working_score
from tests.fakes import Clock, IdCounter

NS = "pdf_a"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def working(clock) -> WorkingMemory:
    return WorkingMemory(capacity=3, ttl_minutes=60, clock=clock)


@pytest.fixture
def add(working, clock):
    new_id = IdCounter()

    def add_memory(content: str, importance: float = 0.5, namespace: str = NS) -> Memory:
        memory = Memory(
            id=new_id(),
            kind=MemoryKind.WORKING,
            content=content,
            importance=importance,
            created_at=clock(),
            session_id="s",
            event="question",
        )
        working.add(memory, namespace=namespace)
        return memory

    return add_memory


def contents(working, namespace: str = NS) -> list[str]:
    return [m.content for m in working.list(namespace=namespace)]


def test_lists_newest_first(working, add):
    add("one")
    add("two")
    assert contents(working) == ["two", "one"]


def test_over_capacity_the_least_important_leaves(working, add):
    for content, importance in [("a", 0.9), ("b", 0.2), ("c", 0.5), ("d", 0.1)]:
        add(content, importance)
    assert contents(working) == ["d", "c", "a"]  # the new one stays, whatever its importance


def test_age_lowers_the_priority(working, add, clock):
    add("old", 0.500)
    clock.forward(minutes=50)
    add("new", 0.499)
    add("more", 0.9)
    add("last", 0.9)
    # 0.5 × 0.95^(50/360) = 0.4965 < 0.499
    assert contents(working) == ["last", "more", "new"]


def test_gone_after_its_time(working, add, clock):
    add("one")
    clock.forward(minutes=59)
    assert contents(working) == ["one"]
    add("two")
    clock.forward(minutes=1)
    assert contents(working) == ["two"]
    assert working.search("one", namespace=NS) == []


def test_expired_memories_of_other_learners_leave_too(working, add, clock):
    add("theirs", namespace="pdf_b")
    clock.forward(hours=2)
    add("mine")
    assert list(working._memories) == [NS]


def test_owners_are_apart(working, add):
    mine = add("softmax is mine")
    add("softmax is theirs", namespace="pdf_b")
    assert contents(working) == ["softmax is mine"]
    assert [h.memory.content for h in working.search("softmax", namespace="pdf_b")] == [
        "softmax is theirs"
    ]
    with pytest.raises(NotFoundError):
        working.delete(mine.id, namespace="pdf_b")
    working.clear(namespace="pdf_b")
    assert contents(working) == ["softmax is mine"]


def test_delete(working, add):
    one, two = add("one"), add("two")
    working.delete(one.id, namespace=NS)
    assert working.list(namespace=NS) == [two]
    with pytest.raises(NotFoundError):
        working.delete(one.id, namespace=NS)


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("gradient descent", "How does gradient descent work?"),
        ("gradients", "How does gradient descent work?"),
        ("监督学习有哪些", "监督学习的定义"),
        ("定义", "监督学习的定义"),
    ],
)
def test_search_in_english_and_chinese(working, add, query, best):
    add("How does gradient descent work?")
    add("监督学习的定义")
    add("Photosynthesis in plants")
    hits = working.search(query, namespace=NS)
    assert [hit.memory.content for hit in hits] == [best]
    assert 0 < hits[0].relevance <= 1


def test_score_is_relevance_with_decay_and_importance(working, add, clock):
    add("gradient descent", 0.9)
    clock.forward(minutes=30)
    (hit,) = working.search("gradient descent", namespace=NS)
    assert hit.relevance == pytest.approx(1.0)  # cosine 1 and word for word
    assert hit.score == pytest.approx(working_score(1.0, 0.5, 0.9), abs=1e-6)


def test_relevance_goes_before_importance(working, add):
    add("gradient descent", 0.1)
    add("the slope of a gradient in the mountains of the moon", 1.0)
    hits = working.search("gradient descent", namespace=NS)
    assert [hit.memory.importance for hit in hits] == [0.1, 1.0]


def test_nothing_in_common_is_no_hit(working, add):
    add("gradient descent", 1.0)
    assert working.search("photosynthesis", namespace=NS) == []
    assert working.search("x", namespace="pdf_nobody") == []


def test_many_threads_lose_nothing(clock):
    working = WorkingMemory(capacity=1000, ttl_minutes=60, clock=clock)

    def fill(name: str) -> None:
        for n in range(100):
            memory = Memory(
                id=f"{name}{n}",
                kind=MemoryKind.WORKING,
                content=f"{name} {n}",
                importance=0.5,
                created_at=clock(),
                session_id="s",
                event="question",
            )
            working.add(memory, namespace=NS)
            working.search(name, namespace=NS)

    threads = [threading.Thread(target=fill, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({m.id for m in working.list(namespace=NS)}) == 400


def test_pinned_memories_stay_over_the_capacity_and_the_time(working, add, clock):
    for n in range(3):
        working.update(replace(add(f"pinned {n}", 0.1), pinned=True), namespace=NS)
    add("new")
    assert contents(working) == ["new", "pinned 2", "pinned 1", "pinned 0"]
    add("newer", 0.1)
    assert contents(working) == ["newer", "pinned 2", "pinned 1", "pinned 0"]
    clock.forward(hours=3)
    assert contents(working) == ["pinned 2", "pinned 1", "pinned 0"]


def test_the_time_begins_anew_when_the_same_is_said_again(working, add, clock):
    first = add("said twice")
    clock.forward(minutes=50)
    working.update(replace(first, sightings=2, seen_at=clock()), namespace=NS)
    clock.forward(minutes=30)
    assert contents(working) == ["said twice"]
    clock.forward(minutes=31)
    assert contents(working) == []


def test_uses_are_counted_of_what_is_there(working, add, clock):
    kept = add("one")
    assert working.note_used([kept.id, "gone"], at=clock(), namespace=NS) == {kept.id}
    (used,) = working.list(namespace=NS)
    assert (used.uses, used.used_at) == (1, clock())
