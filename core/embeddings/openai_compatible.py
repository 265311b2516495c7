"""Adapter: `/v1/embeddings` of any compatible endpoint (OpenAI, Ollama, vLLM, DashScope's)."""

import hashlib
import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import httpx2
import numpy as np
import openai

from core.embeddings.checks import checked
from core.embeddings.prefixes import prefixes_of
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
from core.remote.address import checked_key, hide, host_of
from core.remote.openai_client import FAILURES, open_client, retry_delay

DEFAULT_MODEL = "text-embedding-3-small"
DEFAULT_URL = "https://api.openai.com/v1"
_TEXTS_A_REQUEST = 32
_FEWEST_TEXTS = 10
"""What every service takes: DashScope's compatible mode refuses more."""
_REFUSED = frozenset({400, 413, 422})


class _Known(NamedTuple):
    """Length of the vectors and of the longest text, in the model's tokens."""

    dimension: int
    tokens: int


_KNOWN = {
    "text-embedding-3-small": _Known(1536, 8191),
    "text-embedding-3-large": _Known(3072, 8191),
    "text-embedding-ada-002": _Known(1536, 8191),
    "text-embedding-v4": _Known(1024, 8192),
    "text-embedding-v3": _Known(1024, 8192),
    "bge-m3": _Known(1024, 8192),
    "nomic-embed-text": _Known(768, 2048),
    "mxbai-embed-large": _Known(1024, 512),
    "all-minilm": _Known(384, 256),
    "snowflake-arctic-embed2": _Known(1024, 8192),
    "multilingual-e5-small": _Known(384, 512),
    "multilingual-e5-base": _Known(768, 512),
    "multilingual-e5-large": _Known(1024, 512),
    "qwen3-embedding:0.6b": _Known(1024, 8192),
    "qwen3-embedding-0.6b": _Known(1024, 8192),
    "embeddinggemma": _Known(768, 2048),
}
"""As their vendors document them. Of other models EMBED_DIMENSION tells the length: an index is
made before the first request."""
_TOKENS_OF_OTHERS = 512
_MODEL_TOKENS_A_TOKEN = 2
"""A word or Chinese character takes at most about so many of a model's tokens."""


def _known(model: str) -> _Known | None:
    short = model.lower().rpartition("/")[2]
    return _KNOWN.get(short) or _KNOWN.get(short.removesuffix(":latest"))


class OpenAICompatibleEmbedder:
    """An embedding model behind `base_url`; connects at the first use. Thread-safe.

    `dimension` is sent as `dimensions` when it is given; a server that does not know the field is
    asked without it, and its vectors must have that length all the same. `timeout` is in seconds.
    Raises `ConfigurationError` for an address or a key that cannot be used, and without
    `dimension` for a model whose length is not known.
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
        known = _known(model)
        if dimension is None and known is None:
            raise ConfigurationError(
                f"How long the vectors of {model} are is not known.",
                remedy="Set EMBED_DIMENSION to the length that the model's description gives.",
            )
        self._model = model
        self._host = host_of(base_url, setting="EMBED_BASE_URL")
        self._base_url = base_url
        self._key = checked_key(api_key, setting="EMBED_API_KEY")
        self._timeout = timeout
        self._patience = Patience(max_retries, sleep, jitter)
        self._prefixes = prefixes_of(model)
        self._dimensions = dimension
        self._most = _TEXTS_A_REQUEST
        self._lock = threading.Lock()
        self._opened: openai.OpenAI | None = None
        self.dimension = dimension or (known.dimension if known else 0)
        tokens = known.tokens if known else _TOKENS_OF_OTHERS
        self.window_tokens = tokens // _MODEL_TOKENS_A_TOKEN
        self.name = f"openai:{model}/{self.dimension}@{address_mark(base_url)}"

    def __repr__(self) -> str:
        return f"OpenAICompatibleEmbedder(model={self._model!r}, host={self._host!r})"

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        cleaned = [self._prefixes.document + sendable(text) for text in texts]
        return in_batches(cleaned, lambda: self._most, self._embed)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        vector: Vectors = self._embed([self._prefixes.query + sendable(text)])[0]
        return vector

    def close(self) -> None:
        """Close idle connections. The next call opens new ones."""
        with self._lock:
            client, self._opened = self._opened, None
        if client is not None:
            client.close()

    def _embed(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of one batch; a smaller or plainer request when it is refused."""
        try:
            return self._request(texts, self._dimensions)
        except EmbeddingError as exc:
            if exc.details.get("status") not in _REFUSED:
                raise
            if len(texts) > _FEWEST_TEXTS:
                found = in_batches(texts, lambda: _FEWEST_TEXTS, self._embed)
                self._most = _FEWEST_TEXTS
                return found
            if self._dimensions is None:
                raise
        vectors = self._request(texts, None)
        self._dimensions = None
        return vectors

    def _request(self, texts: Sequence[str], dimensions: int | None) -> Vectors:
        body: dict[str, Any] = {
            "model": self._model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if dimensions is not None:
            body["dimensions"] = dimensions

        def send() -> bytes:
            return self._client().post("/embeddings", body=body, cast_to=httpx2.Response).content

        try:
            answer = with_retries(send, FAILURES, self._delay, self._patience)
        except FAILURES as exc:
            hide(exc, self._key)
            raise self._error(exc) from exc
        rows = in_order(_entries(answer), number="index", count=len(texts))
        return checked(rows, count=len(texts), dimension=self.dimension, model=self._model)

    def _delay(self, exc: Exception, attempt: int) -> float | None:
        patience = self._patience
        return retry_delay(exc, attempt, max_retries=patience.max_retries, jitter=patience.jitter())

    def _error(self, exc: Exception) -> EmbeddingError:
        if isinstance(exc, openai.APIStatusError):
            return status_error(exc.status_code)
        if isinstance(exc, (openai.APITimeoutError, httpx2.TimeoutException)):
            return timeout_error(self._timeout)
        return unreachable_error(self._host)

    def _client(self) -> openai.OpenAI:
        with self._lock:
            if self._opened is None:
                self._opened = open_client(
                    self._base_url, key=self._key, timeout=self._timeout, setting="EMBED_BASE_URL"
                )
            return self._opened


def address_mark(base_url: str) -> str:
    """Return a short mark of an address for the name of an index.

    The same name of a model at another address may be another model; the address itself is nobody
    else's business.
    """
    return hashlib.sha256(base_url.rstrip("/").encode()).hexdigest()[:6]


def _entries(body: bytes) -> object:
    """Return the list of vectors of an answer. Raises `EmbeddingError`."""
    try:
        answer = json.loads(body)
    except ValueError as exc:
        raise unreadable_error() from exc
    return answer.get("data") if isinstance(answer, dict) else None
