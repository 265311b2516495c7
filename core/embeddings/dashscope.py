"""Adapter: text embeddings of Alibaba Cloud's Bailian (Model Studio) by the DashScope SDK.

Limits and fields are those of its documentation: at most 10 texts a call, 8192 tokens a text,
`text_type` tells questions from documents, lengths from 64 to 2048.
"""

import importlib
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
import requests

from core.embeddings.checks import checked
from core.embeddings.service import (
    Patience,
    in_batches,
    in_order,
    sendable,
    status_error,
    timeout_error,
    unreachable_error,
    unreadable_error,
    with_retries,
)
from core.errors import ConfigurationError, EmbeddingError
from core.ports.embedder import Vectors
from core.remote.address import SENT_HEADERS, USER_AGENT, checked_key, hide, host_of, is_loopback
from core.remote.retry import delay_for

DEFAULT_MODEL = "text-embedding-v4"
DEFAULT_URL = "https://dashscope.aliyuncs.com/api/v1"
TEXTS_A_CALL = 10
_TOKENS_A_TEXT = 8192
_MODEL_TOKENS_A_TOKEN = 2
"""A word or Chinese character takes at most about so many of a model's tokens."""
_FAILURES = (requests.RequestException,)
TextType = Literal["query", "document"]


class _Lengths(NamedTuple):
    default: int
    choices: tuple[int, ...]


_SMALL = (1024, 768, 512, 256, 128, 64)
_KNOWN = {
    "text-embedding-v4": _Lengths(1024, (2048, 1536, *_SMALL)),
    "text-embedding-v3": _Lengths(1024, _SMALL),
    "text-embedding-v2": _Lengths(1536, ()),
    "text-embedding-v1": _Lengths(1536, ()),
}


class DashScopeEmbedder:
    """An embedding model of DashScope; connects at the first use. Thread-safe.

    `base_url` is that of the SDK's own interface (`…/api/v1`), not of the compatible mode. Nothing
    is read from `DASHSCOPE_*` variables. `timeout` is in seconds. Raises `ConfigurationError`.
    """

    def __init__(
        self,
        model: str = DEFAULT_MODEL,
        *,
        base_url: str = DEFAULT_URL,
        api_key: str | None,
        dimension: int | None,
        timeout: float,
        max_retries: int,
        sleep: Callable[[float], None] = time.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._model = model
        self._base_url = base_url.rstrip("/")
        self._host = host_of(base_url, setting="EMBED_BASE_URL")
        if "/compatible-mode" in base_url:
            raise ConfigurationError(
                "EMBED_BASE_URL is the address of DashScope's OpenAI-compatible mode.",
                remedy=f"Set EMBED_MODEL_TYPE=openai, or EMBED_BASE_URL={DEFAULT_URL}.",
            )
        key = checked_key(api_key, setting="EMBED_API_KEY")
        if key is None:
            raise ConfigurationError(
                "EMBED_MODEL_TYPE=dashscope needs a key.", remedy="Set EMBED_API_KEY."
            )
        self._key = key
        self._timeout = timeout
        self._patience = Patience(max_retries, sleep, jitter)
        self._asked_dimension = dimension
        self.dimension = _dimension(model, dimension)
        self.window_tokens = _TOKENS_A_TEXT // _MODEL_TOKENS_A_TOKEN
        self.name = f"dashscope:{model}/{self.dimension}"
        self._lock = threading.Lock()
        self._opened: tuple[Any, requests.Session] | None = None

    def __repr__(self) -> str:
        return f"DashScopeEmbedder(model={self._model!r}, host={self._host!r})"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        cleaned = [sendable(text) for text in texts]
        return in_batches(cleaned, lambda: TEXTS_A_CALL, lambda b: self._embed(b, "document"))

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        vector: Vectors = self._embed([sendable(text)], "query")[0]
        return vector

    def close(self) -> None:
        """Close idle connections. The next call opens new ones."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened[1].close()

    def _embed(self, texts: Sequence[str], text_type: TextType) -> Vectors:
        try:
            answer = with_retries(
                lambda: self._call(texts, text_type), _FAILURES, self._delay, self._patience
            )
        except _FAILURES as exc:
            hide(exc, self._key)
            raise self._error(exc) from exc
        output = answer.output if isinstance(answer.output, dict) else {}
        rows = in_order(output.get("embeddings"), number="text_index", count=len(texts))
        return checked(rows, count=len(texts), dimension=self.dimension, model=self._model)

    def _call(self, texts: Sequence[str], text_type: TextType) -> Any:
        """Return the SDK's answer; `requests.RequestException` for one that is no success."""
        api, session = self._sdk()
        try:
            answer = api.call(
                self._model,
                list(texts),
                api_key=self._key,
                text_type=text_type,
                dimension=self._asked_dimension,
                base_address=self._base_url,
                request_timeout=self._timeout,
                session=session,
            )
        except _FAILURES:
            raise
        except (ValueError, TypeError, KeyError, AttributeError) as exc:
            # The SDK reads the body without looking whether it is what it expects.
            hide(exc, self._key)
            raise unreadable_error() from exc
        if answer.status_code != 200:
            refused = requests.Response()
            refused.status_code = answer.status_code
            refused.headers.update(answer.headers or {})
            raise requests.HTTPError(f"HTTP {answer.status_code}", response=refused)
        return answer

    def _sdk(self) -> tuple[Any, requests.Session]:
        with self._lock:
            if self._opened is None:
                api = importlib.import_module("dashscope.embeddings.text_embedding").TextEmbedding
                self._opened = api, _session(self._host)
            return self._opened

    def _delay(self, exc: Exception, attempt: int) -> float | None:
        response = exc.response if isinstance(exc, requests.RequestException) else None
        status, headers = (None, {}) if response is None else _told(response)
        patience = self._patience
        return delay_for(
            status,
            headers,
            attempt,
            max_retries=patience.max_retries,
            jitter=patience.jitter(),
        )

    def _error(self, exc: requests.RequestException) -> EmbeddingError:
        if isinstance(exc, requests.HTTPError) and exc.response is not None:
            return status_error(exc.response.status_code)
        if isinstance(exc, requests.TooManyRedirects):
            return status_error(302)
        if isinstance(exc, requests.Timeout):
            return timeout_error(self._timeout)
        if isinstance(exc, requests.exceptions.InvalidJSONError):
            return unreadable_error()
        return unreachable_error(self._host)


def _dimension(model: str, asked: int | None) -> int:
    """Return the length of the vectors. Raises `ConfigurationError`."""
    known = _KNOWN.get(model)
    if known is None:
        if asked is None:
            raise ConfigurationError(
                f"How long the vectors of {model} are is not known.",
                remedy="Set EMBED_DIMENSION to the length that the model's description gives.",
            )
        return asked
    if asked is not None and asked != known.default and asked not in known.choices:
        choices = ", ".join(str(n) for n in known.choices or (known.default,))
        raise ConfigurationError(
            f"EMBED_DIMENSION is {asked}, which {model} does not offer.",
            remedy=f"Set it to one of: {choices}.",
        )
    return asked or known.default


def _told(response: requests.Response) -> tuple[int, dict[str, str]]:
    """Return status and headers, these by their names in lower case."""
    return response.status_code, {k.lower(): v for k, v in response.headers.items()}


class _OwnHeaders(requests.adapters.HTTPAdapter):
    """Takes out what the SDK tells about this machine and its own environment."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> Any:
        for header in list(request.headers):
            if header.lower() not in SENT_HEADERS:
                del request.headers[header]
        request.headers["User-Agent"] = USER_AGENT
        return super().send(request, *args, **options)


def _session(host: str) -> requests.Session:
    session = requests.Session()
    # A proxy of the environment is for other hosts, never for this machine.
    session.trust_env = not is_loopback(host)
    # Passages and the key go to the configured host and to no other.
    session.max_redirects = 0
    session.mount("https://", _OwnHeaders())
    session.mount("http://", _OwnHeaders())
    return session
