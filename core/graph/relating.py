"""How near sentences are to a question by the graph: entities, their neighbours, ways between them.

The weights were set on the development half of the relational questions (docs/knowledge-graph.md).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice

from core.domain.graph import Entity, Evidence, Relation, RelationKind
from core.graph.asked import asks_connection, kinds_asked
from core.ports.graph_store import GraphStore
from core.text.terms import terms

BETWEEN = 0.95
"""Weight of a relation on a shortest way between two entities of the question."""
NEAR = 0.55
"""That of a relation of one entity of the question."""
FAR = 0.25
"""That of a relation of its neighbour."""
MEANT = 0.5
"""That of a relation of a neighbour that the question means: by its relation or by a word."""
ASKED = 1.4
"""Factor of relations of a kind that the question names, and of neighbours that it means."""
BESIDE = 0.6
"""Factor of relations beside a way that was found."""
MENTIONED = 0.2
"""Weight of a sentence that only names an entity of the question; no relation may be known."""
HUB = 8
"""A neighbour with more relations passes on less."""
_MOST = 0.95
_PAIRS = 3
_LONGEST_WAY = 6
_RELATIONS = 200


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence with its weight in (0, 1]."""

    evidence: Evidence
    weight: float


@dataclass(frozen=True, slots=True)
class Related:
    """Sentences with their weights; `relational`: the question follows relations of the graph.

    That is so where two of its entities are connected, where it names both the relation that
    leads to a neighbour and one of the neighbour's own, and where it asks for a connection.
    """

    sentences: tuple[Weighed, ...] = ()
    relational: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as the graph sees it: entities it names, kinds of relation, other index terms.

    `connection`: it asks in so many words how things are connected.
    """

    entities: tuple[Entity, ...]
    kinds: frozenset[RelationKind]
    words: frozenset[str]
    connection: bool = False

    def means(self, one: Entity) -> bool:
        """Tell whether the question has a word of an entity's name: `the telescope of …`."""
        return not self.words.isdisjoint(t for t in terms(one.name) if len(t) > 1)


def asked_of(question: str, entities: Sequence[Entity]) -> Asked:
    """Return a question with the entities it names."""
    named = {t for one in entities for name in (one.name, *one.aliases) for t in terms(name)}
    return Asked(
        tuple(entities),
        kinds_asked(question),
        frozenset(terms(question)) - named,
        asks_connection(question),
    )


def weighed(store: GraphStore, asked: Asked, *, namespace: str) -> Related:
    """Return the sentences that the graph relates to a question, none when it names nothing."""
    ids = [one.id for one in asked.entities]
    if not ids:
        return Related()
    relations = store.neighbourhood(ids, namespace=namespace, hops=2, limit=_RELATIONS)
    between = [
        relation
        for one, other in islice(combinations(ids, 2), _PAIRS)
        for relation in store.shortest_path(one, other, namespace=namespace, longest=_LONGEST_WAY)
    ]
    every = list({r.id: r for r in (*between, *relations)}.values())
    out, led_on = _of_relations(every, {r.id for r in between}, asked)
    for found in store.evidence(ids, namespace=namespace).values():
        out += [Weighed(evidence, MENTIONED * evidence.confidence) for evidence in found]
    return Related(tuple(out), relational=bool(between) or led_on or asked.connection)


def _of_relations(
    relations: Sequence[Relation], between: set[str], asked: Asked
) -> tuple[list[Weighed], bool]:
    """Return the sentences of relations, and whether the question leads on from a neighbour."""
    ids = {one.id for one in asked.entities}
    meant, degrees = _neighbours(relations, ids, asked)
    out: list[Weighed] = []
    led_on = False
    for relation in relations:
        weight = _weight(relation, ids, meant, degrees, asked)
        led_on = led_on or (weight >= MEANT * ASKED and not _touches(relation, ids))
        if relation.id in between:
            weight = BETWEEN
        elif between:
            weight *= BESIDE
        out += [
            Weighed(evidence, min(_MOST, weight) * evidence.confidence)
            for evidence in relation.evidence
        ]
    return out, led_on


def _touches(relation: Relation, ids: set[str]) -> bool:
    return relation.subject.id in ids or relation.object.id in ids


def _neighbours(
    relations: Sequence[Relation], ids: set[str], asked: Asked
) -> tuple[dict[str, bool], Counter[str]]:
    """Return the neighbours of entities, with whether the question means them, and degrees."""
    degrees: Counter[str] = Counter()
    meant: dict[str, bool] = {}
    for relation in relations:
        ends = (relation.subject, relation.object)
        degrees.update(end.id for end in ends)
        if _touches(relation, ids):
            for end in ends:
                known = meant.get(end.id, False)
                meant[end.id] = known or relation.kind in asked.kinds or asked.means(end)
    return meant, degrees


def _weight(
    relation: Relation,
    ids: set[str],
    meant: Mapping[str, bool],
    degrees: Mapping[str, int],
    asked: Asked,
) -> float:
    """Return the weight of a relation that is on no way between entities of the question."""
    ends = (relation.subject, relation.object)
    others = [end for end in ends if end.id not in ids]
    weight = NEAR
    if len(others) == len(ends):
        middle = [end.id for end in ends if end.id in meant]
        if not middle:
            return 0.0
        weight = MEANT if any(meant[end] for end in middle) else FAR
        weight *= min(1.0, (HUB / max(degrees[end] for end in middle)) ** 0.5)
    if relation.kind in asked.kinds or any(asked.means(end) for end in others):
        weight *= ASKED
    return weight


def together(weights: Iterable[float], most: int = 3) -> float:
    """Return the weight of several sentences of one source: 1 - Π(1 - w) of the heaviest."""
    rest = 1.0
    for weight in sorted(weights, reverse=True)[:most]:
        rest *= 1.0 - weight
    return 1.0 - rest
