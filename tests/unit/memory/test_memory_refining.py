"""Second vectors of memories: filled in behind, used where they are, gone on after a restart."""

import threading
from dataclasses import replace

import pytest

from core.domain.memory import MemoryKind
from core.errors import ModelError
from core.memory.engine import MemoryEngine
from core.memory.refinement import MemoryRefining
from core.ports.vector_store import Tier
from tests.fakes import WordEmbedder

NS = "pdf_a"
SECONDS = 30


class FinerEmbedder(WordEmbedder):
    """A refiner that knows that a boat is a ship; it can be missing, or break down."""

    name = "finer-1"

    def __init__(self) -> None:
        super().__init__(("boat", "ship"), dimension=384)
        self.absent: str | None = None
        self.broken = False
        self.batches = 0
        self.going = threading.Event()
        self.going.set()

    @property
    def trouble(self):
        return self.absent

    def missing(self):
        return self.absent

    def embed_documents(self, texts):
        assert self.going.wait(SECONDS)
        if self.broken:
            raise ModelError("The finer embedder broke down.")
        self.batches += 1
        return super().embed_documents(texts)

    def warm_up(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def refiner():
    return FinerEmbedder()


@pytest.fixture
def refined(parts, refiner):
    """Makes a manager with its refining, again on the same data."""
    made = []

    def make(finer=refiner) -> tuple[MemoryEngine, MemoryRefining]:
        engine = MemoryEngine(**parts)
        refining = MemoryRefining(
            store=parts["store"], vectors=parts["vectors"], durable=engine.durable, refiner=finer
        )
        engine.find_with(refining=refining)
        made.append(refining)
        return engine, refining

    yield make
    for refining in made:
        refining.close()


def add(engine, content, kind=MemoryKind.SEMANTIC, namespace=NS):
    return engine.add(
        content, kind, namespace=namespace, session_id="s", event="note", importance=0.5
    )


def counts(parts, namespace=NS):
    """Points, and those with a second vector."""
    vectors = parts["vectors"]
    return (
        vectors.count(namespace=namespace, where={}),
        vectors.count(namespace=namespace, where={}, tier=Tier.REFINED),
    )


def found(engine, query):
    return [hit.memory.content for hit in engine.recall(query, namespace=NS)]


def test_what_only_the_finer_embedder_knows_is_found_by_it(refined, parts, refiner):
    engine, refining = refined()
    refiner.going.clear()
    add(engine, "the boat sank")
    add(engine, "the boat and the harbour of the town by the sea")
    add(engine, "bread rises")
    assert found(engine, "ship sank") == ["the boat sank"]
    refiner.going.set()
    assert refining.wait(SECONDS)
    assert counts(parts) == (3, 3)
    assert found(engine, "ship sank")[0] == "the boat sank"
    assert found(engine, "bread") == ["bread rises"]


def test_all_kinds_of_all_learners_are_refined_after_a_start(refined, parts, manager):
    for kind in (MemoryKind.SEMANTIC, MemoryKind.EPISODIC):
        for n in range(12):
            add(manager, f"number {n} of {kind.value}", kind)
    add(manager, "another learner's", namespace="pdf_b")
    assert counts(parts) == (24, 0)
    _, refining = refined()
    refining.want_all()
    assert refining.wait(SECONDS)
    assert counts(parts) == (24, 24)
    assert counts(parts, "pdf_b") == (1, 1)


def test_nothing_is_embedded_twice(refined, parts, refiner):
    engine, refining = refined()
    add(engine, "the boat sank")
    assert refining.wait(SECONDS)
    refining.close()
    before = refiner.batches
    engine, refining = refined()
    refining.want_all()
    refining.want(NS)
    assert refining.wait(SECONDS)
    # only what tells related from unrelated is measured again
    assert refiner.batches <= before + 1
    assert found(engine, "ship") == found(engine, "boat") == ["the boat sank"]


def test_what_is_changed_is_refined_again(refined, parts):
    engine, refining = refined()
    memory = add(engine, "the boat sank")
    assert refining.wait(SECONDS)
    engine.update(replace(memory, content="bread rises"), namespace=NS)
    assert refining.wait(SECONDS)
    assert counts(parts) == (1, 1)
    assert found(engine, "ship") == []


def test_a_lost_index_is_refined_anew(refined, parts):
    engine, refining = refined()
    memory = add(engine, "the boat sank")
    assert refining.wait(SECONDS)
    refining.close()
    parts["vectors"].delete(namespace=NS, where={})
    engine, refining = refined()
    assert engine.recall("boat", namespace=NS)[0].memory.id == memory.id  # renews the first vector
    refining.want(NS)
    assert refining.wait(SECONDS)
    assert counts(parts) == (1, 1)


def test_a_failure_leaves_memories_that_are_found(refined, parts, refiner):
    refiner.broken = True
    engine, refining = refined()
    add(engine, "the boat sank")
    assert refining.wait(SECONDS)
    assert counts(parts) == (1, 0)
    assert found(engine, "boat") == ["the boat sank"]
    refiner.broken = False
    add(engine, "bread rises")
    assert refining.wait(SECONDS)
    assert counts(parts) == (2, 2)


def test_where_there_is_no_refiner_nothing_is_refined(refined, parts, refiner):
    refiner.absent = "not_installed"
    engine, refining = refined()
    add(engine, "the boat sank")
    assert refining.wait(SECONDS)
    assert counts(parts) == (1, 0)
    assert found(engine, "boat") == ["the boat sank"]
    assert refiner.batches == 0


def test_closing_stops_after_the_step_under_way(refined, parts, refiner):
    engine, refining = refined()
    refiner.going.clear()
    for n in range(30):
        add(engine, f"number {n}")
    refiner.going.set()
    refining.close()
    assert counts(parts)[1] < 30
    refining.want(NS)
    assert refining.wait(SECONDS)
    assert counts(parts) == (30, 30)
