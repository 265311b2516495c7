"""Vector store on Qdrant Edge: Qdrant's engine inside this process, one folder a collection."""

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import qdrant_edge as edge

from core.errors import DimensionMismatchError, StoreError
from core.ports.embedder import Vectors
from core.ports.vector_store import Tier, VectorHit, VectorPoint, Where
from core.stores.edge_folder import (
    IndexHead,
    new_shard_name,
    read_head,
    remove_other_shards,
    write_head,
)
from core.stores.gate import Gate
from core.stores.points import (
    BATCH,
    FILTER_KEYS,
    INSTANT,
    NAMESPACE_KEY,
    REFINED,
    REFINED_DIMENSION,
    batches,
    check_dimension,
    check_points,
    cosine,
    dimension_of,
    matches_nothing,
    named,
)

MIN_FREE_BYTES = 256 * 1024 * 1024
"""The engine maps its files into memory and grows them; on a full disk that kills the process."""

REBUILD_MIN_POINTS = 2000
"""Below this many points, living and deleted, the deleted ones are left in the files."""


class QdrantEdgeStore:
    """Keeps its points below `folder`, which one process may hold at a time.

    A write outlives the process when its call returns, and the power after `flush`. Deleted points
    leave the files when more than half of them are deleted: then the living ones move into a new
    shard.
    """

    def __init__(self, folder: Path, *, dimension: int, embedder: str) -> None:
        self._folder = folder
        self._dimension = dimension
        self._embedder = embedder
        self._gate = Gate()
        self._deleting = threading.Lock()
        self._shard: edge.EdgeShard | None = None
        self._head = IndexHead("", embedder, dimension)

    def ensure_ready(self) -> None:
        """Open or create the index.

        Raises `DimensionMismatchError` when it was made with another embedder, and `StoreError`
        when it cannot be opened or another process holds it.
        """
        with self._gate.exclusive():
            if self._shard is None:
                self._shard, self._head = self._open()

    def upsert(self, points: Sequence[VectorPoint], *, namespace: str) -> None:
        """Write the points; they outlive the process, by the write-ahead log.

        Raises `DimensionMismatchError` before anything is written.
        """
        check_points(points, self._dimension)
        if not points:
            return
        _check_space(self._folder)
        with self._in_use() as shard:
            for batch in batches(points):
                shard.update(
                    edge.UpdateOperation.upsert_points(
                        [
                            edge.Point(p.id, {**named(p)}, {**p.payload, NAMESPACE_KEY: namespace})
                            for p in batch
                        ]
                    )
                )

    def refine(self, vectors: Mapping[str, Vectors], *, namespace: str) -> None:
        """See `VectorStore.refine`. The engine refuses unknown ids, so they are looked up before.

        Raises `DimensionMismatchError` before anything is written.
        """
        for vector in vectors.values():
            check_dimension(vector, REFINED_DIMENSION)
        if not vectors:
            return
        _check_space(self._folder)
        with self._in_use() as shard, self._deleting:  # what is looked up stays meanwhile
            for batch in batches(list(vectors)):
                there = _present(shard, batch, namespace)
                if there:
                    found = [edge.PointVectors(i, {REFINED: vectors[i].tolist()}) for i in there]
                    shard.update(edge.UpdateOperation.update_vectors(found))

    def flush(self) -> None:
        """Bring what was written to the disk: then it outlives the power too."""
        with self._in_use() as shard:
            shard.flush()

    def search(
        self,
        vector: Vectors,
        *,
        namespace: str,
        where: Where,
        limit: int,
        tier: Tier = Tier.INSTANT,
    ) -> list[VectorHit]:
        """Return at most `limit` hits of `namespace`, best first. Exact: no approximate index."""
        check_dimension(vector, dimension_of(tier, self._dimension))
        if limit < 1 or matches_nothing(where):
            return []
        with self._in_use() as shard:
            found = shard.query(
                edge.QueryRequest(
                    limit=limit,
                    query=edge.Query.Nearest(vector.tolist(), using=tier.value),
                    filter=_filter(namespace, where),
                    with_payload=True,
                )
            )
        return [
            VectorHit(
                id=str(point.id),
                score=cosine(point.score),
                payload={k: v for k, v in (point.payload or {}).items() if k != NAMESPACE_KEY},
            )
            for point in found
        ]

    def count(self, *, namespace: str, where: Where, tier: Tier | None = None) -> int:
        """Return how many points of `namespace` match; with `tier`, how many have its vector."""
        if matches_nothing(where):
            return 0
        condition = _filter(namespace, where, tier)
        with self._in_use() as shard:
            return shard.count(edge.CountRequest(exact=True, filter=condition))

    def delete(self, *, namespace: str, where: Where) -> None:
        """Delete the points of `namespace` that match, durably; rebuild when most are deleted."""
        if matches_nothing(where):
            return
        condition = _filter(namespace, where)
        with self._in_use() as shard, self._deleting:
            number = shard.count(edge.CountRequest(exact=True, filter=condition))
            if number:
                shard.update(edge.UpdateOperation.delete_points_by_filter(condition))
                shard.flush()
                self._head = replace(self._head, deleted=self._head.deleted + number)
                write_head(self._folder, self._head)
            wasteful = _is_wasteful(shard, self._head)
        if wasteful:
            self._rebuild(_is_wasteful)

    def purge(self) -> None:
        """Rebuild if any point was deleted: then none of their bytes are in the files."""
        self.ensure_ready()
        self._rebuild(_has_deleted)

    def close(self) -> None:
        """Flush and release the folder. A closed store opens again at the next use."""
        with self._gate.exclusive():
            if self._shard is not None:
                shard, self._shard = self._shard, None
                with _translated(self._folder):
                    shard.close()

    @contextmanager
    def _in_use(self) -> Iterator[edge.EdgeShard]:
        """Hold the open shard: it is neither closed nor swapped meanwhile."""
        while True:
            with self._gate.shared():
                if self._shard is not None:
                    with _translated(self._folder):
                        yield self._shard
                    return
            self.ensure_ready()

    def _open(self) -> tuple[edge.EdgeShard, IndexHead]:
        _check_space(self._folder)
        head = read_head(self._folder)
        if head is None:
            head = IndexHead(new_shard_name(), self._embedder, self._dimension)
            self._create(head).close()
            write_head(self._folder, head)
        if (head.dimension, head.embedder) != (self._dimension, self._embedder):
            raise DimensionMismatchError(
                f"The search index in {self._folder} was made with {head.embedder} "
                f"({head.dimension} dimensions); now {self._embedder} "
                f"({self._dimension} dimensions) is set."
            )
        with _translated(self._folder):
            shard = edge.EdgeShard.load(str(self._folder / head.shard))
            _create_missing_indexes(shard)
        if read_head(self._folder) != head:
            # another process swapped shards between our two looks, and holds the new one
            shard.close()
            raise _held_elsewhere(self._folder)
        remove_other_shards(self._folder, head)
        return shard, head

    def _create(self, head: IndexHead) -> edge.EdgeShard:
        path = self._folder / head.shard
        try:
            path.mkdir(parents=True)
        except OSError as exc:
            raise StoreError(f"The search index cannot be created: {exc}.") from exc
        with _translated(self._folder):
            shard = edge.EdgeShard.create(
                str(path),
                edge.EdgeConfig(
                    vectors={
                        INSTANT: edge.EdgeVectorParams(head.dimension, edge.Distance.Cosine),
                        REFINED: edge.EdgeVectorParams(REFINED_DIMENSION, edge.Distance.Cosine),
                    }
                ),
            )
            _create_missing_indexes(shard)
        return shard

    def _rebuild(self, due: Callable[[edge.EdgeShard, IndexHead], bool]) -> None:
        """Move the living points into a new shard, so that nothing of the deleted ones stays."""
        with self._gate.exclusive():
            old, old_head = self._shard, self._head
            if old is None or not due(old, old_head):
                return
            head = replace(old_head, shard=new_shard_name(), deleted=0)
            new = self._create(head)
            try:
                with _translated(self._folder):
                    _copy_points(old, new)
                write_head(self._folder, head)
            except StoreError:
                new.close()  # the old one stays in use; the next delete tries again
                raise
            self._shard, self._head = new, head
            with _translated(self._folder):
                old.close()
            remove_other_shards(self._folder, head)


def _check_space(folder: Path) -> None:
    """Raise `StoreError` while there is still room to say so."""
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    free = shutil.disk_usage(existing).free
    if free < MIN_FREE_BYTES:
        raise StoreError(
            f"The disk is nearly full: {free // (1024 * 1024)} MB are free.",
            remedy="Make room on the disk that holds DATA_DIR "
            f"(at least {MIN_FREE_BYTES // (1024 * 1024)} MB) and try again.",
        )


def _create_missing_indexes(shard: edge.EdgeShard) -> None:
    present = shard.info().payload_schema
    for key in (NAMESPACE_KEY, *FILTER_KEYS):
        if key not in present:
            index = edge.KeywordIndexParams(is_tenant=key == NAMESPACE_KEY)
            shard.update(edge.UpdateOperation.create_field_index(key, index))
    shard.flush()


def _is_wasteful(shard: edge.EdgeShard, head: IndexHead) -> bool:
    living = shard.info().points_count
    return head.deleted > living and head.deleted + living >= REBUILD_MIN_POINTS


def _has_deleted(_: edge.EdgeShard, head: IndexHead) -> bool:
    return head.deleted > 0


def _copy_points(old: edge.EdgeShard, new: edge.EdgeShard) -> None:
    offset = None
    while True:
        records, offset = old.scroll(
            edge.ScrollRequest(offset=offset, limit=BATCH, with_payload=True, with_vector=True)
        )
        if records:
            points = [edge.Point(r.id, r.vector or {}, r.payload) for r in records]
            new.update(edge.UpdateOperation.upsert_points(points))
        if offset is None:
            break
    new.flush()


def _present(shard: edge.EdgeShard, ids: Sequence[str], namespace: str) -> list[str]:
    """Return those of the ids that are points of the namespace."""
    owner = edge.FieldCondition(NAMESPACE_KEY, match=edge.MatchValue(namespace))
    condition = edge.Filter(must=[owner, edge.HasIdCondition(set(ids))])
    records, _ = shard.scroll(edge.ScrollRequest(limit=len(ids), filter=condition))
    return [str(record.id) for record in records]


def _filter(namespace: str, where: Where, tier: Tier | None = None) -> edge.Filter:
    conditions: list[edge.FieldCondition | edge.HasVectorCondition] = [
        edge.FieldCondition(NAMESPACE_KEY, match=edge.MatchValue(namespace))
    ]
    if tier is not None:
        conditions.append(edge.HasVectorCondition(tier.value))
    for key, value in where.items():
        match = (
            edge.MatchValue(value) if isinstance(value, (str, int)) else edge.MatchAny(list(value))
        )
        conditions.append(edge.FieldCondition(key, match=match))
    return edge.Filter(must=[*conditions])


def _held_elsewhere(folder: Path) -> StoreError:
    return StoreError(
        f"Another process holds the search index in {folder}.",
        remedy="Another running copy of the app holds the data: stop it, or set another DATA_DIR.",
    )


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    """Turn the SDK's failures into `StoreError`.

    Qdrant Edge raises bare `Exception` objects for everything, so only those are caught: any
    subclass is not the SDK's and passes.
    """
    try:
        yield
    except Exception as exc:
        if type(exc) is not Exception:
            raise
        if "failed to open WAL" in str(exc) and "WouldBlock" in str(exc):
            raise _held_elsewhere(folder) from exc
        raise StoreError(f"The search index in {folder} failed: {exc}.") from exc
