"""Reading with liteparse and PDFium, some pages at a time. Runs in worker processes only."""

import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from core.domain.document import Page, TextSource
from core.readers.assemble import assemble
from core.readers.figures import Decorations, find_figures
from core.readers.limits import CAREFUL_PAGES
from core.readers.lines import PageLines, page_lines
from core.readers.pictures import NOTHING, Painted, painted, source_of
from core.readers.raised import with_raised
from core.readers.running import RunningLines
from core.readers.structure import Structure
from core.readers.units import RawPage

_GROUPS = (8, 16, 32, 64)
"""Pages parsed at once, growing: the first ones are there soon, and memory stays flat. The last
size goes on."""
_AHEAD = 16
"""The text of so many further pages is looked at for running headers and footers."""


def page_raw_text(textpage: Any) -> str:
    """Return PDFium's text of a page such that index i is character i."""
    text: str = textpage.get_text_range()
    count = textpage.count_chars()
    if len(text) == count:
        return text
    codes = (pdfium_c.FPDFText_GetUnicode(textpage.raw, i) for i in range(count))
    return "".join(chr(c) if 0 < c <= 0xFFFF else "\ufffe" for c in codes)


@dataclass(frozen=True, slots=True)
class _Layer:
    """What PDFium knows of a page."""

    raw: str = ""
    width: float = 0.0
    height: float = 0.0
    painted: Painted = NOTHING


def _layer(document: Any, index: int) -> _Layer:
    """Read a page; nothing of one that cannot be loaded."""
    try:
        page = document[index]
        textpage = page.get_textpage()
    except pdfium.PdfiumError as exc:
        print(f"page {index + 1} cannot be loaded: {exc}", file=sys.stderr)  # noqa: T201
        return _Layer()
    width, height = page.get_size()
    raw = with_raised(page_raw_text(textpage), textpage)
    found = _Layer(raw, width, height, painted(page))
    textpage.close()
    page.close()
    return found


def _groups(total: int, after: int, *, careful: bool) -> Iterator[range]:
    """Yield the indexes of the pages beyond `after`, group by group; `careful`: the first alone."""
    first = after
    while careful and first < min(total, after + CAREFUL_PAGES):
        yield range(first, first + 1)
        first += 1
    for number in range(total):
        size = _GROUPS[min(number, len(_GROUPS) - 1)]
        if first >= total:
            return
        yield range(first, min(first + size, total))
        first += size


class _LookAhead:
    """Reads PDFium's layer of the pages once, some pages ahead of their turn."""

    def __init__(self, document: Any, after: int) -> None:
        self._document = document
        self._waiting: deque[_Layer] = deque()
        self._next = after
        self._running = RunningLines(after)
        self.repeated: frozenset[str] = frozenset()
        self.decorations = Decorations()

    def take(self, indexes: range) -> list[_Layer]:
        """Return the layers of the next pages; `repeated` then knows of pages beyond them."""
        further = _AHEAD if len(indexes) > 1 else 0
        end = min(indexes.stop + further, len(self._document))
        new = [_layer(self._document, i) for i in range(self._next, end)]
        self._next = max(self._next, end)
        self._waiting.extend(new)
        for layer in new:
            self.decorations.add(layer.painted.images)
        self.repeated = self._running.add([layer.raw for layer in new])
        return [self._waiting.popleft() for _ in indexes]


def read_pages(
    path: Path, document: Any, *, max_pages: int, after: int = 0, careful: bool = False
) -> Iterator[Page]:
    """Yield the assembled pages of an open PDF. Library errors pass through to the worker.

    `after` pages are passed over; `careful` reads the next `CAREFUL_PAGES` one by one.
    """
    structure = Structure(path, max_pages=max_pages)
    ahead = _LookAhead(document, after)
    for indexes in _groups(len(document), after, careful=careful):
        layers = ahead.take(indexes)
        parsed = structure.parse(indexes.start + 1, indexes.stop)
        for i, layer in zip(indexes, layers, strict=True):
            label = document.get_page_label(i) or None
            yield _page(i + 1, label, layer, parsed.pop(i + 1, None), structure, ahead)


def _page(
    number: int,
    label: str | None,
    layer: _Layer,
    found: Any,
    structure: Structure,
    ahead: _LookAhead,
) -> Page:
    source = source_of(layer.raw, layer.painted, layer.width, layer.height)
    empty = Page(number=number, label=label, text="", width=layer.width, height=layer.height)
    if source is TextSource.NONE:
        return replace(empty, source=source)
    seen = page_lines(found) if found is not None else PageLines([])
    units = structure.units(found, seen, layer.raw) if found is not None else []
    raw = RawPage(number, label, layer.width, layer.height, layer.raw, units)
    page = assemble(raw, ahead.repeated)
    graphics = found.vector_graphics if found is not None else None
    images = layer.painted.images
    upright = seen if seen.turn == 0 else PageLines([])
    return replace(page, figures=find_figures(page, images, graphics, upright, ahead.decorations))


def title(document: Any) -> str | None:
    """Return the title from the metadata of an open PDF."""
    return document.get_metadata_dict().get("Title") or None
