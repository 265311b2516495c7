"""What kind of thing a question asks for, and whether a sentence has one."""

import re
from collections.abc import Callable
from enum import StrEnum

from core.text.terms import terms


class Expected(StrEnum):
    """The kinds of answer that can be recognised on a page without understanding it."""

    NUMBER = "number"
    DATE = "date"
    PERSON = "person"


_ASKS: tuple[tuple[Expected, re.Pattern[str]], ...] = (
    (
        Expected.DATE,
        re.compile(
            r"^when\b|\bwhen (did|was|were|is|does|do|will)\b|\b(what|which) (year|date|day|month|"
            r"century|decade)\b|什么时候|什么时间|何时|哪一?年|哪一?天|几年|几月|日期|哪个世纪",
            re.I,
        ),
    ),
    (
        Expected.NUMBER,
        re.compile(
            r"\bhow (many|much|long|far|old|large|big|tall|high|often|deep|fast)\b|"
            r"\bwhat (percent|percentage|number|share|fraction)\b|"
            r"\bwhat (is|was) the (population|percentage|number|amount|price|cost|total|size)\b|"
            r"多少|几[个次名位岁天种座家场年月]|百分|多[大长远高久深重宽快]",
            re.I,
        ),
    ),
    (
        Expected.PERSON,
        re.compile(r"^(who|whose|whom)\b|\bwho\b|谁|哪一?位|何人|什么人", re.I),
    ),
)
_NUMBER = re.compile(
    r"\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|"
    r"fifty|hundred|thousand|million|billion|dozen|half|third|quarter|percent|twice|double)s?\b|"
    r"[一二三四五六七八九十百千万亿两半]",
    re.I,
)
_DATE = re.compile(
    r"\b(1\d{3}|20\d{2})\b|\d+\s*年|[年月]\s*\d|\d\s*月|世纪|\b\d0s\b|\bcentur(y|ies)\b|"
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_CAPITALISED = re.compile(r"(?<=\w )[A-Z][a-z]+")
_CHINESE_NAME = re.compile(r"[\u4e00-\u9fff]·[\u4e00-\u9fff]")


def expected(question: str) -> Expected | None:
    """Return what a question (English or Chinese) asks for, or None when it cannot be told."""
    for kind, pattern in _ASKS:
        if pattern.search(question):
            return kind
    return None


def _names_someone_new(sentence: str, question: str) -> bool:
    asked = set(terms(question))
    names = (terms(name.group()) for name in _CAPITALISED.finditer(sentence))
    return any(name and name[0] not in asked for name in names) or bool(
        _CHINESE_NAME.search(sentence)
    )


_HAS: dict[Expected, Callable[[str, str], bool]] = {
    Expected.NUMBER: lambda sentence, _: bool(_NUMBER.search(sentence)),
    Expected.DATE: lambda sentence, _: bool(_DATE.search(sentence)),
    Expected.PERSON: _names_someone_new,
}


def has_expected(kind: Expected | None, sentence: str, *, question: str) -> bool:
    """Tell whether a sentence has such a thing: a number, a date, a name not in the question."""
    return kind is not None and _HAS[kind](sentence, question)
