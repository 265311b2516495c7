"""Loading a document: read, cut, embed, index. Whole or not at all."""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from core.domain.document import (
    BlockKind,
    Chunk,
    Document,
    DocumentState,
    OutlineEntry,
    Page,
    ReaderName,
)
from core.domain.study import LoadProgress, LoadResult
from core.errors import DocumentError
from core.files import LearnerFiles, sha256_of
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.reader import DocumentReader, ReadSummary
from core.ports.vector_store import VectorStore
from core.rag.chunking import Chunker, Passage, document_id_for
from core.rag.indexing import Indexer
from core.rag.lexical import SegmentBuilder
from core.text.tokens import language_of

logger = logging.getLogger(__name__)

OnProgress = Callable[[LoadProgress], None]

_LANGUAGE_SAMPLE = 20_000
_MAX_HEADINGS = 200
_MAX_TITLE = 200
_MIN_PAGE_LETTERS = 10
"""A page with fewer letters counts as a page without text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRequest:
    """What to load. `name` is the file's name as the learner knows it."""

    path: Path
    name: str
    namespace: str
    chunk_size: int
    chunk_overlap: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A loaded document. `duplicate`: it was there already, and nothing changed."""

    document: Document
    duplicate: bool


def load_result(loaded: Loaded, seconds: float) -> LoadResult:
    """Return the result that a script or the interface reads."""
    document = loaded.document
    return LoadResult(
        success=True,
        message="This document is already loaded."
        if loaded.duplicate
        else f"Loading successful! (Time: {seconds:.1f}s)",
        document=document.name,
        document_id=document.id,
        pages=document.pages,
        chunks=document.chunks,
        seconds=seconds,
        duplicate=loaded.duplicate,
        warnings=document.warnings,
        record=document,
    )


@dataclass(slots=True)
class _Work:
    """A load in the making."""

    document_id: str
    request: LoadRequest
    chunker: Chunker
    indexer: Indexer
    on_progress: OnProgress
    pages: list[Page] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    segment: SegmentBuilder = field(default_factory=SegmentBuilder)


class Ingestion:
    """Loads PDFs into the stores. Several loads may run at once; one of each document."""

    def __init__(
        self,
        *,
        reader: DocumentReader,
        embedder: Embedder,
        vectors: VectorStore,
        documents: DocumentStore,
        files: LearnerFiles,
        clock: Callable[[], datetime],
    ) -> None:
        self._reader = reader
        self._embedder = embedder
        self._vectors = vectors
        self._documents = documents
        self._files = files
        self._clock = clock
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    def load(self, request: LoadRequest, on_progress: OnProgress) -> Loaded:
        """Load a PDF. Raises `DocumentError`, `ModelError`, `StoreError`; then nothing is kept."""
        try:
            sha256 = sha256_of(request.path)
            size = request.path.stat().st_size
        except OSError as exc:
            raise DocumentError(
                f"The file cannot be opened: {request.name}", remedy="Choose the file again."
            ) from exc
        document_id = document_id_for(request.namespace, sha256)
        with self._alone(document_id):
            for document in self._documents.list(namespace=request.namespace):
                if document.id == document_id and document.state is DocumentState.READY:
                    return Loaded(document=document, duplicate=True)
            self._documents.begin(
                self._beginning(document_id, request, sha256, size), namespace=request.namespace
            )
            with self._undone_on_error(document_id, request.namespace):
                document = self._load(document_id, request, on_progress, sha256, size)
            return Loaded(document=document, duplicate=False)

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete a document, or what an unfinished load left of it, from every store."""
        with self._alone(document_id):
            self._remove(document_id, namespace)

    def clean_up(self) -> int:
        """Remove what loads left that a crash ended, of all learners; return how many."""
        unfinished = self._documents.unfinished()
        for namespace, document in unfinished:
            logger.info("Removing the rest of an unfinished load")
            self._remove(document.id, namespace)
        return len(unfinished)

    def _remove(self, document_id: str, namespace: str) -> None:
        self._vectors.delete(namespace=namespace, where={"document_id": document_id})
        self._files.remove(document_id, namespace=namespace)
        self._documents.delete(document_id, namespace=namespace)

    @contextmanager
    def _alone(self, document_id: str) -> Iterator[None]:
        with self._changed:
            while document_id in self._busy:
                self._changed.wait()
            self._busy.add(document_id)
        try:
            yield
        finally:
            with self._changed:
                self._busy.discard(document_id)
                self._changed.notify_all()

    @contextmanager
    def _undone_on_error(self, document_id: str, namespace: str) -> Iterator[None]:
        done = False
        try:
            yield
            done = True
        finally:
            if not done:
                self._remove(document_id, namespace)

    def _load(
        self,
        document_id: str,
        request: LoadRequest,
        on_progress: OnProgress,
        sha256: str,
        size: int,
    ) -> Document:
        chunker = Chunker(
            document_id, chunk_size=request.chunk_size, chunk_overlap=request.chunk_overlap
        )
        with Indexer(
            document_id,
            namespace=request.namespace,
            embedder=self._embedder,
            vectors=self._vectors,
        ) as indexer:
            return self._run(
                _Work(document_id, request, chunker, indexer, on_progress), sha256, size
            )

    def _run(self, work: _Work, sha256: str, size: int) -> Document:
        request = work.request
        kept = self._files.keep(request.path, work.document_id, namespace=request.namespace)
        summary = self._reader.read(kept, lambda pages, total: self._take(work, pages, total))
        for passage in work.chunker.finish():
            self._add(work, passage)
        work.indexer.finish()
        document = self._document(work, summary, sha256, size)
        segment = work.segment.to_bytes()
        self._documents.append(
            replace(document, state=DocumentState.READING),
            pages=work.pages,
            chunks=work.chunks,
            segment=segment,
            namespace=request.namespace,
        )
        self._documents.finish(document, segment=segment, namespace=request.namespace)
        return document

    def _take(self, work: _Work, pages: Sequence[Page], total: int) -> None:
        work.pages += pages
        for passage in work.chunker.add(pages):
            self._add(work, passage)
        work.on_progress(LoadProgress(stage="reading", done=len(work.pages), pages=total))

    def _add(self, work: _Work, passage: Passage) -> None:
        work.chunks.append(passage.chunk)
        work.segment.add(passage.chunk)
        work.indexer.add(passage)

    def _document(self, work: _Work, summary: ReadSummary, sha256: str, size: int) -> Document:
        textless = tuple(
            p.number for p in work.pages if sum(map(str.isalnum, p.text)) < _MIN_PAGE_LETTERS
        )
        warnings = []
        if summary.reader is ReaderName.PYPDF:
            warnings.append("no_boxes")
        if textless:
            warnings.append("pages_without_text")
        outline = summary.outline or tuple(_outline(work.pages))
        headings = [entry.title for entry in outline]
        return Document(
            id=work.document_id,
            name=work.request.name,
            title=_title(summary.title, headings, work.request.name),
            sha256=sha256,
            size=size,
            pages=summary.page_count,
            chunks=len(work.chunks),
            language=language_of("".join(p.text for p in work.pages)[:_LANGUAGE_SAMPLE]),
            reader=summary.reader,
            loaded_at=self._clock(),
            embedder=self._embedder.name,
            warnings=tuple(warnings),
            textless_pages=textless,
            pages_read=summary.page_count,
            outline=outline,
        )

    def _beginning(
        self, document_id: str, request: LoadRequest, sha256: str, size: int
    ) -> Document:
        return Document(
            id=document_id,
            name=request.name,
            title=_title(None, (), request.name),
            sha256=sha256,
            size=size,
            pages=0,
            chunks=0,
            language="en",
            reader=ReaderName.LITEPARSE,
            loaded_at=self._clock(),
            embedder=self._embedder.name,
            state=DocumentState.READING,
        )


def _outline(pages: Sequence[Page]) -> Iterator[OutlineEntry]:
    count = 0
    for page in pages:
        for block in page.blocks:
            if block.kind is BlockKind.HEADING and count < _MAX_HEADINGS:
                count += 1
                title = page.text[block.start : block.end][:_MAX_TITLE]
                yield OutlineEntry(level=block.level, title=title, page=page.number)


def _title(metadata: str | None, headings: Sequence[str], name: str) -> str:
    """Return the title to show: the file's own if it reads like one, else the file name's stem."""
    given = " ".join((metadata or "").split())
    words = [w for w in given.split() if any(c.isalpha() for c in w)]
    like_a_file = given.lower().endswith((".pdf", ".doc", ".docx", ".tex", ".indd", ".qxd"))
    cjk = language_of(given) == "zh"
    if given and not like_a_file and (len(words) >= 2 or cjk):
        return given[:_MAX_TITLE]
    stem = Path(name).stem.strip()
    return (stem or (headings[0] if headings else "") or name)[:_MAX_TITLE]
