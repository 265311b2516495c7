"""Whose result counts when a learner clicks faster than the page answers.

Each click is answered at once and side by side; only the last one of its kind may draw, whatever
order they end in.
"""

from collections import Counter
from threading import Lock


class Turns:
    """Counts the calls of one learner by kind. Safe to use from several threads."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, kind: str) -> int:
        """Return the number of this call."""
        with self._lock:
            self._taken[kind] += 1
            return self._taken[kind]

    def is_last(self, kind: str, turn: int) -> bool:
        """Say whether no later call of the kind has begun."""
        with self._lock:
            return self._taken[kind] == turn
