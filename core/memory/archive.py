"""The archive: memories nobody asked for in a long time, compressed and out of every index.

They cost little there, are found by a second search when the first finds little, and come back when
they are used. What they say in the knowledge graph stays in the graph.

A memory is put into the archive before it leaves the records, and into the records before it leaves
the archive: a crash in between leaves it in both, and then the records count.
"""

import builtins
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

from core.domain.memory import Memory, MemoryHit, MemoryKind, MemoryState
from core.errors import InvalidInputError
from core.memory.durable import DurableMemory
from core.memory.lexical import overlaps
from core.memory.recall import MIN_OVERLAP
from core.memory.turns import Turns
from core.ports.memory_store import MemoryStore
from core.ports.upkeep_store import ArchiveStore
from core.scoring import recall_score
from core.text.letters import letters

DAY = timedelta(days=1)

Holds = Callable[[Memory, str], bool]
"""Tells of an archived memory of a namespace whether it counts."""


@dataclass(frozen=True, slots=True)
class ArchiveRules:
    """When a memory has been unused for long.

    `idle_days` since it was last made, seen or used, longer by as much again for each
    `uses_per_stay` uses and sightings; `important` ones never go by this rule.
    """

    idle_days: float = 180.0
    uses_per_stay: float = 5.0
    important: float = 0.9


RULES = ArchiveRules()


def is_unused(memory: Memory, *, now: datetime, rules: ArchiveRules = RULES) -> bool:
    """Tell whether a memory is to be archived. Pinned and important ones never are."""
    if memory.pinned or memory.importance >= rules.important:
        return False
    accesses = memory.uses + memory.sightings - 1
    limit = rules.idle_days * (1 + accesses / rules.uses_per_stay)
    return (now - memory.last_at) / DAY > limit


class Archive:
    """Moves durable memories of any learner into cold storage and back. Thread-safe.

    `store` is that of the `durable` memories, `turns` are those of the engine; without them, its
    own. `holds` leaves out of a search what a newer statement made out of date meanwhile; without
    it, what is not current.
    """

    def __init__(
        self,
        *,
        archived: ArchiveStore,
        store: MemoryStore,
        durable: Mapping[MemoryKind, DurableMemory],
        clock: Callable[[], datetime],
        rules: ArchiveRules = RULES,
        turns: Turns | None = None,
        holds: Holds | None = None,
    ) -> None:
        self._archived = archived
        self._store = store
        self._durable = durable
        self._clock = clock
        self._rules = rules
        self._turns = turns or Turns()
        self._holds = holds or (lambda memory, _: memory.state is MemoryState.CURRENT)
        self._recovered: set[str] = set()

    def run(self, *, namespace: str) -> list[Memory]:
        """Archive what has been unused for long, and return it. Raises `StoreError`."""
        return self.put(self.unused(namespace=namespace), namespace=namespace)

    def unused(self, *, namespace: str) -> builtins.list[Memory]:
        """Return what has been unused for long and is not archived. Raises `StoreError`."""
        now = self._clock()
        return [
            memory
            for memory in self._store.list(namespace=namespace, kinds=list(self._durable))
            if is_unused(memory, now=now, rules=self._rules)
        ]

    def put(self, memories: Sequence[Memory], *, namespace: str) -> list[Memory]:
        """Archive these durable memories, pinned ones left out, and return what went.

        Raises `StoreError`; then either all of them or none are found as before.
        """
        self.recover(namespace)
        with self._turns.of(namespace):
            there = self._store.many([m.id for m in memories], namespace=namespace)
            going = [memory for memory in there if not memory.pinned]
            if going:
                self._archived.put(going, at=self._clock(), namespace=namespace)
                self._store.delete_all([m.id for m in going], namespace=namespace)
                self._delete_vectors(going, namespace)
        return going

    def list(self, *, namespace: str) -> builtins.list[Memory]:
        """Return what is archived, newest first. Raises `StoreError`."""
        self.recover(namespace)
        return self._archived.list(namespace=namespace)

    def count(self, *, namespace: str) -> int:
        """Return how many are archived. Raises `StoreError`."""
        self.recover(namespace)
        return self._archived.count(namespace=namespace)

    def second_chance(
        self, query: str, *, namespace: str, limit: int = 5
    ) -> builtins.list[MemoryHit]:
        """Return archived memories that share words with the query, best first.

        For when the first search finds little. At least two fifths of the query's terms, weighted
        by rarity, must stand in a memory. `relevance` is their share. What does not count (any
        more) is left out. Nothing comes back to the records before `wake`. Raises
        `InvalidInputError` for a query without letters, `StoreError`.
        """
        if not letters(query):
            raise InvalidInputError("There is nothing to recall: the question is empty.")
        now = self._clock()
        memories = self.list(namespace=namespace)
        hits = [
            MemoryHit(
                memory=memory,
                score=recall_score(overlap, (now - memory.created_at) / DAY, memory.importance),
                relevance=overlap,
                archived=True,
            )
            for memory, overlap in zip(
                memories, overlaps(query, [m.content for m in memories]), strict=True
            )
            if overlap >= MIN_OVERLAP
        ]
        hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
        counting = (hit for hit in hits if self._holds(hit.memory, namespace))
        return builtins.list(islice(counting, limit))

    def wake(self, ids: Sequence[str], *, namespace: str) -> builtins.list[Memory]:
        """Bring archived memories back because they are used, and return them as they are now.

        Each is used once more, now. Ids that are not in the archive are left out, so waking twice
        changes nothing. Raises `ModelError` and `StoreError`; then it may be repeated.
        """
        self.recover(namespace)
        with self._turns.of(namespace):
            wanted = set(ids)
            found = [m for m in self._archived.list(namespace=namespace) if m.id in wanted]
            if not found:
                return []
            now = self._clock()
            awake = [replace(m, uses=m.uses + 1, used_at=now) for m in found]
            for kind, durable in self._durable.items():
                durable.embed_missing([m for m in awake if m.kind is kind], namespace=namespace)
            self._store.add_all(awake, namespace=namespace)
            self._archived.take([m.id for m in awake], namespace=namespace)
        return awake

    def restored(self, memories: Sequence[Memory], namespace: str) -> None:
        """Take memories that an undo brought back to the records out of the archive."""
        with self._turns.of(namespace):
            self._archived.take([m.id for m in memories], namespace=namespace)

    def recover(self, namespace: str) -> None:
        """End what a crash interrupted, once for each learner: what is in both counts as awake."""
        with self._turns.of(namespace):
            if namespace in self._recovered:
                return
            archived = self._archived.list(namespace=namespace)
            both = self._store.many([m.id for m in archived], namespace=namespace)
            for kind, durable in self._durable.items():
                durable.embed_missing([m for m in both if m.kind is kind], namespace=namespace)
            awake = {m.id for m in both}
            self._delete_vectors([m for m in archived if m.id not in awake], namespace)
            self._archived.take(sorted(awake), namespace=namespace)
            self._recovered.add(namespace)

    def _delete_vectors(self, gone: Sequence[Memory], namespace: str) -> None:
        """Delete the vectors of memories that have no record (any more)."""
        for kind, durable in self._durable.items():
            durable.delete_all([m.id for m in gone if m.kind is kind], namespace=namespace)
