"""Ask: the conversation on one side, the proof on the page on the other."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from app.asking import (
    QUESTION_LENGTH,
    answer,
    begin,
    begin_example,
    begin_other_way,
    choose_depth,
    depth_of,
    depth_switch,
    finish,
    save_note,
    stop,
)
from app.components import conversation as html
from app.desk import Desk, Drawing, Target, View, Visit, notice_place, place
from app.download import download_place
from app.finding import explain, export
from app.remembered import mark_used, show_used
from app.showing import Place, cite, proof, read_document, show, show_answer, turn_page
from core.errors import NotFoundError

SHOWN = 50  # questions of the conversation that are drawn after a reload
SUGGESTIONS = 3
ANSWERS_AT_ONCE = 8  # streams of all learners together


def about_document(visit: Visit) -> tuple[object, ...]:
    """Narrow the questions to one document and open its first page."""
    document = visit.text("document")
    return (
        gr.Tabs(selected="ask"),
        choices(visit, [document]),
        *show(visit, {"document": document, "page": 1}),
    )


def go(visit: Visit) -> tuple[object, ...]:
    """Open a tab."""
    return (gr.Tabs(selected=visit.text("tab")),)


# --- drawing -----------------------------------------------------------------------------------


def choices(visit: Visit, chosen: list[str] | None) -> object:
    """Return the filter with the documents there are now."""
    found = {d.id: d.title for d in visit.assistant.documents()}
    return gr.update(
        choices=[(title, key) for key, title in found.items()],
        value=[key for key in chosen or [] if key in found],
    )


def suggestions(visit: Visit) -> str:
    """Return example questions that fit the documents."""
    return html.suggestions(visit.assistant.suggested_questions(limit=SUGGESTIONS), visit.words)


def shown_again(visit: Visit, chosen: list[str] | None) -> tuple[object, ...]:
    """Bring up to date what loading and deleting documents has changed."""
    loaded = bool(visit.assistant.documents())
    placeholder = gr.update(placeholder=html.welcome(visit.words, documents=loaded))
    return choices(visit, chosen), suggestions(visit), placeholder


def refresh(
    visit: Visit, chosen: list[str] | None, place: Place | None, depth: object, kept: object
) -> tuple[object, ...]:
    """Draw the whole tab: the stored conversation, and the page that was open.

    `depth` is the search depth of this page, None when it is new; `kept` is the browser's.
    """
    asked = visit.assistant.questions(limit=SHOWN)
    loaded = bool(visit.assistant.documents())
    messages = html.conversation(asked, visit.words)
    placeholder = html.welcome(visit.words, documents=loaded)
    chat = gr.update(value=messages, placeholder=placeholder)
    try:
        opened = show(visit, place) if place else proof(visit, asked[0].answer if asked else None)
    except NotFoundError:  # the document has been deleted since
        opened = proof(visit, None)
    here = depth_of(depth or kept)
    drawn = choices(visit, chosen), suggestions(visit), chat
    return *drawn, *opened, messages, here, depth_switch(visit, here)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The components. `pending` is the question being answered, `where` the open page.

    `depth` is the search depth of this page; the browser's own (`Desk.depth`) can be a moment old.
    `found` is where it is told how an answer was found, `used` what it used; the page's script puts
    both under the answer.
    `shown` is what `chat` shows: kept on the server, since a message that comes from the page can
    be anything, also a component that Gradio would build.
    """

    chat: gr.Chatbot
    notice: gr.HTML
    examples: gr.HTML
    question: gr.Textbox
    send: gr.Button
    halt: gr.Button
    chosen: gr.Dropdown
    evidence: gr.HTML
    found: gr.HTML
    used: gr.HTML
    depths: gr.HTML
    depth: gr.State
    pending: gr.State
    shown: gr.State
    where: gr.State


def lay_out(desk: Desk) -> Parts:
    """Place the components: the conversation left, the evidence right."""
    with gr.Row(elem_id="ask-columns", equal_height=False):
        with gr.Column(scale=6, min_width=320, elem_id="conversation-column"):
            chat = gr.Chatbot(
                elem_id="conversation",
                show_label=False,
                container=False,
                height="100%",
                layout="panel",
                buttons=[],
                allow_tags=False,
                latex_delimiters=[],
                feedback_options=None,
                group_consecutive_messages=False,
            )
            notice = notice_place("ask-notice")
            examples = place("examples")
            question, send, halt = composer(desk)
            with gr.Row(elem_id="scope", equal_height=True):
                chosen = gr.Dropdown([], multiselect=True, elem_id="filter", scale=1)
                depths = place("depths")
            desk.label(chosen, label="ask.filter")
            found = place("found")
            used = place("used")
        with gr.Column(scale=5, min_width=320, elem_id="evidence-column"):
            evidence = place("evidence")
    return Parts(
        chat=chat,
        notice=notice,
        examples=examples,
        question=question,
        send=send,
        halt=halt,
        chosen=chosen,
        evidence=evidence,
        found=found,
        used=used,
        depths=depths,
        depth=gr.State(None),
        pending=gr.State(None),
        shown=gr.State([]),
        where=gr.State(None),
    )


def composer(desk: Desk) -> tuple[gr.Textbox, gr.Button, gr.Button]:
    """Place the question, and the button that asks it or stops the answer."""
    with gr.Row(elem_id="composer", equal_height=True):
        question = gr.Textbox(
            "",
            elem_id="question",
            show_label=False,
            container=False,
            max_lines=6,
            max_length=QUESTION_LENGTH,
            scale=6,
        )
        send = gr.Button(variant="primary", elem_id="send", scale=0, min_width=88)
        halt = gr.Button(variant="stop", elem_id="stop", scale=0, min_width=88, visible=False)
    desk.label(question, label="ask.question", placeholder="ask.placeholder")
    desk.label(send, value="ask.send")
    desk.label(halt, value="ask.stop")
    return question, send, halt


def bind_answers(desk: Desk, parts: Parts) -> None:
    """Bind asking: take the question, stream the answer, show the button again."""
    pending, shown, notice = parts.pending, parts.shown, parts.notice
    drawn: list[Target] = [parts.chat, shown]
    begun = [*drawn, parts.question, pending, parts.send, parts.halt]
    typed = partial(gr.on, [parts.send.click, parts.question.submit])
    again: dict[str, Any] = {"inputs": [shown, pending], "notice": notice}
    for started in (
        desk.on(
            typed, begin, inputs=[parts.question, shown, pending], outputs=begun, notice=notice
        ),
        desk.on_click("example", begin_example, outputs=[desk.tabs, *begun], **again),
        desk.on_click("ask_other_way", begin_other_way, outputs=begun, **again),
    ):
        answered = desk.on(
            started.then,
            answer,
            inputs=[pending, parts.chosen, shown, parts.depth],
            outputs=[*drawn, pending, parts.evidence, parts.where],
            notice=notice,
            concurrency_id="answers",
            concurrency_limit=ANSWERS_AT_ONCE,
        )
        desk.on(
            answered.then,
            finish,
            inputs=[shown, pending],
            outputs=[*drawn, pending, parts.send, parts.halt],
            notice=notice,
        )
    desk.on(parts.halt.click, stop, inputs=[pending], notice=notice)


def bind_evidence(desk: Desk, parts: Parts) -> None:
    """Bind what opens a page, here and from other tabs."""
    opened = [parts.evidence, parts.where]
    shows: dict[str, Any] = {
        "notice": parts.notice,
        "show_progress": "minimal",
        "show_progress_on": parts.evidence,
        "trigger_mode": "multiple",
    }
    desk.on_click("open_citation", cite, outputs=opened, **shows)
    desk.on_click("open_page", turn_page, outputs=opened, **shows)
    desk.on_click("show_answer", show_answer, outputs=[desk.tabs, *opened], **shows)
    desk.on_click("read_document", read_document, outputs=[desk.tabs, *opened], **shows)
    narrowed: list[Target] = [desk.tabs, parts.chosen, *opened]
    desk.on_click("ask_document", about_document, outputs=narrowed, **shows)


def bind_found(desk: Desk, parts: Parts) -> None:
    """Bind telling how an answer was found, saving that, and judging the memories it used."""
    quick: dict[str, Any] = {"notice": parts.notice, "trigger_mode": "multiple"}
    desk.on_click("explain", explain, outputs=[parts.found], **quick)
    desk.on_click("show_used", show_used, outputs=[parts.used], **quick)
    desk.on_click("memory_use", mark_used, outputs=[parts.used], **quick)
    download = download_place("answer")
    download.save_after(
        desk.on_click("export_answer", export, outputs=download.outputs, notice=parts.notice)
    )


def build(desk: Desk) -> View:
    """Build the tab."""
    parts = lay_out(desk)
    bind_answers(desk, parts)
    bind_evidence(desk, parts)
    bind_found(desk, parts)
    chosen_depth = [parts.depth, desk.depth, parts.depths]
    desk.on_click("depth", choose_depth, outputs=chosen_depth, notice=parts.notice)
    desk.on_click("save_note", save_note, notice=parts.notice)
    desk.on_click("go", go, outputs=[desk.tabs], notice=parts.notice)
    drawn: list[Target] = [parts.chosen, parts.examples, parts.chat]
    # Also while the tab is open: the first pages of a document can be asked before the last.
    quiet = notice_place("ask-quiet")
    desk.on(desk.known.change, shown_again, inputs=[parts.chosen], outputs=drawn, notice=quiet)
    return View(
        refresh=Drawing(
            refresh,
            inputs=[parts.chosen, parts.where, parts.depth, desk.depth],
            outputs=[
                *drawn,
                parts.evidence,
                parts.where,
                parts.shown,
                parts.depth,
                parts.depths,
            ],
        ),
        shown=Drawing(shown_again, inputs=[parts.chosen], outputs=drawn),
        notice=parts.notice,
    )
