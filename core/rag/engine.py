"""The RAG engine: load, ask, look at pages, delete. It knows namespaces, not learners."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.domain.answer import Answer, AnswerMode, Box, Passage, StillReading
from core.domain.document import Document, DocumentState, Page, ReaderName
from core.domain.job import Job
from core.errors import DocumentError, InvalidInputError
from core.files import LearnerFiles
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.llm import LLM
from core.ports.reader import PageInspector
from core.ports.vector_store import VectorStore
from core.prompts.answer import NO_DOCUMENTS, STILL_READING
from core.rag.answering import Draft, Generator, choose_sentences, extractive, refused
from core.rag.citations import Prover
from core.rag.ingestion import Ingestion, LoadRequest, OnProgress, Submitted
from core.rag.retrieval import Found, PageLookup, Retrieval, Retriever, pages_of
from core.rag.selection import lookup
from core.text.clean import clean
from core.text.tokens import language_of

PASSAGES = 10
"""So many passages an answer is made from and shows."""
MAX_QUESTION_CHARACTERS = 2000
BY_WORDS_ONLY = "by_words_only"
"""Notice: the index of a document is being renewed, and only its words could be searched."""
DEFAULT_IMAGE_WIDTH = 1000
_MAX_IMAGE_WIDTH = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished answer with what it was made from. `timings` are seconds by step."""

    draft: Draft
    language: str
    passages: tuple[Passage, ...]
    timings: dict[str, float]
    still_reading: tuple[StillReading, ...] = ()

    def as_answer(self, *, id: str, question: str, seconds: float) -> Answer:
        """Return the answer to the question that is stored as `id`."""
        draft = self.draft
        return Answer(
            id=id,
            question=question,
            text=draft.text,
            mode=draft.mode,
            language=self.language,
            citations=draft.citations,
            passages=self.passages,
            removed=draft.removed,
            notice=draft.notice,
            detail=draft.detail,
            seconds=seconds,
            timings=self.timings,
            still_reading=self.still_reading,
        )


class RAGEngine:
    """One engine for all learners; every method takes the namespace. Thread-safe."""

    def __init__(
        self,
        *,
        ingestion: Ingestion,
        retriever: Retriever,
        embedder: Embedder,
        documents: DocumentStore,
        index: VectorStore,
        inspector: PageInspector,
        files: LearnerFiles,
        llm: LLM | None,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._ingestion = ingestion
        self._retriever = retriever
        self._embedder = embedder
        self.store = documents
        self.index = index
        self._inspector = inspector
        self._files = files
        self._llm = llm
        self._monotonic = monotonic

    def submit(self, request: LoadRequest) -> Submitted:
        """Begin to load a file; see `Ingestion.submit`."""
        return self._ingestion.submit(request)

    def wait(self, document_id: str, on_progress: OnProgress, *, namespace: str) -> Job | None:
        """Wait for a load; see `Ingestion.wait`."""
        return self._ingestion.wait(document_id, on_progress, namespace=namespace)

    def give_up(self, document_id: str, *, namespace: str) -> None:
        """Stop a load and remove what is left of it."""
        self._ingestion.give_up(document_id, namespace=namespace)

    def warm_up(self) -> None:
        """Load the embedder and start a reading process ahead. Raises an `AssistantError`."""
        self._embedder.embed_query("warm up")
        self._ingestion.warm_up()

    def resume(self) -> None:
        """Go on with what the end of the application interrupted, of ALL users."""
        self._ingestion.resume()

    def documents(self, *, namespace: str) -> list[Document]:
        """Return the documents that can be asked, the one loaded last first."""
        every = self.store.list(namespace=namespace)
        return [d for d in every if d.pages_read and d.state is not DocumentState.DELETING]

    def document(self, document_id: str, *, namespace: str) -> Document:
        """Return a document. Raises `NotFoundError`."""
        return self.store.get(document_id, namespace=namespace)

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete a document from every store. Raises `NotFoundError`."""
        self.store.get(document_id, namespace=namespace)
        self._ingestion.delete(document_id, namespace=namespace)
        self._retriever.cache.drop(document_id)

    def page(self, document_id: str, number: int, *, namespace: str) -> Page:
        """Return a page with its text. Raises `NotFoundError`."""
        return self.store.page(document_id, number, namespace=namespace)

    def page_image(
        self,
        document_id: str,
        number: int,
        *,
        width: int,
        boxes: Sequence[Box],
        namespace: str,
        clip: Box | None = None,
    ) -> bytes:
        """Return a page, or a part of it, as PNG. Raises `NotFoundError`, `DocumentError`."""
        document = self.store.get(document_id, namespace=namespace)
        if document.reader in (ReaderName.PYPDF, ReaderName.MARKITDOWN):
            raise DocumentError(
                "There is no page image for this file.",
                remedy="Read the quote as text, or save the file as a new PDF and load that.",
            )
        path = self._files.existing(document_id, format=document.format, namespace=namespace)
        wide = max(100, min(width, _MAX_IMAGE_WIDTH))
        return self._inspector.image(path, number, width=wide, boxes=boxes, clip=clip)

    def ask(
        self, question: str, *, documents: Sequence[str] | None, namespace: str
    ) -> Iterator[str | Finished]:
        """Yield pieces of the answer's text, then the finished answer.

        `documents` are ids; None means all. Ids of others, or of none, are nothing to answer from.
        Raises `InvalidInputError` for an empty or too long question, and the stores' errors.
        """
        question = one_line(question)
        if not question:
            raise InvalidInputError("The question is empty.", remedy="Write a question.")
        if len(question) > MAX_QUESTION_CHARACTERS:
            raise InvalidInputError(
                f"The question is longer than {MAX_QUESTION_CHARACTERS} characters.",
                remedy="Ask in fewer words.",
            )
        return self._answer(question, documents, namespace)

    def _answer(
        self, question: str, documents: Sequence[str] | None, namespace: str
    ) -> Iterator[str | Finished]:
        language = language_of(question)
        wanted = self._wanted(documents, namespace)
        asked = [d for d in wanted if d.pages_read]
        still = tuple(_still_reading(d) for d in wanted if d.unread)
        if not asked:
            text = (STILL_READING if still else NO_DOCUMENTS)[language]
            draft = Draft(text=text, mode=AnswerMode.REFUSED)
            yield Finished(
                draft=draft, language=language, passages=(), timings={}, still_reading=still
            )
            return
        began = self._monotonic()
        retrieval = self._retriever.retrieve(
            question, documents=asked, namespace=namespace, limit=PASSAGES
        )
        pages = self._pages(retrieval.found, namespace)
        found = self._monotonic()
        draft = refused(language)
        for piece in self._draft(question, language, retrieval, pages, namespace):
            if isinstance(piece, Draft):
                draft = piece
                if retrieval.by_words_only and draft.notice is None:
                    draft = replace(draft, notice=BY_WORDS_ONLY)
            else:
                yield piece
        yield Finished(
            draft=draft,
            language=language,
            passages=tuple(_passage(f, pages) for f in retrieval.found),
            timings={"retrieve": found - began, "answer": self._monotonic() - found},
            still_reading=still,
        )

    def _draft(
        self,
        question: str,
        language: str,
        retrieval: Retrieval,
        pages: PageLookup,
        namespace: str,
    ) -> Iterator[str | Draft]:
        material = choose_sentences(question, language, retrieval, pages)
        prover = Prover(
            self._inspector,
            lambda d: self._files.existing(d.id, format=d.format, namespace=namespace),
        )
        if self._llm is None or not retrieval.found:
            draft = extractive(material, prover)
            yield draft.text
            yield draft
        else:
            yield from Generator(self._llm, self._embedder, prover).stream(material)

    def _wanted(self, documents: Sequence[str] | None, namespace: str) -> list[Document]:
        every = self.store.list(namespace=namespace)
        own = [d for d in every if d.state is not DocumentState.DELETING]
        return own if documents is None else [d for d in own if d.id in set(documents)]

    def _pages(self, found: Sequence[Found], namespace: str) -> PageLookup:
        return lookup(
            {
                document_id: self.store.pages(document_id, numbers, namespace=namespace)
                for document_id, numbers in pages_of(found).items()
            }
        )


def _passage(found: Found, pages: PageLookup) -> Passage:
    page = pages.get((found.document.id, found.page))
    return Passage(
        chunk_id=found.chunk.id,
        document=found.document.name,
        document_id=found.document.id,
        page=found.page,
        pages=found.chunk.pages,
        page_label=page.label if page else None,
        text=found.chunk.text,
        heading_path=found.chunk.heading_path,
        score=found.score,
        scores=found.scores,
    )


def _still_reading(document: Document) -> StillReading:
    return StillReading(
        document_id=document.id,
        document=document.name,
        read=document.pages_read,
        pages=document.pages,
    )


def one_line(text: str) -> str:
    """Return clean text on one line, as questions are asked and kept."""
    return " ".join(clean(text).split())


def file_name(path: Path, name: str | None) -> str:
    """Return the name to show for a file: the given one, or the path's, one line of 200 at most."""
    shown = one_line((name or path.name).replace("\\", "/").rsplit("/", 1)[-1])
    return shown[:200] or "document.pdf"
