"""One query among the documents of one learner: candidates, their cosines, their scores."""

import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import cached_property

from core.domain.document import Document
from core.domain.trace import QueryKind, TraceQuery, TraceTier
from core.errors import ConfigurationError, ModelError, StoreError
from core.ports.embedder import Vectors
from core.ports.refiner import Refiner
from core.ports.vector_store import Tier, VectorHit, Where
from core.rag.dictionary import Dictionary
from core.rag.fusion import Candidate, FusionWeights, scores_of
from core.rag.indexes import Index, Indexes
from core.rag.lexical import Segment
from core.rag.point_ids import PASSAGE_KIND
from core.rag.statements import Asked
from core.rag.words import WordScores, score_rows, score_words
from core.text.tokens import language_of

logger = logging.getLogger(__name__)

WINDOW_KIND = "window"

_NEAREST_WINDOWS = 200
_DENSE_CANDIDATES = 60
_NEAREST_PASSAGES = 40
_ROW_CANDIDATES = 30
_WINDOWS_A_CANDIDATE = 24
"""Enough for every window of a passage of `PASSAGE_TOKENS`."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What is searched with. The refiner refines the index in use, no other."""

    indexes: Indexes
    refiner: Refiner | None
    dictionary: Dictionary | None
    beside: Executor
    """Runs what another process works on, beside the search in this one."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Documents of one index, and the query as its embedder sees it."""

    index: Index
    vector: Vectors
    documents: Mapping[str, Document]


class Search:
    """A query under way."""

    def __init__(
        self,
        query: TraceQuery,
        documents: Sequence[Document],
        segments: Sequence[Segment],
        sources: Sources,
        namespace: str,
    ) -> None:
        self.query = query
        self._language = language_of(query.text)
        self._segments = segments
        self._sources = sources
        self._namespace = namespace
        self._by_id = {d.id: d for d in documents}
        self._chunks = {s.document_id: len(s.lengths) for s in segments}
        self._refined_query = self._begin_refined()
        words = "" if query.kind is QueryKind.HYDE else query.text
        # An imagined answer has many words that the question did not ask for.
        self.words: WordScores = score_words(
            words, self._language, documents, segments, sources.dictionary
        )
        self._groups = self._grouped(documents)
        reached = {document_id for group in self._groups for document_id in group.documents}
        self.by_words_only = tuple(d for d in documents if d.id not in reached)

    def _grouped(self, documents: Sequence[Document]) -> list[_Group]:
        """Return the documents by the embedder of their index, where it can be had."""
        by_embedder: dict[str, dict[str, Document]] = {}
        for document in documents:
            by_embedder.setdefault(document.embedder, {})[document.id] = document
        made = (self._group(name, own) for name, own in by_embedder.items())
        return [group for group in made if group is not None]

    def _group(self, embedder: str, documents: Mapping[str, Document]) -> _Group | None:
        """Return the documents of an embedder, None when it is a former one that fails.

        What the embedder in use raises is raised: all new documents depend on it.
        """
        indexes = self._sources.indexes
        try:
            index = indexes.of(embedder)
            if index is None:
                return None
            return _Group(index, index.embedder.embed_query(self.query.text), documents)
        except (ModelError, ConfigurationError) as exc:
            if embedder == indexes.current.embedder.name:
                raise
            logger.warning("Former embedder %s fails, words serve alone: %s", embedder, exc)
            return None

    def _begin_refined(self) -> Future[Vectors] | None:
        """Begin to embed the query for the refining tier, which works in another process.

        None when no document is in that tier, or it cannot be used here; and for feedback, which
        counts too little to wait for it.
        """
        refiner = self._sources.refiner
        if (
            self.query.kind is QueryKind.FEEDBACK
            or refiner is None
            or not self._refined_documents()
            or refiner.missing() is not None
        ):
            return None
        return self._sources.beside.submit(_refined_vector, refiner, self.query)

    def _refined_documents(self) -> dict[str, Document]:
        """Return the documents that the refining tier has wholly."""
        current = self._sources.indexes.current.embedder.name
        own = self._by_id.items()
        return {i: d for i, d in own if d.is_refined and d.embedder == current}

    @cached_property
    def _refined(self) -> _Group | None:
        """The documents of the refining tier with the query's vector, None without any."""
        if self._refined_query is None:
            return None
        current = self._sources.indexes.current
        return _Group(current, self._refined_query.result(), self._refined_documents())

    def collect(self, candidates: dict[str, Candidate], *, by_words: int) -> None:
        """Add the passages that are nearest, and at most `by_words` that are best by words.

        Raises `StoreError` when documents are there but their vectors are not: finding by words
        alone would look like an answer and be a worse one.
        """
        for group in self._groups:
            hits = self._near(group, WINDOW_KIND, _NEAREST_WINDOWS, Tier.INSTANT)
            self._add(candidates, hits, _DENSE_CANDIDATES)
            if not hits:
                self._check_index(group)
        if self._refined is not None:
            hits = self._near(self._refined, PASSAGE_KIND, _NEAREST_PASSAGES, Tier.REFINED)
            self._add(candidates, hits, _NEAREST_PASSAGES)
        for chunk_id, document_id, row in self.words.best(by_words):
            self._add_row(candidates, chunk_id, document_id, row)

    def collect_rows(self, candidates: dict[str, Candidate], asked: Asked) -> None:
        """Add the passages that have most of the rows of financial statements asked for."""
        rows = score_rows(f"{asked.rows} {asked.rows_zh}", self.words, self._segments)
        found = WordScores(rows, rows, rows, self.words.first_rows, {})
        for chunk_id, document_id, row in found.best(_ROW_CANDIDATES):
            self._add_row(candidates, chunk_id, document_id, row)

    def measure(self, candidates: Mapping[str, Candidate]) -> None:
        """Give each candidate the cosines of all its windows, in each tier that has them."""
        for candidate in candidates.values():
            candidate.windows, candidate.refined, candidate.passage = {}, {}, None
        for group in self._groups:
            for hit in self._of(group, candidates, Tier.INSTANT):
                candidates[str(hit.payload["chunk_id"])].windows[_place(hit)] = hit.score
        if self._refined is None:
            return
        for hit in self._of(self._refined, candidates, Tier.REFINED):
            candidate = candidates[str(hit.payload["chunk_id"])]
            if hit.payload["kind"] == PASSAGE_KIND:
                candidate.passage = hit.score
            else:
                candidate.refined[_place(hit)] = hit.score

    def scores(
        self, candidates: Mapping[str, Candidate], weights: FusionWeights
    ) -> dict[str, dict[str, float]]:
        """Return the scores of the measured candidates; see `scores_of`."""
        words = {
            "bm25": self.words.bm25,
            "page_bm25": self.words.page_bm25,
            "coverage": self.words.coverage,
        }
        return scores_of(list(candidates.values()), words, language=self._language, weights=weights)

    def tiers(self, documents: Sequence[Document]) -> tuple[TraceTier, ...]:
        """Return what was searched, and in how many of the documents."""
        instant = sum(len(group.documents) for group in self._groups)
        refined = 0 if self._refined is None else len(self._refined.documents)
        asked = len(documents)
        return (
            TraceTier(name="words", documents=len(self._chunks), asked=asked),
            TraceTier(name="instant", documents=instant, asked=asked),
            TraceTier(name="refined", documents=refined, asked=asked),
        )

    def notes(self, documents: Sequence[Document], language: str) -> tuple[str, ...]:
        """Return what should be known about the search, as codes of the trace."""
        refiner = self._sources.refiner
        refined = 0 if self._refined is None else len(self._refined.documents)
        notes = []
        if any(d.language != language for d in documents):
            notes.append("other_language")
        if refiner is not None and refiner.missing() is not None:
            notes.append("refined_not_here")
        elif refiner is not None and refined < len(documents):
            notes.append("refined_partly")
        return tuple(notes)

    def _near(self, group: _Group, kind: str, limit: int, tier: Tier) -> list[VectorHit]:
        where: Where = {"kind": kind, "document_id": list(group.documents)}
        return group.index.vectors.search(
            group.vector, namespace=self._namespace, where=where, limit=limit, tier=tier
        )

    def _of(
        self, group: _Group, candidates: Mapping[str, Candidate], tier: Tier
    ) -> list[VectorHit]:
        own = [i for i, c in candidates.items() if c.document.id in group.documents]
        if not own:
            return []
        return group.index.vectors.search(
            group.vector,
            namespace=self._namespace,
            where={"chunk_id": own},
            limit=len(own) * (_WINDOWS_A_CANDIDATE + 1),
            tier=tier,
        )

    def _add(self, candidates: dict[str, Candidate], hits: Sequence[VectorHit], most: int) -> None:
        new: set[str] = set()
        for hit in hits:
            document_id = str(hit.payload["document_id"])
            ordinal = int(str(hit.payload["ordinal"]))
            if document_id not in self._by_id or ordinal >= self._chunks.get(document_id, 0):
                continue  # a window of a batch that is not stored yet
            chunk_id = str(hit.payload["chunk_id"])
            if chunk_id in new or len(new) < most:
                new.add(chunk_id)
                row = self.words.first_rows[document_id] + ordinal
                self._add_row(candidates, chunk_id, document_id, row)

    def _add_row(
        self, candidates: dict[str, Candidate], chunk_id: str, document_id: str, row: int
    ) -> None:
        if chunk_id not in candidates:
            ordinal = row - self.words.first_rows[document_id]
            candidates[chunk_id] = Candidate(chunk_id, self._by_id[document_id], ordinal, row)

    def _check_index(self, group: _Group) -> None:
        if not any(d.chunks for d in group.documents.values()):
            return
        if not group.index.vectors.count(namespace=self._namespace, where={"kind": WINDOW_KIND}):
            raise StoreError(
                "The search index of your documents is gone.",
                remedy="Delete the documents and load them again.",
            )


def _place(hit: VectorHit) -> tuple[int, int]:
    return int(str(hit.payload["page"])), int(str(hit.payload["start"]))


def _refined_vector(refiner: Refiner, query: TraceQuery) -> Vectors:
    if query.kind is QueryKind.HYDE:
        vector: Vectors = refiner.embed_documents([query.text])[0]
        return vector
    return refiner.embed_query(query.text)
