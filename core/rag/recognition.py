"""The job that reads the pictures of a document: page by page, each one found as soon as it is."""

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from core.domain.document import Document, Page
from core.domain.job import Job, JobKind
from core.errors import DocumentError, NotFoundError, ScannedDocumentError
from core.ports.jobs import JobControl
from core.ports.recogniser import PageRecogniser
from core.rag.chunking import Chunker, Passage
from core.rag.indexing import Batch, store_batch
from core.rag.library import Library
from core.rag.loading import OnFigures, OnLoaded
from core.rag.record import picture_of, recognised, without_recognition
from core.text.tokens import language_of

logger = logging.getLogger(__name__)

_SAMPLE_PAGES = 20
_MOST_FAILURES = 5
"""So many pages in a row that fail, each for its whole time, and the others are not tried."""


class Recognition:
    """Runs jobs of the kind `OCR`."""

    def __init__(
        self,
        library: Library,
        recogniser: PageRecogniser,
        *,
        chunk_size: int,
        chunk_overlap: int,
        on_loaded: OnLoaded,
        on_figures: OnFigures,
        on_page: Callable[[str, str], None],
    ) -> None:
        """`on_page` gets the id and the namespace of a document that has a page more."""
        self._library = library
        self._recogniser = recogniser
        self._chunk_size = chunk_size
        self._chunk_overlap = chunk_overlap
        self._on_loaded = on_loaded
        self._on_figures = on_figures
        self._on_page = on_page

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """See `JobRunner.run`. A page that cannot be read counts as one without text."""
        library = self._library
        document = library.find(job.document_id, namespace=namespace)
        if document is None:
            raise NotFoundError("This document is not there (any more).")
        path = library.path(document, namespace=namespace)
        was_empty = not document.chunks
        failures = 0
        while document.ocr_pages and failures < _MOST_FAILURES:
            done = job.total - len(document.ocr_pages)
            control.progress(stage="ocr", done=max(0, done), total=job.total)
            page = self._page(path, document.ocr_pages[0])
            failures = failures + 1 if page is None else 0
            document = self._store(document, page, namespace)
            self._on_page(document.id, namespace)
            if page is not None and (picture := picture_of(page)) is not None:
                self._on_figures(document, [picture], job, namespace)
        if document.ocr_pages:
            logger.warning("%d pages in a row took too much; the rest is left out", failures)
            document = without_recognition(document)
        control.progress(stage="ocr", done=job.total, total=job.total)
        if not document.chunks:
            library.clear(document, namespace=namespace)
            raise ScannedDocumentError
        document = self._with_language(document, namespace)
        library.finish(document, namespace=namespace)
        if was_empty:
            self._on_loaded(document, job, namespace)

    def abandon(self, job: Job, *, namespace: str) -> None:
        """See `JobRunner.abandon`. What has been read stays; without any text nothing does."""
        document = self._library.find(job.document_id, namespace=namespace)
        if document is None or not document.chunks:
            self._library.remove(job.document_id, namespace=namespace)
        else:
            self._library.finish(without_recognition(document), namespace=namespace)

    def _page(self, path: Path, number: int) -> Page | None:
        try:
            return self._recogniser.recognise(path, number)
        except DocumentError as exc:
            logger.warning("The text of a page could not be recognised: %s", exc.code)
            return None

    def _store(self, document: Document, page: Page | None, namespace: str) -> Document:
        number = document.ocr_pages[0]
        stores = self._library.stores
        picture = stores.documents.page(document.id, number, namespace=namespace)
        page = picture if page is None else replace(page, label=picture.label)
        passages = self._passages(document, page)
        record = recognised(document, page, chunks=document.chunks + len(passages))
        store_batch(Batch(record, [page], passages), stores, namespace=namespace)
        return record

    def _passages(self, document: Document, page: Page) -> list[Passage]:
        chunker = Chunker(
            document.id,
            chunk_size=self._chunk_size,
            chunk_overlap=self._chunk_overlap,
            first_ordinal=document.chunks,
        )
        return [*chunker.add([page]), *chunker.finish()]

    def _with_language(self, document: Document, namespace: str) -> Document:
        """Return the record with the language of the text as it is now."""
        numbers = range(1, min(document.pages, _SAMPLE_PAGES) + 1)
        pages = self._library.stores.documents.pages(document.id, numbers, namespace=namespace)
        return replace(document, language=language_of("".join(page.text for page in pages)))


def ocr_job(document: Document, load: Job, *, new_id: Callable[[], str]) -> Job:
    """Return the job that reads the pictures of a document that `load` has loaded."""
    return Job(
        id=new_id(),
        kind=JobKind.OCR,
        document_id=document.id,
        name=document.name,
        format=document.format,
        session_id=load.session_id,
        created_at=load.created_at,
        total=len(document.ocr_pages),
    )
