"""Domain objects and hostile text for the tests of what is shown."""

import re
from datetime import UTC, datetime
from html.parser import HTMLParser

from app.i18n import Words
from core.domain.answer import Answer, AnswerMode, Citation, CitationState, Passage
from core.domain.document import Document, ReaderName
from core.domain.job import Job, JobError, JobKind, JobState
from core.domain.memory import Memory, MemoryKind
from core.domain.study import Totals

EN, ZH = Words("en"), Words("zh")
WHEN = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
HOSTILE = "\"><img src=x onerror=alert(1)><script>alert(2)</script>${alert(3)}{{4}}'&"


class Tags(HTMLParser):
    """The tags and attribute names of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_tame(html: str) -> None:
    """No element or handler came out of the hostile text, and the text is shown."""
    tags = Tags(html)
    assert "script" not in tags.tags
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert "<img src=x" not in html


def document(**changes: object) -> Document:
    values: dict[str, object] = {
        "id": "d1", "name": "paper.pdf", "title": "A paper", "sha256": "0", "size": 1, "pages": 12,
        "chunks": 30, "language": "en", "reader": ReaderName.LITEPARSE, "loaded_at": WHEN,
        "embedder": "e", "pages_read": 12,
    }  # fmt: skip
    return Document(**{**values, **changes})  # type: ignore[arg-type]


def job(**changes: object) -> Job:
    values: dict[str, object] = {
        "id": "j1", "kind": JobKind.LOAD, "document_id": "d9", "name": "b.pdf", "format": "pdf",
        "session_id": "s", "created_at": WHEN, "state": JobState.RUNNING, "stage": "reading",
        "done": 2, "total": 9,
    }  # fmt: skip
    return Job(**{**values, **changes})  # type: ignore[arg-type]


def failed(*, code: str, message: str = "m", remedy: str = "r", **changes: object) -> Job:
    error = JobError(code=code, message=message, remedy=remedy)
    return job(**{"state": JobState.FAILED, "error": error, **changes})


def citation(**changes: object) -> Citation:
    values: dict[str, object] = {
        "number": 1, "document": "paper.pdf", "document_id": "d1", "page": 14, "pages": (14,),
        "page_label": "xii", "quote": "Water eats iron.", "state": CitationState.EXACT,
        "score": 0.81,
    }  # fmt: skip
    return Citation(**{**values, **changes})  # type: ignore[arg-type]


def answer(**changes: object) -> Answer:
    values: dict[str, object] = {
        "id": "q-1-2", "question": "Why oak?", "text": "Water eats iron. [1]",
        "mode": AnswerMode.EXTRACTIVE, "language": "en", "citations": (citation(),),
    }  # fmt: skip
    return Answer(**{**values, **changes})  # type: ignore[arg-type]


def passage(page: int, name: str = "paper.pdf") -> Passage:
    return Passage(
        chunk_id=f"c{page}", document=name, document_id="d1", page=page, pages=(page,),
        page_label=None, text="t", heading_path=(), score=0.1, scores={},
    )  # fmt: skip


def note(content: str = "Oak is pegged.", concept: str = "oak", **changes: object) -> Memory:
    values: dict[str, object] = {
        "id": "m1", "kind": MemoryKind.SEMANTIC, "content": content, "importance": 0.8,
        "created_at": WHEN, "session_id": "s", "event": "note", "metadata": {"concept": concept},
    }  # fmt: skip
    return Memory(**{**values, **changes})  # type: ignore[arg-type]


def totals(**changes: object) -> Totals:
    values: dict[str, object] = {
        "documents_loaded": 3, "documents": 2, "pages": 40, "questions_asked": 5, "citations": 9,
        "concepts_learned": 1, "sessions": 4, "first_activity": WHEN,
        "memories": {"episodic": 8, "semantic": 1},
    }  # fmt: skip
    return Totals(**{**values, **changes})  # type: ignore[arg-type]


def active(markdown: str) -> str:
    """Return the Markdown without what a backslash makes plain."""
    return re.sub(r"(?s)\\.", "", markdown)
