"""Embedding windows and writing their vectors, beside the reading of further pages."""

import uuid
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor

from core.domain.document import Chunk
from core.ports.embedder import Embedder
from core.ports.vector_store import VectorPoint, VectorStore
from core.rag.chunking import Passage, Window, windows
from core.rag.retrieval import WINDOW_KIND

_BATCH_WINDOWS = 256
_MOST_WAITING = 2
"""Batches that may wait for the encoder; then reading waits, so that memory stays flat."""


class Indexer:
    """Indexes one document. Use as a context manager: leaving it ends the work in any case."""

    def __init__(
        self, document_id: str, *, namespace: str, embedder: Embedder, vectors: VectorStore
    ) -> None:
        self._document_id = document_id
        self._namespace = namespace
        self._embedder = embedder
        self._vectors = vectors
        self._waiting: list[tuple[Chunk, Window, int]] = []
        self._running: deque[Future[None]] = deque()
        self._pool = ThreadPoolExecutor(1, "indexer")

    def __enter__(self) -> "Indexer":
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def add(self, passage: Passage) -> None:
        """Index a passage soon. Raises what went wrong with an earlier one."""
        found = windows(passage.sentences)
        self._waiting += [(passage.chunk, window, i) for i, window in enumerate(found)]
        if len(self._waiting) >= _BATCH_WINDOWS:
            self._send()

    def finish(self) -> None:
        """Return when everything is indexed and on the disk. Raises what went wrong."""
        self._send()
        while self._running:
            self._running.popleft().result()
        self._vectors.flush()

    def _send(self) -> None:
        while len(self._running) >= _MOST_WAITING:
            self._running.popleft().result()
        batch, self._waiting = self._waiting, []
        if batch:
            self._running.append(self._pool.submit(self._index, batch))

    def _index(self, batch: list[tuple[Chunk, Window, int]]) -> None:
        """Embed the windows, a repeated text once, and write their vectors."""
        texts = list(dict.fromkeys(window.text for _, window, _ in batch))
        vectors = dict(zip(texts, self._embedder.embed_documents(texts), strict=True))
        points = [
            VectorPoint(
                id=str(uuid.uuid5(uuid.UUID(chunk.id), str(i))),
                vector=vectors[window.text],
                payload={
                    "kind": WINDOW_KIND,
                    "document_id": self._document_id,
                    "chunk_id": chunk.id,
                    "ordinal": chunk.ordinal,
                    "page": window.page,
                    "start": window.start,
                },
            )
            for chunk, window, i in batch
        ]
        self._vectors.upsert(points, namespace=self._namespace)
