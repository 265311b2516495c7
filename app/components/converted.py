"""HTML of a part of a converted document: its blocks, with the quoted stretches marked.

Everything is built from plain text and escaped; what looks like markup in a document stays text.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby

from app.components.elements import element
from app.presenters import escape
from core.domain.document import Block, BlockKind, Page

Marks = Sequence[tuple[int, int]]
CELL_GAP = "  "
DEEPEST = 6  # levels of headings in HTML
BELOW = 2  # headings of a document stand below those of the panel


class _Marker:
    """Writes stretches of a page's text; the first mark is told apart, to be scrolled to."""

    def __init__(self, text: str, marks: Marks) -> None:
        self._text = text
        self._marks = sorted((start, end) for start, end in marks if start < end)
        self._first = True

    def html(self, start: int, end: int) -> str:
        """Return `text[start:end]` as HTML."""
        parts: list[str] = []
        at = start
        for first, last in self._marks:
            low, high = max(first, at), min(last, end)
            if low >= high:
                continue
            parts.append(escape(self._text[at:low]))
            parts.append(
                element(
                    "mark",
                    escape(self._text[low:high]),
                    class_="proof",
                    data_first_proof=self._first,
                )
            )
            self._first = False
            at = high
        parts.append(escape(self._text[at:end]))
        return "".join(parts)


def _lines(page: Page, block: Block) -> Iterator[tuple[int, int]]:
    start = block.start
    for line in page.text[block.start : block.end].split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _cells(page: Page, start: int, end: int) -> Iterator[tuple[int, int]]:
    for cell in page.text[start:end].split(CELL_GAP):
        yield start, start + len(cell)
        start += len(cell) + len(CELL_GAP)


def _table(page: Page, block: Block, marker: _Marker) -> str:
    rows = [list(_cells(page, start, end)) for start, end in _lines(page, block)]
    width = max(map(len, rows))
    written = [
        element(
            "tr",
            *(
                element("th" if i < block.level else "td", marker.html(start, end))
                for start, end in row
            ),
            *["<td></td>"] * (width - len(row)),
        )
        for i, row in enumerate(rows)
    ]
    head = element("thead", *written[: block.level]) if block.level else ""
    table = element("table", head, element("tbody", *written[block.level :]))
    return element("div", table, class_="part-table", tabindex=0)


def _block(page: Page, block: Block, marker: _Marker) -> str:
    if block.kind is BlockKind.TABLE:
        return _table(page, block, marker)
    content = marker.html(block.start, block.end)
    if block.kind is BlockKind.HEADING:
        return element(f"h{min(DEEPEST, max(1, block.level) + BELOW)}", content)
    if block.kind is BlockKind.CODE:
        return element("pre", content, tabindex=0)
    kind = None if block.kind is BlockKind.PARAGRAPH else f"part-{block.kind.value}"
    return element("p", content, class_=kind)


def converted_page_html(page: Page, marks: Marks = ()) -> str:
    """Return a part of a converted document. `marks` are (start, end) in `page.text`.

    The element scrolls with the panel, as a page image does.
    """
    marker = _Marker(page.text, marks)
    blocks = page.blocks or (Block(kind=BlockKind.PARAGRAPH, start=0, end=len(page.text)),)
    written: list[str] = []
    for is_list, group in groupby(blocks, key=lambda b: b.kind is BlockKind.LIST):
        if is_list:
            items = [element("li", marker.html(b.start, b.end)) for b in group]
            written.append(element("ul", *items))
        else:
            written += [_block(page, block, marker) for block in group]
    return element("article", *written, class_="page-part", data_page_shown=page.number)
