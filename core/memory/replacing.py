"""A newer statement about the same thing takes the place of an older one.

What contradicts what says `core.text.claims`. The older memory is not deleted: it is marked
replaced, names the newer one, and can be made current again.
"""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

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
Restored = Callable[[Sequence[Memory], str], None]
"""Gets memories that count again, and their namespace."""
_HOLDS_NOTHING_BACK = (MemoryState.REPLACED, MemoryState.OUTDATED)
"""What a memory in these states replaced does not hold again: it is older still."""


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
        on_restored: Sequence[Restored] = (),
    ) -> None:
        self._store = store
        self._working = working
        self._undo = undo
        self._on_removed = tuple(on_removed)
        self._on_restored = tuple(on_restored)
        self._read: set[str] = set()
        self._lock = threading.Lock()

    def check(self, memory: Memory, namespace: str) -> list[Memory]:
        """Return the older memories that a statement makes out of date, newest first; often `[]`.

        The memory itself may be stored already or not. Nothing is changed.
        """
        for rivals in self._rivals(memory, namespace):
            older = [m for m in rivals if _said_at(m) <= _said_at(memory) and not m.pinned]
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
                self._put(passing, namespace)
        lasting = [m for m in older if m.kind is not MemoryKind.WORKING]
        if not lasting:
            return None
        change = self._undo.record(
            ChangeKind.REPLACED, lasting, after=[memory.id], namespace=namespace
        )
        self._store.update_all(
            [m for m in marked if m.kind is not MemoryKind.WORKING], namespace=namespace
        )
        for listener in self._on_removed:
            listener([m.id for m in lasting], namespace)
        return change

    def added(self, memory: Memory, namespace: str) -> None:
        """Mark what a memory that was added, changed or said again makes out of date."""
        self.apply(memory, self.check(memory, namespace), namespace=namespace)

    def newer_than(self, memory: Memory, namespace: str, *, lasting: bool = False) -> Memory | None:
        """Return the newest statement that makes this memory out of date, None when it holds.

        For a memory that comes back (from the archive, from working memory) after it was said.
        `lasting`: what is in working memory makes no memory out of date that lasts.
        """
        if memory.pinned:
            return None
        lasting = lasting and memory.kind is not MemoryKind.WORKING
        for newer in next(self._rivals(memory, namespace), []):
            if lasting and newer.kind is MemoryKind.WORKING:
                continue
            if _said_at(newer) > _said_at(memory) and outdated(newer.content, [memory.content]):
                return newer
        return None

    def holds(self, memory: Memory, namespace: str) -> bool:
        """Tell whether a memory of the archive counts, and nothing newer that lasts denies it."""
        if memory.state is not MemoryState.CURRENT:
            return False
        return self.newer_than(memory, namespace, lasting=True) is None

    def replaced_by(self, ids: Sequence[str], *, namespace: str) -> list[Memory]:
        """Return what these memories replaced: it may hold again when they are wrong or deleted."""
        gone = set(ids)
        replaced = [
            *self._store.list(namespace=namespace, states=[MemoryState.REPLACED]),
            *self._working.list(namespace=namespace),
        ]
        return [m for m in replaced if m.state is MemoryState.REPLACED and m.replaced_by in gone]

    def let_go(self, ids: Sequence[str], namespace: str) -> None:
        """Let what these memories replaced count again; for listeners.

        To be called after they went, changed their text, or do not count any more. What another
        statement makes out of date is replaced by that one instead. One that the learner says is
        outdated, or that is replaced itself, holds nothing back.
        """
        there = self._store.many(ids, namespace=namespace)
        there += self._working.list(namespace=namespace)
        still = {m.id for m in there if m.state in _HOLDS_NOTHING_BACK}
        older = self.replaced_by([one for one in ids if one not in still], namespace=namespace)
        again: list[Memory] = []
        for memory in sorted(older, key=_said_at, reverse=True):
            current = replace(memory, state=MemoryState.CURRENT, replaced_by=None)
            newer = self.newer_than(current, namespace, lasting=True)
            if newer is None:
                self._put(current, namespace)
                again.append(current)
            elif newer.id != memory.replaced_by:
                self._put(replace(memory, replaced_by=newer.id), namespace)
        if again:
            for listener in self._on_restored:
                listener(again, namespace)

    def name_instead(self, old_id: str, new_id: str, *, namespace: str) -> None:
        """Let what one memory replaced be replaced by another one that says the same."""
        for memory in self.replaced_by([old_id], namespace=namespace):
            self._put(replace(memory, replaced_by=new_id), namespace)

    def _put(self, memory: Memory, namespace: str) -> None:
        if memory.kind is not MemoryKind.WORKING:
            self._store.update_all([memory], namespace=namespace)
            return
        with suppress(NotFoundError):  # its time is over by now
            self._working.update(memory, namespace=namespace)

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
                for m in sorted(found, key=_said_at, reverse=True)
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


def _said_at(memory: Memory) -> datetime:
    """Return when the learner said it last."""
    return max(memory.created_at, memory.seen_at or memory.created_at)


def _set_apart(one: Memory, other: Memory) -> bool:
    for key in _SET_APART:
        values = {str(m.metadata.get(key) or "").strip().casefold() for m in (one, other)}
        if len(values - _UNNAMED) > 1:
            return True
    return False
