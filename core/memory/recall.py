"""Finding memories: by meaning and by words, within a time and a kind of event."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from core.domain.memory import Memory, MemoryHit, MemoryKind
from core.memory.durable import DurableMemory
from core.memory.lexical import overlaps
from core.memory.working import WorkingMemory
from core.ports.embedder import Embedder
from core.ports.memory_store import MemoryStore
from core.relatedness import Relatedness
from core.scoring import fuse, recall_score, scale_by_max
from core.text.letters import letters

LEXICAL_POOL = 2000
"""How many of the newest memories are compared by words; vectors reach all."""
VECTOR_POOL = 50
MIN_OVERLAP = 0.4
"""Share of the query's terms, weighted by rarity, that makes a memory relevant by words alone."""
NOISE = 0.2
"""Hits below this share of the best one's relevance are noise beside it."""
DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which memories are meant. Nothing given in a field means no condition.

    `since` is inclusive, `until` exclusive.
    """

    namespace: str
    kinds: tuple[MemoryKind, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    events: tuple[str, ...] = ()

    def has(self, kind: MemoryKind) -> bool:
        """Tell whether memories of this kind are meant."""
        return not self.kinds or kind in self.kinds

    @property
    def narrowed(self) -> bool:
        """Whether more than kinds is asked for, which the vector store does not know."""
        return bool(self.events) or self.since is not None or self.until is not None


class Recall:
    """Searches working and durable memories together."""

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
        self._relatedness = Relatedness(embedder)

    def within(self, scope: Scope, *, limit: int | None = None) -> list[Memory]:
        """Return the memories of a scope, newest first, at most `limit` of the durable ones."""
        memories: list[Memory] = []
        if scope.has(MemoryKind.WORKING):
            memories += self._working.list(
                namespace=scope.namespace, since=scope.since, until=scope.until
            )
        kinds = [kind for kind in self._durable if scope.has(kind)]
        if kinds:
            memories += self._store.list(
                namespace=scope.namespace,
                kinds=kinds,
                since=scope.since,
                until=scope.until,
                limit=limit,
            )
        if scope.events:
            memories = [m for m in memories if m.event in scope.events]
        return sorted(memories, key=lambda m: m.created_at, reverse=True)

    def all_of(self, scope: Scope) -> list[MemoryHit]:
        """Return everything of a scope, newest first, with relevance 1."""
        return [self._hit(m, 1.0) for m in without_echoes(self.within(scope))]

    def search(self, text: str, scope: Scope) -> list[MemoryHit]:
        """Return what has to do with `text`, best first; `[]` when nothing has."""
        if scope.kinds == (MemoryKind.WORKING,):
            return self._search_working(text, scope)
        memories, cosines = self._candidates(text, scope)
        if not memories:
            return []
        words = overlaps(text, [m.content for m in memories])
        limit = self._relatedness.limit()
        above = [max(0.0, cosines.get(m.id, 0.0) - limit) for m in memories]
        hits = [
            self._hit(memory, _relevance(memory, vector, overlap))
            for memory, vector, overlap in zip(memories, scale_by_max(above), words, strict=True)
            if vector > 0 or overlap >= MIN_OVERLAP
        ]
        best = max((hit.relevance for hit in hits), default=0.0)
        hits = [hit for hit in hits if hit.relevance >= NOISE * best]
        kept = {m.id for m in without_echoes([hit.memory for hit in hits])}
        return sorted((hit for hit in hits if hit.memory.id in kept), key=_rank)

    def _search_working(self, text: str, scope: Scope) -> list[MemoryHit]:
        meant = {m.id for m in self.within(scope)}
        found = self._working.search(text, namespace=scope.namespace)
        return [hit for hit in found if hit.memory.id in meant]

    def _candidates(self, text: str, scope: Scope) -> tuple[list[Memory], dict[str, float]]:
        """Return the memories to compare and the cosines of those that are near."""
        pool = {m.id: m for m in self.within(scope, limit=None if scope.narrowed else LEXICAL_POOL)}
        kinds = [kind for kind in self._durable if scope.has(kind)]
        cosines: dict[str, float] = {}
        if kinds and not (scope.narrowed and not pool):
            vector = self._embedder.embed_query(text)
            for kind in kinds:
                cosines |= self._durable[kind].similar(
                    vector,
                    namespace=scope.namespace,
                    limit=VECTOR_POOL,
                    among=list(pool) if scope.narrowed else None,
                )
        older = [memory_id for memory_id in cosines if memory_id not in pool]
        pool |= {m.id: m for m in self._store.many(older, namespace=scope.namespace)}
        return list(pool.values()), cosines

    def _hit(self, memory: Memory, relevance: float) -> MemoryHit:
        age_days = (self._clock() - memory.created_at) / DAY
        score = recall_score(relevance, age_days, memory.importance)
        return MemoryHit(memory=memory, score=score, relevance=relevance)


def without_echoes(memories: Sequence[Memory]) -> list[Memory]:
    """Leave out working memories of which the same question or text is there as a durable one."""
    durable = [m for m in memories if m.kind is not MemoryKind.WORKING]
    questions = {m.metadata["question_id"] for m in durable if "question_id" in m.metadata}
    texts = {letters(m.content) for m in durable}
    return [
        m
        for m in memories
        if m.kind is not MemoryKind.WORKING
        or (m.metadata.get("question_id") not in questions and letters(m.content) not in texts)
    ]


def _relevance(memory: Memory, vector: float, lexical: float) -> float:
    """Working memory has no vectors: its words count for both."""
    return fuse(lexical if memory.kind is MemoryKind.WORKING else vector, lexical)


def _rank(hit: MemoryHit) -> tuple[float, float, float, str]:
    newest_first = -hit.memory.created_at.timestamp()
    return (-hit.score, -hit.memory.importance, newest_first, hit.memory.id)
