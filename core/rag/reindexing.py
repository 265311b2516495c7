"""The job that embeds a document anew after the embedder was changed.

The old index serves until the new one has the whole document; then the record says so and the old
vectors go.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.domain.document import Chunk, Document, DocumentState
from core.domain.job import Job, JobKind
from core.ports.document_store import DocumentStore
from core.ports.jobs import JobControl
from core.ports.vector_store import Tier
from core.rag.chunking import Passage, Window
from core.rag.indexes import Indexes
from core.rag.indexing import embed_windows, window_points
from core.rag.selection import lookup, sentences_in

_CHUNKS_AT_ONCE = 64


class Reindexing:
    """Runs jobs of the kind `REINDEX`."""

    def __init__(
        self, indexes: Indexes, documents: DocumentStore, on_indexed: Callable[[str, str], None]
    ) -> None:
        """`on_indexed` gets the id and the namespace of a document that the new index has."""
        self._indexes = indexes
        self._documents = documents
        self._on_indexed = on_indexed

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """See `JobRunner.run`. What is embedded already is not embedded again."""
        document = self._documents.get(job.document_id, namespace=namespace)
        current = self._indexes.current
        if document.embedder == current.embedder.name:
            return
        ids = self._documents.chunk_ids(document.id, namespace=namespace)
        for start in range(0, len(ids), _CHUNKS_AT_ONCE):
            chunks = self._documents.chunks(
                ids[start : start + _CHUNKS_AT_ONCE], namespace=namespace
            )
            missing = self._missing(chunks, namespace)
            if not missing:
                continue  # done in an earlier turn: asking to go on here would only end this one
            done = document.pages * start // len(ids)
            control.progress(stage="indexing", done=done, total=document.pages)
            current.vectors.upsert(embed_windows(missing, current.embedder), namespace=namespace)
        current.vectors.flush()
        control.progress(stage="indexing", done=document.pages, total=document.pages)
        self._switch(document.id, namespace)
        self._on_indexed(document.id, namespace)

    def abandon(self, job: Job, *, namespace: str) -> None:
        """See `JobRunner.abandon`: the old index goes on serving."""
        for document in self._documents.list(namespace=namespace):
            if document.id == job.document_id and self._is_outdated(document):
                where = {"document_id": document.id}
                self._indexes.current.vectors.delete(namespace=namespace, where=where)

    def _is_outdated(self, document: Document) -> bool:
        return document.embedder != self._indexes.current.embedder.name

    def _missing(self, chunks: list[Chunk], namespace: str) -> list[tuple[Passage, Window, int]]:
        """Return the windows of the chunks, none when all of them have their vectors."""
        found = window_points(stored_passages(chunks, self._documents, namespace=namespace))
        where = {"chunk_id": [c.id for c in chunks]}
        there = self._indexes.current.vectors.count(
            namespace=namespace, where=where, tier=Tier.INSTANT
        )
        return found if there < len(found) else []

    def _switch(self, document_id: str, namespace: str) -> None:
        """Let the new index serve, then remove the old vectors."""
        document = self._documents.get(document_id, namespace=namespace)
        if document.state is DocumentState.DELETING:
            return
        # the refined vectors go with the old index
        self._documents.note_refined(document.id, 0, namespace=namespace)
        renewed = replace(document, embedder=self._indexes.current.embedder.name)
        self._documents.update(renewed, namespace=namespace)
        old = self._indexes.of(document.embedder)
        if old is not None:
            old.vectors.delete(namespace=namespace, where={"document_id": document.id})


def stored_passages(
    chunks: Sequence[Chunk], documents: DocumentStore, *, namespace: str
) -> list[Passage]:
    """Return the chunks with their sentences, as when they were cut from the pages."""
    pages = {
        document_id: documents.pages(
            document_id, sorted({n for c in chunks for n in c.pages}), namespace=namespace
        )
        for document_id in {c.document_id for c in chunks}
    }
    texts = lookup(pages)
    return [Passage(chunk=c, sentences=tuple(sentences_in(c, texts))) for c in chunks]


def reindex_job(document: Document, *, job_id: str, session_id: str = "") -> Job:
    """Return the job that embeds a document anew."""
    return Job(
        id=job_id,
        kind=JobKind.REINDEX,
        document_id=document.id,
        name=document.name,
        format=document.format,
        session_id=session_id,
        created_at=document.loaded_at,
        total=document.pages,
    )
