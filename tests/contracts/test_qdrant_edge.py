"""What only the embedded index promises: its folder, the second named vector, the rebuild."""

import json
from pathlib import Path

import numpy as np
import pytest
import qdrant_edge as edge

from core.errors import StoreError
from core.ports.vector_store import Tier, VectorPoint
from core.stores.points import FILTER_KEYS
from core.stores.qdrant_edge import REBUILD_MIN_POINTS, QdrantEdgeStore
from tests.contracts.backends import DIMENSION, EMBEDDER, VectorBackend
from tests.contracts.samples import OTHER, OWNER, point, point_id, refined_vector

QUERY = np.array([1.0] + [0.0] * 7, dtype=np.float32)
UNIQUE = [0.48, 0.6, 0.64] + [0.0] * 5
"""Length 1, so that it is stored as it is, and its bytes can be looked for in the files."""

only_edge = pytest.mark.parametrize("vector_backend", ["edge"], indirect=True)
pytestmark = only_edge


@pytest.fixture
def folder(vector_backend: VectorBackend) -> Path:
    return Path(vector_backend.location)


@pytest.fixture
def store(vector_backend: VectorBackend) -> QdrantEdgeStore:
    opened = vector_backend.open()
    assert isinstance(opened, QdrantEdgeStore)
    return opened


def head_of(folder: Path) -> dict[str, object]:
    return json.loads((folder / "meta.json").read_text("utf-8"))


def shards_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("shard-*"))


def is_in_files(folder: Path, vector: list[float]) -> bool:
    wanted = np.array(vector[:3], dtype=np.float32).tobytes()
    return any(wanted in path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_the_folder_says_what_it_was_made_with(store: QdrantEdgeStore, folder: Path) -> None:
    store.ensure_ready()
    head = head_of(folder)
    assert (head["embedder"], head["dimension"]) == (EMBEDDER, DIMENSION)
    assert shards_in(folder) == [head["shard"]]


def test_the_second_named_vector_is_reserved_and_may_be_absent(
    store: QdrantEdgeStore, folder: Path
) -> None:
    store.upsert([point(1), point(2)], namespace=OWNER)
    store.close()
    shard = edge.EdgeShard.load(str(folder / str(head_of(folder)["shard"])))
    refined = [1.0] + [0.0] * 383
    nearest = edge.QueryRequest(limit=5, query=edge.Query.Nearest(refined, using="refined"))
    assert shard.query(nearest) == []
    vectors = edge.PointVectors(point_id(2), {"refined": refined})
    shard.update(edge.UpdateOperation.update_vectors([vectors]))
    assert [str(hit.id) for hit in shard.query(nearest)] == [point_id(2)]
    shard.close()
    assert len(store.search(QUERY, namespace=OWNER, where={}, limit=5)) == 2


def test_every_filter_key_has_an_index_also_in_an_older_folder(
    store: QdrantEdgeStore, folder: Path
) -> None:
    store.upsert([point(1)], namespace=OWNER)
    store.close()
    path = str(folder / str(head_of(folder)["shard"]))
    shard = edge.EdgeShard.load(path)
    assert set(shard.info().payload_schema) == {"ns", *FILTER_KEYS}
    shard.update(edge.UpdateOperation.delete_field_index("kind"))
    assert "kind" not in shard.info().payload_schema
    shard.close()
    store.ensure_ready()
    store.close()
    shard = edge.EdgeShard.load(path)
    indexes = shard.info().payload_schema
    shard.close()
    assert set(indexes) == {"ns", *FILTER_KEYS}
    assert indexes["ns"].params.is_tenant


def test_most_deleted_means_a_new_shard_without_their_vectors(
    store: QdrantEdgeStore, folder: Path
) -> None:
    living = [point(n) for n in range(900)]
    store.upsert(living, namespace=OTHER)
    doomed = [point(n, document_id="doomed") for n in range(900, REBUILD_MIN_POINTS)]
    store.upsert([*doomed, point(5000, UNIQUE, document_id="doomed")], namespace=OWNER)
    store.upsert([point(5001, kind="kept")], namespace=OWNER)
    refined = VectorPoint(point_id(5002), None, {"document_id": "d"}, refined_vector(0))
    store.upsert([refined], namespace=OTHER)
    store.refine({point_id(7): refined_vector(7)}, namespace=OTHER)
    before = store.search(QUERY, namespace=OTHER, where={}, limit=1000)
    old = head_of(folder)["shard"]
    assert is_in_files(folder, UNIQUE)

    store.delete(namespace=OWNER, where={"document_id": "doomed"})

    head = head_of(folder)
    assert head["shard"] != old
    assert head["deleted"] == 0
    assert shards_in(folder) == [head["shard"]]
    assert not is_in_files(folder, UNIQUE)
    after = store.search(QUERY, namespace=OTHER, where={}, limit=1000)
    assert [hit.id for hit in after] == [hit.id for hit in before]
    assert np.allclose([h.score for h in after], [h.score for h in before], atol=1e-6)
    (kept,) = store.search(QUERY, namespace=OWNER, where={}, limit=5)
    assert dict(kept.payload) == {"document_id": "d", "kind": "kept"}
    hits = store.search(refined_vector(7), namespace=OTHER, where={}, limit=9, tier=Tier.REFINED)
    assert [hit.id for hit in hits] == [point_id(7), point_id(5002)]
    store.close()
    assert store.count(namespace=OTHER, where={"document_id": "d"}) == 901


def test_few_deleted_points_are_only_counted(store: QdrantEdgeStore, folder: Path) -> None:
    store.upsert([point(n) for n in range(10)], namespace=OWNER)
    old = head_of(folder)["shard"]
    store.delete(namespace=OWNER, where={})
    store.close()
    assert store.count(namespace=OWNER, where={}) == 0
    assert head_of(folder) == {
        "shard": old,
        "embedder": EMBEDDER,
        "dimension": DIMENSION,
        "deleted": 10,
    }


def test_purging_takes_even_one_deleted_vector_out_of_the_files(
    store: QdrantEdgeStore, folder: Path
) -> None:
    store.upsert([point(n) for n in range(10)], namespace=OTHER)
    store.upsert([point(5000, UNIQUE, document_id="doomed")], namespace=OWNER)
    old = head_of(folder)["shard"]
    store.purge()
    assert head_of(folder)["shard"] == old
    store.delete(namespace=OWNER, where={"document_id": "doomed"})
    assert is_in_files(folder, UNIQUE)
    store.close()
    store.purge()
    assert not is_in_files(folder, UNIQUE)
    assert shards_in(folder) == [head_of(folder)["shard"]] != [old]
    assert head_of(folder)["deleted"] == 0
    assert store.count(namespace=OTHER, where={}) == 10


def test_what_an_interrupted_rebuild_left_is_removed(store: QdrantEdgeStore, folder: Path) -> None:
    store.upsert([point(1)], namespace=OWNER)
    store.close()
    left = folder / "shard-left"
    left.mkdir()
    (left / "half").write_bytes(b"written")
    assert store.count(namespace=OWNER, where={}) == 1
    assert shards_in(folder) == [head_of(folder)["shard"]]


@pytest.mark.parametrize("content", ["", "no json", '{"shard": "shard-1", "unknown": 1}'])
def test_a_damaged_head_is_named(store: QdrantEdgeStore, folder: Path, content: str) -> None:
    store.ensure_ready()
    store.close()
    (folder / "meta.json").write_text(content)
    with pytest.raises(StoreError) as caught:
        store.ensure_ready()
    assert str(folder / "meta.json") in caught.value.message


def test_a_missing_shard_is_a_store_error(store: QdrantEdgeStore, folder: Path) -> None:
    store.ensure_ready()
    store.close()
    (folder / str(head_of(folder)["shard"])).rename(folder / "elsewhere")
    with pytest.raises(StoreError):
        store.ensure_ready()
