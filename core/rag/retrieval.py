"""Finding passages: sentence vectors and BM25, fused by scores scaled per question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.domain.document import Chunk, Document, Page
from core.errors import StoreError
from core.ports.document_store import DocumentStore
from core.ports.embedder import Vectors
from core.ports.vector_store import VectorHit
from core.rag import lexical
from core.rag.chunking import chunk_id_for
from core.rag.indexes import Index, Indexes
from core.text.terms import terms
from core.text.tokens import language_of

WINDOW_KIND = "window"

_NEAREST_WINDOWS = 200
_DENSE_CANDIDATES = 60
_LEXICAL_CANDIDATES = 40
_WINDOWS_A_CANDIDATE = 24
"""Enough for every window of a passage of `PASSAGE_TOKENS`."""


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """How the scores of a passage add up. Chosen on XQuAD (dev), see `tests/evals/xquad.py`."""

    dense: float = 0.5
    bm25: float = 0.4
    page_bm25: float = 0.15
    coverage: float = 0.2
    best_window: float = 0.6
    """Part of the best window in the dense score; the rest is the mean of all windows."""
    same_page: float = 0.1
    """Taken off, relative to the best, for each better passage of the same page."""


@dataclass(frozen=True, slots=True)
class Found:
    """A passage with its scores. `windows` are cosines by (page, start) of the window."""

    chunk: Chunk
    document: Document
    page: int
    score: float
    scores: Mapping[str, float]
    windows: Mapping[tuple[int, int], float]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """The passages found, best first, and what choosing sentences from them needs.

    `term_weights` are the IDF of the question's terms in the documents asked. `by_words_only` are
    the documents whose embedder cannot be had: until they are indexed anew, words find them.
    """

    found: tuple[Found, ...]
    term_weights: Mapping[str, float]
    by_words_only: tuple[Document, ...] = ()


@dataclass(slots=True)
class _Candidate:
    document: Document
    ordinal: int
    row: int
    windows: dict[tuple[int, int], float]
    dense: float = 0.0
    page: int | None = None
    """The page on which the best window begins."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Documents of one index, and the question as its embedder sees it."""

    index: Index
    vector: Vectors
    documents: Mapping[str, Document]


class Retriever:
    """Searches the documents of one namespace at a time."""

    def __init__(
        self,
        *,
        indexes: Indexes,
        documents: DocumentStore,
        weights: FusionWeights | None = None,
    ) -> None:
        self._indexes = indexes
        self._documents = documents
        self._weights = weights or FusionWeights()
        self.cache = lexical.SegmentCache()

    def retrieve(
        self, question: str, *, documents: Sequence[Document], namespace: str, limit: int
    ) -> Retrieval:
        """Return at most `limit` passages of `documents`, best first; none without any match."""
        if not documents:
            return Retrieval((), {})
        by_id = {d.id: d for d in documents}
        segments = self.cache.get(
            {d.id: d.chunks for d in documents},
            lambda ids: self._documents.segments(ids, namespace=namespace),
        )
        words = lexical.score(terms(question), segments)
        candidates: dict[str, _Candidate] = {}
        groups = self._groups(documents, question)
        for group in groups:
            candidates |= self._near(group, words, namespace)
        self._check_index(groups, candidates, namespace)
        self._add_by_words(candidates, words, by_id)
        for group in groups:
            self._score_dense(group, candidates, namespace)
        fused = self._fuse(candidates, words, language_of(question))
        order = self._diverse(candidates, fused, limit)
        found = self._hydrate(order, fused, namespace)
        reached = {document_id for group in groups for document_id in group.documents}
        return Retrieval(found, words.weights, tuple(d for d in documents if d.id not in reached))

    def _groups(self, documents: Sequence[Document], question: str) -> list[_Group]:
        """Return the documents by the embedder of their index, where it can be had."""
        by_embedder: dict[str, dict[str, Document]] = {}
        for document in documents:
            by_embedder.setdefault(document.embedder, {})[document.id] = document
        return [
            _Group(index, index.embedder.embed_query(question), own)
            for name, own in by_embedder.items()
            if (index := self._indexes.of(name)) is not None
        ]

    def _near(
        self, group: _Group, words: lexical.LexicalScores, namespace: str
    ) -> dict[str, _Candidate]:
        """Return the passages whose vectors are nearest."""
        first_rows = _first_rows(words.segments)
        chunks = {s.document_id: len(s.lengths) for s in words.segments}
        hits = group.index.vectors.search(
            group.vector,
            namespace=namespace,
            where={"kind": WINDOW_KIND, "document_id": list(group.documents)},
            limit=_NEAREST_WINDOWS,
        )
        out: dict[str, _Candidate] = {}
        for hit in hits:
            document = group.documents.get(str(hit.payload["document_id"]))
            ordinal = int(str(hit.payload["ordinal"]))
            if document is None or ordinal >= chunks.get(document.id, 0):
                continue  # a window of a batch that is not stored yet
            chunk_id = str(hit.payload["chunk_id"])
            if chunk_id not in out and len(out) < _DENSE_CANDIDATES:
                row = first_rows[document.id] + ordinal
                out[chunk_id] = _Candidate(document, ordinal, row, {})
        return out

    def _add_by_words(
        self,
        candidates: dict[str, _Candidate],
        words: lexical.LexicalScores,
        by_id: Mapping[str, Document],
    ) -> None:
        """Add the passages that are best by words."""
        first_rows = _first_rows(words.segments)
        best = np.argsort(-words.bm25, kind="stable")[:_LEXICAL_CANDIDATES]
        starts = [(first_rows[s.document_id], s.document_id) for s in words.segments]
        for row in (int(r) for r in best if words.bm25[r] > 0):
            start, document_id = max(s for s in starts if s[0] <= row)
            chunk_id = chunk_id_for(document_id, row - start)
            candidates.setdefault(chunk_id, _Candidate(by_id[document_id], row - start, row, {}))

    def _check_index(
        self, groups: Sequence[_Group], near: Mapping[str, _Candidate], namespace: str
    ) -> None:
        """Raise `StoreError` when documents are there but their vectors are not.

        Finding by words alone would look like an answer and be a worse one.
        """
        found = {candidate.document.embedder for candidate in near.values()}
        for group in groups:
            vectors = group.index.vectors
            if group.index.embedder.name in found:
                continue
            if not any(d.chunks for d in group.documents.values()):
                continue
            if not vectors.count(namespace=namespace, where={"kind": WINDOW_KIND}):
                raise StoreError(
                    "The search index of your documents is gone.",
                    remedy="Delete the documents and load them again.",
                )

    def _score_dense(self, group: _Group, every: Mapping[str, _Candidate], namespace: str) -> None:
        """Give each candidate of a group the cosines of all its windows, and its dense score."""
        candidates = {i: c for i, c in every.items() if c.document.id in group.documents}
        if not candidates:
            return
        hits: list[VectorHit] = group.index.vectors.search(
            group.vector,
            namespace=namespace,
            where={"kind": WINDOW_KIND, "chunk_id": list(candidates)},
            limit=len(candidates) * _WINDOWS_A_CANDIDATE,
        )
        for hit in hits:
            payload = hit.payload
            place = (int(str(payload["page"])), int(str(payload["start"])))
            candidates[str(payload["chunk_id"])].windows[place] = hit.score
        for candidate in candidates.values():
            places = sorted(candidate.windows)
            cosines = [candidate.windows[place] for place in places]
            if cosines:
                share = self._weights.best_window
                best = [max(pair) for pair in zip(cosines, in_context(cosines), strict=True)]
                candidate.dense = share * max(best) + (1 - share) * sum(cosines) / len(cosines)
                candidate.page = places[best.index(max(best))][0]

    def _fuse(
        self, candidates: dict[str, _Candidate], words: lexical.LexicalScores, language: str
    ) -> dict[str, dict[str, float]]:
        """Return the scores of each candidate, each tier in [0, 1], and their sum `fused`.

        Words say nothing about a document in another language than the question's: what they match
        there by chance (names, figures) would outweigh the vectors.
        """
        if not candidates:
            return {}
        rows = np.array([c.row for c in candidates.values()])
        dense = np.array([max(c.dense, 0.0) for c in candidates.values()])
        same = np.array([float(c.document.language == language) for c in candidates.values()])
        tiers = {
            "dense": _by_best_of_each(dense, [c.document.embedder for c in candidates.values()]),
            "bm25": same * _by_best(words.bm25[rows]),
            "page_bm25": same * _by_best(words.page_bm25[rows]),
            "coverage": same * words.coverage[rows],
        }
        weights = self._weights
        total = (
            weights.dense * tiers["dense"]
            + weights.bm25 * tiers["bm25"]
            + weights.page_bm25 * tiers["page_bm25"]
            + weights.coverage * tiers["coverage"]
        ) / (weights.dense + weights.bm25 + weights.page_bm25 + weights.coverage)
        return {
            chunk_id: {
                "fused": float(total[i]),
                "cosine": float(dense[i]),
                **{tier: float(values[i]) for tier, values in tiers.items()},
            }
            for i, chunk_id in enumerate(candidates)
        }

    def _diverse(
        self, candidates: dict[str, _Candidate], fused: dict[str, dict[str, float]], limit: int
    ) -> list[tuple[str, _Candidate]]:
        """Order by score, each further passage of the same page a little behind."""
        if not candidates:
            return []
        penalty = self._weights.same_page * max(s["fused"] for s in fused.values())
        left = sorted(candidates.items(), key=lambda item: -fused[item[0]]["fused"])
        seen: dict[tuple[str, int], int] = {}
        out: list[tuple[str, _Candidate]] = []
        while left and len(out) < limit:
            item = max(
                left,
                key=lambda i: fused[i[0]]["fused"] - penalty * seen.get(_page_key(i[1]), 0),
            )
            left.remove(item)
            out.append(item)
            seen[_page_key(item[1])] = seen.get(_page_key(item[1]), 0) + 1
        return out

    def _hydrate(
        self,
        order: Sequence[tuple[str, _Candidate]],
        fused: dict[str, dict[str, float]],
        namespace: str,
    ) -> tuple[Found, ...]:
        chunks = self._documents.chunks([i for i, _ in order], namespace=namespace)
        by_id = {chunk.id: chunk for chunk in chunks}
        return tuple(
            Found(
                chunk=by_id[chunk_id],
                document=candidate.document,
                page=candidate.page or by_id[chunk_id].ranges[0].page,
                score=fused[chunk_id]["fused"],
                scores=fused[chunk_id],
                windows=candidate.windows,
            )
            for chunk_id, candidate in order
            if chunk_id in by_id
        )


def in_context(cosines: Sequence[float]) -> list[float]:
    """Return each cosine averaged with half of its neighbours': a window in its surroundings."""
    out = []
    for i, own in enumerate(cosines):
        before = cosines[i - 1] if i else own
        after = cosines[i + 1] if i + 1 < len(cosines) else own
        out.append((own + 0.5 * before + 0.5 * after) / 2)
    return out


def _by_best(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale non-negative scores so that the best is 1."""
    best = float(values.max()) if len(values) else 0.0
    return values / best if best > 0 else np.zeros_like(values)


def _by_best_of_each(values: NDArray[np.float64], groups: Sequence[str]) -> NDArray[np.float64]:
    """Scale as `_by_best` within each group: cosines of two embedders do not compare."""
    names = np.array(groups)
    out = np.zeros_like(values)
    for name in set(groups):
        out[names == name] = _by_best(values[names == name])
    return out


def _first_rows(segments: Sequence[lexical.Segment]) -> dict[str, int]:
    out: dict[str, int] = {}
    row = 0
    for segment in segments:
        out[segment.document_id] = row
        row += len(segment.lengths)
    return out


def _page_key(candidate: _Candidate) -> tuple[str, int]:
    return candidate.document.id, candidate.page or -candidate.ordinal


def pages_of(found: Sequence[Found]) -> dict[str, list[int]]:
    """Return the pages to fetch for the passages, by document id."""
    out: dict[str, set[int]] = {}
    for passage in found:
        out.setdefault(passage.document.id, set()).update(passage.chunk.pages)
    return {document_id: sorted(pages) for document_id, pages in out.items()}


PageLookup = Mapping[tuple[str, int], Page]
"""Pages by (document id, physical page)."""
