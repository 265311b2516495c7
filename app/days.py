"""The learner's own days: where the browser is, spans of time, the headings of a list by time.

A browser tells its distance from UTC in minutes, east positive; without it, days are those of UTC.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone

from core.domain.memory import Memory

FARTHEST = 14 * 60  # minutes from UTC, of any place on earth
SPANS = ("today", "week", "month", "before")

# What the browser sends in place of the component that stands third among an event's inputs.
ZONE_SCRIPT = """(...values) => {
  values[2] = -new Date().getTimezoneOffset();
  return values;
}"""


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time: `since` is inclusive, `until` exclusive, None is open; aware UTC."""

    since: datetime | None = None
    until: datetime | None = None


def zone_of(minutes: object) -> timezone:
    """Return the time zone of a browser that can send anything; UTC for what is none."""
    if not isinstance(minutes, int | float) or not -FARTHEST <= minutes <= FARTHEST:
        return UTC
    return timezone(timedelta(minutes=int(minutes)))


def _midnight(now: datetime) -> datetime:
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def span(name: str, now: datetime) -> Span:
    """Return what one of `SPANS` means at `now`, a local time; any other name is all time."""
    midnight = _midnight(now)
    week, month = (midnight - timedelta(days=n) for n in (6, 29))
    found = {
        "today": Span(since=midnight),
        "week": Span(since=week),
        "month": Span(since=month),
        "before": Span(until=month),
    }.get(name, Span())
    return Span(
        since=found.since and found.since.astimezone(UTC),
        until=found.until and found.until.astimezone(UTC),
    )


def heading(moment: datetime, now: datetime) -> str:
    """Return under which heading a moment stands at `now`, a local time.

    `today`, `yesterday`, `week` (since Monday), `month`, else the month itself as `2026-03`.
    """
    midnight, there = _midnight(now), moment.astimezone(now.tzinfo)
    if there >= midnight:
        return "today"
    if there >= midnight - timedelta(days=1):
        return "yesterday"
    if there >= midnight - timedelta(days=now.weekday()):
        return "week"
    if there >= midnight.replace(day=1):
        return "month"
    return f"{there:%Y-%m}"


def by_heading(memories: Iterable[Memory], now: datetime) -> list[tuple[str, list[Memory]]]:
    """Return memories, given newest first, under the headings of the time they were made."""
    groups: dict[str, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(heading(memory.created_at, now), []).append(memory)
    return list(groups.items())
