"""How many memories of a kind a learner may have; what is over that goes into the archive."""

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime

from core.domain.memory import Memory, MemoryKind
from core.memory.archive import Archive
from core.memory.forgetting import least_worth
from core.memory.turns import Turns
from core.ports.memory_store import MemoryStore

logger = logging.getLogger(__name__)

DEFAULT_CAPACITY = 100_000
"""Memories of one kind."""
_ROOM = 0.01
"""Share of the capacity that is freed at once, so that not every addition archives one memory."""
_RECOUNT = 500
"""Additions after which is counted anew: another process may have added too."""


class Capacity:
    """Keeps the durable kinds within their capacities. Thread-safe.

    To be told of every addition, in the learner's turn. What is over leaves for the archive, the
    least important and least recently used first; pinned memories never do, so a kind with too many
    of them stays over.
    """

    def __init__(
        self,
        *,
        capacities: Mapping[MemoryKind, int],
        store: MemoryStore,
        archive: Archive,
        clock: Callable[[], datetime],
        turns: Turns | None = None,
    ) -> None:
        self._capacities = dict(capacities)
        self._store = store
        self._archive = archive
        self._clock = clock
        self._turns = turns or Turns()
        self._counts: dict[tuple[str, MemoryKind], int] = {}
        self._since: dict[tuple[str, MemoryKind], int] = {}

    def note_added(
        self,
        kind: MemoryKind,
        *,
        namespace: str,
        number: int = 1,
        but: Collection[str] = (),
    ) -> list[Memory]:
        """Make room if there are too many now; return what went. Raises `StoreError`.

        `but` are the ids of those that stay: what was added just now is not gone before anybody
        could use it.

        Counted in memory between two looks at the store, so it costs an addition next to nothing.
        """
        limit = self._capacities.get(kind)
        if limit is None:
            return []
        key = (namespace, kind)
        with self._turns.of(namespace):
            self._since[key] = self._since.get(key, _RECOUNT) + number
            if key in self._counts:
                self._counts[key] += number
            if self._since[key] >= _RECOUNT or self._counts[key] > limit:
                self._counts[key] = self._store.count(namespace=namespace).get(kind, 0)
                self._since[key] = 0
            if self._counts[key] <= limit:
                return []
            room = int(limit * _ROOM)
            memories = self._store.list(namespace=namespace, kinds=[kind])
            free = [m for m in memories if m.id not in but]
            going = least_worth(free, len(memories) - limit + room, now=self._clock())
            gone = self._archive.put(going, namespace=namespace)
            self._counts[key] = len(memories) - len(gone)
        logger.info("%d memories went into the archive: there were too many", len(gone))
        return gone
