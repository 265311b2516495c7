"""The documents of all learners, over all stores: records, text, vectors, files."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from core.domain.document import Document, DocumentState, ReaderName
from core.domain.job import Job
from core.errors import DocumentError, NotFoundError
from core.files import LearnerFiles, sha256_of
from core.rag.indexes import Indexes
from core.rag.indexing import IndexStores
from core.rag.lexical import read_segments
from core.rag.record import title_of

logger = logging.getLogger(__name__)

OnRemoved = Callable[[str, str], None]
"""Gets the id and the namespace of a document that is being deleted."""


class Library:
    """Keeps what belongs to one document together. Thread-safe; one change of a document at a time.

    `on_removed` removes what others keep of a document (memories of its figures).
    """

    def __init__(
        self,
        stores: IndexStores,
        indexes: Indexes,
        files: LearnerFiles,
        clock: Callable[[], datetime],
        on_removed: OnRemoved,
    ) -> None:
        self.stores = stores
        self._indexes = indexes
        self._files = files
        self._clock = clock
        self._on_removed = on_removed
        self._busy: set[str] = set()
        self._changed = threading.Condition()

    @contextmanager
    def alone(self, document_id: str) -> Iterator[None]:
        """Keep other threads from changing the document meanwhile."""
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

    def now(self) -> datetime:
        """Return the time."""
        return self._clock()

    def find(self, document_id: str, *, namespace: str) -> Document | None:
        """Return the document, or None."""
        try:
            return self.stores.documents.get(document_id, namespace=namespace)
        except NotFoundError:
            return None

    def keep(self, path: Path, document_id: str, *, format: str, namespace: str) -> None:
        """Keep a copy of a file that is to be loaded. Raises `StoreError`."""
        self._files.keep(path, document_id, format=format, namespace=namespace)

    def path(self, document: Document, *, namespace: str) -> Path:
        """Return where the document's file is. Raises `NotFoundError` when it is gone."""
        return self._files.existing(document.id, format=document.format, namespace=namespace)

    def begin(self, job: Job, *, namespace: str) -> Document:
        """Return the record of the document that `job` loads, made at the first call.

        Raises `DocumentError` when its file is gone.
        """
        found = self.find(job.document_id, namespace=namespace)
        if found is not None and found.state is not DocumentState.DELETING:
            return found
        path = self._files.document(job.document_id, format=job.format, namespace=namespace)
        if not path.is_file():
            raise DocumentError(
                f"The file cannot be opened: {job.name}", remedy="Choose the file again."
            )
        document = Document(
            id=job.document_id,
            name=job.name,
            title=title_of(None, (), job.name),
            sha256=sha256_of(path),
            size=path.stat().st_size,
            pages=0,
            chunks=0,
            language="en",
            reader=ReaderName.PYPDF if job.format == "pdf" else ReaderName.MARKITDOWN,
            loaded_at=self._clock(),
            embedder=self.stores.embedder.name,
            format=job.format,
            state=DocumentState.READING,
        )
        self.stores.documents.begin(document, namespace=namespace)
        return document

    def link(self, document: Document, name: str, *, namespace: str) -> Document:
        """Note another name under which the same content was loaded; return the new record."""
        if name == document.name or name in document.names:
            return document
        linked = replace(document, names=(*document.names, name))
        self.stores.documents.update(linked, namespace=namespace)
        return linked

    def finish(self, document: Document, *, namespace: str) -> None:
        """Store the final record, and one word index in place of its parts."""
        documents = self.stores.documents
        whole = read_segments(documents.segments([document.id], namespace=namespace))
        segment = whole[document.id].to_bytes() if whole else None
        documents.finish(document, segment=segment, namespace=namespace)

    def clear(self, document: Document, *, namespace: str) -> None:
        """Remove everything of a document but its file."""
        self._remove(document.id, document.embedder, namespace)

    def remove(self, document_id: str, *, namespace: str) -> None:
        """Delete a document, or what there is of it, from every store, its file too."""
        with self.alone(document_id):
            found = self.find(document_id, namespace=namespace)
            embedder = self.stores.embedder.name if found is None else found.embedder
            if found is not None:
                # From now on it cannot be found, and a restart goes on deleting.
                deleting = replace(found, state=DocumentState.DELETING)
                self.stores.documents.update(deleting, namespace=namespace)
            self._files.remove(document_id, namespace=namespace)
            self._remove(document_id, embedder, namespace)

    def _remove(self, document_id: str, embedder: str, namespace: str) -> None:
        # While it is indexed anew, a document has vectors in two indexes.
        for index in (self._indexes.current, self._indexes.of(embedder)):
            if index is not None:
                index.vectors.delete(namespace=namespace, where={"document_id": document_id})
        self._on_removed(document_id, namespace)
        self.stores.documents.delete(document_id, namespace=namespace)

    def go_on_deleting(self) -> int:
        """End the deletions that a crash interrupted, of ALL users; return how many."""
        unfinished = self.stores.documents.unfinished()
        deleting = [(n, d) for n, d in unfinished if d.state is DocumentState.DELETING]
        for namespace, document in deleting:
            logger.info("Going on with a deletion that was interrupted")
            self.remove(document.id, namespace=namespace)
        return len(deleting)
