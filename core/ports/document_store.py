"""Port: documents, their pages and chunks, and their lexical index segments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.domain.document import Chunk, Document, Page


@dataclass(frozen=True, slots=True)
class StoredSegment:
    """The lexical index of some consecutive chunks of a document, as bytes.

    `first` is the ordinal of the first of them (see `core.rag.lexical`).
    """

    document_id: str
    first: int
    data: bytes


class DocumentStore(Protocol):
    """Durable records of documents. Every method raises `StoreError` when the store fails.

    A document begins without pages and grows by `append`; each call is one transaction, so that
    what is there can be searched and a crash loses nothing of it.
    """

    def begin(self, document: Document, *, namespace: str) -> None:
        """Store the record of a document. One with the same id keeps its pages."""

    def unfinished(self) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every document whose state is not `READY`.

        Of ALL users: it is for going on after a restart.
        """

    def outdated(self, embedder: str) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every document whose embedder is another one.

        Of ALL users: it is for indexing them anew.
        """

    def unrefined(self) -> list[tuple[str, Document]]:
        """Return (namespace, document) of every `READY` document of which chunks are not refined.

        Of ALL users: it is for going on after a restart.
        """

    def append(
        self,
        document: Document,
        *,
        pages: Sequence[Page],
        chunks: Sequence[Chunk],
        segment: bytes,
        namespace: str,
    ) -> None:
        """Store more pages and chunks, and the new record of the document, in one transaction.

        Pages with the same number are replaced. `segment` is the lexical index of `chunks`. The
        record's `names` and `refined` are left as they are. Raises `NotFoundError` when the
        document was deleted meanwhile; then nothing is stored.
        """

    def finish(self, document: Document, *, segment: bytes | None, namespace: str) -> None:
        """Store the new record but its `names` and `refined`.

        `segment`, if any, takes the place of all segments.

        Raises `NotFoundError` when the document was deleted meanwhile.
        """

    def update(self, document: Document, *, namespace: str) -> None:
        """Store the new record of a document but its `refined`. Raises `NotFoundError`."""

    def note_refined(self, document_id: str, refined: int, *, namespace: str) -> None:
        """Store how many chunks of a document are refined.

        Raises `NotFoundError` when it was deleted meanwhile.
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
        """Return the lexical segments of those documents that exist, each document's by `first`."""

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete the document with everything of it; nothing there is no error.

        The text is overwritten on disk (`secure_delete`) and gone from the write-ahead log.
        """

    def list(self, *, namespace: str) -> list[Document]:
        """Return all documents of the namespace, the one loaded last first."""

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
