"""The proof: a sentence becomes a citation only if its letters stand on the page of the PDF."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.answer import Box, Citation, CitationState
from core.domain.document import Document, Page, ReaderName, TextRange
from core.errors import DocumentError, NotFoundError
from core.ports.reader import LetterRange, PageInspector
from core.rag.retrieval import PageLookup
from core.text.clean import join_cjk
from core.text.letters import letters

logger = logging.getLogger(__name__)

MAX_QUOTE_CHARACTERS = 600
"""A longer sentence (a table of contents, a list without stops) is quoted in part."""

PathOf = Callable[[Document], Path]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that shall be cited, by its place."""

    document: Document
    ranges: tuple[TextRange, ...]
    score: float


@dataclass(frozen=True, slots=True)
class _Quote:
    claim: Claim
    ranges: tuple[TextRange, ...]
    state: CitationState
    places: tuple[LetterRange, ...]


def _slice(page: Page, where: TextRange) -> str:
    return page.text[where.start : where.end]


def place_of(page: Page, where: TextRange) -> LetterRange | None:
    """Return where the letters of a stretch of page text stand, or None if this is not known."""
    for segment in page.segments:
        if segment.start <= where.start and where.end <= segment.end:
            before = len(letters(page.text[segment.start : where.start]))
            return LetterRange(where.page, segment.letter + before, letters(_slice(page, where)))
    return None


def _letter_span(page: Page) -> tuple[int, int]:
    """Return the first and the end letter that the text of a page uses."""
    ends = [s.letter + len(letters(page.text[s.start : s.end])) for s in page.segments]
    return min(s.letter for s in page.segments), max(ends)


def _joined(before: LetterRange, after: LetterRange, pages: dict[int, Page]) -> bool:
    """Tell whether one stretch goes on in the other: on the page, or from its end to the next's
    beginning (running headers and footers are not in the text of a page)."""
    end = before.start + len(before.letters)
    if before.page == after.page:
        return end == after.start
    last, first = pages[before.page], pages[after.page]
    return (
        after.page == before.page + 1
        and end == _letter_span(last)[1]
        and after.start == _letter_span(first)[0]
    )


def _longest(runs: Sequence[Sequence[int]], places: Sequence[LetterRange]) -> Sequence[int]:
    return max(runs, key=lambda run: sum(len(places[i].letters) for i in run))


def _shortened(page: Page, where: TextRange) -> TextRange:
    """Cut a stretch at the last space (or character) within the longest quote."""
    cut = where.start + MAX_QUOTE_CHARACTERS
    space = page.text.rfind(" ", where.start, cut)
    return TextRange(page=where.page, start=where.start, end=space if space > 0 else cut)


def _quote(claim: Claim, pages: PageLookup) -> _Quote | None:
    """Find the part of a sentence that stands in one piece; None when no page has it."""
    own = {r.page: pages[claim.document.id, r.page] for r in claim.ranges}
    ranges = tuple(r for r in claim.ranges if letters(_slice(own[r.page], r)))
    state = CitationState.EXACT
    if ranges and sum(r.end - r.start for r in ranges) > MAX_QUOTE_CHARACTERS:
        ranges = (
            (_shortened(own[ranges[0].page], ranges[0]),)
            if (ranges[0].end - ranges[0].start > MAX_QUOTE_CHARACTERS)
            else ranges[:1]
        )
        state = CitationState.PARTIAL
    if claim.document.reader is ReaderName.PYPDF:
        return _Quote(claim, ranges, state, ()) if ranges else None
    found = [(r, place_of(own[r.page], r)) for r in ranges]
    known = [(r, p) for r, p in found if p is not None]
    if not known:
        return None
    runs: list[list[int]] = [[0]]
    for i in range(1, len(known)):
        if _joined(known[i - 1][1], known[i][1], own):
            runs[-1].append(i)
        else:
            runs.append([i])
    kept = _longest(runs, [p for _, p in known])
    if len(kept) < len(found):
        state = CitationState.PARTIAL
    return _Quote(
        claim,
        tuple(known[i][0] for i in kept),
        state,
        tuple(known[i][1] for i in kept),
    )


def quote_text(ranges: Sequence[TextRange], pages: dict[int, Page]) -> str:
    """Return the page text of a quote; parts of two columns or pages are joined by a space."""
    return join_cjk(" ".join(_slice(pages[r.page], r).replace("\n", " ") for r in ranges))


class Prover:
    """Turns claims into citations."""

    def __init__(self, inspector: PageInspector, path_of: PathOf) -> None:
        self._inspector = inspector
        self._path_of = path_of

    def prove(self, claims: Sequence[Claim], pages: PageLookup) -> list[Citation | None]:
        """Return for each claim its citation, numbered from 1 among those that hold, or None.

        The letters are read from the PDF itself, now; a file that cannot be read any more proves
        nothing.
        """
        quotes = [_quote(claim, pages) for claim in claims]
        boxes = self._boxes(quotes)
        out: list[Citation | None] = []
        number = 0
        for quote, found in zip(quotes, boxes, strict=True):
            if quote is None or found is None:
                out.append(None)
                continue
            number += 1
            out.append(_citation(quote, found, number, pages))
        return out

    def _boxes(self, quotes: Sequence[_Quote | None]) -> list[tuple[Box, ...] | None]:
        """Return the boxes of each quote, `()` without any for pypdf's texts, None if unproven."""
        out: list[tuple[Box, ...] | None] = [None] * len(quotes)
        by_document: dict[str, list[int]] = {}
        for i, quote in enumerate(quotes):
            if quote is None:
                continue
            if quote.claim.document.reader is ReaderName.PYPDF:
                out[i] = ()
            else:
                by_document.setdefault(quote.claim.document.id, []).append(i)
        for indexes in by_document.values():
            wanted = [q for i in indexes if (q := quotes[i]) is not None]
            try:
                path = self._path_of(wanted[0].claim.document)
                found = self._inspector.boxes(path, [q.places for q in wanted])
            except (DocumentError, NotFoundError) as exc:
                # Not provable is an answer here: these quotes are removed and counted.
                logger.warning("A document cannot be read for proof: %s", exc)
                continue
            for i, boxes in zip(indexes, found, strict=True):
                out[i] = boxes
        return out


def _citation(quote: _Quote, boxes: tuple[Box, ...], number: int, pages: PageLookup) -> Citation:
    document = quote.claim.document
    own = {r.page: pages[document.id, r.page] for r in quote.ranges}
    first = quote.ranges[0].page
    return Citation(
        number=number,
        document=document.name,
        document_id=document.id,
        page=first,
        pages=tuple(dict.fromkeys(r.page for r in quote.ranges)),
        page_label=own[first].label,
        quote=quote_text(quote.ranges, own),
        state=quote.state,
        score=quote.claim.score,
        boxes=boxes,
    )
