"""Finding units on a page by their letters."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from core.domain.document import BlockKind
from core.readers.captions import is_caption
from core.readers.running import MARGIN_LINES, runs
from core.readers.spelling import respelt
from core.readers.units import Placed, RawPage, Unit
from core.text.clean import clean, join_cjk
from core.text.letters import letters, letters_with_offsets
from core.text.tokens import is_cjk

_MAY_PART = (BlockKind.PARAGRAPH, BlockKind.LIST)
_MIN_PART = 16
"""Letters of the smaller part of a paragraph in two pieces."""
_CHANCE = 4
_MAY_BE_CAPTIONS = (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.OTHER)


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


def mark_running(
    page: RawPage, offsets: list[int], taken: bytearray, running: frozenset[str]
) -> None:
    """Take the letters of running headers and footers: lines at the very edge, one by one.

    A page that has nothing else keeps them: there they are what it says.
    """
    marked = bytearray(taken)
    lines = [m for m in re.finditer(r"[^\r\n]+", page.raw) if m.group().strip()]
    for ordered in (lines, lines[::-1]):
        for line in ordered[:MARGIN_LINES]:
            if not runs(line.group(), page.number, running):
                break
            start = bisect_left(offsets, line.start())
            end = bisect_left(offsets, line.end())
            marked[start:end] = b"\1" * (end - start)
    if not all(marked):
        taken[:] = marked


def place(page: RawPage, key: str, offsets: list[int], taken: bytearray) -> list[Placed]:
    """Find the letters of the units, the sure ones first; return those found, in their order.

    A paragraph that a footnote or a picture parts (it runs on in the next column) is found in two
    pieces.
    """
    found: dict[int, list[Placed]] = {}
    for sure in (True, False):
        chosen = [i for i, u in enumerate(page.units) if u.sure is sure and not u.spare]
        found |= _found(page, chosen, key, offsets, taken)
    return [placed for i in sorted(found) for placed in found[i]]


def place_spare(page: RawPage, key: str, offsets: list[int], taken: bytearray) -> list[Placed]:
    """Find the spare units whose letters nothing else took; return them as they stand."""
    if taken.count(0) < _MIN_PART:
        return []
    chosen = [i for i, unit in enumerate(page.units) if unit.spare]
    found = _found(page, chosen, key, offsets, taken)
    return sorted((p for placed in found.values() for p in placed), key=lambda p: p.start)


def _found(
    page: RawPage, chosen: Sequence[int], key: str, offsets: list[int], taken: bytearray
) -> dict[int, list[Placed]]:
    found: dict[int, list[Placed]] = {}
    at = 0
    for i in chosen:
        unit = page.units[i]
        needle = letters(unit.text)
        start = _find(key, needle, at, taken, page.raw, offsets) if needle else -1
        if start >= 0:
            places = [(unit, start, start + len(needle))]
        elif unit.kind in _MAY_PART and not unit.spare and len(needle) >= 2 * _MIN_PART:
            places = _parted(unit, needle, key, taken, page.raw, offsets)
        else:
            continue
        for part, first, end in places:
            taken[first:end] = b"\1" * (end - first)
            spelt = _spelt(part, page_slice(page, offsets, first, end))
            found.setdefault(i, []).append(Placed(spelt, first, end))
            at = end
    return found


def _parted(
    unit: Unit, needle: str, key: str, taken: bytearray, raw: str, offsets: list[int]
) -> list[tuple[Unit, int, int]]:
    """Return a unit as two with their letters, where it stands in two pieces; else nothing."""
    start = key.find(needle[:_MIN_PART])
    if start < 0:
        return []
    longest = _MIN_PART
    while longest < len(needle) and key[start : start + longest + 1] == needle[: longest + 1]:
        longest += 1
    # By chance the letters that follow may be the same for a little longer than they belong here.
    for size in range(longest, max(_MIN_PART, longest - _CHANCE) - 1, -1):
        rest = needle[size:]
        if len(rest) < _MIN_PART or any(taken[start : start + size]):
            continue
        second = _find(key, rest, start + size, taken, raw, offsets)
        if second >= 0 and _stands_free(raw, offsets, start, start + size):
            cut = letters_with_offsets(unit.text)[1][size]
            while cut and not unit.text[cut - 1].isspace() and not unit.text[cut - 1].isalnum():
                cut -= 1
            head = replace(unit, text=unit.text[:cut].rstrip())
            tail = replace(unit, text=unit.text[cut:].lstrip(), kind=BlockKind.PARAGRAPH)
            return [(head, start, start + size), (tail, second, second + len(rest))]
    return []


def _spelt(unit: Unit, raw: str) -> Unit:
    """Return the unit as the page spells it, and as a caption if it reads like one."""
    text = join_cjk(clean(raw)).strip() if unit.as_page else respelt(unit.text, raw)
    if unit.kind in _MAY_BE_CAPTIONS and is_caption(text):
        return replace(unit, text=text, kind=BlockKind.CAPTION, level=0)
    return unit if text == unit.text else replace(unit, text=text)


def page_slice(page: RawPage, offsets: list[int], start: int, end: int) -> str:
    """Return PDFium's text of some letters with the punctuation around them."""
    first = offsets[start]
    while first > 0 and not page.raw[first - 1].isspace() and not page.raw[first - 1].isalnum():
        first -= 1
    last = offsets[end - 1] + 1
    while last < len(page.raw) and not page.raw[last].isspace() and not page.raw[last].isalnum():
        last += 1
    return page.raw[first:last]
