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


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered thing. `importance` is in [0, 1]; `created_at` is aware UTC.

    `event` says what it is: `document_loaded`, `qa_interaction`, `question`, `note`. `metadata`
    holds small JSON values (concept, document ids, question id), never document text.
    """

    id: str
    kind: MemoryKind
    content: str
    importance: float
    created_at: datetime
    session_id: str
    event: str
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryHit:
    """A recalled memory. `score` is the fused score (higher is better), comparable in one list."""

    memory: Memory
    score: float
    relevance: float
