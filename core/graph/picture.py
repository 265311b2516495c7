"""Where the entities of a graph stand in its picture.

Forces after Fruchterman and Reingold (Graph Drawing by Force-directed Placement, 1991): entities
push each other away, relations pull. The same graph gives the same picture.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from core.domain.graph import Entity, Relation
from core.domain.graph_views import GraphPicture, PictureNode
from core.ports.graph_store import GraphStore

ROUNDS = 120
_GOLDEN_ANGLE = np.pi * (3 - 5**0.5)
_RELATIONS = 400
_NEAREST = 1e-3
"""Entities nearer to each other than this are pushed as from this distance."""
_PULL_TO_MIDDLE = 0.6

Floats = NDArray[np.float64]


def of_all(store: GraphStore, *, namespace: str, limit: int) -> GraphPicture:
    """Return the entities with the most relations, and the relations between them."""
    entities = store.entities(namespace=namespace, limit=limit)
    relations = store.relations(
        namespace=namespace, of=[one.id for one in entities], limit=_RELATIONS
    )
    total = store.count(namespace=namespace).entities
    return _drawn([one.id for one in entities], relations, total)


def around(store: GraphStore, one: Entity, *, namespace: str, limit: int) -> GraphPicture:
    """Return an entity with what is at most two steps away, the nearest first."""
    relations = store.neighbourhood([one.id], namespace=namespace, hops=2, limit=_RELATIONS)
    ids = list(
        dict.fromkeys([one.id, *(end.id for r in relations for end in (r.subject, r.object))])
    )
    if not relations:
        node = PictureNode(entity=one, x=0.5, y=0.5, degree=0)
        return GraphPicture(nodes=(node,), edges=())
    return _drawn(ids[:limit], relations, len(ids))


def _drawn(ids: Sequence[str], relations: Sequence[Relation], total: int) -> GraphPicture:
    kept = set(ids)
    edges = [r for r in relations if r.subject.id in kept and r.object.id in kept]
    by_id = {end.id: end for r in edges for end in (r.subject, r.object)}
    nodes = [by_id[i] for i in ids if i in by_id]
    degrees = Counter(end.id for r in edges for end in (r.subject, r.object))
    index = {one.id: i for i, one in enumerate(nodes)}
    places = layout(len(nodes), [(index[r.subject.id], index[r.object.id]) for r in edges])
    return GraphPicture(
        nodes=tuple(
            PictureNode(entity=one, x=float(x), y=float(y), degree=degrees[one.id])
            for one, (x, y) in zip(nodes, places, strict=True)
        ),
        edges=tuple(edges),
        left_out=max(0, total - len(nodes)),
    )


def layout(count: int, edges: Sequence[tuple[int, int]]) -> Floats:
    """Return places in [0, 1]², shape (count, 2), for numbered nodes and the edges between them."""
    turn = np.arange(count) * _GOLDEN_ANGLE
    radius = np.sqrt((np.arange(count) + 0.5) / max(count, 1))
    at: Floats = np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    if count < 2:
        return np.full((count, 2), 0.5)
    ideal = 1.0 / np.sqrt(count)
    one = np.array([a for a, b in edges if a != b], dtype=np.int64)
    other = np.array([b for a, b in edges if a != b], dtype=np.int64)
    for round_ in range(ROUNDS):
        gaps = at[:, None] - at[None]
        distances = np.maximum(np.linalg.norm(gaps, axis=2), _NEAREST)
        force = (gaps * (ideal**2 / distances**2)[:, :, None]).sum(axis=1)
        pull = at[one] - at[other]
        pull = pull * (np.linalg.norm(pull, axis=1, keepdims=True) / ideal)
        np.add.at(force, one, -pull)
        np.add.at(force, other, pull)
        force -= at * _PULL_TO_MIDDLE * ideal
        length = np.maximum(np.linalg.norm(force, axis=1, keepdims=True), _NEAREST)
        at = at + force / length * np.minimum(length, 0.1 * (1 - round_ / ROUNDS))
    low, high = at.min(axis=0), at.max(axis=0)
    scaled: Floats = (at - low) / np.maximum(high - low, _NEAREST)
    return scaled
