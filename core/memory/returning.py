"""What comes back, or gets another text, beside what was said meanwhile.

The same text twice becomes one memory again, and what a newer statement made out of date is
replaced by it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import ChangeKind
from core.memory.engine import EACH_TIME, OF_DOCUMENTS
from core.memory.replacing import Replacing
from core.memory.undo import Undo
from core.memory.working import WorkingMemory
from core.ports.memory_store import MemoryStore
from core.text.same import fingerprint

_SET_APART = ("concept", "file")
"""Metadata that must be the same for one text to be one memory, as when it is added."""


_Sort = tuple[MemoryKind, str]
_ByText = Mapping[str, Sequence[Memory]]


class Returning:
    """Looks after memories that came back (undone, woken) or were edited. Thread-safe.

    Every method raises `StoreError` when a store does not answer.
    """

    def __init__(
        self, *, store: MemoryStore, working: WorkingMemory, undo: Undo, replacing: Replacing
    ) -> None:
        self._store = store
        self._working = working
        self._undo = undo
        self._replacing = replacing

    def settle(self, memories: Sequence[Memory], namespace: str) -> list[Memory]:
        """Look after stored memories and return them as they are then.

        Each takes up another one with the same text (a change, `MERGED`). Then it is replaced by
        what was said later, or replaces what was said before.
        """
        with self._undo.turns.of(namespace):
            self._replacing.let_go([m.id for m in memories], namespace)
            known: dict[_Sort, _ByText] = {}
            gone: set[str] = set()
            for memory in self._now(memories, namespace):
                if memory.state is not MemoryState.CURRENT or memory.id in gone:
                    continue
                sort = (memory.kind, memory.event)
                if sort not in known:
                    known[sort] = self._by_text(*sort, namespace)
                others = known[sort].get(fingerprint(memory.content), ())
                twin = _twin(memory, [other for other in others if other.id not in gone])
                if twin is not None:
                    gone.add(twin.id)
                    memory = self._merge(memory, twin, namespace)
                self._place(memory, namespace)
            return self._now(memories, namespace)

    def twin_of(self, memory: Memory, namespace: str) -> Memory | None:
        """Return the newest other current memory that would have been this one, had it been there.

        That is one with the same text, kind and event. What is kept each time has none.
        """
        others = self._by_text(memory.kind, memory.event, namespace)
        return _twin(memory, others.get(fingerprint(memory.content), ()))

    def _by_text(self, kind: MemoryKind, event: str, namespace: str) -> _ByText:
        """Return the current memories that may be twins, newest first, by what texts share."""
        found: defaultdict[str, list[Memory]] = defaultdict(list)
        if event in EACH_TIME or event in OF_DOCUMENTS:
            return found
        if kind is MemoryKind.WORKING:
            kept = self._working.list(namespace=namespace)
        else:
            kept = self._store.list(namespace=namespace, kinds=[kind], events=[event])
        for memory in kept:
            if memory.event == event and memory.state is MemoryState.CURRENT:
                found[fingerprint(memory.content)].append(memory)
        return found

    def _merge(self, memory: Memory, twin: Memory, namespace: str) -> Memory:
        self._undo.record(ChangeKind.MERGED, [memory, twin], after=[memory.id], namespace=namespace)
        return self.take_up(memory, twin, namespace)

    def _place(self, memory: Memory, namespace: str) -> None:
        """Let what was said later replace a memory, or it what was said before."""
        newer = self._replacing.newer_than(memory, namespace, lasting=True)
        if newer is None:
            self._replacing.added(memory, namespace)
        else:
            self._replacing.apply(newer, [memory], namespace=namespace)

    def take_up(self, memory: Memory, twin: Memory, namespace: str) -> Memory:
        """Make one stored memory of two with the same text, and return it; no change is logged.

        It is seen and used as often as both, as important as the more important one, and pinned if
        one of them was.
        """
        merged = replace(
            memory,
            sightings=memory.sightings + twin.sightings,
            seen_at=max(m.seen_at or m.created_at for m in (memory, twin)),
            uses=memory.uses + twin.uses,
            used_at=max(filter(None, (memory.used_at, twin.used_at)), default=None),
            importance=max(memory.importance, twin.importance),
            pinned=memory.pinned or twin.pinned,
        )
        with self._undo.turns.of(namespace):
            if memory.kind is MemoryKind.WORKING:
                self._working.update(merged, namespace=namespace)
            else:
                self._store.exchange([merged], without=[twin.id], namespace=namespace)
            self._replacing.name_instead(twin.id, memory.id, namespace=namespace)
            self._undo.take_away([twin], namespace)
        return merged

    def _now(self, memories: Sequence[Memory], namespace: str) -> list[Memory]:
        ids = [memory.id for memory in memories]
        now: Mapping[str, Memory] = {
            m.id: m
            for m in [
                *self._store.many(ids, namespace=namespace),
                *self._working.list(namespace=namespace),
            ]
        }
        return [now[memory_id] for memory_id in ids if memory_id in now]


def _twin(memory: Memory, same_text: Sequence[Memory]) -> Memory | None:
    for other in same_text:
        if other.id != memory.id and all(
            other.metadata.get(key) == memory.metadata.get(key) for key in _SET_APART
        ):
            return other
    return None
