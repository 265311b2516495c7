"""Port: documents, their pages and chunks, and their lexical index segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.document import Chunk, Document, Page


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """The lexical index of one document, as bytes (see `core.rag.lexical`)."""

    document_id: str
    data: bytes


class DocumentStore(Protocol):
    """Durable records of documents. Every method raises `StoreError` when the store fails.

    A document becomes visible with `add`, whole or not at all. Before that, `begin` notes that
    something of it may already lie in other stores, so that a crash in between can be cleaned up.
    """

    def begin(self, document_id: str, *, namespace: str) -> None:
        """Note that a load has begun. Calling it again changes nothing."""

    def unfinished(self) -> list[tuple[str, str]]:
        """Return (namespace, document id) of every load that began and did not end.

        Of ALL users: it is for cleaning up at the start.
        """

    def add(
        self,
        document: Document,
        *,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        segment: bytes,
        namespace: str,
    ) -> None:
        """Store a document with everything of it, in one transaction, and end its load.

        One with the same id is replaced.
        """

    def get(self, document_id: str, *, namespace: str) -> Document:
        """Return the document. Raises `NotFoundError`."""

    def page(self, document_id: str, number: int, *, namespace: str) -> Page:
        """Return one physical page, 1-based. Raises `NotFoundError`."""

    def pages(self, document_id: str, numbers: Sequence[int], *, namespace: str) -> list[Page]:
        """Return those pages that exist, ascending, without repeats."""

    def chunks(self, ids: Sequence[str], *, namespace: str) -> list[Chunk]:
        """Return the chunks that exist, in the order of `ids`."""

    def chunk_ids(self, document_id: str, *, namespace: str) -> list[str]:
        """Return the ids of the document's chunks by ordinal; `[]` if there is no such document."""

    def segments(self, document_ids: Sequence[str], *, namespace: str) -> list[StoredSegment]:
        """Return the lexical segments of those documents that exist."""

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete the document, or what an unfinished load left; nothing there is no error.

        The text is overwritten on disk (`secure_delete`) and gone from the write-ahead log.
        """

    def list(self, *, namespace: str) -> list[Document]:
        """Return all documents of the namespace, the one loaded last first."""

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
