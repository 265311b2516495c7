"""What was seen or heard, by an encoder's own vectors, in a collection of their own."""

import threading
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from core.domain.memory import MemoryKind
from core.domain.perception import Modality
from core.ports.embedder import Vectors
from core.ports.perceptual_encoder import PerceptualEncoder
from core.ports.vector_store import VectorPoint, VectorStore
from core.relatedness import everyday_texts
from core.scoring import chance_limit, scale_by_max

_MICRO = 1_000_000
"""Payloads hold whole numbers: the spread is kept in millionths."""
_LEAST_LENGTH = 1e-6


class EncodedSpace:
    """The vectors of one modality by one encoder. Thread-safe.

    Cosines of a text with a picture are small and differ from picture to picture, so they are not
    compared with a fixed number: each picture is measured against everyday texts when it is added,
    and a query counts by how many of their standard deviations better it fits
    (`core.scoring.chance_limit`).
    """

    def __init__(
        self, modality: Modality, encoder: PerceptualEncoder, vectors: VectorStore
    ) -> None:
        self.modality = modality
        self.vectors = vectors
        self._encoder = encoder
        self._lock = threading.Lock()
        self._everyday: Vectors | None = None

    def add(self, views: Mapping[str, Path], *, namespace: str) -> None:
        """Keep what the views (by memory id) show. Raises `ModelError` and `StoreError`."""
        if not views:
            return
        encoded = self._encoder.encode_files(list(views.values()))
        spreads = (encoded @ self._everyday_vectors().T).std(axis=1)
        points = [
            VectorPoint(
                str(uuid.uuid5(uuid.NAMESPACE_OID, f"{memory_id}/{self.modality.value}")),
                vector,
                {
                    "kind": MemoryKind.PERCEPTUAL.value,
                    "memory_id": memory_id,
                    "modality": self.modality.value,
                    "spread": max(1, round(float(spread) * _MICRO)),
                },
            )
            for memory_id, vector, spread in zip(views, encoded, spreads, strict=True)
        ]
        self.vectors.upsert(points, namespace=namespace)

    def has(self, memory_id: str, *, namespace: str) -> bool:
        """Tell whether a memory's file is encoded."""
        return self.vectors.count(namespace=namespace, where={"memory_id": memory_id}) > 0

    def delete(self, ids: Sequence[str], *, namespace: str) -> None:
        """Delete the vectors of these memories."""
        self.vectors.delete(namespace=namespace, where={"memory_id": list(ids)})

    def clear(self, *, namespace: str) -> None:
        """Delete all vectors of the namespace."""
        self.vectors.delete(namespace=namespace, where={})

    def by_text(
        self, text: str, *, namespace: str, limit: int, among: Sequence[str] | None = None
    ) -> dict[str, float]:
        """Return what a text describes, by memory id: in (0, 1], the best one 1; `{}` for nothing.

        Raises `ModelError` and `StoreError`.
        """
        middle = self._everyday_vectors().mean(axis=0)
        direction = self._encoder.encode_texts([text])[0] - middle
        length = float(np.linalg.norm(direction))
        if length < _LEAST_LENGTH:
            return {}
        where = _where(among)
        found = self.vectors.search(
            direction / length, namespace=namespace, where=where, limit=limit
        )
        chance = chance_limit(self.vectors.count(namespace=namespace, where=where))
        spreads = [_spread(hit.payload) / _MICRO for hit in found]
        # one picture's spread is that of few texts: one that is small by chance counts as usual
        usual = float(np.sqrt(np.mean(np.square(spreads)))) if spreads else 0.0
        # score * length is the text's cosine with the picture less the mean of the everyday texts'
        above = {
            str(hit.payload["memory_id"]): hit.score * length / max(spread, usual) - chance
            for hit, spread in zip(found, spreads, strict=True)
        }
        strengths = scale_by_max(list(above.values()))
        return {i: s for i, s in zip(above, strengths, strict=True) if s > 0}

    def by_file(self, view: Path, *, namespace: str, limit: int) -> dict[str, float]:
        """Return what looks or sounds like a view: cosines by memory id, nearest first.

        Raises `ModelError` and `StoreError`.
        """
        vector = self._encoder.encode_files([view])[0]
        found = self.vectors.search(vector, namespace=namespace, where={}, limit=limit)
        return {str(hit.payload["memory_id"]): hit.score for hit in found}

    def _everyday_vectors(self) -> Vectors:
        with self._lock:
            if self._everyday is None:
                self._everyday = self._encoder.encode_texts(everyday_texts())
            return self._everyday


def _where(among: Sequence[str] | None) -> dict[str, Sequence[str]]:
    return {} if among is None else {"memory_id": among}


def _spread(payload: Mapping[str, object]) -> int:
    return int(str(payload["spread"]))
