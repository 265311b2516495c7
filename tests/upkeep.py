"""The parts of forgetting, archive and undo on their real stores, as the application wires them."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from core.domain.memory import Memory, MemoryKind
from core.memory.archive import Archive
from core.memory.durable import DurableMemory, EpisodicMemory, SemanticMemory
from core.memory.forgetting import Forgetting
from core.memory.perceptual import PerceptualMemory
from core.memory.undo import Undo
from core.memory.working import WorkingMemory
from core.stores.archive import SqlArchiveStore
from core.stores.changes import SqlChangeLog
from core.stores.database import Database, open_database
from core.stores.memories import SqlMemoryStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.fakes import MONDAY, Clock, IdCounter, WordEmbedder

NS, OTHER_NS = "pdf_ada", "pdf_bob"
EPISODIC, SEMANTIC, WORKING = MemoryKind.EPISODIC, MemoryKind.SEMANTIC, MemoryKind.WORKING
DURABLE = (EpisodicMemory, SemanticMemory, PerceptualMemory)
WRITES = frozenset(
    {
        *("add", "add_all", "delete", "delete_all", "upsert", "put", "take", "remove", "exchange"),
        *(
            "remove_memory",
            "update_all",
            "remove_memories",
            "remove_source",
            "clear",
            "erase",
            "forget_memory",
            "purge",
            "erase_document",
        ),
    }
)


class Fuse:
    """Kills the process with SIGKILL before the write with this number (from 1), of all stores."""

    def __init__(self, at: int = 0) -> None:
        self._at = at
        self.writes = 0

    def count(self) -> None:
        self.writes += 1
        if self.writes == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


class Fused:
    """A store behind a fuse."""

    def __init__(self, inner: Any, fuse: Fuse) -> None:
        self._inner = inner
        self._fuse = fuse

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._inner, name)
        if name not in WRITES:
            return method

        def counted(*args: Any, **kwargs: Any) -> Any:
            self._fuse.count()
            return method(*args, **kwargs)

        return counted


@dataclass(frozen=True, kw_only=True)
class Parts:
    clock: Clock
    new_id: IdCounter
    embedder: WordEmbedder
    database: Database
    store: Any
    vectors: Any
    archived: Any
    changes: Any
    working: WorkingMemory
    durable: Mapping[MemoryKind, DurableMemory]
    undo: Undo
    forgetting: Forgetting
    archive: Archive
    removed: list[str]
    restored: list[str]

    def add(self, *memories: Memory, namespace: str = NS) -> None:
        for made in memories:
            kept = self.working if made.kind is WORKING else self.durable[made.kind]
            kept.add(made, namespace=namespace)

    def ids(self, namespace: str = NS) -> set[str]:
        stored = self.store.list(namespace=namespace)
        return {m.id for m in [*stored, *self.working.list(namespace=namespace)]}

    def found(self, word: str, namespace: str = NS) -> set[str]:
        """The ids that have a vector near the word and a record."""
        vector = self.embedder.embed_query(word)
        near: set[str] = set()
        for durable in self.durable.values():
            cosines = durable.similar(vector, namespace=namespace, limit=50)
            near |= {memory_id for memory_id, cosine in cosines.items() if cosine > 0.3}
        return {m.id for m in self.store.many(sorted(near), namespace=namespace)}

    def points(self, namespace: str = NS) -> int:
        return int(self.vectors.count(namespace=namespace, where={}))

    def close(self) -> None:
        self.database.close()
        self.vectors.close()


def open_parts(
    folder: Path,
    *,
    clock: Clock | None = None,
    fuse: Fuse | None = None,
    capacities: Mapping[MemoryKind, int] | None = None,
    url: str | None = None,
    first_id: int = 0,
) -> Parts:
    clock, fuse = clock or Clock(), fuse or Fuse()
    embedder = WordEmbedder(dimension=256)
    new_id = IdCounter()
    for _ in range(first_id):
        new_id()
    database = open_database(url, folder)
    store: Any = Fused(SqlMemoryStore(database), fuse)
    archived: Any = Fused(SqlArchiveStore(database), fuse)
    changes: Any = Fused(SqlChangeLog(database), fuse)
    vectors: Any = Fused(
        QdrantEdgeStore(
            folder / "vectors" / "pdf_memories",
            dimension=embedder.dimension,
            embedder=embedder.name,
        ),
        fuse,
    )
    working = WorkingMemory(capacity=50, ttl_minutes=60, clock=clock)
    stores = {"store": store, "vectors": vectors}
    durable = {made.kind: made(**stores, embedder=embedder) for made in DURABLE}
    removed: list[str] = []
    restored: list[str] = []
    archive = Archive(archived=archived, store=store, durable=durable, clock=clock)
    undo = Undo(
        changes=changes,
        **stores,
        durable=durable,
        working=working,
        clock=clock,
        new_id=new_id,
        on_removed=[lambda ids, _: removed.extend(ids)],
        on_restored=[
            archive.restored,
            lambda memories, _: restored.extend(m.id for m in memories),
        ],
    )
    return Parts(
        clock=clock,
        new_id=new_id,
        embedder=embedder,
        database=database,
        **stores,
        archived=archived,
        changes=changes,
        working=working,
        durable=durable,
        undo=undo,
        forgetting=Forgetting(
            undo=undo, store=store, working=working, capacities=capacities or {}, clock=clock
        ),
        archive=archive,
        removed=removed,
        restored=restored,
    )


def made(
    memory_id: str,
    content: str = "",
    *,
    days: float = 0,
    kind: MemoryKind = SEMANTIC,
    importance: float = 0.5,
    **fields: Any,
) -> Memory:
    """A memory made `days` before Monday."""
    plain = Memory(
        id=memory_id,
        kind=kind,
        content=content or f"word{memory_id}",
        importance=importance,
        created_at=MONDAY - timedelta(days=days),
        session_id="s1",
        event="note",
        metadata={"concept": "概念"},
    )
    return replace(plain, **fields)
