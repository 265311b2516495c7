"""Words for a time in a query, English and Chinese: "last week", "昨天"."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """From `since` (inclusive) to `until` (exclusive), both aware."""

    since: datetime
    until: datetime


_NUMBERS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "couple of": 2,
    "a couple of": 2,
    "three": 3,
    "few": 3,
    "a few": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    **{char: n for n, char in enumerate("一二三四五六七八九十", 1)},
    "两": 2,
    "几": 3,
}
_ENGLISH_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAYS = {
    **{day: n for n, day in enumerate(_ENGLISH_DAYS)},
    **{day: n for n, day in enumerate("一二三四五六日")},
    "天": 6,
}
_UNIT_DAYS = {
    "day": 1,
    "week": 7,
    "month": 30,
    "天": 1,
    "日": 1,
    "周": 7,
    "星期": 7,
    "礼拜": 7,
    "月": 30,
}
_MOST_DAYS = 36_500
"""A hundred years: no date overflows."""

_N_EN = (
    r"(?P<n>\d{1,4}|" + "|".join(sorted((w for w in _NUMBERS if w.isascii()), key=len)[::-1]) + ")"
)
_UNIT_EN = r"(?P<unit>day|week|month)s?"
_N_ZH = r"(?P<n>\d{1,4}|[一二三四五六七八九十两几])"
_UNIT_ZH = r"个?(?P<unit>天|日|周|星期|礼拜|月)"
_DAY_EN = rf"(?P<day>{'|'.join(_ENGLISH_DAYS)})"
_WEEK_ZH = r"(?:周|星期|礼拜)"


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _days(now: datetime, back: int, length: int = 1) -> TimeWindow:
    since = _midnight(now) - timedelta(days=back)
    return TimeWindow(since, since + timedelta(days=length))


def _week(now: datetime, back: int) -> TimeWindow:
    return _days(now, now.weekday() + 7 * back, 7)


def _month(now: datetime, back: int) -> TimeWindow:
    first = _midnight(now).replace(day=1)
    for _ in range(back):
        first = (first - timedelta(days=1)).replace(day=1)
    return TimeWindow(first, (first + timedelta(days=32)).replace(day=1))


def _number(text: str) -> int:
    text = text.lower()
    return int(text) if text.isdecimal() else _NUMBERS[text]


def _span_days(match: re.Match[str]) -> int:
    return min(_number(match["n"]) * _UNIT_DAYS[match["unit"].lower()], _MOST_DAYS)


def _past(match: re.Match[str], now: datetime) -> TimeWindow:
    return TimeWindow(now - timedelta(days=_span_days(match)), now + timedelta(seconds=1))


def _ago(match: re.Match[str], now: datetime) -> TimeWindow:
    return _days(now, _span_days(match))


def _weekday(match: re.Match[str], now: datetime) -> TimeWindow:
    """The latest such day before today."""
    back = (now.weekday() - _WEEKDAYS[match["day"].lower()] - 1) % 7 + 1
    return _days(now, back)


def _weekday_zh(match: re.Match[str], now: datetime) -> TimeWindow:
    """周三 is that day of this week, 上周三 that of the week before."""
    back = now.weekday() - _WEEKDAYS[match["day"]] + (7 if match["last"] else 0)
    return _days(now, back)


_Window = Callable[[re.Match[str], datetime], TimeWindow]
_WORDS: tuple[tuple[str, _Window], ...] = (
    (r"\b(?:the )?day before yesterday\b|前天|前日", lambda _, now: _days(now, 2)),
    (r"\byesterday\b|昨天|昨日|昨晚", lambda _, now: _days(now, 1)),
    (r"\btoday\b|今天|今日|今早|今晚", lambda _, now: _days(now, 0)),
    (rf"(?P<last>上个?){_WEEK_ZH}(?P<day>[一二三四五六日天])", _weekday_zh),
    (
        rf"(?<![一二两三四每几])(?P<last>)(?:这个?|本)?{_WEEK_ZH}(?P<day>[一二三四五六日天])",
        _weekday_zh,
    ),
    (rf"\b(?:the )?(?:last|previous) week\b|上一?个?{_WEEK_ZH}", lambda _, now: _week(now, 1)),
    (rf"\bthis week\b|(?:这一?个?|本){_WEEK_ZH}", lambda _, now: _week(now, 0)),
    (r"\b(?:the )?(?:last|previous) month\b|上一?个?月", lambda _, now: _month(now, 1)),
    (r"\bthis month\b|(?:这个?|本)月", lambda _, now: _month(now, 0)),
    (rf"\b{_N_EN} {_UNIT_EN} ago\b", _ago),
    (rf"{_N_ZH}{_UNIT_ZH}(?:之|以)?前", _ago),
    (rf"\b(?:(?:in|over|during) )?(?:the )?(?:last|past) {_N_EN} {_UNIT_EN}\b", _past),
    (rf"(?:最近|过去|近)的?{_N_ZH}{_UNIT_ZH}", _past),
    (rf"\b(?:on |last ){_DAY_EN}\b", _weekday),
)
_PATTERNS = tuple((re.compile(words, re.IGNORECASE | re.ASCII), window) for words, window in _WORDS)


def find_time(query: str, now: datetime) -> tuple[TimeWindow | None, str]:
    """Return the time a query names, and the query without those words.

    `now` is aware; days begin at midnight of its time zone, weeks on Monday. Of several times the
    first in the list of patterns counts.
    """
    for pattern, window in _PATTERNS:
        match = pattern.search(query)
        if match:
            return window(match, now), query[: match.start()] + " " + query[match.end() :]
    return None, query
