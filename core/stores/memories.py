"""Memory store on a SQL database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import RowMapping, delete, func, select

from core.domain.memory import Memory, MemoryKind
from core.errors import NotFoundError
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.schema import memories


class SqlMemoryStore:
    """Durable memories of all learners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory; one with the same id is replaced."""
        self.add_all([memory], namespace=namespace)

    def add_all(self, added: Sequence[Memory], *, namespace: str) -> None:
        """Store several memories, all or none."""
        with self._database.write() as connection:
            for row in (_row(memory, namespace) for memory in added):
                connection.execute(
                    self._database.insert(memories)
                    .values(row)
                    .on_conflict_do_update(index_elements=["namespace", "id"], set_=row)
                )

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return the memory. Raises `NotFoundError`."""
        found = self.many([memory_id], namespace=namespace)
        if not found:
            raise _not_there()
        return found[0]

    def many(self, ids: Sequence[str], *, namespace: str) -> list[Memory]:
        """Return the memories that exist, in the order of `ids`."""
        unique = list(dict.fromkeys(ids))
        found: dict[str, Memory] = {}
        with self._database.read() as connection:
            for start in range(0, len(unique), IDS_PER_QUERY):
                query = select(memories).where(
                    memories.c.namespace == namespace,
                    memories.c.id.in_(unique[start : start + IDS_PER_QUERY]),
                )
                found |= {row["id"]: _memory(row) for row in connection.execute(query).mappings()}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def count(self, *, namespace: str) -> dict[MemoryKind, int]:
        """Return how many there are of each kind; a kind without any is left out."""
        query = (
            select(memories.c.kind, func.count())
            .where(memories.c.namespace == namespace)
            .group_by(memories.c.kind)
        )
        with self._database.read() as connection:
            return {MemoryKind(row[0]): row[1] for row in connection.execute(query)}

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Delete the memory, on disk too. Raises `NotFoundError`."""
        statement = delete(memories).where(
            memories.c.namespace == namespace, memories.c.id == memory_id
        )
        with self._database.write() as connection:
            if connection.execute(statement).rowcount == 0:
                raise _not_there()
        self._database.scrub()

    def delete_all(self, ids: Sequence[str], *, namespace: str) -> None:
        """Delete those of the memories that exist, on disk too."""
        if not ids:
            return
        with self._database.write() as connection:
            for start in range(0, len(ids), IDS_PER_QUERY):
                part = ids[start : start + IDS_PER_QUERY]
                connection.execute(
                    delete(memories).where(
                        memories.c.namespace == namespace, memories.c.id.in_(part)
                    )
                )
        self._database.scrub()

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        """Return memories, newest first; `since` is inclusive, `until` exclusive."""
        query = (
            select(memories)
            .where(memories.c.namespace == namespace)
            .order_by(memories.c.created_at.desc(), memories.c.seq.desc())
        )
        if kinds:
            query = query.where(memories.c.kind.in_([kind.value for kind in kinds]))
        if since is not None:
            query = query.where(memories.c.created_at >= since)
        if until is not None:
            query = query.where(memories.c.created_at < until)
        if limit is not None:
            query = query.limit(limit)
        with self._database.read() as connection:
            return [_memory(row) for row in connection.execute(query).mappings()]

    def close(self) -> None:
        """Release the database. It opens again at the next use."""
        self._database.close()


def _not_there() -> NotFoundError:
    return NotFoundError("This memory is not there (any more).")


def _row(memory: Memory, namespace: str) -> dict[str, object]:
    return {
        "namespace": namespace,
        "id": memory.id,
        "kind": memory.kind.value,
        "content": memory.content,
        "importance": memory.importance,
        "created_at": memory.created_at,
        "session_id": memory.session_id,
        "event": memory.event,
        "metadata": dict(memory.metadata),
    }


def _memory(row: RowMapping) -> Memory:
    return Memory(
        id=row["id"],
        kind=MemoryKind(row["kind"]),
        content=row["content"],
        importance=row["importance"],
        created_at=row["created_at"],
        session_id=row["session_id"],
        event=row["event"],
        metadata=row["metadata"],
    )
