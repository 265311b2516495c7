"""What the running session counts, and the tutorial's statistics."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.domain.study import Totals

NOT_LOADED = "Not loaded"


@dataclass(slots=True)
class Session:
    """The counts of a running session."""

    started_at: datetime
    documents_loaded: int = 0
    questions_asked: int = 0
    concepts_learned: int = 0


def stats_of(
    session: Session, totals: Totals, *, now: datetime, document: str | None
) -> dict[str, Any]:
    """Return the tutorial's five figures of the session, and `total` over all time."""
    seconds = max(0.0, (now - session.started_at).total_seconds())
    return {
        "Session Duration": f"{seconds:.0f}s",
        "Documents Loaded": session.documents_loaded,
        "Questions Asked": session.questions_asked,
        "Learning Notes": session.concepts_learned,
        "Current Document": document or NOT_LOADED,
        "total": {
            "documents_loaded": totals.documents_loaded,
            "documents": totals.documents,
            "pages": totals.pages,
            "questions_asked": totals.questions_asked,
            "citations": totals.citations,
            "concepts_learned": totals.concepts_learned,
            "sessions": totals.sessions,
            "memories": dict(totals.memories),
        },
    }
