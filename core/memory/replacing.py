"""A newer statement about the same thing takes the place of an older one.

What contradicts what says `core.text.claims`. The older memory is not deleted: it is marked
replaced, names the newer one, and can be made current again.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import Change, ChangeKind
from core.memory.query import (
    DOCUMENT_LOADED,
    FIGURE,
    PASSAGE,
    PERCEIVED,
    QA_INTERACTION,
    QUESTION,
)
from core.memory.undo import Undo
from core.ports.memory_store import MemoryStore
from core.text.claims import keys_of_rivals, outdated

MOST_COMPARED = 20
"""So many of the newest memories that may be about the same are compared."""
STATE_NOTHING = frozenset({QUESTION, QA_INTERACTION, DOCUMENT_LOADED, FIGURE, PERCEIVED, PASSAGE})
"""Events that happened, or whose text is a document's: no later one makes them untrue."""
_STATEMENTS = (MemoryKind.EPISODIC, MemoryKind.SEMANTIC)
_SET_APART = ("concept", "document_id", "speaker")
"""Metadata that must not differ: the deadline of one project is not that of another."""
_UNNAMED = frozenset({"", "general"})

Removed = Callable[[Sequence[str], str], None]
"""Gets the ids of memories that do not count any more, and their namespace."""


class Replacing:
    """Finds and marks what a newer statement makes out of date. Thread-safe.

    Only current memories that last, are statements and are not pinned can be replaced. Every method
    raises `StoreError` when a store does not answer.
    """

    def __init__(
        self, *, store: MemoryStore, undo: Undo, on_removed: Sequence[Removed] = ()
    ) -> None:
        self._store = store
        self._undo = undo
        self._on_removed = tuple(on_removed)
        self._read: set[str] = set()
        self._lock = threading.Lock()

    def check(self, memory: Memory, namespace: str) -> list[Memory]:
        """Return the older memories that a statement makes out of date, newest first; often `[]`.

        The memory itself may be stored already or not. Nothing is changed.
        """
        for rivals in self._rivals(memory, namespace):
            older = [m for m in rivals if m.created_at <= memory.created_at and not m.pinned]
            if found := outdated(memory.content, [m.content for m in older]):
                return [older[number] for number in found]
        return []

    def apply(self, memory: Memory, older: Sequence[Memory], *, namespace: str) -> Change | None:
        """Mark `older` as replaced by a memory that is stored; one change, None without any."""
        if not older:
            return None
        change = self._undo.record(
            ChangeKind.REPLACED, older, after=[memory.id], namespace=namespace
        )
        self._store.add_all(
            [replace(m, state=MemoryState.REPLACED, replaced_by=memory.id) for m in older],
            namespace=namespace,
        )
        for listener in self._on_removed:
            listener([m.id for m in older], namespace)
        return change

    def added(self, memory: Memory, namespace: str) -> None:
        """Mark what a memory that was added or changed makes out of date: for listeners."""
        self.apply(memory, self.check(memory, namespace), namespace=namespace)

    def newer_than(self, memory: Memory, namespace: str) -> Memory | None:
        """Return the newest statement that makes this memory out of date, None when it holds.

        For a memory that comes back (from the archive, from working memory) after it was said.
        """
        if memory.pinned:
            return None
        for newer in next(self._rivals(memory, namespace), []):
            if newer.created_at > memory.created_at and outdated(newer.content, [memory.content]):
                return newer
        return None

    def replaced_by(self, ids: Sequence[str], *, namespace: str) -> list[Memory]:
        """Return what these memories replaced: it may hold again when they are wrong or deleted."""
        gone = set(ids)
        replaced = self._store.list(namespace=namespace, states=[MemoryState.REPLACED])
        return [memory for memory in replaced if memory.replaced_by in gone]

    def _rivals(self, memory: Memory, namespace: str) -> Iterator[list[Memory]]:
        """Yield the current memories about the very same thing, then those it may mean."""
        if not _is_statement(memory):
            return
        for keys in keys_of_rivals(memory.content):
            if not keys:
                continue
            self._read_once(namespace)
            ids = self._store.statements.about(keys, namespace=namespace, limit=MOST_COMPARED)
            found = self._store.many(ids, namespace=namespace) if ids else []
            yield [
                m
                for m in found
                if m.id != memory.id and _is_statement(m) and not _set_apart(memory, m)
            ]

    def _read_once(self, namespace: str) -> None:
        with self._lock:
            if namespace not in self._read:
                self._store.statements.ensure(namespace=namespace)
                self._read.add(namespace)


def _is_statement(memory: Memory) -> bool:
    return memory.kind in _STATEMENTS and memory.event not in STATE_NOTHING


def _set_apart(one: Memory, other: Memory) -> bool:
    for key in _SET_APART:
        values = {str(m.metadata.get(key) or "").strip().casefold() for m in (one, other)}
        if len(values - _UNNAMED) > 1:
            return True
    return False
