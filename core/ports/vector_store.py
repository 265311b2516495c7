"""Port: nearest-neighbour search over embedded windows and memories."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from core.ports.embedder import Vectors

Where = Mapping[str, str | int | Sequence[str]]
"""Conditions that must all hold; a sequence means "one of these"; `{}` means no condition."""


class Tier(StrEnum):
    """Which of its vectors a point is searched by.

    `INSTANT` is there as soon as a document can be asked; `REFINED` fills in behind it and has the
    length 384 in every collection.
    """

    INSTANT = "instant"
    REFINED = "refined"


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """One point. `id` is a UUID string. `payload` holds ids and filter fields only, never text.

    `vector` is that of the instant tier, `refined` that of the refining one; one of them is there.
    """

    id: str
    vector: Vectors | None
    payload: Mapping[str, str | int]
    refined: Vectors | None = None


@dataclass(frozen=True, slots=True)
class VectorHit:
    """One match. `score` is cosine similarity in [-1, 1]; higher is nearer."""

    id: str
    score: float
    payload: Mapping[str, object]


class VectorStore(Protocol):
    """One collection of points, each tier of one dimension, shared by all namespaces.

    The namespace is stored with each point and is a condition of every call. Safe to call from
    several threads. Every method raises `StoreError` when the backend does not answer.
    """

    def ensure_ready(self) -> None:
        """Open or create the collection.

        Raises `DimensionMismatchError` if it was made with another embedder.
        """

    def upsert(self, points: Sequence[VectorPoint], *, namespace: str) -> None:
        """Write the points, durably; one with an existing id replaces it, both its vectors too.

        Raises `DimensionMismatchError` before anything is written.
        """

    def refine(self, vectors: Mapping[str, Vectors], *, namespace: str) -> None:
        """Give points of `namespace` their refined vectors, by id, durably.

        Their instant vectors and payloads stay. Ids that are not there, or not of `namespace`, are
        left out. Raises `DimensionMismatchError` before anything is written.
        """

    def search(
        self,
        vector: Vectors,
        *,
        namespace: str,
        where: Where,
        limit: int,
        tier: Tier = Tier.INSTANT,
    ) -> list[VectorHit]:
        """Return at most `limit` hits of `namespace`, best first; `[]` means that nothing matched.

        A point without a vector of `tier` is no hit. Raises `DimensionMismatchError`.
        """

    def count(self, *, namespace: str, where: Where, tier: Tier | None = None) -> int:
        """Return how many points of `namespace` match; with `tier`, how many have its vector."""

    def delete(self, *, namespace: str, where: Where) -> None:
        """Delete the points of `namespace` that match; `where={}` deletes all of the namespace."""

    def purge(self) -> None:
        """Make what was deleted leave the disk now, where this store itself holds the files."""

    def flush(self) -> None:
        """Make what was written outlive a loss of power; every write outlives the process."""

    def close(self) -> None:
        """Flush and release the store. A closed store opens again at the next use."""
