"""HTML of the page's head: name, what answers, learner code, language and theme."""

from app.components.elements import button, element, text
from app.components.icons import icon, logo
from app.i18n import LANGUAGES, Words
from app.presenters import escape
from core.domain.study import AssistantStatus

BUILT_IN = "extractive"
NO_REFINING = ("off", "not_installed", "does_not_start")
LANGUAGE_NAMES = {"en": "EN", "zh": "中文"}


def _popover(identity: str, summary: str, *content: str) -> str:
    opener = element("summary", summary, class_="chip-summary")
    return element(
        "details", opener, element("div", *content, class_="popover"), class_="chip-details",
        id=identity,
    )  # fmt: skip


def _refining(status: AssistantStatus, words: Words) -> str:
    """Return the embedder that fills in behind the other one, or why there is none."""
    if status.refining in NO_REFINING:
        return words(f"status.refining_{status.refining}")
    return status.refining


def _status(status: AssistantStatus, words: Words) -> str:
    built_in = status.answering == BUILT_IN
    chip = words("status.builtin") if built_in else words("status.model", model=status.answering)
    answers = words(
        "status.answers_builtin" if built_in else "status.answers_model", model=status.answering
    )
    rows = (
        ("status.answers", answers),
        ("status.embedder", status.embedder),
        ("status.refining", _refining(status, words)),
        ("status.vectors", status.vector_store),
        ("status.records", status.record_store),
        ("status.graph", status.graph_store),
        ("status.folder", status.data_dir),
    )
    facts = [text("dt", words(key)) + text("dd", value) for key, value in rows]
    return _popover(
        "status-chip",
        element("span", class_="dot") + escape(chip),
        text("h2", words("status.title")),
        element("dl", *facts),
    )


def _learner(code: str, words: Words) -> str:
    summary = escape(words("status.learner", code=code))
    return _popover("learner-code", summary, text("p", words("status.learner_help")))


def _controls(words: Words) -> str:
    languages = [
        button(
            LANGUAGE_NAMES[language],
            act="language",
            id=f"language-{language}",
            data_language=language,
            lang=language,
            aria_pressed=str(language == words.language).lower(),
        )
        for language in LANGUAGES
    ]
    theme = element(
        "button",
        icon("theme"),
        type="button",
        class_="turn",
        id="theme-toggle",
        data_toggle="theme",
        aria_label=words("app.theme"),
        title=words("app.theme"),
    )
    switch = element(
        "div", *languages, class_="switch", role="group", aria_label=words("app.language")
    )
    return switch + theme


def header_html(words: Words, *, status: AssistantStatus | None, code: str) -> str:
    """Return the head of the page; without `status` only what needs no learner."""
    about = "" if status is None else _status(status, words) + _learner(code, words)
    return element(
        "div",
        element("div", logo(), text("h1", words("app.title")), class_="brand"),
        element("div", about, class_="about"),
        element("div", _controls(words), class_="controls"),
        class_="head",
        data_language=words.language,
    )
