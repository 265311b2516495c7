"""HTML of one memory: what it is, when, from where, why it is kept, what can be done with it."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from app.components.elements import button, element, text
from app.components.icons import icon
from app.components.memories import concept_of, memory_text
from app.i18n import TEXTS, Words
from app.presenters import (
    day_element,
    escape,
    named_in_parts,
    shorten,
    time_element,
)
from core.domain.memory import Memory, MemoryKind, MemoryState

WHAT = {  # what can be asked for: the events it has
    "asked": ("question", "qa_interaction"),
    "noted": ("note",),
    "read": ("passage",),
    "loaded": ("document_loaded",),
    "known": ("fact",),
    "seen": ("figure", "perceived"),
}
MARKS = (MemoryState.WRONG, MemoryState.OUTDATED, MemoryState.UNWANTED)
LABEL_LENGTH = 60  # characters of a memory's text in the name of a button
LONG_TEXT = 700  # characters; what is longer is folded


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What rows name: the documents there are (name by id), and the memories that replaced some."""

    documents: Mapping[str, str] = field(default_factory=dict)
    newer: Mapping[str, Memory] = field(default_factory=dict)


def what_of(memory: Memory) -> str:
    """Return what a memory is, one of `WHAT`, or `other`."""
    return next((what for what, events in WHAT.items() if memory.event in events), "other")


def label_of(memory: Memory) -> str:
    """Return the text of a memory, short enough for the name of a button."""
    return shorten(memory_text(memory), LABEL_LENGTH)


def rewritten(memory: Memory, wished: str) -> str:
    """Return the content with what is shown of it replaced by `wished`.

    Questions and loads are kept in a sentence around what is shown.
    """
    before, _, after = memory.content.partition(memory_text(memory))
    return f"{before}{wished}{after}" if wished.strip() else wished


def version_of(memory: Memory) -> str:
    """Return a short name of a memory and its text: an editor of another text is another one."""
    return (
        f"{memory.id}-{hashlib.sha256(memory.content.encode('utf-8', 'replace')).hexdigest()[:8]}"
    )


# --- where a memory comes from, and why it is kept ------------------------------------------------


def place_name(document: str, page: object, words: Words) -> str:
    """Return the name of a document and the page, or part, in it."""
    name = shorten(document, LABEL_LENGTH)
    if not isinstance(page, int) or page < 1:
        return name
    if named_in_parts(document):
        return f"{name} · {words('evidence.part', part=page)}"
    return f"{name} · {words('evidence.page_plain', page=page)}"


def page_link(document_id: str, document: str, page: object, words: Words) -> str:
    """Return a button that opens the page of a document."""
    label = icon("document") + escape(place_name(document, page, words))
    shown = page if isinstance(page, int) and page > 0 else 1
    return button(
        label, act="read_document", class_="link source", data_document=document_id, data_page=shown
    )


def _document_source(memory: Memory, around: Around, words: Words) -> str:
    document_id = memory.metadata.get("document_id")
    if document_id is None:
        return ""
    name = around.documents.get(str(document_id))
    if name is None:
        return text("span", words("memory.from_gone"), class_="meta")
    return page_link(str(document_id), name, memory.metadata.get("page"), words)


def sources(memory: Memory, around: Around, words: Words) -> str:
    """Return the ways to what a memory comes from."""
    found = [_document_source(memory, around, words)]
    if question := memory.metadata.get("question_id"):
        label = icon("ask") + escape(words("memory.from_question"))
        found.append(
            button(label, act="show_answer", class_="link source", data_question=str(question))
        )
    if memory.event == "note":
        label = icon("note") + escape(words("memory.from_note"))
        found.append(element("a", label, class_="source", href=f"#memory-noted-{memory.id}"))
    found = [source for source in found if source]
    if not found:
        return ""
    lead = text("span", words("memory.from"), class_="meta")
    return element("p", lead, *found, class_="memory-from")


def _dated(key: str, count: int, at: datetime, words: Words) -> str:
    return escape(words.count(key, count, date="{}")).format(day_element(at))


def why(memory: Memory, words: Words) -> str:
    """Return why a memory is kept, how often it came up and was used, as HTML."""
    key = f"memory.why_{memory.event}"
    said = [escape(words(key if key in TEXTS else "memory.why_other"))]
    if memory.sightings > 1:
        seen_at = memory.seen_at or memory.created_at
        said.append(_dated("memory.seen_times", memory.sightings, seen_at, words))
    if memory.uses and memory.used_at is not None:
        said.append(_dated("memory.used_times", memory.uses, memory.used_at, words))
    if (came_from := str(memory.metadata.get("consolidated_from") or "")) in set(MemoryKind):
        said.append(escape(words("memory.moved_on", type=words(f"memory.{came_from}"))))
    said.append(escape(words("memory.importance", value=f"{memory.importance:.2f}")))
    between = "" if words.language == "zh" else " "
    return element("p", between.join(said), class_="meta memory-why")


def _state(memory: Memory, around: Around, words: Words) -> str:
    """Return what is the matter with a memory that is not used, and the way back."""
    if memory.state is MemoryState.CURRENT:
        return ""
    newer = around.newer.get(memory.replaced_by or "")
    if memory.state is not MemoryState.REPLACED:
        said = words(f"memory.is_{memory.state}")
    elif newer is not None:
        said = words("memory.is_replaced", text=shorten(memory_text(newer), 2 * LABEL_LENGTH))
    else:
        said = words("memory.is_replaced_gone")
    again = button(
        escape(words("memory.again")),
        act="memory_mark",
        class_="link",
        data_memory=memory.id,
        data_state=MemoryState.CURRENT.value,
        aria_label=words("memory.again_it", text=label_of(memory)),
    )
    return element("p", icon("info"), text("span", said), again, class_="memory-state")


# --- what can be done with it ---------------------------------------------------------------------


def _pin(memory: Memory, words: Words) -> str:
    name = "unpin" if memory.pinned else "pin"
    return button(
        icon("pin") + escape(words(f"memory.{name}")),
        act="memory_pin",
        class_="quiet",
        data_memory=memory.id,
        data_pinned="no" if memory.pinned else "yes",
        aria_label=words(f"memory.{name}_it", text=label_of(memory)),
        aria_pressed="true" if memory.pinned else "false",
        title=words("memory.pin_help"),
    )


def _folded(name: str, memory: Memory, words: Words, symbol: str, *content: str) -> str:
    """Return a button that opens a box of choices."""
    summary = element(
        "summary",
        icon(symbol) + escape(words(f"memory.{name}")),
        class_="quiet",
        aria_label=words(f"memory.{name}_it", text=label_of(memory)),
    )
    box = element("div", *content, class_="confirm-box")
    key = f"memory-{name}-{version_of(memory)}-{memory.state}"
    return element("details", summary, box, class_="confirm", data_key=key)


def _mark(memory: Memory, words: Words) -> str:
    choices = [
        button(
            escape(words(f"memory.mark_{state}")),
            act="memory_mark",
            class_="choice",
            data_memory=memory.id,
            data_state=state.value,
        )
        for state in MARKS
        if state is not memory.state
    ]
    return _folded("mark", memory, words, "flag", text("p", words("memory.mark_text")), *choices)


def _delete(memory: Memory, words: Words) -> str:
    return _folded(
        "delete",
        memory,
        words,
        "delete",
        text("p", words("memory.delete_text")),
        button(
            escape(words("memory.delete_yes")),
            act="memory_delete",
            class_="choice",
            data_memory=memory.id,
        ),
        text("p", words("memory.erase_text")),
        button(
            escape(words("memory.erase_yes")),
            act="memory_erase",
            class_="danger",
            data_memory=memory.id,
        ),
    )


def _edit(memory: Memory, words: Words) -> str:
    version = version_of(memory)
    label = words("memory.edit_it", text=label_of(memory))
    summary = element(
        "summary", icon("edit") + escape(words("memory.edit")), class_="quiet", aria_label=label
    )
    field = element(
        "textarea",
        escape(memory_text(memory)),
        name="content",
        rows=4,
        data_draft=version,
        aria_label=words("memory.edit_text"),
    )
    save = button(
        escape(words("memory.save")), act="memory_edit", class_="primary", data_memory=memory.id
    )
    cancel = element(
        "button", escape(words("memory.cancel")), type="button", class_="quiet", data_cancel=True
    )
    form = element("div", field, element("p", save, cancel, class_="form-actions"), data_form=True)
    key = f"memory-edit-{version}"
    return element("details", summary, form, class_="edit", data_key=key)


def _actions(memory: Memory, archived: bool, words: Words) -> str:
    if archived:
        wake = button(
            icon("archive") + escape(words("memory.wake")),
            act="memory_wake",
            class_="quiet",
            data_memory=memory.id,
        )
        return element("div", wake, _delete(memory, words), class_="memory-actions")
    does = [_edit, _pin, _mark, _delete]
    return element("div", *(action(memory, words) for action in does), class_="memory-actions")


# --- one memory, and the list ---------------------------------------------------------------------


def body(memory: Memory, words: Words) -> str:
    """Return the text of a memory; a long one is folded."""
    whole = memory_text(memory)
    if len(whole) <= LONG_TEXT:
        return text("div", whole, class_="memory-text")
    beginning = text("div", shorten(whole, LONG_TEXT // 2), class_="memory-text")
    summary = text("summary", words("memory.show_all_text"), class_="as-link")
    rest = element(
        "details",
        summary,
        text("div", whole, class_="memory-text"),
        class_="whole",
        data_key=f"memory-text-{memory.id}",
    )
    return beginning + rest


def head(memory: Memory, words: Words, *, archived: bool = False) -> str:
    """Return the type of a memory, what it is, and when it was made."""
    kind = "archived" if archived else memory.kind.value
    parts = [
        text("span", words(f"memory.type_{kind}"), class_=f"type type-{kind}"),
        text("span", words(f"memory.group_{what_of(memory)}"), class_="what"),
        time_element(memory.created_at),
    ]
    if concept := concept_of(memory):
        parts.append(text("span", concept, class_="concept"))
    if memory.pinned:
        parts.append(element("span", icon("pin") + escape(words("memory.pinned")), class_="pinned"))
    return element("p", *parts, class_="meta memory-head")


def memory_row(memory: Memory, around: Around, words: Words, *, archived: bool = False) -> str:
    """Return one memory with all that is known of it."""
    return element(
        "li",
        head(memory, words, archived=archived),
        body(memory, words),
        _state(memory, around, words),
        why(memory, words),
        sources(memory, around, words),
        _actions(memory, archived, words),
        class_="remembered",
        data_memory_row=memory.id,
        data_kind=memory.kind.value,
        data_state=memory.state.value,
    )
