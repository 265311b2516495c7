"""What every graph store promises about ways through the graph (core/ports/graph_store.py)."""

import random
from collections import deque

import pytest

from core.domain.graph import RelationKind, SourceKind, entity_id
from core.ports.graph_store import GraphStore
from core.stores.database import IDS_PER_QUERY
from tests.contracts.graph_samples import GraphBackend, entity, fact, ids, pairs, write
from tests.contracts.samples import OWNER

MANY = IDS_PER_QUERY + 50
"""More neighbours than one query takes, of any store."""


@pytest.fixture
def store(graph_backend: GraphBackend) -> GraphStore:
    return graph_backend.open()


def way(store: GraphStore, start: str, end: str, **rest: int) -> list[str]:
    return pairs(store.shortest_path(*ids(start, end), namespace=OWNER, **rest))


def near(store: GraphStore, *names: str, **rest: int) -> list[str]:
    return pairs(store.neighbourhood(ids(*names), namespace=OWNER, **rest))


def test_a_path_goes_in_order_against_the_arrows_too(store: GraphStore) -> None:
    write(store, "a b", "c b", "c d", "e d", namespace=OWNER)
    assert way(store, "a", "e") == ["a b", "c b", "c d", "e d"]
    assert way(store, "e", "a") == ["e d", "c d", "c b", "a b"]
    assert way(store, "a", "b") == ["a b"]
    (first, *_) = store.shortest_path(*ids("a", "e"), namespace=OWNER)
    assert [e.sentence for e in first.evidence] == ["a uses b."]


def test_a_path_is_no_longer_than_allowed(store: GraphStore) -> None:
    write(store, *(f"n{i} n{i + 1}" for i in range(9)), namespace=OWNER)
    assert len(way(store, "n0", "n6")) == 6
    assert way(store, "n0", "n7") == []
    assert len(way(store, "n0", "n7", longest=7)) == 7
    assert len(way(store, "n1", "n9", longest=100)) == 8
    assert way(store, "n0", "n1", longest=1) == ["n0 n1"]
    assert way(store, "n0", "n1", longest=0) == []


def test_no_path(store: GraphStore) -> None:
    write(store, "a b", "c d", namespace=OWNER)
    for start, end in (("a", "c"), ("a", "a"), ("a", "nowhere"), ("nowhere", "a")):
        assert way(store, start, end) == []


def test_the_shortest_of_several_ways_is_taken(store: GraphStore) -> None:
    write(store, "a x1", "x1 x2", "x2 z", "y z", "a y", "z end", namespace=OWNER)
    assert way(store, "a", "end") == ["a y", "y z", "z end"]


def test_a_neighbourhood_is_nearest_first_in_any_direction(store: GraphStore) -> None:
    write(store, "a b", "c a", "b d", "c d", "e d", "e f", namespace=OWNER)
    write(store, "c d", source="film", namespace=OWNER)
    assert set(near(store, "a")) == {"a b", "c a"}
    two = near(store, "a", hops=2)
    assert (set(two[:2]), two[2], two[3:]) == ({"a b", "c a"}, "c d", ["b d"])
    assert near(store, "a", hops=4)[4:] == ["e d", "e f"]
    assert near(store, "a", hops=9) == near(store, "a", hops=4)
    assert near(store, "a", hops=2, limit=3) == two[:3]
    assert near(store, "a", hops=2, limit=1) == two[:1]
    assert near(store, "a", hops=2, limit=0) == []
    assert near(store, "a", hops=0) == []
    assert set(near(store, "f", "c", "f", "nowhere")) == {"e f", "c a", "c d"}


def test_relations_of_several_kinds_between_two_are_all_near(store: GraphStore) -> None:
    facts = [fact("a", "b", kind=kind) for kind in RelationKind]
    store.write([], [*facts, fact("b", "a")], namespace=OWNER)
    found = store.neighbourhood(ids("a"), namespace=OWNER)
    assert len(found) == len(RelationKind) + 1
    assert {r.kind for r in found} == set(RelationKind)
    assert len(way(store, "a", "b")) == 1


def test_ways_are_those_of_a_plain_search(store: GraphStore) -> None:
    chance = random.Random(5)
    nodes = [f"n{i}" for i in range(40)]
    edges = {tuple(sorted(chance.sample(nodes, 2))) for _ in range(48)}
    write(store, *(f"{a} {b}" for a, b in edges), namespace=OWNER)
    for start in nodes[:8]:
        far = distances(edges, start)
        for end in nodes:
            found = way(store, start, end, longest=8)
            wanted = far.get(end, 0)
            assert len(found) == (wanted if wanted <= 8 else 0)
            assert leads(found, start, end) or not found
        for hops in (1, 2, 3):
            inside = {f"{a} {b}" for a, b in edges if min(far.get(a, 99), far.get(b, 99)) < hops}
            assert set(near(store, start, hops=hops)) == inside


def distances(edges: set[tuple[str, ...]], start: str) -> dict[str, int]:
    found, waiting = {start: 0}, deque([start])
    while waiting:
        here = waiting.popleft()
        for edge in edges:
            if here in edge:
                there = edge[1] if edge[0] == here else edge[0]
                if there not in found:
                    found[there] = found[here] + 1
                    waiting.append(there)
    return found


def leads(found: list[str], start: str, end: str) -> bool:
    here = start
    for pair in found:
        one, other = pair.split()
        if here not in (one, other):
            return False
        here = other if here == one else one
    return here == end


def test_an_entity_with_very_many_relations(store: GraphStore) -> None:
    write(store, *(f"hub n{i}" for i in range(MANY)), namespace=OWNER)
    write(store, *(f"n{i} far" for i in range(MANY)), source="film", namespace=OWNER)
    assert len(near(store, "hub", limit=10 * MANY)) == MANY
    assert len(near(store, "hub", hops=2, limit=10 * MANY)) == 2 * MANY
    assert len(near(store, "hub", hops=2)) == 200
    assert len(way(store, "hub", "far")) == 2
    assert len(store.relations(namespace=OWNER, of=ids("hub"))) == MANY
    names = [f"n{i}" for i in range(MANY)]
    assert len(store.find(names, namespace=OWNER)) == MANY
    assert len(store.evidence(ids(*names), namespace=OWNER)) == MANY
    store.merge(*ids("far", "hub"), namespace=OWNER)
    assert store.count(namespace=OWNER).relations == 2 * MANY
    assert store.entities(namespace=OWNER, limit=1)[0].aliases == ("hub",)
    assert store.remove_source(SourceKind.DOCUMENT, "film", namespace=OWNER) == MANY
    assert store.find(["hub"], namespace=OWNER) == [entity("hub")]
    assert store.relations(namespace=OWNER, of=[entity_id("far")]) == []
    assert len(store.relations(namespace=OWNER, of=ids("hub"))) == MANY
