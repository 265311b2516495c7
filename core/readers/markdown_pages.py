"""Converted documents have no pages: their text is cut into parts of one to two screens.

A document comes as pieces (headings, paragraphs, list items, tables, code) with plain text. A part
ends before a heading or a piece that would make it too long, and where a slide or a sheet begins;
tables and code go on with their lines in the next part. What a part holds is its `Page.text`.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from core.domain.document import Block, BlockKind, Page, TextSource
from core.text.sentences import sentence_spans

LEAST = 2_000
"""A part of so many characters ends before the next heading."""
MOST = 4_000
"""No part is longer, headings at its beginning and slides apart."""
MOST_OF_SLIDE = 50_000
"""So that the number of a slide is the number of its part."""
_BY_LINES = (BlockKind.TABLE, BlockKind.CODE)
_SMALL_ROOM = 400
"""With less room than this at its end, a part is not begun to be filled with a table or code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A heading, paragraph, list item, table or stretch of code in plain text.

    `lines` are the rows of a table (cells joined by two spaces, see `row_text`) or the lines of
    code; any other piece has one, which may hold line breaks. `level` as in `Block`. `breaks` says
    that a part begins here, even if nothing else follows before the next such piece.
    """

    kind: BlockKind = BlockKind.OTHER
    lines: tuple[str, ...] = ()
    level: int = 0
    breaks: bool = False


def row_text(cells: Sequence[str]) -> str:
    """Return a table's row as text; `split("  ")` gives the cells back, empty ones too.

    A cell must not hold two spaces or a line break. Empty cells at the end fall away.
    """
    return "  ".join(cells).rstrip()


class _Part:
    """The part in the making."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.size = 0
        self.begun = False
        """A slide or sheet has begun: the part is there even when it stays empty."""

    def add(self, piece: Piece) -> None:
        self.size += _size(piece) + 2
        self.pieces.append(piece)


def _size(piece: Piece) -> int:
    return sum(map(len, piece.lines)) + max(0, len(piece.lines) - 1)


def _sentences(text: str, most: int) -> Iterator[str]:
    """Cut a long text after sentences, or anywhere where one is too long itself."""
    ends = [end for _, end in sentence_spans(text)]
    start = 0
    while len(text) - start > most:
        before = bisect_right(ends, start + most) - 1
        cut = ends[before] if before >= 0 and ends[before] > start else start + most
        yield text[start:cut].strip()
        start = cut
    yield text[start:].strip()


def _cut_line(line: str, most: int) -> Iterator[str]:
    while len(line) > most:
        space = line.rfind(" ", most // 2, most)
        cut = most if space < 0 else space
        yield line[:cut]
        line = line[cut:].lstrip()
    yield line


def _lines_that_fit(lines: Sequence[str], room: int, kind: BlockKind) -> int:
    """Return how many lines go into the room; code is rather cut before a line that starts anew."""
    count = size = 0
    anew = 0
    for line in lines:
        size += len(line) + 1
        if size > room + 1:
            break
        if kind is BlockKind.CODE and count and line[:1].strip() and not lines[count - 1].strip():
            anew = count
        count += 1
    return anew if count < len(lines) and anew > count // 2 else count


class _Cutter:
    def __init__(self, most: int) -> None:
        self._most = most
        self._part = _Part()
        self._number = 0

    def add(self, piece: Piece) -> Iterator[Page]:
        part = self._part
        if piece.breaks and (part.begun or part.pieces):
            yield self._finish()
        self._part.begun = self._part.begun or piece.breaks
        if piece.kind is BlockKind.HEADING and self._part.size >= LEAST:
            yield self._finish()
        if piece.kind in _BY_LINES:
            yield from self._add_lines(piece)
        elif piece.lines:
            for text in _sentences(piece.lines[0], self._most):
                yield from self._make_room(len(text))
                if text:
                    self._part.add(replace(piece, lines=(text,)))

    def _add_lines(self, piece: Piece) -> Iterator[Page]:
        lines = [cut for line in piece.lines for cut in _cut_line(line, self._most)]
        at = 0
        while at < len(lines):
            count = self._lines_in_part(lines[at : at + self._most], piece.kind)
            if count == 0:
                yield from self._make_room(self._most)
                count = max(1, self._lines_in_part(lines[at : at + self._most], piece.kind))
            level = piece.level if at == 0 else 0
            self._part.add(replace(piece, lines=tuple(lines[at : at + count]), level=level))
            at += count

    def _lines_in_part(self, lines: Sequence[str], kind: BlockKind) -> int:
        """Return how many lines this part takes; none rather than a few at its end."""
        room = self._most - self._part.size
        count = _lines_that_fit(lines, room, kind)
        few = count < len(lines) and room < _SMALL_ROOM
        return 0 if few and self._part.size >= LEAST else count

    def _make_room(self, size: int) -> Iterator[Page]:
        """End the part when `size` more does not fit; a heading at its end goes on."""
        pieces = self._part.pieces
        if not pieces or self._part.size + size <= self._most:
            return
        last = len(pieces)
        while last > 0 and pieces[last - 1].kind is BlockKind.HEADING:
            last -= 1
        if last == 0:
            return
        self._part.pieces, moved = pieces[:last], pieces[last:]
        yield self._finish()
        for piece in moved:
            self._part.add(piece)

    def _finish(self) -> Page:
        self._number += 1
        made = _page(self._number, self._part.pieces)
        self._part = _Part()
        return made

    def finish(self) -> Iterator[Page]:
        if self._part.pieces or self._part.begun:
            yield self._finish()


def _page(number: int, pieces: Sequence[Piece]) -> Page:
    parts: list[str] = []
    blocks: list[Block] = []
    size = 0
    for piece in pieces:
        both_items = bool(blocks) and blocks[-1].kind is piece.kind is BlockKind.LIST
        separator = "" if not blocks else "\n" if both_items else "\n\n"
        text = "\n".join(piece.lines)
        start = size + len(separator)
        size = start + len(text)
        parts += [separator, text]
        blocks.append(Block(kind=piece.kind, start=start, end=size, level=piece.level))
    return Page(
        number=number,
        label=None,
        text="".join(parts),
        width=0,
        height=0,
        blocks=tuple(blocks),
        source=TextSource.CONVERTED,
    )


def pages_of(pieces: Iterable[Piece], *, most: int = MOST) -> Iterator[Page]:
    """Yield the parts of a document as pages; `most` characters each at most."""
    cutter = _Cutter(most)
    for piece in pieces:
        yield from cutter.add(piece)
    yield from cutter.finish()
