"""One change after the other: nothing is doubled, lost or brought back by another thread."""

import threading
import time
from dataclasses import replace

import pytest

from core.errors import NotFoundError
from core.memory.engine import MemoryEngine
from core.memory.turns import Turns
from tests.fakes import WordEmbedder
from tests.unit.memory.conftest import NS, SEMANTIC, WORKING


class Slow(WordEmbedder):
    """Takes a moment, in which other threads come."""

    def embed_documents(self, texts):
        time.sleep(0.02)
        return super().embed_documents(texts)


@pytest.fixture
def embedder():
    return Slow()


def at_once(*tasks):
    """Do tasks in a thread each; return their errors."""
    errors = []
    barrier = threading.Barrier(len(tasks))

    def run(task):
        barrier.wait()
        try:
            task()
        except NotFoundError as exc:
            errors.append(exc)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return errors


def test_each_namespace_has_one_lock_that_its_holder_may_take_again():
    turns = Turns()
    assert turns.of("a") is turns.of("a")
    assert turns.of("a") is not turns.of("b")
    with turns.of("a"), turns.of("a"):
        pass


@pytest.mark.parametrize("kind", [SEMANTIC, WORKING])
def test_the_same_text_from_six_threads_is_one_memory(manager, add, kind):
    at_once(*[lambda: add("tides follow the moon", kind, event="memory")] * 6)
    (only,) = manager.list(namespace=NS)
    assert only.sightings == 6


@pytest.mark.parametrize("kind", [SEMANTIC, WORKING])
def test_the_same_text_again_has_the_higher_importance(manager, add, kind):
    for importance in (0.4, 0.8, 0.1):
        seen = add("tides follow the moon", kind, event="memory", importance=importance)
    assert seen.importance == manager.get(seen.id, namespace=NS).importance == 0.8


@pytest.mark.parametrize("kind", [SEMANTIC, WORKING])
def test_an_update_keeps_what_was_counted_meanwhile(manager, add, clock, kind):
    before = add("tides follow the moon", kind, event="memory")
    manager.note_used([before.id], namespace=NS)
    add("tides follow the moon", kind, event="memory")
    kept = manager.update(replace(before, content="tides follow the sun"), namespace=NS)
    assert (kept.uses, kept.sightings, kept.content) == (1, 2, "tides follow the sun")
    assert manager.get(before.id, namespace=NS) == kept


def test_an_update_brings_nothing_back(manager, add, parts):
    before = add("tides follow the moon")
    again = MemoryEngine(**parts)
    edited = replace(before, content="tides follow the sun")
    for _ in range(5):
        at_once(
            lambda: again.update(edited, namespace=NS),
            lambda: manager.delete(before.id, namespace=NS),
        )
        if not manager.list(namespace=NS):
            break
    assert manager.list(namespace=NS) == []
    with pytest.raises(NotFoundError):
        manager.update(edited, namespace=NS)
    manager.durable[SEMANTIC].embed([edited], namespace=NS)
    with pytest.raises(NotFoundError):
        manager.durable[SEMANTIC].update(edited, namespace=NS)
    assert manager.list(namespace=NS) == []
