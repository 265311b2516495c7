"""Tasks that are done a little later."""

import logging
import threading

import pytest

from core.afterwards import Afterwards
from core.errors import StoreError


@pytest.fixture
def afterwards():
    worker = Afterwards("test")
    yield worker
    worker.close()


def test_tasks_are_done_in_order_and_can_be_waited_for(afterwards):
    done = []
    for n in range(20):
        afterwards.later(lambda n=n: done.append(n))
    assert afterwards.wait(10)
    assert done == list(range(20))


def test_a_task_that_fails_is_logged_and_the_next_is_done(afterwards, caplog):
    done = []

    def fail() -> None:
        raise StoreError("The disk is full.")

    with caplog.at_level(logging.ERROR):
        afterwards.later(fail)
        afterwards.later(lambda: done.append(1))
        assert afterwards.wait(10)
        afterwards.close()
    assert done == [1]
    assert "The disk is full." in caplog.text


def test_waiting_has_an_end(afterwards):
    hold = threading.Event()
    afterwards.later(lambda: hold.wait(30) and None)
    assert not afterwards.wait(0.01)
    hold.set()
    assert afterwards.wait(10)


def test_closing_does_what_has_come_and_it_opens_again(afterwards):
    done = []
    afterwards.later(lambda: done.append("before"))
    afterwards.close()
    assert done == ["before"]
    afterwards.later(lambda: done.append("after"))
    assert afterwards.wait(10)
    assert done == ["before", "after"]
