"""Undoing what others did to memories: edits, consolidation, replacement, merging."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from core.domain.memory import MemoryState
from core.domain.upkeep import ChangeKind
from core.errors import InvalidInputError
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, SEMANTIC, WORKING, Parts, made, open_parts


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


def edit(parts: Parts, memory_id: str, content: str) -> str:
    before = parts.store.get(memory_id, namespace=NS)
    change = parts.undo.record(ChangeKind.EDITED, [before], after=[memory_id], namespace=NS)
    parts.vectors.delete(namespace=NS, where={"memory_id": memory_id})
    parts.durable[before.kind].add(replace(before, content=content), namespace=NS)
    return change.id


def test_an_edit_is_undone_and_later_uses_stay_counted(parts: Parts) -> None:
    parts.add(made("a", "entropy grows"))
    edited = edit(parts, "a", "enthalpy falls")
    assert parts.found("enthalpy") == {"a"}
    parts.store.note_used(["a"], at=MONDAY, namespace=NS)
    parts.undo.undo(edited, namespace=NS)
    assert parts.store.get("a", namespace=NS) == replace(
        made("a", "entropy grows"), uses=1, used_at=MONDAY
    )
    assert parts.found("entropy") == {"a"}
    assert parts.found("enthalpy") == set()


def test_a_later_change_of_the_same_memory_must_be_undone_first(parts: Parts) -> None:
    parts.add(made("a", "one"), made("b"))
    first = edit(parts, "a", "two")
    parts.clock.forward(minutes=1)
    second = edit(parts, "a", "three")
    parts.clock.forward(minutes=1)
    edit(parts, "b", "other")
    with pytest.raises(InvalidInputError):
        parts.undo.undo(first, namespace=NS)
    assert parts.store.get("a", namespace=NS).content == "three"
    parts.undo.undo(second, namespace=NS)
    parts.undo.undo(first, namespace=NS)
    assert parts.store.get("a", namespace=NS).content == "one"


def test_a_replaced_memory_counts_again_and_the_newer_one_stays(parts: Parts) -> None:
    old = made("old", "my exam is in June")
    parts.add(old)
    change = parts.undo.record(ChangeKind.REPLACED, [old], after=["new"], namespace=NS)
    replaced = replace(old, state=MemoryState.REPLACED, replaced_by="new")
    parts.store.add(replaced, namespace=NS)
    parts.add(made("new", "my exam is in July"))
    parts.undo.undo(change.id, namespace=NS)
    assert parts.store.get("old", namespace=NS) == old
    assert parts.ids() == {"old", "new"}


def test_merged_memories_come_apart(parts: Parts) -> None:
    two = [made("a", "entropy grows"), made("b", "entropy never falls")]
    parts.add(*two)
    change = parts.undo.record(ChangeKind.MERGED, two, after=["m"], namespace=NS)
    parts.add(made("m", "entropy grows and never falls"))
    parts.durable[SEMANTIC].delete_all(["a", "b"], namespace=NS)
    parts.undo.undo(change.id, namespace=NS)
    assert parts.ids() == {"a", "b"} == parts.found("entropy")
    assert parts.removed == ["m"]


def test_consolidation_goes_back_while_working_memory_would_still_have_it(parts: Parts) -> None:
    before = made("w", "entropy", kind=WORKING)
    change = parts.undo.record(ChangeKind.CONSOLIDATED, [before], after=["w"], namespace=NS)
    parts.add(replace(before, kind=EPISODIC))
    parts.undo.undo(change.id, namespace=NS)
    assert parts.store.list(namespace=NS) == []
    assert parts.working.list(namespace=NS) == [before]
    assert parts.points() == 0


def test_consolidation_is_not_undone_into_nothing(parts: Parts) -> None:
    before = made("w", "entropy", kind=WORKING)
    change = parts.undo.record(ChangeKind.CONSOLIDATED, [before], after=["w"], namespace=NS)
    parts.add(replace(before, kind=EPISODIC))
    parts.clock.forward(hours=2)
    assert parts.undo.undo(change.id, namespace=NS) == []
    assert parts.ids() == {"w"} == parts.found("entropy")


def test_a_change_that_was_only_logged_is_not_there(parts: Parts) -> None:
    parts.add(made("a"))
    parts.undo.record(ChangeKind.EDITED, [made("a")], after=["a"], namespace=NS)
    assert parts.undo.list(namespace=NS) == []


def test_what_is_over_its_time_goes_at_the_start(parts: Parts) -> None:
    parts.add(made("a"))
    parts.undo.remove(["a"], namespace=NS)
    assert parts.undo.expire_of_all() == 0
    parts.clock.now += timedelta(days=31)
    assert parts.undo.expire_of_all() == 1
    assert parts.undo.expire_of_all() == 0


def test_undoing_an_edit_leaves_what_was_marked_and_pinned_since(parts: Parts) -> None:
    parts.add(made("a", "entropy grows", metadata={"concept": "heat"}))
    edited = edit(parts, "a", "enthalpy falls")
    now = parts.store.get("a", namespace=NS)
    later = replace(now, pinned=True, state=MemoryState.OUTDATED, metadata={"concept": "cold"})
    parts.store.add(later, namespace=NS)
    parts.undo.undo(edited, namespace=NS)
    assert parts.store.get("a", namespace=NS) == replace(
        later, content="entropy grows", metadata={"concept": "heat"}
    )


def test_an_edited_memory_that_was_only_pinned_again_has_nothing_to_undo(parts: Parts) -> None:
    parts.add(made("a", "entropy grows"))
    parts.undo.record(ChangeKind.EDITED, [made("a", "entropy grows")], after=["a"], namespace=NS)
    parts.store.add(made("a", "entropy grows", pinned=True), namespace=NS)
    assert parts.undo.list(namespace=NS) == []


def test_a_replacement_can_be_undone_after_an_edit_of_the_newer_one(parts: Parts) -> None:
    old = made("old", "my exam is in June")
    parts.add(old, made("new", "my exam is in July"))
    change = parts.undo.record(ChangeKind.REPLACED, [old], after=["new"], namespace=NS)
    parts.store.add(replace(old, state=MemoryState.REPLACED, replaced_by="new"), namespace=NS)
    parts.clock.forward(minutes=1)
    edited = edit(parts, "new", "my exam is on 1 July")
    parts.undo.undo(change.id, namespace=NS)
    assert parts.store.get("old", namespace=NS) == old
    parts.undo.undo(edited, namespace=NS)
    assert parts.store.get("new", namespace=NS).content == "my exam is in July"


def test_the_newer_one_can_be_changed_back_after_a_replacement(parts: Parts) -> None:
    old = made("old", "my exam is in June")
    parts.add(old, made("new", "my exam"))
    edited = edit(parts, "new", "my exam is in July")
    parts.clock.forward(minutes=1)
    parts.undo.record(ChangeKind.REPLACED, [old], after=["new"], namespace=NS)
    parts.store.add(replace(old, state=MemoryState.REPLACED, replaced_by="new"), namespace=NS)
    parts.undo.undo(edited, namespace=NS)
    assert parts.store.get("new", namespace=NS).content == "my exam"


def test_a_replacement_that_does_not_count_any_more_is_not_there(parts: Parts) -> None:
    old = made("old", "my exam is in June")
    parts.add(old, made("new", "my exam is in July"))
    parts.undo.record(ChangeKind.REPLACED, [old], after=["new"], namespace=NS)
    assert parts.undo.list(namespace=NS) == []
