"""Whether a failed request to a service is sent again, and when."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

BASE_SECONDS = 0.5
MAX_SECONDS = 8.0
LONGEST_RETRY_AFTER = 60.0
"""A server that asks for a longer wait is not waited for: the learner is told instead."""
RETRIED_STATUS = frozenset({408, 425, 429})
"""Below 500; from there on every status is tried again."""
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


def delay_for(
    status: int | None, headers: Mapping[str, str], attempt: int, *, max_retries: int, jitter: float
) -> float | None:
    """Return seconds until a failed request is sent again, None when it is not.

    `status` is None when there was no answer at all; `attempt` counts from 0.
    """
    if attempt >= max_retries:
        return None
    if status is not None:
        if status < 500 and status not in RETRIED_STATUS:
            return None
        asked = retry_after(headers)
        if asked is not None:
            return asked if asked <= LONGEST_RETRY_AFTER else None
    return backoff(attempt, jitter)
