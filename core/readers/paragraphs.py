"""Paragraphs and list items from the lines of a column: where liteparse has none, or too long
ones."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from core.domain.document import BlockKind
from core.readers.display import Rect
from core.readers.lines import Line, PageLines, around
from core.readers.units import Unit
from core.text.clean import join_cjk
from core.text.letters import letters, letters_with_offsets
from core.text.sentences import closes

_PITCH = 1.35
"""Lines of one paragraph are at most so many usual distances apart."""
_INDENT = 0.8
"""Letter heights by which the first line of a paragraph begins further right."""
_SHORT = 2.0
"""Letter heights by which the last line of a paragraph ends before the column does."""
_SAME_SIZE = 0.6
"""Points by which the letters of one paragraph may differ from line to line."""
_HYPHENS = ("-", "\u00ad", "\u2010", "\x02", "\ufffe")
_BULLETS = frozenset("•▪◦‣·*–—-●○■□➢✓")


def join_lines(lines: Sequence[Line]) -> str:
    """Return lines as running text, words broken at line ends mended."""
    text = ""
    for line in lines:
        if text.endswith(_HYPHENS) and line.text[:1].islower():
            text = text[:-1] + line.text
        else:
            text = join_cjk(f"{text} {line.text}".strip())
    return text


def spare_paragraphs(page: PageLines) -> list[Unit]:
    """Return the paragraphs of each column by indents and distances, as spare units."""
    columns = page.columns or [page.across]
    return [
        Unit(BlockKind.PARAGRAPH, join_lines(group), spare=True)
        for lines in columns
        for group in _groups(lines)
        if len(group) > 1
    ]


def _groups(lines: Sequence[Line]) -> Iterator[list[Line]]:
    if not lines:
        return
    pitches = [b.box[1] - a.box[1] for a, b in pairwise(lines)]
    usual = median(pitches) if pitches else 0.0
    x1 = max(line.box[2] for line in lines)
    group = [lines[0]]
    for line in lines[1:]:
        if _begins(line, group, usual=usual, right=x1):
            yield group
            group = []
        group.append(line)
    yield group


def _begins(line: Line, group: Sequence[Line], *, usual: float, right: float) -> bool:
    """Tell whether a line begins a paragraph."""
    before = group[-1]
    if len(line.chunks) > 1 or len(before.chunks) > 1:
        return True
    if abs(line.size - before.size) > _SAME_SIZE:
        return True
    if line.box[1] - before.box[1] > _PITCH * usual:
        return True
    if line.box[0] > before.box[0] + _INDENT * line.size:
        return True
    return closes(before.text) and before.box[2] < right - _SHORT * before.size


def hangs(unit: Unit, page: PageLines) -> bool:
    """Tell whether the lines of a list item stand under its words, and not under its mark."""
    lines = _lines_in(unit.box, page)
    return len(lines) > 1 and any(abs(line.box[0] - _under(lines[0])) < 2 for line in lines[1:])


def _under(first: Line) -> float:
    """Return where the words of a list item begin."""
    return (first.words[1] if len(first.words) > 1 else first.words[0]).box[0]


def split_item(unit: Unit, page: PageLines, *, hanging: bool) -> list[Unit]:
    """Part a list item from the paragraph that follows it at the margin, and from further items.

    `hanging` says that list items of this page have their lines under their words.
    """
    lines = _lines_in(unit.box, page)
    if len(lines) < 2 or letters(unit.text) != letters("".join(line.text for line in lines)):
        return [unit]
    under = _under(lines[0])
    right = max(line.box[2] for line in lines)
    cuts = []
    for i, (before, line) in enumerate(pairwise(lines), start=1):
        at_margin = line.box[0] < under - 2
        short = before.box[2] < right - _SHORT * before.size
        if line.words[0].text[:1] in _BULLETS and at_margin:
            cuts.append((i, unit.kind))
        elif at_margin and (hanging or short) and closes(before.text):
            cuts.append((i, BlockKind.PARAGRAPH))
    return _cut(unit, lines, cuts)


def split_captions(unit: Unit, page: PageLines, captions: Sequence[Line]) -> list[Unit]:
    """Part a paragraph from a caption that it ends with, or that it begins with.

    `captions` are the lines of the page that begin like one.
    """
    if not any(_stands_in(line, unit.box) for line in captions):
        return [unit]
    lines = _lines_in(unit.box, page)
    if len(lines) < 2 or letters(unit.text) != letters("".join(line.text for line in lines)):
        return [unit]
    margin = min(line.box[0] for line in lines)
    cuts = []
    for i, (before, line) in enumerate(pairwise(lines), start=1):
        begins = line in captions and (closes(before.text) or _moves(before, line))
        # A caption in the middle of its column ends where the text goes on at the margin.
        ends = before in captions and line.box[0] < margin + 2 and _moves(before, line)
        if begins or ends:
            cuts.append((i, unit.kind))
    return _cut(unit, lines, cuts)


def _moves(before: Line, line: Line) -> bool:
    return abs(line.box[0] - before.box[0]) > _INDENT * line.size


def _stands_in(line: Line, box: Rect | None) -> bool:
    if box is None:
        return False
    x, y = line.box[0], (line.box[1] + line.box[3]) / 2
    return box[0] - 2 <= x <= box[2] and box[1] <= y <= box[3]


def _lines_in(box: Rect | None, page: PageLines) -> list[Line]:
    columns = page.columns or [page.across]
    return [line for lines in columns for line in lines if _stands_in(line, box)]


def _cut(unit: Unit, lines: Sequence[Line], cuts: Sequence[tuple[int, BlockKind]]) -> list[Unit]:
    """Cut a unit before some of its lines."""
    out: list[Unit] = []
    kind, begin, first = unit.kind, 0, 0
    _, offsets = letters_with_offsets(unit.text)
    for index, next_kind in [*cuts, (len(lines), unit.kind)]:
        size = len(letters("".join(line.text for line in lines[first:index])))
        done = sum(len(letters(u.text)) for u in out) + size
        end = len(unit.text) if index == len(lines) else offsets[done]
        while end > begin and index < len(lines) and unit.text[end - 1] in _OPENING:
            end -= 1
        text = unit.text[begin:end].strip()
        if text:
            box = around(line.box for line in lines[first:index])
            out.append(replace(unit, kind=kind, text=text, box=box))
        kind, begin, first = next_kind, end, index
    return out


_OPENING = _BULLETS | frozenset("“‘\"'（(《「『【 ")
