"""What can be remembered, and what can be asked for."""

import re

from core.errors import InvalidInputError
from core.text.letters import letters

MAX_CONTENT_CHARS = 20_000
MAX_QUERY_CHARS = 2000
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text without what no store can hold, and without blanks around it."""
    return _UNSTORABLE.sub("", text).strip()


def checked_content(content: str) -> str:
    """Return a content without what no store can hold. Raises `InvalidInputError`."""
    content = storable(content)
    if not content:
        raise InvalidInputError("There is nothing written to remember.")
    if len(content) > MAX_CONTENT_CHARS:
        raise InvalidInputError(
            f"This is too long to remember: {len(content)} characters of {MAX_CONTENT_CHARS}.",
            remedy="Shorten it, or split it into several notes.",
        )
    return content


def checked_importance(importance: float) -> float:
    """Return an importance. Raises `InvalidInputError` outside [0, 1]."""
    if not 0.0 <= importance <= 1.0:
        raise InvalidInputError("Importance must be a number from 0 to 1.")
    return importance


def checked_query(query: str) -> str:
    """Return a query. Raises `InvalidInputError` without letters or over `MAX_QUERY_CHARS`."""
    if not letters(query):
        raise InvalidInputError("There is nothing to recall: the question is empty.")
    if len(query) > MAX_QUERY_CHARS:
        raise InvalidInputError(
            f"This question is too long: {len(query)} characters of {MAX_QUERY_CHARS}.",
            remedy="Ask in fewer words.",
        )
    return storable(query)
