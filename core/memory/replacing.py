"""A newer statement about the same thing takes the place of an older one.

What contradicts what says `core.text.claims`. The older memory is not deleted: it is marked
replaced, names the newer one, and can be made current again.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import Change, ChangeKind
from core.errors import NotFoundError
from core.memory.query import (
    DOCUMENT_LOADED,
    FIGURE,
    PASSAGE,
    PERCEIVED,
    QA_INTERACTION,
    QUESTION,
)
from core.memory.undo import Undo
from core.memory.working import WorkingMemory
from core.ports.memory_store import MemoryStore
from core.text.claims import claim_keys, keys_of_rivals, outdated

MOST_COMPARED = 20
"""So many of the newest memories that may be about the same are compared."""
STATE_NOTHING = frozenset({QUESTION, QA_INTERACTION, DOCUMENT_LOADED, FIGURE, PERCEIVED, PASSAGE})
"""Events that happened, or whose text is a document's: no later one makes them untrue."""
_STATEMENTS = (MemoryKind.WORKING, MemoryKind.EPISODIC, MemoryKind.SEMANTIC)
_SET_APART = ("concept", "document_id", "speaker")
"""Metadata that must not differ: the deadline of one project is not that of another."""
_UNNAMED = frozenset({"", "general"})

Removed = Callable[[Sequence[str], str], None]
"""Gets the ids of memories that do not count any more, and their namespace."""


class Replacing:
    """Finds and marks what a newer statement makes out of date. Thread-safe.

    Only current memories that are statements and are not pinned can be replaced; one that lasts,
    only by one that lasts, or nothing would be left when the newer one leaves working memory. Every
    method raises `StoreError` when a store does not answer.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        working: WorkingMemory,
        undo: Undo,
        on_removed: Sequence[Removed] = (),
    ) -> None:
        self._store = store
        self._working = working
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
        """Mark `older` as replaced by a memory that is stored; one change, None without any.

        What is in working memory is marked without a change: what is gone within the hour is not
        written to the disk.
        """
        marked = [replace(m, state=MemoryState.REPLACED, replaced_by=memory.id) for m in older]
        for passing in marked:
            if passing.kind is MemoryKind.WORKING:
                with suppress(NotFoundError):  # its time is over by now
                    self._working.update(passing, namespace=namespace)
        lasting = [m for m in older if m.kind is not MemoryKind.WORKING]
        if not lasting:
            return None
        change = self._undo.record(
            ChangeKind.REPLACED, lasting, after=[memory.id], namespace=namespace
        )
        self._store.add_all(
            [m for m in marked if m.kind is not MemoryKind.WORKING], namespace=namespace
        )
        for listener in self._on_removed:
            listener([m.id for m in lasting], namespace)
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
            found = self._passing(keys, namespace)
            if memory.kind is not MemoryKind.WORKING:
                found += self._lasting(keys, namespace)
            yield [
                m
                for m in sorted(found, key=lambda m: m.created_at, reverse=True)
                if m.id != memory.id and _is_statement(m) and not _set_apart(memory, m)
            ]

    def _passing(self, keys: Sequence[str], namespace: str) -> list[Memory]:
        return [
            m
            for m in self._working.list(namespace=namespace)
            if m.state is MemoryState.CURRENT and not set(keys).isdisjoint(claim_keys(m.content))
        ]

    def _lasting(self, keys: Sequence[str], namespace: str) -> list[Memory]:
        self._read_once(namespace)
        ids = self._store.statements.about(keys, namespace=namespace, limit=MOST_COMPARED)
        return self._store.many(ids, namespace=namespace) if ids else []

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
