"""Names of which a sentence says that they mean the same."""

import re
from collections.abc import Callable, Iterator

from core.domain.graph import Entity
from core.graph import chinese_words as zh
from core.graph.chinese_phrases import named as named_zh
from core.graph.chinese_phrases import subject_of
from core.graph.naming import entity
from core.graph.phrases import Tokens, named, phrase_after, phrase_before

_SHORT = re.compile(r"(?P<before>[A-Za-z][\w'’/ -]{2,80}) \((?P<short>[A-Z][A-Za-z0-9-]{1,8})\)")
_LONG = re.compile(r"\b(?P<short>[A-Z][A-Za-z0-9-]{1,8}) \((?P<full>[A-Za-z][\w'’/ -]{4,70})\)")
_OR = re.compile(r"(?P<before>[A-Za-z][\w'’/ -]{2,80}), or (?P<short>[A-Z][A-Za-z0-9-]{1,8})\b")
_KNOWN = (
    ("also", "known", "as"),
    ("also", "called"),
    ("also", "named"),
    ("commonly", "known", "as"),
    ("commonly", "called"),
    ("often", "called"),
    ("sometimes", "called"),
    ("better", "known", "as"),
    ("otherwise", "known", "as"),
    ("known", "as"),
    ("abbreviated", "as"),
    ("abbreviated", "to"),
    ("abbreviated",),
    ("or", "simply"),
    ("short", "for"),
)
_SMALL_WORDS = "of the and for in on a an to with"
_SMALL = frozenset(_SMALL_WORDS.split())
_LATIN_NAME = r"[A-Za-z][A-Za-z0-9 .+#'’/-]{1,60}"
_SAID = "英文|英语|英文名|简称|又称|又叫|也称|也叫|即|缩写为|缩写|全称"
_BRACKET_ZH = re.compile(
    rf"[（(](?:{_SAID})?[：: ]?\s*(?P<other>{_LATIN_NAME}|[\u3400-\u9fff·]{{2,12}})"
    r"(?:[，,、；;][^（）()]{0,60})?[）)]"
)
_SAID_ZH = re.compile(r"[（(](?:简称|又称|又叫|也称|也叫|亦称|俗称|英文|缩写)")
_ALSO_ZH = re.compile(
    rf"(?:^|[，：:])(?P<one>[^，。；：、]{{2,20}}?)(?:，|,)?(?:{zh.ALSO})(?:为|作)?[“\"]?\s?(?P<other>[^，。；、（(”\"]{{1,30}})"
)
_TAIL_ZH = re.compile(
    r"(?:的|是|了|和|与|及|、|在|叫作|叫做|称为|称作|使用|利用|采用|名字：|通过|基于|：|“|一种|一个|这种|提出|发明|发表|包括"
    r"|属于|作为|简称|给出)"
)
_YEAR = re.compile(r"\d{2}")
_LONGEST_ZH = 10


def initials(words: list[str], short: str) -> bool:
    """Tell whether the words begin with the letters of an abbreviation; of small words any."""
    letters = [c.lower() for c in short if c.isalpha()]
    words = [word for word in words if word]
    big = [word[0].lower() for word in words if word.lower() not in _SMALL]
    every = [word[0].lower() for word in words]
    return bool(letters) and letters in (big, every)


def english(sentence: str, tokens: Tokens) -> Iterator[tuple[Entity, Entity, float]]:
    """Yield pairs (fuller name, other name, confidence) of an English sentence."""
    for match in (*_SHORT.finditer(sentence), *_OR.finditer(sentence)):
        short = match["short"].removesuffix("s")
        found = _spelled_out(match["before"], short)
        if found:
            yield _en(found), entity(short, "en"), 0.95
    for match in _LONG.finditer(sentence):
        words = re.split(r"[ -]", match["full"])
        if initials(words, match["short"]):
            yield _en(match["full"]), entity(match["short"], "en"), 0.95
    lows = tokens.lows
    for i, low in enumerate(lows[:-2]):
        if low not in (",", "(") and not (low in ("is", "are") and lows[i + 1] == "also"):
            continue
        for phrase in _KNOWN:
            if tuple(lows[i + 1 : i + 1 + len(phrase)]) == phrase:
                yield from _known(tokens, i, i + 1 + len(phrase))
                break


def _known(tokens: Tokens, mark: int, after: int) -> Iterator[tuple[Entity, Entity, float]]:
    start = phrase_before(tokens, mark)
    if start == mark:
        return
    if tokens.lows[start - 1 : start] == ["of"]:
        return
    end = phrase_after(tokens, after)
    plural = tokens.lows[mark] == "are"
    one = named(tokens, start, mark, subject=True, plural=plural)
    other = named(tokens, after, end, subject=False)
    if one is not None and other is not None and one.id != other.id:
        yield one, other, 0.85


def _en(name: str) -> Entity:
    words = name.split()
    plain = all(word[1:].islower() or len(word) == 1 for word in words)
    small = plain and not all(word[0].isupper() for word in words if word.lower() not in _SMALL)
    return entity(name.lower() if small else name, "en")


def _spelled_out(before: str, short: str) -> str:
    """Return the words before a bracket that its abbreviation stands for."""
    words = before.split(" ")
    for count in range(1, min(len(words), len(short) + 3) + 1):
        tail = words[-count:]
        if tail[0].lower() not in _SMALL and initials(
            [part for word in tail for part in re.split("[-/]", word) if part], short
        ):
            return " ".join(tail)
    return ""


def chinese(
    sentence: str, repeated: Callable[[str], bool]
) -> Iterator[tuple[Entity, Entity, float]]:
    """Yield pairs (fuller name, other name, confidence) of a Chinese sentence.

    `repeated` tells whether a string stands in the text more than once: where a name before a
    bracket begins is not sure otherwise.
    """
    for match in _BRACKET_ZH.finditer(sentence):
        other = match["other"].strip()
        latin = re.fullmatch(_LATIN_NAME, other) is not None
        if not latin and _SAID_ZH.match(match.group()) is None:
            continue
        before = re.split("[，。；、：！？（）() ]", sentence[: match.start()])[-1]
        tail = _TAIL_ZH.split(before)[-1]
        one, two = named_zh(tail), named_zh(other)
        if one is None or two is None or one.id == two.id or len(tail) > _LONGEST_ZH:
            continue
        if not _YEAR.search(other) and (tail == before or repeated(tail)):
            yield one, two, 0.9 if latin else 0.85
    for part in re.split("[。；]", sentence):
        said = _ALSO_ZH.search(part)
        if said is None:
            continue
        ones, _ = subject_of(re.sub("[（(].*?[）)]", "", said["one"]))
        two = named_zh(said["other"])
        if len(ones) == 1 and two is not None and ones[0].id != two.id:
            yield ones[0], two, 0.85
