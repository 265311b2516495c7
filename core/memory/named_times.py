"""Days, months and years a text names by the calendar, English and Chinese: "3 May", "5月3日"."""

import re
from datetime import datetime, timedelta

from core.memory.time_words import TimeWindow

YEARS_BACK = 5
"""A date without a year may be of any of the last so many."""

_MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_NUMBER_OF = {name[:3]: n for n, name in enumerate(_MONTHS, 1)}
_MONTH = r"(?P<month>" + "|".join(rf"{n[:3]}(?:{n[3:]})?" for n in _MONTHS) + r"|sept)\b\.?"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_YEAR}-(?P<number>\d\d)-(?P<day>\d\d)\b",
        rf"\b{_DAY}(?: of)? {_MONTH}(?:,? *{_YEAR})?",
        rf"\b{_MONTH} (?:the )?{_DAY}\b(?:,? *{_YEAR})?",
        rf"(?:{_YEAR} *年 *)?(?<!\d)(?P<number>1[0-2]|0?[1-9]) *月 *(?P<day>[0-3]?\d) *[日号號]",
        rf"\b{_MONTH}(?: of|,)? *{_YEAR}\b",
        rf"\b(?:in|during|since|last|this) (?:early |late |mid-?)?{_MONTH}",
        rf"{_YEAR} *年 *(?P<number>1[0-2]|0?[1-9]) *月",
        r"(?<![\d.个])(?P<number>1[0-2]|0?[1-9]) *月份?(?!\d)",
        rf"\b(?:in|during|of) {_YEAR}\b",
        rf"{_YEAR} *年",
    )
)


def named_times(text: str, now: datetime) -> tuple[tuple[TimeWindow, ...], str]:
    """Return what the time in a text may be, `()` when none is named, and the text without it.

    Of several the first in the list of patterns counts, days before months before years. Days begin
    at midnight of the time zone of `now`, which is aware; a time without a year may be of several,
    the latest first, none of which begins after `now`.
    """
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            windows = _windows(match, now)
            if windows:
                return windows, text[: match.start()] + " " + text[match.end() :]
    return (), text


def _windows(match: re.Match[str], now: datetime) -> tuple[TimeWindow, ...]:
    found = match.groupdict()
    year = found.get("year")
    month = found.get("number") or _NUMBER_OF.get((found.get("month") or "")[:3].lower())
    years = [int(year)] if year else range(now.year, now.year - YEARS_BACK, -1)
    day = found.get("day")
    windows = (
        _window(now, y, int(month) if month else None, int(day) if day else None) for y in years
    )
    return tuple(w for w in windows if w is not None and (year or w.since <= now))


def _window(now: datetime, year: int, month: int | None, day: int | None) -> TimeWindow | None:
    """Return the time, None when there is no such day."""
    first = now.replace(
        year=year, month=month or 1, day=1, hour=0, minute=0, second=0, microsecond=0
    )
    if month is None:
        return TimeWindow(first, first.replace(year=year + 1))
    after = (first + timedelta(days=32)).replace(day=1)
    if day is None:
        return TimeWindow(first, after)
    since = first + timedelta(days=day - 1)
    return TimeWindow(since, since + timedelta(days=1)) if first <= since < after else None
