"""The language model adapter against a real HTTP server."""

import logging
import socket
import threading
import traceback

import pytest

from core.errors import ConfigurationError, ModelResponseError, ModelUnavailableError
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.ports.llm import ChatTurn
from tests.servers.openai_server import OpenAIServer, Reply, Request, Silence, Status

KEY = "sk-very-secret-0123456789"
TURNS = [ChatTurn("system", "Answer from the passages."), ChatTurn("user", "什么是注意力？")]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def make(server, waits):
    made: list[OpenAICompatibleLLM] = []

    def make_llm(**changes) -> OpenAICompatibleLLM:
        options = {
            "base_url": server.base_url,
            "api_key": KEY,
            "timeout": 5.0,
            "max_retries": 2,
            "max_tokens": 300,
            "sleep": waits.append,
            "jitter": lambda: 0.0,
        }
        made.append(OpenAICompatibleLLM("test-model", **{**options, **changes}))
        return made[-1]

    yield make_llm
    for llm in made:
        llm.close()


def test_streams_pieces_as_they_come(server, make):
    server.script(Reply(["Attention ", "是加权和", " [1]."]))
    assert list(make().stream(TURNS)) == ["Attention ", "是加权和", " [1]."]
    (request,) = server.requests
    assert request.body == {
        "model": "test-model",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 300,
        "messages": [
            {"role": "system", "content": "Answer from the passages."},
            {"role": "user", "content": "什么是注意力？"},
        ],
    }
    assert request.headers["authorization"] == f"Bearer {KEY}"


def test_first_piece_arrives_before_the_reply_is_complete(server, make):
    server.script(Reply(["early "], end="hang"))
    pieces = make().stream(TURNS)
    assert next(pieces) == "early "
    pieces.close()


def test_complete_joins_the_pieces_and_reply_may_depend_on_the_request(server, make):
    server.script(lambda request: f"You asked: {request.text()}")
    assert make().complete(TURNS) == "You asked: 什么是注意力？"


def test_closing_the_iterator_closes_the_connection(server, make):
    server.script(Reply(["one ", "two "], end="hang"))
    pieces = make().stream(TURNS)
    assert next(pieces) == "one "
    assert not server.client_left.is_set()
    pieces.close()
    assert server.client_left.wait(5)


@pytest.mark.parametrize("asked", ["3", "3.0"])
def test_rate_limit_waits_as_long_as_the_server_asks(server, make, waits, asked):
    server.script(Status(429, {"Retry-After": asked}), "fine")
    assert make().complete(TURNS) == "fine"
    assert waits == [3.0]
    assert len(server.requests) == 2


def test_rate_limit_with_a_date_is_measured_by_the_servers_clock(server, make, waits):
    def limited(request: Request) -> Status:
        # Both dates lie in the past of this machine: its clock must not matter.
        return Status(429, {"Retry-After": "Mon, 01 Jan 2024 00:00:09 GMT"})

    server.script(limited, "fine")
    assert make().complete(TURNS) == "fine"
    # The server's own `Date` header is today's, so the asked time is over.
    assert waits == [0.0]


def test_asked_to_wait_too_long_tells_at_once(server, make, waits):
    server.script(Status(429, {"Retry-After": "3600"}))
    with pytest.raises(ModelUnavailableError, match="429"):
        make().complete(TURNS)
    assert waits == []
    assert len(server.requests) == 1


def test_server_errors_are_retried_with_growing_waits_then_told(server, make, waits):
    server.script(Status(500))
    with pytest.raises(ModelUnavailableError, match="500"):
        make(max_retries=3).complete(TURNS)
    assert waits == [0.5, 1.0, 2.0]
    assert len(server.requests) == 4


def test_jitter_shortens_the_wait_by_up_to_half(server, make, waits):
    server.script(Status(503), "fine")
    assert make(jitter=lambda: 0.5).complete(TURNS) == "fine"
    assert waits == [0.375]


def test_no_retries_when_none_are_configured(server, make, waits):
    server.script(Status(503), "fine")
    with pytest.raises(ModelUnavailableError):
        make(max_retries=0).complete(TURNS)
    assert len(server.requests) == 1


def test_silent_server_is_cut_and_retried(server, make, waits):
    server.script(Silence(), "fine")
    assert make(timeout=0.3).complete(TURNS) == "fine"
    assert waits == [0.5]


def test_silent_server_ends_in_a_timeout_sentence(server, make):
    server.script(Silence())
    with pytest.raises(ModelUnavailableError, match=r"0\.3 seconds") as caught:
        make(timeout=0.3, max_retries=1).complete(TURNS)
    assert "LLM_TIMEOUT" in caught.value.remedy
    assert len(server.requests) == 2


@pytest.mark.parametrize("end", ["hang", "heartbeat"])
def test_hang_after_the_headers_is_a_timeout(server, make, end):
    server.script(Reply(end=end))
    with pytest.raises(ModelUnavailableError, match=r"0\.3 seconds"):
        make(timeout=0.3, max_retries=0).complete(TURNS)
    assert server.client_left.wait(5)


@pytest.mark.parametrize("end", ["hang", "heartbeat", "cut", "unfinished", "garbage", "error"])
def test_a_reply_that_breaks_off_is_never_whole(server, make, waits, end):
    server.script(Reply(["half an "], end=end))
    pieces = make(timeout=2.0 if end in ("hang", "heartbeat") else 5.0).stream(TURNS)
    assert next(pieces) == "half an "
    with pytest.raises(ModelResponseError):
        list(pieces)
    assert waits == []
    assert len(server.requests) == 1


def test_connection_lost_before_the_first_piece_is_retried(server, make, waits):
    server.script(Reply(end="cut"), "fine")
    assert make().complete(TURNS) == "fine"
    assert waits == [0.5]


def test_nobody_listening(make, waits):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with pytest.raises(ModelUnavailableError, match="could not be reached") as caught:
            make(base_url=url).complete(TURNS)
    assert "LLM_BASE_URL" in caught.value.remedy
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "names"),
    [
        (401, ["LLM_API_KEY"]),
        (403, ["LLM_API_KEY"]),
        (404, ["LLM_MODEL_ID", "LLM_BASE_URL"]),
        (302, ["LLM_BASE_URL"]),
        (400, ["LLM_MODEL_ID"]),
    ],
)
def test_refusals_name_the_setting_and_are_not_retried(server, make, waits, status, names):
    elsewhere = {"Location": server.base_url + "/elsewhere"}
    server.script(Status(status, elsewhere))
    with pytest.raises(ModelUnavailableError) as caught:
        make().complete(TURNS)
    assert all(name in caught.value.remedy for name in names)
    assert caught.value.details["status"] == status
    assert waits == []
    assert len(server.requests) == 1


def test_wrong_path_of_the_base_url(server, make):
    with pytest.raises(ModelUnavailableError) as caught:
        make(base_url=server.base_url + "/wrong").complete(TURNS)
    assert "LLM_BASE_URL" in caught.value.remedy


def test_a_page_that_is_no_chat_completion(server, make):
    server.script(Status(200, body="<html>welcome</html>"))
    with pytest.raises(ModelResponseError) as caught:
        make().complete(TURNS)
    assert "LLM_BASE_URL" in caught.value.remedy


@pytest.mark.parametrize("pieces", [[], ["", " \n"], ["<think>only thoughts</think>\n"]])
def test_empty_reply(server, make, pieces):
    server.script(Reply(pieces))
    with pytest.raises(ModelResponseError, match="empty"):
        make().complete(TURNS)


def test_tokens_used_up_by_thoughts(server, make):
    server.script(Reply(["<think>too ", "long"], finish="length"))
    with pytest.raises(ModelResponseError) as caught:
        make().complete(TURNS)
    assert "LLM_MAX_TOKENS" in caught.value.remedy


def test_thoughts_are_no_part_of_the_answer(server, make):
    server.script(
        Reply(
            ["<thi", "nk>secret\nplan</th", "ink>\n\nThe ans", "wer."], reasoning=["let me ", "see"]
        )
    )
    assert make().complete(TURNS) == "The answer."


def test_model_that_wants_the_newer_limit_field(server, make):
    refusal = '{"error": {"message": "no", "param": "max_tokens", "code": "unsupported_parameter"}}'

    def newer(request: Request) -> Status | str:
        return "fine" if "max_completion_tokens" in request.body else Status(400, body=refusal)

    server.script(newer)
    llm = make()
    assert [llm.complete(TURNS), llm.complete(TURNS)] == ["fine", "fine"]
    assert len(server.requests) == 3  # learnt once
    assert "max_tokens" not in server.requests[-1].body


def test_stray_variables_of_the_environment_change_nothing(server, make, monkeypatch):
    for name, value in {
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
        "OPENAI_API_KEY": "sk-stray",
        "OPENAI_ORG_ID": "stray-org",
        "OPENAI_PROJECT_ID": "stray-project",
        "OPENAI_CUSTOM_HEADERS": "Authorization: Bearer stray\nX-Stray: 1",
        "HTTP_PROXY": "http://127.0.0.1:9",
        "http_proxy": "http://127.0.0.1:9",
        "ALL_PROXY": "http://127.0.0.1:9",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    server.script("fine")
    assert make().complete(TURNS) == "fine"
    (request,) = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert "stray" not in str(request.headers).lower()
    assert not [name for name in request.headers if name.startswith(("x-", "openai"))]


def test_no_key_sends_no_authorization(server, make, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    server.script("fine")
    assert make(api_key=None).complete(TURNS) == "fine"
    assert "authorization" not in server.requests[0].headers


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_the_key_is_never_said(server, make, caplog, status):
    server.script(Status(status, body='{"error": {"message": "bad key {authorization}"}}'))
    llm = make(max_retries=1)
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelUnavailableError) as caught:
        llm.complete(TURNS)
    said = "".join(traceback.format_exception(caught.value))
    assert "APIStatusError" in said or "openai." in said  # the cause is there, without the key
    for text in (said, repr(llm), str(llm), caplog.text, caught.value.sentence):
        assert KEY not in text


def test_lone_surrogates_are_sent_as_question_marks(server, make):
    server.script(lambda request: request.text())
    assert make().complete([ChatTurn("user", "a\ud800b")]) == "a?b"


def test_two_threads_share_one_model(server, make):
    server.script(lambda request: request.text() * 20)
    llm, replies = make(), {}

    def ask(word: str) -> None:
        replies[word] = llm.complete([ChatTurn("user", word)])

    threads = [threading.Thread(target=ask, args=(word,)) for word in ("left", "right", "中")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == {word: word * 20 for word in ("left", "right", "中")}


def test_usable_again_after_close(server, make):
    server.script("fine")
    llm = make()
    assert llm.complete(TURNS) == "fine"
    llm.close()
    assert llm.complete(TURNS) == "fine"


@pytest.mark.parametrize("url", ["", "localhost:8000", "ftp://host/v1", "http://[", "https://"])
def test_addresses_that_cannot_be_used(make, url):
    with pytest.raises(ConfigurationError, match="LLM_BASE_URL"):
        make(base_url=url)


@pytest.mark.parametrize("key", ["“sk-1”", "sk-1\nsk-2", "密钥"])
def test_keys_that_cannot_be_sent(make, key):
    with pytest.raises(ConfigurationError, match="LLM_API_KEY") as caught:
        make(api_key=key)
    assert key not in caught.value.sentence
