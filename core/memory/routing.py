"""Where an answer is looked for: in the documents, in the learning history, or in both.

Rules decide; where they are not sure, a model may (`route_by_model`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from core.domain.answer import Route
from core.memory import routing_words as words
from core.memory.query import parse_query
from core.memory.query_words import NOTES
from core.memory.time_words import find_time
from core.prompts import routing as prompt

_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""Whether a question names a time does not depend on when it is asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Where to look, whether the rules are sure of it, and which rule it was.

    `why` is a code: `about_learner`, `loaded_list`, `both_named`, `review_of_subject`,
    `about_content`, `in_passing`.
    """

    route: Route
    certain: bool
    why: str


_CONTENT = Routing(route=Route.DOCUMENTS, certain=True, why="about_content")
_IN_PASSING = Routing(route=Route.DOCUMENTS, certain=False, why="in_passing")
_LEARNER = Routing(route=Route.MEMORY, certain=True, why="about_learner")
_LIST = Routing(route=Route.MEMORY, certain=True, why="loaded_list")
_BOTH = Routing(route=Route.BOTH, certain=True, why="both_named")
_REVIEW = Routing(route=Route.BOTH, certain=False, why="review_of_subject")


def route(question: str) -> Routing:
    """Return where the answer to a question, English or Chinese, is looked for."""
    text = words.NUMERAL.sub(" ", words.QUOTED.sub(" ", " ".join(question.split()))).strip()
    text = words.ANNOUNCED.sub("", text)
    if words.LOADED_LIST.search(text):
        return _LIST
    if words.SUBJECTLESS_ZH.search(text):
        return _LEARNER
    if words.REVIEW.search(text):
        return _of_review(text)
    if _about_learner(text):
        return _of_learner(text)
    doubtful = words.FIRST_PERSON.search(text) and words.PASSING.search(text)
    return _IN_PASSING if doubtful and not words.GENERAL.search(text) else _CONTENT


def _about_learner(text: str) -> bool:
    """Tell whether what the learner did or has is spoken of."""
    if words.OWN_DEED.search(text) or words.OWN_THING.search(text):
        return True
    if words.ASKED_TO_REMEMBER.search(text):
        return True
    window, rest = find_time(text, _ANY_TIME)
    if window is None:
        return False
    if words.DID_ZH.search(rest) and not text[0].isascii():
        return True
    return bool(words.FIRST_PERSON.search(text)) and not parse_query(text, _ANY_TIME).text


def _of_learner(text: str) -> Routing:
    """Tell whether that is asked for, held against documents, or said in passing."""
    names_document = bool(words.PART_OF_DOCUMENT.search(text))
    if words.LOADED_CLAUSE.search(text) and not _has_notes(text):
        if words.LINK.search(text) or words.LISTING.search(text):
            return _LEARNER
        return _CONTENT if words.CONTENT_VERB.search(text) else _LEARNER
    if words.JUDGED.search(text) or words.NOT_YET.search(text):
        return _BOTH
    if names_document and words.LINK.search(text):
        return _BOTH
    if words.LEANING.search(text) and words.NEW_TEXT.search(text):
        return _BOTH
    if words.CONTENT_VERB.search(text) and not words.LISTING.search(text):
        return _BOTH if words.OWN_DEED.search(text) or _has_notes(text) else _CONTENT
    return _IN_PASSING if words.GENERAL.search(text) else _LEARNER


def _has_notes(text: str) -> bool:
    return NOTES.search(text) is not None


def _of_review(text: str) -> Routing:
    """ "Review what I learned last week" is of memory, "review attention" of both."""
    named = find_time(text, _ANY_TIME)[0] is not None
    own = _about_learner(text) or words.LEARNED_ZH.search(text) is not None
    if own or named:
        both = words.PART_OF_DOCUMENT.search(text) and words.LINK.search(text)
        return _BOTH if both or words.LEANING.search(text) else _LEARNER
    if words.ONLY_SUMMARY.search(text) or words.PART_OF_DOCUMENT.search(text):
        return _CONTENT
    return _REVIEW


def route_by_model(
    question: str, language: str, complete: Callable[[str, str], str]
) -> Route | None:
    """Let a model say where to look; None when its reply is none of the choices.

    `complete` takes the system's and the user's turn and returns the reply.
    """
    system, user = prompt.SYSTEM[language], prompt.USER[language].format(question=question)
    return prompt.parse(complete(system, user))
