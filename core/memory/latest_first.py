"""Of two statements about the same thing that are found, the later one comes first."""

from collections.abc import Sequence

from core.domain.memory import MemoryHit
from core.memory.replacing import STATE_NOTHING
from core.text.terms import terms

SHARED = 0.4
"""Share of the words of the shorter one that the other has too."""
CLOSE = 0.5
"""Least score of the later one, as a share of that of the earlier."""
LOOKED_AT = 5
"""So many of the first hits are put in order."""


def latest_first(hits: Sequence[MemoryHit], query: str) -> list[MemoryHit]:
    """Return the same hits, best first, a later statement before an earlier one much like it.

    For statements that no rule could tell to be out of date ("I am in the chess club", "I left the
    chess club"). The later one must have all words of the query that the earlier one has: the
    physics exam does not come before the maths exam that was asked for. What is not much alike,
    much worse, or no statement keeps its place.
    """
    head = list(hits[:LOOKED_AT])
    words = {hit.memory.id: frozenset(terms(hit.memory.content)) for hit in head}
    asked = frozenset(terms(query))
    placed: list[MemoryHit] = []
    for hit in head:
        own = words[hit.memory.id]
        at = len(placed)
        for number, better in enumerate(placed):
            other = words[better.memory.id]
            if _is_later(hit, better) and asked & other <= own and _shared(own, other) >= SHARED:
                at = number
                break
        placed.insert(at, hit)
    return [*placed, *hits[LOOKED_AT:]]


def _is_later(hit: MemoryHit, better: MemoryHit) -> bool:
    one, other = hit.memory, better.memory
    return (
        one.created_at > other.created_at
        and one.event == other.event
        and one.event not in STATE_NOTHING
        and hit.score >= CLOSE * better.score
    )


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0
