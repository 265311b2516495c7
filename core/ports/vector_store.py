"""Port: nearest-neighbour search over embedded windows and memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.ports.embedder import Vectors

Where = Mapping[str, str | int | Sequence[str]]
"""Conditions that must all hold; a sequence means "one of these"; `{}` means no condition."""


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """One vector. `id` is a UUID string. `payload` holds ids and filter fields only, never text."""

    id: str
    vector: Vectors
    payload: Mapping[str, str | int]


@dataclass(frozen=True, slots=True)
class VectorHit:
    """One match. `score` is cosine similarity in [-1, 1]; higher is nearer."""

    id: str
    score: float
    payload: Mapping[str, object]


class VectorStore(Protocol):
    """One collection of vectors, all of one dimension, shared by all namespaces.

    The namespace is stored with each point and is a condition of every call. Safe to call from
    several threads. The schema reserves a second named vector, `refined`, for a refining embedder.
    Every method raises `StoreError` when the backend does not answer.
    """

    def ensure_ready(self) -> None:
        """Open or create the collection.

        Raises `DimensionMismatchError` if it was made with another embedder.
        """

    def upsert(self, points: Sequence[VectorPoint], *, namespace: str) -> None:
        """Write the points, durably; one with an existing id replaces it.

        Raises `DimensionMismatchError` before anything is written.
        """

    def search(
        self, vector: Vectors, *, namespace: str, where: Where, limit: int
    ) -> list[VectorHit]:
        """Return at most `limit` hits of `namespace`, best first; `[]` means that nothing matched.

        Raises `DimensionMismatchError`.
        """

    def count(self, *, namespace: str, where: Where) -> int:
        """Return the number of points of `namespace` that match."""

    def delete(self, *, namespace: str, where: Where) -> None:
        """Delete the points of `namespace` that match; `where={}` deletes all of the namespace."""

    def flush(self) -> None:
        """Make what was written outlive a loss of power; every write outlives the process."""

    def close(self) -> None:
        """Flush and release the store. A closed store opens again at the next use."""
