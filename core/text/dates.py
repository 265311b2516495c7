"""Dates in a text, English or Chinese, as numbers: year * 10000 + month * 100 + day.

What a date does not say is 0: March 3 is 303, 2020年 is 20200000.
"""

import re
from collections.abc import Callable

from core.text.numerals import chinese_value

_MONTH_NAMES = "jan feb mar apr may jun jul aug sep oct nov dec"
_MONTHS = {name: i for i, name in enumerate(_MONTH_NAMES.split(), start=1)}
_MONTH = (
    r"(?P<month>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?\.?|July?\.?|"
    r"Aug(?:ust|\.)?|Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)(?![a-z])"
)
_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?!\d|[.,]\d)"
_YEAR = r"(?P<year>1\d{3}|20\d{2}|2100)(?!\d)"
_CJK_NUMBER = "[零〇一二两三四五六七八九十]"
_CJK_YEAR = r"(?P<year>\d{4}|[零〇一二三四五六七八九]{4})\s*年"
_CJK_MONTH = rf"(?P<month>1[0-2]|0?[1-9]|{_CJK_NUMBER}{{1,2}})\s*月"
_CJK_DAY = rf"(?P<day>[12]\d|3[01]|0?[1-9]|{_CJK_NUMBER}{{1,3}})\s*[日号]"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?<!\d)(?P<year>\d{4})([-/.])(?P<month>1[0-2]|0?[1-9])\2(?P<day>[12]\d|3[01]|0?[1-9])(?!\d)",
        rf"{_CJK_YEAR}\s*{_CJK_MONTH}(?:\s*{_CJK_DAY})?",
        _CJK_MONTH + r"\s*" + _CJK_DAY,
        rf"\b{_MONTH}\s*{_DAY},?\s+{_YEAR}",
        rf"(?<!\d){_DAY}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}",
        rf"\b{_MONTH},?\s+(?:of\s+)?{_YEAR}",
        rf"\b{_MONTH}\s*{_DAY}\b",
        rf"(?<![\d.,]){_DAY}\s+(?:of\s+)?{_MONTH}",
        _CJK_YEAR,
        _CJK_MONTH + "(?!球|亮|饼)",
    )
)
_NUMERIC_DATE = re.compile(r"(?<!\d)(?P<a>\d{1,2})([/.-])(?P<b>\d{1,2})\2(?P<year>\d{4})(?!\d)")
_FISCAL = re.compile(
    r"(?:\bFY|\b[Ff]iscal(?:\s+[Yy]ear)?|财年|财政年度)\s*['’]?(?P<year>\d{4}|\d{2})(?!\d|[.,]\d)"
    r"|(?<!\d)(?P<before>\d{4}|\d{2})\s*(?:财年|财政年度)"
)
_MONTH_ALONE = re.compile(rf"\b{_MONTH}")


def date_parts(value: float) -> tuple[int, int, int]:
    """Return year, month and day of the value of a date, 0 for what it does not say."""
    number = int(value)
    return number // 10000, number // 100 % 100, number % 100


def _date_value(year: int, month: int = 0, day: int = 0) -> float:
    return float(year * 10000 + month * 100 + day)


def _int(text: str) -> int:
    return int(text) if text.isdigit() else int(chinese_value(text))


def _month(text: str) -> int:
    return _MONTHS[text[:3].lower()] if text[0].isascii() and text[0].isalpha() else _int(text)


def _full_year(text: str) -> int:
    return int(text) + (2000 if int(text) < 70 else 1900) if len(text) == 2 else int(text)


def _of_date(match: re.Match[str]) -> tuple[float, ...]:
    parts = match.groupdict()
    year = _int(parts["year"]) if parts.get("year") else 0
    month = _month(parts["month"]) if parts.get("month") else 0
    day = _int(parts["day"]) if parts.get("day") else 0
    if month > 12 or day > 31:
        return ()
    return (_date_value(year, month, day),)


def _of_numeric_date(match: re.Match[str]) -> tuple[float, ...]:
    a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
    pairs = [(m, d) for m, d in ((a, b), (b, a)) if 1 <= m <= 12 and 1 <= d <= 31]
    return tuple(dict.fromkeys(_date_value(year, m, d) for m, d in pairs))


def _of_fiscal(match: re.Match[str]) -> tuple[float, ...]:
    year = _full_year(match["year"] or match["before"])
    return (_date_value(year),)


def _of_month(match: re.Match[str]) -> tuple[float, ...]:
    return (_date_value(0, _month(match["month"])),)


Reader = tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[float, ...]]]
FULL: tuple[Reader, ...] = tuple((pattern, _of_date) for pattern in _DATES[:2])
"""With year and month, to be read before all else. `()` of a match: it is none."""
OTHERS: tuple[Reader, ...] = (
    *((pattern, _of_date) for pattern in _DATES[2:]),
    (_NUMERIC_DATE, _of_numeric_date),
    (_FISCAL, _of_fiscal),
)
MONTHS: Reader = (_MONTH_ALONE, _of_month)
"""A month without a day and a year; May and March may be other words."""
