"""What can be remembered, and what can be asked for."""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from core.domain.memory import Memory
from core.errors import InvalidInputError
from core.text.letters import letters

MAX_CONTENT_CHARS = 20_000
MAX_QUERY_CHARS = 2000
MAX_METADATA_BYTES = 10_000
"""Of the metadata as JSON in UTF-8."""
MAX_METADATA_DEPTH = 6
MAX_NAME_CHARS = 200
MAX_LIMIT = 1_000_000
_MAX_INTEGER = 2**63
_SHOWN = 80
Limit = TypeVar("Limit", int, int | None)
_UNSTORABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def storable(text: str) -> str:
    """Return a text without what no store can hold, and without blanks around it."""
    return _UNSTORABLE.sub("", text).strip()


def is_storable(text: str) -> bool:
    """Tell whether a store can hold a text as it is."""
    return _UNSTORABLE.search(text) is None


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


def checked_name(name: str, what: str) -> str:
    """Return the name of an event or a session without what no store can hold.

    `what` is what the error calls it. Raises `InvalidInputError` for what is no text, empty, or
    over `MAX_NAME_CHARS`.
    """
    given: object = name
    kept = storable(given) if isinstance(given, str) else ""
    if not kept or len(kept) > MAX_NAME_CHARS:
        raise InvalidInputError(
            f"The {what} must be a text of 1 to {MAX_NAME_CHARS} characters.",
            remedy=f"Give the {what} a short name.",
        )
    return kept


def checked_metadata(metadata: Mapping[str, object] | None) -> dict[str, object]:
    """Return metadata as JSON values, tuples as lists, texts without what no store can hold.

    Raises `InvalidInputError` for anything else, for more than `MAX_METADATA_BYTES`, and for values
    in one another deeper than `MAX_METADATA_DEPTH`; a plain value has the depth 1.
    """
    given: object = {} if metadata is None else metadata
    if not isinstance(given, Mapping):
        raise InvalidInputError("The metadata must be names with values.")
    kept = {_key(name): _json(value, str(name), 1) for name, value in given.items()}
    size = len(json.dumps(kept, ensure_ascii=False, allow_nan=False).encode())
    if size > MAX_METADATA_BYTES:
        raise InvalidInputError(
            f"The metadata is too long to keep: {size} bytes of {MAX_METADATA_BYTES}.",
            remedy="Keep long texts as the content of a memory, or as a document.",
        )
    return kept


def _json(value: object, name: str, depth: int) -> object:
    if depth > MAX_METADATA_DEPTH:
        raise _not_json(name, f"is more than {MAX_METADATA_DEPTH} values deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, int) and abs(value) < _MAX_INTEGER:
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    if isinstance(value, list | tuple):
        return [_json(one, name, depth + 1) for one in value]
    if isinstance(value, Mapping):
        return {_key(key): _json(one, name, depth + 1) for key, one in value.items()}
    raise _not_json(name, "is no JSON value")


def _key(name: object) -> str:
    if not isinstance(name, str):
        raise _not_json(str(name), "has a name that is no text")
    return _UNSTORABLE.sub("", name)


def _not_json(name: str, what: str) -> InvalidInputError:
    shown = storable(name)[:_SHOWN]
    return InvalidInputError(
        f"The metadata “{shown}” {what}, so that it cannot be kept.",
        remedy="Give texts, finite numbers, true, false, and lists or objects of them.",
    )


def checked_memory(memory: Memory) -> Memory:
    """Return a memory as it can be kept: see `checked_content`, `checked_metadata` and others.

    Raises `InvalidInputError`.
    """
    return replace(
        memory,
        content=checked_content(memory.content),
        importance=checked_importance(memory.importance),
        session_id=checked_name(memory.session_id, "session"),
        event=checked_name(memory.event, "event"),
        metadata=checked_metadata(memory.metadata),
    )


def checked_importance(importance: float) -> float:
    """Return an importance. Raises `InvalidInputError` for what is no number in [0, 1]."""
    return checked_number(importance, "importance", most=1)


def checked_number(number: float, what: str, *, most: float = math.inf) -> float:
    """Return a number in [0, `most`]; `what` is what the error calls it.

    Raises `InvalidInputError`, also for a number that is written as a text.
    """
    given: object = number
    is_number = isinstance(given, int | float) and not isinstance(given, bool)
    if not is_number or not 0 <= number <= most:
        bounds = "of 0 or more" if math.isinf(most) else f"from 0 to {most:g}"
        raise InvalidInputError(f"The {what} must be a number {bounds}.")
    return number


def checked_limit(limit: Limit) -> Limit:
    """Return how many are wanted at most; None: all. Raises `InvalidInputError`.

    That is for what is no whole number from 1 to `MAX_LIMIT`.
    """
    if limit is None:
        return limit
    if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError(f"The limit must be a whole number from 1 to {MAX_LIMIT:,}.")
    return limit


def lies_in(path: Path, folder: Path) -> bool:
    """Tell whether a path, its links followed, is this folder or something in it.

    What does not exist, and what cannot be looked at, is judged by its name.
    """
    try:
        real, home = path.resolve(), folder.resolve()
    except (OSError, RuntimeError, ValueError):  # a link to itself, no name
        return False
    return any(_same(one, home) for one in (real, *real.parents))


def _same(one: Path, home: Path) -> bool:
    try:
        return one == home or one.samefile(home)
    except OSError:
        return False


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
