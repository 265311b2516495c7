"""What the embedding services of the tests have in common: keys, limits, vectors, misbehaviour."""

import json
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.fakes import WordEmbedder

GOOD_KEY = "sk-good-0123456789"


@dataclass(frozen=True)
class Answer:
    """An HTTP answer. `{authorization}` in the body becomes what the client sent."""

    code: int
    body: str
    headers: Mapping[str, str] = field(default_factory=dict)


class Wait:
    """No answer at all until the client leaves."""


Rows = list[list[float]]
Step = Answer | Wait | Callable[[Rows], Any]
"""A function changes the vectors before they are sent, or the whole list of entries."""


class EmbeddingRules:
    """Answers texts as a service does whose vectors are of words (`tests.fakes.WordEmbedder`).

    `most_texts` a call and `longest` characters a text are refused beyond; `lengths` are the
    dimensions one may ask for. Steps of the script come before the rules, one a request.
    """

    def __init__(
        self, *, dimension: int, lengths: Sequence[int], most_texts: int, longest: int = 20_000
    ) -> None:
        self.dimension = dimension
        self.lengths = tuple(lengths)
        self.most_texts = most_texts
        self.longest = longest
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self._steps: list[Step] = []
        self._lock = threading.Lock()

    def script(self, *steps: Step) -> None:
        """Let the next requests be answered by these."""
        with self._lock:
            self._steps = list(steps)

    def next_step(self, body: dict[str, Any], headers: dict[str, str]) -> Step | None:
        """Note a request and return its step, None when the rules hold."""
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            return self._steps.pop(0) if self._steps else None

    def refusal(
        self, texts: Sequence[str], dimension: int | None, authorization: str
    ) -> tuple[int, str] | None:
        """Return status and words for what the service does not take."""
        if authorization != f"Bearer {GOOD_KEY}":
            return 401, f"Incorrect API key provided: {authorization}"
        if not texts or len(texts) > self.most_texts:
            return 400, f"batch size is invalid, it should not be larger than {self.most_texts}."
        if any(not isinstance(text, str) or not text for text in texts):
            return 400, "input must be non-empty strings"
        if any(len(text) > self.longest for text in texts):
            return 400, "Range of input length should be [1, 8192]"
        if dimension is not None and dimension not in self.lengths:
            return 400, "this model does not support changing its dimensions"
        return None

    def rows(self, texts: Sequence[str], *, dimension: int | None, query: bool = False) -> Rows:
        """Return vectors; those of questions are a little apart, and none is normalised."""
        embedder = WordEmbedder(dimension=dimension or self.dimension)
        shift = 0.2 if query else 0.0
        rows = embedder.embed_documents(texts) * 3 + shift / math.sqrt(embedder.dimension)
        return [[float(x) for x in row] for row in rows]


def entries(rows: Rows, number: str) -> list[dict[str, Any]]:
    """Return the vectors as entries in another order than the texts: the number counts."""
    return [{number: i, "embedding": row} for i, row in enumerate(rows)][::-1]


def to_json(value: Any) -> str:
    """Return JSON, NaN included."""
    return json.dumps(value, ensure_ascii=False)
