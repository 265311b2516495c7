"""Stand-ins for what comes from outside: time, ids, a model of meaning."""

import hashlib
import threading
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from core.ports.embedder import Vectors
from core.text.terms import terms

MONDAY = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self, now: datetime = MONDAY) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **by: float) -> None:
        """Move on, e.g. `forward(days=1, hours=2)`."""
        self.now += timedelta(**by)


class IdCounter:
    """UUIDs that count up: the same ones in every run."""

    def __init__(self) -> None:
        self._next = 0
        self._lock = threading.Lock()

    def __call__(self) -> str:
        with self._lock:
            self._next += 1
            return str(uuid.UUID(int=self._next))


class WordEmbedder:
    """Vectors of words: texts with more words in common are nearer.

    Each term is a fixed random direction (seeded by its hash). `same` lists groups of words that
    mean the same, across languages: they share one direction.
    """

    name = "words-1"
    window_tokens = 100

    def __init__(self, *same: Sequence[str], dimension: int = 256) -> None:
        self.dimension = dimension
        self.seen: list[str] = []
        self._same = {t: group[0] for group in same for word in group for t in terms(word)}
        self._directions: dict[str, Vectors] = {}

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        rows = [self._vector(text) for text in texts]
        return np.asarray(rows, dtype=np.float32).reshape(len(rows), self.dimension)

    def embed_query(self, text: str) -> Vectors:
        return self._vector(text)

    def _vector(self, text: str) -> Vectors:
        directions = [self._direction(self._same.get(t, t)) for t in terms(text)]
        total = np.sum(directions or [self._direction("")], axis=0)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)

    def _direction(self, term: str) -> Vectors:
        if term not in self._directions:
            seed = int.from_bytes(hashlib.sha256(term.encode()).digest()[:8], "big")
            self._directions[term] = np.random.default_rng(seed).standard_normal(self.dimension)
        return self._directions[term]
