"""Everywhere that something of a learner is kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.memory import Memory
from core.files import LearnerFiles
from core.memory.turns import Turns
from core.memory.working import WorkingMemory
from core.ports.collections import Collections
from core.ports.erasure_store import ErasureStore
from core.ports.graph_store import GraphStore
from core.ports.history_store import HistoryStore
from core.ports.jobs import JobQueue
from core.ports.memory_store import MemoryStore
from core.ports.upkeep_store import ArchiveStore, ChangeLog
from core.ports.vector_store import VectorStore
from core.rag.indexes import Indexes
from core.rag.library import Library
from core.text.same import fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Everywhere that something of a learner is kept.

    `vectors` are all collections in use, `collections` finds those that former embedders left.
    `folders` are searched whole: the data folder first, then where logs and backups are kept, if
    any. `on_removed` is told the ids of memories that went and their namespace; then `on_let_go` is
    told the namespace, so that files only they had can go.
    `settle` waits for what is learnt in the background, which could write something anew. `turns`
    are those of the memory engine.
    """

    records: ErasureStore
    memories: MemoryStore
    archived: ArchiveStore
    changes: ChangeLog
    history: HistoryStore
    working: WorkingMemory
    graph: GraphStore | None
    vectors: Sequence[VectorStore]
    collections: Collections
    indexes: Indexes
    library: Library
    jobs: JobQueue
    files: LearnerFiles
    folders: Sequence[Path]
    on_removed: Sequence[Callable[[Sequence[str], str], object]] = ()
    on_let_go: Sequence[Callable[[str], object]] = ()
    settle: Callable[[], object] = lambda: None
    turns: Turns = field(default_factory=Turns)

    def kept(self, namespace: str) -> list[Memory]:
        """Return the memories there are, archived ones too."""
        return [
            *self.working.list(namespace=namespace),
            *self.memories.list(namespace=namespace),
            *self.archived.list(namespace=namespace),
        ]

    def everywhere(self, namespace: str) -> list[Memory]:
        """Return the memories of all places, one that is in several as often."""
        changed = self.changes.list(namespace=namespace)
        logged = (memory for change in changed for memory in change.before)
        return [*self.kept(namespace), *logged]

    def logged_with_text_of(self, memories: Sequence[Memory], namespace: str) -> list[str]:
        """Return the ids of others that can be undone to a text of these and do not have it now."""
        texts = {fingerprint(m.content) for m in memories}
        but = {m.id for m in memories}
        but |= {m.id for m in self.kept(namespace) if fingerprint(m.content) in texts}
        logged = [
            memory.id
            for change in self.changes.list(namespace=namespace)
            for memory in change.before
            if fingerprint(memory.content) in texts
        ]
        return [memory_id for memory_id in dict.fromkeys(logged) if memory_id not in but]
