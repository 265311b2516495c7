"""What the vector stores share: the names in the schema, and the checks before a call."""

from collections.abc import Iterator, Sequence

from core.errors import DimensionMismatchError
from core.ports.embedder import Vectors
from core.ports.vector_store import VectorPoint, Where

INSTANT = "instant"
"""The named vector that every point has."""

REFINED = "refined"
"""The named vector reserved for a refining embedder; points may lack it."""

REFINED_DIMENSION = 384

NAMESPACE_KEY = "ns"
"""Payload key of the owner; the tenant index."""

FILTER_KEYS = ("document_id", "chunk_id", "kind")
"""Payload keys with an index, besides the owner."""

BATCH = 500
"""Points of one write: with 512 dimensions some 5 MB as JSON, a server takes at most 32."""


def check_dimension(vector: Vectors, dimension: int) -> None:
    """Raise `DimensionMismatchError` unless the vector has shape (dimension,)."""
    if vector.shape != (dimension,):
        raise DimensionMismatchError(
            f"The search index holds vectors of length {dimension}; "
            f"this one has the shape {vector.shape}."
        )


def cosine(score: float) -> float:
    """Return the score without the rounding that puts it just outside [-1, 1]."""
    return min(1.0, max(-1.0, score))


def batches(points: Sequence[VectorPoint]) -> Iterator[Sequence[VectorPoint]]:
    """Yield the points in order, at most `BATCH` at a time."""
    for start in range(0, len(points), BATCH):
        yield points[start : start + BATCH]


def matches_nothing(where: Where) -> bool:
    """Tell whether a condition is "one of none", which no point fulfils."""
    return any(not isinstance(v, (str, int)) and len(v) == 0 for v in where.values())
