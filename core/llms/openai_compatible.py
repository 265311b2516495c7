"""Adapter: chat completions of any OpenAI-compatible endpoint."""

import logging
import random
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any

import httpx2
import openai

from core.errors import ModelError, ModelResponseError, ModelUnavailableError
from core.llms.failures import empty_reply, status_error
from core.llms.reply import Delta, ReasoningFilter, read_deltas
from core.llms.retrying import Retrying
from core.llms.usage import UsageCount
from core.ports.llm import ChatTurn, OnUsage
from core.remote.address import checked_key, hide, host_of
from core.remote.openai_client import FAILURES, open_client, retry_delay

log = logging.getLogger(__name__)


class OpenAICompatibleLLM:
    """A chat model behind `base_url`.

    `timeout` (seconds) bounds the wait for the response and for each next piece, thoughts of a
    reasoning model counted as pieces. `sleep` and `jitter` (a number in [0, 1)) are for the waits
    between retries. Nothing is read from `OPENAI_*` variables. Raises `ConfigurationError` for an
    address or a key that cannot be used.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str,
        api_key: str | None,
        timeout: float,
        max_retries: int,
        max_tokens: int,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._model = model
        self._host = host_of(base_url, setting="LLM_BASE_URL")
        self._base_url = base_url
        self._key = checked_key(api_key, setting="LLM_API_KEY")
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_tokens = max_tokens
        self._limit_name = "max_tokens"
        self._asks_usage = True
        self._usage_comes = True
        self._sleep = sleep
        self._jitter = jitter
        self._lock = threading.Lock()
        self._opened: openai.OpenAI | None = None

    def __repr__(self) -> str:
        return f"OpenAICompatibleLLM(model={self._model!r}, host={self._host!r})"

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""
        return self._model

    def complete(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> str:
        """Return the whole reply. Raises as `stream`."""
        return "".join(self.stream(turns, max_tokens=max_tokens, on_usage=on_usage))

    def stream(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> Iterator[str]:
        """Yield the reply in pieces; closing the iterator closes the connection.

        The reply is at most `max_tokens` long, and never longer than configured. Raises
        `ModelUnavailableError` and `ModelResponseError`. Only a request of which nothing was handed
        on yet is sent again.
        """
        limit = min(self._max_tokens, max_tokens or self._max_tokens)
        usage = UsageCount(turns)
        retrying = Retrying(
            failures=FAILURES,
            delay=self._delay,
            error=self._error,
            key=self._key,
            sleep=self._sleep,
        )
        return retrying.stream(lambda: self._pieces(turns, limit, usage), usage, on_usage)

    def close(self) -> None:
        """Close idle connections. The next call opens new ones."""
        with self._lock:
            client, self._opened = self._opened, None
        if client is not None:
            client.close()

    def _pieces(
        self, turns: Sequence[ChatTurn], limit: int, usage: UsageCount
    ) -> Generator[str, None, None]:
        """Send one request and yield its reply; lets the client's exceptions (`FAILURES`) pass."""
        watch = _Watch(self._timeout)
        reasoning, begun, finish = ReasoningFilter(), False, None
        with self._open(turns, limit) as response:
            deltas = read_deltas(watch.over(response.response.iter_bytes()))
            for delta in deltas:
                _count(usage, delta)
                text = reasoning.feed(delta.text)
                finish = delta.finish
                if finish:
                    text += reasoning.end()
                text = text if begun else text.lstrip()
                if text:
                    begun = True
                    yield text
                if delta.text or delta.reasoning:
                    watch.restart()
                if finish:
                    break
            if finish:
                self._read_usage(deltas, usage)
        if not finish:
            raise ModelResponseError(
                "The language model's answer broke off."
                if begun
                else "The language model's server sent no complete answer.",
                remedy="Ask again; the operator can check LLM_BASE_URL and LLM_MODEL_ID.",
            )
        if not begun:
            raise empty_reply(finish)

    def _read_usage(self, deltas: Iterator[Delta], usage: UsageCount) -> None:
        """Read on behind the end of the reply, where the server counts its tokens.

        The reply is whole by then: what goes wrong here is no failure of it. A server that leaves
        the connection open without a word is not waited for a second time.
        """
        if not self._usage_comes:
            return
        try:
            for delta in deltas:
                _count(usage, delta)
        except (*FAILURES, ModelResponseError) as exc:
            hide(exc, self._key)
            log.info("No count of tokens from the model's server: %s", type(exc).__name__)
            self._usage_comes = False

    def _open(self, turns: Sequence[ChatTurn], limit: int) -> openai.Stream[Any]:
        while True:
            try:
                return self._create(turns, limit)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as exc:
                if not self._can_do_without(exc):
                    raise

    def _can_do_without(self, refusal: openai.APIStatusError) -> bool:
        """Tell whether the server refused a field that can be left out or named otherwise.

        What it refused is not sent to it again.
        """
        # Newer models of OpenAI refuse the field that all other servers know.
        if refusal.param == "max_tokens" == self._limit_name:
            self._limit_name = "max_completion_tokens"
            return True
        if self._asks_usage and "stream_options" in f"{refusal.param} {refusal.response.text}":
            self._asks_usage = False
            return True
        return False

    def _create(self, turns: Sequence[ChatTurn], limit: int) -> openai.Stream[Any]:
        # A lone surrogate cannot be sent; it becomes a question mark.
        messages: Any = [
            {"role": t.role, "content": t.content.encode("utf-8", "replace").decode()}
            for t in turns
        ]
        counted = {"stream_options": {"include_usage": True}} if self._asks_usage else {}
        return self._client().chat.completions.create(
            model=self._model,
            messages=messages,
            stream=True,
            extra_body={self._limit_name: limit, **counted},
        )

    def _client(self) -> openai.OpenAI:
        with self._lock:
            if self._opened is None:
                self._opened = open_client(
                    self._base_url, key=self._key, timeout=self._timeout, setting="LLM_BASE_URL"
                )
            return self._opened

    def _delay(self, exc: Exception, attempt: int) -> float | None:
        return retry_delay(exc, attempt, max_retries=self._max_retries, jitter=self._jitter())

    def _error(self, exc: Exception) -> ModelError:
        """Word a failure before the first piece."""
        if isinstance(exc, openai.APIStatusError):
            return status_error(exc.status_code)
        if isinstance(exc, (openai.APITimeoutError, httpx2.TimeoutException)):
            return ModelUnavailableError(
                f"The language model did not answer within {self._timeout:g} seconds.",
                remedy="Ask again; the operator can raise LLM_TIMEOUT or change LLM_MODEL_ID.",
            )
        return ModelUnavailableError(
            f"The language model at {self._host} could not be reached.",
            remedy="Check the network and ask again; the operator can check LLM_BASE_URL.",
        )


def _count(usage: UsageCount, delta: Delta) -> None:
    if delta.text or delta.reasoning:
        usage.said(delta.text or delta.reasoning)
    if delta.prompt_tokens is not None and delta.completion_tokens is not None:
        usage.counted(delta.prompt_tokens, delta.completion_tokens)


class _Watch:
    """Ends a body that only sends signs of life (comments, empty events) but no piece."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.restart()

    def restart(self) -> None:
        self._until = time.monotonic() + self._seconds

    def over(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield `chunks`; raises `httpx2.ReadTimeout` when the time is over."""
        for chunk in chunks:
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("no piece of the reply in time")
            yield chunk
