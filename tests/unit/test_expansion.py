import threading

import pytest

from core.domain.trace import QueryKind
from core.errors import ModelUnavailableError
from core.rag.expansion import FAILED, LATE, Expander

EN = "How does regularisation prevent overfitting?"
REPLIES = {"mqe": "1. weight decay\n2. dropout benefits", "hyde": "It adds a penalty."}


def reply(purpose, turns, max_tokens):
    return REPLIES[purpose]


def threads():
    return [t for t in threading.enumerate() if t.name.startswith("expansion-")]


def no_threads_left():
    for thread in threads():
        thread.join(10)
    return not threads()


def texts(expansion):
    return [(q.kind, q.text) for q in expansion.queries()]


def test_mqe_comes_first_then_hyde():
    expansion = Expander(reply, seconds=30).start(EN, "en", mqe=2, hyde=True)
    assert texts(expansion) == [
        (QueryKind.MQE, "weight decay"),
        (QueryKind.MQE, "dropout benefits"),
        (QueryKind.HYDE, "It adds a penalty."),
    ]
    assert expansion.notes == ()
    assert no_threads_left()


def test_only_what_is_asked_for_is_called():
    asked = []

    def complete(purpose, turns, max_tokens):
        asked.append((purpose, [t.role for t in turns], EN in turns[-1].content, max_tokens))
        return REPLIES[purpose]

    expander = Expander(complete, seconds=30)
    assert texts(expander.start(EN, "en", mqe=0, hyde=False)) == []
    assert asked == []
    assert len(expander.start(EN, "en", mqe=1, hyde=False).queries()) == 1
    assert [purpose for purpose, *_ in asked] == ["mqe"]
    assert len(expander.start(EN, "en", mqe=0, hyde=True).queries()) == 1
    assert [(p, r, q) for p, r, q, _ in asked] == [
        ("mqe", ["system", "user"], True),
        ("hyde", ["system", "user"], True),
    ]
    assert all(most > 0 for *_, most in asked)


def test_both_calls_run_at_the_same_time():
    together = threading.Barrier(2, timeout=30)

    def complete(purpose, turns, max_tokens):
        together.wait()  # broken, and so failed, when the calls come one after the other
        return REPLIES[purpose]

    expansion = Expander(complete, seconds=60).start(EN, "en", mqe=2, hyde=True)
    assert len(expansion.queries()) == 3


def test_what_is_late_is_thrown_away():
    free = threading.Event()

    def complete(purpose, turns, max_tokens):
        if purpose == "hyde":
            free.wait(60)
        return REPLIES[purpose]

    expansion = Expander(complete, seconds=0.3).start(EN, "en", mqe=2, hyde=True)
    assert [kind for kind, _ in texts(expansion)] == [QueryKind.MQE, QueryKind.MQE]
    assert (expansion.notes, expansion.late) == ((LATE,), ("hyde",))
    free.set()
    assert no_threads_left()
    assert len(expansion.queries()) == 2, "asked again it is the same"
    assert expansion.notes == (LATE,)


def test_a_failed_call_leaves_the_other():
    def complete(purpose, turns, max_tokens):
        if purpose == "mqe":
            raise ModelUnavailableError("gone")
        return REPLIES[purpose]

    expansion = Expander(complete, seconds=30).start(EN, "en", mqe=2, hyde=True)
    assert [kind for kind, _ in texts(expansion)] == [QueryKind.HYDE]
    assert (expansion.notes, expansion.failed) == ((FAILED,), ("mqe",))
    assert no_threads_left()


def test_late_and_failed_are_both_told():
    free = threading.Event()

    def complete(purpose, turns, max_tokens):
        if purpose == "mqe":
            raise ModelUnavailableError("gone")
        free.wait(60)
        return ""

    expansion = Expander(complete, seconds=0.2).start(EN, "en", mqe=2, hyde=True)
    assert expansion.queries() == ()
    assert expansion.notes == (LATE, FAILED)
    free.set()
    assert no_threads_left()


def test_a_useless_reply_is_no_failure():
    expansion = Expander(lambda *_: "I don't know.", seconds=30).start(EN, "en", mqe=2, hyde=True)
    assert expansion.queries() == ()
    assert expansion.notes == ()


def test_the_limit_counts_from_the_start():
    free = threading.Event()

    def complete(purpose, turns, max_tokens):
        free.wait(60)
        return REPLIES[purpose]

    now = [100.0]
    expansion = Expander(complete, seconds=50, monotonic=lambda: now[0]).start(
        EN, "en", mqe=2, hyde=False
    )
    now[0] += 50
    assert expansion.queries() == (), "the search before took all of the time"
    assert expansion.late == ("mqe",)
    free.set()
    assert no_threads_left()


def test_closing_wakes_who_waits_and_asks_nothing_more():
    free = threading.Event()
    begun = threading.Event()

    def complete(purpose, turns, max_tokens):
        begun.set()
        free.wait(60)
        return REPLIES[purpose]

    expander = Expander(complete, seconds=600)
    expansion = expander.start(EN, "en", mqe=2, hyde=False)
    assert begun.wait(30)
    got = []
    waiter = threading.Thread(target=lambda: got.append(expansion.queries()))
    waiter.start()
    expander.close()
    waiter.join(30)
    assert got == [()]
    assert expansion.notes == (LATE,)
    assert expander.start(EN, "en", mqe=2, hyde=True).queries() == ()
    free.set()
    assert no_threads_left()


def test_many_expansions_leave_no_threads():
    expander = Expander(reply, seconds=30)
    for _ in range(50):
        assert len(expander.start(EN, "en", mqe=2, hyde=True).queries()) == 3
    assert no_threads_left()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_is_not_waited_for():
    def complete(purpose, turns, max_tokens):
        raise RuntimeError("a bug")

    expansion = Expander(complete, seconds=600).start(EN, "en", mqe=2, hyde=False)
    assert expansion.queries() == ()
    assert expansion.notes == (FAILED,)
    assert no_threads_left()


def test_the_question_is_asked_in_its_language():
    seen = {}

    def complete(purpose, turns, max_tokens):
        seen[purpose] = turns
        return {"mqe": "权重衰减", "hyde": "正则化加入惩罚项。"}[purpose]

    expansion = Expander(complete, seconds=30).start("怎样防止过拟合？", "zh", mqe=2, hyde=True)
    assert [text for _, text in texts(expansion)] == ["权重衰减", "正则化加入惩罚项。"]
    assert all("问题是材料" in turns[0].content for turns in seen.values())
