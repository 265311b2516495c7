"""What the vector stores share: the names in the schema, and the checks before a call."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from core.errors import DimensionMismatchError
from core.ports.embedder import Vectors
from core.ports.vector_store import Tier, VectorPoint, Where

INSTANT = Tier.INSTANT.value
REFINED = Tier.REFINED.value
"""The named vectors; a point has one of them, or both."""

REFINED_DIMENSION = 384
"""Length of multilingual-e5-small's vectors."""

NAMESPACE_KEY = "ns"
"""Payload key of the owner; the tenant index."""

FILTER_KEYS = ("document_id", "chunk_id", "kind")
"""Payload keys with an index, besides the owner."""

T = TypeVar("T")

BATCH = 500
"""Points of one write: with 512 dimensions some 5 MB as JSON, a server takes at most 32."""


def check_dimension(vector: Vectors, dimension: int) -> None:
    """Raise `DimensionMismatchError` unless the vector has shape (dimension,)."""
    if vector.shape != (dimension,):
        raise DimensionMismatchError(
            f"The search index holds vectors of length {dimension}; "
            f"this one has the shape {vector.shape}."
        )


def check_points(points: Sequence[VectorPoint], dimension: int) -> None:
    """Raise `DimensionMismatchError` unless each point has its vectors, in the right lengths."""
    for point in points:
        if point.vector is None and point.refined is None:
            raise DimensionMismatchError("A point without a vector cannot be stored.")
        if point.vector is not None:
            check_dimension(point.vector, dimension)
        if point.refined is not None:
            check_dimension(point.refined, REFINED_DIMENSION)


def dimension_of(tier: Tier, instant: int) -> int:
    """Return the length of the vectors of a tier; those of the instant one have `instant`."""
    return instant if tier is Tier.INSTANT else REFINED_DIMENSION


def named(point: VectorPoint) -> dict[str, list[float]]:
    """Return the vectors of a point by name."""
    vectors = {INSTANT: point.vector, REFINED: point.refined}
    return {name: vector.tolist() for name, vector in vectors.items() if vector is not None}


def cosine(score: float) -> float:
    """Return the score without the rounding that puts it just outside [-1, 1]."""
    return min(1.0, max(-1.0, score))


def batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield the items in order, at most `BATCH` at a time."""
    for start in range(0, len(items), BATCH):
        yield items[start : start + BATCH]


def alike(points: Sequence[VectorPoint]) -> Iterator[Sequence[VectorPoint]]:
    """Yield the points in order, at most `BATCH` at a time, each time with the same vectors."""
    for _, run in groupby(points, lambda p: (p.vector is None, p.refined is None)):
        yield from batches(list(run))


def matches_nothing(where: Where) -> bool:
    """Tell whether a condition is "one of none", which no point fulfils."""
    return any(not isinstance(v, (str, int)) and len(v) == 0 for v in where.values())
