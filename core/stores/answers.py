"""Answers as JSON, and back. Passages are not kept: the documents have their text."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from core.domain.answer import Answer, AnswerMode, Box, Citation, CitationState, StillReading
from core.domain.document import TextSource

SOURCE_REMOVED = "source_removed"
"""Notice of an answer whose document was deleted."""


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return JSON values of everything but the passages."""
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
    }


def answer_of(value: dict[str, Any]) -> Answer:
    """Return the answer of `answer_json`."""
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
        }
    )


def without_document(answer: Answer, document_id: str, *, at: datetime) -> Answer:
    """Return the answer without anything that could come from a document deleted at `at`."""
    return replace(
        answer,
        text="",
        citations=tuple(c for c in answer.citations if c.document_id != document_id),
        notice=SOURCE_REMOVED,
        detail=None,
        still_reading=tuple(r for r in answer.still_reading if r.document_id != document_id),
        sources_removed_at=(*answer.sources_removed_at, at),
    )


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
