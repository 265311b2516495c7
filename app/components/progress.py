"""HTML of the Progress tab: numbers, the running session and the learning report."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.components.elements import element, text
from app.components.memories import note_head
from app.i18n import Words
from app.presenters import duration, escape, page_label, shorten, time_element
from core.domain.answer import Answer, Citation
from core.domain.memory import Memory
from core.domain.study import AskedQuestion, Totals

NOT_LOADED = "Not loaded"  # the statistics' own words for no current document
SHORT_ANSWER = 400  # characters of an answer without citations
SHORT_LINES = 6  # lines of an answer from the learning history
SOURCE_MARK = re.compile(r"\s*\[\d{1,3}\]")  # the number of a source of the learning history
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
    body = [
        element("div", text("dt", words(f"progress.{name}")), text("dd", n, id=f"total-{name}"))
        for name, n in cells
    ]
    return element("dl", *body, class_="numbers")


def session(stats: Mapping[str, Any], words: Words) -> str:
    """Return the running session in a sentence, from the five statistics of the assistant."""
    current = stats["Current Document"]
    said = words(
        "progress.now_text",
        duration=duration(float(str(stats["Session Duration"]).rstrip("s")), words),
        documents=stats["Documents Loaded"],
        questions=stats["Questions Asked"],
        notes=stats["Learning Notes"],
        current=words("progress.none_loaded") if current == NOT_LOADED else current,
    )
    told = f"{words('progress.now')}: {said}"
    return text("p", told, class_="session", id="session")


def _proof(citation: Citation, words: Words) -> str:
    page = page_label(citation.page, citation.page_label, words)
    source = f"[{citation.number}] {citation.document} · {page}"
    return element("blockquote", text("p", citation.quote), text("span", source, class_="meta"))


def _question(asked: AskedQuestion, words: Words) -> str:
    answer = asked.answer
    proofs = [_proof(c, words) for c in answer.citations]
    said = "" if proofs else _said(answer)
    when = element("span", time_element(asked.asked_at), class_="meta")
    return element("li", text("strong", answer.question), " ", when, said, *proofs)


def _said(answer: Answer) -> str:
    """Return what an answer without citations says; one from the learning history is a list."""
    if not answer.memories:
        return text("p", shorten(answer.text, SHORT_ANSWER))
    lines = [SOURCE_MARK.sub("", line) for line in answer.text.splitlines() if line.strip()]
    more = ["…"] if len(lines) > SHORT_LINES else []
    return text("div", "\n".join([*lines[:SHORT_LINES], *more]), class_="note-text")


def _note(note: Memory) -> str:
    return element("li", note_head(note), text("div", note.content, class_="note-text"))


def report(
    totals: Totals,
    notes: Sequence[Memory],
    questions: Sequence[AskedQuestion],
    now: datetime,
    words: Words,
) -> str:
    """Return the learning report for reading; the download has the same and more as JSON."""
    made = escape(words("progress.report_made", date="{}")).format(time_element(now))
    memories = [
        text("dt", words(f"memory.{kind}")) + text("dd", count)
        for kind, count in sorted(totals.memories.items())
    ]
    sections = {
        "progress.report_memory": element("dl", *memories) if memories else "",
        "progress.report_questions": _listed(_question(q, words) for q in questions[:SHOWN]),
        "progress.report_notes": _listed(_note(note) for note in notes[:SHOWN]),
    }
    parts = [text("h3", words(key)) + body for key, body in sections.items() if body]
    if not parts:
        parts = [text("p", words("progress.report_empty"))]
    title = text("h2", words("progress.report"))
    return element("section", title, element("p", made, class_="meta"), *parts, class_="report")


def _listed(items: Iterable[str]) -> str:
    body = "".join(items)
    return element("ol", body) if body else ""
