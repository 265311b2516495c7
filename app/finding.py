"""How an answer was found: drawn on demand from the stored answer, and saved as a file."""

import json
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from app.components.found import found_html
from app.desk import Visit
from core.domain.answer import Answer

FILE_NAME = "answer_{id}.json"


def explain(visit: Visit) -> tuple[object, ...]:
    """Return how an answer was found; the page's script puts it under the answer."""
    found = visit.assistant.question(visit.text("question")).answer
    return (found_html(found, visit.words, stamp=visit.order or 0),)


def export(visit: Visit) -> tuple[object, ...]:
    """Return an answer with the way to it, as JSON text and file name."""
    found = visit.assistant.question(visit.text("question")).answer
    return exported(found), FILE_NAME.format(id=found.id)


def exported(answer: Answer) -> str:
    """Return JSON of an answer and its trace; without passages, which are not stored."""
    value = asdict(replace(answer, passages=()))
    del value["passages"]
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is no JSON value.")
