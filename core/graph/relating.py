"""How near sentences are to a question by the graph: entities, their neighbours, ways between them.

The weights were set on the development half of the relational questions (docs/knowledge-graph.md).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from core.domain.graph import Entity, Evidence, Relation, RelationKind
from core.ports.graph_store import GraphStore

BETWEEN = 0.95
"""Weight of a relation on a shortest way between two entities of the question."""
NEAR = 0.6
"""That of a relation of one entity of the question."""
FAR = 0.35
"""That of a relation of its neighbour."""
ASKED = 1.5
"""Factor of relations of a kind that the question names."""
MENTIONED = 0.2
"""Weight of a sentence that only names an entity of the question."""
HUB = 8
"""A neighbour with more relations passes on less."""
_PAIRS = 3
_LONGEST_WAY = 4
_RELATIONS = 200


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence with its weight in (0, 1]."""

    evidence: Evidence
    weight: float


def weighed(
    store: GraphStore,
    entities: Sequence[Entity],
    kinds: frozenset[RelationKind],
    *,
    namespace: str,
) -> list[Weighed]:
    """Return the sentences that the graph relates to a question about `entities`."""
    ids = [one.id for one in entities]
    if not ids:
        return []
    relations = store.neighbourhood(ids, namespace=namespace, hops=2, limit=_RELATIONS)
    between = {
        relation.id
        for one, other in islice(combinations(ids, 2), _PAIRS)
        for relation in store.shortest_path(one, other, namespace=namespace, longest=_LONGEST_WAY)
    }
    out = list(_of_relations(relations, set(ids), between, kinds))
    for found in store.evidence(ids, namespace=namespace).values():
        out += [Weighed(evidence, MENTIONED * evidence.confidence) for evidence in found]
    return out


def _of_relations(
    relations: Sequence[Relation],
    ids: set[str],
    between: set[str],
    kinds: frozenset[RelationKind],
) -> Iterable[Weighed]:
    degrees: Counter[str] = Counter()
    for relation in relations:
        degrees.update((relation.subject.id, relation.object.id))
    near = {
        end
        for relation in relations
        if {relation.subject.id, relation.object.id} & ids
        for end in (relation.subject.id, relation.object.id)
    }
    for relation in relations:
        ends = {relation.subject.id, relation.object.id}
        if relation.id in between:
            weight = BETWEEN
        elif ends & ids:
            weight = NEAR
        else:
            middle = max(degrees[end] for end in ends & near) if ends & near else HUB
            weight = FAR * min(1.0, (HUB / max(middle, 1)) ** 0.5)
        if relation.kind in kinds and relation.id not in between:
            weight *= ASKED
        for evidence in relation.evidence:
            yield Weighed(evidence, min(1.0, weight * evidence.confidence))


def together(weights: Iterable[float], most: int = 3) -> float:
    """Return the weight of several sentences of one source: 1 - Π(1 - w) of the heaviest."""
    rest = 1.0
    for weight in sorted(weights, reverse=True)[:most]:
        rest *= 1.0 - weight
    return 1.0 - rest
