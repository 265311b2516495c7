"""The tutorial's way of ranking memories: its printed formulas, one for each kind.

*Hello-Agents*, chapter 8, section 8.2.5. Cosines are taken as they are and recency counts for a
fifth; what this costs is told in docs/memory-recall.md.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.memory.durable import DurableMemory
from core.memory.working import WorkingMemory
from core.ports.embedder import Embedder
from core.ports.memory_store import MemoryStore
from core.scoring import episodic_score, perceptual_score, semantic_relevance, semantic_score

LIMIT = 5
"""How many are asked for when nobody says (the tutorial's `limit`)."""
_POOL = {MemoryKind.EPISODIC: 5, MemoryKind.SEMANTIC: 2, MemoryKind.PERCEPTUAL: 5}
"""So many times the limit the nearest vectors are looked at, as printed."""
_LEAST_POOL = {MemoryKind.PERCEPTUAL: 20}
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


class GraphScores(Protocol):
    """How near memories are to a query by the knowledge graph."""

    def __call__(self, query: str, *, namespace: str) -> Mapping[str, float]:
        """Return graph similarities in [0, 1] by memory id; those left out have 0."""


def no_graph(query: str, *, namespace: str) -> Mapping[str, float]:
    """Return nothing: graph similarity is 0 for all."""
    return {}


class TutorialScorer:
    """Ranks by the formulas of `core.scoring`."""

    def __init__(
        self,
        *,
        working: WorkingMemory,
        durable: Mapping[MemoryKind, DurableMemory],
        store: MemoryStore,
        embedder: Embedder,
        clock: Callable[[], datetime],
    ) -> None:
        self._working = working
        self._durable = durable
        self._store = store
        self._embedder = embedder
        self._clock = clock

    def search(
        self,
        text: str,
        *,
        working: Collection[str],
        durable: Collection[str],
        kinds: Sequence[MemoryKind],
        namespace: str,
        graph: GraphScores,
        limit: int | None,
    ) -> list[MemoryHit]:
        """Return the best `limit` (5 when None) of the memories with these ids, of all kinds.

        `relevance` is the similarity of a hit before recency and importance. Raises `ModelError`
        and `StoreError`.
        """
        limit = LIMIT if limit is None else limit
        found = self._working.search(text, namespace=namespace) if working else []
        hits = [hit for hit in found if hit.memory.id in working]
        if durable and kinds:
            vector = self._embedder.embed_query(text)
            for kind in kinds:
                pool = max(_POOL[kind] * limit, _LEAST_POOL.get(kind, 0))
                cosines = self._durable[kind].similar(
                    vector, namespace=namespace, limit=pool, among=list(durable)
                )
                near = graph(text, namespace=namespace) if kind is MemoryKind.SEMANTIC else {}
                ids = [i for i in dict.fromkeys((*cosines, *near)) if i in durable]
                for memory in self._store.many(ids, namespace=namespace):
                    if memory.kind is kind:
                        cosine, graph_score = cosines.get(memory.id, 0.0), near.get(memory.id, 0.0)
                        hits.append(self._hit(memory, cosine, graph_score))
        hits.sort(key=lambda hit: (-hit.score, -hit.memory.created_at.timestamp(), hit.memory.id))
        return hits[:limit]

    def _hit(self, memory: Memory, cosine: float, graph: float) -> MemoryHit:
        age = self._clock() - memory.created_at
        if memory.kind is MemoryKind.SEMANTIC:
            relevance = semantic_relevance(cosine, graph)
            score = semantic_score(cosine, graph, memory.importance)
        elif memory.kind is MemoryKind.EPISODIC:
            relevance = cosine
            score = episodic_score(cosine, age / DAY, memory.importance)
        else:
            relevance = cosine
            score = perceptual_score(cosine, age / HOUR, memory.importance)
        return MemoryHit(memory=memory, score=score, relevance=relevance)
