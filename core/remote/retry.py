"""How long to wait before a failed request to a model is sent again."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

BASE_SECONDS = 0.5
MAX_SECONDS = 8.0
LONGEST_RETRY_AFTER = 60.0
"""A server that asks for a longer wait is not waited for: the learner is told instead."""
_SECONDS = re.compile(r"\d+(\.\d+)?", re.ASCII)


def backoff(attempt: int, jitter: float) -> float:
    """Return seconds to wait after failed attempt number `attempt` (from 0).

    Doubles from half a second up to 8 s; `jitter` in [0, 1) takes away up to half, so that many
    clients do not come back at the same moment.
    """
    full: float = min(MAX_SECONDS, BASE_SECONDS * 2**attempt)
    return full * (1 - jitter / 2)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds a response asks to wait, `None` if it does not say.

    A date is measured against the response's own `Date`, so that a wrong clock does no harm.
    """
    value = headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(value):
        return float(value)
    until, sent = _date(value), _date(headers.get("date", ""))
    return None if until is None or sent is None else max(0.0, (until - sent).total_seconds())


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
