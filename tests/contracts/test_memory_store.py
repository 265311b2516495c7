"""What every memory store promises (core/ports/memory_store.py)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.domain.memory import MemoryKind, MemoryState
from core.errors import NotFoundError
from core.ports.memory_store import MemoryStore
from core.stores.database import Database
from core.stores.memories import SqlMemoryStore
from tests.contracts.backends import RecordBackend
from tests.contracts.samples import OTHER, OWNER, START, memory

PHRASE = "zebra-unmistakable-斑马-note"


@pytest.fixture
def store(database: Database) -> MemoryStore:
    return SqlMemoryStore(database)


def listed(store: MemoryStore, **conditions: Any) -> list[str]:
    return [m.id for m in store.list(namespace=OWNER, **conditions)]


def test_a_memory_comes_back_as_it_was(store: MemoryStore) -> None:
    stored = memory("a")
    store.add(stored, namespace=OWNER)
    assert store.get("a", namespace=OWNER) == stored
    assert store.get("a", namespace=OWNER).created_at.utcoffset() == timedelta(0)


def test_the_newest_is_listed_first(store: MemoryStore) -> None:
    for name, minutes in (("middle", 5), ("old", -60 * 24 * 365), ("new", 6), ("middle 2", 5)):
        store.add(memory(name, minutes=minutes), namespace=OWNER)
    assert listed(store) == ["new", "middle 2", "middle", "old"]
    assert listed(store, limit=2) == ["new", "middle 2"]
    assert listed(store, limit=0) == []


def test_since_is_inclusive_and_until_exclusive(store: MemoryStore) -> None:
    for minutes in range(5):
        store.add(memory(str(minutes), minutes=minutes), namespace=OWNER)
    since, until = START + timedelta(minutes=1), START + timedelta(minutes=3)
    assert listed(store, since=since, until=until) == ["2", "1"]
    assert listed(store, since=until) == ["4", "3"]
    assert listed(store, until=since) == ["0"]


def test_kinds_choose(store: MemoryStore) -> None:
    for number, kind in enumerate(MemoryKind):
        store.add(memory(kind.value, kind=kind, minutes=number), namespace=OWNER)
    store.add(memory("second note"), namespace=OWNER)
    chosen = [MemoryKind.SEMANTIC, MemoryKind.EPISODIC]
    assert listed(store, kinds=chosen) == ["semantic", "episodic", "second note"]
    assert listed(store, kinds=[MemoryKind.WORKING]) == ["working"]
    assert store.count(namespace=OWNER) == {
        MemoryKind.WORKING: 1,
        MemoryKind.EPISODIC: 1,
        MemoryKind.SEMANTIC: 2,
        MemoryKind.PERCEPTUAL: 1,
    }


def test_the_same_id_replaces(store: MemoryStore) -> None:
    store.add(memory("a", content="first"), namespace=OWNER)
    changed = memory("a", content="second", minutes=3, kind=MemoryKind.EPISODIC)
    store.add(changed, namespace=OWNER)
    assert store.list(namespace=OWNER) == [changed]


def test_states_and_events_choose(store: MemoryStore) -> None:
    for number, state in enumerate(MemoryState):
        store.add(replace(memory(state.value, minutes=number), state=state), namespace=OWNER)
    store.add(replace(memory("figure", minutes=-1), event="figure"), namespace=OWNER)
    assert listed(store, states=[MemoryState.CURRENT]) == ["current", "figure"]
    assert listed(store, states=[MemoryState.WRONG, MemoryState.REPLACED]) == ["wrong", "replaced"]
    assert listed(store, events=["figure"]) == ["figure"]
    assert listed(store, states=[MemoryState.WRONG], events=["figure"]) == []
    assert len(listed(store)) == 6


def test_the_same_text_is_found_in_any_spelling(store: MemoryStore) -> None:
    def same(content: str, **more: Any) -> Any:
        asked = {"kind": MemoryKind.SEMANTIC, "event": "note", "namespace": OWNER} | more
        found = store.same_text(content, **asked)
        return found and found.id

    store.add(memory("a", content="Softmax  sums to ONE."), namespace=OWNER)
    assert same("softmax sums to one") == "a"
    assert same("softmax sums to two") is None
    assert same("softmax sums to one", kind=MemoryKind.EPISODIC) is None
    assert same("softmax sums to one", event="fact") is None
    assert same("softmax sums to one", namespace=OTHER) is None
    store.add(memory("b", content="softmax sums to one!", minutes=1), namespace=OWNER)
    assert same("softmax sums to one") == "b"
    marked = replace(store.get("b", namespace=OWNER), state=MemoryState.WRONG)
    store.add(marked, namespace=OWNER)
    assert same("softmax sums to one") == "a"
    store.add(memory("c", content="C++ 很快"), namespace=OWNER)
    assert same("C 很快") is None


def test_sightings_and_uses_are_counted(store: MemoryStore) -> None:
    for name in "ab":
        store.add(memory(name), namespace=OWNER)
    store.add(memory("a"), namespace=OTHER)
    later = START + timedelta(hours=1)
    store.note_sighting("a", at=later, namespace=OWNER)
    store.note_used(["a", "b", "unknown"], at=later, namespace=OWNER)
    store.note_used([], at=later, namespace=OWNER)
    store.note_used(["a"], at=START, namespace=OWNER)
    seen, used = store.get("a", namespace=OWNER), store.get("b", namespace=OWNER)
    assert (seen.sightings, seen.seen_at, seen.uses) == (2, later, 2)
    assert (used.sightings, used.seen_at, used.uses, used.used_at) == (1, None, 1, later)
    assert store.get("a", namespace=OTHER) == memory("a")
    with pytest.raises(NotFoundError):
        store.note_sighting("unknown", at=later, namespace=OWNER)


def test_many_come_in_the_order_of_the_ids(store: MemoryStore) -> None:
    for name in "abc":
        store.add(memory(name), namespace=OWNER)
    found = [m.id for m in store.many(["c", "unknown", "a", "c"], namespace=OWNER)]
    assert found == ["c", "a", "c"]
    assert store.many([], namespace=OWNER) == []


def test_nothing_there_is_empty_or_not_found(store: MemoryStore) -> None:
    assert store.list(namespace=OWNER) == []
    assert store.count(namespace=OWNER) == {}
    with pytest.raises(NotFoundError):
        store.get("a", namespace=OWNER)
    with pytest.raises(NotFoundError):
        store.delete("a", namespace=OWNER)


def test_no_method_reaches_another_namespace(store: MemoryStore) -> None:
    store.add(memory("a"), namespace=OWNER)
    assert store.list(namespace=OTHER) == []
    assert store.many(["a"], namespace=OTHER) == []
    assert store.count(namespace=OTHER) == {}
    with pytest.raises(NotFoundError):
        store.get("a", namespace=OTHER)
    with pytest.raises(NotFoundError):
        store.delete("a", namespace=OTHER)
    store.add(memory("a", content="mine"), namespace=OTHER)
    assert store.get("a", namespace=OWNER) == memory("a")
    store.delete("a", namespace=OTHER)
    assert listed(store) == ["a"]


def test_delete_takes_one(store: MemoryStore) -> None:
    store.add(memory("a"), namespace=OWNER)
    store.add(memory("b"), namespace=OWNER)
    store.delete("a", namespace=OWNER)
    assert listed(store) == ["b"]


def test_what_was_added_is_there_after_a_restart(
    store: MemoryStore, record_backend: RecordBackend
) -> None:
    store.add(memory("a"), namespace=OWNER)
    store.close()
    assert listed(store) == ["a"]
    assert SqlMemoryStore(record_backend.open()).get("a", namespace=OWNER) == memory("a")


def test_many_threads_at_once(store: MemoryStore, in_threads: Callable[..., list[Any]]) -> None:
    def work(worker: int) -> None:
        for number in range(10):
            store.add(memory(f"{worker}/{number}"), namespace=OWNER)
            store.add(memory("shared", content=str(worker)), namespace=OWNER)
        store.delete(f"{worker}/0", namespace=OWNER)

    in_threads(work, range(8))
    assert store.count(namespace=OWNER) == {MemoryKind.SEMANTIC: 8 * 9 + 1}


def test_a_deleted_note_is_nowhere_in_the_files(sqlite_backend: RecordBackend) -> None:
    store = SqlMemoryStore(sqlite_backend.open())
    store.add(memory("kept"), namespace=OWNER)
    store.add(memory("a", content=f"{PHRASE} " * 300), namespace=OWNER)
    store.add(memory("b", content=f"short {PHRASE}"), namespace=OWNER)
    store.add(memory("b", content="replaced"), namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    store.delete("a", namespace=OWNER)
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()
    assert store.get("kept", namespace=OWNER) == memory("kept")


def test_what_exists_is_updated_and_keeps_its_counts(store: MemoryStore) -> None:
    later = START + timedelta(hours=1)
    kept, gone, others = memory("a", content="old words"), memory("gone"), memory("a")
    store.add_all([kept, gone], namespace=OWNER)
    store.add(others, namespace=OTHER)
    store.note_used(["a"], at=later, namespace=OWNER)
    store.note_sighting("a", at=later, namespace=OWNER)
    store.delete("gone", namespace=OWNER)
    changed = replace(kept, content="new words", importance=0.9, pinned=True, metadata={"n": 1})
    assert store.update_all([changed, gone], namespace=OWNER) == ["a"]
    (there,) = store.list(namespace=OWNER)
    assert there == replace(
        changed, uses=1, used_at=later, sightings=kept.sightings + 1, seen_at=later
    )
    same = {"kind": kept.kind, "event": kept.event, "namespace": OWNER}
    assert store.same_text("new words", **same) == there
    assert store.same_text("old words", **same) is None
    assert store.get("a", namespace=OTHER) == others
    assert store.update_all([], namespace=OWNER) == []


def test_a_sighting_raises_a_lower_importance(store: MemoryStore) -> None:
    store.add(replace(memory("a"), importance=0.4), namespace=OWNER)
    for importance, then in ((0.7, 0.7), (0.2, 0.7)):
        store.note_sighting("a", at=START, importance=importance, namespace=OWNER)
        assert store.get("a", namespace=OWNER).importance == then
