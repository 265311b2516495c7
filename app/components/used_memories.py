"""HTML of the memories that an answer used, each to be marked wrong, outdated or not to be used.

It is drawn in a place of its own; the page's script puts it under the answer. The link that opens
it is `#used-<question>`.
"""

from collections.abc import Mapping

from app.components.elements import button, element, text
from app.components.memories import kept_text
from app.components.memory_row import MARKS, WHAT, label_of
from app.components.remembered import thing_of
from app.i18n import Words
from app.presenters import day_element, escape, escape_markdown, shorten
from core.domain.answer import Answer, RememberedSource
from core.domain.memory import Memory, MemoryState

TEXT_LENGTH = 240  # characters of a memory under an answer


def used_link(answer: Answer, words: Words) -> str:
    """Return the link that shows what an answer used, as Markdown; "" when it used nothing."""
    if not answer.memories:
        return ""
    label = escape_markdown(words.count("used.title", len(answer.memories)))
    return f"[{label}](#used-{answer.id})"


def _mark(memory: Memory, answer: Answer, state: MemoryState, words: Words) -> str:
    name = "again" if state is MemoryState.CURRENT else f"mark_{state}"
    label = words("memory.again") if state is MemoryState.CURRENT else words(f"used.{state}")
    return button(
        escape(label),
        act="memory_use",
        class_="link" if state is MemoryState.CURRENT else "quiet outlined",
        title=words(f"memory.{name}"),
        data_memory=memory.id,
        data_state=state.value,
        data_question=answer.id,
    )


def _judged(memory: Memory, answer: Answer, words: Words) -> str:
    """Return what can be said about a memory, or what was said and the way back."""
    if memory.state is MemoryState.CURRENT:
        marks = [_mark(memory, answer, state, words) for state in MARKS]
        return element("div", *marks, class_="marks")
    key = "memory.is_replaced_gone"
    if memory.state is not MemoryState.REPLACED:
        key = f"memory.is_{memory.state}"
    again = _mark(memory, answer, MemoryState.CURRENT, words)
    return element("p", text("span", words(key)), " ", again, class_="memory-state")


def _what(source: RememberedSource) -> str:
    return next((what for what, events in WHAT.items() if source.event in events), "other")


def _used(source: RememberedSource, memory: Memory | None, answer: Answer, words: Words) -> str:
    said = shorten(kept_text(source.event, source.text), TEXT_LENGTH)
    if not said and memory is not None:
        said = label_of(memory)
    thing = thing_of(source)
    shown = escape(said)
    if thing and said:
        shown = element("a", shown, href=f"#memory-{thing}")
    judged = text("p", words("used.gone"), class_="meta")
    if memory is not None:
        judged = _judged(memory, answer, words)
    head = element(
        "p",
        text("span", source.number, class_="number"),
        text("span", words(f"memory.group_{_what(source)}")),
        " · ",
        day_element(source.created_at),
        class_="meta",
    )
    return element(
        "li",
        head,
        element("div", shown, class_="memory-text"),
        judged,
        data_used=source.memory_id,
        data_state=memory.state.value if memory is not None else "gone",
    )


def used_html(answer: Answer, memories: Mapping[str, Memory], words: Words, *, stamp: int) -> str:
    """Return what an answer used. `memories` are those still there, by id.

    `stamp` tells the page's script a later drawing from it.
    """
    rows = [_used(s, memories.get(s.memory_id), answer, words) for s in answer.memories]
    body = element(
        "section",
        text("p", words("used.text"), class_="caption"),
        element("ul", *rows),
        class_="used",
        aria_label=words.count("used.title", len(answer.memories)),
    )
    return element("div", body, data_explains=answer.id, data_stamp=stamp)
