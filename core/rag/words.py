"""Finding by words: each document in its own language, the question translated where it must be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.domain.document import Document
from core.rag import lexical
from core.rag.bilingual import in_other_language
from core.rag.chunking import chunk_id_for
from core.rag.concepts import Concept, Weighted, concepts_of
from core.rag.dictionary import Dictionary
from core.rag.lexical import Segment
from core.scoring import Floats
from core.text.terms import terms


@dataclass(frozen=True, slots=True)
class WordScores:
    """Scores by words of all chunks of the documents asked, row after row.

    `bm25`, `page_bm25` and `coverage` are in [0, 1]: the best chunk of a language has 1, less so
    where another language covers more of the question. `first_rows` are the rows at which documents
    begin; `weighted` are the question's concepts in the documents of each language.
    """

    bm25: Floats
    page_bm25: Floats
    coverage: Floats
    first_rows: Mapping[str, int]
    weighted: Mapping[str, tuple[Weighted, ...]]

    def best(self, number: int) -> list[tuple[str, str, int]]:
        """Return (chunk id, document id, row) of the best chunks by BM25, best first."""
        starts = sorted((row, document_id) for document_id, row in self.first_rows.items())
        firsts = [row for row, _ in starts]
        out = []
        for row in np.argsort(-self.bm25, kind="stable")[:number]:
            if self.bm25[row] <= 0:
                break
            start, document_id = starts[int(np.searchsorted(firsts, row, side="right")) - 1]
            out.append((chunk_id_for(document_id, int(row) - start), document_id, int(row)))
        return out


def score_words(
    question: str,
    language: str,
    documents: Sequence[Document],
    segments: Sequence[Segment],
    dictionary: Dictionary | None,
) -> WordScores:
    """Score the chunks of `documents` for a question in `language` (`en` or `zh`).

    `segments` are those of the documents. Without a dictionary, documents in the other language get
    no scores: what a question's words match there by chance (names, figures) tells nothing.
    """
    by_id = {segment.document_id: segment for segment in segments}
    shelves: dict[str, list[Segment]] = {}
    for document in documents:
        if document.id in by_id:
            shelves.setdefault(document.language, []).append(by_id[document.id])
    scored = {
        shelf: lexical.score(_concepts(question, language, shelf, own, dictionary), own)
        for shelf, own in shelves.items()
    }
    return _joined(scored)


def score_rows(words: str, like: WordScores, segments: Sequence[Segment]) -> Floats:
    """Return BM25 of further words for the rows of `like`, the best having 1."""
    ordered = sorted(segments, key=lambda s: like.first_rows[s.document_id])
    return _by_best(lexical.score(concepts_of(terms(words)), ordered).bm25)


def _concepts(
    question: str,
    language: str,
    shelf: str,
    segments: Sequence[Segment],
    dictionary: Dictionary | None,
) -> tuple[Concept, ...]:
    """Return what is asked, as documents of a language say it.

    Of a translation only what occurs counts: the dictionary has many words for a thing.
    """
    if language == shelf:
        return concepts_of(terms(question))
    if dictionary is None:
        return ()
    translated = in_other_language(question, language, dictionary)
    return tuple(concept for concept in translated if lexical.occurs(concept, segments))


def _joined(scored: Mapping[str, lexical.LexicalScores]) -> WordScores:
    most = max((_top(s.coverage) for s in scored.values()), default=0.0)
    first_rows: dict[str, int] = {}
    parts: list[tuple[Floats, Floats, Floats]] = []
    row = 0
    for scores in scored.values():
        share = _top(scores.coverage) / most if most else 0.0
        pages = share * _by_best(scores.page_bm25)
        parts.append((share * _by_best(scores.bm25), pages, scores.coverage))
        for segment in scores.segments:
            first_rows[segment.document_id] = row
            row += len(segment.lengths)
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] or [np.empty(0)] * 3
    weighted = {shelf: scores.weighted for shelf, scores in scored.items()}
    return WordScores(columns[0], columns[1], columns[2], first_rows, weighted)


def _top(values: Floats) -> float:
    return float(values.max()) if len(values) else 0.0


def _by_best(values: Floats) -> Floats:
    best = _top(values)
    return values / best if best > 0 else np.zeros_like(values)
