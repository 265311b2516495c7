"""Finding units on a page by their letters."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

from core.domain.document import BlockKind
from core.readers.captions import is_caption
from core.readers.running import MARGIN_LINES, signature
from core.readers.spelling import respelt
from core.readers.units import Placed, RawPage, Unit
from core.text.clean import clean, join_cjk
from core.text.letters import letters
from core.text.tokens import is_cjk

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
            if signature(line.group()) not in running:
                break
            start = bisect_left(offsets, line.start())
            end = bisect_left(offsets, line.end())
            marked[start:end] = b"\1" * (end - start)
    if not all(marked):
        taken[:] = marked


def place(page: RawPage, key: str, offsets: list[int], taken: bytearray) -> list[Placed]:
    """Find the letters of the units, the sure ones first; return those found, in their order."""
    found: dict[int, Placed] = {}
    for sure in (True, False):
        chosen = [i for i, u in enumerate(page.units) if u.sure is sure and not u.spare]
        found |= _found(page, chosen, key, offsets, taken)
    return [found[i] for i in sorted(found)]


def place_spare(page: RawPage, key: str, offsets: list[int], taken: bytearray) -> list[Placed]:
    """Find the spare units whose letters nothing else took; return them as they stand."""
    chosen = [i for i, unit in enumerate(page.units) if unit.spare]
    found = _found(page, chosen, key, offsets, taken)
    return sorted(found.values(), key=lambda placed: placed.start)


def _found(
    page: RawPage, chosen: Sequence[int], key: str, offsets: list[int], taken: bytearray
) -> dict[int, Placed]:
    found: dict[int, Placed] = {}
    at = 0
    for i in chosen:
        needle = letters(page.units[i].text)
        start = _find(key, needle, at, taken, page.raw, offsets) if needle else -1
        if start >= 0:
            end = at = start + len(needle)
            taken[start:end] = b"\1" * len(needle)
            unit = _spelt(page.units[i], page_slice(page, offsets, start, end))
            found[i] = Placed(unit, start, end)
    return found


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
