"""Vectors for memories that have none: the embedder was changed, or the index was lost."""

import logging
from collections.abc import Callable, Mapping

from core.domain.memory import MemoryKind
from core.memory.durable import DurableMemory
from core.memory.turns import Turns
from core.ports.memory_store import MemoryStore
from core.ports.vector_store import VectorStore

logger = logging.getLogger(__name__)

_AT_ONCE = 200


class Renewal:
    """Looks once for each learner, when the memory is first used. Thread-safe.

    It takes some milliseconds a memory, once; what a crash interrupts is done at the next start,
    and nothing is embedded that has its vectors. Those in `first` are told of the learner then.
    """

    def __init__(
        self,
        store: MemoryStore,
        vectors: VectorStore,
        durable: Mapping[MemoryKind, DurableMemory],
        turns: Turns,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._durable = durable
        self.first: list[Callable[[str], None]] = []
        self._done: set[str] = set()
        self._turns = turns

    def ensure(self, namespace: str) -> None:
        """Give the memories of a learner their vectors. Raises `ModelError` and `StoreError`."""
        if namespace in self._done:
            return
        with self._turns.of(namespace):
            if namespace not in self._done:
                self._renew(namespace)
                self._done.add(namespace)
                for told in self.first:
                    told(namespace)

    def _renew(self, namespace: str) -> None:
        kept = sum(self._store.count(namespace=namespace).values())
        if self._vectors.count(namespace=namespace, where={}) >= kept:
            return  # every memory has at least one vector
        logger.info("Memories are embedded anew")
        memories = self._store.list(namespace=namespace, kinds=list(self._durable))
        for kind, durable in self._durable.items():
            own = [m for m in memories if m.kind is kind]
            for start in range(0, len(own), _AT_ONCE):
                durable.embed_missing(own[start : start + _AT_ONCE], namespace=namespace)
