"""Port: a chat model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class LLM(Protocol):
    """A chat model behind any provider. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""

    def stream(self, turns: Sequence[ChatTurn]) -> Iterator[str]:
        """Yield the reply in pieces.

        Closing the iterator ends the request. Raises `ModelUnavailableError` (no connection,
        timeout, 429 or 5xx after the retries, refused key) and `ModelResponseError` (the stream
        broke off before its end, or was empty). Retries happen only before the first piece.
        """

    def complete(self, turns: Sequence[ChatTurn]) -> str:
        """Return the whole reply. Raises as `stream`."""
