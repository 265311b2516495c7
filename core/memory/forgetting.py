"""Forgetting: which memories would go and why, and letting them go so that they can come back.

The strategies are those of *Hello-Agents*, section 8.2.3, and `intelligent`, our own. None ever
chooses a pinned memory.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from core.domain.memory import Memory, MemoryKind
from core.domain.upkeep import Change, ForgetItem, ForgetPlan, ForgetStrategy
from core.errors import InvalidInputError
from core.memory.undo import Undo
from core.memory.working import WorkingMemory
from core.ports.memory_store import MemoryStore
from core.scoring import (
    access_frequency,
    freshness,
    keeping_score,
    retrievability,
    working_priority,
)

DEFAULT_THRESHOLD = 0.1
DEFAULT_MAX_AGE_DAYS = 30
"""Both as in the tutorial's `forget`."""
DAY = timedelta(days=1)
HOUR = timedelta(hours=1)


class Forgetting:
    """Previews what a strategy would forget, and forgets it. Thread-safe.

    `capacities` are the most memories of a kind; a kind that is left out has no limit.
    """

    def __init__(
        self,
        *,
        undo: Undo,
        store: MemoryStore,
        working: WorkingMemory,
        capacities: Mapping[MemoryKind, int],
        clock: Callable[[], datetime],
    ) -> None:
        self._undo = undo
        self._store = store
        self._working = working
        self._capacities = dict(capacities)
        self._clock = clock

    def preview(
        self,
        strategy: ForgetStrategy = ForgetStrategy.IMPORTANCE,
        *,
        threshold: float = DEFAULT_THRESHOLD,
        max_age_days: float = DEFAULT_MAX_AGE_DAYS,
        kinds: Sequence[MemoryKind] = (),
        namespace: str,
    ) -> ForgetPlan:
        """Return what would be forgotten; no `kinds` means all. Nothing is done.

        Raises `InvalidInputError` (threshold outside [0, 1], age below 0) and `StoreError`.
        """
        if not 0.0 <= threshold <= 1.0:
            raise InvalidInputError("The threshold must be a number from 0 to 1.")
        if not max_age_days >= 0:
            raise InvalidInputError("The age in days must not be below 0.")
        wanted = tuple(kinds) or tuple(MemoryKind)
        return plan(
            self._all(wanted, namespace),
            strategy,
            threshold=threshold,
            max_age_days=max_age_days,
            kinds=wanted,
            capacities=self._capacities,
            now=self._clock(),
        )

    def apply(self, chosen: ForgetPlan | Sequence[str], *, namespace: str) -> Change | None:
        """Forget the memories of a preview, or those with these ids, as one change; return it.

        All or none; for 30 days `Undo.undo` brings them back. What is gone or pinned by now is left
        out, and of a preview what changed its text or kind or would not be chosen any more; None
        when nothing is left. Raises `StoreError`.
        """
        with self._undo.turns.of(namespace):
            if isinstance(chosen, ForgetPlan):
                detail = chosen.strategy.value
                ids = self._still_chosen(chosen, namespace)
            else:
                detail = ""
                there = self._there(list(chosen), namespace)
                ids = [m.id for m in there if not m.pinned]
            return self._undo.remove(ids, detail=detail, namespace=namespace)

    def _still_chosen(self, before: ForgetPlan, namespace: str) -> list[str]:
        """Return the ids of a plan's memories that it would choose as they are now."""
        planned = {item.memory.id: item.memory for item in before.items}
        same = [
            m
            for m in self._there(list(planned), namespace)
            if (m.kind, m.content) == (planned[m.id].kind, planned[m.id].content)
        ]
        counts: Mapping[MemoryKind, int] = {}
        if before.strategy is ForgetStrategy.CAPACITY:  # what became worth more makes no room
            same = [m for m in same if m.importance <= planned[m.id].importance]
            counts = self._counts(namespace)
        chosen = _items(
            same,
            before.strategy,
            threshold=before.threshold,
            max_age_days=before.max_age_days,
            counts=counts,
            capacities=self._capacities,
            now=self._clock(),
        )
        still = {item.memory.id for item in chosen}
        return [memory_id for memory_id in planned if memory_id in still]

    def _there(self, ids: Sequence[str], namespace: str) -> list[Memory]:
        """Return those of the memories that there are, in the order of `ids`, as they are now."""
        found = {m.id: m for m in self._store.many(ids, namespace=namespace)}
        found |= {m.id: m for m in self._working.list(namespace=namespace)}
        return [found[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in found]

    def _counts(self, namespace: str) -> Mapping[MemoryKind, int]:
        working = len(self._working.list(namespace=namespace))
        return {**self._store.count(namespace=namespace), MemoryKind.WORKING: working}

    def _all(self, kinds: Sequence[MemoryKind], namespace: str) -> list[Memory]:
        working = self._working.list(namespace=namespace) if MemoryKind.WORKING in kinds else []
        durable = [kind for kind in kinds if kind is not MemoryKind.WORKING]
        stored = self._store.list(namespace=namespace, kinds=durable) if durable else []
        return [*working, *stored]


def plan(
    memories: Sequence[Memory],
    strategy: ForgetStrategy,
    *,
    threshold: float,
    max_age_days: float,
    kinds: Sequence[MemoryKind],
    capacities: Mapping[MemoryKind, int],
    now: datetime,
) -> ForgetPlan:
    """Return which of the memories a strategy would forget, the least worth keeping first.

    - `importance_based`: importance below `threshold`.
    - `time_based`: made more than `max_age_days` before `now`, however important or often used.
    - `capacity_based`: what a kind has more than its capacity, the least important first, recent
      ones later (importance × the decay of working memory, since it was last made, seen or used).
      Those below `threshold` go before all others; it protects nothing: a kind that is too full
      loses important memories too, once there are no unimportant ones left.
    - `intelligent`: `keeping_score` below `threshold`; `max_age_days` sets how fast age and disuse
      count.
    """
    items = _items(
        [m for m in memories if m.kind in kinds],
        strategy,
        threshold=threshold,
        max_age_days=max_age_days,
        counts={kind: sum(m.kind is kind for m in memories) for kind in kinds},
        capacities=capacities,
        now=now,
    )
    return ForgetPlan(
        strategy=strategy,
        threshold=threshold,
        max_age_days=max_age_days,
        kinds=tuple(kinds),
        items=tuple(items),
    )


def _items(
    memories: Sequence[Memory],
    strategy: ForgetStrategy,
    *,
    threshold: float,
    max_age_days: float,
    counts: Mapping[MemoryKind, int],
    capacities: Mapping[MemoryKind, int],
    now: datetime,
) -> list[ForgetItem]:
    """Return those of the memories that would go, of as many as `counts` says there are."""
    free = [m for m in memories if not m.pinned]
    if strategy is ForgetStrategy.CAPACITY:
        return _over_capacity(free, counts, capacities, threshold, now)
    weigh = _WEIGH[strategy]
    items = [item for m in free if (item := weigh(m, threshold, max_age_days, now)) is not None]
    return sorted(items, key=lambda item: (item.score, item.memory.created_at, item.memory.id))


def least_worth(memories: Sequence[Memory], number: int, *, now: datetime) -> list[Memory]:
    """Return the `number` memories that go first when there are too many; never pinned ones."""
    free = [m for m in memories if not m.pinned]
    return sorted(free, key=lambda m: (_priority(m, now), m.created_at, m.id))[: max(0, number)]


def _by_importance(
    memory: Memory, threshold: float, max_age_days: float, now: datetime
) -> ForgetItem | None:
    if memory.importance >= threshold:
        return None
    reasons = {"importance": memory.importance, "threshold": threshold}
    return ForgetItem(memory=memory, score=memory.importance, reasons=reasons)


def _by_time(
    memory: Memory, threshold: float, max_age_days: float, now: datetime
) -> ForgetItem | None:
    age = (now - memory.created_at) / DAY
    if age <= max_age_days:
        return None
    reasons = {"age_days": age, "max_age_days": max_age_days}
    return ForgetItem(memory=memory, score=freshness(age, max_age_days), reasons=reasons)


def _intelligently(
    memory: Memory, threshold: float, max_age_days: float, now: datetime
) -> ForgetItem | None:
    accesses = memory.uses + memory.sightings - 1
    age, idle = (now - memory.created_at) / DAY, (now - memory.last_at) / DAY
    parts = {
        "importance": memory.importance,
        "retrievability": retrievability(idle, accesses, max_age_days),
        "frequency": access_frequency(accesses),
        "freshness": freshness(age, max_age_days),
    }
    score = keeping_score(
        importance=parts["importance"],
        retrievability=parts["retrievability"],
        frequency=parts["frequency"],
        freshness=parts["freshness"],
    )
    if score >= threshold:
        return None
    counted = {"age_days": age, "idle_days": idle, "uses": float(memory.uses)}
    sightings = {"sightings": float(memory.sightings), "threshold": threshold}
    return ForgetItem(memory=memory, score=score, reasons=parts | counted | sightings)


_WEIGH: dict[ForgetStrategy, Callable[[Memory, float, float, datetime], ForgetItem | None]] = {
    ForgetStrategy.IMPORTANCE: _by_importance,
    ForgetStrategy.TIME: _by_time,
    ForgetStrategy.INTELLIGENT: _intelligently,
}


def _over_capacity(
    free: Sequence[Memory],
    counts: Mapping[MemoryKind, int],
    capacities: Mapping[MemoryKind, int],
    threshold: float,
    now: datetime,
) -> list[ForgetItem]:
    items: list[ForgetItem] = []
    for kind, count in counts.items():
        over = count - capacities.get(kind, count)
        of_kind = [m for m in free if m.kind is kind]
        low = [m for m in of_kind if m.importance < threshold]
        high = [m for m in of_kind if m.importance >= threshold]
        going = least_worth(low, over, now=now)
        going += least_worth(high, over - len(going), now=now)
        items += [
            ForgetItem(
                memory=memory,
                score=_priority(memory, now),
                reasons={
                    "importance": memory.importance,
                    "idle_days": (now - memory.last_at) / DAY,
                    "count": float(count),
                    "capacity": float(capacities[kind]),
                },
            )
            for memory in going
        ]
    return items


def _priority(memory: Memory, now: datetime) -> float:
    return working_priority((now - memory.last_at) / HOUR, memory.importance)
