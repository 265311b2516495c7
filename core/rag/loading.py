"""The job that loads a document: read, cut, embed, store, page by page.

Every batch of pages can be found as soon as it is stored. A load that was interrupted reads the
file again from its beginning, which is quick, and stores only what is not there yet.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from core.domain.document import Document, DocumentState, Page, PageFigure
from core.domain.job import Job
from core.errors import DocumentError, ScannedDocumentError
from core.ports.jobs import JobControl
from core.ports.reader import DocumentReader
from core.rag.chunking import Chunker, Passage
from core.rag.indexing import Batch, Indexer
from core.rag.library import Library
from core.rag.record import RecordKeeper, stored_pages

logger = logging.getLogger(__name__)

_BATCH_TOKENS = 8_000
"""Enough for the encoder to be busy; few enough that pages can be found soon."""

OnLoaded = Callable[[Document, Job, str], None]
"""Gets a document that can be asked now, the job that loaded it, and the namespace."""
OnFigures = Callable[[Document, Sequence[PageFigure], Job, str], None]
"""Gets the figures of a document, the job that found them, and the namespace."""


class _Changed(Exception):
    """A page reads differently than when it was stored: what is stored must go."""


class Loading:
    """Runs jobs of the kind `LOAD`."""

    def __init__(
        self,
        library: Library,
        reader: DocumentReader,
        *,
        chunk_size: int,
        chunk_overlap: int,
        follow_up: Callable[[Document, Job, str], bool],
        on_loaded: OnLoaded,
        on_figures: OnFigures,
        ocr: bool,
    ) -> None:
        """`follow_up` begins text recognition when a document needs it, and tells whether."""
        self._library = library
        self._reader = reader
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap
        self._follow_up = follow_up
        self._on_loaded = on_loaded
        self._on_figures = on_figures
        self._ocr = ocr

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """See `JobRunner.run`. A file that cannot be read leaves nothing but itself."""
        library = self._library
        document = library.begin(job, namespace=namespace)
        if document.state is DocumentState.READY:
            return  # interrupted between the last page and the end of the job
        if document.embedder != library.stores.embedder.name:
            library.clear(document, namespace=namespace)
            document = library.begin(job, namespace=namespace)
        try:
            loaded = self._load(document, job, control, namespace)
        except _Changed:
            logger.info("A file reads differently than before; it is loaded from the beginning")
            library.clear(document, namespace=namespace)
            loaded = self._load(library.begin(job, namespace=namespace), job, control, namespace)
        except DocumentError:
            library.clear(document, namespace=namespace)
            raise
        waits = self._follow_up(loaded, job, namespace)
        if loaded.pages_read or not waits:
            self._on_loaded(loaded, job, namespace)

    def abandon(self, job: Job, *, namespace: str) -> None:
        """See `JobRunner.abandon`."""
        self._library.remove(job.document_id, namespace=namespace)

    def _load(self, document: Document, job: Job, control: JobControl, namespace: str) -> Document:
        library = self._library
        path = library.path(document, namespace=namespace)
        chunker = Chunker(
            document.id,
            chunk_size=self._chunk_size,
            chunk_overlap=self._chunk_overlap,
            embed=library.stores.embedder.embed_documents,
        )
        work = _Work(document, chunker, RecordKeeper(document, ocr=self._ocr), control)
        with Indexer(
            library.stores,
            namespace=namespace,
            on_stored=work.note_stored,
            known=chunker.take_vector,
        ) as indexer:

            def take(pages: Sequence[Page], total: int) -> None:
                self._check_same(work, pages, namespace)
                work.take(pages, total)
                if indexer.idle or work.tokens >= _BATCH_TOKENS:
                    work.send(indexer)
                work.tell()

            summary = self._reader.read(path, take, format=job.format)
            work.hold(chunker.finish())
            work.send(indexer)
            indexer.finish()
            work.tell()
        if not work.keeper.letters and not work.record().ocr_pages:
            raise ScannedDocumentError
        final = work.keeper.final(summary, chunks=work.chunks)
        self._on_figures(final, work.keeper.figures, job, namespace)
        library.finish(final, namespace=namespace)
        return final

    def _check_same(self, work: "_Work", pages: Sequence[Page], namespace: str) -> None:
        """Raise `_Changed` when pages that are stored read differently now."""
        known = [page for page in pages if page.number <= work.stored_pages]
        if not known:
            return
        numbers = [page.number for page in known]
        there = self._library.stores.documents.pages(work.document.id, numbers, namespace=namespace)
        if [p.text for p in there] != [p.text for p in known]:
            raise _Changed


@dataclass(slots=True)
class _Work:
    """A load under way. What `document` has already is read again, but not stored again."""

    document: Document
    chunker: Chunker
    keeper: RecordKeeper
    control: JobControl
    total: int = 0
    chunks: int = 0
    tokens: int = 0
    pages: list[Page] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    shown: int = 0
    stored_pages: int = 0
    stored_chunks: int = 0

    def __post_init__(self) -> None:
        self.stored_pages = stored_pages(self.document)
        self.stored_chunks = self.document.chunks
        self.shown = self.document.pages_read

    def take(self, pages: Sequence[Page], total: int) -> None:
        """Take pages from the reader."""
        self.total = total
        self.keeper.add(pages)
        self.pages += [page for page in pages if page.number > self.stored_pages]
        self.hold(self.chunker.add(pages))

    def hold(self, passages: Iterable[Passage]) -> None:
        """Keep passages until the next batch."""
        for passage in passages:
            if passage.chunk.ordinal >= self.stored_chunks:
                self.passages.append(passage)
                self.tokens += passage.chunk.tokens
            self.chunks = passage.chunk.ordinal + 1

    def record(self) -> Document:
        """Return the record with everything taken so far."""
        return self.keeper.record(total=self.total, chunks=self.chunks)

    def send(self, indexer: Indexer) -> None:
        """Store what is held."""
        if self.pages or self.passages:
            indexer.add(Batch(self.record(), self.pages, self.passages))
        self.pages, self.passages, self.tokens = [], [], 0

    def note_stored(self, record: Document) -> None:
        """Note a stored batch. Called by the indexer's thread."""
        self.shown = record.pages_read

    def tell(self) -> None:
        """Tell how far the load is. Raises as `JobControl.progress`."""
        self.control.progress(stage="reading", done=self.shown, total=self.total)
