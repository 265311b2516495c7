"""English noun phrases without a model: where they begin and end, and which thing they name."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.graph import Entity, EntityKind
from core.graph import english_words as words
from core.graph.naming import entity, is_name
from core.graph.verbs import FINITE, GERUNDS

_PARTICLES = frozenset(("de", "la", "der", "van", "von", "du", "del"))
_LEAST_NAME = 3
MOST_WORDS = 6
"""Longer phrases name nothing that is spoken of twice."""
_TOKEN = re.compile(
    r"[“\"](?P<title>[A-Z][^”\"]{2,90})[”\"]"
    r"|[^\W_](?:[\w'’&+#/-]|\.(?=\w))*\+*|[,;:]|[^\s\w]"
)
_PUNCTUATION = re.compile(r"\W+")
_NOT_ADVERBS_WORDS = "family supply fly assembly anomaly butterfly italy july monopoly"
_NOT_ADVERBS = frozenset(_NOT_ADVERBS_WORDS.split())
_FUNCTION = (
    words.DETERMINERS
    | words.POSSESSIVES
    | words.PREPOSITIONS
    | words.CONJUNCTIONS
    | words.AUXILIARIES
    | words.RELATIVES
    | words.PRONOUNS
    | words.NEGATIONS
    | words.ADVERBS
) - {"one", "all", "both", "some", "many", "most", "few", "each"}


@dataclass(frozen=True, slots=True)
class Tokens:
    """The words and marks of a sentence, as written and in small letters.

    A quoted title is one word; `titles` are the places of such words. `small` are words that the
    text writes in small letters elsewhere: where one begins a sentence, it is no name.
    """

    words: list[str]
    lows: list[str]
    titles: frozenset[int]
    small: frozenset[str] = frozenset()


def tokenize(sentence: str, small: frozenset[str] = frozenset()) -> Tokens:
    """Return the words and marks of a sentence."""
    found: list[str] = []
    titles = set()
    for match in _TOKEN.finditer(sentence):
        title = match["title"]
        if title is not None and " " in title and not title.rstrip().endswith(("?", ".", ",")):
            titles.add(len(found))
            found.append(title)
        elif title is not None:
            found += [part.group() for part in _TOKEN.finditer(title)]
        else:
            found.append(match.group())
    return Tokens(found, [word.lower() for word in found], frozenset(titles), small)


def is_open(tokens: Tokens, i: int) -> bool:
    """Tell whether a word can be inside a noun phrase: no function word, mark or verb."""
    low = tokens.lows[i]
    if i in tokens.titles:
        return True
    if low in _FUNCTION or _PUNCTUATION.fullmatch(low):
        return False
    if tokens.lows[i + 1 : i + 2] == ["than"]:
        return False  # a number greater than 1
    if low in GERUNDS and _ends_phrase(tokens, i + 1) and i > 0 and _inside(tokens, i - 1):
        return True  # byte pair encoding
    if low in FINITE or low in GERUNDS:
        return tokens.words[i][:1].isupper() and i > 0
    return not (low.endswith("ly") and low not in _NOT_ADVERBS and tokens.words[i].islower())


def _ends_phrase(tokens: Tokens, i: int) -> bool:
    """Tell whether nothing that a verb may govern stands at `i`."""
    if i >= len(tokens.words):
        return True
    low = tokens.lows[i]
    return low in words.AUXILIARIES or low in FINITE or low in ("and", "or", ",", ";", ":", ".")


def _inside(tokens: Tokens, i: int) -> bool:
    low = tokens.lows[i]
    return low not in _FUNCTION and not _PUNCTUATION.fullmatch(low) and low not in FINITE


def _opens(tokens: Tokens, i: int) -> bool:
    low = tokens.lows[i]
    return low in words.DETERMINERS or low in words.POSSESSIVES or low in words.POINTING


def _clause_opens(tokens: Tokens, i: int) -> bool:
    """Tell whether `that` begins a clause: what somebody showed."""
    return tokens.lows[i] == "that" and i > 0 and tokens.lows[i - 1] in FINITE


def phrase_before(tokens: Tokens, end: int) -> int:
    """Return where the noun phrase begins that ends before `end`; `end` when there is none."""
    i = end
    while i > 0:
        if is_open(tokens, i - 1):
            i -= 1
        elif i < end and _opens(tokens, i - 1) and not _clause_opens(tokens, i - 1):
            i -= 1
            if i > 1 and tokens.lows[i - 1] == "of" and is_open(tokens, i - 2):
                i -= 1
                continue
            break
        elif i < end and i > 1 and tokens.lows[i - 1] == "of" and is_open(tokens, i - 2):
            i -= 1
        else:
            break
    return i


def phrase_after(tokens: Tokens, start: int) -> int:
    """Return where the noun phrase ends that begins at `start`; `start` when there is none."""
    i = start
    count = len(tokens.words)
    if i < count and _opens(tokens, i):
        i += 1
        while i < count - 1 and tokens.lows[i] in ("first", "only", "very"):
            i += 1
    begin = i
    while i < count:
        if is_open(tokens, i):
            i += 1
        elif (
            tokens.lows[i] == "of"
            and i > begin
            and i + 1 < count
            and (is_open(tokens, i + 1) or _opens(tokens, i + 1))
        ):
            i += 2 if _opens(tokens, i + 1) else 1
        else:
            break
    return i if i > begin else start


def singular(word: str) -> str:
    """Return the singular of an English noun in small letters, or an abbreviation's (GPUs)."""
    low = word.lower()
    if low in words.PLURALS:
        return words.PLURALS[low]
    if len(word) > 3 and word[:-1].isupper() and word.endswith("s"):
        return word[:-1]
    if len(low) < 4 or not low.endswith("s") or low.endswith(("ss", "us", "is", "ics", "'s", "’s")):
        return word
    if low.endswith("ies") and len(low) > 4:
        return word[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "oes")):
        return word[:-2]
    return word[:-1]


def named(
    tokens: Tokens, start: int, end: int, *, subject: bool, plural: bool = False
) -> Entity | None:
    """Return what the noun phrase from `start` to `end` names, or None when that is nothing.

    `plural`: the verb says that the subject is several.
    """
    if end - start == 1 and start in tokens.titles:
        return entity(tokens.words[start], "en", EntityKind.WORK)
    inside = tokens.words[start:end]
    if not inside or inside[0].lower() in words.POINTING:
        return None
    if inside[0].lower() in words.POSSESSIVES and subject:
        return None
    if subject and [word.lower() for word in inside[:2]] == ["the", "most"]:
        return None  # the most frequent visitor is no thing of its own
    inside = _name_in(_without_weak(inside, first=start == 0))
    if not inside or len(inside) > MOST_WORDS or not _names(inside):
        return None
    first = start == 0 and inside[0] == tokens.words[0]
    name = " ".join(_folded(inside, tokens, first=first, plural=plural))
    alone = first and len(inside) == 1 and not name[1:].isupper()
    return entity(name, "en", EntityKind.CONCEPT if alone else None)


def _name_in(inside: list[str]) -> list[str]:
    """Return the name that ends a phrase after what its bearer is (`the planet Mars`), or all."""
    at = len(inside)
    while at > 0 and (
        (inside[at - 1][:1].isupper() and not inside[at - 1].isupper())
        or (at < len(inside) and inside[at - 1] in _PARTICLES)
    ):
        at -= 1
    told = 0 < at < len(inside) and inside[at - 1].islower() and inside[at - 1] not in ("of", "the")
    if told and "of" not in inside[:at] and len(inside[at]) > _LEAST_NAME:
        return inside[at:]
    if len(inside) == 2 and inside[0].lower() in ("term", "name", "word"):
        return inside[1:]
    return inside


def _without_weak(inside: list[str], *, first: bool) -> list[str]:
    """Take off what says nothing of the thing: articles, quantities, weak words, numbers."""
    changed = True
    while changed and inside:
        changed = False
        low = inside[0].lower()
        proper = inside[0][:1].isupper() and not first
        plain = low in words.DETERMINERS or low in words.POSSESSIVES
        number = low.isdigit() and len(inside) > 1
        if plain or number or (low in words.WEAK and not proper):
            inside, changed = inside[1:], True
        elif low in words.REAL_QUANTITIES and len(inside) > 2 and inside[1].lower() == "of":
            inside, changed = inside[2:], True
        first = first and not changed
    return inside


def _names(inside: Sequence[str]) -> bool:
    lows = [word.lower() for word in inside]
    head_at = lows.index("of") - 1 if "of" in lows else len(lows) - 1
    head = lows[head_at] if head_at >= 0 else ""
    proper = inside[head_at][:1].isupper() and len(inside) > 1
    if not head or (head_at == 0 and head in words.GENERIC and not proper):
        return False
    last = lows[-1]
    if any(low.isdigit() for low in lows[1:-1]):
        return False
    if last in words.WEAK or last in words.DETERMINERS or last == "of":
        return False
    if sum(c.isalpha() for c in "".join(inside)) < 2:
        return bool(re.fullmatch(r"(?:1\d|20)\d{2}", inside[0])) and len(inside) == 1
    return last not in words.GENERIC or "of" not in lows


def _folded(inside: list[str], tokens: Tokens, *, first: bool, plural: bool) -> list[str]:
    """Return the words in the singular, with a first word small unless it is a name's."""
    out = [*inside[:-1], re.sub("['’]s?$", "", inside[-1])]
    rest_small = all(word.islower() for word in out[1:])
    if first and rest_small and len(out) > 1 and out[0][1:].islower():
        out[0] = out[0].lower()
    if (
        first
        and len(out) == 1
        and (out[0].lower() in tokens.small or (plural and singular(out[0]) != out[0]))
    ):
        out[0] = out[0].lower()
    at = next((i for i, word in enumerate(out) if word == "of"), len(out)) - 1
    proper = is_name(out) and not (first and len(out) == 1 and plural)
    acronym = len(out[at]) > 2 and out[at][:-1].isupper() and out[at].endswith("s")
    if not proper or acronym:
        out[at] = singular(out[at])
        if at != len(out) - 1 and out[-1].islower():
            out[-1] = singular(out[-1])
    return out
