"""Answers on their way, each read in a thread of its own.

So an answer can be stopped at once, also while a model is silent; the model's connection is
closed as soon as it says something more or its time is up.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread

from app.errors import Failure, attempt
from core.domain.answer import AnswerPiece


@dataclass(frozen=True, slots=True)
class _Running:
    stopped: Event = field(default_factory=Event)
    pieces: SimpleQueue[AnswerPiece | Failure | None] = field(default_factory=SimpleQueue)


class Answers:
    """The answers of one learner that are on their way. Safe to use from several threads."""

    def __init__(self) -> None:
        self._running: dict[str, _Running] = {}
        self._lock = Lock()

    def pieces(
        self, key: str, ask: Callable[[], Iterator[AnswerPiece]]
    ) -> Iterator[AnswerPiece | Failure]:
        """Yield the pieces of the stream that `ask` opens, at the end perhaps a failure.

        Ends early, without the last piece, when `stop(key)` is called or the iterator is closed.
        """
        running = _Running()
        with self._lock:
            self._running[key] = running
        Thread(target=_read, args=(running, ask), name=f"answer-{key}", daemon=True).start()
        try:
            while (piece := running.pieces.get()) is not None:
                if running.stopped.is_set():
                    return
                yield piece
        finally:
            running.stopped.set()
            with self._lock:
                self._running.pop(key, None)

    def stop(self, key: str) -> None:
        """Stop an answer; one that has ended already is no error."""
        with self._lock:
            running = self._running.get(key)
        if running is not None:
            running.stopped.set()
            running.pieces.put(None)


def new_key() -> str:
    """Return a name for an answer on its way; it is meaningless to other learners."""
    return secrets.token_hex(8)


def _read(running: _Running, ask: Callable[[], Iterator[AnswerPiece]]) -> None:
    def read() -> None:
        for piece in ask():
            if running.stopped.is_set():
                return
            running.pieces.put(piece)

    running.pieces.put(attempt(read))
