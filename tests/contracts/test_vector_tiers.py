"""What every vector store promises about the second vector of a point: the refining tier."""

import numpy as np
import pytest

from core.errors import DimensionMismatchError
from core.ports.vector_store import Tier, VectorPoint, VectorStore
from tests.contracts.backends import DURABLE_KINDS, VECTOR_KINDS, VectorBackend
from tests.contracts.samples import OTHER, OWNER, point, point_id, refined_vector

X, Y = [1.0] + [0.0] * 7, [0.0, 1.0] + [0.0] * 6
QUERY = np.array(X, dtype=np.float32)

every_store = pytest.mark.parametrize("vector_backend", VECTOR_KINDS, indirect=True)
durable_stores = pytest.mark.parametrize("vector_backend", DURABLE_KINDS, indirect=True)
fast_stores = pytest.mark.parametrize("vector_backend", ["edge", "memory", "http"], indirect=True)


@pytest.fixture
def store(vector_backend: VectorBackend) -> VectorStore:
    return vector_backend.open()


def ids(store: VectorStore, *, namespace: str = OWNER) -> set:
    return {hit.id for hit in store.search(QUERY, namespace=namespace, where={}, limit=100)}


def numbers(*values: int) -> set[str]:
    return {point_id(n) for n in values}


REFINED_QUERY = refined_vector(0)


def passage(number: int, vector_number: int = 0, **payload: str) -> VectorPoint:
    """A point that has a refined vector alone."""
    kept = {"document_id": "d", **payload}
    return VectorPoint(point_id(number), None, kept, refined_vector(vector_number))


def refined_ids(store: VectorStore, *, namespace: str = OWNER, **where: object) -> list[str]:
    hits = store.search(
        REFINED_QUERY, namespace=namespace, where=where, limit=100, tier=Tier.REFINED
    )
    return [hit.id for hit in hits]


@every_store
def test_each_tier_finds_only_the_points_that_have_its_vector(store: VectorStore) -> None:
    both = VectorPoint(point_id(2), QUERY, {"document_id": "d"}, refined_vector(7))
    store.upsert([point(1), both, passage(3, kind="passage")], namespace=OWNER)
    assert ids(store) == numbers(1, 2)
    assert refined_ids(store) == [point_id(3), point_id(2)]
    assert refined_ids(store, kind="passage") == [point_id(3)]
    assert refined_ids(store, namespace=OTHER) == []
    hits = store.search(REFINED_QUERY, namespace=OWNER, where={}, limit=1, tier=Tier.REFINED)
    assert hits[0].score == pytest.approx(1.0, abs=1e-5)
    assert dict(hits[0].payload) == {"document_id": "d", "kind": "passage"}


@every_store
def test_points_are_counted_by_tier(store: VectorStore) -> None:
    store.upsert([point(1, kind="window"), passage(2, kind="passage")], namespace=OWNER)
    store.upsert([passage(3)], namespace=OTHER)
    assert store.count(namespace=OWNER, where={}) == 2
    assert store.count(namespace=OWNER, where={}, tier=Tier.INSTANT) == 1
    assert store.count(namespace=OWNER, where={}, tier=Tier.REFINED) == 1
    assert store.count(namespace=OWNER, where={"kind": "window"}, tier=Tier.REFINED) == 0
    assert store.count(namespace=OTHER, where={}, tier=Tier.INSTANT) == 0


@every_store
def test_refining_leaves_the_instant_vector_and_the_payload(store: VectorStore) -> None:
    store.upsert([point(1, X, kind="window"), point(2, Y)], namespace=OWNER)
    before = store.search(QUERY, namespace=OWNER, where={}, limit=5)
    store.refine({point_id(1): refined_vector(0)}, namespace=OWNER)
    assert store.search(QUERY, namespace=OWNER, where={}, limit=5) == before
    assert refined_ids(store, kind="window") == [point_id(1)]
    store.refine({point_id(1): refined_vector(4)}, namespace=OWNER)
    (hit,) = store.search(REFINED_QUERY, namespace=OWNER, where={}, limit=5, tier=Tier.REFINED)
    assert hit.score == pytest.approx(float(refined_vector(4)[0]), abs=1e-5)
    assert store.count(namespace=OWNER, where={}) == 2


@every_store
def test_refining_leaves_out_unknown_points_and_those_of_others(store: VectorStore) -> None:
    store.upsert([point(1)], namespace=OWNER)
    store.upsert([point(2)], namespace=OTHER)
    wanted = {point_id(n): refined_vector(n) for n in (9, 2, 1, 8)}
    store.refine(wanted, namespace=OWNER)
    store.refine({point_id(7): refined_vector(7)}, namespace=OWNER)
    store.refine({}, namespace=OWNER)
    assert refined_ids(store) == [point_id(1)]
    assert refined_ids(store, namespace=OTHER) == []
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_a_refined_vector_of_another_length_is_refused(store: VectorStore) -> None:
    store.upsert([point(1)], namespace=OWNER)
    with pytest.raises(DimensionMismatchError):
        store.refine({point_id(1): refined_vector(1), point_id(2): QUERY}, namespace=OWNER)
    with pytest.raises(DimensionMismatchError):
        store.upsert([point(2), VectorPoint(point_id(3), None, {}, QUERY)], namespace=OWNER)
    with pytest.raises(DimensionMismatchError):
        store.upsert([point(2), VectorPoint(point_id(3), None, {})], namespace=OWNER)
    with pytest.raises(DimensionMismatchError):
        store.search(QUERY, namespace=OWNER, where={}, limit=5, tier=Tier.REFINED)
    assert refined_ids(store) == []
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_an_upsert_replaces_the_refined_vector_too_and_delete_takes_both(
    store: VectorStore,
) -> None:
    store.upsert([point(1), passage(2), passage(3, document_id="e")], namespace=OWNER)
    store.refine({point_id(1): refined_vector(1)}, namespace=OWNER)
    store.upsert([point(1)], namespace=OWNER)
    assert sorted(refined_ids(store)) == sorted(numbers(2, 3))
    store.delete(namespace=OWNER, where={"document_id": "d"})
    assert refined_ids(store) == [point_id(3)]
    assert ids(store) == set()


@fast_stores
def test_more_refined_vectors_than_one_batch(store: VectorStore) -> None:
    store.upsert([point(n) for n in range(1203)], namespace=OWNER)
    store.refine({point_id(n): refined_vector(n) for n in range(1203)}, namespace=OWNER)
    assert store.count(namespace=OWNER, where={}, tier=Tier.REFINED) == 1203
    assert store.count(namespace=OWNER, where={}, tier=Tier.INSTANT) == 1203


@durable_stores
def test_refined_vectors_are_kept_when_the_store_is_closed(
    store: VectorStore, vector_backend: VectorBackend
) -> None:
    store.upsert([point(1), passage(2)], namespace=OWNER)
    store.refine({point_id(1): refined_vector(3)}, namespace=OWNER)
    store.close()
    again = vector_backend.open()
    assert refined_ids(again) == [point_id(2), point_id(1)]
    assert again.count(namespace=OWNER, where={}) == 2
