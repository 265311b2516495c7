"""Terms that a text comes back to, and the names it has, without a model."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.domain.graph import Entity, EntityKind
from core.graph import chinese_words as zh
from core.graph.chinese_phrases import named as named_zh
from core.graph.english_words import MONTHS
from core.graph.naming import PERSON_ZH, entity, kind_of
from core.graph.phrases import Tokens, is_open, named, phrase_after

REPEATED = {"en": 2, "zh": 3}
"""In so many sentences of a text a phrase is one of its terms."""
_WORK = re.compile(r"《([^》]{1,40})》")
_LATIN = re.compile(r"(?<![A-Za-z])[A-Za-z][A-Za-z0-9+#-]{1,30}(?: [A-Z][A-Za-z0-9+#-]{1,30})*")
_BREAKS = re.compile(
    r"[的了在是和与及或也都就而被把对为以于之其这那有从到由等并但又所该此让使给很更最不没会能可要将向]|"
    + "|".join(f"(?:{pattern})" for pattern, *_ in zh.TRIGGERS)
)
_RUN = re.compile(r"[\u3400-\u9fff]{3,8}")


def english_names(tokens: Tokens) -> Iterator[Entity]:
    """Yield the capitalised names and quoted titles of a sentence; its first word is none."""
    i, count = 0, len(tokens.words)
    while i < count:
        word = tokens.words[i]
        if i in tokens.titles:
            yield entity(word, "en", EntityKind.WORK)
        elif word[:1].isupper() and is_open(tokens, i) and word.lower() not in tokens.small:
            end = i + 1
            while end < count and (
                tokens.words[end][:1].isupper()
                or (tokens.lows[end] in ("of", "the", "de", "van", "von") and _goes_on(tokens, end))
            ):
                end += 1
            single = end - i == 1
            if end < count and i and tokens.lows[i - 1] == "the" and is_open(tokens, end):
                end = phrase_after(tokens, i)  # the Kestrel turbine
                one = named(tokens, i, end, subject=False)
                if one is not None:
                    yield one
                i = end
                continue
            if (i > 0 or not single or word[1:].isupper()) and len(word) > 1:
                one = named(tokens, i, end, subject=False)
                month = tokens.lows[i] in MONTHS
                if (
                    one is not None
                    and not month
                    and one.kind not in (EntityKind.CONCEPT, EntityKind.TIME)
                ):
                    yield one
            i = end
            continue
        i += 1


def _goes_on(tokens: Tokens, i: int) -> bool:
    following = tokens.words[i + 1 : i + 3]
    return bool(following) and (
        following[0][:1].isupper()
        or (following[0] == "the" and len(following) > 1 and following[1][:1].isupper())
    )


def chinese_names(sentence: str) -> Iterator[Entity]:
    """Yield titles, foreign persons' names and Latin words of a Chinese sentence."""
    for match in _WORK.finditer(sentence):
        yield entity(match.group(1), "zh", EntityKind.WORK)
    for match in PERSON_ZH.finditer(sentence):
        name = zh.NATIONAL.sub("", match.group())
        if kind_of(name) is EntityKind.PERSON and (one := named_zh(name)) is not None:
            first = name.partition("·")[0]
            if len(first) <= 4:
                yield one
    for match in _LATIN.finditer(_WORK.sub("", sentence)):
        if any(c.isupper() for c in match.group()) or len(match.group()) > 3:
            yield entity(match.group(), "zh")


def english_terms(sentences: Sequence[Tokens]) -> dict[int, list[Entity]]:
    """Return phrases of several words that stand in several sentences, by sentence."""
    found: dict[int, list[Entity]] = {}
    counts: Counter[str] = Counter()
    for n, tokens in enumerate(sentences):
        own: dict[str, Entity] = {}
        i = 0
        while i < len(tokens.words):
            end = phrase_after(tokens, i)
            if end - i > 1 and "of" not in tokens.lows[i:end]:
                one = named(tokens, i, end, subject=False)
                if one is not None and 1 < len(one.name.split()) < 4 and one.name.islower():
                    own[one.id] = one
            i = max(end, i + 1)
        counts.update(own.keys())
        found[n] = list(own.values())
    return {n: [e for e in own if counts[e.id] >= REPEATED["en"]] for n, own in found.items()}


def chinese_terms(sentences: Sequence[str]) -> dict[int, list[Entity]]:
    """Return runs of three to eight characters that stand whole in several sentences."""
    found: dict[int, dict[str, None]] = {}
    counts: Counter[str] = Counter()
    for n, sentence in enumerate(sentences):
        pieces = (p for run in _BREAKS.split(sentence) if run for p in re.split(r"\W", run))
        own = dict.fromkeys(p for p in pieces if p and _RUN.fullmatch(p))
        counts.update(own.keys())
        found[n] = own
    out = {}
    for n, own in found.items():
        terms = [named_zh(p) for p in own if counts[p] >= REPEATED["zh"]]
        out[n] = [one for one in terms if one is not None and one.kind is EntityKind.CONCEPT]
    return out
