"""From recognised lines to a page: paragraphs, one text, and where each line of it stands."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from core.domain.document import Block, BlockKind, Line, Page, TextSource
from core.readers.ocr_columns import (
    Corners,
    Piece,
    Point,
    Row,
    Scrap,
    part_of,
    rows_of,
    size_of,
    straighten,
    stretches_of,
)
from core.text.clean import clean, join_cjk
from core.text.letters import letters
from core.text.tokens import CJK, columns, is_cjk

_GAP = 1.4
"""Lines that are so many times the usual distance apart are two paragraphs."""
_INDENT = 0.8
"""Heights of a line by which the first line of a paragraph is moved in."""
_CELL_GAP = 2.0
"""Heights of a line between two cells of a table."""
_FAR = 3
"""Lines that are so many heights apart say nothing about the distance of lines."""
_ROOM, _MUCH_ROOM = 0.4, 2.0
"""Heights of a line that a space and the end of a line take."""
_OTHER_SIZE = 1.17
"""Lines of one paragraph differ less in size: boxes vary by the letters in them."""
_HEADING = 1.17
_TOP_HEADING = 1.6
"""Sizes of headings, by that of the running text."""
_SHORT = 8
"""A line of fewer columns does not tell how large its letters are."""
_HIGHER, _WIDER = 1.07, 1.13
"""Larger letters are both higher and wider; capitals are only wider."""
_MUCH_HIGHER, _MUCH_WIDER = 1.3, 1.22
_HEADING_LINES = 3
_HEADING_COLUMNS = 120
_BODY_LINES = 4
"""With fewer lines than this a page does not tell what its running text looks like."""
_STOPS = tuple(".!?:;。！？：；…")
_CLOSING = "\"'”’»)]）】」』"
_BULLET = re.compile(r"[•●▪◦‣■□○►–—]\s*|\(?\d{1,2}[.)]\s|[（(]?[一二三四五六七八九十]{1,3}[）)、]")
_WIDE = {",": "，", ":": "：", ";": "；", "?": "？", "!": "！"}
_NARROW = re.compile(f"(?<=[{CJK}])[,:;?!](?=[{CJK}]|$)")
"""Punctuation marks of Chinese that the recogniser takes for Latin ones."""
_WORD = re.compile(f"[{CJK}]|[^\\s{CJK}]+")
_SLOPE = 0.5
"""A box is cut in parts where its line rises or falls by this part of its height."""
_TURNED_PARTS = 12
"""Most parts of a line; a line that does not run from left to right is cut into so many."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How the page was held for recognition: `turns` quarter turns to the left of how it is
    displayed, where it is `width` by `height` points."""

    width: float
    height: float
    turns: int = 0

    def displayed(self, point: Point) -> Point:
        """Return a point of the held page on the displayed one."""
        x, y = point
        if self.turns == 1:
            return self.width - y, x
        if self.turns == 2:
            return self.width - x, self.height - y
        if self.turns == 3:
            return y, self.height - x
        return x, y


def _text(row: Row) -> str:
    return join_cjk(" ".join(p.scrap.text for p in row))


def _height(row: Row) -> float:
    return max(p.height for p in row)


@dataclass(frozen=True, slots=True)
class _Size:
    """Height of lines, and width of their letters in points a column of text."""

    height: float
    width: float

    def over(self, other: "_Size") -> float | None:
        """Return how much larger than `other` the letters are; None unless they clearly are."""
        higher, wider = self.height / other.height, self.width / other.width
        return math.sqrt(higher * wider) if higher >= _HIGHER and wider >= _WIDER else None


def _size(rows: Sequence[Row]) -> _Size:
    width = sum(piece.x1 - piece.x0 for row in rows for piece in row)
    return _Size(median(_height(row) for row in rows), width / sum(columns(_text(r)) for r in rows))


def _differ(a: Row, b: Row) -> bool:
    """Tell whether the letters of one row are clearly larger than those of the other."""
    if min(columns(_text(a)), columns(_text(b))) < _SHORT:
        return False
    one, other = _size([a]), _size([b])
    return max(one.over(other) or 1.0, other.over(one) or 1.0) > _OTHER_SIZE


def _has_cells(row: Row) -> bool:
    return any(b.x0 - a.x1 > _CELL_GAP * _height(row) for a, b in pairwise(row))


def _ends_sentence(text: str) -> bool:
    return text.rstrip(_CLOSING + " ").endswith(_STOPS)


def _first_word_width(row: Row) -> float:
    """Return about how wide the first word of a row is, in points."""
    text = row[0].scrap.text
    word = _WORD.match(text)
    share = columns(word.group()) / columns(text) if word else 1.0
    return (row[0].x1 - row[0].x0) * share


def _steps(rows: Sequence[Row]) -> list[float]:
    """Return the distances of neighbouring lines."""
    steps = ((b[0].middle - a[0].middle, _height(a)) for a, b in pairwise(rows))
    return [step for step, height in steps if step < _FAR * height]


class _Column:
    """The rows of a stretch that is read from top to bottom, and what is usual in it."""

    def __init__(self, rows: Sequence[Row], pitch: float) -> None:
        self.rows = rows
        self.right = max(row[-1].x1 for row in rows)
        steps = _steps(rows)
        self.pitch = median(steps) if len(steps) >= _BODY_LINES - 1 else pitch

    def ends_early(self, row: Row, after: Row) -> bool:
        """Tell whether the first word of the next row would still have fitted in this one.

        Where no sentence ends, it must have fitted easily: lines may be ragged.
        """
        room = self.right - row[-1].x1 - _first_word_width(after)
        return room > (_ROOM if _ends_sentence(_text(row)) else _MUCH_ROOM) * _height(row)

    def begins_paragraph(self, i: int) -> bool:
        """Tell whether row `i` begins a paragraph."""
        if i == 0:
            return True
        before, row = self.rows[i - 1], self.rows[i]
        if _has_cells(before) or _has_cells(row) or _differ(before, row):
            return True
        if row[0].middle - before[0].middle > _GAP * max(self.pitch, 0.8 * _height(before)):
            return True
        if row[0].x0 > before[0].x0 + _INDENT * _height(row) and self._is_indented(i):
            return True
        text = _text(before)
        if _BULLET.match(_text(row)) and (_ends_sentence(text) or self.ends_early(before, row)):
            return True
        return self.ends_early(before, row) and (
            _ends_sentence(text) or not _text(row)[:1].islower()
        )

    def _is_indented(self, i: int) -> bool:
        """Tell whether a row that is moved in is the first of several, or stands after an end."""
        row = self.rows[i]
        if i + 1 < len(self.rows):
            return self.rows[i + 1][0].x0 < row[0].x0 - _INDENT * _height(row)
        return _ends_sentence(_text(self.rows[i - 1]))


def _usual_pitch(stretches: Sequence[Sequence[Row]]) -> float:
    """Return the usual distance of two lines on the page; a guess by their height without any."""
    steps = [step for rows in stretches for step in _steps(rows)]
    heights = [_height(row) for rows in stretches for row in rows]
    return median(steps) if len(steps) >= _BODY_LINES - 1 else 1.3 * median(heights)


def _paragraphs(stretches: Sequence[Sequence[Row]]) -> list[list[Row]]:
    pitch = _usual_pitch(stretches)
    out: list[list[Row]] = []
    for rows in stretches:
        column = _Column(rows, pitch)
        for i, row in enumerate(rows):
            begins = column.begins_paragraph(i)
            if begins and i == 0 and out:
                begins = not _goes_on(out[-1], row, rows)
            if begins:
                out.append([row])
            else:
                out[-1].append(row)
    return out


def _goes_on(before: Sequence[Row], row: Row, rows: Sequence[Row]) -> bool:
    """Tell whether the paragraph at the end of a column goes on in the first row of the next."""
    last = before[-1]
    if _has_cells(last) or _has_cells(row) or row[0].x0 < last[0].x1 or len(before) < 2:
        return False
    indented = len(rows) > 1 and row[0].x0 > rows[1][0].x0 + _INDENT * _height(row)
    text = _text(row)
    inside = text[:1].islower() or is_cjk(text[:1])
    return not _differ(last, row) and inside and not indented and not _ends_sentence(_text(last))


def _body_size(paragraphs: Sequence[Sequence[Row]]) -> _Size | None:
    """Return the size of running text: that of the middle letter of the page."""
    rows = [row for rows in paragraphs for row in rows]
    if len(rows) < _BODY_LINES:
        return None
    return _Size(
        _middle_of((_height(row), columns(_text(row))) for row in rows),
        _middle_of((_size([row]).width, columns(_text(row))) for row in rows),
    )


def _middle_of(values: Iterable[tuple[float, int]]) -> float:
    """Return the median of (value, weight)."""
    ordered = sorted(values)
    half = sum(weight for _, weight in ordered) / 2
    for value, weight in ordered:
        half -= weight
        if half <= 0:
            return value
    return ordered[-1][0]


def _heading_ratio(rows: Sequence[Row], body: _Size) -> float:
    """Return by how much the letters are larger than running text, 1 unless they clearly are.

    Much wider letters count alone: boxes are coarse in height. Of capitals only the height counts.
    """
    size, text = _size(rows), "".join(_text(row) for row in rows)
    higher, wider = size.height / body.height, size.width / body.width
    if text.isupper() and not any(map(is_cjk, text)):
        return higher if higher >= _MUCH_HIGHER else 1.0
    if wider >= _MUCH_WIDER and columns(text) > _SHORT:
        return wider
    return size.over(body) or 1.0


def _block(rows: Sequence[Row], body: _Size | None, start: int, end: int) -> Block:
    text = " ".join(_text(row) for row in rows)
    ratio = _heading_ratio(rows, body) if body else 1.0
    if (
        ratio >= _HEADING
        and len(rows) <= _HEADING_LINES
        and columns(text) <= _HEADING_COLUMNS
        and not text[:1].islower()
        and not text.endswith((".", "。"))
        and not any(_has_cells(row) for row in rows)
    ):
        level = 1 if ratio >= _TOP_HEADING else 2
        return Block(kind=BlockKind.HEADING, start=start, end=end, level=level)
    return Block(kind=BlockKind.PARAGRAPH, start=start, end=end)


def _lines(text: str, start: int, corners: Corners, frame: Frame) -> list[Line]:
    """Return the boxes of a stretch of text: one, or several where the line is not level."""
    width, height = size_of(corners)
    rise = abs(corners[1][1] - corners[0][1])
    parts = min(_TURNED_PARTS, max(1, math.ceil(rise / max(1e-6, _SLOPE * height))))
    if frame.turns and width > height:
        parts = _TURNED_PARTS
    parts = max(1, min(parts, len(text)))
    total = columns(text)
    cuts = [round(len(text) * i / parts) for i in range(parts + 1)]
    out: list[Line] = []
    for low, high in pairwise(cuts):
        shares = columns(text[:low]) / total, columns(text[:high]) / total
        points = [frame.displayed(p) for p in part_of(corners, *shares)]
        xs = [min(max(0.0, x), frame.width) for x, _ in points]
        ys = [min(max(0.0, y), frame.height) for _, y in points]
        out.append(
            Line(
                start=start + low,
                end=start + high,
                x0=round(min(xs), 2),
                y0=round(min(ys), 2),
                x1=round(max(xs), 2),
                y1=round(max(ys), 2),
            )
        )
    return out


class _Writer:
    """Puts the one text of a page together."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self.text = ""
        self.lines: list[Line] = []

    def paragraph(self, rows: Sequence[Row]) -> tuple[int, int]:
        """Add a paragraph; return where it stands."""
        if self.text:
            self.text += "\n\n"
        start = len(self.text)
        for piece in (piece for row in rows for piece in row):
            self._add(piece, first=len(self.text) == start)
        return start, len(self.text)

    def _add(self, piece: Piece, *, first: bool) -> None:
        text = piece.scrap.text
        if not first:
            if self._is_hyphenated(text):
                self._drop_hyphen()
            elif join_cjk(f"{self.text[-1]} {text[0]}") != f"{self.text[-1]}{text[0]}":
                self.text += " "
        start = len(self.text)
        self.text += text
        self.lines += _lines(text, start, piece.scrap.corners, self._frame)

    def _is_hyphenated(self, text: str) -> bool:
        return self.text[-1] in "-\u00ad\u2010" and self.text[-2:-1].isalpha() and text[0].islower()

    def _drop_hyphen(self) -> None:
        self.text = self.text[:-1]
        last = self.lines.pop()
        if last.start < len(self.text):
            self.lines.append(
                Line(
                    start=last.start,
                    end=len(self.text),
                    x0=last.x0,
                    y0=last.y0,
                    x1=last.x1,
                    y1=last.y1,
                )
            )


def tidy(text: str) -> str:
    """Return the text of a recognised line as it stands in a page; "" if it has no letters."""
    text = join_cjk(clean(text).replace("\n", " ")).strip()
    text = _NARROW.sub(lambda mark: _WIDE[mark.group()], text)
    return text if letters(text) else ""


def page_of(scraps: Sequence[Scrap], frame: Frame, *, number: int, label: str | None) -> Page:
    """Return the page of the scraps, whose texts are tidy and whose corners are as it was held.

    Without scraps it is a page without text.
    """
    stretches = [rows_of(pieces) for pieces in stretches_of(straighten(scraps))]
    paragraphs = _paragraphs(stretches) if stretches else []
    body = _body_size(paragraphs)
    writer = _Writer(frame)
    blocks = [_block(rows, body, *writer.paragraph(rows)) for rows in paragraphs]
    return Page(
        number=number,
        label=label,
        text=writer.text,
        width=frame.width,
        height=frame.height,
        blocks=tuple(blocks),
        source=TextSource.OCR if writer.text else TextSource.NONE,
        lines=tuple(writer.lines),
    )
