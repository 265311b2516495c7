"""Small pieces of text from domain objects. Pure, without Gradio.

Whatever comes from a document, a file name, a model or a learner passes `escape` on its way into
HTML, and `escape_markdown` on its way into Markdown.
"""

import html
import re
from collections.abc import Iterable
from datetime import datetime

from app.errors import UNEXPECTED, Failure
from app.i18n import TEXTS, Words
from core.domain.answer import Citation
from core.domain.document import Document, TextSource
from core.domain.formats import FORMATS, FormatKind, format_named

MARKDOWN_SIGNS = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~$&^=:/@\"'])")
SPACES = re.compile(r"\s+")
HEADING_LENGTH = 40  # characters of a heading that stands for a page number


def _sendable(text: str) -> str:
    """Return text without what cannot be sent as UTF-8: lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


def escape(value: object) -> str:
    """Return text that is safe in HTML, in an element and in a quoted attribute."""
    return html.escape(_sendable(str(value)), quote=True)


def escape_markdown(text: str) -> str:
    """Return Markdown that shows `text` as it is, on one line."""
    return MARKDOWN_SIGNS.sub(r"\\\1", SPACES.sub(" ", _sendable(text)))


def shorten(text: str, length: int) -> str:
    """Return `text` on one line and not longer than `length` characters, with … where cut."""
    line = SPACES.sub(" ", text).strip()
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def page_label(page: int, label: str | None, words: Words) -> str:
    """Return the printed and the physical page number, or one of them if they are the same."""
    if label in (None, "", str(page)):
        return words("evidence.page_plain", page=page)
    return words("evidence.page", label=label, page=page)


def in_parts(format: str) -> bool:
    """Say whether a document of this format has parts, as converted ones do, and not pages."""
    return FORMATS.get(format) not in (None, FormatKind.PDF, FormatKind.IMAGE)


def named_in_parts(name: str) -> bool:
    """Say the same of a file by its name."""
    return in_parts(format_named(name) or "")


def place_label(citation: Citation, words: Words) -> str:
    """Return where in its document a citation stands: page, or heading of a converted one."""
    if citation.source is not TextSource.CONVERTED:
        return page_label(citation.page, citation.page_label, words)
    if citation.heading_path:
        return shorten(citation.heading_path[-1], HEADING_LENGTH)
    return words("evidence.part", part=citation.page)


def length_of(document: Document, words: Words) -> str:
    """Return how many pages or parts a document has."""
    unit = "parts" if in_parts(document.format) else "pages"
    return words.count(f"documents.{unit}", document.pages)


def day_element(moment: datetime) -> str:
    """Return a moment as HTML of which the page's script shows the reader's own date."""
    return f'<time class="day" datetime="{moment.isoformat()}">{moment:%Y-%m-%d}</time>'


def time_element(moment: datetime) -> str:
    """Return a moment as HTML; the page's script shows it in the reader's own time and form."""
    return f'<time datetime="{moment.isoformat()}">{moment:%Y-%m-%d %H:%M} UTC</time>'


def duration(seconds: float, words: Words) -> str:
    """Return a length of time in its largest fitting units."""
    whole = int(seconds)
    if whole < 60:
        return words("progress.duration_seconds", seconds=whole)
    if whole < 3600:
        return words("progress.duration_minutes", minutes=whole // 60)
    return words("progress.duration_hours", hours=whole // 3600, minutes=whole % 3600 // 60)


def number_ranges(numbers: Iterable[int]) -> str:
    """Return page numbers in short: 3, 5–7."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def document_warnings(document: Document, words: Words) -> list[str]:
    """Return what a learner should know about how a document could be read."""
    pages = number_ranges(document.textless_pages)
    known = {
        "no_boxes": words("warning.no_boxes"),
        "pages_without_text": words("warning.pages_without_text", pages=pages),
    }
    return [known.get(w) or words("warning.other", code=w) for w in document.warnings]


def language_name(document: Document, words: Words) -> str:
    """Return the name of a document's language."""
    key = f"language.{document.language}"
    return words(key) if key in TEXTS else document.language


def failure_text(failure: Failure, words: Words) -> tuple[str, str]:
    """Return what happened and what to do, in the learner's language where there are words."""
    key = f"error.{failure.code}"
    if key not in TEXTS:
        return failure.message, failure.remedy
    remedy = words(f"error.{failure.code}.remedy", reference=failure.reference)
    return words(key), remedy


def failure_html(failure: Failure, words: Words) -> str:
    """Return a failure as a notice."""
    what, remedy = failure_text(failure, words)
    kind = "unexpected" if failure.code == UNEXPECTED else "refused"
    return (
        f'<p class="notice notice-{kind}" role="alert" data-code="{escape(failure.code)}">'
        f"<strong>{escape(what)}</strong> {escape(remedy)}</p>"
    )


def notice_html(text: str) -> str:
    """Return a good message as a notice; "" clears it."""
    if not text:
        return ""
    return f'<p class="notice notice-done" role="status">{escape(text)}</p>'
