"""Building the page, and running it."""

import logging
import signal
import socket
import sys
from functools import partial
from threading import Event, Thread
from typing import Any

import gradio as gr
from starlette.middleware import Middleware

from app.components.header import header_html
from app.components.icons import ASSETS
from app.days import ZONE_SCRIPT, zone_of
from app.desk import Desk, View, place, shape
from app.errors import Failure, attempt
from app.i18n import LANGUAGES, TEXTS, translations
from app.identity import STORAGE_KEY, Learners, is_token, learner_code, new_token, storage_secret
from app.security import SecurityHeaders
from app.tabs import TABS
from app.theme import build_theme
from app.uploads import clear
from core.assistant import PDFLearningAssistant
from core.errors import AssistantError
from core.services import Services
from core.settings import MIB, Settings, keep_uploads_in, load_settings
from core.wiring import build_services

logger = logging.getLogger(__name__)

CHOICE_KEY = "pdf-learning-assistant.language"
DEPTH_KEY = "pdf-learning-assistant.depth"
CACHE_CHECK, CACHE_AGE = 600, 86_400  # seconds: Gradio's own copies of files, were there any
ACTIONS = (  # what a click on the page can mean; each is bound by a tab or here
    "archive_now",
    "ask_document",
    "ask_other_way",
    "consolidate",
    "open_citation",
    "delete_document",
    "delete_note",
    "depth",
    "dismiss_file",
    "dismiss_gap",
    "dismiss_job",
    "erase_everything",
    "example",
    "explain",
    "export_answer",
    "forget_now",
    "forget_preview",
    "go",
    "graph_all",
    "graph_around",
    "graph_connect",
    "graph_merge",
    "language",
    "memory_delete",
    "memory_dismiss",
    "memory_edit",
    "memory_erase",
    "memory_export",
    "memory_filter",
    "memory_mark",
    "memory_merge",
    "memory_more",
    "memory_pin",
    "memory_undo",
    "memory_use",
    "memory_wake",
    "open_page",
    "read_document",
    "retry_job",
    "sample",
    "save_note",
    "sent",
    "show_answer",
    "show_used",
    "stop_job",
    "too_large",
)
EVENTS_AT_ONCE = 16  # of one kind, over all learners; Gradio's own default is 1
LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
SIGNAL_CHECK = 0.5  # seconds; on Windows a wait without end hears no Ctrl+C
EXIT_FAILURE = 1
UPLOADS = "uploads"  # folder in DATA_DIR of files on their way from a browser to a learner


class Page:
    """The frame of all tabs: who is here, the head, the language, and drawing everything anew."""

    def __init__(self, desk: Desk, head: gr.HTML, views: dict[str, View]) -> None:
        self._desk = desk
        self._views = views
        drawings = [view.refresh for view in views.values()]
        self.inputs = [component for drawing in drawings for component in drawing.inputs]
        drawn = [
            component
            for view in views.values()
            for component in (*view.refresh.outputs, view.notice)
        ]
        self.outputs = [desk.token, desk.choice, head, *desk.labelled, *drawn]

    def open(
        self, request: gr.Request, token: Any, choice: Any, zone: Any, *values: Any
    ) -> list[Any]:
        """Draw everything for the browser's learner; a browser without a token gets one.

        `zone` is the browser's distance from UTC in minutes (see `app.days`).
        """
        kept = is_token(token)
        token = token if kept else new_token()
        return [
            gr.skip() if kept else token,
            gr.skip(),
            *self._draw(request, token, choice, zone, values),
        ]

    def choose_language(
        self,
        event: gr.EventData,
        request: gr.Request,
        token: Any,
        choice: Any,
        zone: Any,
        *values: Any,
    ) -> list[Any]:
        """Draw everything in the language that was clicked, and keep the choice."""
        wish = getattr(event, "language", choice)
        if is_token(token) and wish in LANGUAGES:
            self._desk.learners.choose_language(token, wish)
        return [gr.skip(), wish, *self._draw(request, token, wish, zone, values)]

    def _draw(
        self, request: gr.Request, token: Any, choice: Any, zone: Any, values: tuple[Any, ...]
    ) -> list[Any]:
        desk, words = self._desk, self._desk.words(choice, request, token)
        visit = attempt(lambda: desk.visit(token, words))
        if isinstance(visit, Failure):
            head: Any = header_html(words, status=None, code="")
        else:
            visit.assistant.memory.zone = zone_of(zone)
            head = header_html(
                words,
                status=visit.assistant.status(),
                code=learner_code(visit.assistant.user_id),
            )
        drawn: list[Any] = []
        rest = iter(values)
        for view in self._views.values():
            given = [next(rest) for _ in view.refresh.inputs]
            handler = partial(view.refresh.handler, visit, *given)
            result = visit if isinstance(visit, Failure) else attempt(handler)
            drawn += shape(result, len(view.refresh.outputs), words)
        return [head, *desk.relabel(words), *drawn]


def build_app(services: Services) -> gr.Blocks:
    """Build the page. Quick, offline and repeatable: no model is loaded and no store opened."""
    learners = Learners(
        lambda user: PDFLearningAssistant(user, services=services), services.user_secret
    )
    demo: gr.Blocks
    with gr.Blocks(
        title=TEXTS["app.title"][0],
        analytics_enabled=False,
        delete_cache=(CACHE_CHECK, CACHE_AGE),
        fill_width=True,
    ) as demo:
        token = gr.BrowserState(
            None, storage_key=STORAGE_KEY, secret=storage_secret(services.user_secret())
        )
        choice = gr.BrowserState(None, storage_key=CHOICE_KEY, secret=CHOICE_KEY)
        # Here and not in its tab: what stands in a tab is read only when that is first opened.
        depth = gr.BrowserState(None, storage_key=DEPTH_KEY, secret=DEPTH_KEY)
        relay = gr.HTML("", elem_id="relay", js_on_load=relay_script())
        head = place("head")
        known = gr.State(())
        with gr.Tabs(elem_id="tabs") as tabs:
            desk = Desk(
                learners,
                services.settings,
                token=token,
                choice=choice,
                depth=depth,
                relay=relay,
                tabs=tabs,
                known=known,
            )
            views = {}
            for name, build in TABS.items():
                with desk.label(gr.Tab(id=name, elem_id=f"tab-{name}"), label=f"tab.{name}") as tab:
                    views[name] = build(desk)
                shown = views[name].shown or views[name].refresh
                desk.on_shown(tab.select, shown, views[name].notice)
        page = Page(desk, head, views)
        options: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private"}
        zone = gr.Number(None, visible="hidden", elem_id="zone")
        inputs = [token, choice, zone, *page.inputs]
        options["js"] = ZONE_SCRIPT
        demo.queue(default_concurrency_limit=EVENTS_AT_ONCE)
        demo.load(page.open, inputs, page.outputs, **options)
        relay.language(page.choose_language, inputs, page.outputs, **options)
    return demo


def relay_script() -> str:
    """Return the script of the relay element, with the events it may trigger."""
    script = (ASSETS / "relay.js").read_text(encoding="utf-8")
    return f"const ACTIONS = {list(ACTIONS)};\n{script}"


def free_port(host: str) -> int:
    """Return a port that nobody listens on; for PORT=0. Raises `OSError` for a foreign `host`."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.bind((host, 0))
        return int(probe.getsockname()[1])


def launch_options(settings: Settings) -> dict[str, Any]:
    """Return the arguments of `launch` that make the page ours and keep it to itself."""
    return {
        "server_name": settings.host,
        "server_port": settings.port or free_port(settings.host),
        "share": False,
        "inbrowser": False,
        "quiet": True,
        "prevent_thread_lock": True,
        "show_error": False,
        "theme": build_theme(),
        "css_paths": [ASSETS / "app.css", ASSETS / "found.css", ASSETS / "memory.css"],
        "favicon_path": ASSETS / "logo.svg",
        "i18n": gr.I18n(**translations()),
        "footer_links": [],
        "run_history": False,
        "enable_monitoring": False,
        "mcp_server": False,
        "ssr_mode": False,
        "pwa": False,
        "max_file_size": settings.max_file_mb * MIB,
        "app_kwargs": {
            "middleware": [Middleware(SecurityHeaders)],
            "docs_url": None,
            "redoc_url": None,
            "openapi_url": None,
        },
    }


def prepare() -> tuple[gr.Blocks, Services]:
    """Read the settings, wire the parts and build the page, or end the program with a sentence."""
    try:
        services = build_services(load_settings())
        keep_uploads_in(services.settings.data_dir / UPLOADS)
        return build_app(services), services
    except AssistantError as error:
        sys.exit(error.sentence)


def end_asked_for() -> Event:
    """Return what is set by Ctrl+C and by the operating system's wish to end."""
    end = Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: end.set())
    return end


def warm_up(services: Services) -> None:
    """Open the stores, go on with what was interrupted, and load the embedder.

    Whoever needs one of them meanwhile waits for it alone; what fails is told again at its use.
    """
    try:
        services.warm_up()
    except AssistantError as error:
        logger.warning("%s", error.sentence)


def main(demo: gr.Blocks, services: Services) -> int:
    """Serve the page until the end is asked for. Returns the exit code."""
    settings = services.settings
    logging.basicConfig(level=settings.log_level, format=LOG_FORMAT)
    logging.getLogger("httpx").setLevel(logging.WARNING)  # one line a request of Gradio's own
    end = end_asked_for()
    try:
        clear(settings.data_dir / UPLOADS)
    except OSError as error:
        logger.error("DATA_DIR cannot be written: %s. Set it to a folder that can be.", error)
        return EXIT_FAILURE
    try:
        demo.launch(**launch_options(settings))
    except OSError as error:
        logger.error(
            "Port %d of %s cannot be used: is another program, or this one, running there? "
            "End it, or set PORT to a free one. (%s)",
            settings.port,
            settings.host,
            error,
        )
        services.close()
        return EXIT_FAILURE
    Thread(target=warm_up, args=(services,), name="warm-up", daemon=True).start()
    logger.info("Open %s in a browser. Ctrl+C ends the application.", demo.local_url)
    try:
        while not end.wait(SIGNAL_CHECK):
            pass
    finally:
        demo.close(verbose=False)
        services.close()
    return 0
