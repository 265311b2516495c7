"""Answers on their way, each read in a thread of its own.

So an answer can be stopped at once, also while a model is silent; the model's connection is
closed as soon as it says something more or its time is up.
"""

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeGuard

from app.errors import Failure, attempt
from core.domain.answer import AnswerPiece

Piece = AnswerPiece | Failure


def _is_text(piece: Piece | None) -> TypeGuard[AnswerPiece]:
    return isinstance(piece, AnswerPiece) and piece.answer is None


@dataclass(frozen=True, slots=True)
class _Running:
    stopped: Event = field(default_factory=Event)
    pieces: SimpleQueue[Piece | None] = field(default_factory=SimpleQueue)
    held: list[Piece | None] = field(default_factory=list)

    def take(self) -> Piece | None:
        """Wait for the next piece; texts that have come already are joined."""
        piece = self.held.pop() if self.held else self.pieces.get()
        while _is_text(piece) and not self.pieces.empty():
            following = self.pieces.get()
            if not _is_text(following):
                self.held.append(following)
                break
            piece = AnswerPiece(text=piece.text + following.text)
        return piece


class Answers:
    """The answers of one learner that are on their way. Safe to use from several threads."""

    def __init__(self) -> None:
        self._running: dict[str, _Running] = {}
        self._lock = Lock()

    def pieces(self, key: str, ask: Callable[[], Iterator[AnswerPiece]]) -> Iterator[Piece]:
        """Yield the pieces of the stream that `ask` opens, at the end perhaps a failure.

        Text that has come meanwhile is one piece: a slow page does not fall behind a fast model.
        Ends early, without the last piece, when `stop(key)` is called. When the page is left, and
        with it the iterator, the answer is finished and kept all the same.
        """
        running = _Running()
        with self._lock:
            self._running[key] = running
        Thread(target=_read, args=(running, ask), name=f"answer-{key}", daemon=True).start()
        try:
            while (piece := running.take()) is not None and not running.stopped.is_set():
                yield piece
        finally:
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

    if (failure := attempt(read)) is not None:
        running.pieces.put(failure)
    running.pieces.put(None)
