"""One learner's memory: seen, searched, changed, undone, exported."""

import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.domain.memory import Memory, MemoryHit, MemoryKind, MemoryState, Scorer
from core.domain.upkeep import (
    Change,
    ChangeKind,
    ConsolidationPlan,
    ErasureProof,
    ForgetPlan,
    ForgetStrategy,
    NearDuplicate,
    OftenAsked,
)
from core.errors import InvalidInputError, NotFoundError
from core.learner_graph import LearnerGraph
from core.memory.checks import (
    checked_content,
    checked_importance,
    checked_limit,
    checked_metadata,
    storable,
)
from core.memory.exported import exported
from core.memory.forgetting import DEFAULT_MAX_AGE_DAYS, DEFAULT_THRESHOLD
from core.memory.often_asked import often_asked
from core.memory.query import QA_INTERACTION
from core.services import Services

SHORTEST_ID = 8
LITTLE = 3
"""Fewer hits than these are little: then the archive is searched too."""
_ID_LENGTH = 36
"""Letters of an id that are enough to name a memory, where no other one begins with them."""


class LearnerMemory(LearnerGraph):
    """Everything that is remembered of one learner. Safe in several threads.

    All methods raise `StoreError` when a store does not answer. A memory may be named by the first
    eight or more characters of its id. What is changed or deleted can be undone for 30 days, unless
    it is deleted for good. `zone` is where the learner is: "yesterday" is meant there; without one
    days are those of UTC.
    """

    def list(
        self,
        *,
        kinds: Sequence[MemoryKind] = (),
        states: Sequence[MemoryState] = (),
        events: Sequence[str] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
        archived: bool = False,
    ) -> builtins.list[Memory]:
        """Return memories of all states, newest first, or those in the archive.

        No `kinds`, `states` or `events` means all.
        """
        services = self._ready()
        if archived:
            kept = services.memory_parts.archive.list(namespace=self.namespace)
            wanted = _Wanted(tuple(kinds), tuple(states), tuple(events), since, until)
            return [memory for memory in kept if wanted.has(memory)][: checked_limit(limit)]
        return services.memory.list(
            namespace=self.namespace,
            kinds=kinds,
            states=states,
            events=events,
            since=since,
            until=until,
            limit=checked_limit(limit),
        )

    def get(self, memory_id: str) -> Memory:
        """Return a memory, from the archive too. Raises `NotFoundError`."""
        services = self._ready()
        full = self._full_id(memory_id, services)
        try:
            return services.memory.get(full, namespace=self.namespace)
        except NotFoundError:
            archived = services.memory_parts.archive.list(namespace=self.namespace)
            for memory in archived:
                if memory.id == full:
                    return memory
            raise

    def full_id(self, memory_id: str) -> str:
        """Return the whole id, of an archived memory too.

        Raises `NotFoundError`; `InvalidInputError` for what is none, or names several.
        """
        return self._full_id(memory_id, self._ready())

    def _full_id(self, memory_id: str, services: Services) -> str:
        given = storable(memory_id).removesuffix("...").removesuffix("…").lower()
        if len(given) >= _ID_LENGTH:
            return given
        if len(given) < SHORTEST_ID:
            raise InvalidInputError(
                f"“{given}” is too short for an id.",
                remedy=f"Give at least the first {SHORTEST_ID} characters.",
            )
        kept = services.memory.list(namespace=self.namespace, states=())
        kept += services.memory_parts.archive.list(namespace=self.namespace)
        found = sorted({m.id for m in kept if m.id.startswith(given)})
        if not found:
            raise NotFoundError("This memory is not there (any more).")
        if len(found) > 1:
            raise InvalidInputError(
                f"{len(found)} memories begin with “{given}”.", remedy="Give more of the id."
            )
        return found[0]

    def search(
        self,
        query: str,
        *,
        limit: int = 12,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        min_importance: float = 0.0,
        scorer: Scorer = Scorer.DEFAULT,
    ) -> builtins.list[MemoryHit]:
        """Return what has to do with the query, best first; where that is little, also archived.

        Raises `InvalidInputError` for an empty or overlong query.
        """
        services = self._ready()
        found = services.memory.recall(
            query,
            namespace=self.namespace,
            limit=checked_limit(limit),
            kinds=kinds,
            since=since,
            until=until,
            min_importance=min_importance,
            zone=self.zone,
            scorer=scorer,
        )
        if len(found) >= min(limit, LITTLE):
            return found
        wanted = _Wanted(tuple(kinds), (MemoryState.CURRENT,), (), since, until)
        archived = services.memory_parts.archive.second_chance(
            query, namespace=self.namespace, limit=limit
        )
        more = [
            hit
            for hit in archived
            if wanted.has(hit.memory) and hit.memory.importance >= min_importance
        ]
        return [*found, *more][:limit]

    # Changes

    def edit(
        self,
        memory_id: str,
        *,
        content: str | None = None,
        importance: float | None = None,
        metadata: Mapping[str, object] | None = None,
    ) -> Change:
        """Change a memory's text or importance, or add metadata to it.

        An archived memory comes back, as in `pin`, `mark` and `delete`. Another memory that has the
        new text already goes up in this one. Raises `NotFoundError`,
        `InvalidInputError` and `ModelError`.
        """
        if content is not None:
            content = checked_content(content)
        if importance is not None:
            importance = checked_importance(importance)
        with self._turn() as services:
            before = self._at_hand(memory_id, services)
            after = replace(
                before,
                content=before.content if content is None else content,
                importance=before.importance if importance is None else importance,
                metadata=checked_metadata({**before.metadata, **(metadata or {})}),
            )
            parts = services.memory_parts
            twin = parts.returning.twin_of(after, self.namespace) if content is not None else None
            change = parts.undo.record(
                ChangeKind.EDITED,
                [before] if twin is None else [before, twin],
                after=[before.id],
                namespace=self.namespace,
            )
            after = services.memory.update(after, namespace=self.namespace)
            if twin is not None:
                parts.returning.take_up(after, twin, self.namespace)
        return change

    def _at_hand(self, memory_id: str, services: Services, *, settle: bool = True) -> Memory:
        """Return a memory to be changed, in the learner's turn; an archived one comes back."""
        full = self._full_id(memory_id, services)
        try:
            return services.memory.get(full, namespace=self.namespace)
        except NotFoundError:
            awake = self._wake([full], services, settle=settle)
            if not awake:
                raise
            return awake[0]

    def pin(self, memory_id: str, pinned: bool = True) -> Memory:
        """Keep a memory from being forgotten, archived or replaced by rules, or let go of it."""
        with self._turn() as services:
            after = replace(self._at_hand(memory_id, services), pinned=pinned)
            return services.memory.update(after, namespace=self.namespace)

    def mark(self, memory_id: str, state: MemoryState) -> Memory:
        """Say that a memory is wrong, outdated or not wanted, or that it counts again.

        What a wrong or unwanted one had replaced counts again.
        """
        with self._turn() as services:
            marked = replace(self._at_hand(memory_id, services), state=state, replaced_by=None)
            return services.memory.update(marked, namespace=self.namespace)

    def delete(self, ids: Sequence[str]) -> Change:
        """Delete memories so that they can come back for 30 days. Raises `NotFoundError`."""
        with self._turn() as services:
            wanted = [self._at_hand(one, services, settle=False).id for one in ids]
            change = services.memory_parts.undo.remove(
                wanted, kind=ChangeKind.DELETED, namespace=self.namespace
            )
        if change is None:
            raise NotFoundError("There is nothing to delete (any more).")
        return change

    def changes(self) -> builtins.list[Change]:
        """Return what can be undone, the last change first."""
        return self._ready().memory_parts.undo.list(namespace=self.namespace)

    def undo(self, change_id: str) -> builtins.list[Memory]:
        """Take a change back and return its memories.

        Raises `NotFoundError` (too late, or undone already), and `InvalidInputError` when a later
        change of the same memories must be undone first.
        """
        with self._turn() as services:
            parts = services.memory_parts
            back = parts.undo.undo(change_id, namespace=self.namespace)
            parts.archived.take([memory.id for memory in back], namespace=self.namespace)
        return back

    # Forgetting

    def forget_preview(
        self,
        strategy: ForgetStrategy = ForgetStrategy.IMPORTANCE,
        *,
        threshold: float = DEFAULT_THRESHOLD,
        max_age_days: float = DEFAULT_MAX_AGE_DAYS,
        kinds: Sequence[MemoryKind] = (),
    ) -> ForgetPlan:
        """Return what a strategy would forget, and why. Raises `InvalidInputError`."""
        return self._ready().memory_parts.forgetting.preview(
            strategy,
            threshold=threshold,
            max_age_days=max_age_days,
            kinds=kinds,
            namespace=self.namespace,
        )

    def forget(self, plan: ForgetPlan, ids: Sequence[str] | None = None) -> Change | None:
        """Forget what a preview showed, or those of it with these ids; None when that is nothing.

        It can be undone for 30 days.
        """
        planned = [item.memory.id for item in plan.items]
        chosen = planned if ids is None else [i for i in planned if i in set(ids)]
        return self._ready().memory_parts.forgetting.apply(
            replace(plan, items=tuple(i for i in plan.items if i.memory.id in set(chosen))),
            namespace=self.namespace,
        )

    # Consolidation

    def consolidation_preview(self) -> ConsolidationPlan:
        """Return what would move on from working and from episodic memory, and why."""
        return self._ready().memory_parts.consolidation.preview_all(namespace=self.namespace)

    def consolidate(self, plan: ConsolidationPlan | None = None) -> Change | None:
        """Do a plan, the present one without any; None when there is nothing to do.

        It can be undone. Raises `ModelError` besides.
        """
        chosen = self.consolidation_preview() if plan is None else plan
        return self._ready().memory_parts.consolidation.apply(chosen, namespace=self.namespace)

    # Erasure

    def delete_for_good(self, memory_id: str) -> ErasureProof:
        """Erase one memory in every place, its former versions too. Raises `NotFoundError`."""
        full = self.full_id(memory_id)
        return self._ready().erasing.memory(full, namespace=self.namespace)

    def erase_document(self, document_id: str) -> ErasureProof:
        """Erase a document with everything that was read from it. Raises `NotFoundError`."""
        services = self._ready()
        services.engine.document(storable(document_id), namespace=self.namespace)
        return services.erasing.document(document_id, namespace=self.namespace)

    def erase_everything(self) -> ErasureProof:
        """Erase everything of this learner: documents, memories, questions, files, counts."""
        return self._ready().erasing.person(namespace=self.namespace)

    def near_duplicates(self) -> builtins.list[NearDuplicate]:
        """Return pairs of memories that say nearly the same, to be merged on request."""
        return self._ready().memory_parts.near_duplicates.find(namespace=self.namespace)

    def merge(self, pair: NearDuplicate) -> Change | None:
        """Make one memory of a pair; None when they changed meanwhile. It can be undone."""
        return self._ready().memory_parts.near_duplicates.merge(pair, namespace=self.namespace)

    def often_asked(self) -> builtins.list[OftenAsked]:
        """Return what was asked about three times within a week: worth a note."""
        asked = self.list(kinds=[MemoryKind.EPISODIC], events=[QA_INTERACTION])
        return often_asked(asked, self._services.clock())

    # The archive

    def archive_old(self) -> Change | None:
        """Archive what has been unused for long; None when nothing has. It can be undone."""
        with self._turn() as services:
            parts = services.memory_parts
            old = parts.archive.unused(namespace=self.namespace)
            if not old:
                return None
            change = parts.undo.record(ChangeKind.ARCHIVED, old, namespace=self.namespace)
            parts.archive.put(old, namespace=self.namespace)
        return change

    def wake(self, ids: Sequence[str]) -> builtins.list[Memory]:
        """Bring memories back from the archive and return them; others are left out.

        One that a newer statement made out of date meanwhile is marked as replaced, and one that
        was said again meanwhile takes up the other.
        """
        with self._turn() as services:
            return self._wake(ids, services)

    def _wake(
        self, ids: Sequence[str], services: Services, *, settle: bool = True
    ) -> builtins.list[Memory]:
        parts = services.memory_parts
        awake = parts.archive.wake(ids, namespace=self.namespace)
        parts.engine.refine_again(self.namespace)
        return parts.returning.settle(awake, self.namespace) if settle else awake

    # Taking it along

    def export(self) -> dict[str, object]:
        """Return everything remembered, the archive too, as JSON values."""
        return {
            "user_id": self.user_id,
            "exported_at": self._services.clock().isoformat(),
            "memories": [exported(m) for m in self.list()],
            "archive": [exported(m) for m in self.list(archived=True)],
        }


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a list is narrowed to; empty means all."""

    kinds: tuple[MemoryKind, ...]
    states: tuple[MemoryState, ...]
    events: tuple[str, ...]
    since: datetime | None
    until: datetime | None

    def has(self, memory: Memory) -> bool:
        """Tell whether a memory belongs to it."""
        return (
            (not self.kinds or memory.kind in self.kinds)
            and (not self.states or memory.state in self.states)
            and (not self.events or memory.event in self.events)
            and (self.since is None or memory.created_at >= self.since)
            and (self.until is None or memory.created_at < self.until)
        )
