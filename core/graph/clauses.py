"""The subject of an English verb: the noun phrase before it, if that begins its clause."""

from dataclasses import dataclass

from core.domain.graph import Entity
from core.graph import english_words as words
from core.graph.phrases import Tokens, is_open, named, phrase_after, phrase_before
from core.graph.verbs import FINITE

_SAYING_WORDS = """
show shows showed shown found finds discovered proved proves means explains notes noted
"""
_SAYING = frozenset(_SAYING_WORDS.split())
_JOINING_WORDS = "because since while whereas as where although though so"
_JOINING = frozenset(_JOINING_WORDS.split())
_ITS = 0.65
"""How sure it is that `it` means the subject of the sentence before."""
_WHICH = 0.88
"""And `which` the phrase before it."""
_YEAR = 4
_LONGEST_ASIDE = 14


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence speaks of; `confidence` that it is that, in (0, 1]."""

    entities: tuple[Entity, ...]
    confidence: float
    plural: bool = False


def continued(tokens: Tokens, at: int) -> bool:
    """Tell whether the verb at `at` is a second one of the same subject (`and produces`)."""
    i = _before_helpers(tokens, at)
    return i > 0 and tokens.lows[i - 1] in ("and", "but", "then")


def _before_helpers(tokens: Tokens, at: int) -> int:
    """Return the end of what stands before a verb's adverbs and auxiliaries."""
    i = at
    while i > 0:
        low = tokens.lows[i - 1]
        adverb = low in words.ADVERBS or (low.endswith("ly") and not is_open(tokens, i - 1))
        if not adverb and low not in ("has", "have", "had", "can", "will", "must"):
            break
        i -= 1
    return i


def subject_before(
    tokens: Tokens, at: int, *, plural: bool, before: Subject | None
) -> Subject | None:
    """Return the subject of the verb at `at`, None when it cannot be told.

    `plural`: the verb's form says that the subject is several.
    """
    end = _before_helpers(tokens, at)
    if end == 0:
        return None
    low = tokens.lows[end - 1]
    factor = 1.0
    if low in ("it", "they"):
        return _meant(tokens, end - 1, before)
    if low in ("which", "who") and end > 1:
        if tokens.lows[end - 2] != ",":
            return None
        return _antecedent(tokens, end - 2, plural=plural)
    elif low == ",":
        end = _before_aside(tokens, end - 1)
        factor = 0.95
        if end == 0:
            return None
    return _phrases(tokens, end, factor, plural=plural)


def _meant(tokens: Tokens, at: int, before: Subject | None) -> Subject | None:
    if before is None or at > 0 or len(before.entities) != 1:
        return None
    if (tokens.lows[at] == "they") != before.plural:
        return None
    return Subject(before.entities, before.confidence * _ITS, before.plural)


def _antecedent(tokens: Tokens, end: int, *, plural: bool) -> Subject | None:
    """Return what `, which` speaks of: the noun phrase before it."""
    start = phrase_before(tokens, end)
    one = named(tokens, start, end, subject=True, plural=plural) if start < end else None
    return Subject((one,), _WHICH, plural) if one is not None else None


def _before_aside(tokens: Tokens, comma: int) -> int:
    """Return the end of the phrase before an aside that closes at `comma`; 0 when there is none."""
    for i in range(comma - 1, max(0, comma - _LONGEST_ASIDE), -1):
        if tokens.lows[i] == ",":
            opens = tokens.lows[i + 1] in ("a", "an", "the", "which", "who", "born", "or")
            return i if opens or tokens.lows[i + 1].endswith("ed") else 0
    return 0


def _phrases(tokens: Tokens, end: int, factor: float, *, plural: bool) -> Subject | None:
    """Return the noun phrase that ends before `end`, or several joined by `and`."""
    found: list[Entity] = []
    start = end
    while True:
        begin = _behind_year(tokens, phrase_before(tokens, start))
        if begin >= start:
            return None
        one = named(tokens, begin, start, subject=True, plural=plural)
        if one is None:
            return None
        found.insert(0, one)
        if begin > 1 and tokens.lows[begin - 1] in ("and", ",") and len(found) < 4:
            joined = tokens.lows[begin - 1] == "and" or len(found) > 1
            back = begin - 1
            if tokens.lows[back] == "and" and tokens.lows[back - 1] == ",":
                back -= 1
            if joined and phrase_before(tokens, back) < back and is_open(tokens, back - 1):
                inner = phrase_before(tokens, back)
                if _begins(tokens, inner) or tokens.lows[inner - 1] in (",", "and"):
                    start = back
                    continue
        share = _begins(tokens, begin)
        if not share:
            return None
        several = plural or len(found) > 1
        return Subject(tuple(found), round(share * factor, 3), several)


def _behind_year(tokens: Tokens, start: int) -> int:
    """Return where a phrase begins that follows `In 1936` without a comma."""
    year = start > 0 and len(tokens.lows[start]) == _YEAR and tokens.lows[start].isdigit()
    return start + 1 if year and tokens.lows[start - 1] in ("in", "by", "since") else start


def _begins(tokens: Tokens, start: int) -> float:
    """Return how surely a clause begins at `start`: 0 when it does not."""
    if start == 0:
        return 1.0
    before = tokens.lows[start - 1]
    year = start == 2 and before.isdigit()  # In 1936 Turing …
    if tokens.lows[0] in words.PREPOSITIONS and (year or phrase_after(tokens, 1) == start):
        return 0.9  # For a century the university …
    if before in (";", ":", "—", "–"):
        return 0.95
    if before == ",":
        return 1.0 if _introduced(tokens, start - 1) else 0.0
    if before in ("and", "but") and start > 1 and tokens.lows[start - 2] == ",":
        return 0.95
    if before in _JOINING:
        return 0.9
    if before == "that" and start > 1 and tokens.lows[start - 2] in _SAYING:
        return 0.85
    opening = before in words.ADVERBS or before in ("but", "and", "so", "yet", "here")
    if start == 1 and opening:
        return 0.95
    return 0.0


def _introduced(tokens: Tokens, comma: int) -> bool:
    """Tell whether a sentence begins with an adverbial that ends at `comma`."""
    first = 0
    for i in range(comma - 1, -1, -1):
        if tokens.lows[i] in (";", ":"):
            first = i + 1
            break
    low = tokens.lows[first]
    if low in ("but", "and", "so", "yet") and first + 1 < comma:
        low = tokens.lows[first + 1]
    if low in ("when", "although", "while", "because", "since", "as", "after", "before", "once"):
        return True
    adverbial = (
        low in words.PREPOSITIONS
        or low in words.ADVERBS
        or low in ("however", "today", "moreover", "furthermore", "finally", "later", "first")
        or low.endswith("ly")
        or low.isdigit()
    )
    return adverbial and not any(w in FINITE for w in tokens.lows[first:comma])
