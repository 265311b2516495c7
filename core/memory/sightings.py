"""The same text again is the same memory, seen once more."""

from dataclasses import replace

from core.domain.memory import Memory, MemoryKind
from core.memory.working import WorkingMemory
from core.ports.memory_store import MemoryStore
from core.text.same import fingerprint

_SET_APART = ("concept", "file")
"""Metadata that must be the same, too."""


class Sightings:
    """Counts them. To be used in the learner's turn (`core.memory.turns`)."""

    def __init__(self, store: MemoryStore, working: WorkingMemory) -> None:
        self._store = store
        self._working = working

    def count(self, memory: Memory, *, namespace: str) -> Memory | None:
        """Count one more sighting of the memory that says the same and return it, None without.

        The same is `core.text.same`, of the same kind and event. It gets the importance of the
        new one where that is higher. Raises `StoreError`.
        """
        at = memory.created_at
        if memory.kind is MemoryKind.WORKING:
            text = fingerprint(memory.content)
            for kept in self._working.list(namespace=namespace):
                if kept.event == memory.event and fingerprint(kept.content) == text:
                    seen = _seen(kept, memory)
                    self._working.update(seen, namespace=namespace)
                    return seen
            return None
        same = self._store.same_text(
            memory.content, kind=memory.kind, event=memory.event, namespace=namespace
        )
        if same is None or any(
            same.metadata.get(key) != memory.metadata.get(key) for key in _SET_APART
        ):
            return None
        self._store.note_sighting(same.id, at=at, importance=memory.importance, namespace=namespace)
        return _seen(same, memory)


def _seen(kept: Memory, again: Memory) -> Memory:
    return replace(
        kept,
        sightings=kept.sightings + 1,
        seen_at=again.created_at,
        importance=max(kept.importance, again.importance),
    )
