"""Finding passages: two tiers of sentence vectors and BM25, fused by scores scaled per question."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from core.domain.document import Chunk, Document, Page
from core.domain.trace import QueryKind, TraceQuery, TraceTier
from core.ports.document_store import DocumentStore
from core.ports.refiner import Refiner
from core.rag import lexical
from core.rag.concepts import Weighted
from core.rag.dictionary import Dictionary
from core.rag.fusion import Candidate, FusionWeights, Place, diverse, page_of
from core.rag.indexes import Indexes
from core.rag.search import WINDOW_KIND, Search, Sources
from core.rag.statements import Asked, asked_of_statements, statements_in
from core.rag.words import score_rows
from core.text.tokens import language_of

__all__ = ["WINDOW_KIND", "Found", "PageLookup", "Retrieval", "Retriever", "pages_of"]

POOL_MULTIPLIER = 4
"""The tutorial's `candidate_pool_multiplier`: candidates by words for each passage wanted."""
QUERY_WEIGHTS = {QueryKind.MQE: 0.3, QueryKind.HYDE: 0.5, QueryKind.FEEDBACK: 0.05}
"""How much a further query counts beside the question's 1."""
_BESIDE = 4
"""Questions whose words are read by the refining embedder beside the search for them."""
TRACED = 30
"""So many candidates the glass box shows."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage with its scores.

    `windows` and `refined` are cosines by (page, start) of the window; `passage` is the cosine of
    the whole in the refining tier, None where that is not complete. `query` is the position of the
    query that found it best; `reranked` the reranker's score, None without one.
    """

    chunk: Chunk
    document: Document
    page: int
    score: float
    scores: Mapping[str, float]
    windows: Mapping[Place, float]
    refined: Mapping[Place, float]
    passage: float | None = None
    query: int = 0
    reranked: float | None = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The passages found, best first, and what choosing sentences from them needs.

    `weighted` are the question's concepts, with their IDF, as documents of each language say them.
    `by_words_only` are the documents whose embedder cannot be had: until they are indexed anew,
    words find them. `others` are candidates that were not taken, best first: (chunk id, document,
    page, scores). `notes` are codes of the trace.
    """

    found: tuple[Found, ...]
    weighted: Mapping[str, tuple[Weighted, ...]]
    by_words_only: tuple[Document, ...] = ()
    others: tuple[tuple[str, Document, int, Mapping[str, float]], ...] = ()
    queries: tuple[TraceQuery, ...] = ()
    tiers: tuple[TraceTier, ...] = ()
    notes: tuple[str, ...] = ()

    def concepts_in(self, language: str) -> tuple[Weighted, ...]:
        """Return the question's concepts as documents of a language say them."""
        return self.weighted.get(language, ())


class Retriever:
    """Searches the documents of one namespace at a time. Thread-safe."""

    def __init__(
        self,
        *,
        indexes: Indexes,
        documents: DocumentStore,
        refiner: Refiner | None = None,
        dictionary: Dictionary | None = None,
        weights: FusionWeights | None = None,
        monotonic: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._sources = Sources(
            indexes=indexes,
            refiner=refiner,
            dictionary=dictionary,
            beside=ThreadPoolExecutor(_BESIDE, "refined-query"),
        )
        self._documents = documents
        self.weights = weights or FusionWeights()
        self._monotonic = monotonic
        self.cache = lexical.SegmentCache()

    def warm_up(self) -> None:
        """Read the dictionary ahead of the first question that needs it."""
        if self._sources.dictionary is not None:
            self._sources.dictionary.warm_up()

    def retrieve(
        self,
        question: str,
        *,
        documents: Sequence[Document],
        namespace: str,
        limit: int,
        further: Sequence[TraceQuery] = (),
        pool_multiplier: int = POOL_MULTIPLIER,
        kind: QueryKind = QueryKind.QUESTION,
    ) -> Retrieval:
        """Return at most `limit` passages of `documents`, best first; none without any match.

        `further` are queries that count beside the question (see `QUERY_WEIGHTS`). Raises
        `StoreError`, also when documents are there but their vectors are not, and `ModelError`.
        """
        if not documents:
            return Retrieval((), {})
        segments = self.segments_of(documents, namespace=namespace)
        searches, queries = [], []
        candidates: dict[str, Candidate] = {}
        for query in (TraceQuery(kind=kind, text=question), *further):
            began = self._monotonic()
            search = Search(query, documents, segments, self._sources, namespace)
            search.collect(candidates, by_words=limit * pool_multiplier)
            searches.append(search)
            queries.append(replace(query, seconds=self._monotonic() - began))
        main = searches[0]
        asked = asked_of_statements(question)
        if asked.rows:
            main.collect_rows(candidates, asked)
        scores = self._scores(searches, candidates, asked, segments, namespace)
        order = diverse(
            list(candidates.values()),
            {i: s["fused"] for i, s in scores.items()},
            self.weights,
            most=limit + TRACED,
        )
        return Retrieval(
            self._hydrate(order[:limit], scores, namespace),
            main.words.weighted,
            main.by_words_only,
            tuple(
                (c.id, c.document, c.page or 0, scores[c.id]) for c in order[limit : limit + TRACED]
            ),
            tuple(queries),
            main.tiers(documents),
            main.notes(documents, language_of(question)),
        )

    def segments_of(
        self, documents: Sequence[Document], *, namespace: str
    ) -> list[lexical.Segment]:
        """Return the word indexes of documents."""
        return self.cache.get(
            {d.id: d.chunks for d in documents},
            lambda ids: self._documents.segments(ids, namespace=namespace),
        )

    def _scores(
        self,
        searches: Sequence[Search],
        candidates: dict[str, Candidate],
        asked: Asked,
        segments: Sequence[lexical.Segment],
        namespace: str,
    ) -> dict[str, dict[str, float]]:
        """Return the scores of every candidate; what each query says of it is averaged.

        The question comes last, so that the candidates keep its measures.
        """
        by_query: list[dict[str, dict[str, float]]] = []
        for search in reversed(searches):
            search.measure(candidates)
            by_query.insert(0, search.scores(candidates, self.weights))
        for candidate in candidates.values():
            candidate.page = page_of(candidate)
        shares = [1.0] + [QUERY_WEIGHTS.get(s.query.kind, 0.0) for s in searches[1:]]
        scores = by_query[0]
        for chunk_id, own in scores.items():
            each = [s[chunk_id]["fused"] for s in by_query]
            own["fused"] = sum(w * e for w, e in zip(shares, each, strict=True)) / sum(shares)
            own["query"] = float(each.index(max(each)))
        if asked.rows or asked.statements:
            self._add_statements(searches[0], candidates, scores, asked, segments, namespace)
        return scores

    def _add_statements(
        self,
        search: Search,
        candidates: Mapping[str, Candidate],
        scores: dict[str, dict[str, float]],
        asked: Asked,
        segments: Sequence[lexical.Segment],
        namespace: str,
    ) -> None:
        """Raise passages of the financial statements that are asked for, where there are any."""
        chunks = self._documents.chunks(list(candidates), namespace=namespace)
        pages = {
            (chunk.document_id, page)
            for chunk in chunks
            if statements_in(chunk) & asked.statements
            for page in chunk.pages[:1]
        }
        if not pages:
            return
        rows = score_rows(f"{asked.rows} {asked.rows_zh}", search.words, segments)
        weights = self.weights
        whole = 1 + weights.statement + weights.statement_rows
        for chunk in chunks:
            own = scores[chunk.id]
            own["statement"] = float((chunk.document_id, chunk.ranges[0].page) in pages)
            own["statement_rows"] = float(rows[candidates[chunk.id].row])
            raised = weights.statement * own["statement"]
            raised += weights.statement_rows * own["statement_rows"]
            own["fused"] = (own["fused"] + raised) / whole

    def _hydrate(
        self,
        order: Sequence[Candidate],
        scores: Mapping[str, Mapping[str, float]],
        namespace: str,
    ) -> tuple[Found, ...]:
        chunks = self._documents.chunks([c.id for c in order], namespace=namespace)
        by_id = {chunk.id: chunk for chunk in chunks}
        return tuple(
            Found(
                chunk=by_id[c.id],
                document=c.document,
                page=c.page or by_id[c.id].ranges[0].page,
                score=scores[c.id]["fused"],
                scores={name: value for name, value in scores[c.id].items() if name != "query"},
                windows=c.windows,
                refined=c.refined,
                passage=c.passage,
                query=int(scores[c.id]["query"]),
            )
            for c in order
            if c.id in by_id
        )


def pages_of(found: Sequence[Found]) -> dict[str, list[int]]:
    """Return the pages to fetch for the passages, by document id."""
    out: dict[str, set[int]] = {}
    for passage in found:
        out.setdefault(passage.document.id, set()).update(passage.chunk.pages)
    return {document_id: sorted(pages) for document_id, pages in out.items()}


PageLookup = Mapping[tuple[str, int], Page]
"""Pages by (document id, physical page)."""
