"""Answers and their proof."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.document import TextSource
from core.domain.trace import Trace


class CitationState(StrEnum):
    """What code could prove of a citation.

    `EXACT`: the whole sentence stands on the page, letter by letter. `PARTIAL`: only a part of
    the sentence does, and `quote` is that part.
    """

    EXACT = "exact"
    PARTIAL = "partial"


class AnswerMode(StrEnum):
    """How an answer came about."""

    EXTRACTIVE = "extractive"
    GENERATED = "generated"
    REFUSED = "refused"
    REMEMBERED = "remembered"
    """From the learning history alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A rectangle on physical page `page`, in points from the top-left of the displayed page."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A verbatim quote, found by code.

    `page` is physical and 1-based, the first one when the quote runs over several (`pages`).
    `score` is the relevance to the question in [0, 1]. `boxes` is empty when the document has
    none (read by pypdf, or of another format than PDF). `source` says whether the quote is the
    file's own text or was recognised in a picture. `heading_path` is the headings above it.
    """

    number: int
    document: str
    document_id: str
    page: int
    pages: tuple[int, ...]
    page_label: str | None
    quote: str
    state: CitationState
    score: float
    boxes: tuple[Box, ...] = ()
    source: TextSource = TextSource.LAYER
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A retrieved passage. `scores` has the fused score and one entry a tier, each in [0, 1].

    `page` is the page on which the best window of the passage begins; `pages` are all it covers.
    """

    chunk_id: str
    document: str
    document_id: str
    page: int
    pages: tuple[int, ...]
    page_label: str | None
    text: str
    heading_path: tuple[str, ...]
    score: float
    scores: Mapping[str, float]


class Route(StrEnum):
    """Where an answer was looked for."""

    DOCUMENTS = "documents"
    MEMORY = "memory"
    BOTH = "both"


class RoutedBy(StrEnum):
    """Who decided the route: rules, the model, or the learner with a click."""

    RULES = "rules"
    MODEL = "model"
    LEARNER = "learner"


class RefusalReason(StrEnum):
    """Why there is no answer, for programs.

    `NOTHING_FOUND`: nothing in the documents has to do with the question; `NOT_ANSWERED`: what they
    say about it does not answer it; `MODEL_DECLINED`: the model found no answer in the passages;
    `NOT_PROVABLE`: no sentence could be proven, for example because the files are gone;
    `NOTHING_REMEMBERED`: the learning history has nothing about it.
    """

    NO_DOCUMENTS = "no_documents"
    STILL_READING = "still_reading"
    NOTHING_FOUND = "nothing_found"
    NOT_ANSWERED = "not_answered"
    MODEL_DECLINED = "model_declined"
    NOT_PROVABLE = "not_provable"
    NOTHING_REMEMBERED = "nothing_remembered"


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestPage:
    """A page that comes nearest to a question that is not answered."""

    document: str
    document_id: str
    page: int
    page_label: str | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """That there is no answer, and the nearest pages, best first (none without documents)."""

    reason: RefusalReason
    nearest: tuple[NearestPage, ...] = ()


class DoubtKind(StrEnum):
    """What is doubtful about a stretch of a generated answer.

    `NUMBER`: a figure, date or percentage that is in none of the sentence's quotes; `UNGROUNDED`: a
    sentence without any citation.
    """

    NUMBER = "number"
    UNGROUNDED = "ungrounded"


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubt:
    """Characters `start` to `end` (half-open) of an answer's text that nothing proves."""

    kind: DoubtKind
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedSource:
    """A memory an answer about the learning history rests on; `[number]` in the text.

    `kind` and `event` are those of `core.domain.memory.Memory`; `document_id` and `question_id` are
    what it was about, None when it was about neither or that is gone.
    """

    number: int
    memory_id: str
    kind: str
    event: str
    text: str
    created_at: datetime
    document_id: str | None = None
    question_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StillReading:
    """A document of which only `read` of `pages` could be searched for an answer."""

    document_id: str
    document: str
    read: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What `ask` gives back.

    `text` carries citation numbers as `[1]`. `removed` counts citations the proof took out.
    `notice` is the code of something the learner must be told (e.g. `model_unavailable`), `detail`
    its sentence. `id` names the stored question. `still_reading` are documents that were not
    wholly read when the question was asked. `sources_removed_at` are the times at which documents
    that it cited were deleted.

    `completed` is the question as it was searched for when it is not the one asked: a follow-up,
    completed from the last turns. `refusal` is there when `mode` is `refused`. `doubts` lie in
    `text`, ascending. `memories` are the sources of what comes from the learning history. `trace`
    is how the answer was found.
    """

    id: str
    question: str
    text: str
    mode: AnswerMode
    language: str
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    removed: int = 0
    notice: str | None = None
    detail: str | None = None
    seconds: float = 0.0
    timings: Mapping[str, float] = field(default_factory=dict)
    still_reading: tuple[StillReading, ...] = ()
    sources_removed_at: tuple[datetime, ...] = ()
    completed: str | None = None
    route: Route = Route.DOCUMENTS
    routed_by: RoutedBy = RoutedBy.RULES
    refusal: Refusal | None = None
    doubts: tuple[Doubt, ...] = ()
    memories: tuple[RememberedSource, ...] = ()
    trace: Trace | None = None

    def __str__(self) -> str:
        """The text with numbered sources below it."""
        lines = [self.text]
        if self.citations:
            lines.append("")
        for c in self.citations:
            lines.append(f"[{c.number}] {c.document}, {_place(c)}: “{c.quote}”")
        return "\n".join(lines)


def _place(citation: Citation) -> str:
    if citation.source is TextSource.CONVERTED and citation.heading_path:
        return " > ".join(citation.heading_path)
    label = citation.page_label
    printed = f" (p. {label})" if label not in (None, str(citation.page)) else ""
    pages = citation.pages
    numbers = "-".join(str(p) for p in (pages[0], pages[-1])[: len(set(pages))])
    return f"{'part' if citation.source is TextSource.CONVERTED else 'page'} {numbers}{printed}"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPiece:
    """One step of a streamed answer: a piece of text, or at the end the whole `answer`.

    Pieces carry no citation numbers: those appear in `answer`, proven.
    """

    text: str = ""
    answer: Answer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A question the documents did not answer. `times` counts how often it was asked.

    `asked_at` is the last time; `question_id` that question. `nearest` are the pages told then.
    """

    id: str
    question: str
    question_id: str
    language: str
    asked_at: datetime
    reason: RefusalReason
    nearest: tuple[NearestPage, ...] = ()
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """How to look for an answer.

    `route` None lets the assistant decide. `enable_mqe`, `mqe_expansions`, `enable_hyde` and
    `candidate_pool_multiplier` are the tutorial's (section 8.3.4); None: what the settings say.
    `follow_up` says whether the question may be completed from the last turns of the session.
    """

    route: Route | None = None
    enable_mqe: bool | None = None
    mqe_expansions: int = 2
    enable_hyde: bool | None = None
    candidate_pool_multiplier: int = 4
    follow_up: bool = True


DEFAULT_OPTIONS = AskOptions()
"""Everything left to the assistant and the settings."""
