"""Port: texts to vectors."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Embedder(Protocol):
    """Maps texts to L2-normalised vectors. Safe to call from several threads."""

    @property
    def name(self) -> str:
        """Model and version, as recorded with an index."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    @property
    def window_tokens(self) -> int:
        """Texts up to this many tokens (`core.text.tokens.count_tokens`) are read whole."""

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimension), rows as `texts`. Raises `ModelError`."""

    def embed_query(self, text: str) -> Vectors:
        """Return shape (dimension,). Raises `ModelError`."""
