"""liteparse's blocks as units. Runs in worker processes only."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.document import BlockKind
from core.readers.captions import is_caption
from core.readers.display import NOWHERE, Rect, area
from core.readers.lines import Line, PageLines, letter_height
from core.readers.listings import find_code
from core.readers.notes import find_notes
from core.readers.paragraphs import hangs, spare_paragraphs, split_captions, split_item
from core.readers.tables import Table, find_tables, units_of
from core.readers.turned import turned_groups
from core.readers.units import CELL_GAP, Unit, plain
from core.text.letters import letters
from core.text.sentences import closes

_KINDS = {
    "heading": BlockKind.HEADING,
    "paragraph": BlockKind.PARAGRAPH,
    "list_item": BlockKind.LIST,
    "table": BlockKind.TABLE,
    "code": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}
_HALF_POINT = 2
_USUAL_LEVEL = 2
"""Level of a heading whose size is not known from elsewhere."""
_NOTE_MARK = re.compile(r"(?<=[.!?。！？”’])\d{1,3}$")
_AS_MUCH = 0.97
"""Share of the letters that counts as as many."""
_PART = 0.3
"""Share of the smaller one of two places that makes them one."""
_INSIDE = 0.55
"""Share of a block's area that makes it part of what stands in its place."""


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
            keep_headers_footers=True,
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

    def units(self, page: Any, seen: PageLines, raw: str) -> list[Unit]:
        """Return the blocks of one parsed page as units, in reading order.

        Where this project's own eye for tables, code and footnotes sees one, it replaces what
        liteparse made of the same place.
        """
        if seen.turn:
            lines, groups = turned_groups(seen, self._level_of)
            return replaced(lines, [(group[0].box or NOWHERE, group) for group in groups])
        columns = seen.columns or [seen.across]
        captions = [line for lines in columns for line in lines if is_caption(line.text)]
        blocks = [unit for block in page.blocks or () for unit in self._units(page, block)]
        hanging = any(hangs(u, seen) for u in blocks if u.kind is BlockKind.LIST)
        found = [part for unit in blocks for part in _parts(unit, seen, captions, hanging=hanging)]
        code = find_code(seen)
        tables = [
            (table.box, [replace(u, sure=True) for u in units_of(table.rows, table.box)])
            for table in find_tables(seen)
            if not _kept(table, found, raw)
        ]
        notes = find_notes(seen, page.height)
        made = replaced(found, [*code, *tables, *((box, []) for box, _ in notes)])
        return with_notes(made, [unit for _, group in notes for unit in group]) + (
            spare_paragraphs(seen)
        )

    def _units(self, page: Any, block: Any) -> Iterator[Unit]:
        kind = _KINDS.get(block.kind, BlockKind.OTHER)
        if block.rows is not None or block.header is not None:
            yield from rows(block)
        elif block.lines:
            for i, line in enumerate(block.lines):
                yield Unit(BlockKind.CODE, str(line), joins_previous=i > 0, box=_box(block))
        elif block.text:
            text = plain(block.text).replace("\n", " ")
            if block.kind == "list_item" and block.marker:
                text = f"{plain(block.marker)} {text}"
            level = self._level(page, block) if kind is BlockKind.HEADING else 0
            yield Unit(kind, text, level, box=_box(block))

    def _level(self, page: Any, block: Any) -> int:
        """Return the level of a heading: the one that its size had before, in earlier groups."""
        level = max(1, min(6, block.level or 1))
        size = letter_size(page, block.bbox)
        return self._levels.setdefault(size, level) if size else level

    def _level_of(self, size: float) -> int:
        return self._levels.get(round(size * _HALF_POINT), _USUAL_LEVEL)


def letter_size(page: Any, box: Any) -> int:
    """Return the size of the first letters in a block's box in half points, 0 if unknown."""
    if box is None:
        return 0
    for item in page.text_items:
        inside = box.x - 1 <= item.x <= box.x + box.width and (
            box.y - 1 <= item.y <= box.y + box.height
        )
        if inside:
            return round(letter_height(item) * _HALF_POINT)
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
    if is_caption(caption := " ".join(cells[0])):
        yield Unit(BlockKind.PARAGRAPH, caption, box=_box(block))
        cells = cells[1:]
    yield from units_of(cells, _box(block))


def _parts(unit: Unit, seen: PageLines, captions: Sequence[Line], *, hanging: bool) -> list[Unit]:
    if unit.kind is BlockKind.LIST:
        return split_item(unit, seen, hanging=hanging)
    if captions and unit.kind is BlockKind.PARAGRAPH:
        return split_captions(unit, seen, captions)
    return [unit]


def _box(block: Any) -> Rect | None:
    box = block.bbox
    return None if box is None else (box.x, box.y, box.x + box.width, box.y + box.height)


def _shared(a: Rect, b: Rect) -> float:
    """Return the area that two rectangles share."""
    width = min(a[2], b[2]) - max(a[0], b[0])
    height = min(a[3], b[3]) - max(a[1], b[1])
    return max(0.0, width) * max(0.0, height)


def _kept(table: Table, units: Sequence[Unit], raw: str) -> bool:
    """Tell whether liteparse saw the same table and read it at least as well: more of its rows
    stand on the page as they are, and they are not coarser."""
    theirs = [u for u in units if u.kind is BlockKind.TABLE and u.box is not None]
    boxes = {u.box for u in theirs if u.box and _shared(u.box, table.box) >= area(u.box) / 2}
    if not boxes:
        return False
    rows = [u.text.split(CELL_GAP) for u in theirs if u.box in boxes]
    key = letters(raw)
    mine, read = _standing(table.rows, key), _standing(rows, key)
    coarser = _columns(rows) < table.columns or len(rows) < len(table.rows)
    return read * _AS_MUCH > mine or (read >= _AS_MUCH * mine and not coarser)


def _standing(rows: Sequence[Sequence[str]], key: str) -> int:
    """Return how many letters the rows have that stand on the page in one piece."""
    found = (letters("".join(row)) for row in rows if len(row) > 1)
    return sum(len(row) for row in found if row in key)


def _columns(rows: Sequence[Sequence[str]]) -> int:
    return max((len(row) for row in rows), default=0)


def with_notes(units: list[Unit], notes: list[Unit]) -> list[Unit]:
    """Put footnotes behind everything, or before a last paragraph that the next page goes on
    with: a sentence that runs over the page is then in one piece."""
    at = len(units)
    if (
        at
        and units[-1].kind is BlockKind.PARAGRAPH
        and not closes(_NOTE_MARK.sub("", units[-1].text))
    ):
        at -= 1
        while at and units[at - 1].kind is BlockKind.HEADING:
            at -= 1
    return [*units[:at], *notes, *units[at:]]


def replaced(units: Sequence[Unit], better: Sequence[tuple[Rect, list[Unit]]]) -> list[Unit]:
    """Put each group of `better` units where the units stood that lie in its place.

    Where none did, it goes before the first unit that begins below it in the same column.
    """
    gone = set()
    for i, unit in enumerate(units):
        if unit.box is not None:
            covered = sum(_shared(unit.box, box) for box, _ in better)
            if covered >= _INSIDE * max(1.0, area(unit.box)):
                gone.add(i)
    places = [_position(units, box) for box, _ in better]
    order = sorted(range(len(better)), key=lambda n: (places[n], better[n][0][1]))
    out: list[Unit] = []
    for i in range(len(units) + 1):
        for n in order:
            if places[n] == i:
                out += better[n][1]
        if i < len(units) and i not in gone:
            out.append(units[i])
    return out


def _position(units: Sequence[Unit], box: Rect) -> int:
    """Return the index of the first unit that shares a good part of the place, or is below it."""
    for i, unit in enumerate(units):
        if unit.box is not None and _shared(unit.box, box) >= _PART * min(
            area(unit.box), area(box)
        ):
            return i
    for i, unit in enumerate(units):
        other = unit.box
        if other and other[1] >= box[3] - 1 and other[0] < box[2] and other[2] > box[0]:
            return i
    return len(units)
