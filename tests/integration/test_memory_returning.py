"""What comes back, is edited or goes, beside what was said meanwhile: on real stores."""

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.memory import MemoryState
from core.domain.upkeep import ChangeKind
from core.memory_manager import MemoryManager

REACT = "Li Si is a frontend engineer skilled in React and Vue.js development"


@pytest.fixture
def memory(services):
    return MemoryManager(user_id="ada", services=services)


def changes_of(memory, kind):
    return [change for change in memory.changes() if change.kind is kind]


def said(memory, day):
    return memory.add_memory(f"My exam is on {day} May", "semantic")


def let_it_go(memory, way, memory_id):
    if way == "removed":
        memory.remove_memory(memory_id)
    elif way == "erased":
        memory.delete_for_good(memory_id)
    elif way == "forgotten":
        memory.edit(memory_id, importance=0.01)
        assert memory.forget_memories() == 1
    elif way == "edited":
        memory.edit(memory_id, content="I enjoyed cooking")
    else:
        memory.mark(memory_id, MemoryState.UNWANTED)


@pytest.mark.parametrize("way", ["removed", "erased", "forgotten", "edited", "unwanted"])
def test_when_the_newer_statement_goes_the_older_counts_again(memory, way):
    old, new = said(memory, 12), said(memory, 19)
    let_it_go(memory, way, new)
    assert memory.get(old).state is MemoryState.CURRENT
    assert memory.retrieve_memories("When is my exam?", ["semantic"])[0].id == old
    if way in ("removed", "forgotten", "edited"):
        memory.undo(memory.changes()[0].id)
        assert memory.get(new).state is MemoryState.CURRENT
        assert memory.get(old).state is MemoryState.REPLACED


def test_what_is_said_to_be_outdated_brings_nothing_older_back(memory):
    old, new = said(memory, 12), said(memory, 19)
    memory.mark(new, MemoryState.OUTDATED)
    assert memory.get(old).state is MemoryState.REPLACED


def test_a_replacement_can_be_undone_after_an_edit(memory):
    old, new = said(memory, 12), said(memory, 19)
    memory.edit(new, importance=0.9)
    (change,) = changes_of(memory, ChangeKind.REPLACED)
    memory.undo(change.id)
    assert memory.get(old).state is memory.get(new).state is MemoryState.CURRENT


def test_an_old_statement_that_comes_back_does_not_count_beside_a_newer_one(memory):
    old = said(memory, 12)
    change = memory.delete([old])
    new = said(memory, 19)
    (back,) = memory.undo(change.id)
    assert (back.id, back.state, back.replaced_by) == (old, MemoryState.REPLACED, new)
    assert [m.id for m in memory.retrieve_memories("When is my exam?")] == [new]


def test_the_archive_gives_nothing_that_was_replaced_since(memory, services):
    old = said(memory, 12)
    services.memory_parts.archive.put([memory.get(old)], namespace=memory.namespace)
    assert [hit.memory.id for hit in memory.search("When is my exam?")] == [old]
    new = said(memory, 19)
    assert [hit.memory.id for hit in memory.search("When is my exam?")] == [new]


def test_what_was_said_again_meanwhile_is_one_memory_after_an_undo(memory):
    first = memory.add_memory(REACT, "semantic", 0.4)
    change = memory.delete([first])
    again = memory.add_memory(REACT, "semantic", 0.8)
    (back,) = memory.undo(change.id)
    assert (back.id, back.sightings, back.importance) == (first, 2, 0.8)
    assert [m.id for m in memory.list()] == [first]
    assert memory.retrieve_memories("React frontend engineer")[0].id == first
    (merged,) = memory.changes()
    assert merged.kind is ChangeKind.MERGED
    memory.undo(merged.id)
    assert {m.id for m in memory.list()} == {first, again}


def test_what_was_said_again_meanwhile_is_one_memory_after_waking(memory, services):
    first = memory.add_memory(REACT, "semantic")
    services.memory_parts.archive.put([memory.get(first)], namespace=memory.namespace)
    memory.add_memory(REACT, "semantic")
    (awake,) = memory.wake([first])
    assert (awake.id, awake.sightings, awake.uses) == (first, 2, 1)
    assert [m.id for m in memory.list()] == [first]


def test_editing_into_a_text_that_is_there_makes_one_memory_and_is_one_change(memory):
    kept = memory.add_memory("Entropy grows", "semantic")
    edited = memory.add_memory("Entropie grows", "semantic")
    change = memory.edit(edited, content="Entropy grows.")
    assert [(m.id, m.sightings) for m in memory.list()] == [(edited, 2)]
    memory.undo(change.id)
    assert {m.id: m.content for m in memory.list()} == {
        kept: "Entropy grows",
        edited: "Entropie grows",
    }
    assert memory.changes() == []


def test_two_notes_of_other_concepts_with_one_text_stay_two(services):
    ada = PDFLearningAssistant("ada", services=services)
    ada.add_note("Energy is conserved", "physics")
    other = ada.add_note("Energy is kept", "chemistry")
    ada.memory.edit(other.id, content="Energy is conserved")
    assert len(ada.notes()) == 2


def test_undoing_an_edit_leaves_a_later_pin_and_mark(memory):
    memory_id = memory.add_memory("The exam is in May", "semantic")
    change = memory.edit(memory_id, content="The exam is in June")
    memory.pin(memory_id)
    memory.mark(memory_id, MemoryState.WRONG)
    (back,) = memory.undo(change.id)
    assert (back.content, back.pinned, back.state) == (
        "The exam is in May",
        True,
        MemoryState.WRONG,
    )


def test_new_metadata_can_be_undone(memory):
    memory_id = memory.add_memory(REACT, "semantic", metadata={"level": 1})
    memory.update_memory(memory_id, metadata={"level": 2, "by": "hand"})
    (change,) = memory.changes()
    memory.undo(change.id)
    assert memory.get(memory_id).metadata == {"level": 1}
    memory.update_memory(memory_id, "Li Si left", metadata={"level": 3})
    (change,) = memory.changes()
    memory.undo(change.id)
    assert (memory.get(memory_id).content, memory.get(memory_id).metadata["level"]) == (REACT, 1)
