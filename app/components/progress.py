"""HTML of the Progress tab: numbers, the running session and the learning report."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from app.components.memories import concept_of
from app.i18n import Words
from app.presenters import duration, escape, page_label, shorten, time_element
from core.domain.memory import Memory
from core.domain.study import AskedQuestion, Totals

NOT_LOADED = "Not loaded"  # the statistics' own words for no current document
SHOWN = 20  # notes and questions drawn on screen; the downloaded report has all


def numbers(totals: Totals, words: Words) -> str:
    """Return what has been done over all time, in six numbers."""
    cells = (
        ("documents", totals.documents),
        ("pages", totals.pages),
        ("questions", totals.questions_asked),
        ("citations", totals.citations),
        ("notes", totals.concepts_learned),
        ("sessions", totals.sessions),
    )
    body = "".join(
        f'<div><dt>{words(f"progress.{name}")}</dt><dd id="total-{name}">{value}</dd></div>'
        for name, value in cells
    )
    return f'<dl class="numbers">{body}</dl>'


def session(stats: Mapping[str, Any], words: Words) -> str:
    """Return the running session in a sentence, from the five statistics of the assistant."""
    current = stats["Current Document"]
    text = words(
        "progress.now_text",
        duration=duration(float(str(stats["Session Duration"]).rstrip("s")), words),
        documents=stats["Documents Loaded"],
        questions=stats["Questions Asked"],
        notes=stats["Learning Notes"],
        current=words("progress.none_loaded") if current == NOT_LOADED else current,
    )
    return f'<p class="session" id="session">{words("progress.now")}: {escape(text)}</p>'


def _question(asked: AskedQuestion, words: Words) -> str:
    answer = asked.answer
    proofs = "".join(
        f'<blockquote>{escape(c.quote)}<br><span class="meta">[{c.number}] {escape(c.document)}'
        f" · {escape(page_label(c.page, c.page_label, words))}</span></blockquote>"
        for c in answer.citations
    )
    said = "" if answer.citations else f"<p>{escape(shorten(answer.text, 400))}</p>"
    return (
        f'<li><strong>{escape(answer.question)}</strong> <span class="meta">'
        f"{time_element(asked.asked_at)}</span>{said}{proofs}</li>"
    )


def _note(note: Memory) -> str:
    concept = concept_of(note)
    head = f'<span class="concept">{escape(concept)}</span> ' if concept else ""
    return (
        f'<li><p class="meta">{head}{time_element(note.created_at)}</p>'
        f'<div class="note-text">{escape(note.content)}</div></li>'
    )


def report(
    totals: Totals,
    notes: Sequence[Memory],
    questions: Sequence[AskedQuestion],
    now: datetime,
    words: Words,
) -> str:
    """Return the learning report for reading; the download has the same and more as JSON."""
    made = words("progress.report_made", date="{}").format(time_element(now))
    memory = "".join(
        f"<dt>{words(f'memory.{kind}')}</dt><dd>{count}</dd>"
        for kind, count in sorted(totals.memories.items())
    )
    parts = [f'<h2>{words("progress.report")}</h2><p class="meta">{made}</p>']
    if memory:
        parts.append(f"<h3>{words('progress.report_memory')}</h3><dl>{memory}</dl>")
    if questions:
        items = "".join(_question(asked, words) for asked in questions[:SHOWN])
        parts.append(f"<h3>{words('progress.report_questions')}</h3><ol>{items}</ol>")
    if notes:
        items = "".join(_note(note) for note in notes[:SHOWN])
        parts.append(f"<h3>{words('progress.report_notes')}</h3><ol>{items}</ol>")
    if not questions and not notes:
        parts.append(f"<p>{words('progress.report_empty')}</p>")
    return f'<section class="report">{"".join(parts)}</section>'
