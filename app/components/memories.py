"""HTML of remembered things: notes, and what a search through the memory found."""

import base64
import re
from collections.abc import Mapping, Sequence

from app.components.elements import button, confirmed, element, empty, text
from app.components.icons import icon
from app.i18n import Words
from app.presenters import escape, time_element
from core.domain.memory import Memory, MemoryHit, MemoryKind

GROUPS = {
    "asked": ("question", "qa_interaction"),
    "noted": ("note",),
    "loaded": ("document_loaded",),
    "read": ("passage",),
    "seen": ("figure", "perceived"),
    "kept": ("memory", "fact"),
}
GROUP_ICONS = {
    "asked": "ask",
    "noted": "note",
    "loaded": "document",
    "read": "read",
    "seen": "read",
    "kept": "memory",
}
KEPT_FORMS = {
    "question": re.compile(r"(?s)Question: (.*)"),
    "qa_interaction": re.compile(r"(?s)Learning about '(.*)'"),
    "document_loaded": re.compile(r"(?s)Loaded document 《(.*)》"),
}
EVERYTHING = re.compile(r"(?s)(.*)")
GENERAL = "general"  # the concept of a note that was given none


def concept_of(memory: Memory) -> str:
    """Return the concept of a note, or "" when it has none of its own."""
    concept = str(memory.metadata.get("concept") or "")
    return "" if concept == GENERAL else concept


def matching(notes: Sequence[Memory], query: str) -> list[Memory]:
    """Return the notes that contain every word of `query` in text or concept, in their order."""
    terms = query.casefold().split()
    return [
        note
        for note in notes
        if all(term in f"{concept_of(note)}\n{note.content}".casefold() for term in terms)
    ]


def note_head(note: Memory) -> str:
    """Return the concept and the date of a note."""
    concept = concept_of(note)
    shown = text("span", concept, class_="concept") if concept else ""
    return element("p", shown, time_element(note.created_at), class_="meta")


def _note(note: Memory, words: Words) -> str:
    return element(
        "li",
        element(
            "div", note_head(note), text("div", note.content, class_="note-text"), class_="row-main"
        ),
        confirmed(
            icon("delete"),
            label=words("documents.delete"),
            question=words("notes.delete_sure"),
            yes=words("documents.delete_yes"),
            act="delete_note",
            data_note=note.id,
        ),
        class_="note",
        data_note_row=note.id,
    )


def notes_list(notes: Sequence[Memory], query: str, words: Words) -> str:
    """Return the notes that fit `query`, in the order given, or why there are none."""
    if not notes:
        return empty(icon("note"), text("p", words("notes.empty")))
    found = matching(notes, query)
    if not found:
        return empty(icon("note"), text("p", words("notes.none_found", query=query.strip())))
    return element("ul", *(_note(note, words) for note in found), class_="rows notes")


def group_of(event: str, kind: str) -> str:
    """Return the one of `GROUPS` that a memory is in, by its event and kind."""
    for group, events in GROUPS.items():
        if event in events:
            return group
    return "noted" if kind == MemoryKind.SEMANTIC else "asked"


def kept_text(event: str, content: str) -> str:
    """Return what a memory is about: the question, the note or the file name itself.

    Questions and loads are kept in an English sentence around it.
    """
    match = KEPT_FORMS.get(event, EVERYTHING).fullmatch(content)
    return match[1] if match else content


def memory_text(memory: Memory) -> str:
    """Return what a memory is about."""
    return kept_text(memory.event, memory.content)


def _source(memory: Memory, words: Words) -> str:
    parts = [time_element(memory.created_at)]
    if memory.kind is MemoryKind.WORKING:
        parts.append(escape(words("recall.working")))
    if concept := concept_of(memory):
        parts.append(escape(concept))
    return " · ".join(parts)


def _again(memory: Memory, words: Words) -> str:
    """Return the way back to what a memory is about: the answer, or the page."""
    question = memory.metadata.get("question_id")
    if question and memory.event != "passage":
        label = escape(words("recall.again"))
        return button(label, act="show_answer", class_="link", data_question=str(question))
    page, document = memory.metadata.get("page"), memory.metadata.get("document_id")
    if page is None or document is None:
        return ""
    label = escape(words("recall.open_page", name=memory.metadata.get("document"), page=page))
    place = {"data_document": str(document), "data_page": str(page)}
    return button(label, act="read_document", class_="link", **place)


def _hit(hit: MemoryHit, words: Words, image: bytes | None) -> str:
    memory = hit.memory
    picture = ""
    if image is not None:
        source = f"data:image/png;base64,{base64.b64encode(image).decode()}"
        picture = element("img", class_="seen", alt=memory_text(memory), src=source)
    return element(
        "li",
        picture,
        element(
            "div",
            text("div", memory_text(memory), class_="note-text"),
            element("p", _source(memory, words), " ", _again(memory, words), class_="meta"),
            class_="row-main",
        ),
        class_="memory",
    )


def _distinct(hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """Drop what is remembered twice, e.g. a question in working and in episodic memory."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for hit in hits:
        key = (
            group_of(hit.memory.event, hit.memory.kind),
            memory_text(hit.memory).casefold(),
        )
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept


def recall_results(
    hits: Sequence[MemoryHit], query: str, words: Words, images: Mapping[str, bytes] | None = None
) -> str:
    """Return hits, given best first, grouped by what the learner did; the best group first."""
    if not hits:
        return empty(icon("info"), text("p", words("recall.nothing", query=query.strip())))
    groups: dict[str, list[MemoryHit]] = {}
    for hit in _distinct(hits):
        groups.setdefault(group_of(hit.memory.event, hit.memory.kind), []).append(hit)
    return "".join(
        element(
            "section",
            element("h2", icon(GROUP_ICONS[group]), escape(words(f"recall.{group}"))),
            element(
                "ul",
                *(_hit(hit, words, (images or {}).get(hit.memory.id)) for hit in found),
                class_="rows",
            ),
            class_="recall-group",
            data_group=group,
        )
        for group, found in groups.items()
    )


def recall_empty(words: Words) -> str:
    """Return what stands there before the first search."""
    return empty(icon("info"), text("p", words("recall.empty")))
