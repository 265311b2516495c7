"""Asking: a question is taken, answered in pieces, stopped, and asked again another way."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import gradio as gr

from app.answering import new_key
from app.components import conversation as html
from app.desk import Told, Visit
from app.errors import Failure, attempt
from app.presenters import shorten
from app.showing import proof
from core.domain.answer import AskOptions, Route
from core.errors import InvalidInputError

CONCEPT_LENGTH = 80  # characters of a question that become the concept of a saved answer
QUESTION_LENGTH = 2000  # characters; the assistant refuses longer ones
QUICK, THOROUGH = "quick", "thorough"
DEPTHS = (QUICK, THOROUGH)

Messages = list[Any]
Pending = dict[str, Any]  # the question being answered, the key to stop it by, and how to look


def depth_of(value: object) -> str:
    """Return the depth a page keeps; it can send anything, and then it is the thorough one."""
    return QUICK if value == QUICK else THOROUGH


def busy(now: bool) -> tuple[object, object]:
    """Return the updates of the two buttons: ask while idle, stop while an answer comes."""
    return gr.update(visible=not now), gr.update(visible=now)


def begin(
    visit: Visit,
    question: str | None,
    shown: Messages,
    pending: Pending | None,
    options: AskOptions | None = None,
) -> tuple[object, ...]:
    """Take a question: show it at once, and keep it for `answer`."""
    if not question or not question.strip() or len(question) > QUESTION_LENGTH:
        raise InvalidInputError()
    if pending:
        return *[gr.skip()] * 4, *busy(True)
    options = options or AskOptions()
    waiting = html.waiting_message(visit.words, options.route)
    asked = {"question": question, "key": new_key(), "options": options}
    messages = [*shown, html.question_message(question), waiting]
    return messages, messages, "", asked, *busy(True)


def begin_example(visit: Visit, shown: Messages, pending: Pending | None) -> tuple[object, ...]:
    """Take a question that is offered, here or on another tab."""
    return gr.Tabs(selected="ask"), *begin(visit, visit.text("text"), shown, pending)


def begin_other_way(visit: Visit, shown: Messages, pending: Pending | None) -> tuple[object, ...]:
    """Ask a question of the conversation again, and look for the answer where the click says.

    A follow-up is asked as it was completed then: the turns before it are other ones now.
    """
    route = visit.text("route")
    if route not in {r.value for r in Route}:
        raise InvalidInputError()
    found = visit.assistant.question(visit.text("question")).answer
    options = AskOptions(route=Route(route), follow_up=False)
    return begin(visit, found.completed or found.question, shown, pending, options)


def answer(
    visit: Visit,
    pending: Pending | None,
    documents: list[str] | None,
    shown: Messages,
    depth: str | None,
) -> Iterator[tuple[object, ...] | Told | Failure]:
    """Stream the answer into the last message, then open its first citation."""
    if not pending:
        # Gradio empties the outputs of a generator that yields nothing, the notice too.
        yield Told(values=(gr.skip(),) * 5, message=None)
        return
    text, before = "", shown[:-1]
    ask = partial(
        visit.assistant.ask_stream,
        pending["question"],
        depth_of(depth) == THOROUGH,
        documents=documents or None,
        options=pending["options"],
    )
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


def choose_depth(visit: Visit) -> tuple[object, ...]:
    """Keep the search depth that was clicked: for this page, and for the browser."""
    depth = visit.text("depth")
    if depth not in DEPTHS:
        raise InvalidInputError()
    return depth, depth, depth_switch(visit, depth)


def depth_switch(visit: Visit, depth: str) -> str:
    """Return the choice of the search depth, with what it means here."""
    return html.depth_switch(depth, visit.assistant.status(), visit.words)


def save_note(visit: Visit) -> Told:
    """Save an answer with its sources as a note."""
    found = visit.assistant.question(visit.text("question")).answer
    concept = shorten(found.question, CONCEPT_LENGTH)
    visit.assistant.add_note(html.note_text(found, visit.words), concept)
    return Told(message=visit.words("ask.saved_note"))
