"""What is done to many memories at once: forgetting, consolidating, archiving, undoing, erasing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.domain.memory import Memory, MemoryKind


class ForgetStrategy(StrEnum):
    """By what memories are chosen to be forgotten (*Hello-Agents*, section 8.2.3), and our own."""

    IMPORTANCE = "importance_based"
    TIME = "time_based"
    CAPACITY = "capacity_based"
    INTELLIGENT = "intelligent"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetItem:
    """A memory that would be forgotten, and why.

    `score` is in [0, 1]: how much there is to be said for keeping it. `reasons` are the numbers
    that led to it, by name (importance, age_days, uses, retrievability, …).
    """

    memory: Memory
    score: float
    reasons: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetPlan:
    """What a strategy would forget: the preview. Nothing has been done yet."""

    strategy: ForgetStrategy
    threshold: float
    max_age_days: float
    kinds: tuple[MemoryKind, ...]
    items: tuple[ForgetItem, ...]


class ChangeKind(StrEnum):
    """What was done, as the undo log keeps it."""

    FORGOTTEN = "forgotten"
    DELETED = "deleted"
    EDITED = "edited"
    CONSOLIDATED = "consolidated"
    REPLACED = "replaced"
    ARCHIVED = "archived"
    MERGED = "merged"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One entry of the undo log.

    `before` are the memories as they were; `after` the ids of those the change made. It can be
    undone until `expires_at`; then the entry is removed from the disk.
    """

    id: str
    kind: ChangeKind
    at: datetime
    expires_at: datetime
    before: tuple[Memory, ...]
    after: tuple[str, ...] = ()
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationItem:
    """One memory that moves on: as it is (`before`) and as it would be (`after`, same id)."""

    before: Memory
    after: Memory
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationPlan:
    """What consolidation would do. Nothing has been done yet."""

    items: tuple[ConsolidationItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureProof:
    """What an erasure did.

    `before` and `after` count by place (records, vectors, graph, full_text, archive, undo_log,
    questions, jobs, files, logs, …). `searched` texts were looked for in every file of the data
    folder and every row of the stores; `found_in` names the places where one was still there.
    """

    target: str
    at: datetime
    before: Mapping[str, int]
    after: Mapping[str, int]
    searched: int
    files_read: int
    found_in: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is left."""
        return not self.found_in and not any(self.after.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicate:
    """Two current memories of one kind that say nearly the same. `alike` is in [0, 1]."""

    older: Memory
    newer: Memory
    alike: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OftenAsked:
    """A concept as it was written last, and the ids of the questions about it, newest first."""

    concept: str
    memory_ids: tuple[str, ...]
