"""A real language model on this computer, through the adapter: the wiring, never the quality."""

import logging
from collections.abc import Iterator

import pytest

from core.errors import ModelUnavailableError
from core.llms.metered import MeteredLLM
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.ports.llm import ChatTurn, Usage
from tests.servers.local_model import LocalModel
from tests.servers.small_model import small_model

CONTEXT = 1024
HELLO = [ChatTurn("system", "You are a helpful assistant."), ChatTurn("user", "Count to ten.")]


@pytest.fixture(scope="module")
def served() -> Iterator[LocalModel]:
    with LocalModel(small_model(), context=CONTEXT) as running:
        yield running


@pytest.fixture
def llm(served: LocalModel) -> Iterator[OpenAICompatibleLLM]:
    made = OpenAICompatibleLLM(
        served.name,
        base_url=served.base_url,
        api_key=None,
        timeout=120,
        max_retries=0,
        max_tokens=24,
    )
    yield made
    made.close()


def test_streams_and_counts(llm: OpenAICompatibleLLM):
    seen: list[Usage] = []
    pieces = list(llm.stream(HELLO, on_usage=seen.append))
    (usage,) = seen
    assert len(pieces) > 3
    assert "".join(pieces).strip()
    assert not usage.estimated
    assert 3 < usage.completion_tokens <= 24
    assert usage.prompt_tokens > 10
    assert llm.complete(HELLO) == "".join(pieces)


def test_a_shorter_reply_is_shorter(llm: OpenAICompatibleLLM):
    seen: list[Usage] = []
    llm.complete(HELLO, max_tokens=3, on_usage=seen.append)
    assert seen[0].completion_tokens == 3


def test_stopping_in_the_middle_leaves_the_model_usable(llm: OpenAICompatibleLLM):
    pieces = llm.stream(HELLO)
    next(pieces)
    pieces.close()
    assert llm.complete(HELLO, max_tokens=4)


def test_more_than_the_model_can_read_is_told_at_once(llm: OpenAICompatibleLLM):
    with pytest.raises(ModelUnavailableError) as caught:
        llm.complete([ChatTurn("user", "word " * (CONTEXT + 500))])
    assert caught.value.details["status"] == 400
    assert "shorter question" in caught.value.remedy


def test_no_answer_in_time_is_told(served: LocalModel, caplog: pytest.LogCaptureFixture):
    hasty = OpenAICompatibleLLM(
        served.name,
        base_url=served.base_url,
        api_key=None,
        timeout=0.01,
        max_retries=0,
        max_tokens=24,
    )
    with caplog.at_level(logging.INFO), pytest.raises(ModelUnavailableError, match="seconds"):
        hasty.complete([ChatTurn("user", "word " * 150)])
    hasty.close()


def test_calls_are_metered(llm: OpenAICompatibleLLM):
    metered = MeteredLLM(llm, 400)
    assert metered.call("mqe", HELLO, 8)
    (call,) = metered.calls
    assert (call.outcome, call.estimated) == ("used", False)
    assert 0 < call.completion_tokens <= 8
    assert metered.left == 400 - call.prompt_tokens - call.completion_tokens
