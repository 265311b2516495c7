"""TF-IDF in vectors of one length: the tutorial's light embedder, fitted to what is indexed.

A text's terms (`core.text.terms`: English stems, Chinese characters and their pairs) weigh
(1 + ln tf) * idf. Each term goes to four of the 1023 places of a vector, with signs, all chosen by
its hash: a sparse random projection (Weinberger et al., Feature Hashing, 2009; four places instead
of one, as in Kane and Nelson, Sparser Johnson-Lindenstrauss Transforms, 2014). So the length does
not depend on the vocabulary, new words need no new dimension, and no list of words is kept; the
cosine of two texts is that of their TF-IDF vectors plus a chance part of about 0.03. The last
place belongs to texts without any term, so that no vector is zero.

It finds words, not meaning: nothing across languages.
"""

import hashlib
import logging
import threading
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.embeddings.tfidf_fit import Fit, FitFolder
from core.ports.embedder import Vectors
from core.text.terms import terms

logger = logging.getLogger(__name__)

DIMENSION = 1024
_WORDLESS = DIMENSION - 1
_PLACES = 4
_REMEMBERED_TERMS = 50_000
_REMEMBERED_TEXTS = 200_000
VERSION = 1
"""Goes up when a fit would mean other vectors than before."""


class TfidfEmbedder:
    """The fit of a folder, taken up at the first use and kept until the process ends.

    What it embeds as documents is counted for the next fit (see `FitFolder`). Another fit makes
    other vectors, so it is another embedder by `name`. `fit` names an older one, which is not
    counted for. Thread-safe.
    """

    dimension = DIMENSION
    window_tokens = 8000
    """The longest chunk that settings allow: texts of any length are read whole."""

    def __init__(self, folder: Path, *, fit: str | None = None) -> None:
        self._folder = FitFolder(folder)
        self._wanted = fit
        self._lock = threading.Lock()
        self._fit: Fit | None = None
        self._seen: set[int] = set()

    @property
    def name(self) -> str:
        """See `Embedder.name`. Reads the fit at the first call. Raises `StoreError`."""
        return name_of_fit(self._current().id)

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        fit = self._current()
        counted = [Counter(terms(text)) for text in texts]
        if self._wanted is None:
            self._count(texts, counted)
        rows = [_vector(counts, fit) for counts in counted]
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return _vector(Counter(terms(text)), self._current())

    def _current(self) -> Fit:
        with self._lock:
            if self._fit is None:
                if self._wanted is None:
                    self._fit = self._folder.take_up()
                else:
                    self._fit = self._folder.read(self._wanted)
            return self._fit

    def _count(self, texts: Sequence[str], counted: Sequence[Counter[str]]) -> None:
        """Count the texts that this process has not embedded before."""
        new: list[list[int]] = []
        with self._lock:
            if len(self._seen) > _REMEMBERED_TEXTS:
                self._seen.clear()
            for text, counts in zip(texts, counted, strict=True):
                mark = hash(text)
                if counts and mark not in self._seen:
                    self._seen.add(mark)
                    new.append([_hashed(term).bucket for term in counts])
            if new:
                self._folder.count(new)


def name_of_fit(fit: str) -> str:
    """Return the name of the embedder of a fit."""
    return f"tfidf:{VERSION}/{DIMENSION}/{fit}"


def former_fit(folder: Path, name: str) -> TfidfEmbedder | None:
    """Return the embedder of an older fit by its name; None when that fit is not there any more."""
    prefix = name_of_fit("")
    fit = name[len(prefix) :]
    if not name.startswith(prefix) or not FitFolder(folder).holds(fit):
        return None
    return TfidfEmbedder(folder, fit=fit)


class _Hashed:
    """Where a term goes: its places with signs in a vector, its bucket in the counters."""

    __slots__ = ("bucket", "places", "signs")

    def __init__(self, term: str) -> None:
        digest = hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=16).digest()
        numbers = np.frombuffer(digest, dtype="<u2")
        self.bucket = int(numbers[0])
        self.places: NDArray[np.int64] = numbers[1 : 1 + _PLACES].astype(np.int64) % _WORDLESS
        bits = (int(numbers[-1]) >> np.arange(_PLACES)) & 1
        self.signs: NDArray[np.float32] = (1 - 2 * bits).astype(np.float32)


@lru_cache(maxsize=_REMEMBERED_TERMS)
def _hashed(term: str) -> _Hashed:
    return _Hashed(term)


def _vector(counts: Counter[str], fit: Fit) -> Vectors:
    """Return the normalised vector of a text by its terms."""
    vector = np.zeros(DIMENSION, dtype=np.float32)
    if counts:
        hashed = [_hashed(term) for term in counts]
        frequencies = np.fromiter(counts.values(), dtype=np.float32, count=len(counts))
        idf = fit.idf[[h.bucket for h in hashed]]
        weights = (1 + np.log(frequencies)) * idf
        values = np.stack([h.signs for h in hashed]) * weights[:, None]
        np.add.at(vector, np.stack([h.places for h in hashed]).ravel(), values.ravel())
    norm = float(np.linalg.norm(vector))
    if norm == 0.0:
        vector[_WORDLESS] = norm = 1.0
    normalised: Vectors = vector / np.float32(norm)
    return normalised
