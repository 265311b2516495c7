"""Episodic and semantic memory: records that last, found by meaning."""

import builtins
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar

from core.domain.memory import Memory, MemoryKind
from core.errors import NotFoundError, StoreError
from core.ports.embedder import Embedder, Vectors
from core.ports.memory_store import MemoryStore
from core.ports.vector_store import Tier, VectorPoint, VectorStore
from core.text.sentences import sentence_spans
from core.text.tokens import count_tokens

WINDOW_TOKENS = 60
"""Longest stretch that gets a vector of its own: a thought drowns among many others."""


class DurableMemory:
    """One kind of memory in a record store and a vector store.

    A memory exists when its record does. So the vectors are written first and the record last, and
    deleting goes the same way: a failure in between leaves either a whole memory or vectors without
    a record, which hold no text and which no search returns.
    """

    kind: ClassVar[MemoryKind]

    def __init__(self, *, store: MemoryStore, vectors: VectorStore, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory whole or not at all. Raises `ModelError` and `StoreError`."""
        self.add_all([memory], namespace=namespace)

    def add_all(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Store several memories, all or none. Raises `ModelError` and `StoreError`."""
        self._vectors.upsert(self._points(memories), namespace=namespace)
        try:
            self._store.add_all(memories, namespace=namespace)
        except StoreError:
            ids = [memory.id for memory in memories]
            self._vectors.delete(namespace=namespace, where={"memory_id": ids})
            raise

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return a memory of this kind. Raises `NotFoundError` and `StoreError`."""
        memory = self._store.get(memory_id, namespace=namespace)
        if memory.kind is not self.kind:
            raise NotFoundError("This memory is not there (any more).")
        return memory

    def update(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory as it is now; its uses and sightings stay as they are stored.

        Raises `NotFoundError`, `ModelError` and `StoreError`.
        """
        before = self.get(memory.id, namespace=namespace)
        if before.content != memory.content:
            self._vectors.delete(namespace=namespace, where={"memory_id": memory.id})
            self._vectors.upsert(self._points([memory]), namespace=namespace)
        if not self._store.update_all([memory], namespace=namespace):
            self._vectors.delete(namespace=namespace, where={"memory_id": memory.id})
            raise NotFoundError("This memory is not there (any more).")

    def list(
        self, *, namespace: str, since: datetime | None = None, until: datetime | None = None
    ) -> builtins.list[Memory]:
        """Return what is there, newest first; `since` is inclusive, `until` exclusive."""
        return self._store.list(namespace=namespace, kinds=[self.kind], since=since, until=until)

    def count(self, *, namespace: str) -> int:
        """Return how many there are, whatever their state."""
        return self._store.count(namespace=namespace).get(self.kind, 0)

    def clear(self, *, namespace: str) -> None:
        """Delete everything of the namespace, vectors first. Raises `StoreError`."""
        self._vectors.delete(namespace=namespace, where={"kind": self.kind.value})
        ids = [memory.id for memory in self.list(namespace=namespace)]
        self._store.delete_all(ids, namespace=namespace)

    def embed_missing(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Write the vectors of those stored memories that have none."""
        missing = [
            memory
            for memory in memories
            if not self._vectors.count(namespace=namespace, where={"memory_id": memory.id})
        ]
        if missing:
            self._vectors.upsert(self._points(missing), namespace=namespace)

    def embed(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Write the vectors of memories, over those that are there of another kind."""
        self._vectors.upsert(self._points(memories), namespace=namespace)

    def _points(self, memories: Sequence[Memory]) -> builtins.list[VectorPoint]:
        found = [(memory, *window) for memory in memories for window in self.windows(memory)]
        embedded = self._embedder.embed_documents([window for _, _, window in found])
        return [
            VectorPoint(point_id, vector, self._payload(memory))
            for (memory, point_id, _), vector in zip(found, embedded, strict=True)
        ]

    def windows(self, memory: Memory) -> builtins.list[tuple[str, str]]:
        """Return the point id and the text of each stretch that has a vector of its own."""
        tokens = min(WINDOW_TOKENS, self._embedder.window_tokens)
        texts = in_windows(memory.content, tokens)
        return [(_point_id(memory.id, n), text) for n, text in enumerate(texts)]

    def similar(
        self,
        vector: Vectors,
        *,
        namespace: str,
        limit: int,
        among: Sequence[str] | None = None,
        tier: Tier = Tier.INSTANT,
    ) -> dict[str, float]:
        """Return the cosines of the `limit` nearest by memory id; `among` narrows to those ids."""
        where: dict[str, str | Sequence[str]] = {"kind": self.kind.value}
        if among is not None:
            where["memory_id"] = among
        similarity: dict[str, float] = {}
        for hit in self._vectors.search(
            vector, namespace=namespace, where=where, limit=limit, tier=tier
        ):
            similarity.setdefault(str(hit.payload["memory_id"]), hit.score)
        return similarity

    def across(
        self, text: str, *, namespace: str, limit: int, among: Sequence[str] | None = None
    ) -> dict[str, float]:
        """Return memories whose picture or recording a text describes, found by encoders.

        By memory id, in (0, 1], the best one of each modality 1: comparable with text cosines above
        the limit of the related, scaled by their best. `{}` for none, and without an encoder.
        Raises `ModelError`, `ConfigurationError` and `StoreError`.
        """
        return {}

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Delete vectors and record. Raises `StoreError`; after it, deleting again completes it."""
        self._vectors.delete(namespace=namespace, where={"memory_id": memory_id})
        self._store.delete(memory_id, namespace=namespace)

    def delete_all(self, ids: Sequence[str], *, namespace: str) -> None:
        """Delete the vectors and records of several memories. Raises `StoreError`."""
        if ids:
            self._vectors.delete(namespace=namespace, where={"memory_id": list(ids)})
            self._store.delete_all(ids, namespace=namespace)

    def _payload(self, memory: Memory) -> dict[str, str | int]:
        return {"kind": self.kind.value, "memory_id": memory.id}


class EpisodicMemory(DurableMemory):
    """What happened when: documents loaded, questions answered."""

    kind = MemoryKind.EPISODIC


class SemanticMemory(DurableMemory):
    """What is known: the learner's notes."""

    kind = MemoryKind.SEMANTIC


def in_windows(text: str, tokens: int) -> list[str]:
    """Cut a text into runs of whole sentences of at most `tokens` tokens, in order.

    A longer sentence is cut by words, and a word of CJK characters by characters.
    """
    if count_tokens(text) <= tokens:
        return [text]
    windows: list[str] = []
    for start, end in sentence_spans(text):
        for part in _parts(text[start:end], tokens):
            joined = f"{windows[-1]} {part}" if windows else part
            if windows and count_tokens(joined) <= tokens:
                windows[-1] = joined
            else:
                windows.append(part)
    return windows


def _parts(sentence: str, tokens: int) -> list[str]:
    if count_tokens(sentence) <= tokens:
        return [sentence]
    middle = len(sentence) // 2
    space = sentence.rfind(" ", 0, middle)
    cut = space if space > 0 else middle
    return _parts(sentence[:cut].strip(), tokens) + _parts(sentence[cut:].strip(), tokens)


def _point_id(memory_id: str, window: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"{memory_id}/{window}"))
