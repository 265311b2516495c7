"""Showing the proof: what opens a page beside the conversation, from here and from other tabs."""

from typing import Any

import gradio as gr

from app.components.evidence import evidence_empty, evidence_html
from app.desk import Visit
from app.evidence import open_citation, open_page
from core.domain.answer import Answer

Place = dict[str, Any]


def show(visit: Visit, place: Place) -> tuple[object, object]:
    """Return the evidence of a place: a citation, a page, or a page beside a citation.

    Draws nothing when another place has been asked for meanwhile.
    """
    turn = visit.turns.take("evidence", visit.order)
    page, entry = place.get("page"), place.get("entry")
    who = visit.assistant, visit.outlines
    if place.get("question"):
        evidence = open_citation(*who, place["question"], place["number"], page=page, entry=entry)
    else:
        evidence = open_page(*who, place["document"], place["page"], entry=entry)
    if not visit.turns.is_last("evidence", turn):
        return gr.skip(), gr.skip()
    return evidence_html(evidence, visit.words), place


def proof(visit: Visit, answer: Answer | None) -> tuple[object, object]:
    """Return the evidence of an answer's first citation, and where that is."""
    if answer is None or not answer.citations:
        loaded = bool(visit.assistant.documents())
        return evidence_empty(visit.words, documents=loaded, answer=answer), None
    return show(visit, {"question": answer.id, "number": answer.citations[0].number})


def cite(visit: Visit) -> tuple[object, ...]:
    """Open the citation that was clicked."""
    return show(visit, {"question": visit.text("question"), "number": visit.number("number")})


def turn_page(visit: Visit) -> tuple[object, ...]:
    """Open the page that was clicked, beside the citation it was reached from."""
    place: Place = {"document": visit.text("document"), "page": visit.number("page")}
    if visit.has("entry"):  # a line of the table of contents
        place["entry"] = visit.number("entry")
    if visit.has("question"):
        place |= {"question": visit.text("question"), "number": visit.number("number")}
    return show(visit, place)


def read_document(visit: Visit) -> tuple[object, ...]:
    """Open a document at its first page, or at the page that was clicked."""
    page = visit.number("page") if visit.has("page") else 1
    return gr.Tabs(selected="ask"), *show(visit, {"document": visit.text("document"), "page": page})


def show_answer(visit: Visit) -> tuple[object, ...]:
    """Open the proof of an answer given earlier."""
    found = visit.assistant.question(visit.text("question")).answer
    return gr.Tabs(selected="ask"), *proof(visit, found)
