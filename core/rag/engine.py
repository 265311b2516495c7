"""The RAG engine: load, ask, look at pages, delete. It knows namespaces, not learners."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from core.domain.answer import Box
from core.domain.document import Document, DocumentState, Page, ReaderName
from core.domain.job import Job
from core.errors import DocumentError, InvalidInputError
from core.files import LearnerFiles
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.reader import PageInspector
from core.ports.vector_store import VectorStore
from core.rag.asking import Ask, Asker, Finished
from core.rag.citations import Prover
from core.rag.finding import Finder
from core.rag.gate import Gate
from core.rag.ingestion import Ingestion, LoadRequest, OnProgress, Submitted
from core.rag.ways import FindWay, no_way
from core.relatedness import Relatedness
from core.text.clean import clean

__all__ = ["Ask", "Finished", "RAGEngine"]

MAX_QUESTION_CHARACTERS = 2000
DEFAULT_IMAGE_WIDTH = 1000
_MAX_IMAGE_WIDTH = 3000


class RAGEngine:
    """One engine for all learners; every method takes the namespace. Thread-safe."""

    def __init__(
        self,
        *,
        ingestion: Ingestion,
        finder: Finder,
        embedder: Embedder,
        documents: DocumentStore,
        index: VectorStore,
        inspector: PageInspector,
        files: LearnerFiles,
        monotonic: Callable[[], float] = time.perf_counter,
        find_way: FindWay = no_way,
    ) -> None:
        self._ingestion = ingestion
        self._finder = finder
        self._embedder = embedder
        self._find_way = find_way
        self.store = documents
        self.index = index
        self._inspector = inspector
        self._files = files
        self._monotonic = monotonic
        self._relatedness = Relatedness(embedder)

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
        self._relatedness.limit()
        self._ingestion.warm_up()
        self._finder.warm_up()

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
        self._finder.forget(document_id)

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

    def ask(self, ask: Ask, *, namespace: str) -> Iterator[str | Finished]:
        """Yield pieces of the answer's text, then the finished answer.

        Ids of others among the documents, or of none, are nothing to answer from. Raises the
        stores' errors, and `ModelError` when the embedder fails; the language model's failures are
        told in the answer.
        """
        prover = Prover(
            self._inspector,
            lambda d: self._files.existing(d.id, format=d.format, namespace=namespace),
        )
        asker = Asker(
            finder=self._finder,
            store=self.store,
            embedder=self._embedder,
            prover=prover,
            gate=Gate(self._relatedness.limit()),
            monotonic=self._monotonic,
            find_way=self._find_way,
        )
        return asker.answer(ask, namespace=namespace)


def checked_question(text: str) -> str:
    """Return a question on one line. Raises `InvalidInputError` for an empty or too long one."""
    question = one_line(text)
    if not question:
        raise InvalidInputError("The question is empty.", remedy="Write a question.")
    if len(question) > MAX_QUESTION_CHARACTERS:
        raise InvalidInputError(
            f"The question is longer than {MAX_QUESTION_CHARACTERS} characters.",
            remedy="Ask in fewer words.",
        )
    return question


def one_line(text: str) -> str:
    """Return clean text on one line, as questions are asked and kept."""
    return " ".join(clean(text).split())


def file_name(path: Path, name: str | None) -> str:
    """Return the name to show for a file: the given one, or the path's, one line of 200 at most."""
    shown = one_line((name or path.name).replace("\\", "/").rsplit("/", 1)[-1])
    return shown[:200] or "document.pdf"
