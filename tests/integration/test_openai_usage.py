"""Token counts of the language model adapter, against a real HTTP server."""

import pytest

from core.errors import ModelResponseError, ModelUnavailableError
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.ports.llm import ChatTurn, Usage
from tests.servers.openai_server import OpenAIServer, Reply, Request, Status

TURNS = [ChatTurn("system", "Answer from the passages."), ChatTurn("user", "什么是注意力？")]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def make(server):
    made: list[OpenAICompatibleLLM] = []

    def make_llm(**changes) -> OpenAICompatibleLLM:
        options = {"timeout": 5.0, "max_retries": 2, "max_tokens": 300, "sleep": lambda _: None}
        made.append(
            OpenAICompatibleLLM(
                "test-model", base_url=server.base_url, api_key=None, **{**options, **changes}
            )
        )
        return made[-1]

    yield make_llm
    for llm in made:
        llm.close()


def test_server_that_counts_tokens_is_believed(server, make):
    server.script(Reply(["fine"], usage=(31, 7)))
    seen: list[Usage] = []
    assert make().complete(TURNS, on_usage=seen.append) == "fine"
    assert seen == [Usage(31, 7)]


def test_without_a_count_tokens_are_estimated(server, make):
    server.script(Reply(["two words ", "是加权和"], reasoning=["let me see "]))
    seen: list[Usage] = []
    make().complete(TURNS, on_usage=seen.append)
    # "Answer from the passages." and six ideographs in; thoughts, words and ideographs out.
    assert seen == [Usage(4 + 7, 3 + 2 + 4, estimated=True)]


@pytest.mark.parametrize("status", [400, 422])
def test_server_that_refuses_to_count(server, make, status):
    refusal = '{"error": {"message": "Unknown field: stream_options"}}'

    def older(request: Request) -> Status | str:
        return Status(status, body=refusal) if "stream_options" in request.body else "fine"

    server.script(older)
    llm, seen = make(), []
    assert [llm.complete(TURNS, on_usage=seen.append) for _ in range(2)] == ["fine", "fine"]
    assert len(server.requests) == 3  # learnt once
    assert [usage.estimated for usage in seen] == [True, True]


def test_reply_that_breaks_off_is_counted_once(server, make):
    server.script(Reply(["half an "], end="cut"))
    seen: list[Usage] = []
    with pytest.raises(ModelResponseError):
        make().complete(TURNS, on_usage=seen.append)
    assert seen == [Usage(11, 2, estimated=True)]


def test_reply_nobody_reads_to_its_end_is_counted(server, make):
    server.script(Reply(["one ", "two "], end="hang"))
    seen: list[Usage] = []
    pieces = make().stream(TURNS, on_usage=seen.append)
    next(pieces)
    pieces.close()
    assert seen == [Usage(11, 1, estimated=True)]


def test_retries_after_lost_thoughts_add_up(server, make):
    server.script(Reply(reasoning=["hm "], end="cut"), Reply(["fine"], usage=(31, 7)))
    seen: list[Usage] = []
    assert make().complete(TURNS, on_usage=seen.append) == "fine"
    assert seen == [Usage(11 + 31, 1 + 7, estimated=True)]


def test_no_reply_no_usage(server, make):
    server.script(Status(500))
    seen: list[Usage] = []
    with pytest.raises(ModelUnavailableError):
        make(max_retries=0).complete(TURNS, on_usage=seen.append)
    assert seen == []


def test_connection_left_open_behind_the_reply_costs_time_only_once(server, make):
    server.script(Reply(["fine"], end="open"))
    llm, seen = make(timeout=0.3), []
    assert llm.complete(TURNS, on_usage=seen.append) == "fine"
    pieces = llm.stream(TURNS, on_usage=seen.append)
    assert list(pieces) == ["fine"]
    assert [usage.estimated for usage in seen] == [True, True]
    assert server.client_left.wait(5)


@pytest.mark.parametrize(("asked", "sent"), [(40, 40), (5000, 300), (None, 300)])
def test_a_shorter_reply_may_be_asked_for(server, make, asked, sent):
    make().complete(TURNS, max_tokens=asked)
    assert server.requests[0].body["max_tokens"] == sent
