"""What every tab is built on: binding handlers to a learner, and labels to a language.

A handler is a plain function of a `Visit` and of its inputs' values. `Desk` finds out who is
asking from the browser's token and in which language, calls the handler, and puts a failure into
the notice next to where it happened.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import gradio as gr
from gradio.blocks import Block, BlockContext
from gradio.components import Component

from app.answering import Answers
from app.errors import Failure, attempt
from app.i18n import Words, preferred_language
from app.identity import Learners, is_token
from app.loading import LoadTray
from app.outline import Outlines
from app.presenters import failure_html, notice_html
from app.turns import Turns
from core.assistant import PDFLearningAssistant
from core.errors import InvalidInputError
from core.settings import Settings

ORDER_LIMIT = 2**53  # whole numbers of the browser are exact below

Handler = Callable[..., Any]
Target = Component | BlockContext  # what an event reads or draws into
Labelled = TypeVar("Labelled", bound=Block)


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """One call of one learner: who, in which language, and what the page sent with a click."""

    assistant: PDFLearningAssistant
    tray: LoadTray
    answers: Answers
    turns: Turns
    outlines: Outlines
    words: Words
    event: gr.EventData | None = None

    def has(self, name: str) -> bool:
        """Say whether the click carries a field."""
        return name in self._fields

    @property
    def _fields(self) -> dict[str, Any]:
        data = getattr(self.event, "_data", None)
        return data if isinstance(data, dict) else {}

    def text(self, name: str) -> str:
        """Return a field of the click. Raises `InvalidInputError` when it is not text."""
        value = self._fields.get(name)
        if not isinstance(value, str):
            raise InvalidInputError()
        return value

    @property
    def order(self) -> int | None:
        """When the click was made, to be compared with other clicks; None for other events."""
        value = self._fields.get("order")
        return value if isinstance(value, int) and 0 < value < ORDER_LIMIT else None

    def number(self, name: str) -> int:
        """Return a field of the click as a whole number. Raises `InvalidInputError`."""
        value = self.text(name)
        if not value.isascii() or not value.isdigit() or len(value) > 9:
            raise InvalidInputError()
        return int(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A handler's values for its outputs, with a message for the notice.

    Without one the notice is cleared; None leaves it as it is.
    """

    values: tuple[Any, ...] = ()
    message: str | None = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A handler that draws, with what it reads and what it draws into."""

    handler: Handler
    outputs: Sequence[Target]
    inputs: Sequence[Target] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A built tab: how all of it is drawn anew, and what is brought up to date when it is opened.

    `shown` is None when opening the tab draws all of it.
    """

    refresh: Drawing
    notice: gr.HTML
    shown: Drawing | None = None


def place(name: str, *, classes: str | None = None) -> gr.HTML:
    """Return a place for HTML of our own, with the element id `name`."""
    return gr.HTML("", elem_id=name, elem_classes=classes, js_on_load=None, apply_default_css=False)


def notice_place(name: str) -> gr.HTML:
    """Return a place where the failures and messages of one part of the page are told."""
    return place(name, classes="notice-place")


class Desk:
    """The frame that tabs are built into."""

    def __init__(
        self,
        learners: Learners,
        settings: Settings,
        *,
        token: gr.BrowserState,
        choice: gr.BrowserState,
        depth: gr.BrowserState,
        relay: gr.HTML,
        tabs: gr.Tabs,
        known: gr.State,
    ) -> None:
        """`choice` and `depth` are the language and the search depth that the browser keeps.

        `known` are the ids of the documents that can be asked, as the page knows them.
        """
        self.learners = learners
        self.settings = settings
        self.token = token
        self.choice = choice
        self.depth = depth
        self.relay = relay
        self.tabs = tabs
        self.known = known
        self._labels: list[tuple[Block, dict[str, str]]] = []

    def label(self, component: Labelled, **keys: str) -> Labelled:
        """Give properties of a component (label, value, placeholder, …) words by their keys.

        The first paint follows the browser; `relabel` follows the learner's choice.
        """
        for name, key in keys.items():
            setattr(component, name, gr.I18n()(key))
        self._labels.append((component, keys))
        return component

    @property
    def labelled(self) -> list[Block]:
        """The components that `relabel` updates, in order."""
        return [component for component, _ in self._labels]

    def relabel(self, words: Words) -> list[Any]:
        """Return an update for each labelled component."""
        return [
            gr.update(**dict[str, Any]({name: words(key) for name, key in keys.items()}))
            for _, keys in self._labels
        ]

    def words(self, choice: object, request: gr.Request, token: object) -> Words:
        """Return the words of the language of this call: the one the learner chose last."""
        choice = self.learners.language(token) or choice
        accept = request.headers.get("accept-language") if request.headers else None
        default = self.settings.app_language
        return Words(preferred_language(choice, accept=accept, default=default))

    def visit(self, token: object, words: Words, event: gr.EventData | None = None) -> Visit:
        """Return the visit of a token. Raises `UnknownLearnerError`."""
        learner = self.learners.get(token)
        return Visit(
            assistant=learner.assistant,
            tray=learner.tray,
            answers=learner.answers,
            turns=learner.turns,
            outlines=learner.outlines,
            words=words,
            event=event,
        )

    def on(
        self,
        trigger: Callable[..., Any],
        handler: Handler,
        *,
        notice: gr.HTML,
        inputs: Sequence[Target] = (),
        outputs: Sequence[Target] = (),
        **options: Any,
    ) -> Any:
        """Bind `handler(visit, *values)` to an event such as `button.click`.

        It returns a tuple with one value for each of `outputs` (or a `Told`), or yields such
        tuples. Returns Gradio's event, for `then` and `cancels`.
        """
        call = self._bind(handler, len(outputs))
        return self._listen(trigger, call, handler, notice, inputs, outputs, options)

    def on_click(
        self,
        act: str,
        handler: Handler,
        *,
        notice: gr.HTML,
        inputs: Sequence[Target] = (),
        outputs: Sequence[Target] = (),
        **options: Any,
    ) -> Any:
        """Bind a handler to clicks on elements with `data-act="<act>"`, wherever they stand.

        The element's other data attributes are read with `visit.text` and `visit.number`.
        """
        bound = self._bind(handler, len(outputs))

        def call(event: gr.EventData, request: gr.Request, *values: Any) -> Any:
            return bound(request, *values, event=event)

        trigger = getattr(self.relay, act)
        return self._listen(trigger, call, handler, notice, inputs, outputs, options)

    def on_shown(self, trigger: Callable[..., Any], drawing: Drawing, notice: gr.HTML) -> Any:
        """Bring a tab up to date when it is opened.

        The first tab opens by itself before the browser has a token; that is no failure.
        """
        handler, outputs = drawing.handler, drawing.outputs

        def draw(visit: Visit, *values: Any) -> Told:
            # What the notice says may have come while this was on its way: leave it.
            return Told(values=tuple(handler(visit, *values)), message=None)

        bound = self._bind(draw, len(outputs))
        nothing = [gr.skip()] * (len(outputs) + 1)

        def call(request: gr.Request, token: Any, *values: Any) -> Any:
            return bound(request, token, *values) if is_token(token) else nothing

        return self._listen(trigger, call, handler, notice, drawing.inputs, outputs, {})

    def _listen(
        self,
        trigger: Callable[..., Any],
        call: Handler,
        handler: Handler,
        notice: gr.HTML,
        inputs: Sequence[Target],
        outputs: Sequence[Target],
        options: dict[str, Any],
    ) -> Any:
        settings = {"show_progress": "hidden", "api_visibility": "private", **options}
        function = getattr(handler, "func", handler)
        call.__name__ = f"{function.__module__.rpartition('.')[2]}_{function.__name__}"
        return trigger(call, [self.token, self.choice, *inputs], [*outputs, notice], **settings)

    def _bind(self, handler: Handler, count: int) -> Handler:
        def call(
            request: gr.Request,
            token: Any,
            choice: Any,
            *values: Any,
            event: gr.EventData | None = None,
        ) -> list[Any]:
            words = self.words(choice, request, token)
            result = attempt(lambda: handler(self.visit(token, words, event), *values))
            return shape(result, count, words)

        def stream(
            request: gr.Request,
            token: Any,
            choice: Any,
            *values: Any,
            event: gr.EventData | None = None,
        ) -> Iterator[list[Any]]:
            words = self.words(choice, request, token)
            steps = attempt(lambda: handler(self.visit(token, words, event), *values))
            if isinstance(steps, Failure):
                yield shape(steps, count, words)
                return
            try:
                while (step := attempt(lambda: next(steps, None))) is not None:
                    yield shape(step, count, words)
                    if isinstance(step, Failure):
                        return
            finally:
                steps.close()

        return stream if inspect.isgeneratorfunction(handler) else call


def shape(result: Any, count: int, words: Words) -> list[Any]:
    """Return what Gradio wants: one value for each of `count` outputs, then the notice.

    A failure leaves the outputs as they are; a result clears the notice or fills it.
    """
    if isinstance(result, Failure):
        return [*[gr.skip()] * count, failure_html(result, words)]
    told = result if isinstance(result, Told) else Told(values=result or ())
    if len(told.values) != count:
        raise TypeError(f"A handler gave {len(told.values)} values for {count} outputs.")
    notice = gr.skip() if told.message is None else notice_html(told.message)
    return [*told.values, notice]
