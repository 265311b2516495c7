"""Port: judging passages against a question."""

from collections.abc import Sequence
from typing import Protocol

MOST_CANDIDATES = 20
"""More passages are never given to a reranker: each costs a run of a model."""


class Reranker(Protocol):
    """Says how well passages answer a question. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model id, as shown in the glass box."""

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """Return a score in [0, 1] for each passage, in order; higher is better.

        At most `MOST_CANDIDATES` passages. Raises `ModelError`.
        """
