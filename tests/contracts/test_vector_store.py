"""What every vector store promises (core/ports/vector_store.py)."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from core.errors import DimensionMismatchError, StoreError
from core.ports.vector_store import VectorStore
from tests.contracts.backends import (
    DIMENSION,
    DURABLE_KINDS,
    FOLDER_KINDS,
    VECTOR_KINDS,
    VectorBackend,
)
from tests.contracts.child import acknowledged_before_kill, child
from tests.contracts.samples import (
    OTHER,
    OWNER,
    POINTS_PER_BATCH,
    batch_of_points,
    point,
    point_id,
)

X, Y = [1.0] + [0.0] * 7, [0.0, 1.0] + [0.0] * 6
QUERY = np.array(X, dtype=np.float32)

every_store = pytest.mark.parametrize("vector_backend", VECTOR_KINDS, indirect=True)
durable_stores = pytest.mark.parametrize("vector_backend", DURABLE_KINDS, indirect=True)
local_folders = pytest.mark.parametrize("vector_backend", FOLDER_KINDS, indirect=True)
fast_stores = pytest.mark.parametrize("vector_backend", ["edge", "memory", "http"], indirect=True)
"""Without the client's own folder, which writes point by point."""


@pytest.fixture
def store(vector_backend: VectorBackend) -> VectorStore:
    return vector_backend.open()


def ids(store: VectorStore, *, namespace: str = OWNER, limit: int = 100, **where: object) -> set:
    return {hit.id for hit in store.search(QUERY, namespace=namespace, where=where, limit=limit)}


def numbers(*values: int) -> set[str]:
    return {point_id(n) for n in values}


@every_store
def test_search_and_count_see_only_the_own_namespace(store: VectorStore) -> None:
    store.upsert([point(1), point(2)], namespace=OWNER)
    store.upsert([point(3)], namespace=OTHER)
    assert ids(store) == numbers(1, 2)
    assert ids(store, namespace=OTHER) == numbers(3)
    assert store.count(namespace=OWNER, where={}) == 2
    assert store.count(namespace=OTHER, where={}) == 1


@every_store
def test_the_document_id_of_somebody_else_opens_nothing(store: VectorStore) -> None:
    store.upsert([point(1, document_id="secret")], namespace=OWNER)
    store.upsert([point(2, document_id="own")], namespace=OTHER)
    where = {"document_id": "secret"}
    assert store.search(QUERY, namespace=OTHER, where=where, limit=5) == []
    assert store.count(namespace=OTHER, where=where) == 0
    store.delete(namespace=OTHER, where=where)
    store.delete(namespace=OTHER, where={"document_id": ["secret", "own"]})
    assert store.count(namespace=OWNER, where={}) == 1
    assert store.count(namespace=OTHER, where={}) == 0


@every_store
def test_a_condition_cannot_name_another_owner(store: VectorStore) -> None:
    store.upsert([point(1)], namespace=OWNER)
    assert store.search(QUERY, namespace=OTHER, where={"ns": OWNER}, limit=5) == []
    store.delete(namespace=OTHER, where={"ns": OWNER})
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_a_payload_cannot_name_another_owner(store: VectorStore) -> None:
    store.upsert([point(1, ns=OTHER)], namespace=OWNER)
    assert store.count(namespace=OTHER, where={}) == 0
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_upserting_an_id_again_replaces_vector_and_payload(store: VectorStore) -> None:
    store.upsert([point(1, X, kind="old", window=1)], namespace=OWNER)
    store.upsert([point(1, Y, kind="new")], namespace=OWNER)
    (hit,) = store.search(QUERY, namespace=OWNER, where={}, limit=5)
    assert hit.score == pytest.approx(0.0, abs=1e-6)
    assert dict(hit.payload) == {"document_id": "d", "kind": "new"}
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_a_vector_of_another_length_is_refused_and_nothing_is_written(store: VectorStore) -> None:
    with pytest.raises(DimensionMismatchError):
        store.upsert([point(1), point(2, [1.0, 2.0])], namespace=OWNER)
    assert store.count(namespace=OWNER, where={}) == 0
    with pytest.raises(DimensionMismatchError):
        store.search(np.ones(DIMENSION + 1, np.float32), namespace=OWNER, where={}, limit=1)


@every_store
def test_empty_is_empty(store: VectorStore) -> None:
    assert store.search(QUERY, namespace=OWNER, where={}, limit=5) == []
    assert store.count(namespace=OWNER, where={}) == 0
    store.delete(namespace=OWNER, where={})
    store.upsert([], namespace=OWNER)
    assert store.count(namespace=OWNER, where={}) == 0


@every_store
def test_the_best_come_first_with_their_cosine(store: VectorStore) -> None:
    points = [point(n) for n in range(6)]
    points.append(point(6, [-3.0] + [0.0] * 7))
    points.append(point(7, [20.0] + [0.0] * 7))  # cosine does not know length
    store.upsert(points, namespace=OWNER)
    expected = {p.id: float(p.vector @ QUERY / np.linalg.norm(p.vector)) for p in points}
    hits = store.search(QUERY, namespace=OWNER, where={}, limit=100)
    assert [hit.id for hit in hits] == sorted(expected, key=lambda i: -expected[i])
    for hit in hits:
        assert hit.score == pytest.approx(expected[hit.id], abs=1e-5)
        assert -1.0 <= hit.score <= 1.0
    best = store.search(QUERY, namespace=OWNER, where={}, limit=2)
    assert [hit.id for hit in best] == [hit.id for hit in hits[:2]]
    assert store.search(QUERY, namespace=OWNER, where={}, limit=0) == []


@every_store
def test_conditions_all_hold_and_a_sequence_means_one_of_these(store: VectorStore) -> None:
    store.upsert(
        [
            point(1, document_id="a", kind="window", ordinal=1),
            point(2, document_id="b", kind="window", ordinal=2),
            point(3, document_id="c", kind="window", ordinal=1),
            point(4, document_id="a", kind="note", ordinal=3),
        ],
        namespace=OWNER,
    )
    assert ids(store, document_id="a") == numbers(1, 4)
    assert ids(store, document_id=["a", "b"]) == numbers(1, 2, 4)
    assert ids(store, document_id=("a", "c"), kind="window") == numbers(1, 3)
    assert ids(store, ordinal=1) == numbers(1, 3)
    assert ids(store, ordinal=1, document_id=["c", "unknown"]) == numbers(3)
    assert store.count(namespace=OWNER, where={"kind": "window", "document_id": ["a", "b"]}) == 2


@every_store
def test_one_of_none_matches_nothing(store: VectorStore) -> None:
    store.upsert([point(1)], namespace=OWNER)
    assert ids(store, document_id=[]) == set()
    assert store.count(namespace=OWNER, where={"document_id": []}) == 0
    store.delete(namespace=OWNER, where={"document_id": []})
    assert store.count(namespace=OWNER, where={}) == 1


@every_store
def test_delete_takes_what_matches_and_nothing_else(store: VectorStore) -> None:
    points = [point(n, document_id="abcd"[n]) for n in range(4)]
    store.upsert(points, namespace=OWNER)
    store.upsert([point(9)], namespace=OTHER)
    store.delete(namespace=OWNER, where={"document_id": "a"})
    assert ids(store) == numbers(1, 2, 3)
    store.delete(namespace=OWNER, where={"document_id": ["b", "c"]})
    assert ids(store) == numbers(3)
    store.delete(namespace=OWNER, where={})
    assert ids(store) == set()
    assert ids(store, namespace=OTHER) == numbers(9)
    store.upsert(points[:1], namespace=OWNER)
    assert ids(store) == numbers(0)


@every_store
def test_unicode_survives_in_payloads_and_conditions(store: VectorStore) -> None:
    name = "第一章 𠮷 🎓 é\u0301 \"quoted\" \\ 'x'"
    store.upsert([point(1, document_id=name, kind="笔记", number=7)], namespace="pdf_学习者")
    (hit,) = store.search(QUERY, namespace="pdf_学习者", where={"document_id": [name]}, limit=5)
    assert dict(hit.payload) == {"document_id": name, "kind": "笔记", "number": 7}


@fast_stores
def test_more_points_than_one_batch(store: VectorStore) -> None:
    store.upsert([point(n) for n in range(1203)], namespace=OWNER)
    assert store.count(namespace=OWNER, where={}) == 1203
    assert ids(store, limit=2000) == numbers(*range(1203))


@durable_stores
def test_a_closed_store_opens_again_and_has_kept_everything(
    store: VectorStore, vector_backend: VectorBackend
) -> None:
    store.upsert([point(1, X, kind="note")], namespace=OWNER)
    store.close()
    store.close()
    (hit,) = store.search(QUERY, namespace=OWNER, where={}, limit=5)
    store.close()
    (again,) = vector_backend.open().search(QUERY, namespace=OWNER, where={}, limit=5)
    assert again == hit
    assert hit.score == pytest.approx(1.0)


@durable_stores
@pytest.mark.parametrize(
    ("dimension", "embedder"), [(DIMENSION * 2, "test@1"), (DIMENSION, "test@2")]
)
def test_an_index_of_another_embedder_is_refused(
    store: VectorStore, vector_backend: VectorBackend, dimension: int, embedder: str
) -> None:
    store.upsert([point(1)], namespace=OWNER)
    store.close()
    other = vector_backend.open(dimension=dimension, embedder=embedder)
    with pytest.raises(DimensionMismatchError) as caught:
        other.ensure_ready()
    assert "test@1" in caught.value.message
    assert embedder in caught.value.message
    assert "re-index" in caught.value.remedy
    assert store.count(namespace=OWNER, where={}) == 1


@local_folders
def test_making_a_store_touches_nothing(vector_backend: VectorBackend) -> None:
    vector_backend.open()
    assert not Path(vector_backend.location).exists()


@every_store
def test_many_threads_write_and_read_at_once(
    store: VectorStore, in_threads: Callable[..., list[object]]
) -> None:
    def work(worker: int) -> None:
        namespace = f"pdf_{worker % 4}"
        if worker < 4:
            for step in range(3):
                first = worker * 100 + step * 2
                store.upsert([point(first), point(first + 1)], namespace=namespace)
        else:
            own = numbers(*range((worker % 4) * 100, (worker % 4) * 100 + 6))
            for _ in range(10):
                assert ids(store, namespace=namespace) <= own

    in_threads(work, list(range(8)))
    assert [store.count(namespace=f"pdf_{n}", where={}) for n in range(4)] == [6] * 4


@durable_stores
def test_closing_while_others_search_breaks_no_search(
    store: VectorStore, in_threads: Callable[..., list[object]]
) -> None:
    store.upsert([point(1), point(2)], namespace=OWNER)

    def work(worker: int) -> None:
        for _ in range(5):
            if worker == 0:
                store.close()
            else:
                assert ids(store) == numbers(1, 2)

    in_threads(work, list(range(4)))


@local_folders
def test_a_folder_that_another_process_holds_is_refused(vector_backend: VectorBackend) -> None:
    store = vector_backend.open()
    with child("open-vectors", vector_backend.kind, vector_backend.location) as holder:
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert holder.stdout.readline() == "open\n"
        with child("open-vectors", vector_backend.kind, vector_backend.location) as second:
            assert second.stdout is not None
            sentence = second.stdout.readline()
        assert "Another process holds" in sentence
        assert "Another running copy of the app" in sentence
        holder.stdin.close()
        assert holder.wait(30) == 0
    store.upsert([point(1)], namespace=OWNER)
    assert store.count(namespace=OWNER, where={}) == 1


@local_folders
def test_killing_the_writer_loses_nothing_acknowledged(vector_backend: VectorBackend) -> None:
    arguments = ("write-vectors", vector_backend.kind, vector_backend.location)
    acknowledged = acknowledged_before_kill(*arguments, after=5)
    store = vector_backend.open()
    for number in range(acknowledged):
        expected = {p.id for p in batch_of_points(number)}
        assert ids(store, batch=number) == expected
    assert store.count(namespace=OWNER, where={}) >= acknowledged * POINTS_PER_BATCH
    store.upsert([point(1_000_000)], namespace=OWNER)
    assert point_id(1_000_000) in ids(store, limit=1_000_000)


@local_folders
def test_a_folder_that_cannot_be_used_is_a_store_error(
    vector_backend: VectorBackend, tmp_path: Path
) -> None:
    (tmp_path / "vectors").write_text("a file stands in the way")
    with pytest.raises(StoreError) as caught:
        vector_backend.open().count(namespace=OWNER, where={})
    assert caught.value.__cause__ is not None
