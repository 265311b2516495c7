"""One text per page: liteparse's structure over PDFium's letters.

liteparse gives blocks in reading order with clean words; PDFium gives the characters that can be
boxed. A block whose letters stand contiguously in PDFium's is taken over with its place; what no
such block covers is taken from PDFium's own lines, so that no letter is lost; running headers and
footers are left out. Every stretch of the resulting text therefore knows its letters on the page.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.domain.document import Block, BlockKind, Page, Segment
from core.readers.captions import is_caption
from core.readers.display import Rect
from core.readers.running import MARGIN_LINES, signature
from core.readers.spelling import respelt
from core.text.clean import clean, join_cjk
from core.text.letters import letters, letters_with_offsets
from core.text.tokens import columns, is_cjk

_EMPHASIS = re.compile(r"(\*\*|__|~~|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*]))")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
CELL_GAP = "  "
"""Between the cells of a row."""
_CJK_OPENING = "“‘（《「『【"
_MAY_BE_CAPTIONS = (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.OTHER)
_LONG_LINE = 40
"""A line of so many columns is running text, not a cell or a label."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A heading, paragraph, list item, table row or code line as liteparse read it."""

    kind: BlockKind
    text: str
    level: int = 0
    joins_previous: bool = False
    """The next row of the same table, the next line of the same code."""
    box: Rect | None = None
    """Where it stands, in points from the top left of the displayed page."""
    sure: bool = False
    """Its letters are looked for before those of others."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """What the two libraries gave for one page. `raw` is PDFium's text, index by character."""

    number: int
    label: str | None
    width: float
    height: float
    raw: str
    units: Sequence[Unit]


@dataclass(slots=True)
class _Placed:
    unit: Unit
    start: int
    end: int
    last_line: str = ""
    """Of a paragraph read line by line."""


def plain(markdown: str) -> str:
    """Return inline Markdown as plain clean text."""
    return join_cjk(clean(_EMPHASIS.sub("", _LINK.sub(r"\1", markdown)))).strip()


def _stands_free(raw: str, offsets: Sequence[int], start: int, end: int) -> bool:
    """Tell whether letters `start` to `end` begin and end at the edges of words of `raw`."""
    before, after = offsets[start], offsets[end - 1]
    left = raw[before - 1 : before]
    right = raw[after + 1 : after + 2]
    first, last = raw[before], raw[after]
    return (not left.isalnum() or is_cjk(left) or is_cjk(first)) and (
        not right.isalnum() or is_cjk(right) or is_cjk(last)
    )


def _find(key: str, needle: str, at: int, taken: bytearray, raw: str, offsets: list[int]) -> int:
    """Return where `needle` stands free in `key`, from `at` on or else before it; -1 if nowhere."""
    for low, high in ((at, len(key)), (0, min(len(key), at + len(needle)))):
        found = key.find(needle, low, high)
        while found >= 0:
            end = found + len(needle)
            if not any(taken[found:end]) and _stands_free(raw, offsets, found, end):
                return found
            found = key.find(needle, found + 1, high)
    return -1


def _mark_running(
    page: RawPage, offsets: list[int], taken: bytearray, running: frozenset[str]
) -> None:
    """Take the letters of running headers and footers: lines at the very edge, one by one.

    A page that has nothing else keeps them: there they are what it says.
    """
    marked = bytearray(taken)
    lines = [m for m in re.finditer(r"[^\r\n]+", page.raw) if m.group().strip()]
    for ordered in (lines, lines[::-1]):
        for line in ordered[:MARGIN_LINES]:
            if signature(line.group()) not in running:
                break
            start = bisect_left(offsets, line.start())
            end = bisect_left(offsets, line.end())
            marked[start:end] = b"\1" * (end - start)
    if not all(marked):
        taken[:] = marked


def _place(page: RawPage, key: str, offsets: list[int], taken: bytearray) -> list[_Placed]:
    """Find the letters of the units, the sure ones first; return those found, in their order."""
    found: dict[int, _Placed] = {}
    for sure in (True, False):
        at = 0
        for i, unit in enumerate(page.units):
            needle = letters(unit.text)
            if unit.sure is not sure or not needle:
                continue
            start = _find(key, needle, at, taken, page.raw, offsets)
            if start < 0:
                continue
            end = at = start + len(needle)
            taken[start:end] = b"\1" * len(needle)
            found[i] = _Placed(_spelt(unit, page, offsets, start, end), start, end)
    return [found[i] for i in sorted(found)]


def _spelt(unit: Unit, page: RawPage, offsets: list[int], start: int, end: int) -> Unit:
    """Return the unit as the page spells it. Code and rows are made from the page's own words."""
    if unit.sure or unit.kind is BlockKind.CODE:
        return unit
    gap = CELL_GAP if unit.kind is BlockKind.TABLE else ""
    if gap and gap in unit.text:
        return unit
    text = respelt(unit.text, _slice(page, offsets, start, end))
    kind = BlockKind.CAPTION if unit.kind in _MAY_BE_CAPTIONS and is_caption(text) else unit.kind
    return replace(unit, text=text, kind=kind, level=unit.level if kind is unit.kind else 0)


def _gap_lines(page: RawPage, offsets: list[int], taken: bytearray) -> list[tuple[int, int]]:
    """Return the letters no unit took, as (start, end) split at PDFium's line breaks."""
    out: list[tuple[int, int]] = []
    size = len(taken)
    start = taken.find(0)
    while start >= 0:
        end = taken.find(1, start)
        end = size if end < 0 else end
        line = start
        for i in range(start + 1, end):
            if "\n" in page.raw[offsets[i - 1] + 1 : offsets[i]]:
                out.append((line, i))
                line = i
        out.append((line, end))
        start = taken.find(0, end)
    return out


def _slice(page: RawPage, offsets: list[int], start: int, end: int) -> str:
    """Return PDFium's text of some letters with the punctuation around them."""
    first = offsets[start]
    while first > 0 and not page.raw[first - 1].isspace() and not page.raw[first - 1].isalnum():
        first -= 1
    last = offsets[end - 1] + 1
    while last < len(page.raw) and not page.raw[last].isspace() and not page.raw[last].isalnum():
        last += 1
    return page.raw[first:last]


def _gap_units(page: RawPage, offsets: list[int], taken: bytearray) -> list[_Placed]:
    out: list[_Placed] = []
    for start, end in _gap_lines(page, offsets, taken):
        text = join_cjk(clean(_slice(page, offsets, start, end))).strip()
        # NFKC may turn one letter of the page into several; letters() sees through that.
        if letters(text) != letters(page.raw[offsets[start] : offsets[end - 1] + 1]):
            continue
        if is_caption(text):
            out.append(_Placed(Unit(BlockKind.CAPTION, text), start, end, text))
        elif out and out[-1].end == start and _goes_on(page, offsets, out[-1], start, text):
            out[-1] = _merge(out[-1], text, end)
        else:
            out.append(_Placed(Unit(BlockKind.PARAGRAPH, text), start, end, text))
    return out


def _goes_on(page: RawPage, offsets: list[int], before: _Placed, start: int, text: str) -> bool:
    """Tell whether a line goes on with the paragraph of the line before it."""
    between = page.raw[offsets[start - 1] + 1 : offsets[start]]
    if "\ufffe" in between or (between.lstrip(" ")[:1] in ("-", "\x02") and text[:1].islower()):
        return True
    starts_inside = text[:1].islower() or is_cjk(text[:1]) or text[:1] in _CJK_OPENING
    return columns(before.last_line) >= _LONG_LINE and starts_inside


def _merge(before: _Placed, text: str, end: int) -> _Placed:
    head = before.unit.text
    if head[-1:] in ("-", "\u00ad") and text[:1].islower():
        joined = head[:-1] + text
    else:
        joined = join_cjk(f"{head} {text}")
    return _Placed(Unit(BlockKind.PARAGRAPH, joined), before.start, end, text)


def _in_order(placed: list[_Placed], gaps: list[_Placed]) -> list[_Placed]:
    """Put each gap behind the unit that stands before it on the page."""
    if not gaps:
        return placed
    ends = {p.end: i for i, p in enumerate(placed)}
    behind: dict[int, list[_Placed]] = {}
    bounds = sorted(ends)
    for gap in gaps:
        before = [e for e in bounds if e <= gap.start]
        behind.setdefault(ends[before[-1]] if before else -1, []).append(gap)
    out = list(behind.get(-1, []))
    for i, unit in enumerate(placed):
        out.append(unit)
        out += behind.get(i, [])
    return out


def assemble(page: RawPage, running: frozenset[str]) -> Page:
    """Return the page with its one text, its blocks and the letters each stretch stands on."""
    key, offsets = letters_with_offsets(page.raw)
    taken = bytearray(len(key))
    _mark_running(page, offsets, taken, running)
    placed = _place(page, key, offsets, taken)
    units = _in_order(placed, _gap_units(page, offsets, taken))
    parts: list[str] = []
    blocks: list[Block] = []
    segments: list[Segment] = []
    size = 0
    for item in units:
        joins = item.unit.joins_previous and blocks and blocks[-1].kind is item.unit.kind
        separator = "" if not parts else "\n" if joins else "\n\n"
        parts += [separator, item.unit.text]
        start = size + len(separator)
        size = start + len(item.unit.text)
        segments.append(Segment(start=start, end=size, letter=item.start))
        if joins:
            blocks[-1] = Block(kind=item.unit.kind, start=blocks[-1].start, end=size)
        else:
            level = item.unit.level
            blocks.append(Block(kind=item.unit.kind, start=start, end=size, level=level))
    return Page(
        number=page.number,
        label=page.label,
        text="".join(parts),
        width=page.width,
        height=page.height,
        blocks=tuple(blocks),
        segments=tuple(segments),
    )
