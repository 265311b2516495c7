"""Adapter: chat completions of any OpenAI-compatible endpoint."""

import ipaddress
import logging
import random
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from core.errors import ConfigurationError, ModelError, ModelResponseError, ModelUnavailableError
from core.llms.failures import empty_reply, hide, status_error
from core.llms.reply import ReasoningFilter, read_deltas
from core.llms.retry import LONGEST_RETRY_AFTER, backoff, retry_after
from core.ports.llm import ChatTurn

log = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
_FAILURES = (openai.APIError, httpx2.RequestError)
_RETRIED_STATUS = frozenset({408, 425, 429})
_SENT_HEADERS = {
    *("accept", "accept-encoding", "authorization", "connection"),
    *("content-length", "content-type", "host", "user-agent"),
}


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
        self._host = _host(base_url)
        self._base_url = base_url
        self._key = _checked_key(api_key)
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_tokens = max_tokens
        self._limit_name = "max_tokens"
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

    def complete(self, turns: Sequence[ChatTurn]) -> str:
        """Return the whole reply. Raises as `stream`."""
        return "".join(self.stream(turns))

    def stream(self, turns: Sequence[ChatTurn]) -> Iterator[str]:
        """Yield the reply in pieces; closing the iterator closes the connection.

        Raises `ModelUnavailableError` and `ModelResponseError`. Only a request of which nothing
        was handed on yet is sent again.
        """
        attempt, begun = 0, False
        while True:
            try:
                with closing(self._pieces(turns)) as pieces:
                    for piece in pieces:
                        begun = True
                        yield piece
                return
            except _FAILURES as exc:
                hide(exc, self._key)
                if begun:
                    raise ModelResponseError("The language model's answer broke off.") from exc
                delay = self._retry_delay(exc, attempt)
                if delay is None:
                    raise self._error(exc) from exc
            attempt += 1
            log.warning("Model request failed; retry %d in %.1f s", attempt, delay)
            self._sleep(delay)

    def close(self) -> None:
        """Close idle connections. The next call opens new ones."""
        with self._lock:
            client, self._opened = self._opened, None
        if client is not None:
            client.close()

    def _pieces(self, turns: Sequence[ChatTurn]) -> Generator[str, None, None]:
        """Send one request and yield its reply; lets the client's exceptions (`_FAILURES`) pass."""
        watch = _Watch(self._timeout)
        reasoning, begun, finish = ReasoningFilter(), False, None
        with self._open(turns) as response:
            for delta in read_deltas(watch.over(response.response.iter_bytes())):
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
        if not finish:
            raise ModelResponseError(
                "The language model's answer broke off."
                if begun
                else "The language model's server sent no complete answer.",
                remedy="Ask again; the operator can check LLM_BASE_URL and LLM_MODEL_ID.",
            )
        if not begun:
            raise empty_reply(finish)

    def _open(self, turns: Sequence[ChatTurn]) -> openai.Stream[Any]:
        try:
            return self._create(turns)
        except openai.BadRequestError as exc:
            # Newer models of OpenAI refuse the field that all other servers know.
            if exc.param != self._limit_name or self._limit_name != "max_tokens":
                raise
            self._limit_name = "max_completion_tokens"
        return self._create(turns)

    def _create(self, turns: Sequence[ChatTurn]) -> openai.Stream[Any]:
        # A lone surrogate cannot be sent; it becomes a question mark.
        messages: Any = [
            {"role": t.role, "content": t.content.encode("utf-8", "replace").decode()}
            for t in turns
        ]
        return self._client().chat.completions.create(
            model=self._model,
            messages=messages,
            stream=True,
            extra_body={self._limit_name: self._max_tokens},
        )

    def _client(self) -> openai.OpenAI:
        timeout = httpx2.Timeout(self._timeout, connect=min(self._timeout, CONNECT_SECONDS))
        with self._lock:
            if self._opened is None:
                self._opened = openai.OpenAI(
                    base_url=self._base_url,
                    api_key=self._key or "none",
                    max_retries=0,
                    default_headers={"Authorization": f"Bearer {self._key}"} if self._key else None,
                    timeout=timeout,
                    http_client=httpx2.Client(
                        timeout=timeout,
                        # A proxy of the environment is for other hosts, never for this machine.
                        trust_env=not _is_loopback(self._host),
                        # Passages and the key go to the configured host and to no other.
                        follow_redirects=False,
                        event_hooks={"request": [self._only_own_headers]},
                    ),
                )
            return self._opened

    def _only_own_headers(self, request: httpx2.Request) -> None:
        """Take out what the SDK adds from `OPENAI_*` variables and about this machine."""
        for header in list(request.headers):
            if header not in _SENT_HEADERS:
                del request.headers[header]
        request.headers["user-agent"] = "pdf-learning-assistant"
        if self._key is None:
            request.headers.pop("authorization", None)

    def _retry_delay(self, exc: Exception, attempt: int) -> float | None:
        """Return seconds until the next attempt, `None` when there is to be none."""
        if attempt >= self._max_retries:
            return None
        delay = backoff(attempt, self._jitter())
        if isinstance(exc, openai.APIStatusError):
            if exc.status_code < 500 and exc.status_code not in _RETRIED_STATUS:
                return None
            asked = retry_after(exc.response.headers)
            if asked is not None:
                return asked if asked <= LONGEST_RETRY_AFTER else None
        return delay

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


def _host(base_url: str) -> str:
    try:
        parts = urlsplit(base_url)
        host = parts.hostname
    except ValueError as exc:
        raise ConfigurationError("LLM_BASE_URL is not an address.") from exc
    if parts.scheme not in ("http", "https") or not host:
        raise ConfigurationError(
            "LLM_BASE_URL must begin with http:// or https:// and name a host."
        )
    return host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _checked_key(key: str | None) -> str | None:
    key = (key or "").strip()
    if not (key.isascii() and key.isprintable()):
        raise ConfigurationError(
            "LLM_API_KEY holds characters that no key has.", remedy="Copy the key again."
        )
    return key or None
