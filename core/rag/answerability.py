"""How likely it is that the passages found answer a question: a logistic score of a few signals.

Everything here is pure. What is measured is a question against the best passages that are in the
same situation: documents in its language or in another one, with the refining tier or without.
"""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from core.rag.answerability_whole import is_instruction
from core.rag.concepts import Weighted
from core.rag.retrieval import Found, Retrieval
from core.rag.selection import Chosen
from core.text.terms import term_hash, terms

PASSAGES_COVERED = 3
"""The words of a question are looked for in each of so many of the best passages."""
SENTENCES = 8
"""So many of the best sentences are looked at."""
_REFINED_UNRELATED = 0.8
_EVERY_WORD = 1.0
"""Added to each concept's IDF: what a small document is about is in all of it, and rare nowhere."""
_MISSPELT = 0.7
_SHORTEST_MISSPELT = 5
_FEW_WORDS = 2
_ALL = 0.99
REFINED_UNRELATED: Mapping[tuple[str, bool], float] = {
    ("en", True): 0.79,
    ("zh", True): 0.85,
    ("en", False): 0.78,
    ("zh", False): 0.78,
}
"""The best cosine of the refining tier when nothing answers, by the documents' language and
whether the question is in it; in the same language the mean for XQuAD's questions of the other
half of its articles. The tier has one embedder, to which all Chinese texts are much alike."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for an answer. Cosines of the instant tier are measured by `from_unrelated`.

    `cosine`: the best window; `in_context`: the best sentence with its neighbours; `coverage`: the
    largest share of the question's concepts in one passage, by weight, in [0, 1]; `words`: that
    weight (IDF in nats, and one more a concept), as ln(1 + sum); `score`: the best sentence's, in
    [0, 1]; `searched`: ln(1 + passages searched), because among many the best one is better by
    chance; `statement`: 1 when a financial statement that is asked for was found; `window` and
    `passage`: the best cosines of the refining tier, from `REFINED_UNRELATED`, without it 0.
    """

    cosine: float = 0.0
    in_context: float = 0.0
    coverage: float = 0.0
    words: float = 0.0
    score: float = 0.0
    searched: float = 0.0
    statement: float = 0.0
    window: float = 0.0
    passage: float = 0.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of `Evidence`; `bias` is set so that 0 (odds of one) is the limit."""

    bias: float
    cosine: float
    in_context: float = 0.0
    coverage: float = 0.0
    words: float = 0.0
    score: float = 0.0
    searched: float = 0.0
    statement: float = 0.0
    window: float = 0.0
    passage: float = 0.0


@dataclass(frozen=True, slots=True)
class GateWeights:
    """Weights by situation.

    Fitted by logistic regression (L2), every group of questions with the same weight, and checked
    by seven-fold cross-validation over articles. Answered: the questions of XQuAD (dev, English
    and Chinese) of a PDF with half of its articles, also among filings of 3,000 passages, and
    those of FinanceBench of their own filing. Not answered: XQuAD's questions of the other half;
    of filings; FinanceBench's of XQuAD. `bias` is set so that of each language's answered
    questions at most 3 or 3.5 % fall below the limit, 0.5 % for `own_refined`, which tells them
    apart best. The weight of
    `statement` is set by hand; those of `searched` with the refining tier are those without.
    """

    own: Weights = Weights(
        bias=-2.91, cosine=11.84, in_context=7.18, coverage=9.39, searched=-0.29, statement=1.00
    )
    own_refined: Weights = Weights(
        bias=-3.36,
        cosine=3.88,
        coverage=9.29,
        searched=-0.29,
        statement=1.00,
        window=10.28,
        passage=12.63,
    )
    other: Weights = Weights(
        bias=-6.78, cosine=8.79, in_context=4.28, words=1.45, score=11.31, searched=-0.40
    )
    other_refined: Weights = Weights(
        bias=-6.75,
        cosine=4.00,
        in_context=6.32,
        words=0.74,
        score=14.21,
        searched=-0.40,
        window=3.21,
        passage=7.92,
    )


WEIGHTS = GateWeights()


def from_unrelated(cosine: float, unrelated: float) -> float:
    """Return how far a cosine is from that of unrelated texts, 1 for equal texts.

    Cosines of two embedders do not compare: texts that have nothing to do with each other have .1
    with one and .8 with another. Below 0 two texts need not have to do with each other.
    """
    return (cosine - unrelated) / max(1.0 - unrelated, 1e-6)


def answerability(evidence: Evidence, weights: Weights) -> float:
    """Return the score in (0, 1); from .5 on the question counts as answered."""
    total = weights.bias + sum(
        getattr(weights, name) * getattr(evidence, name) for name in Evidence.__slots__
    )
    return 1.0 / (1.0 + math.exp(-max(-50.0, min(50.0, total))))


def weights_for(found: Found, language: str, weights: GateWeights = WEIGHTS) -> Weights:
    """Return the weights that hold for a passage and a question in `language`."""
    is_refined = found.passage is not None
    if found.document.language == language:
        return weights.own_refined if is_refined else weights.own
    return weights.other_refined if is_refined else weights.other


def first_of_each(found: Sequence[Found]) -> list[Found]:
    """Return the best passage in each situation, best first."""
    out: list[Found] = []
    for passage in found:
        if not any(_is_alike(passage, first) for first in out):
            out.append(passage)
    return out


def evidence_of(
    retrieval: Retrieval,
    chosen: Sequence[Chosen],
    first: Found,
    *,
    language: str,
    unrelated: float,
) -> Evidence | None:
    """Return what speaks for an answer from passages in the situation of `first`, their best one.

    None when they have no vectors. `language` is the question's; `unrelated` as in
    `from_unrelated`.
    """
    alike = [f for f in retrieval.found if _is_alike(f, first)]
    cosines = [c for f in alike for c in f.windows.values()]
    if not cosines:
        return None
    own = [c for c in chosen if _is_alike(c.found, first)]
    contexts = [c.features.get("cosine_in_context", 0.0) for c in own[:SENTENCES]]
    concepts = asked_in(retrieval, first)
    coverage = covered(concepts, alike[:PASSAGES_COVERED])
    return Evidence(
        cosine=from_unrelated(max(cosines), unrelated),
        in_context=from_unrelated(max(contexts, default=0.0), unrelated),
        coverage=coverage,
        words=math.log1p(coverage * _weight(concepts)),
        score=max((c.score for c in own[:1]), default=0.0),
        searched=math.log1p(_searched(retrieval)),
        statement=max(f.scores.get("statement", 0.0) for f in alike[:PASSAGES_COVERED]),
        window=_refined([c for f in alike for c in f.refined.values()], first, language),
        passage=_refined([f.passage for f in alike if f.passage is not None], first, language),
    )


def _refined(cosines: Sequence[float], first: Found, language: str) -> float:
    if first.passage is None or not cosines:
        return 0.0
    own = first.document.language
    unrelated = REFINED_UNRELATED.get((own, own == language), _REFINED_UNRELATED)
    return from_unrelated(max(cosines), unrelated)


def asked_in(retrieval: Retrieval, found: Found) -> list[Weighted]:
    """Return what a question asks as a passage's documents say it, without its instructions.

    "Explain the history of mills" asks about history and mills, not about explaining.
    """
    concepts = retrieval.concepts_in(found.document.language)
    return [c for c in concepts if not is_instruction(c.concept.name)] or list(concepts)


def covered(concepts: Sequence[Weighted], passages: Sequence[Found]) -> float:
    """Return the largest share of the concepts one passage has, by weight, in [0, 1].

    A word that no passage has counts for a part where one has a word like it: it may be misspelt.
    """
    words = [terms("\n".join((*f.chunk.heading_path, f.chunk.text))) for f in passages]
    sets = [frozenset(map(term_hash, own)) for own in words]
    missing = [w for w in concepts if not any(w.concept.is_in(own) for own in sets)]
    best = 0.0
    for own, hashed in zip(words, sets, strict=True):
        known = set(own)
        likes = _weight(w for w in missing if is_misspelt(w.concept.name, known))
        have = _weight(w for w in concepts if w.concept.is_in(hashed))
        best = max(best, have + _MISSPELT * likes)
    total = _weight(concepts)
    return best / total if total else 0.0


def is_misspelt(word: str, known: Set[str]) -> bool:
    """Tell whether a Latin word is one letter (more, less, other or swapped) from a known one."""
    if len(word) < _SHORTEST_MISSPELT or not (word.isascii() and word.isalpha()):
        return False
    return any(_is_one_off(word, other) for other in known if abs(len(other) - len(word)) <= 1)


def _is_one_off(a: str, b: str) -> bool:
    short, long = sorted((a, b), key=len)
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    if short[start + 1 :] == long[start + 1 :]:
        return True
    return short[start : start + 2] == long[start : start + 2][::-1] and (
        short[start + 2 :] == long[start + 2 :]
    )


def is_short_and_covered(question: str, concepts: Sequence[Weighted], coverage: float) -> bool:
    """Tell whether a passage has all of a question of one or two words ("eels?", "鳗鱼").

    Such a question's vector says little, and the words a small document is about are not rare in
    it.
    """
    own = [t for t in terms(question) if not is_instruction(t)]
    chinese = sum(len(t) == 1 and not t.isascii() for t in own)
    number = len({t for t in own if t.isascii()}) + (chinese + 1) // 2
    is_known = len(concepts) >= number
    return 0 < number <= _FEW_WORDS and is_known and coverage >= _ALL


def _is_alike(found: Found, first: Found) -> bool:
    return found.document.language == first.document.language and (found.passage is None) == (
        first.passage is None
    )


def _weight(concepts: Iterable[Weighted]) -> float:
    return sum(concept.weight + _EVERY_WORD for concept in concepts)


def _searched(retrieval: Retrieval) -> int:
    """Return the passages of the documents that were found or nearly so."""
    documents = {f.document.id: f.document for f in retrieval.found}
    documents |= {document.id: document for _, document, _, _ in retrieval.others}
    return sum(document.chunks for document in documents.values())
