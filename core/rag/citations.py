"""The proof: a sentence becomes a citation only if its letters stand on the page.

On a page with a text layer the letters are looked up in the file itself. The text that was
recognised in a picture, or converted from another format, is the stored page, and nothing else can
be asked: there a quote is that text's own slice, and the citation says where it comes from.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.answer import Box, Citation, CitationState
from core.domain.document import Document, Line, Page, ReaderName, TextRange, TextSource
from core.errors import DocumentError, NotFoundError
from core.ports.reader import LetterRange, PageInspector
from core.rag.retrieval import PageLookup
from core.text.clean import join_cjk
from core.text.letters import letters
from core.text.tokens import columns

logger = logging.getLogger(__name__)

MAX_QUOTE_CHARACTERS = 600
"""A longer sentence (a table of contents, a list without stops) is quoted in part."""

_PLACELESS = (ReaderName.PYPDF, ReaderName.MARKITDOWN)
"""Readers that do not know where on a page their text stands."""

PathOf = Callable[[Document], Path]


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that shall be cited, by its place. `heading_path` is the headings above it."""

    document: Document
    ranges: tuple[TextRange, ...]
    score: float
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Quote:
    """`places` are those of the `ranges`, None for one that is not looked up in the file."""

    claim: Claim
    ranges: tuple[TextRange, ...]
    state: CitationState
    places: tuple[LetterRange | None, ...]

    @property
    def wanted(self) -> list[LetterRange]:
        """What must be looked up in the file."""
        return [place for place in self.places if place is not None]

    def without_places(self) -> "_Quote | None":
        """Return the part that need not be looked up, None if there is none."""
        pairs = zip(self.ranges, self.places, strict=True)
        ranges = tuple(r for r, place in pairs if place is None)
        places = (None,) * len(ranges)
        return _Quote(self.claim, ranges, CitationState.PARTIAL, places) if ranges else None


def _slice(page: Page, where: TextRange) -> str:
    return page.text[where.start : where.end]


def place_of(page: Page, where: TextRange) -> LetterRange | None:
    """Return where the letters of a stretch of page text stand, or None if this is not known."""
    for segment in page.segments:
        if segment.start <= where.start and where.end <= segment.end:
            before = len(letters(page.text[segment.start : where.start]))
            return LetterRange(where.page, segment.letter + before, letters(_slice(page, where)))
    return None


def _is_own_proof(document: Document, page: Page) -> bool:
    """Tell whether the stored text of a page is all there is to prove a quote with."""
    return page.source is not TextSource.LAYER or document.reader in _PLACELESS


def _stands(document: Document, page: Page, where: TextRange) -> LetterRange | None:
    """Return `place_of`, counted in the text of the page where that is its own proof."""
    if not _is_own_proof(document, page):
        return place_of(page, where)
    before = len(letters(page.text[: where.start]))
    return LetterRange(where.page, before, letters(_slice(page, where)))


def _letter_span(page: Page) -> tuple[int, int]:
    """Return the first and the end letter that the text of a page uses."""
    if not page.segments:
        return 0, len(letters(page.text))
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
    document = claim.document
    layered = all(page.source is TextSource.LAYER for page in own.values())
    if document.reader in _PLACELESS and layered:
        return _Quote(claim, ranges, state, (None,) * len(ranges)) if ranges else None
    found = [(r, _stands(document, own[r.page], r)) for r in ranges]
    known = [(r, p) for r, p in found if p is not None]
    if not known:
        return None
    runs: list[list[int]] = [[0]]
    for i in range(1, len(known)):
        if _joined(known[i - 1][1], known[i][1], own):
            runs[-1].append(i)
        else:
            runs.append([i])
    kept = [known[i] for i in _longest(runs, [p for _, p in known])]
    if len(kept) < len(found):
        state = CitationState.PARTIAL
    places = tuple(None if _is_own_proof(document, own[r.page]) else p for r, p in kept)
    return _Quote(claim, tuple(r for r, _ in kept), state, places)


def line_boxes(page: Page, where: TextRange) -> list[Box]:
    """Return the boxes of a stretch of recognised text, one for each line that it touches.

    A line is cut in proportion to its characters, a CJK character being two wide; one that runs
    up or down is not cut.
    """
    boxes: list[Box] = []
    for line in page.lines:
        start, end = max(line.start, where.start), min(line.end, where.end)
        if start < end and letters(page.text[start:end]):
            x0, x1 = _cut(page.text, line, start, end)
            boxes.append(Box(page=page.number, x0=x0, y0=line.y0, x1=x1, y1=line.y1))
    return boxes


def _cut(text: str, line: Line, start: int, end: int) -> tuple[float, float]:
    """Return left and right of the part of a line that `text[start:end]` covers."""
    width = line.x1 - line.x0
    if width < line.y1 - line.y0:
        return line.x0, line.x1
    total = columns(text[line.start : line.end])
    before, after = columns(text[line.start : start]), columns(text[end : line.end])
    return line.x0 + width * before / total, line.x1 - width * after / total


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

        The letters of a text layer are read from the PDF itself, now; a file that cannot be read
        any more proves nothing.
        """
        quotes = [_quote(claim, pages) for claim in claims]
        out: list[Citation | None] = []
        number = 0
        for quote, found in zip(quotes, self._boxes(quotes), strict=True):
            kept = quote.without_places() if quote is not None and found is None else quote
            if kept is None:
                out.append(None)
                continue
            number += 1
            out.append(_citation(kept, found or (), number, pages))
        return out

    def _boxes(self, quotes: Sequence[_Quote | None]) -> list[tuple[Box, ...] | None]:
        """Look the quotes up in their files; return the boxes of each, None where it is not there.

        Of a quote that has nothing to look up they are `()`.
        """
        out: list[tuple[Box, ...] | None] = [()] * len(quotes)
        by_document: dict[str, list[int]] = {}
        for i, quote in enumerate(quotes):
            if quote is not None and quote.wanted:
                out[i] = None
                by_document.setdefault(quote.claim.document.id, []).append(i)
        for indexes in by_document.values():
            wanted = [q for i in indexes if (q := quotes[i]) is not None]
            try:
                path = self._path_of(wanted[0].claim.document)
                found = self._inspector.boxes(path, [q.wanted for q in wanted])
            except (DocumentError, NotFoundError) as exc:
                # Not provable is an answer here: these quotes are removed and counted.
                logger.warning("A document cannot be read for proof: %s", exc)
                continue
            for i, boxes in zip(indexes, found, strict=True):
                out[i] = boxes
        return out


def _source_of(pages: Sequence[Page]) -> TextSource:
    """Return where a quote comes from: recognised as soon as a part of it is."""
    sources = [page.source for page in pages]
    return TextSource.OCR if TextSource.OCR in sources else sources[0]


def _citation(quote: _Quote, boxes: tuple[Box, ...], number: int, pages: PageLookup) -> Citation:
    document = quote.claim.document
    own = {r.page: pages[document.id, r.page] for r in quote.ranges}
    first = quote.ranges[0].page
    recognised = [box for r in quote.ranges for box in line_boxes(own[r.page], r)]
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
        boxes=tuple(sorted((*boxes, *recognised), key=lambda box: box.page)),
        source=_source_of(list(own.values())),
        heading_path=quote.claim.heading_path,
    )
