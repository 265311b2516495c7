"""Where the topic changes: cuts of a text without headings, from the vectors of its windows.

Every gap between two windows gets a depth, as in TextTiling (Hearst 1997): how much less alike the
windows on its two sides are than at the peaks around it. Dynamic programming then chooses the cuts
that lie deep while the parts keep near to the size that finds best.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.ports.embedder import Vectors

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CutSizes:
    """Sizes of the parts in tokens. No part is larger than `most`, unless one window alone is."""

    least: int
    target: int
    most: int


@dataclass(frozen=True, slots=True)
class CutWeights:
    """Chosen on XQuAD's paragraphs, see `tests/evals/chunking.py`."""

    side: int = 2
    """So many windows on each side of a gap are compared."""
    depth: float = 1.0
    """What a depth of 1 (in units of the mean depth) is worth against a size off by `target`."""


DEFAULT_WEIGHTS = CutWeights()


def gap_depths(vectors: Vectors, *, side: int) -> Floats:
    """Return the depth of each gap, shape (n - 1,), 0 or more; gap i is before window i + 1.

    On a slope it is 0: only where two sides are less alike than at both neighbours is a valley.
    `vectors` has shape (n, dimension), rows L2-normalised.
    """
    count = len(vectors)
    if count < 2:
        return np.zeros(0)
    sums = np.concatenate(
        (np.zeros((1, vectors.shape[1])), np.cumsum(vectors, axis=0, dtype=np.float64))
    )
    gaps = np.arange(1, count)
    left = sums[gaps] - sums[np.maximum(0, gaps - side)]
    right = sums[np.minimum(count, gaps + side)] - sums[gaps]
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    alike = np.einsum("ij,ij->i", left, right) / np.maximum(norms, 1e-12)
    depths = np.zeros(len(alike))
    for i, own in enumerate(alike):
        if own == alike[max(0, i - 1) : i + 2].min():
            depths[i] = _peak(alike, i, -1) + _peak(alike, i, 1) - 2 * own
    return depths


def _peak(values: Floats, at: int, step: int) -> float:
    """Return the value on top of the slope that rises from `at` in one direction."""
    while 0 <= at + step < len(values) and values[at + step] >= values[at]:
        at += step
    return float(values[at])


def cut_positions(
    vectors: Vectors,
    tokens: Sequence[int],
    *,
    sizes: CutSizes,
    weights: CutWeights = DEFAULT_WEIGHTS,
) -> list[int]:
    """Return the windows that begin a new part, ascending, without 0.

    `tokens` are the sizes of the windows, as many as `vectors` has rows. The cost of a part is the
    square of its relative distance from `sizes.target` (more below `sizes.least`), less the depth
    of the cut before it.
    """
    count = len(tokens)
    if count < 2:
        return []
    depths = gap_depths(vectors, side=weights.side)
    mean = float(depths.mean())
    gains = weights.depth * depths / mean if mean > 0 else depths
    ends = np.concatenate(([0], np.cumsum(tokens)))
    best = np.full(count + 1, np.inf)
    best[0] = 0.0
    before = [0] * (count + 1)
    for end in range(1, count + 1):
        for start in range(end - 1, -1, -1):
            size = int(ends[end] - ends[start])
            if size > sizes.most and start < end - 1:
                break
            gain = gains[start - 1] if start else 0.0
            cost = best[start] + _size_cost(size, sizes) - gain
            if cost < best[end]:
                best[end], before[end] = cost, start
    cuts: list[int] = []
    at = before[count]
    while at:
        cuts.insert(0, at)
        at = before[at]
    return cuts


def _size_cost(size: int, sizes: CutSizes) -> float:
    off = (size - sizes.target) / sizes.target
    short = max(0, sizes.least - size) / sizes.least
    return off * off + 4 * short
