"""Where the letters of a cut-out line stand. Runs in worker processes only."""

from itertools import pairwise
from typing import Any

import numpy as np

GAP = 0.8
"""Heights of a line: a wider gap parts columns or cells, which detection often takes for one line.

Two words of one line that are parted by mistake are put together again in reading order.
"""
NUMBER_GAP = 0.35
"""The same within what reads as one number: its figures stand closer."""
_LEAST_CONTRAST = 30
"""Grey levels; with less there is no telling ink from paper."""
_INK = 0.4
"""What differs from the paper by this part of the contrast is ink, dark or light."""
_SPECK = 2
"""Pixels of ink that a column of pixels of a letter has at least."""
_MARGIN = 0.15
"""Part of the height at the top and at the foot where neighbouring lines may reach in."""


def stretches(line: Any, gap: float = GAP) -> list[tuple[int, int]]:
    """Return the stretches of ink in a cut-out grey line as (first, end) columns of pixels.

    They are parted by gaps wider than `gap` heights of the line. A line in which nothing can be
    told is one stretch.
    """
    height, width = line.shape
    margin = round(height * _MARGIN)
    away = np.abs(line[margin : height - margin].astype(np.float32) - np.median(line))
    if away.size == 0 or (contrast := float(np.percentile(away, 99))) < _LEAST_CONTRAST:
        return [(0, width)]
    inked = np.flatnonzero((away > _INK * contrast).sum(axis=0) >= _SPECK)
    if inked.size == 0:
        return [(0, width)]
    breaks = np.flatnonzero(np.diff(inked) > max(1.0, gap * height))
    cuts = [0, *(int(b) + 1 for b in breaks), inked.size]
    edge = max(1, round(height * _MARGIN))
    return [
        (max(0, int(inked[low]) - edge), min(width, int(inked[high - 1]) + 1 + edge))
        for low, high in pairwise(cuts)
    ]
