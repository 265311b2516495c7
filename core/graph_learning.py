"""What the knowledge graph learns from a learner's memories and answers, and forgets with them."""

import logging
import re
import threading
from collections.abc import Callable, Sequence

from core.afterwards import Afterwards
from core.domain.graph import SourceKind
from core.domain.memory import Memory, MemoryKind, MemoryState
from core.errors import ModelError, NotFoundError, StoreError
from core.graph.knowledge import KnowledgeGraph
from core.memory.engine import MemoryEngine
from core.memory.query import FACT, MEMORY, NOTE

logger = logging.getLogger(__name__)

_OWN = frozenset({NOTE, FACT, MEMORY})
"""Events of what the learner wrote or said; what documents say is read from the documents."""
_MARK = re.compile(r"\s*\[\d+\]")


class GraphLearning:
    """Keeps the graph in step with memories. Thread-safe.

    Learning happens a little later, forgetting at once; `catch_up` learns what a crash took.
    """

    def __init__(self, graph: KnowledgeGraph, memory: MemoryEngine, afterwards: Afterwards) -> None:
        self._graph = graph
        self._memory = memory
        self._afterwards = afterwards
        self._caught_up: set[str] = set()
        self._lock = threading.Lock()

    def added(self, memory: Memory, namespace: str) -> None:
        """Learn what a memory says, if the learner said it."""
        if memory.kind is MemoryKind.SEMANTIC and memory.event in _OWN:
            self._afterwards.later(lambda: self._learn(memory, namespace))

    def answered(self, asked: Memory, text: str, namespace: str) -> None:
        """Learn what a model answered; the memory of the question is the source."""
        said = _MARK.sub("", text)

        def learn() -> None:
            self._graph.learn_answer(asked, said, namespace=namespace)

        self._afterwards.later(lambda: self._kept_in_step(asked.id, namespace, learn))

    def removed(self, ids: Sequence[str], namespace: str) -> None:
        """Forget what only these memories say. Raises `StoreError`."""
        known = set(self._graph.sources(SourceKind.MEMORY, namespace=namespace))
        for memory_id in known.intersection(ids):
            self._graph.forget_source(SourceKind.MEMORY, memory_id, namespace=namespace)

    def document_removed(self, document_id: str, namespace: str) -> None:
        """Forget what only a document says, in answers from it too. Raises `StoreError`."""
        self._graph.forget_source(SourceKind.DOCUMENT, document_id, namespace=namespace)
        asked = self._memory.list(namespace=namespace, kinds=[MemoryKind.EPISODIC], states=())
        self.removed([m.id for m in asked if _is_about(m, document_id)], namespace)

    def catch_up(self, namespace: str) -> None:
        """Learn what a crash left out; looks once for each learner."""
        with self._lock:
            if namespace in self._caught_up:
                return
            self._caught_up.add(namespace)
        known = set(self._graph.sources(SourceKind.MEMORY, namespace=namespace))
        own = self._memory.list(
            namespace=namespace, kinds=[MemoryKind.SEMANTIC], events=sorted(_OWN)
        )
        for memory in own:
            if memory.id not in known:
                self.added(memory, namespace)

    def _learn(self, memory: Memory, namespace: str) -> None:
        def learn() -> None:
            self._graph.learn_memory(memory, namespace=namespace)

        self._kept_in_step(memory.id, namespace, learn)

    def _kept_in_step(self, memory_id: str, namespace: str, learn: Callable[[], None]) -> None:
        """Learn of a memory, unless it does not count before or after that."""
        if not self._counts(memory_id, namespace):
            return
        try:
            learn()
        except (ModelError, StoreError) as exc:
            logger.warning("A memory is not read into the graph: %s", exc)
        if not self._counts(memory_id, namespace):  # deleted meanwhile
            self._graph.forget_source(SourceKind.MEMORY, memory_id, namespace=namespace)

    def _counts(self, memory_id: str, namespace: str) -> bool:
        try:
            memory = self._memory.get(memory_id, namespace=namespace)
        except NotFoundError:
            return False
        return memory.state is MemoryState.CURRENT


def _is_about(memory: Memory, document_id: str) -> bool:
    listed = memory.metadata.get("document_ids")
    return isinstance(listed, list) and document_id in listed
