"""The shared or exclusive passage of the vector stores."""

import threading

import pytest

from core.stores.gate import Gate

SECONDS = 10
"""Far longer than any step here takes; only a deadlock waits for it."""


def test_shared_users_are_inside_together() -> None:
    gate = Gate()
    both = threading.Barrier(2)

    def enter() -> None:
        with gate.shared():
            both.wait(SECONDS)  # breaks unless the other one is inside too

    threads = [threading.Thread(target=enter) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not both.broken


def test_the_exclusive_user_waits_until_the_shared_one_has_left() -> None:
    gate = Gate()
    order: list[str] = []
    started = threading.Event()

    def alone() -> None:
        started.set()
        with gate.exclusive():
            order.append("exclusive")

    thread = threading.Thread(target=alone)
    with gate.shared():
        thread.start()
        assert started.wait(SECONDS)
        order.append("shared")
    thread.join(SECONDS)
    assert order == ["shared", "exclusive"]


def test_shared_users_that_come_later_let_the_waiting_exclusive_one_go_first() -> None:
    gate = Gate()
    order: list[str] = []
    threads: list[threading.Thread] = []

    def alone() -> None:
        with gate.exclusive():
            order.append("exclusive")

    def join_in(entered: threading.Event) -> None:
        with gate.shared():
            order.append("shared")
            entered.set()

    def is_held_back() -> bool:
        entered = threading.Event()
        threads.append(threading.Thread(target=join_in, args=(entered,)))
        threads[-1].start()
        return not entered.wait(0.5)

    with gate.shared():
        threads.append(threading.Thread(target=alone))
        threads[0].start()
        # only those that come before the exclusive one has begun to wait get in
        assert any(is_held_back() for _ in range(1000))
    for thread in threads:
        thread.join(SECONDS)
    assert order[-2:] == ["exclusive", "shared"]


def test_exclusive_users_never_overlap() -> None:
    gate = Gate()
    inside = 0
    seen: list[int] = []

    def enter() -> None:
        nonlocal inside
        for _ in range(200):
            with gate.exclusive():
                inside += 1
                seen.append(inside)
                inside -= 1

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1] * 800


@pytest.mark.parametrize("passage", ["shared", "exclusive"])
def test_an_error_inside_opens_the_gate_again(passage: str) -> None:
    gate = Gate()
    with pytest.raises(KeyError), getattr(gate, passage)():
        raise KeyError
    with gate.exclusive():
        pass
