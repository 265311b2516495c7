"""Whose turn it is to change the memories of a learner."""

import threading


class Turns:
    """One re-entrant lock for each namespace. Thread-safe.

    Whoever reads memories in order to write them holds it from the reading to the writing; whoever
    only reads needs none. It comes before every other lock: nobody asks for it who holds another
    one, and nobody who holds it waits for a thread that may ask for it.
    """

    def __init__(self) -> None:
        self._locks: dict[str, threading.RLock] = {}
        self._lock = threading.Lock()

    def of(self, namespace: str) -> threading.RLock:
        """Return the lock of a namespace, always the same one, for a `with` statement."""
        with self._lock:
            return self._locks.setdefault(namespace, threading.RLock())
