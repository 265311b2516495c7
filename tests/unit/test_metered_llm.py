"""The calls of one question: counted, bounded, and safe side by side."""

import threading
from collections.abc import Iterator

import pytest

from core.domain.trace import TraceCall
from core.errors import ModelBudgetError, ModelResponseError, ModelUnavailableError
from core.llms.metered import MeteredLLM
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.ports.llm import ChatTurn, Usage
from tests.servers.openai_server import OpenAIServer, Reply, Status

ASK = [ChatTurn("user", "what is attention")]  # 3 words, 5 tokens expected


class Seconds:
    """A clock that goes on one second each time it is read."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(Reply(["fine"], usage=(20, 5))) as running:
        yield running


@pytest.fixture
def llm(server: OpenAIServer) -> Iterator[OpenAICompatibleLLM]:
    made = OpenAICompatibleLLM(
        "m", base_url=server.base_url, api_key=None, timeout=5, max_retries=0, max_tokens=300
    )
    yield made
    made.close()


def test_calls_are_recorded_in_their_order(llm):
    metered = MeteredLLM(llm, 1000, Seconds())
    assert metered.call("mqe", ASK, 50) == "fine"
    assert "".join(metered.stream("answer", ASK)) == "fine"
    assert metered.calls == (
        TraceCall(purpose="mqe", seconds=1.0, prompt_tokens=20, completion_tokens=5),
        TraceCall(purpose="answer", seconds=1.0, prompt_tokens=20, completion_tokens=5),
    )
    assert metered.left == 1000 - 50


def test_replies_are_cut_where_the_budget_ends(server, llm):
    metered = MeteredLLM(llm, 70)
    metered.call("mqe", ASK, 50)
    metered.call("answer", ASK)
    assert [request.body["max_tokens"] for request in server.requests] == [50, 70 - 25 - 5]


def test_without_enough_budget_nothing_is_sent(server, llm):
    metered = MeteredLLM(llm, 45)
    metered.call("mqe", ASK, 10)
    with pytest.raises(ModelBudgetError) as caught:
        metered.call("answer", ASK)  # 20 left, 5 for the question, less than a shortest reply
    assert caught.value.code == "model_budget"
    assert caught.value.details == {"budget": 45, "purpose": "answer"}
    assert len(server.requests) == 1
    assert [call.outcome for call in metered.calls] == ["used", "failed"]


def test_what_the_server_counts_beyond_the_budget_ends_it(server, llm):
    server.script(Reply(["fine"], usage=(5000, 5)))
    metered = MeteredLLM(llm, 1000)
    metered.call("answer", ASK)
    assert metered.left < 0
    with pytest.raises(ModelBudgetError):
        metered.call("answer", ASK)


def test_failed_calls_stand_in_the_record(server, llm):
    server.script(Status(500), Reply(["half an "], end="cut"))
    metered = MeteredLLM(llm, 1000, Seconds())
    with pytest.raises(ModelUnavailableError):
        metered.call("hyde", ASK, 50)
    with pytest.raises(ModelResponseError):
        metered.call("answer", ASK, 50)
    assert metered.calls == (
        TraceCall(purpose="hyde", seconds=1.0, outcome="failed"),
        TraceCall(
            purpose="answer",
            seconds=1.0,
            prompt_tokens=3,
            completion_tokens=2,
            estimated=True,
            outcome="failed",
        ),
    )
    assert metered.left == 1000 - 5


def test_calls_side_by_side_never_promise_more_than_there_is(server, llm):
    server.script(Reply(["fine"], usage=(5, 95)))
    metered = MeteredLLM(llm, 1000)
    refused: list[str] = []

    def ask(purpose: str) -> None:
        try:
            metered.call(purpose, ASK, 95)
        except ModelBudgetError:
            refused.append(purpose)

    threads = [threading.Thread(target=ask, args=(f"mqe{i}",)) for i in range(14)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests) == 10
    assert len(refused) == 4
    assert metered.left == 0
    assert len(metered.calls) == 14


def test_a_call_that_still_runs_is_late_and_stays_so_when_marked(server, llm):
    server.script(Reply(["slow "], end="hang"))
    metered = MeteredLLM(llm, 1000, Seconds())
    pieces = metered.stream("hyde", ASK, 50)
    next(pieces)
    assert metered.calls == (
        TraceCall(purpose="hyde", seconds=1.0, prompt_tokens=5, estimated=True, outcome="late"),
    )
    metered.mark("hyde", "late")
    pieces.close()
    (call,) = metered.calls
    assert (call.outcome, call.prompt_tokens, call.completion_tokens) == ("late", 3, 1)


def test_only_the_last_call_of_a_purpose_is_marked(llm):
    metered = MeteredLLM(llm, 1000)
    metered.mark("mqe", "empty")  # none yet
    for purpose in ("mqe", "mqe", "hyde"):
        metered.call(purpose, ASK, 50)
    metered.mark("mqe", "empty")
    assert [call.outcome for call in metered.calls] == ["used", "empty", "used"]


def test_code_that_knows_only_the_port_is_metered_too(llm):
    metered = MeteredLLM(llm, 1000)
    bound, seen = metered.bound("rerank"), []
    assert bound.name == "m"
    assert bound.complete(ASK, max_tokens=40, on_usage=seen.append) == "fine"
    assert seen == [Usage(20, 5)]
    assert [call.purpose for call in metered.calls] == ["rerank"]
