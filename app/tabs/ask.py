"""Ask: the conversation on one side, the proof on the page on the other."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradio as gr

from app.answering import new_key
from app.components import conversation as html
from app.components.evidence import evidence_empty, evidence_html
from app.desk import Desk, Drawing, Target, Told, View, Visit, notice_place, place
from app.errors import Failure, attempt
from app.evidence import open_citation, open_page
from app.presenters import shorten
from core.domain.answer import Answer
from core.errors import InvalidInputError, NotFoundError

SHOWN = 50  # questions of the conversation that are drawn after a reload
SUGGESTIONS = 3
CONCEPT_LENGTH = 80  # characters of a question that become the concept of a saved answer
QUESTION_LENGTH = 2000  # characters; the assistant refuses longer ones

ANSWERS_AT_ONCE = 8  # streams of all learners together

Messages = list[Any]
Place = dict[str, Any]
Pending = dict[str, str]  # the question being answered, and the key to stop it by


# --- evidence ---------------------------------------------------------------------------------


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
        return evidence_empty(visit.words, documents=loaded), None
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


# --- the conversation ---------------------------------------------------------------------------


def busy(now: bool) -> tuple[object, object]:
    """Return the updates of the two buttons: ask while idle, stop while an answer comes."""
    return gr.update(visible=not now), gr.update(visible=now)


def begin(
    visit: Visit, question: str | None, shown: Messages, pending: Pending | None
) -> tuple[object, ...]:
    """Take a question: show it at once, and keep it for `answer`."""
    if not question or not question.strip() or len(question) > QUESTION_LENGTH:
        raise InvalidInputError()
    if pending:
        return *[gr.skip()] * 4, *busy(True)
    waiting = html.streamed_message("", visit.words)
    asked = {"question": question, "key": new_key()}
    messages = [*shown, html.question_message(question), waiting]
    return messages, messages, "", asked, *busy(True)


def begin_example(visit: Visit, shown: Messages, pending: Pending | None) -> tuple[object, ...]:
    """Take a suggested question."""
    return begin(visit, visit.text("text"), shown, pending)


def answer(
    visit: Visit, pending: Pending | None, documents: list[str] | None, shown: Messages
) -> Iterator[tuple[object, ...] | Told | Failure]:
    """Stream the answer into the last message, then open its first citation."""
    if not pending:
        # Gradio empties the outputs of a generator that yields nothing, the notice too.
        yield Told(values=(gr.skip(),) * 5, message=None)
        return
    text, before = "", shown[:-1]
    ask = partial(visit.assistant.ask_stream, pending["question"], documents=documents or None)
    for piece in visit.answers.pieces(pending["key"], ask):
        if isinstance(piece, Failure):
            yield piece
            return
        if piece.answer is not None:
            done = html.message("assistant", html.answer_markdown(piece.answer, visit.words))
            # At once: a citation clicked before the first one opens would be closed again by it.
            opened = attempt(partial(proof, visit, piece.answer))
            drawn = [gr.skip()] * 2 if isinstance(opened, Failure) else opened
            yield [*before, done], [*before, done], None, *drawn
            if isinstance(opened, Failure):  # the answer stands; why its page does not is told
                yield opened
            return
        text += piece.text
        yield [*before, html.streamed_message(text, visit.words)], *[gr.skip()] * 4
    ended = [*before, *stopped(text, visit)]
    yield ended, ended, None, *[gr.skip()] * 2


def stopped(text: str, visit: Visit) -> Messages:
    """Return what had come of an answer that was stopped, and that it was."""
    came = [html.streamed_message(text, visit.words)] if text.strip() else []
    key = "ask.stopped" if came else "ask.stopped_early"
    return [*came, html.message("assistant", f"*{visit.words(key)}*")]


def stop(visit: Visit, pending: Pending | None) -> Told:
    """Stop the answer that is on its way; `answer` then says so."""
    if pending:
        visit.answers.stop(pending["key"])
    return Told(message=None)


def finish(visit: Visit, shown: Messages, pending: Pending | None) -> Told:
    """Show the ask button again; after a failure, take the waiting message away."""
    left = shown[:-1] if pending else gr.skip()
    return Told(values=(left, left, None, *busy(False)), message=None)


def save_note(visit: Visit) -> Told:
    """Save an answer with its sources as a note."""
    found = visit.assistant.question(visit.text("question")).answer
    concept = shorten(found.question, CONCEPT_LENGTH)
    visit.assistant.add_note(html.note_text(found, visit.words), concept)
    return Told(message=visit.words("ask.saved_note"))


# --- coming from another tab ----------------------------------------------------------------------


def about_document(visit: Visit) -> tuple[object, ...]:
    """Narrow the questions to one document and open its first page."""
    document = visit.text("document")
    return (
        gr.Tabs(selected="ask"),
        choices(visit, [document]),
        *show(visit, {"document": document, "page": 1}),
    )


def read_document(visit: Visit) -> tuple[object, ...]:
    """Open a document at its first page, or at the page that was clicked."""
    page = visit.number("page") if visit.has("page") else 1
    return gr.Tabs(selected="ask"), *show(visit, {"document": visit.text("document"), "page": page})


def show_answer(visit: Visit) -> tuple[object, ...]:
    """Open the proof of an answer given earlier."""
    found = visit.assistant.question(visit.text("question")).answer
    return gr.Tabs(selected="ask"), *proof(visit, found)


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


def refresh(visit: Visit, chosen: list[str] | None, place: Place | None) -> tuple[object, ...]:
    """Draw the whole tab: the stored conversation, and the page that was open."""
    asked = visit.assistant.questions(limit=SHOWN)
    loaded = bool(visit.assistant.documents())
    messages = html.conversation(asked, visit.words)
    placeholder = html.welcome(visit.words, documents=loaded)
    chat = gr.update(value=messages, placeholder=placeholder)
    try:
        opened = show(visit, place) if place else proof(visit, asked[0].answer if asked else None)
    except NotFoundError:  # the document has been deleted since
        opened = proof(visit, None)
    return choices(visit, chosen), suggestions(visit), chat, *opened, messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The components. `pending` is the question being answered, `where` the open page.

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
            chosen = gr.Dropdown([], multiselect=True, elem_id="filter")
            desk.label(chosen, label="ask.filter")
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
    for started in (
        desk.on(
            typed, begin, inputs=[parts.question, shown, pending], outputs=begun, notice=notice
        ),
        desk.on_click(
            "example", begin_example, inputs=[shown, pending], outputs=begun, notice=notice
        ),
    ):
        answered = desk.on(
            started.then,
            answer,
            inputs=[pending, parts.chosen, shown],
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


def build(desk: Desk) -> View:
    """Build the tab."""
    parts = lay_out(desk)
    bind_answers(desk, parts)
    bind_evidence(desk, parts)
    desk.on_click("save_note", save_note, notice=parts.notice)
    desk.on_click("go", go, outputs=[desk.tabs], notice=parts.notice)
    drawn: list[Target] = [parts.chosen, parts.examples, parts.chat]
    # Also while the tab is open: the first pages of a document can be asked before the last.
    quiet = notice_place("ask-quiet")
    desk.on(desk.known.change, shown_again, inputs=[parts.chosen], outputs=drawn, notice=quiet)
    return View(
        refresh=Drawing(
            refresh,
            inputs=[parts.chosen, parts.where],
            outputs=[*drawn, parts.evidence, parts.where, parts.shown],
        ),
        shown=Drawing(shown_again, inputs=[parts.chosen], outputs=drawn),
        notice=parts.notice,
    )
