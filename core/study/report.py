"""The learning report: what a learner did, as strict JSON."""

import json
import math
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from core.domain.answer import Citation
from core.domain.document import Document
from core.domain.memory import Memory
from core.domain.study import AskedQuestion, AssistantStatus, Totals
from core.errors import InvalidInputError, StoreError

Json = dict[str, object]
_SESSION_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


@dataclass(frozen=True, slots=True, kw_only=True)
class RagStatus:
    """What answers and where things are kept, by name."""

    answering: str
    embedder: str
    vector_store: str
    record_store: str

    @classmethod
    def of(cls, status: AssistantStatus) -> "RagStatus":
        """Return what the report tells of the assistant's status."""
        return cls(
            answering=status.answering,
            embedder=status.embedder,
            vector_store=status.vector_store,
            record_store=status.record_store,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportData:
    """What a report is made of. The three counts are those of the session; times are aware."""

    session_id: str
    user_id: str
    started_at: datetime
    generated_at: datetime
    documents_loaded: int
    questions_asked: int
    concepts_learned: int
    totals: Totals
    memory_summary: Mapping[str, object]
    status: RagStatus
    documents: Sequence[Document]
    notes: Sequence[Memory]
    questions: Sequence[AskedQuestion]


def build_report(data: ReportData) -> Json:
    """Return the report with the fields of the tutorial, and notes and questions besides.

    JSON values only: no NaN, no other types. The order of notes and questions is kept.
    """
    seconds = max(0.0, (data.generated_at - data.started_at).total_seconds())
    return {
        "session_info": {
            "session_id": data.session_id,
            "user_id": data.user_id,
            "start_time": data.started_at.isoformat(),
            "duration_seconds": round(seconds, 3),
        },
        "learning_metrics": {
            "documents_loaded": data.documents_loaded,
            "questions_asked": data.questions_asked,
            "concepts_learned": data.concepts_learned,
            "total": _totals(data.totals),
        },
        "memory_summary": dict(data.memory_summary),
        "rag_status": _rag_status(data),
        "notes": [_note(memory) for memory in data.notes],
        "questions": [_question(asked) for asked in data.questions],
        "generated_at": data.generated_at.isoformat(),
    }


def write_report(folder: Path, session_id: str, report: Mapping[str, object]) -> Path:
    """Write `learning_report_<session>.json` whole or not at all and return its path.

    A report of the same session is replaced. Raises `InvalidInputError` for a session id that
    cannot be part of a file name and `StoreError` when the file cannot be written.
    """
    if not _SESSION_ID.fullmatch(session_id):
        raise InvalidInputError("This session id cannot be part of a file name.")
    text = json.dumps(report, ensure_ascii=False, allow_nan=False, indent=2)
    path = folder / f"learning_report_{session_id}.json"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(path, text.encode("utf-8", "replace"))
    except OSError as exc:
        raise StoreError(
            "The report could not be written.",
            remedy="The operator can check the free space and the rights of DATA_DIR.",
        ) from exc
    return path


def _replace(path: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=".report-", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _totals(totals: Totals) -> Json:
    first = totals.first_activity
    return {
        "documents_loaded": totals.documents_loaded,
        "documents": totals.documents,
        "pages": totals.pages,
        "questions_asked": totals.questions_asked,
        "citations": totals.citations,
        "concepts_learned": totals.concepts_learned,
        "sessions": totals.sessions,
        "first_activity": first.isoformat() if first else None,
        "memories": dict(totals.memories),
    }


def _rag_status(data: ReportData) -> Json:
    return {
        "answering": data.status.answering,
        "embedder": data.status.embedder,
        "vector_store": data.status.vector_store,
        "record_store": data.status.record_store,
        "total_pages": sum(document.pages for document in data.documents),
        "total_chunks": sum(document.chunks for document in data.documents),
        "documents": [_document(document) for document in data.documents],
    }


def _document(document: Document) -> Json:
    return {
        "name": document.name,
        "title": document.title,
        "document_id": document.id,
        "pages": document.pages,
        "chunks": document.chunks,
        "language": document.language,
        "reader": document.reader.value,
        "embedder": document.embedder,
        "loaded_at": document.loaded_at.isoformat(),
        "warnings": list(document.warnings),
    }


def _note(memory: Memory) -> Json:
    concept = memory.metadata.get("concept")
    return {
        "content": memory.content,
        "concept": concept if isinstance(concept, str) else None,
        "created_at": memory.created_at.isoformat(),
    }


def _question(asked: AskedQuestion) -> Json:
    answer = asked.answer
    return {
        "question": answer.question,
        "asked_at": asked.asked_at.isoformat(),
        "session_id": asked.session_id,
        "mode": answer.mode.value,
        "answer": answer.text,
        "notice": answer.notice,
        "removed": answer.removed,
        "citations": [_citation(citation) for citation in answer.citations],
    }


def _citation(citation: Citation) -> Json:
    return {
        "number": citation.number,
        "document": citation.document,
        "document_id": citation.document_id,
        "page": citation.page,
        "pages": list(citation.pages),
        "page_label": citation.page_label,
        "quote": citation.quote,
        "state": citation.state.value,
        "score": citation.score if math.isfinite(citation.score) else None,
    }
