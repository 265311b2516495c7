"""Answers and their proof."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.domain.document import TextSource


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
