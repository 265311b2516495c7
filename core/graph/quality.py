"""What may be wrong with a graph: orphans, duplicates, contradictions, circles, doubts."""

from collections import Counter
from collections.abc import Iterator, Sequence

from core.domain.graph import Entity, EntityKind, Relation, RelationKind
from core.domain.graph_views import (
    DOUBTFUL,
    LISTED,
    Contradiction,
    ContradictionKind,
    GraphQuality,
)
from core.graph.aliases import proposals
from core.ports.graph_store import GraphStore

MOST = 5_000
"""Entities that are looked at, those with the most relations first."""
_MOST_RELATIONS = 20_000
_ONE_WAY = (RelationKind.PART_OF, RelationKind.LOCATED_IN, RelationKind.CREATED)


def quality_of(store: GraphStore, *, namespace: str) -> GraphQuality:
    """Return the report on the graph of a namespace."""
    entities = store.entities(namespace=namespace, limit=MOST)
    relations = store.relations(namespace=namespace, limit=_MOST_RELATIONS)
    related = {end.id for one in relations for end in (one.subject, one.object)}
    orphans = [one for one in entities if one.id not in related]
    doubtful = sum(one.confidence < DOUBTFUL for one in relations)
    return GraphQuality(
        counts=store.count(namespace=namespace),
        entity_kinds=dict(Counter(one.kind for one in entities)),
        relation_kinds=dict(Counter(one.kind for one in relations)),
        orphan_count=len(orphans),
        orphans=tuple(orphans[:LISTED]),
        duplicates=tuple(proposals(entities)[:LISTED]),
        contradictions=tuple(contradictions(relations))[:LISTED],
        cycles=tuple(cycles(relations))[:LISTED],
        self_relations=tuple(r for r in relations if r.subject.id == r.object.id)[:LISTED],
        doubtful=doubtful / len(relations) if relations else 0.0,
    )


def contradictions(relations: Sequence[Relation]) -> Iterator[Contradiction]:
    """Yield relations of which at most one can hold.

    Nobody is born in two places or years, nothing happens twice in the same sense, and two who
    made a thing together stand in one sentence.
    """
    born: dict[tuple[str, bool], list[Relation]] = {}
    happened: dict[tuple[str, str], list[Relation]] = {}
    made: dict[str, list[Relation]] = {}
    pairs: dict[tuple[RelationKind, str, str], Relation] = {}
    for one in relations:
        if one.kind is RelationKind.BORN_IN:
            timed = one.object.kind is EntityKind.TIME
            born.setdefault((one.subject.id, timed), []).append(one)
        elif one.kind is RelationKind.HAPPENED_IN and one.object.kind is EntityKind.TIME:
            happened.setdefault((one.subject.id, one.label), []).append(one)
        elif one.kind is RelationKind.CREATED:
            made.setdefault(one.object.id, []).append(one)
        if one.kind in _ONE_WAY:
            pairs[(one.kind, one.subject.id, one.object.id)] = one
    for kind, groups in (
        (ContradictionKind.BORN, born.values()),
        (ContradictionKind.HAPPENED, happened.values()),
        (ContradictionKind.CREATED, made.values()),
    ):
        for group in groups:
            apart = _apart(group)
            if len(apart) > 1:
                yield Contradiction(kind=kind, relations=tuple(apart))
    for (kind_, subject, object_), one in pairs.items():
        back = pairs.get((kind_, object_, subject))
        if back is not None and subject < object_:
            yield Contradiction(kind=ContradictionKind.BOTH_WAYS, relations=(one, back))


def _apart(group: Sequence[Relation]) -> list[Relation]:
    """Return the relations that no sentence states together with the first ones, nor within them.

    London and England, 1912 and 23 June 1912 do not contradict each other.
    """
    kept: list[Relation] = []
    for one in group:
        sentences = {evidence.sentence for evidence in one.evidence}
        together = any(
            sentences & {evidence.sentence for evidence in other.evidence} for other in kept
        )
        varying = one.subject if one.kind is RelationKind.CREATED else one.object
        within = any(
            _within(varying, other.subject if one.kind is RelationKind.CREATED else other.object)
            for other in kept
        )
        if not together and not within:
            kept.append(one)
    return kept


def _within(one: Entity, other: Entity) -> bool:
    return one.name in other.name or other.name in one.name


def cycles(relations: Sequence[Relation]) -> Iterator[tuple[Entity, ...]]:
    """Yield circles of `is a`, each once, beginning with the entity whose name is the first."""
    above: dict[str, list[Entity]] = {}
    entities: dict[str, Entity] = {}
    for one in relations:
        if one.kind is RelationKind.IS_A:
            entities[one.subject.id] = one.subject
            above.setdefault(one.subject.id, []).append(one.object)
    found: set[frozenset[str]] = set()
    for start in sorted(entities.values(), key=lambda e: (e.name, e.id)):
        circle = _back_to(start, above)
        if circle and frozenset(e.id for e in circle) not in found:
            found.add(frozenset(e.id for e in circle))
            yield circle


def _back_to(start: Entity, above: dict[str, list[Entity]]) -> tuple[Entity, ...]:
    """Return the shortest circle of `is a` through an entity, or nothing."""
    ways: list[tuple[Entity, ...]] = [(start,)]
    seen = {start.id}
    while ways:
        longer: list[tuple[Entity, ...]] = []
        for way in ways:
            for one in above.get(way[-1].id, ()):
                if one.id == start.id and len(way) > 1:
                    return way
                if one.id not in seen:
                    seen.add(one.id)
                    longer.append((*way, one))
        ways = longer
    return ()
