"""HTML of everything remembered: what narrows the list, and the list by time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.components.elements import button, element, empty, text
from app.components.icons import icon
from app.components.memory_row import WHAT, Around, memory_row
from app.i18n import TEXTS, Words
from app.presenters import escape
from core.domain.memory import Memory, MemoryKind, MemoryState

TYPES = ("all", *(kind.value for kind in MemoryKind), "archived")
TIMES = ("today", "week", "month", "before")
STATES = (*(state.value for state in MemoryState), "pinned")
PAGE = 30  # memories that are drawn before "show more"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """What the list shows; "" does not restrict. `type` is one of `TYPES`, `what` of `WHAT`, …"""

    type: str = "all"
    what: str = ""
    time: str = ""
    state: str = ""
    start: int = 0
    shown: int = PAGE

    @property
    def end(self) -> int:
        """The number of memories up to the last one that is drawn."""
        return self.start + self.shown

    @property
    def restricts(self) -> bool:
        """Whether it leaves anything out."""
        return self.type != "all" or bool(self.what or self.time or self.state)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What is drawn: groups of memories under their headings, in order.

    `archived` are the ids of those that come from the archive; `first` come before these, and
    `more` says that others come after.
    """

    groups: Sequence[tuple[str, Sequence[Memory]]]
    around: Around
    archived: frozenset[str] = frozenset()
    first: int = 0
    more: bool = False


def _type(name: str, count: int, chosen: bool, words: Words) -> str:
    label = text("span", words(f"memory.type_{name}")) + text("span", f"{count:,}", class_="count")
    return button(
        label,
        act="memory_filter",
        class_=f"type-choice type-{name}",
        data_sets="type",
        data_value=name,
        aria_pressed="true" if chosen else "false",
    )


def _choice(name: str, values: Sequence[str], chosen: str, words: Words) -> str:
    """Return a list of values to choose from; the first one does not restrict."""
    options = [
        element(
            "option",
            escape(words(f"memory.{name}_{value or 'any'}")),
            value=value,
            selected=value == chosen,
        )
        for value in ("", *values)
    ]
    select = element(
        "select",
        *options,
        data_act="memory_filter",
        name=name,
        data_shows=f"{name}-{chosen}",
        id=f"memory-filter-{name}",
    )
    label = text("span", words(f"memory.filter_{name}"), class_="meta")
    return element("label", label, select, class_="choice-of")


def filter_bar(wanted: Filter, counts: Mapping[str, int], words: Words) -> str:
    """Return the types with how many there are, the lists to choose from, and what a type is."""
    shown = {name: counts.get(name, 0) for name in TYPES}
    shown["all"] = sum(count for name, count in shown.items() if name != "all")
    if not shown["all"]:
        return text("p", words("memory.about_all"), class_="meta")
    types = [_type(name, count, name == wanted.type, words) for name, count in shown.items()]
    choices = [
        _choice("what", tuple(WHAT), wanted.what, words),
        _choice("time", TIMES, wanted.time, words),
        _choice("state", STATES, wanted.state, words),
    ]
    if wanted.restricts:
        label = escape(words("memory.filter_clear"))
        choices.append(button(label, act="memory_filter", class_="quiet", data_none="yes"))
    chosen = element(
        "input", type="hidden", name="type", value=wanted.type, data_shows=f"type-{wanted.type}"
    )
    return element(
        "div",
        chosen,
        element("div", *types, class_="types", role="group", aria_label=words("memory.types")),
        text("p", words(f"memory.about_{wanted.type}"), class_="meta"),
        element("div", *choices, class_="choices"),
        class_="memory-filter",
        data_form=True,
    )


def _row(memory: Memory, shown: Shown, words: Words) -> str:
    return memory_row(memory, shown.around, words, archived=memory.id in shown.archived)


def _heading(name: str, words: Words) -> str:
    key = f"memory.day_{name}"
    if key in TEXTS:
        return text("h2", words(key))
    month = element("time", name, class_="month", datetime=f"{name}-15T12:00:00+00:00")
    return element("h2", month)


def memory_list(shown: Shown, words: Words) -> str:
    """Return the memories under their headings, and the way to more of them."""
    sections = [
        element(
            "section",
            _heading(name, words),
            element("ul", *(_row(m, shown, words) for m in memories), class_="rows"),
            class_="memory-day",
        )
        for name, memories in shown.groups
    ]
    count = sum(len(memories) for _, memories in shown.groups)
    said = words("memory.shown", count=count)
    if shown.first:
        said = words("memory.shown_from", first=shown.first + 1, last=shown.first + count)
    told = text("span", said, class_="meta")
    label = escape(words("memory.newest"))
    back = button(label, act="memory_more", class_="quiet outlined", data_from="0")
    more = button(escape(words("memory.more")), act="memory_more", class_="quiet outlined")
    foot = element(
        "p", back if shown.first else "", told, more if shown.more else "", class_="memory-foot"
    )
    return "".join(sections) + foot


def nothing(wanted: Filter, query: str, words: Words) -> str:
    """Return why the list is empty."""
    if query.strip():
        return empty(icon("info"), text("p", words("memory.none_found", query=query.strip())))
    if wanted.type in ("archived", "working") and not (wanted.what or wanted.time or wanted.state):
        return empty(icon("archive"), text("p", words(f"memory.none_{wanted.type}")))
    if wanted.restricts:
        return empty(icon("info"), text("p", words("memory.none_fit")))
    title = text("h2", words("memory.empty_title"))
    return empty(icon("memory"), title, text("p", words("memory.empty")))
