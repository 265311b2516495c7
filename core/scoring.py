"""Formulas of relevance, recency and importance: pure functions with named weights.

The formulas of the four kinds of memory are those printed in *Hello-Agents*, chapter 8, section
8.2.5; where the text leaves one open (the decay of working memory, the recency of episodes), it is
the one of the code published with it. Ages below zero (a clock set back) count as zero.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, pstdev
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Scores = TypeVar("Scores", float, Floats)

HOURS_PER_DAY = 24.0


@dataclass(frozen=True, slots=True)
class ImportanceWeights:
    """Importance 0 to 1 becomes a factor from `base` to `base + span` (0.8 to 1.2)."""

    base: float = 0.8
    span: float = 0.4


@dataclass(frozen=True, slots=True)
class WorkingWeights:
    """TF-IDF cosine against keywords; the decay per `decay_hours` and its floor."""

    tfidf: float = 0.7
    keyword: float = 0.3
    decay: float = 0.95
    decay_hours: float = 6.0
    decay_floor: float = 0.1


@dataclass(frozen=True, slots=True)
class EpisodicWeights:
    """Vector similarity against recency. Perceptual memory has the same two."""

    vector: float = 0.8
    recency: float = 0.2


@dataclass(frozen=True, slots=True)
class SemanticWeights:
    """Vector similarity against graph similarity."""

    vector: float = 0.7
    graph: float = 0.3


@dataclass(frozen=True, slots=True)
class PerceptualDecay:
    """Exponential decay per day and its floor."""

    per_day: float = 0.1
    floor: float = 0.1


@dataclass(frozen=True, slots=True)
class RecallWeights:
    """How recall ranks across kinds.

    Half vectors, scaled per query, and half words found more than either alone and than rank
    fusion on LoCoMo (recall at 5). There a recency of 0.2 on top lost 2 to 40 points, 0.05 none:
    recency only separates memories that are equally relevant.
    `refined` is the share of the finer vectors among vectors.
    """

    vector: float = 0.5
    lexical: float = 0.5
    refined: float = 0.7
    recency: float = 0.05


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """What makes a memory fit a query besides its own words and meaning.

    Own weights, chosen on LoCoMo, where finding hardly changes around them. A turn of a
    conversation has this share of what the first, second and third turn `before` and `after` it
    have. The others are what a memory's relevance loses: said by another speaker than the one the
    query names; a turn that `asks`; one that says little (`full_length` terms say enough); one that
    is not of the time the query names (half of it up to `near_days` away).
    """

    before: tuple[float, float, float] = (0.7, 0.3, 0.15)
    after: tuple[float, float, float] = (0.6, 0.3, 0.15)
    other_speaker: float = 0.3
    asks: float = 0.1
    says_little: float = 0.2
    full_length: float = 30.0
    other_time: float = 0.5
    near_time: float = 0.5
    near_days: float = 7.0


@dataclass(frozen=True, slots=True)
class BM25Weights:
    """Saturation of the frequency, and how far length counts (Robertson & Zaragoza 2009)."""

    k1: float = 1.5
    b: float = 0.75


@dataclass(frozen=True, slots=True)
class KeepingWeights:
    """What there is to be said for keeping a memory: the `intelligent` way of forgetting.

    Own weights: importance, which somebody gave, counts most; then whether it could be recalled by
    now, and how often it was asked for; age alone counts least. `uses_for_all` uses count as often.
    `stability_share`: a memory that was never used again has a stability of that share of the age
    limit, so that its retrievability falls to exp(-3) = 0.05 at the limit.
    """

    importance: float = 0.4
    retrievability: float = 0.3
    frequency: float = 0.2
    freshness: float = 0.1
    uses_for_all: float = 10.0
    stability_share: float = 1.0 / 3.0


IMPORTANCE = ImportanceWeights()
KEEPING = KeepingWeights()
WORKING = WorkingWeights()
EPISODIC = EpisodicWeights()
SEMANTIC = SemanticWeights()
PERCEPTUAL_DECAY = PerceptualDecay()
RECALL = RecallWeights()
RANKING = RankingWeights()
BM25 = BM25Weights()


def importance_weight(importance: float, weights: ImportanceWeights = IMPORTANCE) -> float:
    """Return the factor of an importance in [0, 1]; in [0.8, 1.2]."""
    return weights.base + weights.span * importance


def working_relevance(tfidf: float, keyword: float, weights: WorkingWeights = WORKING) -> float:
    """Return the mix of TF-IDF cosine and keyword score, the keyword score alone without cosine."""
    return weights.tfidf * tfidf + weights.keyword * keyword if tfidf > 0 else keyword


def working_decay(age_hours: float, weights: WorkingWeights = WORKING) -> float:
    """Return the factor for the age of a working memory: 0.95 per six hours, at least 0.1."""
    steps = max(0.0, age_hours) / weights.decay_hours
    return float(max(weights.decay_floor, weights.decay**steps))


def working_score(relevance: float, age_hours: float, importance: float) -> float:
    """Return relevance × decay × importance weight."""
    return relevance * working_decay(age_hours) * importance_weight(importance)


def working_priority(age_hours: float, importance: float) -> float:
    """Return importance × decay: the lowest leaves first when working memory is full."""
    return importance * working_decay(age_hours)


def episodic_recency(age_days: float) -> float:
    """Return 1 / (1 + age); in (0, 1]."""
    return 1.0 / (1.0 + max(0.0, age_days))


def episodic_score(
    vector: float, age_days: float, importance: float, weights: EpisodicWeights = EPISODIC
) -> float:
    """Return (0.8 · vector + 0.2 · recency) × importance weight."""
    base = weights.vector * vector + weights.recency * episodic_recency(age_days)
    return base * importance_weight(importance)


def semantic_relevance(vector: float, graph: float, weights: SemanticWeights = SEMANTIC) -> float:
    """Return 0.7 · vector + 0.3 · graph."""
    return weights.vector * vector + weights.graph * graph


def semantic_score(vector: float, graph: float, importance: float) -> float:
    """Return (0.7 · vector + 0.3 · graph) × importance weight."""
    return semantic_relevance(vector, graph) * importance_weight(importance)


def perceptual_recency(age_hours: float, decay: PerceptualDecay = PERCEPTUAL_DECAY) -> float:
    """Return exp(-0.1 · age in days), at least 0.1."""
    return max(decay.floor, math.exp(-decay.per_day * max(0.0, age_hours) / HOURS_PER_DAY))


def perceptual_score(
    vector: float, age_hours: float, importance: float, weights: EpisodicWeights = EPISODIC
) -> float:
    """Return (0.8 · vector + 0.2 · exponential recency) × importance weight."""
    base = weights.vector * vector + weights.recency * perceptual_recency(age_hours)
    return base * importance_weight(importance)


def freshness(age_days: float, max_age_days: float) -> float:
    """Return 1 for a new memory, 0.5 at the age limit, halved again with each further one.

    0 for anything with an age when the limit is 0.
    """
    age = max(0.0, age_days)
    if max_age_days <= 0:
        return 0.0 if age > 0 else 1.0
    return float(0.5 ** (age / max_age_days))


def access_frequency(accesses: int, weights: KeepingWeights = KEEPING) -> float:
    """Return ln(1 + n) / ln(1 + 10), at most 1: the first uses tell the most; in [0, 1]."""
    n = max(0, accesses)
    return min(1.0, math.log1p(n) / math.log1p(weights.uses_for_all))


def retrievability(
    idle_days: float, accesses: int, max_age_days: float, weights: KeepingWeights = KEEPING
) -> float:
    """Return exp(-t / S), the forgetting curve of Ebbinghaus (1885); in [0, 1].

    `t` is the time since the memory was last made, seen or used, in days. The stability `S` grows
    by its first value with every use, as in MemoryBank (Zhong et al. 2023, arXiv:2305.10250).
    """
    idle = max(0.0, idle_days)
    stability = weights.stability_share * max_age_days * (1 + max(0, accesses))
    if stability <= 0:
        return 0.0 if idle > 0 else 1.0
    return math.exp(-idle / stability)


def keeping_score(
    *,
    importance: float,
    retrievability: float,
    frequency: float,
    freshness: float,
    weights: KeepingWeights = KEEPING,
) -> float:
    """Return the weighted mean of four numbers in [0, 1]; in [0, 1]."""
    total = weights.importance + weights.retrievability + weights.frequency + weights.freshness
    return (
        weights.importance * importance
        + weights.retrievability * retrievability
        + weights.frequency * frequency
        + weights.freshness * freshness
    ) / total


def scale_by_max(values: Sequence[float]) -> list[float]:
    """Divide by the largest value; values below zero become 0, all 0 when nothing is above zero."""
    top = max(values, default=0.0)
    return [max(0.0, v) / top for v in values] if top > 0 else [0.0] * len(values)


def min_max(values: Sequence[float]) -> list[float]:
    """Scale to [0, 1] by the smallest and the largest value; equal values all become 1."""
    if not values:
        return []
    low, high = min(values), max(values)
    return [(v - low) / (high - low) if high > low else 1.0 for v in values]


def fuse(vector: Scores, lexical: Scores, weights: RecallWeights = RECALL) -> Scores:
    """Return the weighted mean of two scores that are scaled per query."""
    total = weights.vector + weights.lexical
    return (weights.vector * vector + weights.lexical * lexical) / total


def recall_score(
    relevance: float, age_days: float, importance: float, weights: RecallWeights = RECALL
) -> float:
    """Return the score by which memories of all kinds are ranked; zero without relevance."""
    recency = 1.0 - weights.recency * (1.0 - episodic_recency(age_days))
    return relevance * recency * importance_weight(importance)


def inverse_document_frequency(documents: int, containing: int) -> float:
    """Return BM25's IDF in Lucene's form, ln(1 + (N - n + 0.5) / (n + 0.5)), which is positive."""
    return math.log1p((documents - containing + 0.5) / (containing + 0.5))


def bm25_part(
    frequencies: Floats, lengths: Floats, average: float, weights: BM25Weights = BM25
) -> Floats:
    """Return BM25's part for one term without its IDF, one a text.

    Texts have `lengths` terms, `average` on the average, which is above 0.
    """
    norm = weights.k1 * (1 - weights.b + weights.b * lengths / average)
    result: Floats = frequencies * (weights.k1 + 1) / (frequencies + norm)
    return result


def unrelated_limit(similarities: Sequence[float], deviations: float = 3.0) -> float:
    """Return the similarity above which two texts are taken as related.

    `similarities` are those of unrelated texts under the same embedder; the limit is their mean
    plus `deviations` standard deviations. Cosines of different models are not comparable, so no
    fixed number would do. Raises `StatisticsError` for an empty sequence.
    """
    return mean(similarities) + deviations * pstdev(similarities)


def chance_limit(candidates: int, deviations: float = 3.0) -> float:
    """Return how many standard deviations the best of so many unrelated candidates may reach.

    The mean of the largest of n normal numbers is at most sqrt(2 ln n); so a fixed `deviations`,
    the least that is returned, would find something unrelated among many.
    """
    return max(deviations, math.sqrt(2.0 * math.log(max(1, candidates))))
