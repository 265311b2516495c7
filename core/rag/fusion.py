"""How the signals for a passage become its score: scaled per question, then added by weight."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.document import Document

Floats = NDArray[np.float64]
Place = tuple[int, int]
"""Page and offset at which a window begins."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the signals, each at most 1; a score is divided by their sum.

    `dense`: cosines of the instant tier; `refined_windows` and `refined_passage`: those of the
    refining tier; the others: words (see `WordScores`).
    """

    dense: float
    bm25: float
    page_bm25: float
    coverage: float
    refined_windows: float = 0.0
    refined_passage: float = 0.0

    @property
    def total(self) -> float:
        """The score of a passage that is best in everything, before it is divided."""
        return (
            self.dense
            + self.bm25
            + self.page_bm25
            + self.coverage
            + self.refined_windows
            + self.refined_passage
        )


@dataclass(frozen=True, slots=True)
class FusionWeights:
    """The weights by situation.

    Chosen on XQuAD (dev) and checked by two-fold cross-validation over articles
    (`tests/evals/xquad.py`); those for one's own language also on FinanceBench, where words tell
    more than on XQuAD. In another language the vectors lead and the dictionary helps.
    """

    own: Weights = Weights(0.5, 0.4, 0.15, 0.2)
    own_refined: Weights = Weights(0.5, 0.4, 0.4, 0.2, 0.5, 0.8)
    other: Weights = Weights(7.7, 1.9, 1.4, 1.8)
    other_refined: Weights = Weights(4.2, 1.8, 1.1, 1.0, 5.1, 4.3)
    best_window: float = 0.6
    """Part of the best window in a dense score; the rest is the mean of all windows."""
    best_refined: float = 0.7
    """The same for the refining tier."""
    refined_spread: float = 0.1
    """So far below the best cosine a passage counts 0 in the refining tier, whose cosines of
    unrelated texts are high (0.7) and lie close together."""
    foreign: float = 0.9
    """Factor of passages in another language than the question, beside ones in its own, while they
    are not refined: the instant tier's vectors are near for much that does not answer."""
    same_page: float = 0.1
    """Taken off, relative to the best, for each better passage of the same page."""
    statement: float = 0.25
    """Added for a passage of a financial statement that is asked for (of the sum of weights)."""
    statement_rows: float = 0.25
    """Added for the rows of statements that show what is asked for."""


@dataclass(slots=True)
class Candidate:
    """A passage that may be found. Signals are filled in as they are measured.

    `windows` and `refined` are the cosines of its windows in the two tiers, `passage` that of the
    whole in the refining one; `page` is the page on which the best window begins.
    """

    id: str
    document: Document
    ordinal: int
    row: int
    windows: dict[Place, float] = field(default_factory=dict)
    refined: dict[Place, float] = field(default_factory=dict)
    passage: float | None = None
    page: int | None = None

    @property
    def is_refined(self) -> bool:
        """Whether the refining tier knows the whole passage."""
        return self.passage is not None and bool(self.refined)


def in_context(cosines: Sequence[float]) -> list[float]:
    """Return each cosine averaged with half of its neighbours': a window in its surroundings."""
    out = []
    for i, own in enumerate(cosines):
        before = cosines[i - 1] if i else own
        after = cosines[i + 1] if i + 1 < len(cosines) else own
        out.append((own + 0.5 * before + 0.5 * after) / 2)
    return out


def best_of(windows: Mapping[Place, float], share: float) -> float:
    """Return `share` of the best window (alone or in its surroundings), the rest their mean."""
    cosines = [windows[place] for place in sorted(windows)]
    if not cosines:
        return 0.0
    best = max(max(cosines), max(in_context(cosines)))
    return share * best + (1 - share) * sum(cosines) / len(cosines)


_REFINED_IN_PLACE = 3.0
"""Part of the refining tier, against 1 of the instant one, in choosing a passage's page."""


def page_of(candidate: Candidate) -> int | None:
    """Return the page on which the passage's best window begins, None without windows."""
    places = sorted(candidate.windows or candidate.refined)
    if not places:
        return None
    instant = [candidate.windows.get(place, 0.0) for place in places]
    refined = [_REFINED_IN_PLACE * candidate.refined.get(place, 0.0) for place in places]
    both = [a + b for a, b in zip(instant, refined, strict=True)]
    best = [max(pair) for pair in zip(both, in_context(both), strict=True)]
    return places[best.index(max(best))][0]


def scores_of(
    candidates: Sequence[Candidate],
    words: Mapping[str, Floats],
    *,
    language: str,
    weights: FusionWeights,
) -> dict[str, dict[str, float]]:
    """Return the signals of each candidate by its id, and their weighted mean `fused`.

    `words` has an array `bm25`, `page_bm25` and `coverage` each, by row. A question in another
    language than the document's has weights of its own.
    """
    if not candidates:
        return {}
    rows = np.array([c.row for c in candidates])
    dense = np.array([max(best_of(c.windows, weights.best_window), 0.0) for c in candidates])
    columns = {
        "dense": _by_best_of_each(dense, [c.document.embedder for c in candidates]),
        **{name: values[rows] for name, values in words.items()},
        "refined_windows": _refined(
            candidates, [best_of(c.refined, weights.best_refined) for c in candidates], weights
        ),
        "refined_passage": _refined(candidates, [c.passage or 0.0 for c in candidates], weights),
    }
    is_mixed = len({c.document.language for c in candidates}) > 1
    out = {}
    for i, candidate in enumerate(candidates):
        own = weights_for(candidate, language, weights)
        signals = {name: float(values[i]) for name, values in columns.items()}
        if not candidate.is_refined:
            del signals["refined_windows"], signals["refined_passage"]
        fused = sum(getattr(own, name) * value for name, value in signals.items()) / own.total
        if is_mixed and candidate.document.language != language and not candidate.is_refined:
            fused *= weights.foreign
        out[candidate.id] = {"fused": fused, "cosine": float(dense[i]), **signals}
    return out


def weights_for(candidate: Candidate, language: str, weights: FusionWeights) -> Weights:
    """Return the weights that hold for a passage and a question in `language`."""
    if candidate.document.language == language:
        return weights.own_refined if candidate.is_refined else weights.own
    return weights.other_refined if candidate.is_refined else weights.other


def _refined(
    candidates: Sequence[Candidate], cosines: Sequence[float], weights: FusionWeights
) -> Floats:
    """Scale cosines of the refining tier: the best has 1, one `refined_spread` lower 0.

    It prefers texts in the question's language, so each language is measured from its own mean.
    """
    values = np.array(cosines)
    known = np.array([c.is_refined for c in candidates])
    languages = np.array([c.document.language for c in candidates])
    for language in set(languages[known]):
        group = known & (languages == language)
        values[group] -= values[group].mean()
    if not known.any():
        return np.zeros(len(values))
    scaled: Floats = 1 - (values[known].max() - values) / weights.refined_spread
    return np.where(known, np.maximum(scaled, -1.0), 0.0)


def _by_best_of_each(values: Floats, groups: Sequence[str]) -> Floats:
    """Scale so that the best of each group is 1: cosines of two embedders do not compare."""
    names = np.array(groups)
    out = np.zeros_like(values)
    for name in set(groups):
        own = values[names == name]
        best = float(own.max()) if len(own) else 0.0
        out[names == name] = own / best if best > 0 else 0.0
    return out


def diverse(
    candidates: Sequence[Candidate],
    fused: Mapping[str, float],
    weights: FusionWeights,
    *,
    most: int | None = None,
) -> list[Candidate]:
    """Order by score, each further passage of the same page a little behind; the best stays.

    Returns the first `most` of them (None: all).
    """
    if not candidates:
        return []
    penalty = weights.same_page * max(fused.values())
    left = sorted(candidates, key=lambda c: -fused[c.id])
    seen: dict[tuple[str, int], int] = {}
    out: list[Candidate] = []

    def behind(candidate: Candidate) -> float:
        return fused[candidate.id] - penalty * seen.get(_page_key(candidate), 0)

    while left and (most is None or len(out) < most):
        best = max(left, key=behind)
        left.remove(best)
        out.append(best)
        seen[_page_key(best)] = seen.get(_page_key(best), 0) + 1
    return out


def _page_key(candidate: Candidate) -> tuple[str, int]:
    return candidate.document.id, candidate.page or -candidate.ordinal - 1
