"""Answers as JSON, and back.

Passages are not kept: the documents have their text. The trace is kept beside the answer: it is
many times as large, and seldom wanted.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from core.domain.answer import (
    Answer,
    AnswerMode,
    Box,
    Citation,
    CitationState,
    Doubt,
    DoubtKind,
    NearestPage,
    Refusal,
    RefusalReason,
    RememberedSource,
    Route,
    RoutedBy,
    StillReading,
)
from core.domain.document import TextSource
from core.domain.mentions import text_rests_on
from core.domain.trace import Trace

SOURCE_REMOVED = "source_removed"
"""Notice of an answer whose document was deleted."""


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return JSON values of everything but the passages and the trace."""
    return {
        "id": answer.id,
        "question": answer.question,
        "text": answer.text,
        "mode": answer.mode.value,
        "language": answer.language,
        "citations": [_citation_json(c) for c in answer.citations],
        "removed": answer.removed,
        "notice": answer.notice,
        "detail": answer.detail,
        "seconds": answer.seconds,
        "timings": dict(answer.timings),
        "still_reading": [
            (r.document_id, r.document, r.read, r.pages) for r in answer.still_reading
        ],
        "sources_removed_at": [moment.isoformat() for moment in answer.sources_removed_at],
        "completed": answer.completed,
        "route": answer.route.value,
        "routed_by": answer.routed_by.value,
        "refusal": _refusal_json(answer.refusal),
        "doubts": [(d.kind.value, d.start, d.end) for d in answer.doubts],
        "memories": [_memory_json(m) for m in answer.memories],
    }


def trace_json(answer: Answer) -> dict[str, Any] | None:
    """Return JSON values of the trace, None without one."""
    return None if answer.trace is None else answer.trace.as_json()


def answer_of(value: dict[str, Any], trace: dict[str, Any] | None = None) -> Answer:
    """Return the answer of `answer_json` and `trace_json`.

    What the version that wrote it did not know yet is left as in an answer without it.
    """
    refusal = value.get("refusal")
    return Answer(
        **{
            **value,
            "mode": AnswerMode(value["mode"]),
            "citations": tuple(_citation_of(c) for c in value["citations"]),
            "still_reading": tuple(
                StillReading(document_id=document_id, document=name, read=read, pages=pages)
                for document_id, name, read, pages in value.get("still_reading", ())
            ),
            "sources_removed_at": tuple(
                datetime.fromisoformat(moment) for moment in value.get("sources_removed_at", ())
            ),
            "route": Route(value.get("route", Route.DOCUMENTS.value)),
            "routed_by": RoutedBy(value.get("routed_by", RoutedBy.RULES.value)),
            "refusal": None if refusal is None else _refusal_of(refusal),
            "doubts": tuple(
                Doubt(kind=DoubtKind(kind), start=start, end=end)
                for kind, start, end in value.get("doubts", ())
            ),
            "memories": tuple(_memory_of(m) for m in value.get("memories", ())),
            "trace": None if trace is None else Trace.of_json(trace),
        }
    )


def without_document(answer: Answer, document_id: str, *, at: datetime) -> Answer:
    """Return the answer without anything that could come from a document deleted at `at`.

    The way to the answer goes wholly (its queries may repeat the document), and so does a completed
    question (it may repeat an earlier answer). The text goes when it may rest on the document.
    """
    kept = replace(
        answer,
        citations=tuple(c for c in answer.citations if c.document_id != document_id),
        still_reading=tuple(r for r in answer.still_reading if r.document_id != document_id),
        refusal=_refusal_without(answer.refusal, document_id),
        memories=tuple(
            replace(m, text="") if m.document_id == document_id else m for m in answer.memories
        ),
        completed=None,
        trace=None,
    )
    if not text_rests_on(answer, document_id):
        return kept
    return replace(
        kept,
        text="",
        doubts=(),
        notice=SOURCE_REMOVED,
        detail=None,
        sources_removed_at=(*answer.sources_removed_at, at),
    )


def _refusal_without(refusal: Refusal | None, document_id: str) -> Refusal | None:
    if refusal is None:
        return None
    return replace(refusal, nearest=nearest_without(refusal.nearest, document_id))


def nearest_without(pages: Iterable[NearestPage], document_id: str) -> tuple[NearestPage, ...]:
    """Return the pages that are not of the document."""
    return tuple(page for page in pages if page.document_id != document_id)


def nearest_json(pages: Iterable[NearestPage]) -> list[tuple[Any, ...]]:
    """Return nearest pages as JSON values."""
    return [(p.document, p.document_id, p.page, p.page_label, p.score) for p in pages]


def nearest_of(rows: Iterable[Any]) -> tuple[NearestPage, ...]:
    """Return the pages of `nearest_json`."""
    return tuple(
        NearestPage(
            document=name, document_id=document_id, page=page, page_label=label, score=score
        )
        for name, document_id, page, label, score in rows
    )


def _refusal_json(refusal: Refusal | None) -> dict[str, Any] | None:
    if refusal is None:
        return None
    return {"reason": refusal.reason.value, "nearest": nearest_json(refusal.nearest)}


def _refusal_of(value: dict[str, Any]) -> Refusal:
    return Refusal(reason=RefusalReason(value["reason"]), nearest=nearest_of(value["nearest"]))


def _memory_json(memory: RememberedSource) -> dict[str, Any]:
    return {
        "number": memory.number,
        "memory_id": memory.memory_id,
        "kind": memory.kind,
        "event": memory.event,
        "text": memory.text,
        "created_at": memory.created_at.isoformat(),
        "document_id": memory.document_id,
        "question_id": memory.question_id,
    }


def _memory_of(value: dict[str, Any]) -> RememberedSource:
    created_at = datetime.fromisoformat(value["created_at"])
    return RememberedSource(**{**value, "created_at": created_at})


def _citation_json(citation: Citation) -> dict[str, Any]:
    return {
        "number": citation.number,
        "document": citation.document,
        "document_id": citation.document_id,
        "page": citation.page,
        "pages": citation.pages,
        "page_label": citation.page_label,
        "quote": citation.quote,
        "state": citation.state.value,
        "score": citation.score,
        "boxes": [(b.page, b.x0, b.y0, b.x1, b.y1) for b in citation.boxes],
        "source": citation.source.value,
        "heading_path": citation.heading_path,
    }


def _citation_of(value: dict[str, Any]) -> Citation:
    return Citation(
        **{
            **value,
            "pages": tuple(value["pages"]),
            "state": CitationState(value["state"]),
            "boxes": tuple(
                Box(page=page, x0=x0, y0=y0, x1=x1, y1=y1)
                for page, x0, y0, x1, y1 in value["boxes"]
            ),
            "source": TextSource(value.get("source", TextSource.LAYER.value)),
            "heading_path": tuple(value.get("heading_path", ())),
        }
    )
