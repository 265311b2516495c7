"""From a query and what its caller wants to the memories that are meant."""

from collections.abc import Sequence
from datetime import datetime

from core.domain.memory import MemoryKind
from core.memory.query import RecallQuery
from core.memory.recall import Scope


def scope_of(
    parsed: RecallQuery,
    namespace: str,
    kinds: Sequence[MemoryKind],
    since: datetime | None,
    until: datetime | None,
) -> Scope:
    """Return the scope that joins what the caller and the query ask for: both must hold."""
    if parsed.window is not None:
        since = parsed.window.since if since is None else max(since, parsed.window.since)
        until = parsed.window.until if until is None else min(until, parsed.window.until)
    return Scope(
        namespace=namespace, kinds=tuple(kinds), since=since, until=until, events=parsed.events
    )
