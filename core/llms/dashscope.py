"""Adapter: chat models of Alibaba Cloud's Bailian (Model Studio) by the DashScope SDK."""

import importlib
import logging
import random
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import Any

import requests

from core.errors import ConfigurationError, ModelError, ModelResponseError, ModelUnavailableError
from core.llms.failures import empty_reply, status_error
from core.llms.reply import ReasoningFilter
from core.llms.retrying import Retrying
from core.llms.usage import UsageCount
from core.ports.llm import ChatTurn, OnUsage
from core.remote.address import SENT_HEADERS, USER_AGENT, checked_key, hide, host_of, is_loopback
from core.remote.retry import delay_for

log = logging.getLogger(__name__)

DEFAULT_MODEL = "qwen-plus"
DEFAULT_URL = "https://dashscope.aliyuncs.com/api/v1"
CONNECT_SECONDS = 10.0
_SENT = SENT_HEADERS | {"x-dashscope-sse"}
_FAILURES = (requests.RequestException,)
_NOT_FINISHED = (None, "", "null")
"""The service writes the word `null` as long as a reply goes on."""
_STATUS_OF = {"Throttling": 429, "InvalidApiKey": 401, "AccessDenied": 403, "Internal": 500}
"""Beginnings of error codes; in the middle of a stream the SDK does not tell the status."""


class DashScopeLLM:
    """A chat model of DashScope. Thread-safe: each call has its own connection.

    `base_url` is that of the SDK's own interface (`…/api/v1`), not of the compatible mode. Nothing
    is read from `DASHSCOPE_*` variables. `timeout` (seconds) bounds the wait for the response and
    for each next piece; `sleep` and `jitter` (a number in [0, 1)) are for the waits between
    retries. Raises `ConfigurationError` for an address or a key that cannot be used.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        base_url: str = DEFAULT_URL,
        api_key: str | None,
        timeout: float,
        max_retries: int,
        max_tokens: int,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._host = host_of(base_url, setting="LLM_BASE_URL")
        if "/compatible-mode" in base_url:
            raise ConfigurationError(
                "LLM_BASE_URL is the address of DashScope's OpenAI-compatible mode.",
                remedy=f"Set LLM_PROVIDER=openai, or LLM_BASE_URL={DEFAULT_URL}.",
            )
        key = checked_key(api_key, setting="LLM_API_KEY")
        if key is None:
            raise ConfigurationError(
                "LLM_PROVIDER=dashscope needs a key.", remedy="Set LLM_API_KEY."
            )
        self._key = key
        self._timeout = timeout
        self._max_retries = max_retries
        self._max_tokens = max_tokens
        self._sleep = sleep
        self._jitter = jitter

    def __repr__(self) -> str:
        return f"DashScopeLLM(model={self._model!r}, host={self._host!r})"

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
            failures=_FAILURES,
            delay=self._retry_delay,
            error=self._error,
            key=self._key,
            sleep=self._sleep,
        )
        return retrying.stream(lambda: self._pieces(turns, limit, usage), usage, on_usage)

    def close(self) -> None:
        """Nothing is kept open between calls."""

    def _pieces(
        self, turns: Sequence[ChatTurn], limit: int, usage: UsageCount
    ) -> Generator[str, None, None]:
        """Send one request and yield its reply; lets exceptions of `requests` pass."""
        reasoning, begun, finish = ReasoningFilter(), False, ""
        with _Connection(self._host, self._timeout) as connection:
            for event in self._events(connection, turns, limit):
                text, thought, finish = _read(event)
                _count(usage, event, text + thought)
                if text or thought:
                    connection.piece_came()
                text = reasoning.feed(text) + (reasoning.end() if finish else "")
                text = text if begun else text.lstrip()
                if text:
                    begun = True
                    yield text
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

    def _events(
        self, connection: "_Connection", turns: Sequence[ChatTurn], limit: int
    ) -> Iterator[Any]:
        """Yield the SDK's responses; `requests.HTTPError` for one that is no success."""
        generation = importlib.import_module("dashscope.aigc.generation").Generation
        try:
            responses = generation.call(
                self._model,
                # A lone surrogate cannot be sent; it becomes a question mark.
                messages=[
                    {"role": t.role, "content": t.content.encode("utf-8", "replace").decode()}
                    for t in turns
                ],
                api_key=self._key,
                base_address=self._base_url,
                request_timeout=(min(self._timeout, CONNECT_SECONDS), self._timeout),
                session=connection.session,
                result_format="message",
                stream=True,
                incremental_output=True,
                max_tokens=limit,
            )
            for response in responses:
                if response.status_code != 200:
                    raise _refusal(response)
                yield response
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            if isinstance(exc, _FAILURES):
                raise
            # The SDK reads the body without looking whether it is what it expects.
            hide(exc, self._key)
            raise ModelResponseError("The language model sent a reply that is no JSON.") from exc

    def _retry_delay(self, exc: requests.RequestException, attempt: int) -> float | None:
        status, headers = None, {}
        if isinstance(exc, requests.HTTPError) and exc.response is not None:
            status = exc.response.status_code
            headers = {name.lower(): value for name, value in exc.response.headers.items()}
        if isinstance(exc, requests.TooManyRedirects):
            return None
        return delay_for(
            status, headers, attempt, max_retries=self._max_retries, jitter=self._jitter()
        )

    def _error(self, exc: requests.RequestException) -> ModelError:
        """Word a failure before the first piece."""
        if isinstance(exc, requests.HTTPError) and exc.response is not None:
            return status_error(exc.response.status_code)
        if isinstance(exc, requests.TooManyRedirects):
            return status_error(302)
        if isinstance(exc, requests.Timeout) or "timed out" in str(exc).lower():
            return ModelUnavailableError(
                f"The language model did not answer within {self._timeout:g} seconds.",
                remedy="Ask again; the operator can raise LLM_TIMEOUT or change LLM_MODEL_ID.",
            )
        return ModelUnavailableError(
            f"The language model at {self._host} could not be reached.",
            remedy="Check the network and ask again; the operator can check LLM_BASE_URL.",
        )


class _Connection:
    """Context manager: a session for one request, closed whatever state its reply is in.

    Sends nothing about this machine, follows no redirect (passages and the key go to the configured
    host and to no other), and ends a body that only sends signs of life but no piece.
    """

    def __init__(self, host: str, timeout: float) -> None:
        self._timeout = timeout
        self._responses: list[requests.Response] = []
        self.session = requests.Session()
        # A proxy of the environment is for other hosts, never for this machine.
        self.session.trust_env = not is_loopback(host)
        self.session.max_redirects = 0
        self.session.hooks["response"] = [self._keep]
        for scheme in ("https://", "http://"):
            self.session.mount(scheme, _OwnHeaders())
        self.piece_came()

    def __enter__(self) -> "_Connection":
        return self

    def __exit__(self, *_: object) -> None:
        for response in self._responses:
            response.close()
        self.session.close()

    def piece_came(self) -> None:
        """Wait anew for the next piece."""
        self._until = time.monotonic() + self._timeout

    def _keep(self, response: requests.Response, *_: Any, **__: Any) -> None:
        self._responses.append(response)
        body = response.iter_content

        def watched(*args: Any, **options: Any) -> Iterator[Any]:
            return self._over(body(*args, **options))

        response.iter_content = watched  # type: ignore[method-assign]

    def _over(self, chunks: Iterable[Any]) -> Iterator[Any]:
        for chunk in chunks:
            if time.monotonic() > self._until:
                raise requests.ReadTimeout("no piece of the reply in time")
            yield chunk


class _OwnHeaders(requests.adapters.HTTPAdapter):
    """Takes out what the SDK tells about this machine and its own environment."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> Any:
        for header in list(request.headers):
            if header.lower() not in _SENT:
                del request.headers[header]
        request.headers["User-Agent"] = USER_AGENT
        return super().send(request, *args, **options)


def _refusal(response: Any) -> requests.HTTPError:
    """Return a response that is no success as an exception that has its status and headers."""
    refused = requests.Response()
    code = str(response.code or "")
    known = (status for begin, status in _STATUS_OF.items() if code.startswith(begin))
    refused.status_code = next(known, response.status_code)
    refused.headers.update(response.headers or {})
    return requests.HTTPError(f"HTTP {refused.status_code}", response=refused)


def _read(response: Any) -> tuple[str, str, str]:
    """Return text, thoughts and finish reason of an event; empty what it does not have."""
    output = response.output if isinstance(response.output, dict) else {}
    choices = output.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise ModelResponseError("The language model sent a reply of an unknown form.")
    message, finish = choices[0].get("message"), choices[0].get("finish_reason")
    message = message if isinstance(message, dict) else {}
    text, thought = message.get("content"), message.get("reasoning_content")
    return (
        text if isinstance(text, str) else "",
        thought if isinstance(thought, str) else "",
        "" if finish in _NOT_FINISHED else str(finish),
    )


def _count(usage: UsageCount, response: Any, said: str) -> None:
    if said:
        usage.said(said)
    counts = response.usage if isinstance(response.usage, dict) else {}
    prompt, completion = counts.get("input_tokens"), counts.get("output_tokens")
    # The SDK makes zeros of a count that is not there.
    if isinstance(prompt, int) and isinstance(completion, int) and prompt > 0:
        usage.counted(prompt, completion)
