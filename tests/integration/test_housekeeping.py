"""What memories need from time to time, on real stores, with a clock that is moved."""

from dataclasses import replace

import pytest

from core.adapters import DATABASE, load, make_embedder
from core.domain.memory import MemoryKind
from core.memory_parts import memory_parts
from core.settings import load_settings
from tests.fakes import Clock

NS = "pdf_ada"


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def parts(data_dir, clock):
    settings = load_settings(env_file=None, data_dir=data_dir)
    database = load(DATABASE)(None, data_dir)
    made = memory_parts(settings, database, make_embedder(settings), clock=clock)
    made.ensure_ready()
    yield made
    made.stop()
    made.close()
    database.close()


def remember(parts, content, kind=MemoryKind.WORKING, importance=0.9):
    return parts.engine.add(
        content,
        kind,
        namespace=NS,
        session_id="s",
        event="memory",
        importance=importance,
    )


def test_important_working_memories_move_on_before_their_time_is_over(parts, clock):
    kept = remember(parts, "The learner wants proofs with pictures")
    remember(parts, "Page 4 is open", importance=0.3)
    parts.housekeeping.round()
    assert parts.engine.get(kept.id, namespace=NS).kind is MemoryKind.WORKING
    clock.forward(minutes=55)
    parts.housekeeping.round()
    moved = parts.engine.get(kept.id, namespace=NS)
    assert (moved.kind, moved.created_at) == (MemoryKind.EPISODIC, kept.created_at)
    clock.forward(minutes=10)
    assert [m.id for m in parts.engine.list(namespace=NS)] == [kept.id]


def test_the_end_of_the_application_is_the_end_of_a_session(parts):
    kept = remember(parts, "The learner wants proofs with pictures")
    parts.stop()
    assert parts.engine.get(kept.id, namespace=NS).kind is MemoryKind.EPISODIC


def test_pinned_working_memories_outlast_the_session(parts, clock):
    kept = remember(parts, "Page 4 is open", importance=0.1)
    parts.engine.update(replace(kept, pinned=True), namespace=NS)
    clock.forward(hours=3)
    assert parts.engine.get(kept.id, namespace=NS).kind is MemoryKind.WORKING
    parts.stop()
    moved = parts.engine.get(kept.id, namespace=NS)
    assert (moved.kind, moved.pinned) == (MemoryKind.EPISODIC, True)


def test_what_was_unused_for_long_goes_into_the_archive_once_a_day(parts, clock):
    old = remember(parts, "潮水推动水轮", MemoryKind.SEMANTIC, importance=0.4)
    pinned = remember(parts, "Tides follow the moon", MemoryKind.SEMANTIC, importance=0.95)
    parts.housekeeping.round()
    clock.forward(days=200)
    parts.housekeeping.round()
    assert [m.id for m in parts.archive.list(namespace=NS)] == [old.id]
    assert [m.id for m in parts.engine.list(namespace=NS)] == [pinned.id]


def test_what_can_no_longer_be_undone_leaves_the_disk(parts, clock, data_dir):
    secret = remember(parts, "zebra-unmistakable-note", MemoryKind.SEMANTIC)
    parts.undo.remove([secret.id], namespace=NS)
    assert any(b"zebra-unmistakable" in f.read_bytes() for f in files(data_dir))
    clock.forward(days=31)
    parts.housekeeping.round()
    assert parts.undo.list(namespace=NS) == []
    assert not any(b"zebra-unmistakable" in f.read_bytes() for f in files(data_dir))


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]
