"""The archive of long unused memories, and the capacity that fills it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from core.domain.memory import MemoryKind
from core.domain.upkeep import ChangeKind
from core.errors import InvalidInputError
from core.memory.archive import is_unused
from core.memory.capacity import Capacity
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, OTHER_NS, SEMANTIC, Parts, made, open_parts


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("memory", "unused"),
    [
        (made("made lately", days=179), False),
        (made("long ago", days=181), True),
        (made("used lately", days=900, uses=1, used_at=MONDAY - timedelta(days=9)), False),
        (made("used once", days=200, uses=1, used_at=MONDAY - timedelta(days=199)), False),
        (made("used", days=900, uses=5, used_at=MONDAY - timedelta(days=361)), True),
        (made("said again", days=900, sightings=6, seen_at=MONDAY - timedelta(days=359)), False),
        (made("important", days=900, importance=0.9), False),
        (made("pinned", days=900, pinned=True), False),
    ],
    ids=lambda value: value.id if hasattr(value, "id") else "",
)
def test_what_is_unused_for_long(memory, unused: bool) -> None:
    assert is_unused(memory, now=MONDAY) is unused


def test_unused_memories_leave_every_index_and_are_found_by_a_second_search(parts: Parts) -> None:
    old = made("old", "the entropy of a closed system grows", days=400, uses=1)
    parts.add(
        old, made("older", "关于过拟合的旧笔记", days=500, kind=EPISODIC), made("new", "entropy")
    )
    parts.add(replace(old, id="bob"), namespace=OTHER_NS)
    assert {m.id for m in parts.archive.run(namespace=NS)} == {"old", "older"}
    assert parts.ids() == {"new"} == parts.found("entropy")
    assert parts.points() == 1
    assert [m.id for m in parts.archive.list(namespace=NS)] == ["old", "older"]
    assert parts.archive.count(namespace=NS) == 2
    assert parts.archive.run(namespace=NS) == []

    (hit,) = parts.archive.second_chance("entropy of closed systems", namespace=NS)
    assert hit.archived
    assert hit.memory == old
    assert 0.4 <= hit.relevance <= 1
    assert [h.memory.id for h in parts.archive.second_chance("过拟合", namespace=NS)] == ["older"]
    assert parts.archive.second_chance("photosynthesis", namespace=NS) == []
    assert parts.archive.second_chance("entropy", namespace=OTHER_NS) == []
    assert parts.found("entropy", OTHER_NS) == {"bob"}
    with pytest.raises(InvalidInputError):
        parts.archive.second_chance("?!", namespace=NS)
    assert parts.archive.count(namespace=NS) == 2


def test_the_second_search_ranks_and_limits(parts: Parts) -> None:
    parts.add(*(made(str(n), f"entropy {'heat ' * (n % 2)}", days=300 + n) for n in range(8)))
    parts.archive.run(namespace=NS)
    hits = parts.archive.second_chance("entropy heat", namespace=NS, limit=3)
    assert [h.memory.id for h in hits] == ["1", "3", "5"]


def test_use_brings_a_memory_back_once(parts: Parts) -> None:
    old = made("old", "entropy grows", days=400, uses=1, used_at=MONDAY - timedelta(days=300))
    parts.add(old, made("other", "enthalpy", days=400))
    parts.archive.run(namespace=NS)
    (awake,) = parts.archive.wake(["old", "unknown"], namespace=NS)
    assert awake == replace(old, uses=2, used_at=MONDAY)
    assert parts.store.get("old", namespace=NS) == awake
    assert parts.found("entropy") == {"old"}
    assert parts.archive.wake(["old"], namespace=NS) == []
    assert parts.store.get("old", namespace=NS) == awake
    assert [m.id for m in parts.archive.list(namespace=NS)] == ["other"]
    assert parts.archive.run(namespace=NS) == []
    assert parts.archive.wake([], namespace=NS) == []


def test_archiving_that_is_undone_leaves_nothing_in_the_archive(parts: Parts) -> None:
    old = made("old", "entropy grows", days=400)
    parts.add(old, made("used", "entropy falls", days=500))
    unused = parts.archive.unused(namespace=NS)
    change = parts.undo.record(ChangeKind.ARCHIVED, unused, namespace=NS)
    assert parts.undo.list(namespace=NS) == []
    parts.archive.put(unused, namespace=NS)
    (awake,) = parts.archive.wake(["used"], namespace=NS)
    assert parts.undo.list(namespace=NS) == [change]
    parts.undo.undo(change.id, namespace=NS)
    assert parts.store.get("old", namespace=NS) == old
    assert parts.store.get("used", namespace=NS) == awake
    assert parts.found("entropy") == {"old", "used"}
    assert parts.archive.list(namespace=NS) == []
    assert parts.archive.second_chance("entropy", namespace=NS) == []


def test_another_learner_wakes_nothing(parts: Parts) -> None:
    parts.add(made("old", days=400))
    parts.archive.run(namespace=NS)
    assert parts.archive.wake(["old"], namespace=OTHER_NS) == []
    assert parts.archive.count(namespace=NS) == 1


@pytest.fixture
def capacity(parts: Parts) -> Capacity:
    return Capacity(
        capacities={SEMANTIC: 10, EPISODIC: 200},
        store=parts.store,
        archive=parts.archive,
        clock=parts.clock,
    )


def test_what_is_over_the_capacity_is_archived_not_lost(parts: Parts, capacity: Capacity) -> None:
    for n in range(13):
        memory = made(str(n), days=50, importance=(n + 1) / 20, pinned=n < 2)
        parts.add(memory)
        capacity.note_added(SEMANTIC, namespace=NS)
        assert parts.store.count(namespace=NS)[SEMANTIC] <= 10
    assert {m.id for m in parts.archive.list(namespace=NS)} == {"2", "3", "4"}
    assert {"0", "1"} <= parts.ids()
    assert len(parts.archive.second_chance("word3", namespace=NS)) == 1


def test_some_room_is_made_at_once(parts: Parts, capacity: Capacity) -> None:
    parts.add(*(made(str(n), kind=EPISODIC, days=n) for n in range(201)))
    gone = capacity.note_added(EPISODIC, namespace=NS, number=201)
    assert len(gone) == 3
    assert parts.store.count(namespace=NS) == {EPISODIC: 198}


def test_other_kinds_and_learners_do_not_count(parts: Parts, capacity: Capacity) -> None:
    parts.add(*(made(f"s{n}") for n in range(9)), *(made(f"e{n}", kind=EPISODIC) for n in range(9)))
    parts.add(*(made(f"o{n}") for n in range(9)), namespace=OTHER_NS)
    assert capacity.note_added(SEMANTIC, namespace=NS, number=9) == []
    assert capacity.note_added(MemoryKind.PERCEPTUAL, namespace=NS) == []
    parts.add(*(made(f"p{n}", pinned=True) for n in range(3)))
    gone = capacity.note_added(SEMANTIC, namespace=NS, number=3)
    assert len(gone) == 2
    assert {f"p{n}" for n in range(3)} <= parts.ids()


def test_what_was_added_just_now_stays(parts: Parts, capacity: Capacity) -> None:
    parts.add(*(made(f"old{n}", importance=0.9) for n in range(10)), made("new", importance=0.1))
    (gone,) = capacity.note_added(SEMANTIC, namespace=NS, number=11, but=["new"])
    assert gone.id.startswith("old")
    assert "new" in parts.ids()
