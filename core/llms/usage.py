"""Counting the tokens of a reply: as the server says, else by words and characters."""

from collections.abc import Sequence

from core.ports.llm import ChatTurn, Usage
from core.text.tokens import count_tokens


class UsageCount:
    """The tokens of one call, over all requests it took.

    A request counts when something of its reply came. Where the server does not say how many tokens
    it were, `core.text.tokens` counts words and Chinese characters, and the usage is `estimated`.
    """

    def __init__(self, turns: Sequence[ChatTurn]) -> None:
        self._prompt = sum(count_tokens(turn.content) for turn in turns)
        self._sum = Usage(0, 0)
        self._any = False
        self._begin()

    def _begin(self) -> None:
        self._said: list[str] = []
        self._counted: Usage | None = None

    def said(self, text: str) -> None:
        """Note a piece of the reply, or of the thoughts before it."""
        self._said.append(text)

    def counted(self, prompt_tokens: int, completion_tokens: int) -> None:
        """Note the server's count of the whole request; the last one stands."""
        self._counted = Usage(prompt_tokens, completion_tokens)

    def request_ended(self) -> None:
        """Add the request to the sum; what is noted from now on belongs to the next one."""
        one = self._counted
        if one is None and self._said:
            one = Usage(self._prompt, count_tokens("".join(self._said)), estimated=True)
        if one is not None:
            self._any = True
            self._sum = Usage(
                self._sum.prompt_tokens + one.prompt_tokens,
                self._sum.completion_tokens + one.completion_tokens,
                self._sum.estimated or one.estimated,
            )
        self._begin()

    @property
    def total(self) -> Usage | None:
        """The sum of the requests that ended, None when no reply came at all."""
        return self._sum if self._any else None
