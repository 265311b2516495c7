"""Finding memories: by meaning and by words, within a time and a kind of event."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from core.domain.memory import Memory, MemoryHit, MemoryKind, MemoryState, Scorer
from core.memory.durable import DurableMemory
from core.memory.named_times import named_times
from core.memory.postings import Floats, Mask
from core.memory.ranking import QueryWords, by_meaning, eligible, fitting
from core.memory.refinement import MemoryRefining
from core.memory.tutorial_scorer import GraphScores, TutorialScorer, no_graph
from core.memory.word_index import WordIndex
from core.memory.word_indexes import WordIndexes
from core.memory.working import WorkingMemory
from core.ports.embedder import Embedder, Vectors
from core.ports.memory_store import MemoryStore
from core.ports.vector_store import Tier
from core.relatedness import Relatedness
from core.scoring import RECALL, fuse, recall_score
from core.text.indexed import indexed
from core.text.letters import letters

VECTOR_POOL = 500
"""So many nearest windows of each kind are looked at; words reach all memories."""
MOST_NAMED = 2000
"""Up to so many memories the vector store is told which ones are meant."""
MIN_OVERLAP = 0.4
"""Share of the query's terms, weighted by rarity, that makes a memory relevant by words alone."""
NOISE = 0.2
"""Hits below this share of the best one's relevance are noise beside it."""
DAY = timedelta(days=1)
CURRENT = (MemoryState.CURRENT,)


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
    states: tuple[MemoryState, ...] = CURRENT
    min_importance: float = 0.0

    def has(self, kind: MemoryKind) -> bool:
        """Tell whether memories of this kind are meant."""
        return not self.kinds or kind in self.kinds

    def holds(self, memory: Memory) -> bool:
        """Tell whether a memory is meant, its time aside."""
        return (
            self.has(memory.kind)
            and (not self.events or memory.event in self.events)
            and (not self.states or memory.state in self.states)
            and memory.importance >= self.min_importance
        )


class Recall:
    """Searches working and durable memories together.

    `graph` is used by the tutorial's scorer alone; `refining` where there is a finer embedder.
    """

    def __init__(
        self,
        *,
        working: WorkingMemory,
        durable: Mapping[MemoryKind, DurableMemory],
        store: MemoryStore,
        embedder: Embedder,
        clock: Callable[[], datetime],
        refining: MemoryRefining | None = None,
        graph: GraphScores = no_graph,
    ) -> None:
        self._working = working
        self._durable = durable
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self.refining = refining
        self._relatedness = Relatedness(embedder)
        self._indexes = WordIndexes(store.words)
        self._tutorial = TutorialScorer(
            working=working, durable=durable, store=store, embedder=embedder, clock=clock
        )
        self.graph = graph

    def within(self, scope: Scope) -> list[Memory]:
        """Return the memories of a scope, newest first."""
        memories = self._working_within(scope)
        kinds = [kind for kind in self._durable if scope.has(kind)]
        if kinds:
            memories += self._store.list(
                namespace=scope.namespace,
                kinds=kinds,
                since=scope.since,
                until=scope.until,
                states=scope.states,
                events=scope.events,
            )
        memories = [m for m in memories if m.importance >= scope.min_importance]
        return sorted(memories, key=lambda m: m.created_at, reverse=True)

    def all_of(self, scope: Scope, *, limit: int | None = None) -> list[MemoryHit]:
        """Return everything of a scope, newest first, with relevance 1."""
        return [self._hit(m, 1.0) for m in without_echoes(self.within(scope))[:limit]]

    def find(
        self, text: str, scope: Scope, *, limit: int | None, scorer: Scorer = Scorer.DEFAULT
    ) -> list[MemoryHit]:
        """`search`, and `all_of` where there is no text to search for."""
        if text:
            return self.search(text, scope, limit=limit, scorer=scorer)
        return self.all_of(scope, limit=limit)

    def search(
        self,
        text: str,
        scope: Scope,
        *,
        limit: int | None = None,
        scorer: Scorer = Scorer.DEFAULT,
    ) -> list[MemoryHit]:
        """Return what has to do with `text`, best first; `[]` when nothing has.

        At most `limit` over all kinds; the tutorial's scorer takes as many as its formulas are
        printed for. Raises `ModelError` and `StoreError`.
        """
        index = self._indexes.of(scope.namespace)
        chosen = index.chosen(
            kinds=scope.kinds,
            states=scope.states,
            events=scope.events,
            since=scope.since,
            until=scope.until,
            min_importance=scope.min_importance,
        )
        working = self._working_within(scope)
        if scorer is Scorer.TUTORIAL:
            among = {index.ids[row] for row in np.flatnonzero(chosen)}
            return self._tutorial.search(
                text,
                working={memory.id for memory in working},
                durable=among,
                kinds=[kind for kind in self._durable if scope.has(kind)],
                namespace=scope.namespace,
                graph=self.graph,
                limit=limit,
            )
        if scope.kinds == (MemoryKind.WORKING,):
            found = self._working.search(text, namespace=scope.namespace)
            meant = {memory.id for memory in working}
            return [hit for hit in found if hit.memory.id in meant][:limit]
        if not working and not chosen.any():
            return []
        return self._ranked(text, scope, index, chosen, working, limit)

    def _ranked(
        self,
        text: str,
        scope: Scope,
        index: WordIndex,
        chosen: Mask,
        working: Sequence[Memory],
        limit: int | None,
    ) -> list[MemoryHit]:
        words = QueryWords(text, index, [indexed(memory) for memory in working])
        rows, around = words.scores(), words.around()
        meaning, near = self._meaning(text, scope, index, chosen)
        related = chosen & eligible(rows.coverage, near, index, MIN_OVERLAP)
        told = around.coverage >= MIN_OVERLAP
        best = max(_top(rows.bm25 * related), _top(around.bm25 * told), 1e-9)
        times, _ = named_times(text, self._clock())
        relevance = fuse(meaning, rows.bm25 * related / best) * related
        relevance *= fitting(text, index, times)
        # working memory has no vectors: its words count for both
        of_working = around.bm25 * told / best
        floor = NOISE * max(_top(relevance), _top(of_working))
        kept = {index.ids[n]: float(relevance[n]) for n in _above(relevance, floor)}
        hits = [self._hit(working[n], float(of_working[n])) for n in _above(of_working, floor)]
        return self._best(kept, index, hits, scope, limit)

    def _best(
        self,
        relevance: Mapping[str, float],
        index: WordIndex,
        working: Sequence[MemoryHit],
        scope: Scope,
        limit: int | None,
    ) -> list[MemoryHit]:
        """Return the best hits. Only so many memories are read as can be among them."""
        ids = sorted(relevance, key=lambda i: (-self._score(i, relevance[i], index), i))
        if limit is not None:
            ids = ids[: limit + len(working)]
        memories = self._store.many(ids, namespace=scope.namespace)
        # what was changed since the index was read is judged as it is now
        hits = [self._hit(m, relevance[m.id]) for m in memories if scope.holds(m)]
        hits += working
        kept = {m.id for m in without_echoes([hit.memory for hit in hits])}
        return sorted((hit for hit in hits if hit.memory.id in kept), key=_rank)[:limit]

    def _meaning(
        self, text: str, scope: Scope, index: WordIndex, chosen: Mask
    ) -> tuple[Floats, list[int]]:
        """Return the strength by meaning of each row, and the rows that are near by it alone."""
        strength = np.zeros(len(index.ids))
        kinds = [kind for kind in self._durable if index.has_kind(kind, chosen)]
        if not kinds:
            return strength, []
        finer = None
        if self.refining is not None:
            finer = self.refining.begin_query(text, namespace=scope.namespace)
        look = _Look(self._durable, kinds, scope.namespace, index, chosen)
        edge = self._relatedness.limit()
        cosines = look.near(self._embedder.embed_query(text))
        near = {row for row, cosine in cosines.items() if cosine > edge}
        if near:
            strength = by_meaning(cosines, index, edge)
        if finer is not None and self.refining is not None:
            refined = look.near(finer.result(), Tier.REFINED)
            unlike = self.refining.relatedness
            near |= {row for row, cosine in refined.items() if cosine > unlike.limit()}
            finest = by_meaning(refined, index, unlike.unrelated())
            there = list(refined)
            strength[there] += RECALL.refined * (finest[there] - strength[there])
        for row, shown in look.across(text).items():
            strength[row] = max(strength[row], shown)
            near.add(row)
        return strength, sorted(near)

    def _working_within(self, scope: Scope) -> list[Memory]:
        if not scope.has(MemoryKind.WORKING):
            return []
        kept = self._working.list(namespace=scope.namespace, since=scope.since, until=scope.until)
        return [memory for memory in kept if scope.holds(memory)]

    def _score(self, memory_id: str, relevance: float, index: WordIndex) -> float:
        row, columns = index.row_of[memory_id], index.columns
        age = (self._clock().timestamp() - columns.created[row]) / DAY.total_seconds()
        return recall_score(relevance, float(age), float(columns.importance[row]))

    def _hit(self, memory: Memory, relevance: float) -> MemoryHit:
        age_days = (self._clock() - memory.created_at) / DAY
        score = recall_score(relevance, age_days, memory.importance)
        return MemoryHit(memory=memory, score=score, relevance=relevance)


class _Look:
    """One look into the vectors of a learner's memories, of those that are `chosen`."""

    def __init__(
        self,
        durable: Mapping[MemoryKind, DurableMemory],
        kinds: Sequence[MemoryKind],
        namespace: str,
        index: WordIndex,
        chosen: Mask,
    ) -> None:
        self._of = [durable[kind] for kind in kinds]
        self._namespace = namespace
        self._index = index
        self._chosen = chosen
        rows = np.flatnonzero(chosen)
        named = len(rows) <= min(MOST_NAMED, index.living // 2)
        self._among = [index.ids[row] for row in rows] if named else None

    def near(self, vector: Vectors, tier: Tier = Tier.INSTANT) -> dict[int, float]:
        """Return cosines by row."""
        found: dict[str, float] = {}
        for memories in self._of:
            found |= memories.similar(
                vector,
                namespace=self._namespace,
                limit=VECTOR_POOL,
                among=self._among,
                tier=tier,
            )
        return self._rows(found)

    def across(self, text: str) -> dict[int, float]:
        """Return what the text describes that is no text, by row."""
        found: dict[str, float] = {}
        for memories in self._of:
            found |= memories.across(
                text, namespace=self._namespace, limit=VECTOR_POOL, among=self._among
            )
        return self._rows(found)

    def _rows(self, found: Mapping[str, float]) -> dict[int, float]:
        rows = {self._index.row_of[i]: v for i, v in found.items() if i in self._index.row_of}
        return {row: value for row, value in rows.items() if self._chosen[row]}


def without_echoes(memories: Sequence[Memory]) -> list[Memory]:
    """Leave out working memories of which the same question or text is there as a durable one."""
    durable = [m for m in memories if m.kind is not MemoryKind.WORKING]
    questions = {str(m.metadata["question_id"]) for m in durable if "question_id" in m.metadata}
    texts = {letters(m.content) for m in durable}
    return [
        m
        for m in memories
        if m.kind is not MemoryKind.WORKING
        or (str(m.metadata.get("question_id")) not in questions and letters(m.content) not in texts)
    ]


def _top(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0


def _above(values: Floats, floor: float) -> list[int]:
    """Return where something is at least `floor`, and more than nothing."""
    return [int(n) for n in np.flatnonzero((values >= floor) & (values > 0))]


def _rank(hit: MemoryHit) -> tuple[float, float, float, str]:
    newest_first = -hit.memory.created_at.timestamp()
    return (-hit.score, -hit.memory.importance, newest_first, hit.memory.id)
