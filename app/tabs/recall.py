"""Recall: one search over everything remembered."""

import gradio as gr

from app.components.memories import recall_empty, recall_results
from app.desk import Desk, Drawing, View, Visit, notice_place, place
from app.evidence import figure_images

LIMIT = 12  # memories a search shows at most


def search(visit: Visit, query: str | None) -> tuple[object, ...]:
    """Return what fits the query, grouped by what the learner did."""
    if not query or not query.strip():
        return (recall_empty(visit.words),)
    hits = visit.assistant.recall(query, limit=LIMIT)
    return (recall_results(hits, query, visit.words, figure_images(visit.assistant, hits)),)


def build(desk: Desk) -> View:
    """Build the tab."""
    with gr.Row(elem_classes="search-row"):
        query = desk.label(
            gr.Textbox("", elem_id="recall-query", max_lines=1, scale=5),
            label="recall.query",
            placeholder="recall.hint",
        )
        button = desk.label(
            gr.Button(variant="primary", elem_id="recall-search", scale=0, min_width=120),
            value="recall.search",
        )
    notice = notice_place("recall-notice")
    results = place("recall-results")
    for trigger in (button.click, query.submit):
        desk.on(
            trigger,
            search,
            inputs=[query],
            outputs=[results],
            notice=notice,
            show_progress="minimal",
        )
    return View(refresh=Drawing(search, inputs=[query], outputs=[results]), notice=notice)
