"""The RAG engine: load, ask, look at pages, delete. It knows namespaces, not learners."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.domain.answer import AnswerMode, Box, Passage
from core.domain.document import Document, Page, ReaderName
from core.errors import DocumentError, InvalidInputError
from core.files import LearnerFiles
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.llm import LLM
from core.ports.reader import PageInspector
from core.prompts.answer import NO_DOCUMENTS
from core.rag.answering import Draft, Generator, choose_sentences, extractive, refused
from core.rag.citations import Prover
from core.rag.ingestion import Ingestion, Loaded, LoadRequest, OnProgress
from core.rag.retrieval import Found, PageLookup, Retriever, pages_of
from core.rag.selection import lookup
from core.text.clean import clean
from core.text.tokens import language_of

PASSAGES = 10
"""So many passages an answer is made from and shows."""
MAX_QUESTION_CHARACTERS = 2000
DEFAULT_IMAGE_WIDTH = 1000
_MAX_IMAGE_WIDTH = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """A finished answer with what it was made from. `timings` are seconds by step."""

    draft: Draft
    language: str
    passages: tuple[Passage, ...]
    timings: dict[str, float]


class RAGEngine:
    """One engine for all learners; every method takes the namespace. Thread-safe."""

    def __init__(
        self,
        *,
        ingestion: Ingestion,
        retriever: Retriever,
        embedder: Embedder,
        documents: DocumentStore,
        inspector: PageInspector,
        files: LearnerFiles,
        llm: LLM | None,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._ingestion = ingestion
        self._retriever = retriever
        self._embedder = embedder
        self._documents = documents
        self._inspector = inspector
        self._files = files
        self._llm = llm
        self._monotonic = monotonic

    def load(self, request: LoadRequest, on_progress: OnProgress) -> Loaded:
        """Load a PDF. Raises `DocumentError` and the stores' errors; then nothing of it is kept."""
        return self._ingestion.load(request, on_progress)

    def clean_up(self) -> int:
        """Remove what loads left that a crash ended, of all learners; return how many."""
        return self._ingestion.clean_up()

    def documents(self, *, namespace: str) -> list[Document]:
        """Return the documents, the one loaded last first."""
        return [d for d in self._documents.list(namespace=namespace) if d.pages_read]

    def document(self, document_id: str, *, namespace: str) -> Document:
        """Return a document. Raises `NotFoundError`."""
        return self._documents.get(document_id, namespace=namespace)

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete a document from every store. Raises `NotFoundError`."""
        self._documents.get(document_id, namespace=namespace)
        self._ingestion.delete(document_id, namespace=namespace)
        self._retriever.cache.drop(document_id)

    def page(self, document_id: str, number: int, *, namespace: str) -> Page:
        """Return a page with its text. Raises `NotFoundError`."""
        return self._documents.page(document_id, number, namespace=namespace)

    def page_image(
        self, document_id: str, number: int, *, width: int, boxes: Sequence[Box], namespace: str
    ) -> bytes:
        """Return a page as PNG. Raises `NotFoundError`, `DocumentError`."""
        document = self._documents.get(document_id, namespace=namespace)
        if document.reader is ReaderName.PYPDF:
            raise DocumentError(
                "There is no page image for this file.",
                remedy="Read the quote as text, or save the file as a new PDF and load that.",
            )
        path = self._files.existing(document_id, namespace=namespace)
        wide = max(100, min(width, _MAX_IMAGE_WIDTH))
        return self._inspector.image(path, number, width=wide, boxes=boxes)

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
        asked = self._asked(documents, namespace)
        if not asked:
            draft = Draft(text=NO_DOCUMENTS[language], mode=AnswerMode.REFUSED)
            yield Finished(draft=draft, language=language, passages=(), timings={})
            return
        began = self._monotonic()
        retrieval = self._retriever.retrieve(
            question, documents=asked, namespace=namespace, limit=PASSAGES
        )
        pages = self._pages(retrieval.found, namespace)
        found = self._monotonic()
        material = choose_sentences(question, language, retrieval, pages)
        prover = Prover(self._inspector, lambda d: self._files.existing(d.id, namespace=namespace))
        draft = refused(language)
        if self._llm is None or not retrieval.found:
            draft = extractive(material, prover)
            yield draft.text
        else:
            for piece in Generator(self._llm, self._embedder, prover).stream(material):
                if isinstance(piece, Draft):
                    draft = piece
                else:
                    yield piece
        yield Finished(
            draft=draft,
            language=language,
            passages=tuple(_passage(f, pages) for f in retrieval.found),
            timings={"retrieve": found - began, "answer": self._monotonic() - found},
        )

    def _asked(self, documents: Sequence[str] | None, namespace: str) -> list[Document]:
        own = self.documents(namespace=namespace)
        return own if documents is None else [d for d in own if d.id in set(documents)]

    def _pages(self, found: Sequence[Found], namespace: str) -> PageLookup:
        return lookup(
            {
                document_id: self._documents.pages(document_id, numbers, namespace=namespace)
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


def one_line(text: str) -> str:
    """Return clean text on one line, as questions are asked and kept."""
    return " ".join(clean(text).split())


def file_name(path: Path, name: str | None) -> str:
    """Return the name to show for a file: the given one, or the path's, one line of 200 at most."""
    shown = one_line((name or path.name).replace("\\", "/").rsplit("/", 1)[-1])
    return shown[:200] or "document.pdf"
