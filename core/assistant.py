"""The learning assistant: one public method for each thing a learner can do."""

import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from core.asking import Learner
from core.domain.answer import DEFAULT_OPTIONS, Answer, AnswerPiece, AskOptions, Box, Gap
from core.domain.document import Document, Page
from core.domain.job import Job
from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.domain.study import (
    AskedQuestion,
    AssistantStatus,
    LoadResult,
    Totals,
)
from core.errors import DocumentError, InvalidInputError, NotFoundError, error_of
from core.memory.checks import is_storable, storable
from core.memory.query import NOTE
from core.memory_manager import MemoryManager
from core.rag.engine import DEFAULT_IMAGE_WIDTH, checked_question, file_name
from core.rag.ingestion import LoadRequest, OnProgress, Submitted, load_result
from core.recording import figure_place
from core.services import Services
from core.study.questions import questions_about
from core.study.report import RagStatus, ReportData, build_report, write_report
from core.study.stats import Session, stats_of
from core.text.clean import clean
from core.wiring import shared_services

_DEFAULT_CONCEPT = "general"
_MAX_CONCEPT = 200
_MAX_USER_ID = 200


class PDFLearningAssistant:
    """One learner's assistant. Everything it keeps is in the namespace `pdf_{user_id}`.

    Assistants of one process share the heavy parts: `services`, or, when left out, those built from
    the environment. Making one opens nothing. Safe to use from several threads. Besides the errors
    named at each method, all raise `StoreError` when a store does not answer.
    """

    def __init__(self, user_id: str = "default_user", *, services: Services | None = None) -> None:
        """Raises `InvalidInputError` for an empty or overlong `user_id`."""
        if not user_id.strip() or len(user_id) > _MAX_USER_ID or not is_storable(user_id):
            raise InvalidInputError(
                "The user id is empty, too long, or has letters that cannot be kept.",
                remedy=f"Give a user id of 1 to {_MAX_USER_ID} characters.",
            )
        self._services = services or shared_services()
        now = self._services.clock()
        self.user_id = user_id
        self.namespace = f"pdf_{user_id}"
        self.session_id = f"session_{now:%Y%m%d_%H%M%S}_{secrets.token_hex(3)}"
        self.current_document: str | None = None
        self.memory = MemoryManager(
            user_id=user_id, services=self._services, session_id=self.session_id
        )
        self._session = Session(now)
        self._begun: set[str] = set()

    # Documents

    def load_document(
        self,
        pdf_path: str | Path,
        *,
        name: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> LoadResult:
        """Load a file and wait for it; the result says how it went, also when it is refused.

        `name` is shown instead of the path's file name. `on_progress` is called as pages come in;
        what it raises ends the load, and nothing is kept. The same content a second time changes
        nothing (`duplicate`). Raises `ModelError` if the embedder fails.
        """
        services = self._ready()
        began = services.clock()
        shown = file_name(Path(pdf_path), name)
        try:
            begun = self.submit_document(pdf_path, name=name)
            if begun.existing is None:
                self._wait(begun.document_id, on_progress or (lambda _: None))
            document = services.engine.document(begun.document_id, namespace=self.namespace)
        except DocumentError as error:
            return LoadResult(success=False, message=error.sentence, document=shown, error=error)
        self._settle()
        self.current_document = document.name
        seconds = (services.clock() - began).total_seconds()
        return load_result(document, seconds, duplicate=not begun.is_new)

    def _wait(self, document_id: str, on_progress: OnProgress) -> None:
        """Wait for a load. Whatever goes wrong is raised, and then nothing is kept."""
        engine = self._services.engine
        failed, done = None, False
        try:
            failed = engine.wait(document_id, on_progress, namespace=self.namespace)
            done = failed is None
        finally:
            if not done:
                engine.give_up(document_id, namespace=self.namespace)
        if failed is not None and failed.error is not None:
            told = failed.error
            raise error_of(told.code, message=told.message, remedy=told.remedy)

    def submit_document(self, path: str | Path, *, name: str | None = None) -> Submitted:
        """Keep a file and load it in the background; `jobs` tells how far that is.

        Its pages can be asked about as they come in; content that is there already is not loaded
        again. Raises `DocumentError` for what is no document.
        """
        services = self._ready()
        request = LoadRequest(
            path=Path(path),
            name=file_name(Path(path), name),
            namespace=self.namespace,
            session_id=self.session_id,
        )
        submitted = services.engine.submit(request)
        if submitted.is_new:
            self._begun.add(submitted.document_id)
        return submitted

    def _settle(self) -> None:
        """Count what was loaded in this session and has come to its end by now."""
        if not self._begun:
            return
        done = [d for d in self.documents() if d.id in self._begun and not d.unread]
        for document in done:
            self._begun.discard(document.id)
            self._session.documents_loaded += 1
            self.current_document = document.name

    def jobs(self) -> list[Job]:
        """Return what goes on in the background and what failed there, oldest first."""
        return self._ready().jobs.list(namespace=self.namespace)

    def stop_job(self, job_id: str) -> None:
        """Stop a job at its next step: an unfinished document goes; recognised pages stay."""
        self._ready().jobs.stop(job_id, namespace=self.namespace)

    def retry_job(self, job_id: str) -> None:
        """Begin a failed job again. Raises `NotFoundError`."""
        self._ready().jobs.retry(job_id, namespace=self.namespace)

    def dismiss_job(self, job_id: str) -> None:
        """Remove a failed job with the file it was about."""
        self._ready().jobs.dismiss(job_id, namespace=self.namespace)

    def documents(self) -> list[Document]:
        """Return the documents that can be asked, the one loaded last first."""
        return self._ready().engine.documents(namespace=self.namespace)

    def delete_document(self, document_id: str) -> None:
        """Delete a document from every store, its text from old answers, and reports that cite it.

        Raises `NotFoundError`.
        """
        services = self._ready()
        document = services.engine.document(storable(document_id), namespace=self.namespace)
        at = services.clock()
        services.history.forget_document(document_id, at=at, namespace=self.namespace)
        services.erasing.reports_citing(document_id, namespace=self.namespace)
        services.engine.delete(document_id, namespace=self.namespace)
        # Once more for an answer that was on its way; see `core.asking`.
        services.history.forget_document(document_id, at=at, namespace=self.namespace)
        if self.current_document == document.name:
            self.current_document = None

    def page(self, document_id: str, number: int) -> Page:
        """Return a physical page (1-based) with its text. Raises `NotFoundError`."""
        return self._ready().engine.page(storable(document_id), number, namespace=self.namespace)

    def page_image(
        self,
        document_id: str,
        page: int,
        *,
        width: int = DEFAULT_IMAGE_WIDTH,
        boxes: Sequence[Box] = (),
    ) -> bytes:
        """Return a page as PNG, `width` pixels wide, `boxes` highlighted.

        Raises `NotFoundError`, and `DocumentError` for a file that has no page images.
        """
        return self._ready().engine.page_image(
            storable(document_id), page, width=width, boxes=boxes, namespace=self.namespace
        )

    def figure_image(self, memory_id: str, *, width: int = DEFAULT_IMAGE_WIDTH) -> bytes:
        """Return a figure that was seen in a document as PNG, at most `width` pixels wide.

        Raises `NotFoundError`, also for a memory of something else, and `DocumentError`.
        """
        services = self._ready()
        seen = services.memory.list(namespace=self.namespace, kinds=[MemoryKind.PERCEPTUAL])
        place = next((m.metadata for m in seen if m.id == memory_id), None)
        if place is None:
            raise NotFoundError("This figure is not there (any more).")
        perceiving = services.memory_parts.perceiving
        if "page" not in place and perceiving is not None:
            return perceiving.picture(memory_id, width=width, namespace=self.namespace)
        document_id, page, clip = figure_place(place)
        return services.engine.page_image(
            document_id, page, width=width, boxes=(), clip=clip, namespace=self.namespace
        )

    # Questions

    def ask(
        self,
        question: str,
        use_advanced_search: bool = True,
        documents: Sequence[str] | None = None,
        options: AskOptions = DEFAULT_OPTIONS,
    ) -> Answer:
        """Answer a question from the learner's documents (`documents`: ids; None: all).

        A question about what was learnt is answered from the learning history; `Answer.route` says
        which. Without a document to answer from, or when none answers, `mode` is `refused` and
        `refusal` says why. A model that fails shows as a `notice`, with an extractive answer in its
        place. `use_advanced_search` searches also for the question in other words and an imagined
        answer (MQE, HyDE), or without a model for telling words of the first passages; `options`
        say it in detail. Raises `InvalidInputError` for an empty question or one over 2,000
        characters.
        """
        answer: Answer | None = None
        for piece in self.ask_stream(question, use_advanced_search, documents, options):
            answer = piece.answer
        assert answer is not None  # the last piece has it
        return answer

    def ask_stream(
        self,
        question: str,
        use_advanced_search: bool = True,
        documents: Sequence[str] | None = None,
        options: AskOptions = DEFAULT_OPTIONS,
    ) -> Iterator[AnswerPiece]:
        """Yield the answer's text in pieces, then the whole answer. As `ask`.

        Closing the iterator stops the answer; then it is neither stored nor counted.
        """
        services = self._ready()
        pieces = services.asking.ask(
            checked_question(question),
            Learner(namespace=self.namespace, session_id=self.session_id, zone=self.memory.zone),
            advanced=use_advanced_search,
            documents=documents,
            options=options,
        )
        return self._counted(pieces)

    def _counted(self, pieces: Iterator[AnswerPiece]) -> Iterator[AnswerPiece]:
        for piece in pieces:
            if piece.answer is not None:
                self._session.questions_asked += 1
            yield piece

    def gaps(self) -> list[Gap]:
        """Return the questions that the documents did not answer, the last one asked first."""
        return self._ready().history.gaps(namespace=self.namespace)

    def dismiss_gap(self, gap_id: str) -> None:
        """Take a question off that list. Raises `NotFoundError`."""
        self._ready().history.remove_gap(gap_id, namespace=self.namespace)

    def questions(self, limit: int | None = None) -> list[AskedQuestion]:
        """Return the stored questions with their answers, newest first."""
        return self._ready().history.questions(namespace=self.namespace, limit=limit)

    def question(self, question_id: str) -> AskedQuestion:
        """Return a stored question with its answer. Raises `NotFoundError`."""
        return self._ready().history.question(storable(question_id), namespace=self.namespace)

    def suggested_questions(self, limit: int = 3) -> list[str]:
        """Return questions that fit the loaded documents, in their language; `[]` without any."""
        return questions_about(
            self.documents(), lambda document, n: self.page(document.id, n), limit=limit
        )

    # Notes and memory

    def add_note(self, content: str, concept: str | None = None) -> Memory:
        """Keep a note in semantic memory. Raises `InvalidInputError` for an empty or huge one."""
        services = self._ready()
        about = " ".join(clean(concept or "").split())[:_MAX_CONCEPT] or _DEFAULT_CONCEPT
        note = self._remember(content, MemoryKind.SEMANTIC, NOTE, {"concept": about})
        services.history.note_activity("note", at=note.created_at, namespace=self.namespace)
        self._session.concepts_learned += 1
        return note

    def notes(self) -> list[Memory]:
        """Return the notes, newest first."""
        memories = self._ready().memory.list(namespace=self.namespace, kinds=[MemoryKind.SEMANTIC])
        return [memory for memory in memories if memory.event == NOTE]

    def delete_note(self, memory_id: str) -> None:
        """Erase a note everywhere, also an archived one. Raises `NotFoundError` for no note."""
        notes = [*self.memory.list(events=[NOTE]), *self.memory.list(events=[NOTE], archived=True)]
        if all(note.id != memory_id for note in notes):
            raise NotFoundError("This note is not there (any more).")
        self._services.erasing.forget(memory_id, namespace=self.namespace)

    def recall(self, query: str, limit: int = 5) -> list[MemoryHit]:
        """Search what is remembered of this learner: questions, notes, loads; best first.

        Understands "last week", "my notes" and the like, in English and Chinese. `[]` when nothing
        has to do with the query. Raises `InvalidInputError` for an empty query.
        """
        return self.memory.search(query, limit=limit)

    def _remember(
        self, content: str, kind: MemoryKind, event: str, metadata: dict[str, object]
    ) -> Memory:
        return self._services.recorder.remember(
            content,
            kind,
            event,
            metadata,
            session_id=self.session_id,
            namespace=self.namespace,
        )

    # Statistics and report

    def get_stats(self) -> dict[str, Any]:
        """Return the tutorial's five figures of this session, and `total` over all time."""
        self._settle()
        totals = self.totals()
        return stats_of(
            self._session, totals, now=self._services.clock(), document=self.current_document
        )

    def totals(self) -> Totals:
        """Return the counts over all time."""
        return self._ready().history.totals(namespace=self.namespace)

    def activity_by_day(self) -> dict[str, dict[str, int]]:
        """Return per UTC day (`YYYY-MM-DD`) the numbers of `loads`, `questions` and `notes`."""
        return self._ready().history.activity_by_day(namespace=self.namespace)

    def generate_report(self, save_to_file: bool = True) -> dict[str, Any]:
        """Return the learning report; saved, `report_file` is its path in the private folder."""
        services = self._ready()
        self._settle()
        session = self._session
        report: dict[str, Any] = build_report(
            ReportData(
                session_id=self.session_id,
                user_id=self.user_id,
                started_at=session.started_at,
                generated_at=services.clock(),
                documents_loaded=session.documents_loaded,
                questions_asked=session.questions_asked,
                concepts_learned=session.concepts_learned,
                totals=self.totals(),
                memory_summary=services.memory.summary(namespace=self.namespace),
                status=RagStatus.of(services.status),
                documents=self.documents(),
                notes=self.notes(),
                questions=self.questions(),
            )
        )
        if save_to_file:
            folder = services.files.reports(self.namespace)
            report["report_file"] = str(write_report(folder, self.session_id, report))
        return report

    def status(self) -> AssistantStatus:
        """Return what answers and where things are kept."""
        return self._services.status

    def _ready(self) -> Services:
        self._services.ensure_ready()
        return self._services
