"""What was done to memories can be undone for a while.

A change is logged before it is done and leaves the log after it was undone, so a crash in between
leaves all memories as they were or all as they were meant to be, and the log tells which: a change
whose memories are all still (or again) as before has not been done, and is left out.
"""

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from core.domain.memory import Memory, MemoryKind
from core.domain.upkeep import Change, ChangeKind
from core.errors import InvalidInputError, NotFoundError
from core.memory.durable import DurableMemory
from core.memory.turns import Turns
from core.memory.working import WorkingMemory
from core.ports.memory_store import MemoryStore
from core.ports.upkeep_store import ChangeLog
from core.ports.vector_store import VectorStore

UNDO_DAYS = 30
"""How long a change can be undone; then it is removed from the disk."""

_TAKES_AWAY = (ChangeKind.FORGOTTEN, ChangeKind.DELETED)
_MADE_NEW = (ChangeKind.EDITED, ChangeKind.CONSOLIDATED, ChangeKind.MERGED)
"""What these made (`Change.after`) goes when they are undone; a replacing statement stays."""
_AS_WANTED = (ChangeKind.REPLACED, ChangeKind.MERGED)
"""Who undoes these wants both memories side by side."""

Restored = Callable[[Sequence[Memory], str], None]
"""Gets memories that are there again, and their namespace: the graph reads them anew."""
Removed = Callable[[Sequence[str], str], None]
"""Gets the ids of memories that are gone, and their namespace: the graph forgets them."""
Settle = Callable[[Sequence[Memory], str], Sequence[Memory]]
"""Gets memories that are back, and their namespace; returns them as they are beside the others."""
LetGo = Callable[[str], object]
"""Gets a namespace whose log may have let go of memories: files that only they had can go."""


class Undo:
    """Takes memories away so that they can come back, and brings them back. Thread-safe.

    `vectors` and `store` are those of the `durable` memories. `on_restored` and `on_removed` may
    be told the same twice; then `settle` sees to what was said meanwhile. `turns` are those of the
    memory engine; without them, its own.
    """

    def __init__(
        self,
        *,
        changes: ChangeLog,
        store: MemoryStore,
        vectors: VectorStore,
        durable: Mapping[MemoryKind, DurableMemory],
        working: WorkingMemory,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        turns: Turns | None = None,
        on_restored: Sequence[Restored] = (),
        on_removed: Sequence[Removed] = (),
        on_let_go: Sequence[LetGo] = (),
        settle: Settle = lambda memories, _: memories,
    ) -> None:
        self._changes = changes
        self._store = store
        self._vectors = vectors
        self._durable = durable
        self._working = working
        self._clock = clock
        self._new_id = new_id
        self._on_restored = tuple(on_restored)
        self._on_removed = tuple(on_removed)
        self._on_let_go = tuple(on_let_go)
        self._settle = settle
        self.turns = turns or Turns()
        self._recovered: set[str] = set()

    def record(
        self,
        kind: ChangeKind,
        before: Sequence[Memory],
        *,
        after: Sequence[str] = (),
        detail: str = "",
        namespace: str,
    ) -> Change:
        """Log a change that is about to be done, and return it. Raises `StoreError`.

        `before` are the memories as they are now, `after` the ids of those the change makes. Log
        first and change then: see above.
        """
        now = self._clock()
        change = Change(
            id=self._new_id(),
            kind=kind,
            at=now,
            expires_at=now + timedelta(days=UNDO_DAYS),
            before=tuple(before),
            after=tuple(after),
            detail=detail,
        )
        self._changes.add(change, namespace=namespace)
        return change

    def remove(
        self,
        ids: Sequence[str],
        *,
        kind: ChangeKind = ChangeKind.FORGOTTEN,
        detail: str = "",
        namespace: str,
    ) -> Change | None:
        """Move memories into the log as one change, all or none, and return it.

        Ids that are not there are left out; None when none is there. Raises `StoreError`.
        """
        self.recover(namespace)
        with self.turns.of(namespace):
            working = {m.id: m for m in self._working.list(namespace=namespace)}
            stored = {m.id: m for m in self._store.many(ids, namespace=namespace)}
            found = stored | working
            before = [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]
            if not before:
                return None
            change = self.record(kind, before, detail=detail, namespace=namespace)
            self.take_away(before, namespace)
        return change

    def take_away(self, memories: Sequence[Memory], namespace: str) -> None:
        """Remove memories everywhere but from the log: for what is logged already.

        The records first and in one step: without its record no vector is found. Raises
        `StoreError`.
        """
        ids = [memory.id for memory in memories]
        for memory in self._working.list(namespace=namespace):
            if memory.id in ids:
                self._working.delete(memory.id, namespace=namespace)
        self._store.delete_all(ids, namespace=namespace)
        for kind, durable in self._durable.items():
            of_kind = [memory.id for memory in memories if memory.kind is kind]
            durable.delete_all(of_kind, namespace=namespace)
        for listener in self._on_removed:
            listener(ids, namespace)

    def list(self, *, namespace: str) -> builtins.list[Change]:
        """Return what can be undone now, the last change first. Raises `StoreError`."""
        self.recover(namespace)
        return [c for c in self._changes.list(namespace=namespace) if self._is_done(c, namespace)]

    def undo(self, change_id: str, *, namespace: str) -> builtins.list[Memory]:
        """Bring the memories of a change back as they were, all or none, and return them.

        Their ids, times, metadata and uses are the same, and they are found again. Of an edit the
        text, the importance and the metadata come back, of a replacement that the older counts;
        whether they are pinned stays. What the change made goes (of a replacement the newer
        statement stays). What was said meanwhile may replace them. A memory whose time in working
        memory is over by now is left out.

        Raises `NotFoundError` when there is no such change (any more), `InvalidInputError` when a
        later change of the same memories must be undone first, `ModelError` and `StoreError`.
        """
        with self.turns.of(namespace):
            done = self.list(namespace=namespace)
            change = next((c for c in done if c.id == change_id), None)
            if change is None:
                raise NotFoundError("This change is not there (any more).")
            _check_order(change, done)
            restored = self._restore(change, namespace)
            self._changes.remove([change_id], namespace=namespace)
        for listener in self._on_restored:
            listener(restored, namespace)
        if change.kind in _AS_WANTED:
            return restored
        return [*self._settle(restored, namespace)]

    def expire_of_all(self) -> int:
        """Remove the changes of ALL users that are over their time, on disk too; return how many.

        To be called at the start; what is over its time is not listed in between either.
        """
        return self._changes.expire_of_all(self._clock())

    def recover(self, namespace: str) -> None:
        """End what a crash interrupted; does so once for each learner, and expires each time.

        Memories that were taken away may have left vectors; those that were not lose a log entry
        that would be in the way, and get their vectors again.
        """
        with self.turns.of(namespace):
            expired = self.expire_of_all()
            if expired or namespace not in self._recovered:
                for listener in self._on_let_go:
                    listener(namespace)
            if namespace in self._recovered:
                return
            for change in self._changes.list(namespace=namespace):
                if change.kind not in _TAKES_AWAY:
                    continue
                if self._is_done(change, namespace):
                    there = {m.id for m in self._there(change, namespace)}
                    gone = [m for m in change.before if m.id not in there]
                    self.take_away(gone, namespace)
                else:
                    self._embed_missing(change.before, namespace)
                    self._changes.remove([change.id], namespace=namespace)
            self._recovered.add(namespace)

    def _restore(self, change: Change, namespace: str) -> builtins.list[Memory]:
        now = {m.id: m for m in self._there(change, namespace)}
        wanted = [_as_before(now.get(m.id), m, change.kind) for m in change.before]
        working = [m for m in wanted if m.kind is MemoryKind.WORKING]
        durable = [m for m in wanted if m.kind is not MemoryKind.WORKING]
        for memory in durable:
            if memory.id in now and now[memory.id].content != memory.content:
                self._vectors.delete(namespace=namespace, where={"memory_id": memory.id})
        self._embed_missing(durable, namespace)
        self._store.add_all(durable, namespace=namespace)
        kept = self._into_working(working, namespace)
        self._remove_made(change, now, {m.id for m in kept}, namespace)
        return [*durable, *kept]

    def _remove_made(
        self, change: Change, now: Mapping[str, Memory], working: set[str], namespace: str
    ) -> None:
        """Remove what a change made, and the durable form of what is in working memory again."""
        gone = [now[i] for i in working & now.keys() if now[i].kind is not MemoryKind.WORKING]
        if change.kind in _MADE_NEW:
            old = {m.id for m in change.before}
            gone += [now[made] for made in change.after if made not in old and made in now]
        if gone:
            ids = [memory.id for memory in gone]
            self._store.delete_all(ids, namespace=namespace)
            for memory in gone:
                self._durable[memory.kind].delete_all([memory.id], namespace=namespace)
            for listener in self._on_removed:
                listener(ids, namespace)

    def _into_working(self, memories: Sequence[Memory], namespace: str) -> builtins.list[Memory]:
        """Put memories back into working memory; return those whose time there is not over."""
        present = {m.id for m in self._working.list(namespace=namespace)}
        for memory in memories:
            if memory.id in present:
                self._working.delete(memory.id, namespace=namespace)
            self._working.add(memory, namespace=namespace)
        there = {m.id for m in self._working.list(namespace=namespace)}
        return [m for m in memories if m.id in there]

    def _embed_missing(self, memories: Sequence[Memory], namespace: str) -> None:
        for kind, durable in self._durable.items():
            durable.embed_missing([m for m in memories if m.kind is kind], namespace=namespace)

    def _there(self, change: Change, namespace: str) -> builtins.list[Memory]:
        """Return those of a change's memories that there are, as they are now."""
        ids = {m.id for m in change.before} | set(change.after)
        working = [m for m in self._working.list(namespace=namespace) if m.id in ids]
        return [*self._store.many(sorted(ids), namespace=namespace), *working]

    def _is_done(self, change: Change, namespace: str) -> bool:
        """Tell whether a change was done: not all memories are as they were before it."""
        now = {m.id: m for m in self._there(change, namespace)}
        made = set(_made(change)) - {m.id for m in change.before}
        return bool(made & now.keys()) or any(
            m.id not in now or _as_before(now[m.id], m, change.kind) != now[m.id]
            for m in change.before
        )


def _as_before(now: Memory | None, before: Memory, kind: ChangeKind) -> Memory:
    """Return a memory as it was, but used and seen as often as it is now.

    What the change did not touch (the state and the pin of an edited memory) is as it is now too.
    """
    if now is None:
        return before
    if kind is ChangeKind.EDITED:
        return replace(
            now, content=before.content, importance=before.importance, metadata=before.metadata
        )
    if kind is ChangeKind.REPLACED:
        return replace(now, state=before.state, replaced_by=before.replaced_by)
    return replace(
        before,
        uses=now.uses,
        used_at=now.used_at,
        sightings=now.sightings,
        seen_at=now.seen_at,
    )


def _made(change: Change) -> tuple[str, ...]:
    """Return the ids of what a change made; the statement that replaces others was there."""
    return () if change.kind is ChangeKind.REPLACED else change.after


def _check_order(change: Change, done: Sequence[Change]) -> None:
    touched = {m.id for m in change.before} | set(_made(change))
    for later in done[: [c.id for c in done].index(change.id)]:
        if touched & ({m.id for m in later.before} | set(_made(later))):
            raise InvalidInputError(
                "These memories were changed again since.",
                remedy="Undo the later change first.",
            )
