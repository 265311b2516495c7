"""Port: the model as one question uses it, with a budget and a record of its calls."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.domain.trace import TraceCall
from core.ports.llm import LLM, ChatTurn


class MeteredModel(Protocol):
    """A model whose calls are counted and bounded. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""

    @property
    def calls(self) -> tuple[TraceCall, ...]:
        """All calls in the order they began."""

    def call(self, purpose: str, turns: Sequence[ChatTurn], max_tokens: int | None = None) -> str:
        """Return the whole reply. Raises `ModelError`, also when the budget is spent."""

    def stream(
        self, purpose: str, turns: Sequence[ChatTurn], max_tokens: int | None = None
    ) -> Iterator[str]:
        """Yield the reply in pieces. Raises as `call`."""

    def mark(self, purpose: str, outcome: str) -> None:
        """Note what became of the last call of a purpose: `late` or `empty`."""

    def bound(self, purpose: str) -> LLM:
        """Return the model for code that knows only the port `LLM`."""
