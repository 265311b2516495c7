"""Reading a recall query: what it asks for, of which time, and of what kind of event."""

import re
from dataclasses import dataclass
from datetime import datetime

from core.memory import query_words as words
from core.memory.named_times import named_times
from core.memory.time_words import TimeWindow, find_time

DOCUMENT_LOADED = "document_loaded"
QA_INTERACTION = "qa_interaction"
QUESTION = "question"
NOTE = "note"
FIGURE = "figure"
PERCEIVED = "perceived"
"""A file that was given to be remembered."""
SEEN = (FIGURE, PERCEIVED)
"""Events of pictures."""
PASSAGE = "passage"
FACT = "fact"
MEMORY = "memory"

Events = tuple[str, ...]

_EVENTS: tuple[tuple[Events, re.Pattern[str], re.Pattern[str]], ...] = (
    ((NOTE,), words.NOTES, words.BARE_NOTES),
    ((QUESTION, QA_INTERACTION), words.QUESTIONS, words.BARE_QUESTIONS),
    ((DOCUMENT_LOADED,), words.DOCUMENTS, words.BARE_DOCUMENTS),
    (SEEN, words.FIGURES, words.BARE_FIGURES),
)
_LATIN_WORD = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallQuery:
    """A query taken apart.

    `text` is what to search for, empty when everything within `window` and `events` is meant.
    No `events` means all.
    """

    text: str
    window: TimeWindow | None = None
    events: Events = ()


def parse_query(query: str, now: datetime) -> RecallQuery:
    """Take a query apart; `now` is aware, and days begin at midnight of its time zone.

    A date by the calendar narrows a query without a subject only; with one it stays in the text,
    for what was on that day may have been told later. "Last Friday" beside it is not from now.
    """
    dated, rest = named_times(query, now)
    if dated:
        events, rest = _find_events(rest)
        if _asks_for_all(rest) and (events or words.OWN_PAST.search(query)):
            return RecallQuery(text="", window=dated[0], events=events)
        events, rest = _find_events(query)
        return RecallQuery(text=_subject(rest), events=events)
    window, rest = find_time(query, now)
    events, rest = _find_events(rest)
    narrowed = window is not None or bool(events)
    if _asks_for_all(rest) and (narrowed or words.OWN_PAST.search(query)):
        return RecallQuery(text="", window=window, events=events)
    return RecallQuery(text=_subject(rest), window=window, events=events)


def _find_events(query: str) -> tuple[Events, str]:
    """Return the events a query names, none if it names none, and the query without those words."""
    for events, pattern, _ in _EVENTS:
        if pattern.search(query):
            named = words.DOCUMENT_WORDS if events == (DOCUMENT_LOADED,) else pattern
            return events, named.sub(" ", query)
    for events, _, bare in _EVENTS:
        if bare.search(query) and _asks_for_all(bare.sub(" ", query)):
            return events, ""
    return (), query


def _asks_for_all(rest: str) -> bool:
    """Tell whether nothing is left that could be searched for."""
    rest = rest.lower()
    if any(word not in words.REVIEW_EN for word in _LATIN_WORD.findall(rest)):
        return False
    return not any(c.isalnum() for c in _LATIN_WORD.sub("", words.REVIEW_ZH.sub("", rest)))


def _subject(rest: str) -> str:
    """Take the words around the subject off; what would leave nothing is not taken off."""
    text = " ".join(rest.split()).strip(words.EDGES)
    while True:
        shorter = words.FRAME.sub("", text, count=1).strip(words.EDGES)
        shorter = words.TAIL.sub("", shorter, count=1).strip(words.EDGES)
        if not shorter or shorter == text:
            return text
        text = shorter
