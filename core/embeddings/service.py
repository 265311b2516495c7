"""What embedding services have in common: batches, retries, and failures in words.

A server's own words never go into a message: they may repeat the request or the key.
"""

import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from core.errors import EmbeddingError
from core.ports.embedder import Vectors
from core.text.clean import clean

log = logging.getLogger(__name__)

Sent = TypeVar("Sent")
WORDLESS = "."
"""Sent for a text of which nothing is left: services refuse empty ones."""


@dataclass(frozen=True, slots=True)
class Patience:
    """`sleep` (seconds) and `jitter` (a number in [0, 1)) are for the waits between retries."""

    max_retries: int
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


def sendable(text: str) -> str:
    """Return a text as a service can take it."""
    return clean(text).strip() or WORDLESS


def in_batches(
    texts: Sequence[str], most: Callable[[], int], send: Callable[[Sequence[str]], Vectors]
) -> Vectors:
    """Return the vectors of all texts, `most()` of them a request; at least one text."""
    parts: list[Vectors] = []
    at = 0
    while at < len(texts):
        batch = texts[at : at + most()]
        parts.append(send(batch))
        at += len(batch)
    joined: Vectors = np.concatenate(parts)
    return joined


def with_retries(
    send: Callable[[], Sent],
    failures: tuple[type[Exception], ...],
    delay: Callable[[Exception, int], float | None],
    patience: Patience,
) -> Sent:
    """Return what `send` returns, sent again as `delay` says; raises the last failure."""
    attempt = 0
    while True:
        try:
            return send()
        except failures as exc:
            seconds = delay(exc, attempt)
            if seconds is None:
                raise
        attempt += 1
        log.warning("Embedding request failed; retry %d in %.1f s", attempt, seconds)
        patience.sleep(seconds)


def status_error(status: int) -> EmbeddingError:
    """Return the error for an HTTP status that is no success; `details["status"]` keeps it."""
    if status in (401, 403):
        what = "refused the key"
        remedy = "The operator should check EMBED_API_KEY and whether it may use this model."
    elif status == 429:
        what = "is busy, or its quota is used up"
        remedy = "Wait a moment and try again; the operator can check the quota of the key."
    elif status == 404 or 300 <= status < 400:
        what = "does not know this model or address"
        remedy = "The operator should check EMBED_MODEL_NAME and EMBED_BASE_URL."
    elif status >= 500:
        what = "has a problem"
        remedy = "Wait a moment and try again."
    else:
        what = "refused the request"
        remedy = "The operator should check EMBED_MODEL_NAME and EMBED_DIMENSION."
    return EmbeddingError(
        f"The embedding service {what} (HTTP {status}).", remedy=remedy, status=status
    )


def timeout_error(seconds: float) -> EmbeddingError:
    """Return the error for a service that does not answer in time."""
    return EmbeddingError(
        f"The embedding service did not answer within {seconds:g} seconds.",
        remedy="Try again; the operator can raise EMBED_TIMEOUT.",
    )


def unreachable_error(host: str) -> EmbeddingError:
    """Return the error for a service to which there is no connection."""
    return EmbeddingError(
        f"The embedding service at {host} could not be reached.",
        remedy="Check the network and try again; the operator can check EMBED_BASE_URL.",
    )


def unreadable_error() -> EmbeddingError:
    """Return the error for an answer in a form that is not the service's."""
    return EmbeddingError(
        "The embedding service sent an answer that cannot be read.",
        remedy="The operator should check EMBED_BASE_URL: is it an embedding service?",
    )


def in_order(entries: object, *, number: str, count: int) -> list[Any]:
    """Return the `embedding` of each entry, by the entry's `number`, from 0 to `count` - 1.

    Raises `EmbeddingError` when one is missing, or the answer is no such list at all.
    """
    if not isinstance(entries, list) or not all(
        isinstance(entry, dict) and isinstance(entry.get(number), int) for entry in entries
    ):
        raise unreadable_error()
    rows = {entry[number]: entry.get("embedding") for entry in entries}
    if len(entries) != count or rows.keys() != set(range(count)):
        raise EmbeddingError(
            f"The embedding service answered {count} texts with {len(entries)} vectors, "
            "or numbered them wrongly."
        )
    return [rows[i] for i in range(count)]
