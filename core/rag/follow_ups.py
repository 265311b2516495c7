"""Follow-ups ("and in 2019?", "它有什么缺点？"), completed from the last turns by rules or a model.

The rules are careful: a question that stands alone is never changed, and one that cannot be
completed with confidence is left to the model, or as it is.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.errors import ModelError
from core.ports.llm import ChatTurn
from core.prompts import follow_up as prompt
from core.rag import follow_ups_en, follow_ups_zh
from core.text.tokens import count_tokens

Complete = Callable[[str, Sequence[ChatTurn], int], str]
"""(purpose `complete`, turns, most tokens of the reply) -> the reply; may raise `ModelError`."""

TURNS_READ = 3
"""So many of the last turns can matter."""
_LONGEST = 60
_LONGEST_CHARACTERS = 600
"""Tokens (`core.text.tokens`) and characters: a longer question says itself what it is about."""


class _Rules(Protocol):
    """The rules of one language."""

    def is_follow_up(self, question: str) -> bool: ...

    def complete(self, question: str, last: str, answer: str) -> str | None: ...


_RULES: dict[str, _Rules] = {"en": follow_ups_en, "zh": follow_ups_zh}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A question of the session, completed if it was a follow-up itself, and its answer."""

    question: str
    answer: str


def is_follow_up(question: str, language: str) -> bool:
    """Tell whether a question cannot be understood alone. `language` is `en` or `zh`, its own."""
    if len(question) > _LONGEST_CHARACTERS or count_tokens(question) > _LONGEST:
        return False
    return _RULES[language].is_follow_up(question)


def complete_by_rules(question: str, turns: Sequence[Turn], language: str) -> str | None:
    """Return the question completed from the last turn (`turns` oldest first).

    None when it is no follow-up, when there is no turn before, or when the rules cannot complete
    it with confidence. A last question that is a follow-up itself is completed first.
    """
    if not turns or not is_follow_up(question, language):
        return None
    last = turns[-1]
    base = last.question
    if is_follow_up(base, language):
        earlier = complete_by_rules(base, turns[-TURNS_READ:-1], language)
        if earlier is None:
            return None
        base = earlier
    completed = _RULES[language].complete(question, base, last.answer)
    if completed is None or is_follow_up(completed, language):
        return None
    return completed


def complete_by_model(
    question: str, turns: Sequence[Turn], language: str, complete: Complete
) -> str | None:
    """Return the question as the model completes it, or None when its reply is of no use.

    None also without turns, for a question that stands alone, and when the model fails: then the
    question is searched for as it is.
    """
    if not turns or not is_follow_up(question, language):
        return None
    pairs = [(turn.question, turn.answer) for turn in turns[-TURNS_READ:]]
    messages = (
        ChatTurn("system", prompt.SYSTEM[language]),
        ChatTurn("user", prompt.user_turn(question, pairs, language)),
    )
    try:
        reply = complete("complete", messages, prompt.MAX_TOKENS)
    except ModelError:
        return None
    return prompt.parse(reply, question, language)
