"""Port: a chat model."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class ChatTurn:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call; `estimated` when the server did not count them."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False


OnUsage = Callable[[Usage], None]


class LLM(Protocol):
    """A chat model behind any provider. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""

    def stream(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> Iterator[str]:
        """Yield the reply in pieces, at most `max_tokens` long (None: as configured).

        `on_usage` is called once, at the end, also of a reply that broke off after its beginning.
        Closing the iterator ends the request. Raises `ModelUnavailableError` (no connection,
        timeout, 429 or 5xx after the retries, refused key) and `ModelResponseError` (the stream
        broke off before its end, or was empty). Retries happen only before the first piece.
        """

    def complete(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> str:
        """Return the whole reply. Raises as `stream`."""
