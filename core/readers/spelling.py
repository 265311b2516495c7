"""A block as its page spells it: liteparse's words and spaces, PDFium's punctuation.

liteparse writes straight quotation marks for curly ones, and more of the kind. A quotation is
shown to the letter, so what stands between two letters is taken from the page; spaces and what
became of line breaks and hyphens stay liteparse's.
"""

import re

from core.readers.raised import RAISED
from core.readers.units import CELL_GAP
from core.text.clean import clean, join_cjk
from core.text.letters import letters_with_offsets

_SPACE = re.compile(r"[\s\x00-\x1f\u00ad\u200b\ufffe\uffff]+")
_MARKS = re.compile(r"[^\w\s\x00-\x1f\u00ad\ufffe\uffff-]|_")
"""Hyphens are left to liteparse."""
_HYPHENS = frozenset("-\u2010\u2011")


def respelt(text: str, raw: str) -> str:
    """Return `text` with the punctuation of `raw`, which has the same letters in the same order.

    `raw` may begin before the first letter and end after the last one.
    """
    text = _raised(text, raw)
    marks, there = _MARKS.findall(text), _MARKS.findall(raw)
    if len(marks) == len(there) + 1 and text.startswith(marks[0]):
        there = [marks[0], *there]  # the mark of a list item, away from its words on the page
    if marks == there:
        return text
    if len(marks) == len(there):
        spelt = iter(there)
        return _tidied(_MARKS.sub(lambda _: next(spelt), text))
    return _aligned(text, raw)


def _raised(text: str, raw: str) -> str:
    """Write as superscripts the numbers that `raw` has so."""
    if RAISED.isdisjoint(raw):
        return text
    own, places = letters_with_offsets(text)[1], letters_with_offsets(raw)[1]
    if len(own) != len(places):
        return text
    chars = list(text)
    for at, place in zip(own, places, strict=True):
        if raw[place] in RAISED:
            chars[at] = raw[place]
    return "".join(chars)


def _aligned(text: str, raw: str) -> str:
    """Do the same letter by letter, where there are more marks in one than in the other."""
    key, own = letters_with_offsets(text)
    there, places = letters_with_offsets(raw)
    if key != there or not key:
        return text
    parts = [_edge(text[: own[0]], raw[: places[0]])]
    for i in range(len(own) - 1):
        if own[i + 1] == own[i]:
            continue
        parts.append(text[own[i]])
        between = text[own[i] + 1 : own[i + 1]]
        page = raw[places[i] + 1 : places[i + 1]] if places[i + 1] > places[i] else ""
        parts.append(between if between == page else _between(between, page))
    parts += [text[own[-1]], _edge(text[own[-1] + 1 :], raw[places[-1] + 1 :])]
    return _tidied("".join(parts))


def _tidied(text: str) -> str:
    return text if CELL_GAP in text or "\n" in text else join_cjk(text)


def _bare(text: str) -> str:
    return _SPACE.sub("", text)


def _edge(text: str, page: str) -> str:
    """Return what stands before or after all letters: the page's, where it is as long."""
    bare, there = _bare(text), _bare(clean(page))
    if len(bare) != len(there) or bare == there:
        return text
    return text.replace(bare, there) if bare in text else text


def _between(text: str, page: str) -> str:
    """Return what stands between two letters."""
    bare, there = _bare(text), _bare(clean(page))
    if bare == there or not there:
        return text
    broken = "\n" in page or "\r" in page or "\ufffe" in page or "\x02" in page
    if broken and (set(there) <= _HYPHENS or len(bare) != len(there)):
        return text
    if len(bare) == len(there):
        spelt = iter(there)
        return "".join(char if _SPACE.fullmatch(char) else next(spelt) for char in text)
    return " ".join(page.split(" ")) if not broken else text
