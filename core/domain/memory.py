"""Memories."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class MemoryKind(StrEnum):
    """The four kinds of memory of *Hello-Agents*, chapter 8."""

    WORKING = "working"
    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PERCEPTUAL = "perceptual"


class MemoryState(StrEnum):
    """Whether a memory counts.

    `REPLACED`: a newer statement about the same thing took its place (`replaced_by`). `WRONG`,
    `OUTDATED` and `UNWANTED`: the learner said so. All of them stay visible and can be made
    `CURRENT` again; only current ones are found and used.
    """

    CURRENT = "current"
    REPLACED = "replaced"
    WRONG = "wrong"
    OUTDATED = "outdated"
    UNWANTED = "unwanted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered thing. `importance` is in [0, 1]; all times are aware UTC.

    `event` says what it is: `document_loaded`, `qa_interaction`, `question`, `note`, `passage`,
    `fact`, `figure`. `metadata` holds small JSON values (concept, document ids, question id), never
    document text. `uses` counts how often it was found and used, the last time at `used_at`.
    `sightings` counts how often the same text was to be remembered, the last time at `seen_at`
    (None: only when it was made). Rules never forget, archive or replace a
    pinned memory.
    """

    id: str
    kind: MemoryKind
    content: str
    importance: float
    created_at: datetime
    session_id: str
    event: str
    metadata: Mapping[str, object] = field(default_factory=dict)
    state: MemoryState = MemoryState.CURRENT
    pinned: bool = False
    uses: int = 0
    used_at: datetime | None = None
    sightings: int = 1
    seen_at: datetime | None = None
    replaced_by: str | None = None

    @property
    def last_at(self) -> datetime:
        """When it was last made, seen or used."""
        return max(filter(None, (self.created_at, self.seen_at, self.used_at)))


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHit:
    """A recalled memory. `score` is the fused score (higher is better), comparable in one list.

    `archived`: it came from the archive, by the second-chance search.
    """

    memory: Memory
    score: float
    relevance: float
    archived: bool = False


class Scorer(StrEnum):
    """How recall ranks: the default, or the formulas printed in the tutorial (section 8.2.5)."""

    DEFAULT = "default"
    TUTORIAL = "tutorial"
