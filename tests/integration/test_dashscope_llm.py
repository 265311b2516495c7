"""The DashScope adapter: the real SDK against a real HTTP server."""

import logging
import socket
import threading
import traceback

import pytest

from core.adapters import make_llm
from core.errors import ConfigurationError, ModelResponseError, ModelUnavailableError
from core.llms.dashscope import DashScopeLLM
from core.ports.llm import ChatTurn, Usage
from core.settings import load_settings
from tests.servers.dashscope_llm_server import Refused, Told, dashscope_llm_server

KEY = "sk-very-secret-0123456789"
TURNS = [ChatTurn("system", "Answer from the passages."), ChatTurn("user", "什么是注意力？")]


@pytest.fixture
def server():
    with dashscope_llm_server() as running:
        yield running


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def make(server, waits):
    def make_llm(**changes) -> DashScopeLLM:
        options = {
            "base_url": server.base_url,
            "api_key": KEY,
            "timeout": 5.0,
            "max_retries": 2,
            "max_tokens": 300,
            "sleep": waits.append,
            "jitter": lambda: 0.0,
        }
        return DashScopeLLM(**{**options, **changes})

    return make_llm


def test_streams_pieces_as_they_come(server, make):
    server.script(Told(["Attention ", "是加权和", " [1]."]))
    assert list(make().stream(TURNS)) == ["Attention ", "是加权和", " [1]."]
    assert server.bodies == [
        {
            "model": "qwen-plus",
            "input": {
                "messages": [
                    {"role": "system", "content": "Answer from the passages."},
                    {"role": "user", "content": "什么是注意力？"},
                ]
            },
            "parameters": {
                "result_format": "message",
                "incremental_output": True,
                "max_tokens": 300,
            },
        }
    ]
    (headers,) = server.headers
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["x-dashscope-sse"] == "enable"
    assert headers["user-agent"] == "pdf-learning-assistant"
    assert not [name for name in headers if name.startswith("x-") and name != "x-dashscope-sse"]


def test_first_piece_arrives_before_the_reply_is_complete_and_closing_ends_it(server, make):
    server.script(Told(["early "], end="hang"))
    pieces = make().stream(TURNS)
    assert next(pieces) == "early "
    assert not server.client_left.is_set()
    pieces.close()
    assert server.client_left.wait(5)


def test_tokens_as_the_service_counts_them(server, make):
    server.script(Told(["one ", "two"], input_tokens=31))
    seen: list[Usage] = []
    assert make().complete(TURNS, on_usage=seen.append) == "one two"
    assert seen == [Usage(31, 3)]


def test_tokens_are_estimated_without_its_count(server, make):
    server.script(Told(["two words"], input_tokens=None))
    seen: list[Usage] = []
    make().complete(TURNS, on_usage=seen.append)
    assert seen == [Usage(4 + 7, 2, estimated=True)]


@pytest.mark.parametrize(("asked", "sent"), [(40, 40), (5000, 300), (None, 300)])
def test_a_shorter_reply_may_be_asked_for(server, make, asked, sent):
    make().complete(TURNS, max_tokens=asked)
    assert server.bodies[0]["parameters"]["max_tokens"] == sent


def test_thoughts_are_no_part_of_the_answer(server, make):
    server.script(Told(["The answer."], thoughts=["let me ", "see"]))
    assert make().complete(TURNS) == "The answer."


@pytest.mark.parametrize(
    "limit", [Refused(429, "Throttling.RateQuota"), Told(end="throttled"), Refused(500, "Internal")]
)
def test_busy_then_fine(server, make, waits, limit):
    server.script(limit, Told(["fine"]))
    assert make().complete(TURNS) == "fine"
    assert waits == [0.5]


def test_rate_limit_waits_as_long_as_the_service_asks(server, make, waits):
    server.script(Refused(429, "Throttling", headers=(("Retry-After", "3"),)), Told(["fine"]))
    assert make().complete(TURNS) == "fine"
    assert waits == [3.0]


def test_still_busy_is_told(server, make, waits):
    server.script(Refused(429, "Throttling"))
    with pytest.raises(ModelUnavailableError, match="429"):
        make().complete(TURNS)
    assert waits == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "code", "named"),
    [
        (401, "InvalidApiKey", "LLM_API_KEY"),
        (403, "AccessDenied", "LLM_API_KEY"),
        (404, "ModelNotFound", "LLM_MODEL_ID"),
        (400, "InvalidParameter", "LLM_MAX_TOKENS"),
    ],
)
def test_refusals_name_the_setting_and_are_not_retried(server, make, waits, status, code, named):
    server.script(Refused(status, code))
    with pytest.raises(ModelUnavailableError) as caught:
        make().complete(TURNS)
    assert named in caught.value.remedy
    assert caught.value.details["status"] == status
    assert waits == []
    assert len(server.bodies) == 1


def test_nobody_is_followed_elsewhere(server, make):
    elsewhere = (("Location", server.base_url + "/elsewhere"),)
    server.script(Refused(302, "Moved", headers=elsewhere))
    with pytest.raises(ModelUnavailableError, match="not found at this address"):
        make().complete(TURNS)
    assert len(server.bodies) == 1


@pytest.mark.parametrize("end", ["hang", "heartbeat", "cut", "unfinished", "garbage", "throttled"])
def test_a_reply_that_breaks_off_is_never_whole(server, make, waits, end):
    server.script(Told(["half an "], end=end))
    pieces = make(timeout=2.0 if end in ("hang", "heartbeat") else 5.0).stream(TURNS)
    assert next(pieces) == "half an "
    with pytest.raises(ModelResponseError):
        list(pieces)
    assert waits == []
    assert len(server.bodies) == 1


def test_connection_lost_before_the_first_piece_is_retried(server, make, waits):
    server.script(Told(end="cut"), Told(["fine"]))
    assert make().complete(TURNS) == "fine"
    assert waits == [0.5]


@pytest.mark.parametrize("end", ["hang", "heartbeat"])
def test_silence_is_a_timeout(server, make, end):
    server.script(Told(end=end))
    with pytest.raises(ModelUnavailableError, match=r"0\.3 seconds") as caught:
        make(timeout=0.3, max_retries=0).complete(TURNS)
    assert "LLM_TIMEOUT" in caught.value.remedy
    assert server.client_left.wait(5)


def test_nobody_listening(make, waits):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/api/v1"
        with pytest.raises(ModelUnavailableError, match="could not be reached"):
            make(base_url=url, max_retries=1).complete(TURNS)
    assert waits == [0.5]


@pytest.mark.parametrize("finish", ["stop", "length"])
def test_empty_reply(server, make, finish):
    server.script(Told(finish=finish))
    with pytest.raises(ModelResponseError) as caught:
        make().complete(TURNS)
    assert ("LLM_MAX_TOKENS" in caught.value.remedy) == (finish == "length")


def test_stray_variables_of_the_environment_change_nothing(server, make, monkeypatch):
    for name in ("DASHSCOPE_API_KEY", "DASHSCOPE_WORKSPACE_ID"):
        monkeypatch.setenv(name, "stray")
    monkeypatch.setenv("DASHSCOPE_HTTP_BASE_URL", "http://127.0.0.1:9/api/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert make().complete(TURNS) == "Hello from the model."
    assert "stray" not in str(server.headers)


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_the_key_is_never_said(server, make, caplog, status):
    server.script(Refused(status, "Some", message="bad key {authorization}"))
    llm = make(max_retries=1)
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelUnavailableError) as caught:
        llm.complete(TURNS)
    said = "".join(traceback.format_exception(caught.value))
    for text in (said, repr(llm), str(llm), caplog.text, caught.value.sentence):
        assert KEY not in text


def test_threads_share_one_model(server, make):
    llm, replies = make(), []

    def ask() -> None:
        replies.append(llm.complete(TURNS))

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert replies == ["Hello from the model."] * 4


def test_settings_that_cannot_be_used(make):
    with pytest.raises(ConfigurationError, match="LLM_BASE_URL") as caught:
        make(base_url="https://dashscope.aliyuncs.com/compatible-mode/v1")
    assert "LLM_PROVIDER=openai" in caught.value.remedy
    with pytest.raises(ConfigurationError, match="needs a key"):
        make(api_key=None)
    with pytest.raises(ConfigurationError, match="LLM_API_KEY"):
        make(api_key="密钥")


def test_a_key_is_all_the_provider_needs(server):
    chosen = {"llm_provider": "dashscope", "llm_api_key": KEY}
    named = make_llm(load_settings(env_file=None, **chosen, llm_base_url=server.base_url))
    assert named is not None
    assert named.name == "qwen-plus"
    assert named.complete(TURNS) == "Hello from the model."
    far = make_llm(load_settings(env_file=None, **chosen, llm_model_id="qwen-max"))
    assert repr(far) == "DashScopeLLM(model='qwen-max', host='dashscope.aliyuncs.com')"
    assert make_llm(load_settings(env_file=None, llm_provider="dashscope")) is None
