"""Answers on their way: order, joining, stopping, failing."""

import threading
from collections.abc import Callable, Iterator

from app.answering import Answers, new_key
from app.errors import Failure
from core.domain.answer import AnswerPiece
from core.errors import ModelUnavailableError
from tests.samples import answer

DEADLINE = 20  # seconds, for a test that would otherwise hang
LAST = AnswerPiece(answer=answer())


def of(*pieces: AnswerPiece) -> Callable[[], Iterator[AnswerPiece]]:
    return lambda: iter(pieces)


def test_the_pieces_come_in_order_and_the_answer_last() -> None:
    pieces = list(Answers().pieces("k", of(*(AnswerPiece(text=t) for t in "abc"), LAST)))
    texts = [p.text for p in pieces if isinstance(p, AnswerPiece)]
    assert "".join(texts) == "abc"
    assert pieces[-1] is LAST


def test_text_that_came_meanwhile_is_joined() -> None:
    sent = threading.Event()

    def ask() -> Iterator[AnswerPiece]:
        for text in ("a", "b", "c"):
            yield AnswerPiece(text=text)
        yield LAST
        sent.set()

    pieces = Answers().pieces("k", ask)
    first = next(pieces)
    assert isinstance(first, AnswerPiece)
    assert sent.wait(DEADLINE)
    rest = list(pieces)
    assert len(rest) <= 2
    assert first.text + "".join(p.text for p in rest[:-1] if isinstance(p, AnswerPiece)) == "abc"
    assert rest[-1] is LAST


def test_a_failure_is_the_last_piece() -> None:
    def ask() -> Iterator[AnswerPiece]:
        yield AnswerPiece(text="a")
        raise ModelUnavailableError()

    first, last = Answers().pieces("k", ask)
    assert isinstance(first, AnswerPiece)
    assert isinstance(last, Failure)
    assert last.code == "model_unavailable"


def test_a_silent_answer_stops_at_once_and_its_stream_ends_at_the_next_piece() -> None:
    answers, begun, speak, closed = Answers(), *(threading.Event() for _ in range(3))

    def ask() -> Iterator[AnswerPiece]:
        try:
            begun.set()
            assert speak.wait(DEADLINE)
            yield AnswerPiece(text="too late")
            yield LAST
        finally:
            closed.set()

    key = new_key()
    seen: list[object] = []
    reader = threading.Thread(target=lambda: seen.extend(answers.pieces(key, ask)))
    reader.start()
    assert begun.wait(DEADLINE)
    answers.stop("another key")
    assert reader.is_alive()
    answers.stop(key)
    reader.join(DEADLINE)
    assert not reader.is_alive()
    assert seen == []
    assert not closed.is_set()
    speak.set()
    assert closed.wait(DEADLINE)
    answers.stop(key)  # after the end it is no error


def test_an_answer_is_finished_when_the_page_is_left() -> None:
    answers, finished, speak = Answers(), threading.Event(), threading.Event()

    def ask() -> Iterator[AnswerPiece]:
        yield AnswerPiece(text="a")
        assert speak.wait(DEADLINE)
        yield LAST
        finished.set()

    pieces = answers.pieces("k", ask)
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    speak.set()
    assert finished.wait(DEADLINE)
