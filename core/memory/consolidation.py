"""Consolidation: what matters moves on, from working to episodic to semantic memory.

Triggers, besides being asked: importance, repetition, and a working memory whose time is nearly
over. Thresholds and the factor of the importance are those of *Hello-Agents* (chapter 8, section
8.2.3, and the code published with it, which removes first and lets the importance pass 1).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import Change, ChangeKind, ConsolidationItem, ConsolidationPlan
from core.errors import InvalidInputError, StoreError
from core.memory.durable import DurableMemory
from core.memory.replacing import STATE_NOTHING, Replacing
from core.memory.undo import Undo
from core.memory.working import WorkingMemory, said_at
from core.ports.memory_store import MemoryStore
from core.ports.upkeep_store import ChangeLog
from core.ports.vector_store import VectorStore
from core.text.same import fingerprint

WORKING_THRESHOLD = 0.7
"""Importance from which a working memory becomes an episode."""
EPISODIC_THRESHOLD = 0.8
"""Importance from which an episode that states something becomes knowledge."""
FACTOR = 1.1
"""By which importance grows, up to 1."""
SEEN_OFTEN = 3
"""Sightings from which a memory moves on whatever its importance."""
NEARLY_OVER = timedelta(minutes=10)
IMPORTANCE, REPETITION, SESSION_END = "importance", "repetition", "session_end"
"""Reasons."""
FROM, AT = "consolidated_from", "consolidated_at"
"""Metadata of what moved on: the kind it had, and when (ISO 8601)."""

_NEXT = {MemoryKind.WORKING: MemoryKind.EPISODIC, MemoryKind.EPISODIC: MemoryKind.SEMANTIC}
_STEPS = frozenset({*_NEXT.items(), (MemoryKind.WORKING, MemoryKind.SEMANTIC)})
_THRESHOLDS = {MemoryKind.WORKING: WORKING_THRESHOLD, MemoryKind.EPISODIC: EPISODIC_THRESHOLD}

_LOGGED_FIRST = (ChangeKind.CONSOLIDATED, ChangeKind.REPLACED, ChangeKind.MERGED)

Added = Callable[[Memory, str], None]
"""Gets a memory that moved on, and its namespace."""
Removed = Callable[[Sequence[str], str], None]
"""Gets the ids of memories that went up in others, and their namespace."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One memory of a plan, as it is now: it moves (`after`), or goes up in `twin`."""

    before: Memory
    after: Memory
    twin: Memory | None = None


class Consolidation:
    """Plans and does it, for any learner. Thread-safe.

    `store` and `vectors` are those of the `durable` memories, `changes` those of `undo`. Learning
    events (questions, answers, loaded documents) never become knowledge as they are. Every method
    raises `StoreError` when a store does not answer.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        vectors: VectorStore,
        durable: Mapping[MemoryKind, DurableMemory],
        working: WorkingMemory,
        undo: Undo,
        changes: ChangeLog,
        replacing: Replacing,
        clock: Callable[[], datetime],
        working_ttl_minutes: float,
        on_added: Sequence[Added] = (),
        on_removed: Sequence[Removed] = (),
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._durable = durable
        self._working = working
        self._undo = undo
        self._changes = changes
        self._replacing = replacing
        self._clock = clock
        self._ttl = timedelta(minutes=working_ttl_minutes)
        self._on_added = tuple(on_added)
        self._on_removed = tuple(on_removed)

    def preview(
        self,
        *,
        from_type: MemoryKind = MemoryKind.WORKING,
        to_type: MemoryKind = MemoryKind.EPISODIC,
        importance_threshold: float | None = None,
        namespace: str,
    ) -> ConsolidationPlan:
        """Return what would move on: what is important enough or was seen often, newest first.

        `importance_threshold` is in [0, 1]; without one it is `WORKING_THRESHOLD` or
        `EPISODIC_THRESHOLD`. Raises `InvalidInputError` for a step that does not lead from working
        to episodic or semantic, or from episodic to semantic memory.
        """
        if (from_type, to_type) not in _STEPS:
            raise InvalidInputError(
                f"Memories do not move from {from_type.value} to {to_type.value}.",
                remedy="They move from working to episodic and from episodic to semantic.",
            )
        threshold = _THRESHOLDS[from_type] if importance_threshold is None else importance_threshold
        if not 0.0 <= threshold <= 1.0:
            raise InvalidInputError("The threshold must be a number from 0 to 1.")
        found = self._movable(from_type, to_type, namespace)
        return self._plan(
            (memory, to_type, reason)
            for memory in found
            if (reason := _reason(memory, threshold)) is not None
        )

    def preview_all(self, *, namespace: str) -> ConsolidationPlan:
        """Return what would move on from working and from episodic memory by the usual rules."""
        plans = [
            self.preview(from_type=a, to_type=b, namespace=namespace) for a, b in _NEXT.items()
        ]
        return ConsolidationPlan(items=tuple(item for plan in plans for item in plan.items))

    def due(self, *, namespace: str, within: timedelta | None = NEARLY_OVER) -> ConsolidationPlan:
        """Return the working memories to be kept whose time is over `within` so long.

        These are the important ones, those seen often, and the pinned ones. None for `within`: of
        whatever time, because the session ends.
        """
        ends = None if within is None else self._clock() - self._ttl + within
        return self._plan(
            (memory, MemoryKind.EPISODIC, SESSION_END)
            for memory in self._movable(MemoryKind.WORKING, MemoryKind.EPISODIC, namespace)
            if (ends is None or said_at(memory) <= ends)
            and (memory.pinned or _reason(memory, WORKING_THRESHOLD))
        )

    def apply(self, plan: ConsolidationPlan, *, namespace: str) -> Change | None:
        """Do a plan, all or nothing, and return the change; None when nothing is left to do.

        A memory keeps its id, times, session, source and uses. What moved on, changed its text,
        lost importance, does not count any more or is gone since the preview is left out. Where the
        target has the same text already, that one is seen once more and the other goes. Raises
        `ModelError` besides.
        """
        with self._undo.turns.of(namespace):
            steps = self._steps(plan, namespace)
            return self._do(steps, namespace) if steps else None

    def _do(self, steps: Sequence[_Step], namespace: str) -> Change:
        change = self._record(steps, namespace)
        moved = [step.after for step in steps if step.twin is None]
        absorbed = [step for step in steps if step.twin is not None]
        lasting = [s.before for s in steps if s.before.kind is not MemoryKind.WORKING]
        self._embed(moved, namespace)
        try:
            self._store.exchange(
                [*moved, *_twins(absorbed)],
                without=[s.before.id for s in absorbed if s.before in lasting],
                namespace=namespace,
            )
        except StoreError:
            self._embed_back(moved, lasting, namespace)
            self._changes.remove([change.id], namespace=namespace)
            raise
        gone = [step.before.id for step in absorbed]
        if gone:
            self._vectors.delete(namespace=namespace, where={"memory_id": gone})
        self._let_go_of_working(steps, namespace)
        self._tell(steps, moved, gone, namespace)
        return change

    def repair(self, *, namespace: str) -> None:
        """End what a crash interrupted: vectors of the kinds that memories have, no empty changes.

        To be called once for each learner, before the memory is used. Raises `ModelError` besides.
        """
        done = {change.id for change in self._undo.list(namespace=namespace)}
        logged = [c for c in self._changes.list(namespace=namespace) if c.kind in _LOGGED_FIRST]
        moved = [c for c in logged if c.kind is ChangeKind.CONSOLIDATED]
        ids = {memory.id for change in moved for memory in change.before}
        for memory in self._store.many(sorted(ids), namespace=namespace):
            where = {"memory_id": memory.id, "kind": memory.kind.value}
            if memory.kind in self._durable and not self._vectors.count(
                namespace=namespace, where=where
            ):
                self._durable[memory.kind].embed([memory], namespace=namespace)
        undone = [change.id for change in logged if change.id not in done]
        self._changes.remove(undone, namespace=namespace)

    def _movable(self, from_type: MemoryKind, to_type: MemoryKind, namespace: str) -> list[Memory]:
        """Return the current memories of a kind that may become one of another, newest first."""
        if from_type is MemoryKind.WORKING:
            found = self._working.list(namespace=namespace)
            found = self._without_answered(found, namespace)
        else:
            found = self._store.list(
                namespace=namespace, kinds=[from_type], states=[MemoryState.CURRENT]
            )
        return [
            m
            for m in found
            if m.state is MemoryState.CURRENT
            and (to_type is MemoryKind.EPISODIC or m.event not in STATE_NOTHING)
        ]

    def _without_answered(self, memories: Sequence[Memory], namespace: str) -> list[Memory]:
        """Leave out questions, not pinned, whose answer is an episode already: the same thing."""
        asked = {str(m.metadata["question_id"]) for m in memories if "question_id" in m.metadata}
        if not asked:
            return list(memories)
        oldest = min(m.created_at for m in memories)
        episodes = self._store.list(namespace=namespace, kinds=[MemoryKind.EPISODIC], since=oldest)
        told = asked & {str(m.metadata.get("question_id")) for m in episodes}
        return [m for m in memories if m.pinned or str(m.metadata.get("question_id")) not in told]

    def _plan(self, moving: Iterable[tuple[Memory, MemoryKind, str]]) -> ConsolidationPlan:
        now = self._clock()
        return ConsolidationPlan(
            items=tuple(
                ConsolidationItem(before=memory, after=_moved(memory, kind, now), reason=reason)
                for memory, kind, reason in moving
            )
        )

    def _steps(self, plan: ConsolidationPlan, namespace: str) -> list[_Step]:
        """Return what of a plan is still to be done, with the memories as they are now."""
        now = self._clock()
        working = {m.id: m for m in self._working.list(namespace=namespace)}
        ids = [item.before.id for item in plan.items]
        stored = {m.id: m for m in self._store.many(ids, namespace=namespace)}
        steps: list[_Step] = []
        seen: dict[tuple[MemoryKind, str, str], Memory] = {}
        for item in plan.items:
            before = working.get(item.before.id) or stored.get(item.before.id)
            if before is None or not _still_moves(before, item.before):
                continue
            after = self._if_it_holds(_moved(before, item.after.kind, now), namespace)
            same = (after.kind, after.event, fingerprint(after.content))
            twin = seen.get(same) or self._store.same_text(
                after.content, kind=after.kind, event=after.event, namespace=namespace
            )
            seen.setdefault(same, twin or after)
            steps.append(_Step(before, after, twin))
        return steps

    def _if_it_holds(self, memory: Memory, namespace: str) -> Memory:
        """Return a memory marked as replaced when a newer one made it out of date meanwhile."""
        newer = self._replacing.newer_than(memory, namespace)
        if newer is None:
            return memory
        return replace(memory, state=MemoryState.REPLACED, replaced_by=newer.id)

    def _record(self, steps: Sequence[_Step], namespace: str) -> Change:
        moving = {step.before.id for step in steps}
        twins = {s.twin.id: s.twin for s in steps if s.twin and s.twin.id not in moving}
        return self._undo.record(
            ChangeKind.CONSOLIDATED,
            [*(step.before for step in steps), *twins.values()],
            after=[(step.twin or step.after).id for step in steps],
            namespace=namespace,
        )

    def _embed_back(
        self, moved: Sequence[Memory], lasting: Sequence[Memory], namespace: str
    ) -> None:
        kept = {memory.id for memory in lasting}
        new = [memory.id for memory in moved if memory.id not in kept]
        if new:
            self._vectors.delete(namespace=namespace, where={"memory_id": new})
        self._embed(lasting, namespace)

    def _embed(self, memories: Sequence[Memory], namespace: str) -> None:
        for kind, durable in self._durable.items():
            if of_kind := [m for m in memories if m.kind is kind]:
                durable.embed(of_kind, namespace=namespace)

    def _let_go_of_working(self, steps: Sequence[_Step], namespace: str) -> None:
        moved = {step.before.id for step in steps}
        for memory in self._working.list(namespace=namespace):
            if memory.id in moved:
                self._working.delete(memory.id, namespace=namespace)

    def _tell(
        self, steps: Sequence[_Step], moved: Sequence[Memory], gone: Sequence[str], namespace: str
    ) -> None:
        """Let the newest statements replace older ones, and tell who wants to know."""
        for memory in sorted(moved, key=lambda m: m.created_at):
            if memory.state is MemoryState.CURRENT:
                older = self._replacing.check(memory, namespace)
                self._replacing.apply(memory, older, namespace=namespace)
        new = {step.before.id for step in steps if step.before.kind is MemoryKind.WORKING}
        for added in self._on_added:
            for memory in moved:
                if memory.id in new and memory.state is MemoryState.CURRENT:
                    added(memory, namespace)
        for removed in self._on_removed:
            if gone:
                removed(gone, namespace)


def _still_moves(now: Memory, planned: Memory) -> bool:
    """Tell whether a memory may move on as it is now, because it was to as it was planned."""
    return (
        now.state is MemoryState.CURRENT
        and (now.kind, now.content) == (planned.kind, planned.content)
        and now.importance >= planned.importance
    )


def _reason(memory: Memory, threshold: float) -> str | None:
    if memory.importance >= threshold:
        return IMPORTANCE
    return REPETITION if memory.sightings >= SEEN_OFTEN else None


def _moved(memory: Memory, kind: MemoryKind, now: datetime) -> Memory:
    return replace(
        memory,
        kind=kind,
        importance=min(1.0, memory.importance * FACTOR),
        metadata={**memory.metadata, FROM: memory.kind.value, AT: now.isoformat()},
    )


def _twins(absorbed: Sequence[_Step]) -> list[Memory]:
    """Return the memories that took others up: seen once more for each sighting of those."""
    twins: dict[str, Memory] = {}
    for step in absorbed:
        if step.twin is None:
            continue
        twin = twins.get(step.twin.id, step.twin)
        twins[twin.id] = replace(
            twin,
            sightings=twin.sightings + step.before.sightings,
            seen_at=max(twin.last_at, step.before.seen_at or step.before.created_at),
            importance=max(twin.importance, step.after.importance),
            pinned=twin.pinned or step.before.pinned,
        )
    return list(twins.values())
