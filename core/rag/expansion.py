"""Query expansion by a model: other words (MQE), an imagined answer (HyDE), within a time limit.

Both calls start at once and run beside the plain search. When the time is over, what is there is
used and the rest is thrown away: an answer never waits for a slow model twice.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.domain.trace import QueryKind, TraceQuery
from core.errors import ModelError
from core.ports.llm import ChatTurn
from core.prompts import expansion as prompt

logger = logging.getLogger(__name__)

Complete = Callable[[str, Sequence[ChatTurn], int], str]
"""(purpose `mqe` or `hyde`, turns, most tokens of the reply) -> the reply; may raise `ModelError`.

It should end by itself (the model's own timeout): a thread that waits for it cannot be stopped.
"""

LATE = "expansion_late"
FAILED = "expansion_failed"


@dataclass(frozen=True, slots=True)
class _Task:
    """One call of the model, and how its reply is read."""

    purpose: str
    kind: QueryKind
    turns: tuple[ChatTurn, ...]
    max_tokens: int
    parse: Callable[[str], Sequence[str]]


class Expansion:
    """Expansion under way. Safe to ask from several threads; asks after the first give the same."""

    def __init__(
        self,
        tasks: Sequence[_Task],
        complete: Complete,
        *,
        seconds: float,
        closed: threading.Event,
        monotonic: Callable[[], float],
    ) -> None:
        self._tasks = tuple(tasks)
        self._complete = complete
        self._closed = closed
        self._monotonic = monotonic
        self._deadline = monotonic() + seconds
        self._change = threading.Condition()
        self._ready: dict[str, tuple[TraceQuery, ...]] = {}
        self._failed: set[str] = set()
        self._result: tuple[TraceQuery, ...] | None = None
        self._late: tuple[str, ...] = ()
        self._failed_then: tuple[str, ...] = ()
        for task in self._tasks:
            threading.Thread(
                target=self._run, args=(task,), name=f"expansion-{task.purpose}", daemon=True
            ).start()

    def _run(self, task: _Task) -> None:
        began = self._monotonic()
        found: tuple[TraceQuery, ...] = ()
        done = False
        try:
            texts = task.parse(self._complete(task.purpose, task.turns, task.max_tokens))
            seconds = self._monotonic() - began
            found = tuple(TraceQuery(kind=task.kind, text=t, seconds=seconds) for t in texts)
            done = True
        except ModelError as exc:
            logger.warning("Expansion (%s) failed: %s", task.purpose, exc)
        finally:  # also of an error that is a bug: the thread shows it, nobody waits for it
            with self._change:
                if done:
                    self._ready[task.purpose] = found
                else:
                    self._failed.add(task.purpose)
                self._change.notify_all()

    def queries(self) -> tuple[TraceQuery, ...]:
        """Return the queries that are there, MQE first, then HyDE.

        Waits until all calls have ended or the time is over, whichever comes first. `seconds` of
        each is how long its call took. Empty: nothing was asked for, came in time or was usable.
        """
        with self._change:
            if self._result is None:
                self._change.wait_for(self._over, timeout=max(self._left(), 0.0))
            if self._result is None:
                ended = self._ready.keys() | self._failed
                self._late = tuple(t.purpose for t in self._tasks if t.purpose not in ended)
                self._failed_then = tuple(
                    t.purpose for t in self._tasks if t.purpose in self._failed
                )
                self._result = tuple(
                    query for task in self._tasks for query in self._ready.get(task.purpose, ())
                )
            return self._result

    def _left(self) -> float:
        return self._deadline - self._monotonic()

    def _over(self) -> bool:
        ended = len(self._ready) + len(self._failed)
        return ended == len(self._tasks) or self._closed.is_set() or self._result is not None

    def close(self) -> None:
        """Wake whoever waits; what is not there by now is late."""
        with self._change:
            self._change.notify_all()

    @property
    def late(self) -> tuple[str, ...]:
        """Purposes that did not come in time. Known after `queries`."""
        return self._late

    @property
    def failed(self) -> tuple[str, ...]:
        """Purposes whose call failed in time. Known after `queries`."""
        return self._failed_then

    @property
    def ended(self) -> bool:
        """Whether no call is running any more."""
        with self._change:
            return len(self._ready) + len(self._failed) == len(self._tasks)

    @property
    def notes(self) -> tuple[str, ...]:
        """Codes for the trace: `expansion_late`, `expansion_failed`. Known after `queries`."""
        return ((LATE,) if self.late else ()) + ((FAILED,) if self.failed else ())


class Expander:
    """Starts expansions. `seconds` is the time limit of each, from its start."""

    def __init__(
        self,
        complete: Complete,
        *,
        seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._complete = complete
        self._seconds = seconds
        self._monotonic = monotonic
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._open: list[Expansion] = []

    def start(self, question: str, language: str, *, mqe: int, hyde: bool) -> Expansion:
        """Start asking for `mqe` queries (0: none) and an imagined answer; return at once.

        `language` is `en` or `zh`, that of the question. After `close` nothing is asked.
        """
        tasks = []
        if not self._closed.is_set():
            tasks += [_mqe(question, language, mqe)] if mqe > 0 else []
            tasks += [_hyde(question, language)] if hyde else []
        expansion = Expansion(
            tasks,
            self._complete,
            seconds=self._seconds,
            closed=self._closed,
            monotonic=self._monotonic,
        )
        with self._lock:
            self._open = [e for e in self._open if not e.ended] + [expansion]
        return expansion

    def close(self) -> None:
        """Wait for nobody: running calls end by themselves, their replies are thrown away."""
        self._closed.set()
        with self._lock:
            waiting, self._open = self._open, []
        for expansion in waiting:
            expansion.close()


def _turns(system: str, user: str) -> tuple[ChatTurn, ...]:
    return (ChatTurn("system", system), ChatTurn("user", user))


def _mqe(question: str, language: str, count: int) -> _Task:
    return _Task(
        purpose="mqe",
        kind=QueryKind.MQE,
        turns=_turns(prompt.MQE_SYSTEM[language], prompt.mqe_turn(question, language, count)),
        max_tokens=prompt.MQE_TOKENS_A_QUERY * count,
        parse=lambda reply: prompt.parse_mqe(reply, question, language, count),
    )


def _hyde(question: str, language: str) -> _Task:
    def parse(reply: str) -> Sequence[str]:
        passage = prompt.parse_hyde(reply, language)
        return () if passage is None else (passage,)

    return _Task(
        purpose="hyde",
        kind=QueryKind.HYDE,
        turns=_turns(prompt.HYDE_SYSTEM[language], prompt.hyde_turn(question, language)),
        max_tokens=prompt.HYDE_TOKENS * 2,
        parse=parse,
    )
