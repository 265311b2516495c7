"""Answers as JSON, and back. Passages are not kept: the documents have their text."""

from dataclasses import replace
from typing import Any

from core.domain.answer import Answer, AnswerMode, Box, Citation, CitationState

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
    }


def answer_of(value: dict[str, Any]) -> Answer:
    """Return the answer of `answer_json`."""
    return Answer(
        **{
            **value,
            "mode": AnswerMode(value["mode"]),
            "citations": tuple(_citation_of(c) for c in value["citations"]),
        }
    )


def without_document(answer: Answer, document_id: str) -> Answer:
    """Return the answer without anything that could come from the document's text."""
    return replace(
        answer,
        text="",
        citations=tuple(c for c in answer.citations if c.document_id != document_id),
        notice=SOURCE_REMOVED,
        detail=None,
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
        }
    )
