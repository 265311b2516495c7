"""Sources of an answer from the learning history: what they are, and the way to each.

A link names the thing: `asked-<question>`, `loaded-<document>`, `noted-<memory>`.
"""

import re

from app.components.elements import element
from app.components.memories import group_of, kept_text
from app.i18n import Words
from app.presenters import day_element, escape_markdown, shorten
from core.domain.answer import Answer, RememberedSource

_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
TEXT_LENGTH = 40  # characters of a remembered text in its link


def thing_of(memory: RememberedSource) -> str:
    """Return what a memory's link leads to, "" when that is gone or its id is none of ours."""
    if not memory.text.strip():
        return ""
    group = group_of(memory.event, memory.kind)
    if memory.question_id and group == "asked":
        named, thing = "asked", memory.question_id
    elif memory.document_id and group in ("loaded", "seen"):
        named, thing = "loaded", memory.document_id
    elif group == "noted":
        named, thing = "noted", memory.memory_id
    else:
        return ""
    return f"{named}-{thing}" if _ID.fullmatch(thing) else ""


def _source(memory: RememberedSource, words: Words) -> str:
    group = group_of(memory.event, memory.kind)
    said = shorten(kept_text(memory.event, memory.text), TEXT_LENGTH)
    parts = [
        str(memory.number),
        escape_markdown(words(f"ask.memory_{group}")),
        escape_markdown(said or words("ask.memory_gone")),
        day_element(memory.created_at),
    ]
    label, thing = " · ".join(parts), thing_of(memory)
    if thing:
        return f"[{label}](#memory-{thing})"
    return element("span", label, class_="source-gone")


def memory_sources(answer: Answer, words: Words) -> str:
    """Return the memories an answer rests on, as Markdown: kind, time and the thing itself."""
    return " ".join(_source(memory, words) for memory in answer.memories)
