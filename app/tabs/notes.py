"""Notes: write, find and delete them."""

import gradio as gr

from app.components.memories import notes_list
from app.desk import Desk, Drawing, Told, View, Visit, notice_place, place


def listing(visit: Visit, query: str | None) -> tuple[object, ...]:
    """Return the notes that fit a search; nothing when another search has begun meanwhile."""
    turn = visit.turns.take("notes")
    found = notes_list(visit.assistant.notes(), query or "", visit.words)
    return (found if visit.turns.is_last("notes", turn) else gr.skip(),)


def save(visit: Visit, concept: str | None, content: str | None) -> Told:
    """Save a note, empty the editor and the search, and show the note on top."""
    visit.assistant.add_note(content or "", concept)
    return Told(values=("", "", "", *listing(visit, "")), message=visit.words("notes.saved"))


def delete(visit: Visit, query: str) -> Told:
    """Delete a note for good."""
    visit.assistant.delete_note(visit.text("note"))
    return Told(values=listing(visit, query), message=visit.words("notes.deleted"))


def build(desk: Desk) -> View:
    """Build the tab."""
    with gr.Row(elem_id="note-columns", equal_height=False):
        with gr.Column(scale=5, min_width=300, elem_id="note-editor"):
            desk.label(gr.Markdown(elem_classes="panel-title"), value="notes.new")
            concept = desk.label(
                gr.Textbox("", elem_id="note-concept", max_lines=1),
                label="notes.concept",
                placeholder="notes.concept_hint",
            )
            content = desk.label(
                gr.Textbox("", elem_id="note-content", lines=8, max_lines=20),
                label="notes.content",
                placeholder="notes.content_hint",
            )
            button = desk.label(
                gr.Button(variant="primary", elem_id="note-save"), value="notes.save"
            )
            notice = notice_place("notes-notice")
        with gr.Column(scale=7, min_width=300, elem_id="note-list"):
            query = desk.label(
                gr.Textbox("", elem_id="note-search", max_lines=1),
                label="notes.search",
                placeholder="notes.search_hint",
            )
            listed = place("notes")
    desk.on(
        button.click,
        save,
        inputs=[concept, content],
        outputs=[concept, content, query, listed],
        notice=notice,
    )
    desk.on(
        query.change,
        listing,
        inputs=[query],
        outputs=[listed],
        notice=notice,
        trigger_mode="multiple",
    )
    desk.on_click("delete_note", delete, inputs=[query], outputs=[listed], notice=notice)
    return View(refresh=Drawing(listing, inputs=[query], outputs=[listed]), notice=notice)
