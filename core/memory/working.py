"""Working memory: what is going on right now. Lives in this process only."""

import builtins
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import ClassVar

from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.errors import NotFoundError
from core.memory.lexical import keyword_score, tfidf_cosines
from core.scoring import working_priority, working_relevance, working_score

SECONDS_PER_HOUR = 3600


class WorkingMemory:
    """At most `capacity` memories a namespace, each for `ttl_minutes`. Safe in several threads.

    What is over the capacity leaves by lowest importance × decay. The time begins anew when the
    same is said again. Pinned memories leave by neither: with too many of them it is over its
    capacity.
    """

    kind: ClassVar[MemoryKind] = MemoryKind.WORKING

    def __init__(self, *, capacity: int, ttl_minutes: float, clock: Callable[[], datetime]) -> None:
        self._capacity = capacity
        self._ttl = timedelta(minutes=ttl_minutes)
        self._clock = clock
        self._lock = threading.Lock()
        self._memories: dict[str, list[Memory]] = {}

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Keep a memory; the least important older one leaves when there are too many."""
        now = self._clock()
        with self._lock:
            self._expire(now)
            kept = self._memories.setdefault(namespace, [])
            free = [m for m in kept if not m.pinned]
            while free and len(kept) >= self._capacity:
                least = min(
                    free, key=lambda m: working_priority(_hours(now, said_at(m)), m.importance)
                )
                free.remove(least)
                kept.remove(least)
            kept.append(memory)

    def list(
        self, *, namespace: str, since: datetime | None = None, until: datetime | None = None
    ) -> builtins.list[Memory]:
        """Return what is there, newest first; `since` is inclusive, `until` exclusive."""
        with self._lock:
            self._expire(self._clock())
            kept = builtins.list(self._memories.get(namespace, ()))
        return [
            m
            for m in reversed(kept)
            if (since is None or m.created_at >= since) and (until is None or m.created_at < until)
        ]

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return a memory. Raises `NotFoundError`."""
        for memory in self.list(namespace=namespace):
            if memory.id == memory_id:
                return memory
        raise _not_there()

    def update(self, memory: Memory, *, namespace: str) -> None:
        """Keep a memory as it is now, in its place. Raises `NotFoundError`."""
        with self._lock:
            kept = self._memories.get(namespace, [])
            places = [n for n, m in enumerate(kept) if m.id == memory.id]
            if not places:
                raise _not_there()
            kept[places[0]] = memory

    def note_used(self, ids: Sequence[str], *, at: datetime, namespace: str) -> set[str]:
        """Count one more use of those of these memories that are there; return their ids."""
        with self._lock:
            kept = self._memories.get(namespace, [])
            used = {m.id for m in kept}.intersection(ids)
            kept[:] = [replace(m, uses=m.uses + 1, used_at=at) if m.id in used else m for m in kept]
        return used

    def count(self, *, namespace: str) -> int:
        """Return how many there are."""
        return len(self.list(namespace=namespace))

    def search(self, query: str, *, namespace: str) -> builtins.list[MemoryHit]:
        """Return memories that share words with the query, best first.

        `relevance` mixes TF-IDF and keywords; `score` adds decay and importance.
        """
        memories = self.list(namespace=namespace)
        now = self._clock()
        hits: builtins.list[MemoryHit] = []
        cosines = tfidf_cosines(query, [m.content for m in memories])
        for memory, cosine in zip(memories, cosines, strict=True):
            relevance = working_relevance(cosine, keyword_score(query, memory.content))
            if relevance > 0:
                hours = _hours(now, memory.created_at)
                score = working_score(relevance, hours, memory.importance)
                hits.append(MemoryHit(memory=memory, score=score, relevance=relevance))
        return sorted(hits, key=lambda hit: hit.score, reverse=True)

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Forget a memory. Raises `NotFoundError`."""
        with self._lock:
            kept = self._memories.get(namespace, [])
            left = [m for m in kept if m.id != memory_id]
            if len(left) == len(kept):
                raise _not_there()
            self._memories[namespace] = left

    def clear(self, *, namespace: str) -> None:
        """Forget everything of the namespace."""
        with self._lock:
            self._memories.pop(namespace, None)

    def _expire(self, now: datetime) -> None:
        """Drop what is over its time, of every namespace: nobody else would drop it."""
        oldest = now - self._ttl
        for namespace, kept in list(self._memories.items()):
            left = [m for m in kept if m.pinned or said_at(m) > oldest]
            if left:
                self._memories[namespace] = left
            else:
                del self._memories[namespace]


def said_at(memory: Memory) -> datetime:
    """Return when a memory was said last: its time in working memory begins then."""
    return memory.seen_at or memory.created_at


def _not_there() -> NotFoundError:
    return NotFoundError("This memory is not there (any more).")


def _hours(now: datetime, then: datetime) -> float:
    return (now - then).total_seconds() / SECONDS_PER_HOUR
