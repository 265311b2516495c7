"""HTML of remembered things: notes, and what a search through the memory found."""

from collections.abc import Sequence

from app.components.icons import icon
from app.i18n import Words
from app.presenters import escape, time_element
from core.domain.memory import Memory, MemoryHit, MemoryKind

GROUPS = {
    "asked": ("question", "qa_interaction"),
    "noted": ("note",),
    "loaded": ("document_loaded",),
}
GROUP_ICONS = {"asked": "ask", "noted": "note", "loaded": "document"}
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


def _note(note: Memory, words: Words) -> str:
    concept = concept_of(note)
    head = f'<span class="concept">{escape(concept)}</span>' if concept else ""
    identity = escape(note.id)
    return f"""<li class="note" data-note-row="{identity}"><div class="row-main"><p class="meta">{head}{time_element(note.created_at)}</p>
<div class="note-text">{escape(note.content)}</div></div>
<details class="confirm"><summary class="quiet" aria-label="{words("documents.delete")}">{icon("delete")}</summary>
<div class="confirm-box"><p>{words("notes.delete_sure")}</p>
<button type="button" class="danger" data-act="delete_note" data-note="{identity}">{words("documents.delete_yes")}</button></div></details></li>"""


def notes_list(notes: Sequence[Memory], query: str, words: Words) -> str:
    """Return the notes that fit `query`, in the order given, or why there are none."""
    if not notes:
        return f'<div class="empty">{icon("note")}<p>{words("notes.empty")}</p></div>'
    found = matching(notes, query)
    if not found:
        text = words("notes.none_found", query=query.strip())
        return f'<div class="empty"><p>{escape(text)}</p></div>'
    return f'<ul class="rows notes">{"".join(_note(note, words) for note in found)}</ul>'


def group_of(memory: Memory) -> str:
    """Return `asked`, `noted` or `loaded`."""
    for group, events in GROUPS.items():
        if memory.event in events:
            return group
    return "noted" if memory.kind is MemoryKind.SEMANTIC else "asked"


def _source(memory: Memory, words: Words) -> str:
    source = memory.metadata.get("document") or memory.metadata.get("document_name")
    concept = concept_of(memory)
    parts = [time_element(memory.created_at)]
    if memory.kind is MemoryKind.WORKING:
        parts.append(escape(words("recall.working")))
    if concept:
        parts.append(escape(concept))
    if source:
        parts.append(escape(words("recall.from", source=source)))
    return " · ".join(parts)


def _hit(hit: MemoryHit, words: Words) -> str:
    question = hit.memory.metadata.get("question_id")
    again = (
        f'<button type="button" class="link" data-act="show_answer"'
        f' data-question="{escape(question)}">{words("recall.again")}</button>'
        if question
        else ""
    )
    return (
        f'<li class="memory"><div class="row-main"><div class="note-text">'
        f"{escape(hit.memory.content)}</div>"
        f'<p class="meta">{_source(hit.memory, words)} {again}</p></div></li>'
    )


def _distinct(hits: Sequence[MemoryHit]) -> list[MemoryHit]:
    """Drop what is remembered twice, e.g. a question in working and in episodic memory."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for hit in hits:
        key = (
            group_of(hit.memory),
            str(hit.memory.metadata.get("question_id") or hit.memory.content),
        )
        if key not in seen:
            seen.add(key)
            kept.append(hit)
    return kept


def recall_results(hits: Sequence[MemoryHit], query: str, words: Words) -> str:
    """Return hits, given best first, grouped by what the learner did; the best group first."""
    if not query.strip():
        return recall_empty(words)
    if not hits:
        text = escape(words("recall.nothing", query=query.strip()))
        return f'<div class="empty"><p>{text}</p></div>'
    groups: dict[str, list[MemoryHit]] = {}
    for hit in _distinct(hits):
        groups.setdefault(group_of(hit.memory), []).append(hit)
    return "".join(
        f'<section class="recall-group" data-group="{group}"><h2>{icon(GROUP_ICONS[group])}'
        f"{words(f'recall.{group}')}</h2>"
        f'<ul class="rows">{"".join(_hit(hit, words) for hit in found)}</ul></section>'
        for group, found in groups.items()
    )


def recall_empty(words: Words) -> str:
    """Return what stands there before the first search."""
    return f'<div class="empty">{icon("info")}<p>{words("recall.empty")}</p></div>'
