"""How well memories fit a query: by words, by meaning, and by who spoke and when."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.memory.postings import Floats, Mask
from core.memory.time_words import TimeWindow
from core.memory.word_index import OFFSETS, WordIndex
from core.scoring import RANKING, RankingWeights, bm25_part, inverse_document_frequency
from core.text.indexed import IndexedText
from core.text.terms import term_hash, terms

SECONDS_PER_DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class WordScores:
    """Scores by words, one a row.

    `bm25` counts what neighbours of a turn say, too, less with the distance; `coverage` is the
    share of the query's terms in the memory itself, rare ones counting more, in [0, 1].
    """

    bm25: Floats
    coverage: Floats


class QueryWords:
    """The words of a query, weighed by one learner's memories.

    `around` are texts that stand beside the index (working memory); they count in the statistics.
    """

    def __init__(self, text: str, index: WordIndex, around: Sequence[IndexedText] = ()) -> None:
        self.counts = Counter(term_hash(term) for term in terms(text))
        self._index = index
        self._postings = {hashed: index.postings(hashed) for hashed in self.counts}
        self._around = [
            dict(zip(text.hashes.tolist(), text.counts.tolist(), strict=True)) for text in around
        ]
        self._around_lengths = np.array([text.length for text in around], dtype=np.float64)
        self._total = index.living + len(around)
        self._frequency = {
            hashed: len(rows) + sum(hashed in counts for counts in self._around)
            for hashed, (rows, _) in self._postings.items()
        }
        self._shares = _shares(self._frequency, self._total)

    def scores(self, weights: RankingWeights = RANKING) -> WordScores:
        """Return the scores of the index's rows; 0 for those that are not alive."""
        index = self._index
        lengths = with_neighbours(index.columns.lengths * index.alive, index, weights)
        average = self._average(lengths)
        score, coverage = np.zeros(len(index.ids)), np.zeros(len(index.ids))
        for hashed, (rows, counts) in self._postings.items():
            if not len(rows):
                continue
            frequency = np.zeros(len(index.ids))
            frequency[rows] = counts
            coverage[rows] += self._shares[hashed]
            frequency = with_neighbours(frequency, index, weights)
            found = np.flatnonzero(frequency)
            containing = max(len(found), self._frequency[hashed])
            weight = self.counts[hashed] * inverse_document_frequency(self._total, containing)
            score[found] += weight * bm25_part(frequency[found], lengths[found], average)
        return WordScores(score * index.alive, coverage)

    def around(self) -> WordScores:
        """Return the scores of the texts that stand beside the index."""
        average = self._average(self._index.columns.lengths * self._index.alive)
        score, coverage = np.zeros(len(self._around)), np.zeros(len(self._around))
        for hashed, times in self.counts.items():
            frequency = np.array([counts.get(hashed, 0) for counts in self._around], dtype=float)
            weight = times * inverse_document_frequency(self._total, self._frequency[hashed])
            score += weight * bm25_part(frequency, self._around_lengths, average)
            coverage += self._shares[hashed] * (frequency > 0)
        return WordScores(score, coverage)

    def _average(self, lengths: Floats) -> float:
        return max(1.0, float(lengths.sum() + self._around_lengths.sum()) / max(1, self._total))


def _shares(frequency: Mapping[int, int], total: int) -> dict[int, float]:
    """Return the share of a query that each term is, rare ones counting more; together 1."""
    weights = {hashed: math.log(1 + (1 + total) / (1 + n)) for hashed, n in frequency.items()}
    everything = sum(weights.values())
    return {hashed: weight / everything for hashed, weight in weights.items()}


def with_neighbours(values: Floats, index: WordIndex, weights: RankingWeights = RANKING) -> Floats:
    """Add to each turn of a conversation what its neighbours have, less with the distance."""
    if not index.has_turns:
        return values
    padded = np.concatenate((values * index.columns.turn, [0.0]))
    out = values.copy()
    for offset, neighbours in zip(OFFSETS, index.neighbours, strict=True):
        share = weights.before if offset < 0 else weights.after
        out += share[abs(offset) - 1] * padded[neighbours]
    return out


def by_meaning(cosines: Mapping[int, float], index: WordIndex, floor: float) -> Floats:
    """Return the strength of each row by its cosine (given by row), the best having 1.

    Cosines count from the lowest or from `floor`, whichever is less, and what a turn's neighbours
    mean counts, too.
    """
    strength = np.zeros(len(index.ids))
    if not cosines:
        return strength
    values = np.fromiter(cosines.values(), dtype=np.float64)
    strength[list(cosines)] = values - min(floor, float(values.min()))
    strength = with_neighbours(strength, index)
    best = float(strength.max())
    return strength / best if best > 0 else strength


def fitting(
    text: str,
    index: WordIndex,
    times: Sequence[TimeWindow],
    weights: RankingWeights = RANKING,
) -> Floats:
    """Return a factor for each row, at most 1, by who said it, how, and when.

    A query that names one speaker prefers what that one said; a turn that asks, or says little,
    tells less than one that tells; `times` are the times the query names, one of which fits.
    """
    columns = index.columns
    factor = np.ones(len(index.ids))
    asked = {term_hash(term) for term in terms(text)}
    named = [n for n, name in enumerate(index.speakers) if asked.issuperset(name)]
    if len(named) == 1:
        factor[columns.turn & (columns.speaker != named[0])] *= 1 - weights.other_speaker
    factor[columns.turn & columns.asks] *= 1 - weights.asks
    fullness = np.minimum(1.0, np.log1p(columns.lengths) / np.log1p(weights.full_length))
    factor *= np.where(columns.turn, 1 - weights.says_little * (1 - fullness), 1.0)
    if times:
        factor *= 1 - weights.other_time * (1 - _in_time(columns.created, times, weights))
    return factor


def _in_time(created: Floats, times: Sequence[TimeWindow], weights: RankingWeights) -> Floats:
    """Return 1 for what was made within one of the times, less for what was made near it."""
    best = np.zeros(len(created))
    for time in times:
        since, until = time.since.timestamp(), time.until.timestamp()
        days = np.maximum(since - created, created - until) / SECONDS_PER_DAY
        near = np.where(days < weights.near_days, weights.near_time, 0.0)
        best = np.maximum(best, np.where(days < 0, 1.0, near))
    return best


def eligible(coverage: Floats, near: Sequence[int], index: WordIndex, share: float) -> Mask:
    """Return which rows have to do with a query.

    By themselves: those that are `near` by meaning, or have at least `share` of the query's words.
    Once anything has, turns of conversations may, which lean on what is said around them.
    """
    mask = coverage >= share
    mask[list(near)] = True
    mask &= index.alive
    return mask | (index.columns.turn & index.alive) if mask.any() else mask
