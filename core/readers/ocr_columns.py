"""Reading order of recognised lines: skew, columns, rows. Pure geometry."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from core.text.tokens import columns

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]

_GUTTER = 0.5
"""Columns of text are at least this part of a line's height apart."""
_COLUMN_WIDTH = 12
"""The lines of a column of text are mostly at least so many columns wide; table cells are not."""
_FILLED = 0.65
"""The lines of a column of text mostly take at least this part of its width."""
_COLUMN_LINES = 2
_EDGE_GAP = 0.5
"""Headers and footers are this part of a line's height away from the text, clear of any line."""
_EDGE_ROWS = 2
_EDGE_PIECES = 6
_MOST_SKEW = math.radians(5)
_SAME_ROW = 0.5
"""Heights of a line between the middles of two pieces of one row."""
_SAME_GUTTER = 2.0
"""Points between two right edges that are tried as one."""


@dataclass(frozen=True, slots=True)
class Scrap:
    """A recognised line, or the part of one, as the recogniser found it.

    `corners` are those of its letters, clockwise from the top left of the text, in points.
    """

    text: str
    corners: Corners


@dataclass(frozen=True, slots=True)
class Piece:
    """A scrap with its upright rectangle on the page turned straight."""

    scrap: Scrap
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def height(self) -> float:
        """Height of the line in points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Height of its middle on the page."""
        return (self.y0 + self.y1) / 2


Row = tuple[Piece, ...]
"""Pieces side by side, from left to right."""


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def size_of(corners: Corners) -> tuple[float, float]:
    """Return width and height of a turned rectangle."""
    a, b, c, d = corners
    return (math.dist(a, b) + math.dist(d, c)) / 2, (math.dist(a, d) + math.dist(b, c)) / 2


def _at(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def part_of(corners: Corners, low: float, high: float) -> Corners:
    """Return the part of a line between two shares of its width."""
    a, b, c, d = corners
    return _at(a, b, low), _at(a, b, high), _at(d, c, high), _at(d, c, low)


def skew(scraps: Sequence[Scrap]) -> float:
    """Return by how much the lines fall to the right, in radians: the median by width."""
    falls: list[tuple[float, float]] = []
    for scrap in scraps:
        a, b, c, d = scrap.corners
        left, right = _middle(a, d), _middle(b, c)
        width, height = size_of(scrap.corners)
        if width > 3 * height:
            falls.append((math.atan2(right[1] - left[1], right[0] - left[0]), width))
    half = sum(width for _, width in falls) / 2
    for fall, width in sorted(falls):
        half -= width
        if half <= 0:
            return fall if abs(fall) <= _MOST_SKEW else 0.0
    return 0.0


def straighten(scraps: Sequence[Scrap]) -> list[Piece]:
    """Return the scraps with their rectangles on the page turned by its skew."""
    angle = skew(scraps)
    cos, sin = math.cos(angle), math.sin(angle)
    out: list[Piece] = []
    for scrap in scraps:
        a, _, c, _ = scrap.corners
        x, y = _middle(a, c)
        x, y = x * cos + y * sin, y * cos - x * sin
        width, height = size_of(scrap.corners)
        out.append(Piece(scrap, x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    return out


def _joins(row: Sequence[Piece], piece: Piece) -> bool:
    """Tell whether a piece stands in a row: as high as its first one, and beside all of it."""
    height = min(row[0].height, piece.height)
    if piece.middle - row[0].middle > _SAME_ROW * height:
        return False
    return all(min(p.x1, piece.x1) - max(p.x0, piece.x0) < height for p in row)


def rows_of(pieces: Sequence[Piece]) -> list[Row]:
    """Return pieces as rows, from top to bottom."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda p: p.middle):
        if rows and _joins(rows[-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [tuple(sorted(row, key=lambda p: p.x0)) for row in rows]


def _is_running_text(side: Sequence[Piece]) -> bool:
    """Tell running text, in one or several columns, from cells: its lines are long and fill it."""
    if median(columns(p.scrap.text) for p in side) < _COLUMN_WIDTH:
        return False
    width = max(p.x1 for p in side) - min(p.x0 for p in side)
    filled = median(sum(p.x1 - p.x0 for p in row) for row in rows_of(side))
    return filled >= _FILLED * width


@dataclass(slots=True)
class _Band:
    """What stands between two lines that run over both columns."""

    left: list[Piece]
    right: list[Piece]

    def is_columns(self) -> bool:
        sides = (self.left, self.right)
        if any(len(side) < _COLUMN_LINES for side in sides):
            return False
        if not all(_is_running_text(side) for side in sides):
            return False
        tops = [min(p.y0 for p in side) for side in sides]
        ends = [max(p.y1 for p in side) for side in sides]
        return min(ends) > max(tops)


def _bands(pieces: Sequence[Piece], left_end: float, gap: float) -> list[Piece | _Band]:
    """Return the lines that cross a gutter and the bands between them, from top to bottom.

    One that only reaches into the gutter does not cross it: boxes are not that exact.
    """
    right_start = left_end + gap
    crossing = sorted(
        (p for p in pieces if p.x0 < left_end and p.x1 > right_start), key=lambda p: p.middle
    )
    middles = [p.middle for p in crossing]
    bands = [_Band([], []) for _ in range(len(crossing) + 1)]
    for piece in pieces:
        if piece.x1 <= right_start:
            bands[bisect_left(middles, piece.middle)].left.append(piece)
        elif piece.x0 >= left_end:
            bands[bisect_left(middles, piece.middle)].right.append(piece)
    out: list[Piece | _Band] = [bands[0]]
    for line, band in zip(crossing, bands[1:], strict=True):
        out += [line, band]
    return out


def _best_gutter(pieces: Sequence[Piece], gap: float) -> list[Piece | _Band] | None:
    """Return the page cut at the gutter that has most lines beside it; None without columns."""
    lefts = sorted(p.x0 for p in pieces)
    rights = sorted(p.x1 for p in pieces)
    best: list[Piece | _Band] | None = None
    most = 0
    last = -math.inf
    for end in reversed(rights):
        on_left = bisect_right(rights, end + gap)
        on_right = len(pieces) - bisect_left(lefts, end)
        if abs(last - end) < _SAME_GUTTER or min(on_left, on_right) < _COLUMN_LINES:
            continue
        if on_left + on_right <= most:
            continue
        last = end
        cut = _bands(pieces, end, gap)
        found = [b for b in cut if isinstance(b, _Band) and b.is_columns()]
        beside = sum(len(b.left) + len(b.right) for b in found)
        if beside > most:
            best, most = cut, beside
    return best


def columns_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return the pieces in stretches that are read one after another, each top to bottom.

    Columns of text are read from left to right; a line over both ends what stands above it. What
    is not running text (tables, forms) stays together, to be read row by row.
    """
    if not pieces:
        return []
    gap = _GUTTER * median(p.height for p in pieces)
    cut = _best_gutter(pieces, gap)
    if cut is None:
        return [list(pieces)]
    out: list[list[Piece]] = []
    rest: list[Piece] = []
    for part in cut:
        if isinstance(part, Piece):
            rest.append(part)
        elif part.is_columns():
            out += columns_of(rest) + columns_of(part.left) + columns_of(part.right)
            rest = []
        else:
            rest += part.left + part.right
    return out + columns_of(rest)


def _edge(ordered: Sequence[Piece], gap: float) -> int:
    """Return how many of the first pieces are a header: a row or two before an empty stripe."""
    end = ordered[0].y1
    for i, piece in enumerate(ordered[: _EDGE_PIECES + 1]):
        if piece.y0 - end > gap:
            return i if len(rows_of(ordered[:i])) <= _EDGE_ROWS else 0
        end = max(end, piece.y1)
    return 0


def _upside_down(pieces: Sequence[Piece]) -> list[Piece]:
    return [Piece(p.scrap, p.x0, -p.y1, p.x1, -p.y0) for p in pieces]


def stretches_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Return `columns_of` the pieces, with what stands apart at the top first and at the foot last.

    Headers and footers would else become the first or last lines of a column.
    """
    if not pieces:
        return []
    gap = _EDGE_GAP * median(p.height for p in pieces)
    ordered = sorted(pieces, key=lambda p: p.y0)
    top = _edge(ordered, gap)
    head, body = ordered[:top], ordered[top:]
    body.sort(key=lambda p: -p.y1)
    foot = body[: _edge(_upside_down(body), gap)]
    body = body[len(foot) :]
    return [part for part in (head, *columns_of(body), foot) if part]
