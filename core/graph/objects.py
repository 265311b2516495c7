"""The objects of an English verb: the noun phrases after it, one or a list."""

from core.domain.graph import Entity
from core.graph import english_words as words
from core.graph.phrases import Tokens, named, phrase_after
from core.graph.verbs import FINITE, GERUNDS

_REDUCED_WORDS = "by with as in from to for at on into called known named"
_REDUCED = frozenset(_REDUCED_WORDS.split())
_MOST = 8


def stops(tokens: Tokens, end: int) -> bool:
    """Tell whether a noun phrase can end at `end`: the next word does not make it a subject."""
    if end >= len(tokens.lows):
        return True
    low = tokens.lows[end]
    if low in words.AUXILIARIES:
        return False
    if low in FINITE:
        following = tokens.lows[end + 1] if end + 1 < len(tokens.lows) else ""
        return not low.endswith("s") and (following in _REDUCED or low in ("called", "known"))
    return True


def objects_after(
    tokens: Tokens, start: int, *, listed: bool, subject: bool = False
) -> tuple[list[Entity], int]:
    """Return the things named from `start` on, and where they end; `[]` when there are none.

    `listed`: several may follow, with commas and `and`; only a closed list is taken whole.
    `subject`: a verb may follow, of which they are the subject.
    """
    if start < len(tokens.lows) and tokens.lows[start] in ("both", "either"):
        start += 1
    end = phrase_after(tokens, start)
    if end == start or not (subject or stops(tokens, end)):
        return [], start
    spans = [(start, end)]
    if listed:
        spans += _more(tokens, end, subject=subject)
        end = spans[-1][1]
    found = [named(tokens, a, b, subject=False) for a, b in spans]
    return [one for one in found if one is not None], end


def _more(tokens: Tokens, end: int, *, subject: bool) -> list[tuple[int, int]]:
    """Return the further items of a list, none when it is not closed by `and`."""
    items: list[tuple[int, int]] = []
    at = end
    while at < len(tokens.lows) and len(items) < _MOST:
        closing = tokens.lows[at] in ("and", "or")
        if not closing and tokens.lows[at] != ",":
            break
        begin = at + 1
        if not closing and tokens.lows[begin : begin + 1] in (["and"], ["or"]):
            begin, closing = begin + 1, True
        after = phrase_after(tokens, begin)
        if after == begin or not (subject or stops(tokens, after)):
            return []
        items.append((begin, after))
        at = after
        if closing:
            gerund = at < len(tokens.lows) and tokens.lows[at] in GERUNDS
            return [] if gerund else items
    return []
