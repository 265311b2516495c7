"""How an answer was found: what the glass box shows. Times are seconds, scores in [0, 1]."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class QueryKind(StrEnum):
    """Where a query that was searched for comes from.

    `QUESTION`: the learner's words; `COMPLETED`: a follow-up, completed from the last turns; `MQE`:
    said in other words by the model; `HYDE`: an answer the model imagined; `FEEDBACK`: the question
    with telling words of the first passages found (no model needed).
    """

    QUESTION = "question"
    COMPLETED = "completed"
    MQE = "mqe"
    HYDE = "hyde"
    FEEDBACK = "feedback"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceQuery:
    """A query that was searched for, and how long the search took."""

    kind: QueryKind
    text: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTier:
    """An index that was searched: in `documents` of the `asked` documents it is complete.

    `name` is `instant`, `refined` or `words`.
    """

    name: str
    documents: int
    asked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceCandidate:
    """A passage that was looked at, best first. `scores` has one entry a tier, and `fused`.

    `query` is the position of the query that found it best. `reranked` is the reranker's score,
    None when there was none. `cited` are numbers of citations from it; `dropped` is the code of why
    it was not used (`below_limit`, `reranked_lower`, `not_quoted`), None when it was.
    """

    chunk_id: str
    document_id: str
    document: str
    page: int
    scores: Mapping[str, float]
    query: int = 0
    reranked: float | None = None
    cited: tuple[int, ...] = ()
    dropped: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceSentence:
    """A sentence that was considered as a quote, best first.

    `features` are what its score is made of. `citation` is its number, None when it is not cited;
    `why` is a code: `cited`, `weaker`, `too_far`, `not_proven`, `enough`.
    """

    document_id: str
    page: int
    text: str
    score: float
    features: Mapping[str, float]
    citation: int | None = None
    why: str = "cited"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceCall:
    """A call of the model. `purpose`: `answer`, `mqe`, `hyde`, `complete`, `route`, `rerank`.

    `outcome` is `used`, `late`, `failed` or `empty`. Tokens are the server's count, or `estimated`.
    """

    purpose: str
    seconds: float
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    outcome: str = "used"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The whole way from a question to its answer. `weights` are those of the fusion.

    `notes` are codes of what should be known: `expansion_needs_model`, `expansion_late`,
    `expansion_failed`, `rerank_failed`, `other_language`, `feedback`, `refined_partly`,
    `refined_not_here`.
    """

    queries: tuple[TraceQuery, ...] = ()
    tiers: tuple[TraceTier, ...] = ()
    candidates: tuple[TraceCandidate, ...] = ()
    sentences: tuple[TraceSentence, ...] = ()
    calls: tuple[TraceCall, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    timings: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return asdict(self)

    @classmethod
    def of_json(cls, value: Mapping[str, Any]) -> "Trace":
        """Return the trace of `as_json`, also after a round trip through JSON text."""
        return cls(
            queries=tuple(
                TraceQuery(**{**q, "kind": QueryKind(q["kind"])}) for q in value["queries"]
            ),
            tiers=tuple(TraceTier(**t) for t in value["tiers"]),
            candidates=tuple(
                TraceCandidate(**{**c, "cited": tuple(c["cited"])}) for c in value["candidates"]
            ),
            sentences=tuple(TraceSentence(**s) for s in value["sentences"]),
            calls=tuple(TraceCall(**c) for c in value["calls"]),
            weights=dict(value["weights"]),
            timings=dict(value["timings"]),
            notes=tuple(value["notes"]),
        )
