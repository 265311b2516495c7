"""One learner in several threads, and what is in the archive, under the tutorial's names."""

import threading
from contextlib import suppress

import pytest

from core.domain.memory import MemoryState
from core.domain.memory_item import MemoryConfig
from core.errors import InvalidInputError, NotFoundError
from core.memory_manager import MemoryManager

FOX = "A fox has a den in the river bank"


@pytest.fixture
def memory(services):
    return MemoryManager(user_id="ada", services=services)


def at_once(*tasks):
    def run(task):
        with suppress(NotFoundError):
            task()

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("for_good", [False, True])
def test_what_is_deleted_is_not_brought_back_by_an_edit_or_a_pin(memory, for_good):
    for n in range(8):
        kept = memory.add_memory(f"Resurrect number {n} please", "semantic")
        change = (
            (lambda kept=kept, n=n: memory.edit(kept, content=f"Raised text {n}"))
            if n % 2
            else (lambda kept=kept: memory.pin(kept))
        )
        delete = memory.delete_for_good if for_good else memory.remove_memory
        at_once(change, lambda kept=kept, delete=delete: delete(kept))
    assert memory.list() == []
    if for_good:
        assert memory.changes() == []


def test_uses_pins_and_edits_at_once_are_all_kept(memory, services):
    kept = memory.add_memory("An update from three sides", "semantic")

    def edit():
        for n in range(5):
            memory.edit(kept, content=f"An update from three sides, version {n}")

    def use():
        for _ in range(5):
            services.memory.note_used([kept], namespace=memory.namespace)

    at_once(edit, use, lambda: memory.pin(kept))
    now = memory.get(kept)
    assert (now.uses, now.pinned, now.content[-1]) == (5, True, "4")


def archived(memory, services, content=FOX):
    kept = memory.add_memory(content, "semantic")
    services.memory_parts.archive.put([memory.get(kept)], namespace=memory.namespace)
    assert memory.list() == []
    return kept


def test_archived_memories_are_seen_and_changed_by_a_short_id(memory, services):
    kept = archived(memory, services)
    short = kept[:8]
    assert memory.full_id(short) == kept
    assert memory.get(short).content == FOX
    assert memory.list() == []  # looking wakes nothing
    assert memory.pin(short).pinned
    assert [m.id for m in memory.list()] == [kept]
    assert memory.list(archived=True) == []


@pytest.mark.parametrize("how", ["edit", "mark", "delete"])
def test_archived_memories_come_back_to_be_changed(memory, services, how):
    kept = archived(memory, services)
    if how == "edit":
        memory.edit(kept, importance=0.9)
        assert memory.get(kept).importance == 0.9
    elif how == "mark":
        assert memory.mark(kept, MemoryState.OUTDATED).state is MemoryState.OUTDATED
    else:
        change = memory.delete([kept[:8]])
        assert [m.content for m in change.before] == [FOX]
        with pytest.raises(NotFoundError):
            memory.get(kept)
    assert memory.list(archived=True) == []


def test_an_archived_memory_is_deleted_for_good_by_a_short_id(memory, services):
    kept = archived(memory, services)
    assert memory.delete_for_good(kept[:8]).complete
    with pytest.raises(NotFoundError):
        memory.full_id(kept[:8])
    with pytest.raises(InvalidInputError):
        memory.full_id(kept[:7])


@pytest.mark.parametrize("how", ["restored", "pinned"])
def test_an_older_statement_said_again_counts_and_the_newer_does_not(memory, how):
    older = memory.add_memory("My favourite gem is ruby", "semantic")
    if how == "pinned":
        memory.pin(older)
    newer = memory.add_memory("My favourite gem is opal", "semantic")
    if how == "restored":
        memory.mark(older, MemoryState.CURRENT)
    assert memory.get(newer).state is MemoryState.CURRENT
    assert memory.add_memory("My favourite gem is ruby", "semantic") == older
    assert memory.get(older).state is MemoryState.CURRENT
    assert memory.get(newer).replaced_by == older


def test_metadata_are_added_and_can_be_undone(memory):
    kept = memory.add_memory(FOX, "semantic", metadata={"a": 1})
    change = memory.edit(kept, metadata={"b": 2})
    assert memory.get(kept).metadata == {"a": 1, "b": 2}
    memory.undo(change.id)
    assert memory.get(kept).metadata == {"a": 1}


def test_a_config_lets_pinned_working_memories_stay(services):
    config = MemoryConfig(working_memory_capacity=2, working_memory_ttl=1)
    memory = MemoryManager(config, user_id="ada", services=services)
    kept = [memory.add_memory(f"pinned page {n} is open") for n in range(2)]
    for one in kept:
        memory.pin(one)
    newest = [memory.add_memory(f"page {n} is open") for n in (7, 8)][-1]
    assert {m.id for m in memory.list()} == {*kept, newest}
