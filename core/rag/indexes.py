"""The search indexes: that of the embedder in use, and those of former ones while they serve."""

import threading
from collections.abc import Callable
from dataclasses import dataclass

from core.ports.embedder import Embedder
from core.ports.vector_store import VectorStore


@dataclass(frozen=True, slots=True)
class Index:
    """Vectors of one embedder."""

    embedder: Embedder
    vectors: VectorStore


class Indexes:
    """Finds the index of a document by the name of its embedder. Thread-safe.

    `former` returns the index of an embedder that is not in use any more, or None when that
    embedder cannot be had (no key, package not installed).
    """

    def __init__(self, current: Index, former: Callable[[str], Index | None]) -> None:
        self.current = current
        self._former = former
        self._known: dict[str, Index | None] = {current.embedder.name: current}
        self._lock = threading.Lock()

    def of(self, embedder: str) -> Index | None:
        """Return the index of documents embedded with `embedder`. Raises `StoreError`."""
        with self._lock:
            if embedder not in self._known:
                found = self._former(embedder)
                if found is not None:
                    found.vectors.ensure_ready()
                self._known[embedder] = found
            return self._known[embedder]

    def close(self) -> None:
        """Release the stores of former embedders; that of the one in use is its owner's."""
        with self._lock:
            former = [i for i in self._known.values() if i is not None and i is not self.current]
            self._known = {self.current.embedder.name: self.current}
        for index in former:
            index.vectors.close()
