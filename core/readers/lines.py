"""The visual lines of a page with their fonts, column by column. From liteparse's text items."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core.readers.display import Rect
from core.text.clean import clean, join_cjk

_MONO = re.compile(r"mono|courier|consol|menlo|typewriter|cmtt|code|fixed|inconsolata", re.I)
_SCALED = (0.6, 1.8)
_NO_SPACE = 0.12
"""A gap of so many letter heights is no space."""
MAX_WORDS = 15_000
"""A page with more words is no page to look at closely: a dense one has two thousand."""
_TURNED = 5
"""Degrees from which text is turned."""
_SAME_LINE = 0.5
"""Words share a line when their middles differ by less than this part of the lower one's height."""
GAP = 0.85
"""A gap of so many letter heights parts cells, and columns."""
_CJK_CLOSING = frozenset("）】》」』，。；：、！？")
_CJK_OPENING = frozenset("（【《「『“‘")
_HALF_EMPTY = 0.45
"""Share of a full-width mark that is white."""
_STEP = 2
"""Points between two places where a gutter is looked for."""
_MIN_VOTES = 7
_FILLED = 0.6
"""Share of a column's width that a line of running text fills."""


@dataclass(frozen=True, slots=True)
class Word:
    """A run of letters without white space."""

    text: str
    box: Rect
    size: float
    mono: bool


@dataclass(frozen=True)
class Line:
    """Words side by side, left to right."""

    words: Sequence[Word]

    @cached_property
    def box(self) -> Rect:
        """The rectangle around the line."""
        x0, y0, x1, y1 = self.words[0].box
        for word in self.words:
            _, top, right, bottom = word.box
            if top < y0:
                y0 = top
            if bottom > y1:
                y1 = bottom
            if right > x1:
                x1 = right
        return x0, y0, x1, y1

    @cached_property
    def size(self) -> float:
        """The size of most of its letters, to half a point."""
        first = self.words[0].size
        if all(word.size == first for word in self.words):
            return round(first * 2) / 2
        return _usual_size(self.words)

    @cached_property
    def text(self) -> str:
        """The words with single spaces; none between CJK characters."""
        text = " ".join([word.text for word in self.words])
        if text.isascii() and text.isprintable():
            return text
        return join_cjk(clean(text))

    @cached_property
    def chunks(self) -> "list[Line]":
        """The line cut at wide gaps."""
        out: list[list[Word]] = [[self.words[0]]]
        for word in self.words[1:]:
            before = out[-1][-1]
            if word.box[0] - before.box[2] >= GAP * max(self.size, before.size):
                out.append([])
            out[-1].append(word)
        return [Line(words) for words in out]


@dataclass(slots=True)
class PageLines:
    """All lines across the page, and the lines of each column."""

    across: list[Line]
    columns: list[list[Line]] = field(default_factory=list)
    body: float = 0.0
    """Size of most letters of the page."""
    turn: int = 0
    """Degrees by which they are turned. Places are those of the page held upright."""


def _usual_size(words: Iterable[Word]) -> float:
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return round(sizes.most_common(1)[0][0] * 2) / 2


def around(boxes: Iterable[Rect]) -> Rect:
    """Return the rectangle around some rectangles."""
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def letter_height(item: Any, *, sideways: bool = False) -> float:
    """Return the size of an item's letters in points.

    The font's own size does not count where the page scales it: then the height of the box does.
    """
    size, height = item.font_size or 0.0, (item.width if sideways else item.height) or 1.0
    return size if _SCALED[0] * height <= size <= _SCALED[1] * height else height


def turn_of(page: Any) -> int:
    """Return by how many degrees most letters of a page are turned: 0, 90, 180 or 270."""
    turns: Counter[int] = Counter()
    for item in page.text_items:
        turns[round((item.rotation or 0) / 90) % 4 * 90] += len(item.text)
    return turns.most_common(1)[0][0] if turns else 0


def words_of(page: Any, turn: int) -> list[Word]:
    """Return the words of one of liteparse's pages that are turned so, as if held upright."""
    out = []
    for item in page.text_items:
        if _TURNED < ((item.rotation or 0) - turn) % 360 < 360 - _TURNED:
            continue
        mono = bool(_MONO.search(item.font_name or ""))
        size = letter_height(item, sideways=turn in (90, 270))
        for word in item.words:
            text = word.text.strip()
            if not text or word.width <= 0:
                continue
            box = (word.x, word.y, word.x + word.width, word.y + word.height)
            if turn:
                box = _held(box, turn, page.width, page.height)
            if text[0] in _CJK_OPENING or text[-1] in _CJK_CLOSING:
                box = _inked(box, text, size)
            out.append(Word(text, box, size, mono))
    return out


def _held(box: Rect, turn: int, width: float, height: float) -> Rect:
    x0, y0, x1, y1 = box
    if turn == 90:
        return y0, width - x1, y1, width - x0
    if turn == 180:
        return width - x1, height - y1, width - x0, height - y0
    if turn == 270:
        return height - y1, x0, height - y0, x1
    return box


def _inked(box: Rect, text: str, size: float) -> Rect:
    """Leave out the white half of full-width marks at the ends of a word."""
    white = _HALF_EMPTY * size
    x0 = box[0] + white if text[0] in _CJK_OPENING else box[0]
    x1 = box[2] - white if text[-1] in _CJK_CLOSING else box[2]
    return (x0, box[1], x1, box[3]) if x0 < x1 else box


def _mended(line: Line) -> Line:
    """Put together the pieces of words that liteparse parts where text is turned."""
    words = [line.words[0]]
    for word in line.words[1:]:
        before = words[-1]
        if word.box[0] - before.box[2] < _NO_SPACE * word.size:
            box = around((before.box, word.box))
            words[-1] = Word(before.text + word.text, box, word.size, word.mono)
        else:
            words.append(word)
    return Line(words)


def to_lines(words: Iterable[Word]) -> list[Line]:
    """Group words into lines, top to bottom."""
    rows: list[list[Word]] = []
    first = lower = 0.0
    for word in sorted(words, key=_middle):
        middle = _middle(word)
        height = word.box[3] - word.box[1]
        if rows and middle - first < _SAME_LINE * max(min(lower, height), 1.0):
            rows[-1].append(word)
            lower = min(lower, height)
        else:
            rows.append([word])
            first, lower = middle, height
    return [Line(sorted(row, key=_left)) for row in rows]


def _middle(word: Word) -> float:
    return (word.box[1] + word.box[3]) / 2


def _left(word: Word) -> float:
    return word.box[0]


def page_lines(page: Any) -> PageLines:
    """Return the lines of one of liteparse's pages."""
    turn = turn_of(page)
    words = words_of(page, turn)
    if not words or len(words) > MAX_WORDS:
        return PageLines([])
    across = to_lines(words)
    if turn:
        across = [_mended(line) for line in across]
        words = [word for line in across for word in line.words]
    gutter = _gutter(across)
    if gutter is None:
        columns = [across]
    else:
        spanning = [w for w in words if w.box[0] < gutter < w.box[2]]
        left = [w for w in words if w.box[2] <= gutter]
        right = [w for w in words if w.box[0] >= gutter]
        columns = [to_lines(part) for part in (left, right, spanning) if part]
    return PageLines(across, columns, _usual_size(words), turn)


def _gutter(lines: Sequence[Line]) -> float | None:
    """Return where two columns of running text part, None on a page with one column."""
    x0, _, x1, _ = around(line.box for line in lines)
    low, high = x0 + (x1 - x0) * 0.3, x0 + (x1 - x0) * 0.7
    places = [low + _STEP * i for i in range(int((high - low) / _STEP) + 1)]
    # A vote for each pair of lines, one left and one right, that fill their column: they need not
    # stand side by side, as the lines of two columns may be set off against each other.
    left, right = [0] * len(places), [0] * len(places)
    for chunk in (chunk for line in lines for chunk in line.chunks):
        start, end = chunk.box[0], chunk.box[2]
        last = min(x1, x0 + (end - start) / _FILLED)
        for i in range(bisect_left(places, end), bisect_left(places, last)):
            left[i] += 1
        first = max(x0, x1 - (end - start) / _FILLED)
        for i in range(bisect_left(places, first), bisect_left(places, start)):
            right[i] += 1
    votes = [min(pair) for pair in zip(left, right, strict=True)]
    most = max(votes)
    if most < _MIN_VOTES:
        return None
    best = [i for i in range(len(places)) if votes[i] == most]
    place = places[best[len(best) // 2]]
    crossed = sum(any(w.box[0] < place < w.box[2] for w in line.words) for line in lines)
    return place if crossed <= most else None
