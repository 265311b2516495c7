"""HTML of tidying up: what would be forgotten and why, what moves on, what is put away."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.components.elements import button, element, text
from app.components.icons import icon
from app.components.memory_row import body, head, label_of
from app.i18n import TEXTS, Words
from app.presenters import day_element, escape
from core.domain.memory import MemoryKind
from core.domain.upkeep import (
    ConsolidationItem,
    ConsolidationPlan,
    ForgetItem,
    ForgetPlan,
    ForgetStrategy,
    NearDuplicate,
    OftenAsked,
)

LISTED = 100  # memories that a preview lists
WHOLE = ("age_days", "max_age_days", "idle_days", "uses", "sightings", "capacity", "count")
SAID_OF = {  # the numbers that the sentence about a strategy names
    ForgetStrategy.IMPORTANCE: {"importance", "threshold"},
    ForgetStrategy.TIME: {"age_days", "max_age_days"},
    ForgetStrategy.CAPACITY: {"importance", "idle_days", "count", "capacity"},
    ForgetStrategy.INTELLIGENT: {
        "importance", "uses", "sightings", "age_days", "idle_days", "retrievability"
    },
}  # fmt: skip
DEFAULT_THRESHOLD, DEFAULT_DAYS = 0.1, 30.0
LAST = ForgetStrategy.INTELLIGENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """By what to forget, as the learner chose it. No kinds means all."""

    strategy: ForgetStrategy = LAST
    threshold: float = DEFAULT_THRESHOLD
    max_age_days: float = DEFAULT_DAYS
    kinds: tuple[MemoryKind, ...] = ()


# --- forgetting -----------------------------------------------------------------------------------


def _labelled(label: str, control: str, **attributes: str) -> str:
    return element(
        "label", text("span", label, class_="meta"), control, class_="choice-of", **attributes
    )


def _number(name: str, value: float, **limits: str) -> str:
    return element(
        "input",
        type="number",
        name=name,
        value=f"{value:g}",
        id=f"forget-{name.replace('_', '-')}",
        data_draft=f"forget-{name}",
        **limits,
    )


def _rule(rule: Rule, words: Words) -> str:
    strategies = [
        element(
            "option",
            escape(words(f"tidy.strategy_{strategy.value}")),
            value=strategy.value,
            selected=strategy is rule.strategy,
        )
        for strategy in ForgetStrategy
    ]
    kinds = [
        element(
            "option",
            escape(words(f"memory.type_{kind}")),
            value="" if kind == "all" else kind,
            selected=(kind,) == rule.kinds,
        )
        for kind in ("all", *(kind.value for kind in MemoryKind))
    ]
    drawn = {
        "tidy.strategy": element(
            "select", *strategies, name="strategy", id="forget-strategy", data_draft="forget-rule"
        ),
        "tidy.kinds": element(
            "select", *kinds, name="kinds", id="forget-kinds", data_draft="forget-kinds"
        ),
        "tidy.threshold": _number("threshold", rule.threshold, min="0", max="1", step="0.05"),
        "tidy.days": _number("max_age_days", rule.max_age_days, min="0", max="3650", step="1"),
    }
    fields = [_labelled(words(key), control) for key, control in drawn.items()]
    go = button(escape(words("tidy.preview")), act="forget_preview", class_="quiet outlined")
    return element("div", *fields, go, class_="choices", data_form=True)


def reason(item: ForgetItem, strategy: ForgetStrategy, words: Words) -> str:
    """Return why a memory would be forgotten, as a sentence with the numbers that led to it."""
    named = {
        name: f"{value:.0f}" if name in WHOLE else f"{value:.2f}"
        for name, value in item.reasons.items()
    }
    if SAID_OF[strategy] <= named.keys():
        return words(f"tidy.because_{strategy.value}", **named)
    figures = [f"{name}: {value}" for name, value in named.items()]
    return " · ".join(figures)


def _forgotten(item: ForgetItem, strategy: ForgetStrategy, words: Words) -> str:
    tick = element(
        "input",
        type="checkbox",
        name="ids",
        value=item.memory.id,
        checked=True,
        data_draft=f"forget-{item.memory.id}",
        aria_label=words("tidy.forget_it", text=label_of(item.memory)),
    )
    main = element(
        "div",
        head(item.memory, words),
        body(item.memory, words),
        text("p", reason(item, strategy, words), class_="reason"),
        class_="row-main",
    )
    return element("li", element("label", tick, main), class_="forgotten")


def _preview(plan: ForgetPlan, words: Words) -> str:
    if not plan.items:
        return text("p", words("tidy.preview_none"), class_="notice notice-done")
    rows = [_forgotten(item, plan.strategy, words) for item in plan.items[:LISTED]]
    parts = [
        text("p", words.count("tidy.preview_some", len(plan.items))),
        element("ul", *rows, class_="rows"),
    ]
    if hidden := len(plan.items) - LISTED:
        parts += [_rest(hidden, words)] if hidden > 0 else []
    yes = button(
        icon("delete") + escape(words("tidy.forget_yes")), act="forget_now", class_="danger"
    )
    return element("div", *parts, yes, class_="preview", id="forget-preview", data_form=True)


def _rest(hidden: int, words: Words) -> str:
    tick = element(
        "input", type="checkbox", name="rest", value="yes", checked=True, data_draft="forget-rest"
    )
    said = f"{words('tidy.preview_more', count=hidden)}. {words('tidy.preview_rest')}"
    return element("p", element("label", tick, text("span", said)), class_="rest")


def forgetting(rule: Rule, plan: ForgetPlan | None, words: Words) -> str:
    """Return the choice of a rule, and what it would forget once that has been asked for."""
    return element(
        "section",
        text("h2", words("tidy.forget")),
        text("p", words("tidy.forget_text"), class_="meta"),
        _rule(rule, words),
        _preview(plan, words) if plan is not None else "",
        class_="tidy",
        id="tidy-forget",
    )


# --- consolidation, archive -----------------------------------------------------------------------


def _side(name: str, kind: MemoryKind, importance: float, words: Words) -> str:
    return element(
        "div",
        text("span", words(f"tidy.{name}"), class_="meta"),
        text("span", words(f"memory.type_{kind.value}"), class_=f"type type-{kind.value}"),
        text("span", words("memory.importance", value=f"{importance:.2f}"), class_="meta"),
        class_="side",
    )


def _moved(item: ConsolidationItem, words: Words) -> str:
    before, after = item.before, item.after
    key = f"tidy.reason_of_{re.sub('[^a-z_]', '_', item.reason)}"
    parts = [
        body(before, words),
        element(
            "div",
            _side("before", before.kind, before.importance, words),
            icon("next"),
            _side("after", after.kind, after.importance, words),
            class_="sides",
        ),
    ]
    if after.content != before.content:
        parts.insert(1, body(after, words))
    if key in TEXTS:
        parts.append(text("p", words(key), class_="meta"))
    return element("li", element("div", *parts, class_="row-main"), class_="moved")


def consolidating(plan: ConsolidationPlan, words: Words) -> str:
    """Return what would move on to a longer-lived memory, before and after."""
    if plan.items:
        rows = [_moved(item, words) for item in plan.items[:LISTED]]
        hidden = len(plan.items) - len(rows)
        more = text("p", words("tidy.preview_more", count=hidden), class_="meta") if hidden else ""
        yes = button(escape(words("tidy.consolidate_yes")), act="consolidate", class_="primary")
        drawn = element("ul", *rows, class_="rows") + more + element("p", yes)
    else:
        drawn = text("p", words("tidy.consolidate_none"), class_="nothing")
    return element(
        "section",
        text("h2", words("tidy.consolidate")),
        text("p", words("tidy.consolidate_text"), class_="meta"),
        drawn,
        class_="tidy",
        id="tidy-consolidate",
    )


def _pair(pair: NearDuplicate, words: Words) -> str:
    older, newer = pair.older, pair.newer
    sides = [
        element(
            "div",
            element("p", text("span", words(f"tidy.{name}")), " · ", day_element(one.created_at),
                    class_="meta"),
            body(one, words),
        )
        for name, one in (("older", older), ("newer", newer))
    ]  # fmt: skip
    merge = button(
        escape(words("tidy.alike_yes")),
        act="memory_merge",
        class_="quiet outlined",
        data_older=older.id,
        data_newer=newer.id,
        aria_label=words("tidy.alike_yes_it", text=label_of(newer)),
    )
    actions = element("div", merge, class_="row-actions")
    return element("li", element("div", *sides, class_="row-main"), actions, class_="alike")


def merging(pairs: Sequence[NearDuplicate], words: Words) -> str:
    """Return pairs of memories that say nearly the same, each to be merged."""
    rows = [_pair(pair, words) for pair in pairs[:LISTED]]
    none = text("p", words("tidy.alike_none"), class_="nothing")
    return element(
        "section",
        text("h2", words("tidy.alike")),
        text("p", words("tidy.alike_text"), class_="meta"),
        element("ul", *rows, class_="rows") if rows else none,
        class_="tidy",
        id="tidy-alike",
    )


def asking_often(found: Sequence[OftenAsked], words: Words) -> str:
    """Return what was asked about again and again, with the way to write a note; "" without."""
    if not found:
        return ""
    rows = [
        text(
            "li",
            words("tidy.often_line", concept=one.concept, count=len(one.memory_ids)),
        )
        for one in found
    ]
    write = button(
        icon("note") + escape(words("tidy.often_write")),
        act="go",
        class_="quiet outlined",
        data_tab="notes",
    )
    return element(
        "section",
        text("h2", words("tidy.often")),
        text("p", words("tidy.often_text"), class_="meta"),
        element("ul", *rows),
        element("p", write),
        class_="tidy",
        id="tidy-often",
    )


def archiving(words: Words) -> str:
    """Return the way to put away what has not been used for long."""
    yes = button(
        icon("archive") + escape(words("tidy.archive_yes")),
        act="archive_now",
        class_="quiet outlined",
    )
    return element(
        "section",
        text("h2", words("tidy.archive")),
        text("p", words("tidy.archive_text"), class_="meta"),
        element("p", yes),
        class_="tidy",
        id="tidy-archive",
    )
