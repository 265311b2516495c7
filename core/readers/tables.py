"""Tables without rules, found by the white between their columns."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.domain.document import BlockKind
from core.readers.display import Rect
from core.readers.lines import Line, PageLines, around
from core.readers.units import CELL_GAP, Unit

_MAX_PITCH = 2.6
"""The next row begins within so many letter heights."""
_WRAPPED = 1.6
"""The next line of the same cell begins within so many letter heights."""
_MIN_GUTTER = 0.5
"""Letter heights between two columns."""
_CROSSING = 0.1
"""Share of the rows whose cells may run over the white between two columns."""
_MIN_ROWS = 3
_WIDTHS = 40
"""So many rows before a line tell whether it fits in."""
_LONG_CELL = 45
"""Characters; cells that are so long on average are running text side by side."""
_MARKER = re.compile(r"^([•▪◦‣·*–—-]|\(?(\d{1,3}|[A-Za-z]|[ivx]+)[.)])$")
_NUMBER = re.compile(r"^[\W_]*[-+(]?[$€£¥]?\s?[\d.,]+\s?%?\)?[\W_]*$|^[—–-]+$")
_PERIOD = re.compile(
    r"^\W*(FY|CY)?\s?'?(19|20)\d\d(\s?[–/-]\s?(19|20)?\d\d)?\W*$|^[QH][1-4]\W*((19|20)?\d\d)?$"
)
_LAST_SIGN = re.compile(r"(?:^|\s+)([$€£¥])$")
_CLOSING = re.compile(r"^[)%]+$")
Cells = list[str]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells with the place of the whole. `header` says whether the first row is one."""

    rows: Sequence[Cells]
    box: Rect

    @property
    def columns(self) -> int:
        """Cells of the longest row."""
        return max(len(row) for row in self.rows)


def header_rows(rows: Sequence[Cells]) -> int:
    """Return 1 when the first row names the columns, else 0.

    It does when it has no number where most of the rows below have one; years and quarters are
    names there. In a table of words the first row is taken for the header.
    """
    if len(rows) < 2 or len(rows[0]) < 2:
        return 0
    below = [cell for row in rows[1:] for cell in row[1:]]
    numbers = sum(bool(_NUMBER.match(cell)) for cell in below)
    first = rows[0][1:] if len(rows[0]) >= len(rows[1]) else rows[0]
    plain_numbers = sum(bool(_NUMBER.match(c)) and not _PERIOD.match(c) for c in first)
    if numbers * 2 >= len(below):
        return 0 if plain_numbers else 1
    return 0 if plain_numbers * 2 > len(first) else 1


def units_of(rows: Sequence[Cells], box: Rect | None) -> Iterator[Unit]:
    """Yield the rows of a table as units."""
    tidy = [_tidy(row) for row in rows]
    level = header_rows(tidy)
    for i, row in enumerate(tidy):
        yield Unit(BlockKind.TABLE, CELL_GAP.join(row), level, joins_previous=i > 0, box=box)


def find_tables(page: PageLines) -> list[Table]:
    """Return the tables of a page, those over the whole page before those of its columns."""
    found: list[Table] = []
    sets = [page.across] if len(page.columns) < 2 else [page.across, *page.columns]
    for i, lines in enumerate(sets):
        wide = i == 0 and len(sets) > 1
        for run in _runs(lines, wide=wide):
            table = _table(run)
            if table is not None and not any(_meet(table.box, other.box) for other in found):
                found.append(table)
    return found


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _runs(lines: Sequence[Line], *, wide: bool) -> Iterator[list[Line]]:
    """Yield stretches of lines that have cells, with the lines between them that have one.

    Over the whole of a page with columns, a line with a cell as wide as a column is no row.
    """
    run: list[Line] = []
    if not lines:
        return
    x0, _, x1, _ = around(line.box for line in lines)
    for line in lines:
        chunks = line.chunks
        row = len(chunks) > 1 and not (
            wide and any(c.box[2] - c.box[0] > 0.36 * (x1 - x0) for c in chunks)
        )
        near = run and line.box[1] - run[-1].box[1] < _MAX_PITCH * max(line.size, run[-1].size)
        if run and not near:
            yield from _trimmed(run)
            run = []
        if row or (run and _may_stand_between(line, run)):
            run.append(line)
        elif run:
            yield from _trimmed(run)
            run = []
    yield from _trimmed(run)


def _may_stand_between(line: Line, run: Sequence[Line]) -> bool:
    """Tell whether a line of one cell may be a wrapped cell or the label of a group of rows."""
    widths = [chunk.box[2] - chunk.box[0] for row in run[-_WIDTHS:] for chunk in row.chunks]
    inside = line.box[0] >= min(r.box[0] for r in run[-_WIDTHS:]) - 2 and len(line.chunks) == 1
    return inside and line.box[2] - line.box[0] <= 1.1 * max(widths)


def _trimmed(run: list[Line]) -> Iterator[list[Line]]:
    while run and len(run[-1].chunks) < 2 and not _wraps(run):
        run.pop()
    if sum(len(line.chunks) > 1 for line in run) >= 2:
        yield run


def _wraps(run: Sequence[Line]) -> bool:
    """Tell whether the last line goes on with a cell, other than the first, of the row above."""
    if len(run) < 2:
        return False
    above, last = run[-2], run[-1]
    return (
        last.box[1] - above.box[1] < _WRAPPED * last.size
        and last.box[0] > above.chunks[0].box[2]
        and any(abs(chunk.box[0] - last.box[0]) < last.size for chunk in above.chunks[1:])
    )


def _gutters(run: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the stretches of white between the columns, left to right."""
    height = sum(line.size for line in run) / len(run)
    edges = sorted(
        (x, step)
        for line in run
        for chunk in line.chunks
        for x, step in ((chunk.box[0], 1), (chunk.box[2], -1))
    )
    allowed = int(_CROSSING * len(run))
    out: list[tuple[float, float]] = []
    inked, start = 0, None
    for x, step in edges:
        before = inked
        inked += step
        if before > allowed >= inked:
            start = x
        elif before <= allowed < inked and start is not None:
            if x - start >= _MIN_GUTTER * height:
                out.append((start, x))
            start = None
    return out


def _table(run: Sequence[Line]) -> Table | None:
    gutters = _gutters(run)
    if not gutters:
        return None
    rows = _rows(run, gutters)
    full = [row for row in rows if len(row) > 1]
    enough = len(full) >= _MIN_ROWS or (len(full) == 2 and len(gutters) >= 2)
    if not enough or all(_MARKER.match(row[0]) for row in full):
        return None
    cells = [cell for row in full for cell in row]
    if sum(map(len, cells)) / len(cells) > _LONG_CELL:
        return None
    if any(word.mono for line in run[:2] for word in line.words):
        return None
    return Table(rows, around(line.box for line in run))


def _rows(run: Sequence[Line], gutters: Sequence[tuple[float, float]]) -> list[Cells]:
    """Return the cells of each row; lines that only go on with cells are part of the row above."""
    middles = [(a + b) / 2 for a, b in gutters]
    rows: list[dict[int, str]] = []
    above: Line | None = None
    for line in run:
        cells: dict[int, str] = {}
        for chunk in line.chunks:
            column = sum(chunk.box[0] > middle for middle in middles)
            cells[column] = f"{cells[column]} {chunk.text}" if column in cells else chunk.text
        goes_on = (
            above is not None
            and 0 not in cells
            and line.box[1] - above.box[1] < _WRAPPED * line.size
            and set(cells) <= set(rows[-1])
            and not any(_NUMBER.match(cell) for cell in cells.values())
        )
        if goes_on:
            for column, text in cells.items():
                rows[-1][column] += " " + text
        else:
            rows.append(cells)
        above = line
    return [[row[column] for column in sorted(row)] for row in rows]


def _tidy(row: Sequence[str]) -> Cells:
    """Put a currency sign before its number, a bracket or per cent sign behind it."""
    out: Cells = []
    for cell in row:
        sign = _LAST_SIGN.search(out[-1]) if out and _NUMBER.match(cell) else None
        if sign is not None:
            out[-1] = out[-1][: sign.start()]
            out = [cell for cell in out if cell]
            out.append(f"{sign[1]} {cell}")
        elif out and _CLOSING.match(cell):
            out[-1] += cell
        else:
            out.append(cell)
    return out
