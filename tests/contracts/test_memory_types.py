"""What every type of memory promises (core/memory/base.py), on every store."""

import uuid
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.errors import NotFoundError
from core.memory.base import BaseMemory
from core.memory.engine import MemoryEngine
from core.stores.memories import SqlMemoryStore
from tests.contracts.backends import RecordBackend, make_vector_store
from tests.contracts.child import acknowledged_before_kill
from tests.contracts.samples import OTHER, OWNER, START, memory
from tests.fakes import Clock, IdCounter, WordEmbedder

KINDS = list(MemoryKind)


@pytest.fixture(params=["edge", "memory", "http"])
def engine(
    request: pytest.FixtureRequest, record_backend: RecordBackend, tmp_path: Path
) -> Iterator[MemoryEngine]:
    embedder = WordEmbedder(("tide", "潮水"))
    location = {"edge": str(tmp_path / "vectors"), "memory": ":memory:"}.get(request.param)
    if location is None:
        location = request.getfixturevalue("standin").url
    vectors = make_vector_store(request.param, location, embedder.dimension, embedder.name)
    vectors.ensure_ready()
    yield MemoryEngine(
        store=SqlMemoryStore(record_backend.open()),
        vectors=vectors,
        embedder=embedder,
        clock=Clock(START + timedelta(minutes=30)),
        new_id=IdCounter(),
        working_capacity=50,
        working_ttl_minutes=60,
    )
    vectors.close()


@pytest.fixture(params=KINDS, ids=lambda kind: kind.value)
def type_of_memory(request: pytest.FixtureRequest, engine: MemoryEngine) -> BaseMemory:
    return engine.type_of(request.param)


def made(of: BaseMemory, name: str = "a", minutes: int = 0, **more: Any) -> Memory:
    memory_id = str(uuid.uuid5(uuid.NAMESPACE_OID, name))
    return replace(memory(memory_id, kind=of.kind, minutes=minutes), **more)


def test_it_comes_back_as_it_was(type_of_memory: BaseMemory) -> None:
    kept = made(
        type_of_memory,
        state=MemoryState.WRONG,
        pinned=True,
        uses=3,
        used_at=START,
        sightings=2,
        seen_at=START,
        replaced_by="b",
    )
    type_of_memory.add(kept, namespace=OWNER)
    assert type_of_memory.get(kept.id, namespace=OWNER) == kept
    assert list(type_of_memory.list(namespace=OWNER)) == [kept]
    assert type_of_memory.count(namespace=OWNER) == 1


def test_the_newest_comes_first_and_times_narrow(type_of_memory: BaseMemory) -> None:
    old, new = made(type_of_memory, "old"), made(type_of_memory, "new", minutes=5)
    for one in (old, new):
        type_of_memory.add(one, namespace=OWNER)
    assert list(type_of_memory.list(namespace=OWNER)) == [new, old]
    assert list(type_of_memory.list(namespace=OWNER, since=new.created_at)) == [new]
    assert list(type_of_memory.list(namespace=OWNER, until=new.created_at)) == [old]


def test_a_change_is_kept(type_of_memory: BaseMemory) -> None:
    before = made(type_of_memory)
    type_of_memory.add(before, namespace=OWNER)
    after = replace(before, content="潮水推动水轮", importance=0.1, state=MemoryState.OUTDATED)
    type_of_memory.update(after, namespace=OWNER)
    assert type_of_memory.get(before.id, namespace=OWNER) == after
    assert type_of_memory.count(namespace=OWNER) == 1


def test_what_is_not_there_is_not_found(type_of_memory: BaseMemory) -> None:
    one = made(type_of_memory)
    for call in (
        lambda: type_of_memory.get(one.id, namespace=OWNER),
        lambda: type_of_memory.update(one, namespace=OWNER),
        lambda: type_of_memory.delete(one.id, namespace=OWNER),
    ):
        with pytest.raises(NotFoundError):
            call()
    assert list(type_of_memory.list(namespace=OWNER)) == []
    type_of_memory.clear(namespace=OWNER)


def test_namespaces_are_apart(type_of_memory: BaseMemory) -> None:
    one = made(type_of_memory)
    type_of_memory.add(one, namespace=OWNER)
    for call in (
        lambda: type_of_memory.get(one.id, namespace=OTHER),
        lambda: type_of_memory.update(one, namespace=OTHER),
        lambda: type_of_memory.delete(one.id, namespace=OTHER),
    ):
        with pytest.raises(NotFoundError):
            call()
    type_of_memory.clear(namespace=OTHER)
    assert type_of_memory.count(namespace=OTHER) == 0
    assert type_of_memory.count(namespace=OWNER) == 1


def test_clearing_one_type_leaves_the_others(engine: MemoryEngine) -> None:
    for kind in KINDS:
        of = engine.type_of(kind)
        of.add(made(of, kind.value, content=f"The tide, {kind.value}"), namespace=OWNER)
    engine.type_of(MemoryKind.SEMANTIC).clear(namespace=OWNER)
    left = {m.kind for m in engine.list(namespace=OWNER)}
    assert left == set(KINDS) - {MemoryKind.SEMANTIC}
    found = {hit.memory.kind for hit in engine.recall("tide", namespace=OWNER, limit=9)}
    assert MemoryKind.SEMANTIC not in found
    assert MemoryKind.EPISODIC in found


def test_what_is_deleted_is_not_found_any_more(type_of_memory: BaseMemory, engine: Any) -> None:
    one = made(type_of_memory, content="The tide turns the wheel.")
    type_of_memory.add(one, namespace=OWNER)
    assert [h.memory.id for h in engine.recall("tide", namespace=OWNER)] == [one.id]
    type_of_memory.delete(one.id, namespace=OWNER)
    assert engine.recall("tide", namespace=OWNER) == []


def test_many_threads_at_once(
    type_of_memory: BaseMemory, in_threads: Callable[..., list[Any]]
) -> None:
    def work(worker: int) -> None:
        for number in range(4):
            type_of_memory.add(made(type_of_memory, f"{worker}/{number}"), namespace=OWNER)
        type_of_memory.delete(made(type_of_memory, f"{worker}/0").id, namespace=OWNER)

    in_threads(work, range(6))
    assert type_of_memory.count(namespace=OWNER) == 6 * 3


def test_killing_the_writer_loses_nothing_acknowledged(
    record_backend: RecordBackend, tmp_path: Path
) -> None:
    url, vectors_at = record_backend.url or "", str(tmp_path / "vectors")
    arguments = ("write-memories", url, str(record_backend.folder), vectors_at)
    acknowledged = acknowledged_before_kill(*arguments, after=15)
    embedder = WordEmbedder(("tide", "潮水"))
    vectors = make_vector_store("edge", vectors_at, embedder.dimension, embedder.name)
    store = SqlMemoryStore(record_backend.open())
    engine = MemoryEngine(
        store=store,
        vectors=vectors,
        embedder=embedder,
        clock=Clock(START),
        new_id=IdCounter(),
        working_capacity=50,
        working_ttl_minutes=60,
    )
    kept = engine.list(namespace=OWNER)
    assert {f"tide number {n}" for n in range(acknowledged)} <= {m.content for m in kept}
    found = engine.recall("tide", namespace=OWNER, limit=1000)
    assert {hit.memory.id for hit in found} == {m.id for m in kept}
    vectors.close()
