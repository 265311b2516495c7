"""What every vector of a model or service has to be. Nothing is padded, cut or made up."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.errors import EmbeddingError
from core.ports.embedder import Vectors

_SMALLEST_NORM = 1e-6


def checked(rows: Sequence[Any] | Vectors, *, count: int, dimension: int, model: str) -> Vectors:
    """Return the rows as L2-normalised vectors of shape (count, dimension).

    Raises `EmbeddingError` when there are more or fewer, when one has another length, or is zero
    or no number.
    """
    if len(rows) != count:
        raise EmbeddingError(f"{model} answered {count} texts with {len(rows)} vectors.")
    if not count:
        return np.empty((0, dimension), dtype=np.float32)
    lengths = {len(row) for row in rows if isinstance(row, Sequence | np.ndarray)}
    if lengths != {dimension}:
        found = ", ".join(str(length) for length in sorted(lengths)) or "none"
        raise EmbeddingError(
            f"{model} gave vectors of length {found}, not {dimension}.",
            remedy=f"Set EMBED_DIMENSION to the length of this model's vectors ({found}).",
        )
    try:
        vectors = np.asarray(rows, dtype=np.float32)
    except (TypeError, ValueError) as exc:
        raise EmbeddingError(f"{model} gave vectors that are no numbers.") from exc
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or float(norms.min()) < _SMALLEST_NORM:
        raise EmbeddingError(f"{model} gave a vector without direction (zero or no number).")
    normalised: Vectors = vectors / norms
    return normalised
