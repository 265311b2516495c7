"""liteparse's blocks as units. Runs in worker processes only."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.domain.document import BlockKind
from core.readers.assemble import Unit, plain

_KINDS = {
    "heading": BlockKind.HEADING,
    "paragraph": BlockKind.PARAGRAPH,
    "list_item": BlockKind.LIST,
    "table": BlockKind.TABLE,
    "code": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}
CELL_GAP = "  "
_HALF_POINT = 2


class Structure:
    """Parses some pages at a time. Heading levels go by the size of their letters, file-wide."""

    def __init__(self, path: Path, *, max_pages: int) -> None:
        self._path = path
        self._max_pages = max_pages
        self._levels: dict[int, int] = {}

    def parse(self, first: int, last: int) -> dict[int, Any]:
        """Return liteparse's pages `first` to `last` (1-based) by number.

        Empty when it refuses what PDFium opened: their text comes from PDFium's lines alone.
        """
        from liteparse import LiteParse, ParseError

        parser = LiteParse(
            output_format="markdown",
            ocr_enabled=False,
            extract_blocks=True,
            extract_links=False,
            extract_vector_graphics=True,
            continue_on_page_error=True,
            target_pages=f"{first}-{last}",
            max_pages=self._max_pages,
            quiet=True,
        )
        try:
            return {page.page_num: page for page in parser.parse(self._path).pages}
        except ParseError as exc:
            # Its own PDFium is stricter with some files.
            print(f"liteparse refused the file: {exc}", file=sys.stderr)  # noqa: T201 - the worker's log
            return {}

    def units(self, page: Any) -> list[Unit]:
        """Return the blocks of one parsed page as units."""
        return [unit for block in page.blocks or () for unit in self._units(page, block)]

    def _units(self, page: Any, block: Any) -> Iterator[Unit]:
        kind = _KINDS.get(block.kind, BlockKind.OTHER)
        if block.rows is not None or block.header is not None:
            yield from rows(block)
        elif block.lines:
            for i, line in enumerate(block.lines):
                yield Unit(BlockKind.CODE, str(line), joins_previous=i > 0)
        elif block.text:
            text = plain(block.text).replace("\n", " ")
            if block.kind == "list_item" and block.marker:
                text = f"{plain(block.marker)} {text}"
            level = self._level(page, block) if kind is BlockKind.HEADING else 0
            yield Unit(kind, text, level)

    def _level(self, page: Any, block: Any) -> int:
        """Return the level of a heading: the one that its size had before, in earlier groups."""
        level = max(1, min(6, block.level or 1))
        size = letter_size(page, block.bbox)
        return self._levels.setdefault(size, level) if size else level


def letter_size(page: Any, box: Any) -> int:
    """Return the size of the first letters in a block's box in half points, 0 if unknown."""
    if box is None:
        return 0
    for item in page.text_items:
        inside = box.x - 1 <= item.x <= box.x + box.width and (
            box.y - 1 <= item.y <= box.y + box.height
        )
        if inside and item.font_size:
            size: float = item.font_size
            return round(size * _HALF_POINT)
    return 0


def rows(block: Any) -> Iterator[Unit]:
    """Yield the rows of a table.

    A "table" of one column is a box around running text: its lines are better read from the page,
    where a heading inside stays a line of its own.
    """
    found = ([block.header] if block.header else []) + list(block.rows or ())
    cells = [[plain(c.text or "").replace("\n", " ") for c in row if c.text] for row in found]
    if all(len(row) <= 1 for row in cells):
        return
    for i, row in enumerate(cells):
        yield Unit(BlockKind.TABLE, CELL_GAP.join(row), joins_previous=i > 0)
