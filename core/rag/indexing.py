"""Embedding and storing batches of pages, beside the reading of further ones.

A batch is embedded, its vectors are written and on the disk, then its pages become visible in one
transaction: what a learner finds is complete, and a crash loses only the batch under way.
"""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from core.domain.document import Document, Page
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder, Vectors
from core.ports.vector_store import VectorPoint, VectorStore
from core.rag.chunking import Passage, Window, windows
from core.rag.lexical import SegmentBuilder
from core.rag.point_ids import window_id
from core.rag.retrieval import WINDOW_KIND

_MOST_WAITING = 4
"""Batches under way; with more, reading waits, so that memory stays flat."""
_EMBEDDED_AT_ONCE = 2
"""So that the encoder has work while a batch ends or is being stored."""

KnownVector = Callable[[str], Vectors | None]
"""Gives the vector of a text that was embedded already (see `core.rag.chunking`)."""


def _unknown(_: str) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Batch:
    """Pages with the passages they complete. `document` is the record once they are stored."""

    document: Document
    pages: Sequence[Page]
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class IndexStores:
    """Where batches go."""

    embedder: Embedder
    vectors: VectorStore
    documents: DocumentStore


def window_points(passages: Sequence[Passage]) -> list[tuple[Passage, Window, int]]:
    """Return every window of the passages with its number in its passage."""
    return [
        (p, window, i)
        for p in passages
        for i, window in enumerate(windows(p.sentences, p.chunk.context))
    ]


def embed_windows(
    found: Sequence[tuple[Passage, Window, int]], embedder: Embedder, known: KnownVector = _unknown
) -> list[VectorPoint]:
    """Return the points of the windows; a repeated text is embedded once."""
    vectors: dict[str, Vectors | None] = {w.text: known(w.text) for _, w, _ in found}
    texts = [text for text, vector in vectors.items() if vector is None]
    if texts:
        vectors |= dict(zip(texts, embedder.embed_documents(texts), strict=True))
    points = []
    for passage, window, i in found:
        vector = vectors[window.text]
        assert vector is not None  # every text has been embedded by now
        chunk = passage.chunk
        points.append(
            VectorPoint(
                id=window_id(chunk.id, i),
                vector=vector,
                payload={
                    "kind": WINDOW_KIND,
                    "document_id": chunk.document_id,
                    "chunk_id": chunk.id,
                    "ordinal": chunk.ordinal,
                    "page": window.page,
                    "start": window.start,
                },
            )
        )
    return points


def store_batch(
    batch: Batch, stores: IndexStores, *, namespace: str, known: KnownVector = _unknown
) -> None:
    """Embed and store a batch. Raises `NotFoundError` when its document was deleted meanwhile."""
    points = embed_windows(window_points(batch.passages), stores.embedder, known)
    _store_points(batch, points, stores, namespace)


def _store_points(
    batch: Batch, points: Sequence[VectorPoint], stores: IndexStores, namespace: str
) -> None:
    if points:
        stores.vectors.upsert(points, namespace=namespace)
        stores.vectors.flush()
    segment = SegmentBuilder()
    for passage in batch.passages:
        segment.add(passage.chunk)
    stores.documents.append(
        batch.document,
        pages=batch.pages,
        chunks=[passage.chunk for passage in batch.passages],
        segment=segment.to_bytes(),
        namespace=namespace,
    )


class Indexer:
    """Stores batches in order, each while the next ones are embedded.

    Use as a context manager: leaving it ends the work in any case. `on_stored` is called with the
    record of each stored batch, in a thread of the indexer.
    """

    def __init__(
        self,
        stores: IndexStores,
        *,
        namespace: str,
        on_stored: Callable[[Document], None],
        known: KnownVector = _unknown,
    ) -> None:
        self._stores = stores
        self._namespace = namespace
        self._on_stored = on_stored
        self._known = known
        self._running: deque[Future[None]] = deque()
        self._embedding = ThreadPoolExecutor(_EMBEDDED_AT_ONCE, "indexer-embed")
        self._storing = ThreadPoolExecutor(1, "indexer-store")

    def __enter__(self) -> "Indexer":
        return self

    def __exit__(self, *_: object) -> None:
        self._storing.shutdown(wait=False, cancel_futures=True)
        self._embedding.shutdown(wait=True, cancel_futures=True)
        self._storing.shutdown(wait=True)

    @property
    def idle(self) -> bool:
        """Whether nothing is waiting or under way."""
        return all(future.done() for future in self._running)

    def add(self, batch: Batch) -> None:
        """Store a batch soon. Raises what went wrong with an earlier one."""
        while self._running and (len(self._running) >= _MOST_WAITING or self._running[0].done()):
            self._running.popleft().result()
        points = self._embedding.submit(
            embed_windows, window_points(batch.passages), self._stores.embedder, self._known
        )
        self._running.append(self._storing.submit(self._store, batch, points))

    def finish(self) -> None:
        """Return when everything is stored. Raises what went wrong."""
        while self._running:
            self._running.popleft().result()

    def _store(self, batch: Batch, points: Future[list[VectorPoint]]) -> None:
        _store_points(batch, points.result(), self._stores, self._namespace)
        self._on_stored(batch.document)
