"""Vectors and graph together: how a ranked list takes up what the graph relates."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

GRAPH_WEIGHT = 0.1
"""The share of the graph in a score; vectors have the rest."""
RELATIONAL_WEIGHT = 0.6
"""The same for questions that follow relations of the graph.

The tutorial has 0.3 for all (section 8.2.5); docs/knowledge-graph.md compares.
"""

K = TypeVar("K", bound=Hashable)


def with_graph(
    ranked: Sequence[tuple[K, float]],
    graph: Mapping[K, float],
    *,
    weight: float,
) -> list[K]:
    """Return keys, best first, by `(1 - weight) · vectors + weight · graph`.

    `ranked` has scores from vectors, best first, any scale: they are scaled so that the best has 1
    and the last 0. `graph` has weights in [0, 1], scaled so that the best has 1. A key that only
    the graph has counts 0 by vectors. Equal scores keep the order of `ranked`.
    """
    scores = [score for _, score in ranked]
    low, high = (min(scores), max(scores)) if scores else (0.0, 0.0)
    width = (high - low) or 1.0
    by_vectors = {key: (score - low) / width for key, score in ranked}
    most = max(graph.values(), default=0.0) or 1.0
    keys = dict.fromkeys([key for key, _ in ranked])
    keys |= dict.fromkeys(graph)
    total = {
        key: (1 - weight) * by_vectors.get(key, 0.0) + weight * graph.get(key, 0.0) / most
        for key in keys
    }
    return sorted(keys, key=lambda key: -total[key])
