"""One question's calls of the model: counted, timed, and stopped when its budget is spent."""

import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.domain.trace import TraceCall
from core.errors import ModelBudgetError, ModelError
from core.ports.llm import LLM, ChatTurn, OnUsage, Usage
from core.text.tokens import count_tokens

SHORTEST_REPLY = 16
"""Tokens: a call that leaves no room for so long a reply is not made."""
USUAL_REPLY = 1024
"""Tokens set aside for a running call that named no limit of its own."""
TOKENS_PER_WORD = 1.4
"""Of a word or Chinese character, on the careful side; real tokenizers have 0.6 to 1.4."""


@dataclass(slots=True)
class _Call:
    purpose: str
    begin: float
    reserved: int
    prompt: int
    seconds: float | None = None  # None while it runs
    usage: Usage | None = None
    outcome: str = "used"
    marked: str | None = None


class MeteredLLM:
    """The model as one question uses it. Safe to call from several threads.

    `budget_tokens` bounds what all calls together send and receive. What a running call may still
    cost is set aside, so that calls side by side do not overspend; a server that counts more than
    was expected can pass the bound by that call at most.
    """

    def __init__(
        self, llm: LLM, budget_tokens: int, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._llm = llm
        self._budget = budget_tokens
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._calls: list[_Call] = []

    @property
    def name(self) -> str:
        """Model id, as shown to the learner."""
        return self._llm.name

    @property
    def left(self) -> int:
        """Tokens of the budget that are neither spent nor set aside."""
        with self._lock:
            return self._left()

    @property
    def calls(self) -> tuple[TraceCall, ...]:
        """All calls in the order they began; one that still runs is `late` and `estimated`."""
        now = self._monotonic()
        with self._lock:
            return tuple(_trace(call, now) for call in self._calls)

    def call(self, purpose: str, turns: Sequence[ChatTurn], max_tokens: int | None = None) -> str:
        """Return the whole reply. Raises as `stream`."""
        return "".join(self.stream(purpose, turns, max_tokens))

    def stream(
        self,
        purpose: str,
        turns: Sequence[ChatTurn],
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> Iterator[str]:
        """Yield the reply in pieces, cut where the budget ends.

        Raises `ModelBudgetError`, before anything is sent, when too little is left, and what the
        model raises.
        """
        call, limit = self._begin(purpose, turns, max_tokens)

        def counted(usage: Usage) -> None:
            call.usage = usage
            if on_usage is not None:
                on_usage(usage)

        try:
            yield from self._llm.stream(turns, max_tokens=limit, on_usage=counted)
        except ModelError:
            call.outcome = "failed"
            raise
        finally:
            self._end(call)

    def mark(self, purpose: str, outcome: str) -> None:
        """Note what became of the last call of a purpose: `late` or `empty`; no call, no note."""
        with self._lock:
            for call in reversed(self._calls):
                if call.purpose == purpose:
                    call.marked = outcome
                    return

    def bound(self, purpose: str) -> LLM:
        """Return the model for code that knows only the port: all its calls have this purpose."""
        return _Bound(self, purpose)

    def _begin(
        self, purpose: str, turns: Sequence[ChatTurn], max_tokens: int | None
    ) -> tuple[_Call, int]:
        prompt = _expected(turns)
        with self._lock:
            room = self._left() - prompt
            call = _Call(purpose, self._monotonic(), 0, prompt)
            self._calls.append(call)
            if room < SHORTEST_REPLY:
                call.outcome, call.seconds = "failed", 0.0
                raise ModelBudgetError(budget=self._budget, purpose=purpose)
            limit = room if max_tokens is None else min(room, max_tokens)
            call.reserved = prompt + min(room, max_tokens or USUAL_REPLY)
        return call, limit

    def _end(self, call: _Call) -> None:
        with self._lock:
            call.seconds = self._monotonic() - call.begin
            call.reserved = 0

    def _left(self) -> int:
        spent = sum(
            call.reserved if call.usage is None else _tokens(call.usage) for call in self._calls
        )
        return self._budget - spent


class _Bound:
    """A metered model with a purpose, as the port `LLM`."""

    def __init__(self, metered: MeteredLLM, purpose: str) -> None:
        self._metered = metered
        self._purpose = purpose

    @property
    def name(self) -> str:
        return self._metered.name

    def stream(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> Iterator[str]:
        return self._metered.stream(self._purpose, turns, max_tokens, on_usage)

    def complete(
        self,
        turns: Sequence[ChatTurn],
        *,
        max_tokens: int | None = None,
        on_usage: OnUsage | None = None,
    ) -> str:
        return "".join(self.stream(turns, max_tokens=max_tokens, on_usage=on_usage))


def _expected(turns: Sequence[ChatTurn]) -> int:
    return math.ceil(TOKENS_PER_WORD * sum(count_tokens(turn.content) for turn in turns))


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens


def _trace(call: _Call, now: float) -> TraceCall:
    running = call.seconds is None
    usage = call.usage or Usage(call.prompt if running else 0, 0, estimated=running)
    return TraceCall(
        purpose=call.purpose,
        seconds=now - call.begin if call.seconds is None else call.seconds,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        estimated=usage.estimated,
        outcome=call.marked or ("late" if running else call.outcome),
    )
