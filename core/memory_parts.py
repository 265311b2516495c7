"""The composition root of the memory engine: settings and stores to its parts."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core import adapters
from core.afterwards import Afterwards
from core.domain.memory import Memory, MemoryKind
from core.memory.archive import Archive
from core.memory.capacity import Capacity
from core.memory.engine import MemoryEngine
from core.memory.forgetting import Forgetting
from core.memory.undo import Undo
from core.ports.embedder import Embedder
from core.ports.memory_store import MemoryStore
from core.ports.upkeep_store import ArchiveStore
from core.ports.vector_store import VectorStore
from core.settings import Settings


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a random id."""
    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryParts:
    """The parts of the memory engine, shared by all learners. Making them opens nothing."""

    engine: MemoryEngine
    records: MemoryStore
    vectors: VectorStore
    archived: ArchiveStore
    archive: Archive
    undo: Undo
    forgetting: Forgetting
    afterwards: Afterwards

    def ensure_ready(self) -> None:
        """Open the stores. Raises `StoreError`."""
        self.vectors.ensure_ready()
        self.undo.expire_of_all()

    def stop(self) -> None:
        """Finish what is under way, before the stores are closed."""
        self.afterwards.close()

    def close(self) -> None:
        """Release the stores. They open again at the next use."""
        self.vectors.close()
        self.records.close()


def memory_parts(
    settings: Settings,
    database: Any,
    embedder: Embedder,
    *,
    clock: Callable[[], datetime] = utc_now,
) -> MemoryParts:
    """Wire the memory engine on a database of records. Opens nothing."""
    records = adapters.load(adapters.MEMORY_STORE)(database)
    vectors = adapters.make_vector_store(settings, embedder, "memories")
    engine = MemoryEngine(
        store=records,
        vectors=vectors,
        embedder=embedder,
        clock=clock,
        new_id=new_id,
        working_capacity=settings.working_memory_capacity,
        working_ttl_minutes=settings.working_memory_ttl,
    )
    archived = adapters.load(adapters.ARCHIVE_STORE)(database)
    archive = Archive(archived=archived, store=records, durable=engine.durable, clock=clock)
    capacity = Capacity(
        capacities=_capacities(settings), store=records, archive=archive, clock=clock
    )
    engine.subscribe(
        added=[lambda memory, namespace: _room(capacity, memory, namespace)],
    )
    undo = Undo(
        changes=adapters.load(adapters.CHANGE_LOG)(database),
        store=records,
        vectors=vectors,
        durable=engine.durable,
        working=engine.working,
        clock=clock,
        new_id=new_id,
    )
    forgetting = Forgetting(
        undo=undo,
        store=records,
        working=engine.working,
        capacities=_capacities(settings),
        clock=clock,
    )
    return MemoryParts(
        engine=engine,
        records=records,
        vectors=vectors,
        archived=archived,
        archive=archive,
        undo=undo,
        forgetting=forgetting,
        afterwards=Afterwards("memory"),
    )


def _room(capacity: Capacity, memory: Memory, namespace: str) -> None:
    if memory.kind is not MemoryKind.WORKING:  # that one makes room itself
        capacity.note_added(memory.kind, namespace=namespace)


def _capacities(settings: Settings) -> dict[MemoryKind, int]:
    return {
        MemoryKind.WORKING: settings.working_memory_capacity,
        MemoryKind.EPISODIC: settings.episodic_memory_capacity,
        MemoryKind.SEMANTIC: settings.semantic_memory_capacity,
        MemoryKind.PERCEPTUAL: settings.perceptual_memory_capacity,
    }
