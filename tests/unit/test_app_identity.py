"""Tokens, user ids and the learners of a process."""

import hashlib
import hmac
import threading

import pytest

from app.identity import (
    Learners,
    UnknownLearnerError,
    is_token,
    learner_code,
    new_token,
    storage_secret,
    user_id,
)
from core.assistant import PDFLearningAssistant
from core.settings import Settings
from core.wiring import build_services

SECRET = b"s" * 32


def test_tokens_are_long_and_never_the_same() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(is_token(token) for token in tokens)


@pytest.mark.parametrize(
    "value",
    [None, "", "victim", "default_user", 7, ["a" * 43], {"token": "x"}, "a" * 42, "a" * 129,
     "ü" * 43, "a" * 42 + " ", "../" * 20, "a" * 43 + "\n"],
)  # fmt: skip
def test_what_is_no_token_is_refused(value: object) -> None:
    assert not is_token(value)
    with pytest.raises(UnknownLearnerError):
        user_id(value, SECRET)


def test_a_user_id_is_the_keyed_hash_of_the_token() -> None:
    token = "A" * 43
    expected = hmac.new(SECRET, token.encode(), hashlib.sha256).hexdigest()[:32]
    assert user_id(token, SECRET) == expected
    assert user_id(token, b"another secret") != expected
    assert user_id("B" * 43, SECRET) != expected


def test_neither_the_id_nor_the_page_gives_a_secret_away() -> None:
    token = new_token()
    user = user_id(token, SECRET)
    assert token not in user
    assert user not in learner_code(user)
    assert learner_code(user) == learner_code(user)
    assert learner_code(user) != learner_code(user_id(new_token(), SECRET))
    assert SECRET.decode() not in storage_secret(SECRET)
    # The key that every page carries must not make user ids.
    assert user_id(token, storage_secret(SECRET).encode()) != user


def learners(settings: Settings, capacity: int = 8) -> Learners:
    services = build_services(settings)
    return Learners(
        lambda user: PDFLearningAssistant(user, services=services), lambda: SECRET,
        capacity=capacity,
    )  # fmt: skip


def test_a_learner_keeps_one_assistant_and_others_have_their_own(settings: Settings) -> None:
    registry = learners(settings)
    mine, theirs = new_token(), new_token()
    first = registry.get(mine)
    assert registry.get(mine) is first
    assert registry.get(theirs).assistant.namespace != first.assistant.namespace
    assert first.assistant.namespace == f"pdf_{user_id(mine, SECRET)}"


def test_without_a_token_there_is_no_learner(settings: Settings) -> None:
    registry = learners(settings)
    for value in (None, "short", "default_user"):
        with pytest.raises(UnknownLearnerError):
            registry.get(value)
    assert len(registry) == 0


def test_the_language_chosen_last_counts_for_calls_that_do_not_know_of_it_yet(
    settings: Settings,
) -> None:
    many = learners(settings)
    token, other = new_token(), new_token()
    assert many.language(token) is None
    many.choose_language(token, "zh")
    many.choose_language(token, "en")
    assert many.language(token) == "en"
    assert many.language(other) is None
    assert many.language("no token") is None
    with pytest.raises(UnknownLearnerError):
        many.choose_language("no token", "en")


def test_the_longest_idle_learner_makes_room(settings: Settings) -> None:
    registry = learners(settings, capacity=2)
    a, b, c = (new_token() for _ in range(3))
    kept, dropped = registry.get(a), registry.get(b)
    assert registry.get(a) is kept
    registry.get(c)
    assert len(registry) == 2
    assert registry.get(a) is kept
    assert registry.get(b) is not dropped


def test_threads_get_the_same_learner(settings: Settings) -> None:
    registry = learners(settings)
    token, start, seen = new_token(), threading.Barrier(8), []

    def ask() -> None:
        start.wait()
        seen.append(registry.get(token))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(learner) for learner in seen}) == 1
