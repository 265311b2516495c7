"""Whose result counts when a learner clicks faster than the page answers.

Each click is answered at once and side by side; only the last one of its kind may draw, whatever
order they end in.
"""

from collections import Counter
from threading import Lock


class Turns:
    """Orders the calls of one learner by kind. Safe to use from several threads."""

    def __init__(self) -> None:
        self._latest: Counter[str] = Counter()
        self._lock = Lock()

    def take(self, kind: str, order: int | None = None) -> int:
        """Return the turn of this call: the page's own `order`, since calls may overtake each
        other on their way; without one it is the latest so far.
        """
        with self._lock:
            turn = self._latest[kind] + 1 if order is None else order
            self._latest[kind] = max(self._latest[kind], turn)
            return turn

    def is_last(self, kind: str, turn: int) -> bool:
        """Say whether no later call of the kind has come."""
        with self._lock:
            return self._latest[kind] == turn
