"""HTML of the page's head: name, what answers, learner code, language and theme."""

from app.components.icons import icon, logo
from app.i18n import LANGUAGES, Words
from app.presenters import escape
from core.domain.study import AssistantStatus

BUILT_IN = "extractive"
LANGUAGE_NAMES = {"en": "EN", "zh": "中文"}


def _status(status: AssistantStatus, words: Words) -> str:
    built_in = status.answering == BUILT_IN
    chip = words("status.builtin") if built_in else words("status.model", model=status.answering)
    answers = words(
        "status.answers_builtin" if built_in else "status.answers_model", model=status.answering
    )
    rows = (
        ("status.answers", answers),
        ("status.embedder", status.embedder),
        ("status.vectors", status.vector_store),
        ("status.records", status.record_store),
        ("status.folder", status.data_dir),
    )
    facts = "".join(f"<dt>{words(key)}</dt><dd>{escape(value)}</dd>" for key, value in rows)
    return (
        f'<details class="chip-details" id="status-chip"><summary class="chip-summary">'
        f'<span class="dot"></span>{escape(chip)}</summary><div class="popover">'
        f"<h2>{words('status.title')}</h2><dl>{facts}</dl></div></details>"
    )


def _learner(code: str, words: Words) -> str:
    return (
        f'<details class="chip-details" id="learner-code"><summary class="chip-summary">'
        f"{escape(words('status.learner', code=code))}</summary>"
        f'<div class="popover"><p>{words("status.learner_help")}</p></div></details>'
    )


def _controls(words: Words) -> str:
    languages = "".join(
        f'<button type="button" id="language-{language}" data-act="language"'
        f' data-language="{language}" lang="{language}"'
        f' aria-pressed="{str(language == words.language).lower()}">'
        f"{LANGUAGE_NAMES[language]}</button>"
        for language in LANGUAGES
    )
    label = escape(words("app.theme"))
    return (
        f'<div class="switch" role="group" aria-label="{words("app.language")}">{languages}</div>'
        f'<button type="button" class="turn" id="theme-toggle" data-toggle="theme"'
        f' aria-label="{label}" title="{label}">{icon("theme")}</button>'
    )


def header_html(words: Words, *, status: AssistantStatus | None, code: str) -> str:
    """Return the head of the page; without `status` only what needs no learner."""
    about = "" if status is None else _status(status, words) + _learner(code, words)
    return (
        f'<div class="head" data-language="{words.language}"><div class="brand">{logo()}'
        f"<h1>{escape(words('app.title'))}</h1></div>"
        f'<div class="about">{about}</div><div class="controls">{_controls(words)}</div></div>'
    )
