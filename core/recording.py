"""What is remembered of a learner's doings, in a tab, by a script, by a background job."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from core.domain.answer import Answer, Box
from core.domain.document import Document, PageFigure
from core.domain.job import Job
from core.domain.memory import Memory, MemoryKind
from core.errors import NotFoundError
from core.memory.engine import MemoryEngine
from core.memory.query import DOCUMENT_LOADED, NOTE, PASSAGE, QA_INTERACTION, QUESTION
from core.ports.history_store import HistoryStore

# Importance of what is kept, as in the tutorial's assistant (section 8.4); passages are ours.
_IMPORTANCE = {DOCUMENT_LOADED: 0.9, QUESTION: 0.6, QA_INTERACTION: 0.7, NOTE: 0.8, PASSAGE: 0.5}
_FIGURE_IMPORTANCE = 0.5
_SIDES = 4  # of a box
_FAR = 1_000_000  # points, or pages
_UNNAMED_FIGURE = {
    "en": "Figure on page {page} of 《{title}》",
    "zh": "《{title}》第 {page} 页的插图",
}


class Recorder:
    """Writes memories and counts, for any learner."""

    def __init__(
        self, memory: MemoryEngine, history: HistoryStore, clock: Callable[[], datetime]
    ) -> None:
        self._memory = memory
        self._history = history
        self._clock = clock

    def remember(
        self,
        content: str,
        kind: MemoryKind,
        event: str,
        metadata: Mapping[str, object],
        *,
        session_id: str,
        namespace: str,
    ) -> Memory:
        """Keep a memory of what was done in a session."""
        self._history.note_session(session_id, at=self._clock(), namespace=namespace)
        return self._memory.add(
            content,
            kind,
            namespace=namespace,
            session_id=session_id,
            event=event,
            importance=_IMPORTANCE[event],
            metadata=dict(metadata),
        )

    def loaded(self, document: Document, job: Job, namespace: str) -> None:
        """Keep that a document was loaded."""
        self._history.note_activity(
            "load", at=self._clock(), namespace=namespace, pages=document.pages
        )
        self.remember(
            f"Loaded document 《{document.name}》",
            MemoryKind.EPISODIC,
            DOCUMENT_LOADED,
            {"document_id": document.id, "pages": document.pages},
            session_id=job.session_id,
            namespace=namespace,
        )

    def seen(
        self, document: Document, figures: Sequence[PageFigure], job: Job, namespace: str
    ) -> None:
        """Keep the figures of a document, by their captions."""

        def caption(figure: PageFigure) -> str:
            told = _UNNAMED_FIGURE[document.language].format(page=figure.page, title=document.title)
            return figure.caption or f"{told} {figure.heading}".strip()

        self._memory.add_figures(
            [
                (
                    caption(figure),
                    {
                        "document_id": document.id,
                        "document": document.name,
                        "page": figure.page,
                        "box": figure.box,
                    },
                )
                for figure in figures
            ],
            importance=_FIGURE_IMPORTANCE,
            session_id=job.session_id,
            namespace=namespace,
        )

    def used(self, ids: Sequence[str], namespace: str) -> None:
        """Count that these memories were used in an answer."""
        self._memory.note_used(ids, namespace=namespace)

    def removed(self, document_id: str, namespace: str) -> None:
        """Forget what was kept of a document that is being deleted: its figures and passages."""
        self._memory.forget_document(document_id, namespace=namespace)

    def answered_from(self, answer: Answer, *, session_id: str, namespace: str) -> None:
        """Keep the passages that answered a question, with their source and page.

        A passage that answers again is the same memory with one more sighting.
        """
        for citation in answer.citations:
            self._memory.add(
                citation.quote,
                MemoryKind.SEMANTIC,
                namespace=namespace,
                session_id=session_id,
                event=PASSAGE,
                importance=_IMPORTANCE[PASSAGE],
                metadata={
                    "document_id": citation.document_id,
                    "document": citation.document,
                    "page": citation.page,
                    "page_label": citation.page_label,
                    "question_id": answer.id,
                },
            )


def figure_place(metadata: Mapping[str, object]) -> tuple[str, int, Box | None]:
    """Return the document and page of a figure that was seen, and where on the page it stands.

    Callers write metadata too: without a box, or with what is none, it is the whole page. Raises
    `NotFoundError` when no document or no page is named.
    """
    document_id, page = metadata.get("document_id"), metadata.get("page")
    if not isinstance(document_id, str) or not isinstance(page, int) or not 0 < page < _FAR:
        raise NotFoundError("This figure is not there (any more).")
    return document_id, page, _box(metadata.get("box"), page)


def _box(box: object, page: int) -> Box | None:
    if not isinstance(box, list | tuple) or len(box) != _SIDES:
        return None
    sides = [float(side) for side in box if isinstance(side, int | float) and abs(side) < _FAR]
    if len(sides) != _SIDES:
        return None
    x0, y0, x1, y1 = sides
    return Box(page=page, x0=x0, y0=y0, x1=x1, y1=y1) if x0 < x1 and y0 < y1 else None
