"""One learner's memory under the tutorial's names, on real stores and the built-in embedder."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PIL import Image

from core.assistant import PDFLearningAssistant
from core.domain.memory import MemoryKind, MemoryState
from core.domain.memory_item import MemoryConfig
from core.domain.upkeep import ChangeKind, ForgetStrategy
from core.errors import ConfigurationError, DocumentError, InvalidInputError, NotFoundError
from core.memory_manager import MemoryManager

REACT = "Li Si is a frontend engineer skilled in React and Vue.js development"


@pytest.fixture
def memory(services):
    return MemoryManager(user_id="ada", services=services)


@pytest.fixture
def other(services):
    return MemoryManager(user_id="bob", services=services)


def test_what_is_added_is_found_by_relevance_not_importance(memory):
    memory.add_memory("Bought groceries on the way home", "episodic", 0.9)
    memory.add_memory("The capital of France is Paris", "semantic", 0.3)
    found = memory.retrieve_memories("What is the capital of France?")
    assert found[0].content == "The capital of France is Paris"
    assert memory.get(found[0].id).uses == 1


def test_metadata_types_and_limits_hold(memory):
    kept = memory.add_memory(
        REACT, "semantic", 0.7, {"knowledge_type": "person", "location": "Hangzhou"}
    )
    memory.add_memory("React is a library for user interfaces", "episodic", 0.2)
    found = memory.retrieve_memories("React development", limit=1)
    assert len(found) == 1
    (only,) = memory.retrieve_memories("React development", ["semantic"])
    assert only.id == kept
    assert only.metadata["knowledge_type"] == "person"
    assert only.metadata["location"] == "Hangzhou"
    assert only.metadata["session_id"] == memory.session_id
    assert [m.id for m in memory.retrieve_memories("React", min_importance=0.5)] == [kept]
    long_ago = only.timestamp - timedelta(days=2), only.timestamp - timedelta(days=1)
    assert memory.retrieve_memories("React", time_range=long_ago) == []


def test_the_same_text_twice_is_one_memory(memory):
    assert memory.add_memory(REACT, "semantic") == memory.add_memory(REACT, "semantic")
    assert memory.get_memory_stats()["total"] == 1


def test_an_edit_can_be_undone(memory):
    memory_id = memory.add_memory("The exam is in May", "semantic")
    changed = memory.update_memory(memory_id[:8], "The exam is in June", 0.9, {"by": "hand"})
    assert (changed.content, changed.importance) == ("The exam is in June", 0.9)
    assert changed.metadata["by"] == "hand"
    (change,) = memory.changes()
    assert change.kind is ChangeKind.EDITED
    memory.undo(change.id)
    assert memory.get(memory_id).content == "The exam is in May"
    assert memory.changes() == []


def test_what_is_marked_is_not_found_and_can_count_again(memory):
    memory_id = memory.add_memory(REACT, "semantic")
    memory.mark(memory_id, MemoryState.WRONG)
    assert memory.retrieve_memories("React frontend engineer") == []
    assert memory.list(states=[MemoryState.WRONG])[0].id == memory_id
    memory.mark(memory_id, MemoryState.CURRENT)
    assert memory.retrieve_memories("React frontend engineer")[0].id == memory_id


def test_deleting_can_be_undone(memory):
    memory_id = memory.add_memory(REACT, "semantic")
    change = memory.delete([memory_id])
    assert memory.list() == []
    assert memory.retrieve_memories("React frontend engineer") == []
    with pytest.raises(NotFoundError):
        memory.get(memory_id)
    memory.undo(change.id)
    assert memory.retrieve_memories("React frontend engineer")[0].id == memory_id


def test_pinned_memories_are_not_forgotten(memory):
    for n in range(3):
        memory.add_memory(f"Small thing number {n}", "episodic", 0.05)
    pinned = memory.list()[0]
    memory.pin(pinned.id)
    plan = memory.forget_preview(ForgetStrategy.IMPORTANCE)
    assert len(plan.items) == 2
    assert memory.forget_memories() == 2
    assert [m.id for m in memory.list()] == [pinned.id]
    memory.undo(memory.changes()[0].id)
    assert len(memory.list()) == 3


def test_clear_all_clears_one_learner(memory, other):
    memory.add_memory(REACT, "semantic")
    memory.add_memory("Just asked about React", "working")
    other.add_memory(REACT, "semantic")
    assert memory.clear_all_memories() == 2
    assert memory.get_memory_stats()["by_type"] == {k.value: 0 for k in MemoryKind}
    assert other.retrieve_memories("React engineer")


def test_nobody_reaches_the_memories_of_another(memory, other):
    memory_id = memory.add_memory(REACT, "semantic")
    change = memory.edit(memory_id, importance=0.1)
    for reach in (other.get, other.remove_memory, other.update_memory, other.pin):
        with pytest.raises(NotFoundError):
            reach(memory_id)
    with pytest.raises(NotFoundError):
        other.undo(change.id)
    assert other.export()["memories"] == []


def test_wrong_arguments_are_told_in_words(memory):
    with pytest.raises(InvalidInputError, match="type"):
        memory.add_memory("x", "procedural")
    with pytest.raises(InvalidInputError, match="from 0 to 1"):
        memory.add_memory("x", importance=1.5)
    with pytest.raises(InvalidInputError, match="strategy"):
        memory.forget_memories("at_random")
    with pytest.raises(InvalidInputError, match="id"):
        memory.get("abc")
    without = MemoryManager(user_id="ada", enable_episodic=False, services=memory._services)
    with pytest.raises(InvalidInputError):
        without.add_memory("x", "episodic")


def test_the_assistants_memory_is_the_learners(services):
    ada = PDFLearningAssistant("ada", services=services)
    ada.add_note("潮水推动水轮", "潮汐")
    assert [m.content for m in ada.memory.list(events=["note"])] == ["潮水推动水轮"]
    exported = ada.memory.export()["memories"]
    assert exported[0]["content"] == "潮水推动水轮"


def test_a_newer_statement_replaces_the_older_one_and_can_be_undone(memory):
    old = memory.add_memory("My exam is on 12 May", "semantic")
    new = memory.add_memory("My exam is on 19 May", "semantic")
    assert memory.get(old).state is MemoryState.REPLACED
    assert memory.get(old).replaced_by == new
    assert [m.id for m in memory.retrieve_memories("When is my exam?")] == [new]
    (change,) = memory.changes()
    memory.undo(change.id)
    assert memory.get(old).state is MemoryState.CURRENT


def test_important_working_memories_move_on_once(memory):
    kept = memory.add_memory("The user prefers proofs with pictures", importance=0.9)
    memory.add_memory("The user asked for page 4", importance=0.2)
    assert memory.consolidate_memories() == 1
    moved = memory.get(kept)
    assert (moved.kind, moved.importance) == (MemoryKind.EPISODIC, pytest.approx(0.99))
    assert memory.consolidate_memories() == 0
    assert memory.retrieve_memories("proofs with pictures", ["episodic"])[0].id == kept


def test_what_nobody_used_for_long_is_archived_found_and_woken(services):
    memory = MemoryManager(user_id="ada", services=services)
    old = memory.add_memory(REACT, "episodic")
    parts = services.memory_parts
    aged = replace(memory.get(old), created_at=services.clock() - timedelta(days=400))
    parts.records.add(aged, namespace=memory.namespace)
    change = memory.archive_old()
    assert memory.list() == []
    assert [m.id for m in memory.list(archived=True)] == [old]
    (hit,) = memory.search("React Vue frontend engineer")
    assert (hit.memory.id, hit.archived) == (old, True)
    memory.undo(change.id)
    assert [m.id for m in memory.list()] == [old]
    assert memory.list(archived=True) == []
    memory.archive_old()
    assert memory.retrieve_memories("React Vue frontend engineer")[0].id == old
    assert memory.get(old).uses == 1
    assert memory.list(archived=True) == []


def test_a_type_and_an_importance_can_be_left_to_the_words(memory):
    told = memory.add_memory("昨天我读完了第三章", auto_classify=True)
    known = memory.add_memory("Entropy is defined as disorder", auto_classify=True)
    assert memory.get(told).kind is MemoryKind.EPISODIC
    assert memory.get(known).kind is MemoryKind.SEMANTIC
    note = memory.add_memory("Entropy never falls", "semantic", metadata={"event": "note"})
    assert memory.get(note).importance > memory.get(known).importance


def test_a_picture_is_perceived_and_kept_with_its_memory(memory, tmp_path):
    picture = tmp_path / "wheel.png"
    Image.new("RGB", (120, 80), "navy").save(picture)
    kept = memory.add_memory(
        "A blue water wheel", "perceptual", 0.7, {"raw_data": str(picture), "modality": "image"}
    )
    seen = memory.get(kept)
    assert seen.metadata["modality"] == "image"
    assert memory.retrieve_memories("water wheel", ["perceptual"])[0].id == kept
    with pytest.raises(DocumentError):
        memory.add_memory("x", "perceptual", metadata={"raw_data": str(tmp_path / "none.png")})


def test_what_is_deleted_for_good_is_proven_gone(memory, other, services):
    secret = memory.add_memory("The zebra-unmistakable exam is in May", "semantic")
    memory.edit(secret, content="The zebra-unmistakable exam is in June")
    other.add_memory("Another learner's note about exams", "semantic")
    proof = memory.delete_for_good(secret[:8])
    assert proof.complete, proof
    assert proof.before["records"] == 1
    assert memory.list() == memory.changes() == []
    everything = memory.erase_everything()
    assert everything.complete, everything
    assert len(other.list()) == 1


def test_what_a_wrong_statement_replaced_holds_again(memory):
    old = memory.add_memory("My exam is on 12 May", "semantic")
    new = memory.add_memory("My exam is on 19 May", "semantic")
    memory.mark(new, MemoryState.WRONG)
    assert memory.get(old).state is MemoryState.CURRENT
    assert [m.id for m in memory.retrieve_memories("When is my exam?")] == [old]


def test_near_duplicates_are_shown_and_merged_on_request(memory):
    older = memory.add_memory("Gradient descent follows the negative gradient.", "semantic")
    newer = memory.add_memory("Gradient descent follows the negative gradients.", "semantic")
    (pair,) = memory.near_duplicates()
    assert (pair.older.id, pair.newer.id) == (older, newer)
    change = memory.merge(pair)
    assert len(memory.list(states=[MemoryState.CURRENT])) == 1
    assert memory.near_duplicates() == []
    memory.undo(change.id)
    assert len(memory.list(states=[MemoryState.CURRENT])) == 2


def test_what_is_asked_about_often_is_worth_a_note(services):
    ada = PDFLearningAssistant("ada", services=services)
    for question in ("What is overfitting?", "Why does overfitting happen?", "Explain overfitting"):
        ada.ask(question)
    (often,) = ada.memory.often_asked()
    assert often.concept == "overfitting"
    assert len(often.memory_ids) == 3


def test_a_config_is_kept_to(services):
    config = MemoryConfig(max_capacity=2, working_memory_capacity=2, importance_threshold=0.5)
    memory = MemoryManager(config, "ada", services=services)
    for n, importance in enumerate((0.9, 0.1, 0.8)):
        memory.add_memory(f"Something to do now, number {n}", importance=importance)
        memory.add_memory(f"Fact number {n} about mills", "semantic", importance)
    assert [m.importance for m in memory.list(kinds=[MemoryKind.WORKING])] == [0.8, 0.9]
    assert [m.importance for m in memory.list(kinds=[MemoryKind.SEMANTIC])] == [0.8, 0.9]
    assert [m.importance for m in memory.list(archived=True)] == [0.1]
    low = memory.add_memory("Barely worth a word", importance=0.05)
    assert memory.get(low).importance == 0.05
    assert memory.forget_memories() == 1
    with pytest.raises(NotFoundError):
        memory.get(low)
    with pytest.raises(InvalidInputError, match="modality"):
        memory.add_memory("smell of hay", "perceptual", metadata={"modality": "smell"})


def test_a_config_that_cannot_be_kept_to_is_refused(services):
    with pytest.raises(ConfigurationError, match="storage_path"):
        MemoryManager(MemoryConfig(storage_path="/elsewhere"), services=services)
    with pytest.raises(ConfigurationError, match="at least 1"):
        MemoryManager(MemoryConfig(max_capacity=0), services=services)
