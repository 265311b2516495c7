"""Choosing the sentences that answer a question from the passages found."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log1p

from core.domain.document import BlockKind, Chunk, Page
from core.rag.concepts import coverage, hashes
from core.rag.expectation import expected, has_expected
from core.rag.fusion import in_context
from core.rag.retrieval import Found, PageLookup, Retrieval
from core.scoring import BM25
from core.text.letters import letters
from core.text.sentences import Sentence, split_pages

PASSAGES_READ = 8
"""Sentences are chosen from so many of the best passages."""
MAX_QUOTES = 3
_MIN_LETTERS = 2


@dataclass(frozen=True, slots=True)
class SentenceWeights:
    """Weights of a linear ranker; every feature is at most 1."""

    cosine: float
    cosine_in_context: float
    coverage: float
    word_score: float
    expected: float
    coverage_around: float
    coverage_of_passage: float
    passage: float
    length: float
    refined: float = 0.0
    refined_passage: float = 0.0

    @property
    def total(self) -> float:
        """The score of a sentence that is best in everything."""
        return float(sum(getattr(self, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """The weights for documents in the question's language and in another one, by tier.

    Fitted by maximum likelihood of the answering sentences (listwise softmax) on XQuAD dev, both
    languages together, and checked by two-fold cross-validation over articles: the answer is in
    the three best sentences for .945 (en) and .935 (zh) of the questions, across languages .90.
    """

    own: SentenceWeights = SentenceWeights(3.0, 1.7, 2.7, 1.0, 1.7, 2.0, 1.4, 4.6, 2.0)
    own_refined: SentenceWeights = SentenceWeights(
        2.0, 1.9, 1.9, 0.8, 1.6, 1.9, 1.7, 2.0, 1.5, 1.4, 2.6
    )
    other: SentenceWeights = SentenceWeights(5.3, 1.8, 1.8, 1.0, 1.4, 1.8, 0.0, 7.6, 2.2)
    other_refined: SentenceWeights = SentenceWeights(
        4.3, 2.0, 1.2, 0.9, 1.2, 1.7, 0.4, 3.7, 1.0, 2.8, 3.2
    )


WEIGHTS = RankingWeights()
_REFINED_SPREAD = 0.1
"""So far below the best cosine a sentence counts 0 in the refining tier."""
_LONG_LETTERS = 400
"""A sentence of so many letters counts as long as can be."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A sentence that may answer.

    `score` is in [0, 1]; `cosine`, `coverage` and `refined` (the cosine in the refining tier, None
    without it) as found; `features` are what the score is made of.
    """

    sentence: Sentence
    found: Found
    score: float
    cosine: float
    coverage: float
    refined: float | None
    features: Mapping[str, float]


def sentences_of(found: Found, pages: PageLookup) -> list[Sentence]:
    """Return the sentences that begin in a passage, in order."""
    return sentences_in(found.chunk, pages)


def sentences_in(chunk: Chunk, pages: PageLookup) -> list[Sentence]:
    """Return the sentences that begin in a chunk, in order."""
    document_id = chunk.document_id
    own = [_only(pages[document_id, n], chunk) for n in chunk.pages if (document_id, n) in pages]
    return [s for s in split_pages(own) if _begins_in(s, chunk)]


def _only(page: Page, chunk: Chunk) -> Page:
    """Return the page with those blocks only that the chunk touches: splitting all is slow."""
    ranges = [r for r in chunk.ranges if r.page == page.number]
    blocks = tuple(
        b for b in page.blocks if any(b.start < r.end and r.start < b.end for r in ranges)
    )
    return replace(page, blocks=blocks)


def _begins_in(sentence: Sentence, chunk: Chunk) -> bool:
    first = sentence.ranges[0]
    return any(r.page == first.page and r.start <= first.start < r.end for r in chunk.ranges)


def _cosines(
    sentences: Sequence[Sentence], windows: Mapping[tuple[int, int], float]
) -> list[float]:
    """Return for each sentence the cosine of the window it is in.

    Where short sentences share a window, its cosine is the longest one's; the others get a part.
    """
    places = sorted(windows)
    at = [bisect_right(places, (s.page, s.ranges[0].start)) - 1 for s in sentences]
    longest: dict[int, int] = {}
    for sentence, window in zip(sentences, at, strict=True):
        longest[window] = max(longest.get(window, 1), len(sentence.text))
    return [
        windows[places[window]] * len(sentence.text) / longest[window] if window >= 0 else 0.0
        for sentence, window in zip(sentences, at, strict=True)
    ]


@dataclass(slots=True)
class _Candidate:
    sentence: Sentence
    found: Found
    weights: SentenceWeights
    features: dict[str, float]
    rare: float
    terms: int
    refined: float | None


def _candidates(
    question: str, language: str, retrieval: Retrieval, pages: PageLookup
) -> list[_Candidate]:
    kind = expected(question)
    best_passage = max((f.score for f in retrieval.found), default=0.0) or 1.0
    nearest = max((f.passage for f in retrieval.found if f.passage is not None), default=0.0)
    out: list[_Candidate] = []
    for found in retrieval.found[:PASSAGES_READ]:
        sentences = sentences_of(found, pages)
        sets = [hashes(s.text) for s in sentences]
        concepts = retrieval.concepts_in(found.document.language)
        of_passage = coverage(frozenset().union(*sets), concepts)
        cosines = _cosines(sentences, found.windows)
        refined = _cosines(sentences, found.refined) if found.passage is not None else None
        around = in_context(cosines)
        for i, sentence in enumerate(sentences):
            features = {
                "cosine": cosines[i],
                "cosine_in_context": around[i],
                "coverage": coverage(sets[i], concepts),
                "expected": float(has_expected(kind, sentence.text, question=question)),
                "coverage_around": coverage(
                    frozenset().union(*sets[max(0, i - 1) : i + 2]), concepts
                ),
                "coverage_of_passage": of_passage,
                "passage": found.score / best_passage,
                "length": _length(sentence.text),
            }
            if found.passage is not None:
                features["refined_passage"] = _near(found.passage, nearest)
            rare = sum(w.weight for w in concepts if w.concept.is_in(sets[i]))
            weights = _weights(found, language)
            own = None if refined is None else refined[i]
            out.append(_Candidate(sentence, found, weights, features, rare, len(sets[i]), own))
    return out


def _weights(found: Found, language: str) -> SentenceWeights:
    is_refined = found.passage is not None
    if found.document.language == language:
        return WEIGHTS.own_refined if is_refined else WEIGHTS.own
    return WEIGHTS.other_refined if is_refined else WEIGHTS.other


def _length(text: str) -> float:
    return min(1.0, log1p(len(letters(text))) / log1p(_LONG_LETTERS))


def _near(cosine: float, best: float) -> float:
    return 1 - (best - cosine) / _REFINED_SPREAD


def _word_score(candidate: _Candidate, average: float) -> float:
    """Return BM25 of a sentence in which each term occurs once."""
    norm = BM25.k1 * (1 - BM25.b + BM25.b * candidate.terms / max(average, 1.0))
    return candidate.rare * (BM25.k1 + 1) / (1 + norm)


def choose(question: str, language: str, retrieval: Retrieval, pages: PageLookup) -> list[Chosen]:
    """Return the sentences of the best passages, best first, without repeats.

    Headings and questions come only when there is nothing else: they name a topic, or ask about
    it; they do not answer.
    """
    candidates = _candidates(question, language, retrieval, pages)
    _compare(candidates)
    chosen = [
        Chosen(
            sentence=c.sentence,
            found=c.found,
            score=_score(c),
            cosine=c.features["cosine"],
            coverage=c.features["coverage"],
            refined=c.refined,
            features=c.features,
        )
        for c in candidates
    ]
    chosen.sort(key=lambda c: (_is_no_answer(c.sentence), -c.score))
    seen: set[str] = set()
    out = []
    for item in chosen:
        key = letters(item.sentence.text)
        if len(key) >= _MIN_LETTERS and key not in seen:
            seen.add(key)
            out.append(item)
    return out


def _compare(candidates: Sequence[_Candidate]) -> None:
    """Fill in the features that compare a sentence with the others."""
    average = sum(c.terms for c in candidates) / max(len(candidates), 1)
    words = [_word_score(c, average) for c in candidates]
    most_words = max(words, default=0.0) or 1.0
    nearest = max((c.refined for c in candidates if c.refined is not None), default=0.0)
    for candidate, own in zip(candidates, words, strict=True):
        candidate.features["word_score"] = own / most_words
        if candidate.refined is not None:
            candidate.features["refined"] = _near(candidate.refined, nearest)


def _is_no_answer(sentence: Sentence) -> bool:
    return sentence.kind is BlockKind.HEADING or sentence.text.rstrip().endswith(("?", "？"))


def _score(candidate: _Candidate) -> float:
    weights = candidate.weights
    total = sum(getattr(weights, name) * value for name, value in candidate.features.items())
    return float(min(1.0, max(0.0, total / weights.total)))


def lookup(pages_by_document: Mapping[str, Sequence[Page]]) -> dict[tuple[str, int], Page]:
    """Return pages by (document id, physical page)."""
    return {(d, page.number): page for d, pages in pages_by_document.items() for page in pages}
