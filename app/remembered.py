"""Everything remembered: found by what the learner chose, changed one by one, brought back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

import gradio as gr

from app.components.memories import memory_text
from app.components.memory_changes import done, proof_html
from app.components.memory_list import (
    PAGE,
    STATES,
    TIMES,
    TYPES,
    Filter,
    Shown,
    filter_bar,
    memory_list,
    nothing,
)
from app.components.memory_row import WHAT, Around, rewritten
from app.components.used_memories import used_html
from app.days import Span, by_heading, span
from app.desk import Told, Visit
from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import Change
from core.errors import InvalidInputError, NotFoundError

MOST_HITS = 200  # memories a search looks at when what it found is filtered afterwards
MOST_SHOWN = 240  # memories drawn at once
ALLOWED = {"type": TYPES, "what": ("", *WHAT), "time": ("", *TIMES), "state": ("", *STATES)}
NOT_USED = tuple(state for state in MemoryState if state is not MemoryState.CURRENT)

Drawn = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _Found:
    """Memories as they were found. `ranked` says that the best come first."""

    memories: Sequence[Memory]
    archived: frozenset[str] = frozenset()
    ranked: bool = False


# --- finding --------------------------------------------------------------------------------------


def _fits(memory: Memory, wanted: Filter, archived: bool) -> bool:
    """Say whether a memory that was found otherwise is what the list is to show."""
    if wanted.type == "archived":
        return archived
    if wanted.type != "all" and (archived or memory.kind != wanted.type):
        return False
    return _in_state(memory, wanted.state) and memory.event in (
        WHAT.get(wanted.what) or (memory.event,)
    )


def _in_state(memory: Memory, state: str) -> bool:
    return memory.pinned if state == "pinned" else state in ("", memory.state.value)


def _contains(memory: Memory, query: str) -> bool:
    said = f"{memory_text(memory)}\n{memory.metadata.get('concept') or ''}".casefold()
    return all(term in said for term in query.casefold().split())


def _listed(visit: Visit, wanted: Filter, when: Span, limit: int | None) -> list[Memory]:
    """Return memories without a query, newest first."""
    is_kind = wanted.type not in ("all", "archived")
    pinned = wanted.state == "pinned"
    found = visit.assistant.memory.list(
        kinds=[MemoryKind(wanted.type)] if is_kind else (),
        states=[MemoryState(wanted.state)] if wanted.state and not pinned else (),
        events=WHAT.get(wanted.what, ()),
        since=when.since,
        until=when.until,
        limit=None if pinned else limit,
        archived=wanted.type == "archived",
    )
    return [memory for memory in found if memory.pinned or not pinned]


def _searched(visit: Visit, wanted: Filter, when: Span, query: str) -> _Found:
    """Return what a search finds, best first, and what is not used and has the query's words."""
    hits = visit.assistant.memory.search(
        query,
        limit=MOST_HITS if wanted.restricts else wanted.end + 1,
        kinds=[MemoryKind(wanted.type)] if wanted.type in set(MemoryKind) else (),
        since=when.since,
        until=when.until,
    )
    found = {h.memory.id: h.memory for h in hits if _fits(h.memory, wanted, h.archived)}
    archived = {h.memory.id for h in hits if h.archived}
    # A search finds what is in use; the list is also there to look for the rest.
    rest = replace(wanted, state="") if wanted.state in ("", "pinned") else wanted
    for state in NOT_USED if rest.state == "" else ():
        rest_of_state = _listed(visit, replace(rest, state=state.value), when, None)
        found |= {m.id: m for m in rest_of_state if _contains(m, query) and m.id not in found}
    if rest.state not in ("", MemoryState.CURRENT) or wanted.type == "archived":
        found |= {m.id: m for m in _listed(visit, rest, when, None) if _contains(m, query)}
    if wanted.type == "archived":
        archived |= set(found)
    kept = [m for m in found.values() if _in_state(m, wanted.state)]
    return _Found(kept, frozenset(archived), ranked=True)


def look(visit: Visit, wanted: Filter, query: str) -> Shown:
    """Return what the list shows."""
    now = datetime.now(visit.assistant.memory.zone or UTC)
    when = span(wanted.time, now)
    if query.strip():
        found = _searched(visit, wanted, when, query.strip())
    else:
        listed = _listed(visit, wanted, when, wanted.end + 1)
        ids = frozenset(m.id for m in listed if wanted.type == "archived")
        found = _Found(listed, ids)
    memories = list(found.memories)[wanted.start : wanted.end]
    groups = [("found", memories)] if found.ranked and memories else by_heading(memories, now)
    return Shown(
        groups=groups,
        around=around(visit, memories),
        archived=found.archived,
        first=wanted.start,
        more=len(found.memories) > wanted.end,
    )


def around(visit: Visit, memories: Sequence[Memory]) -> Around:
    """Return what the rows of these memories name."""
    documents = {d.id: d.name for d in visit.assistant.documents()}
    ids = {m.replaced_by for m in memories if m.replaced_by}
    return Around(documents=documents, newer=still_there(visit, sorted(ids)))


def still_there(visit: Visit, ids: Sequence[str]) -> Mapping[str, Memory]:
    """Return those of some memories that are not deleted, by id."""
    found = {}
    for memory_id in ids:
        try:
            found[memory_id] = visit.assistant.memory.get(memory_id)
        except NotFoundError:
            continue
    return found


def counts(visit: Visit) -> dict[str, int]:
    """Return how many memories there are of each type, and in the archive."""
    stats = visit.assistant.memory.get_memory_stats()
    by_type, archived = stats["by_type"], stats["archived"]
    assert isinstance(by_type, dict)
    return {**by_type, "archived": int(str(archived))}


# --- drawing --------------------------------------------------------------------------------------


def draw(visit: Visit, wanted: Filter | None, query: str | None) -> Drawn:
    """Draw the filter and the list; nothing when another drawing has been asked for meanwhile."""
    turn = visit.turns.take("memory", visit.order)
    wanted, query = wanted or Filter(), query or ""
    shown = look(visit, wanted, query)
    if not visit.turns.is_last("memory", turn):
        return (gr.skip(),) * 3
    if wanted.start and not shown.groups:  # what stood there is deleted
        return draw(visit, replace(wanted, start=0), query)
    bar = filter_bar(wanted, counts(visit), visit.words)
    if not shown.groups:
        return bar, nothing(wanted, query, visit.words), wanted
    return bar, memory_list(shown, visit.words), wanted


def search(visit: Visit, wanted: Filter | None, query: str | None) -> Drawn:
    """Show what a search finds, from its beginning."""
    return draw(visit, replace(wanted or Filter(), start=0, shown=PAGE), query)


def emptied(visit: Visit, wanted: Filter | None, query: str | None) -> Drawn:
    """Draw the list again when the search has been emptied; a query waits to be sent."""
    if query and query.strip():
        return (gr.skip(),) * 3
    return search(visit, wanted, query)


def narrow(visit: Visit, query: str | None) -> Drawn:
    """Show what is chosen in the filter. Raises `InvalidInputError` for what is no choice.

    A click brings all that is chosen, so that one made right before it is not lost.
    """
    if visit.has("none"):
        return draw(visit, Filter(), query)
    chosen = {name: visit.text(name) for name in ALLOWED}
    if any(value not in ALLOWED[name] for name, value in chosen.items()):
        raise InvalidInputError()
    wanted: dict[str, Any] = {**chosen}
    return draw(visit, Filter(**wanted), query)


def more(visit: Visit, wanted: Filter | None, query: str | None) -> Drawn:
    """Show more of the list; beyond what a page can hold, what comes next in its place."""
    wanted = wanted or Filter()
    if visit.has("from") and visit.number("from") == 0:
        return draw(visit, replace(wanted, start=0, shown=PAGE), query)
    if wanted.shown < MOST_SHOWN:
        return draw(visit, replace(wanted, shown=min(2 * wanted.shown, MOST_SHOWN)), query)
    return draw(visit, replace(wanted, start=wanted.end, shown=PAGE), query)


# --- changing -------------------------------------------------------------------------------------


def told(visit: Visit, message: str, change: Change | None = None) -> str:
    """Return what has just been done, in words."""
    return done(visit.words(f"memory.done_{message}"), change, visit.words)


def edit(visit: Visit, *where: Any) -> Drawn:
    """Keep the text that was written into a memory."""
    memory = visit.assistant.memory.get(visit.text("memory"))
    wished = rewritten(memory, visit.text("content").strip())
    if wished == memory.content:
        return *draw(visit, *where), told(visit, "unchanged")
    change = visit.assistant.memory.edit(memory.id, content=wished)
    return *draw(visit, *where), told(visit, "edited", change)


def pin(visit: Visit, *where: Any) -> Drawn:
    """Pin a memory, or take the pin off."""
    pinned = visit.text("pinned") == "yes"
    visit.assistant.memory.pin(visit.text("memory"), pinned)
    return *draw(visit, *where), told(visit, "pinned" if pinned else "unpinned")


def mark(visit: Visit, *where: Any) -> Drawn:
    """Keep what the learner says of a memory, or take that back."""
    state = marked(visit)
    return *draw(visit, *where), told(visit, state.value)


def marked(visit: Visit) -> MemoryState:
    """Give a memory the state that was clicked. Raises `InvalidInputError` for another one."""
    name = visit.text("state")
    allowed = {state.value for state in MemoryState if state is not MemoryState.REPLACED}
    if name not in allowed:
        raise InvalidInputError()
    state = MemoryState(name)
    visit.assistant.memory.mark(visit.text("memory"), state)
    return state


def delete(visit: Visit, *where: Any) -> Drawn:
    """Delete a memory so that it can be brought back."""
    change = visit.assistant.memory.delete([visit.text("memory")])
    return *draw(visit, *where), told(visit, "deleted", change)


def erase(visit: Visit, *where: Any) -> Drawn:
    """Delete a memory for good, and show the proof."""
    proof = visit.assistant.memory.delete_for_good(visit.text("memory"))
    return *draw(visit, *where), proof_html(proof, visit.words)


def wake(visit: Visit, *where: Any) -> Drawn:
    """Bring a memory back from the archive."""
    visit.assistant.memory.wake([visit.text("memory")])
    return *draw(visit, *where), told(visit, "woken")


def dismiss(visit: Visit) -> Drawn:
    """Take away what was told last."""
    return ("",)


# --- under an answer ------------------------------------------------------------------------------


def show_used(visit: Visit) -> Drawn:
    """Return the memories an answer used; the page's script puts them under the answer."""
    answer = visit.assistant.question(visit.text("question")).answer
    memories = still_there(visit, [source.memory_id for source in answer.memories])
    return (used_html(answer, memories, visit.words, stamp=visit.order or 0),)


def mark_used(visit: Visit) -> Told:
    """Mark a memory under an answer, and draw what is under it again."""
    state = marked(visit)
    return Told(values=show_used(visit), message=visit.words(f"memory.done_{state.value}"))
