"""Adapter: the language model judges passages, all in one call."""

from collections.abc import Mapping, Sequence

from core.errors import InvalidInputError, ModelResponseError
from core.ports.llm import LLM, ChatTurn
from core.ports.reranker import MOST_CANDIDATES
from core.prompts import rerank as prompt
from core.text.tokens import language_of


class LLMReranker:
    """Judges with `llm`, in the language of the question. As thread-safe as the model."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    @property
    def name(self) -> str:
        """Model id, as shown in the glass box."""
        return self._llm.name

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """See `Reranker.scores`. Passages that the model left out come behind all others, in order.

        Raises `ModelResponseError` for a reply without a single mark, and what the model raises.
        """
        if len(passages) > MOST_CANDIDATES:
            raise InvalidInputError(f"More than {MOST_CANDIDATES} passages cannot be judged.")
        if not passages:
            return []
        language = language_of(question)
        turns = [
            ChatTurn("system", prompt.SYSTEM[language]),
            ChatTurn("user", prompt.user_turn(question, passages, language)),
        ]
        room = prompt.TOKENS_A_PASSAGE * (len(passages) + 1)
        marks = prompt.parse(self._llm.complete(turns, max_tokens=room), len(passages))
        if not marks:
            raise ModelResponseError("The language model did not judge the passages as asked.")
        return _with_the_rest(marks, len(passages))


def _with_the_rest(marks: Mapping[int, float], count: int) -> list[float]:
    """Return scores in (0, 1]: marks in the upper part, below it those without, falling."""
    floor = 1 / (prompt.BEST + 1)
    return [
        floor + (1 - floor) * marks[i] if i in marks else floor * (count - i) / (count + 1)
        for i in range(count)
    ]
