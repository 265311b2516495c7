"""A lock for things that many may use at once but only one may open, swap or close."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Gate:
    """Shared or exclusive passage. Whoever waits for the exclusive one is let in first.

    Not reentrant: a thread inside must leave before it enters again.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._users = 0
        self._waiting = 0
        self._exclusive = False

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Pass together with other shared users."""
        with self._changed:
            self._changed.wait_for(lambda: not self._exclusive and not self._waiting)
            self._users += 1
        try:
            yield
        finally:
            with self._changed:
                self._users -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        """Pass alone, once every shared user has left."""
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: not self._exclusive and not self._users)
                self._exclusive = True
            finally:
                self._waiting -= 1
        try:
            yield
        finally:
            with self._changed:
                self._exclusive = False
                self._changed.notify_all()
