"""Memory: everything remembered, to be seen, searched, changed, tidied, taken along and erased."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from app import graphing, remembered, tidying
from app.desk import Desk, Drawing, Target, View, Visit, notice_place, place
from app.download import download_place

PLACES = {  # what each part of the tab but the first one draws into
    "tidy": ("forgetting", "consolidating", "merging", "archiving"),
    "graph": ("graph", "connecting", "quality"),
    "changes": ("changes", "data"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The components. `wanted` is what the list is narrowed to, `plan` the preview of forgetting.

    `seen` is what is shown of the graph, `rule` the one to forget by; None before they are drawn.
    `told` says what has just been done, with its undo, whatever part of the tab is open.
    """

    tidy_tab: gr.Tab
    graph_tab: gr.Tab
    changes_tab: gr.Tab
    notice: gr.HTML
    query: gr.Textbox
    go: gr.Button
    bar: gr.HTML
    listed: gr.HTML
    forgetting: gr.HTML
    consolidating: gr.HTML
    merging: gr.HTML
    archiving: gr.HTML
    graph: gr.HTML
    connecting: gr.HTML
    quality: gr.HTML
    changes: gr.HTML
    data: gr.HTML
    told: gr.HTML
    wanted: gr.State
    plan: gr.State
    rule: gr.State
    seen: gr.State

    @property
    def where(self) -> list[Target]:
        """What the list is drawn from."""
        return [self.wanted, self.query]

    @property
    def drawn(self) -> list[Target]:
        """What drawing the list draws into."""
        return [self.bar, self.listed, self.wanted]


def _tab(desk: Desk, name: str) -> gr.Tab:
    """Return a part of the tab, to be filled with `with`."""
    return desk.label(gr.Tab(id=name, elem_id=f"memory-part-{name}"), label=f"memory.part_{name}")


def _searching(desk: Desk) -> tuple[gr.Textbox, gr.Button]:
    """Place the search."""
    with gr.Row(elem_classes="search-row"):
        query = desk.label(
            gr.Textbox("", elem_id="memory-query", max_lines=1, scale=5),
            label="memory.search",
            placeholder="memory.search_hint",
        )
        go = desk.label(
            gr.Button(variant="primary", elem_id="memory-search", scale=0, min_width=120),
            value="memory.search_go",
        )
    return query, go


def lay_out(desk: Desk) -> Parts:
    """Place the components: the parts of the tab, and below them what has just been done."""
    found: dict[str, Any] = {}  # by the names in `Parts`
    notice = notice_place("memory-notice")
    with gr.Tabs(elem_id="memory-parts"):
        with _tab(desk, "list"):
            query, go = _searching(desk)
            found |= {"bar": place("memory-filter"), "listed": place("memory-list")}
        for name, places in PLACES.items():
            with _tab(desk, name) as found[f"{name}_tab"]:
                found |= {key: place(f"memory-{key}") for key in places}
    return Parts(
        **found,
        notice=notice,
        query=query,
        go=go,
        told=place("memory-told", classes="told-place"),
        wanted=gr.State(None),
        plan=gr.State(None),
        rule=gr.State(None),
        seen=gr.State(None),
    )


def bind_list(desk: Desk, parts: Parts) -> None:
    """Bind finding, and what is done to one memory."""
    notice, where = parts.notice, parts.where
    quick: dict[str, Any] = {"notice": notice, "inputs": where, "trigger_mode": "multiple"}
    sent = partial(gr.on, [parts.go.click, parts.query.submit])
    desk.on(sent, remembered.search, outputs=parts.drawn, **quick)
    desk.on(parts.query.change, remembered.emptied, outputs=parts.drawn, **quick)
    chosen = {**quick, "inputs": [parts.query]}
    desk.on_click("memory_filter", remembered.narrow, outputs=parts.drawn, **chosen)
    desk.on_click("memory_more", remembered.more, outputs=parts.drawn, **quick)
    for act, handler in {
        "memory_edit": remembered.edit,
        "memory_pin": remembered.pin,
        "memory_mark": remembered.mark,
        "memory_delete": remembered.delete,
        "memory_erase": remembered.erase,
        "memory_wake": remembered.wake,
    }.items():
        desk.on_click(act, handler, outputs=[*parts.drawn, parts.told], **quick)
    desk.on_click("memory_dismiss", remembered.dismiss, outputs=[parts.told], notice=notice)


def bind_tidy(desk: Desk, parts: Parts) -> None:
    """Bind tidying up, undo, export and erasure."""
    notice, where = parts.notice, parts.where
    desk.on_click(
        "forget_preview",
        tidying.preview,
        outputs=[parts.forgetting, parts.plan, parts.rule],
        notice=notice,
    )
    desk.on_click(
        "forget_now",
        tidying.forget,
        inputs=[parts.plan, parts.rule, *where],
        outputs=[parts.forgetting, parts.plan, parts.told, *parts.drawn],
        notice=notice,
    )
    for act, handler, outputs in (
        ("consolidate", tidying.consolidate, [parts.consolidating, parts.told]),
        ("memory_merge", tidying.merge, [parts.merging, parts.told]),
        ("archive_now", tidying.archive, [parts.told]),
        ("erase_everything", tidying.erase_everything, [parts.changes, parts.data, parts.told]),
    ):
        desk.on_click(act, handler, inputs=where, outputs=[*outputs, *parts.drawn], notice=notice)
    undone: list[Target] = [parts.changes, parts.consolidating, parts.merging, parts.told]
    desk.on_click(
        "memory_undo",
        tidying.undo,
        inputs=[parts.rule, *where],
        outputs=[*undone, *parts.drawn],
        notice=notice,
    )
    download = download_place("memory")
    download.save_after(
        desk.on_click("memory_export", tidying.export, outputs=download.outputs, notice=notice)
    )


def bind_graph(desk: Desk, parts: Parts) -> None:
    """Bind the picture of the connections, and the question about them."""
    shows: dict[str, Any] = {"notice": parts.notice, "trigger_mode": "multiple"}
    drawn: list[Target] = [parts.graph, parts.seen]
    desk.on_click("graph_around", graphing.around, outputs=drawn, **shows)
    desk.on_click("graph_all", graphing.whole, outputs=drawn, **shows)
    desk.on_click("graph_connect", graphing.connect, outputs=[parts.connecting], **shows)
    outputs = [*drawn, parts.connecting, parts.quality]
    desk.on_click(
        "graph_merge", graphing.merge, inputs=[parts.seen], outputs=outputs, notice=parts.notice
    )
    everything = Drawing(graphing.draw, inputs=[parts.seen], outputs=outputs)
    desk.on_shown(parts.graph_tab.select, everything, parts.notice)


def refresh(visit: Visit, wanted: Any, query: Any, rule: Any, seen: Any) -> tuple[object, ...]:
    """Draw all of the tab; a part that has not been opened yet is drawn when it is."""
    return (
        *remembered.draw(visit, wanted, query),
        *(tidying.draw_tidy(visit, rule) if rule is not None else (gr.skip(),) * 6),
        *(graphing.draw(visit, seen) if seen is not None else (gr.skip(),) * 4),
        *tidying.draw_changes(visit),
    )


def build(desk: Desk) -> View:
    """Build the tab."""
    parts = lay_out(desk)
    bind_list(desk, parts)
    bind_tidy(desk, parts)
    bind_graph(desk, parts)
    tidy: list[Target] = [parts.forgetting, parts.plan, parts.rule]
    tidy += [parts.consolidating, parts.merging, parts.archiving]
    graph: list[Target] = [parts.graph, parts.seen, parts.connecting, parts.quality]
    changes: list[Target] = [parts.changes, parts.data]
    drawn_tidy = Drawing(tidying.draw_tidy, inputs=[parts.rule], outputs=tidy)
    desk.on_shown(parts.tidy_tab.select, drawn_tidy, parts.notice)
    drawn_changes = Drawing(tidying.draw_changes, outputs=changes)
    desk.on_shown(parts.changes_tab.select, drawn_changes, parts.notice)
    return View(
        refresh=Drawing(
            refresh,
            inputs=[*parts.where, parts.rule, parts.seen],
            outputs=[*parts.drawn, *tidy, *graph, *changes],
        ),
        shown=Drawing(remembered.draw, inputs=parts.where, outputs=parts.drawn),
        notice=parts.notice,
    )
