"""Second vectors of memories, by the finer embedder, filled in behind the first ones."""

import logging
import threading
from collections.abc import Mapping
from concurrent.futures import Future, ThreadPoolExecutor

from core.domain.memory import MemoryKind
from core.errors import ModelError, StoreError
from core.memory.durable import DurableMemory
from core.ports.embedder import Vectors
from core.ports.memory_store import MemoryStore
from core.ports.refiner import Refiner
from core.ports.vector_store import Tier, VectorStore
from core.relatedness import Relatedness

logger = logging.getLogger(__name__)

_AT_ONCE = 8
"""Memories of one step, of about a second: what is lost when the app stops."""
_QUERIES_AT_ONCE = 4


class MemoryRefining:
    """Refines in one thread, learner after learner, and embeds queries. Safe in several threads.

    What is refined is noted with the word index, so that it goes on after a restart and nothing is
    embedded twice. A failure is logged, and tried again when the next memory comes, or at the next
    start; memories are found without.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        vectors: VectorStore,
        durable: Mapping[MemoryKind, DurableMemory],
        refiner: Refiner,
    ) -> None:
        self._store = store
        self._vectors = vectors
        self._durable = durable
        self._refiner = refiner
        self._relatedness = Relatedness(refiner)
        self._changed = threading.Condition()
        self._wanted: dict[str, None] = {}
        self._looked_through: set[str] = set()
        self._refined: set[str] = set()
        self._under_way = False
        self._thread: threading.Thread | None = None
        self._beside = ThreadPoolExecutor(_QUERIES_AT_ONCE, "refined-memory-query")

    def want(self, namespace: str) -> None:
        """Refine what a learner's memories lack, in the background; returns at once."""
        with self._changed:
            self._wanted[namespace] = None
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="memory-refining", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def want_all(self) -> None:
        """Refine what the memories of ALL learners lack, as after a start. Raises `StoreError`."""
        for namespace in self._store.words.namespaces_unrefined():
            self.want(namespace)

    def wait(self, timeout: float) -> bool:
        """Return whether nothing is left to do, at the latest after `timeout` seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._wanted and not self._under_way, timeout)

    def close(self) -> None:
        """Stop after the step under way. `want` begins again."""
        with self._changed:
            self._wanted.clear()
            thread, self._thread = self._thread, None
            self._changed.notify_all()
        if thread is not None:
            thread.join()

    def begin_query(self, text: str, *, namespace: str) -> Future[Vectors] | None:
        """Begin to embed a query, None where no memory has a second vector (yet).

        The future raises `ModelError`.
        """
        if namespace not in self._refined:
            return None
        return self._beside.submit(self._refiner.embed_query, text)

    @property
    def relatedness(self) -> Relatedness:
        """What is related and what not, by the finer embedder."""
        return self._relatedness

    def _run(self) -> None:
        me = threading.current_thread()
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._thread is not me or self._wanted)
                if self._thread is not me:  # closed
                    return
                namespace = next(iter(self._wanted))
                del self._wanted[namespace]  # what is wanted meanwhile is wanted again
                self._under_way = True
            try:
                done = self._step(namespace)
            except (ModelError, StoreError) as exc:
                logger.warning("Memories are not refined further: %s", exc)
                done = True
            with self._changed:
                self._under_way = False
                if not done and self._thread is me:
                    self._wanted[namespace] = None
                self._changed.notify_all()

    def _step(self, namespace: str) -> bool:
        """Refine a few memories; return whether nothing is left."""
        if self._refiner.missing() is not None:
            return True
        self._look_through(namespace)
        words = self._store.words
        ids = words.unrefined(namespace=namespace, limit=_AT_ONCE)
        memories = self._store.many(ids, namespace=namespace)
        windows = {
            point: text
            for memory in memories
            if memory.kind in self._durable
            for point, text in self._durable[memory.kind].windows(memory)
        }
        if windows:
            vectors = self._refiner.embed_documents(list(windows.values()))
            self._vectors.refine(dict(zip(windows, vectors, strict=True)), namespace=namespace)
            self._vectors.flush()
        if ids:
            words.note_refined(ids, namespace=namespace)
            self._note_usable(namespace)
        return len(ids) < _AT_ONCE

    def _look_through(self, namespace: str) -> None:
        """Once for each learner: what is noted as refined must be there."""
        if namespace in self._looked_through:
            return
        words = self._store.words
        words.ensure(namespace=namespace)
        noted = words.refined(namespace=namespace)
        there = self._vectors.count(namespace=namespace, where={}, tier=Tier.REFINED)
        if there < noted:
            words.forget_refined(namespace=namespace)
        elif noted:
            self._note_usable(namespace)
        self._looked_through.add(namespace)

    def _note_usable(self, namespace: str) -> None:
        if namespace not in self._refined:
            self._relatedness.limit()  # measured here, so that no question waits for it
            self._refined.add(namespace)
