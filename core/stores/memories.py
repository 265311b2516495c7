"""Memory store on a SQL database."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, RowMapping, case, delete, func, select, update

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.errors import NotFoundError
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.memory_statements import SqlMemoryStatements
from core.stores.memory_words import SqlMemoryWords
from core.stores.schema import memories
from core.text.same import fingerprint

_COUNTED = frozenset({"uses", "used_at", "sightings", "seen_at"})
"""Columns that only count up, each with its time."""


class SqlMemoryStore:
    """Durable memories of all learners."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._words = SqlMemoryWords(database)
        self._statements = SqlMemoryStatements(database)

    @property
    def words(self) -> SqlMemoryWords:
        """The word index of the memories, kept with them."""
        return self._words

    @property
    def statements(self) -> SqlMemoryStatements:
        """What the memories state, kept with them."""
        return self._statements

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory; one with the same id is replaced."""
        self.add_all([memory], namespace=namespace)

    def add_all(self, added: Sequence[Memory], *, namespace: str) -> None:
        """Store several memories, all or none."""
        with self._database.write() as connection:
            self._write(added, namespace, connection)

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

    def same_text(
        self, content: str, *, kind: MemoryKind, event: str, namespace: str
    ) -> Memory | None:
        """Return the newest current memory of this kind and event with the same text, or None."""
        query = select(memories).where(
            memories.c.namespace == namespace,
            memories.c.fingerprint == fingerprint(content),
            memories.c.kind == kind.value,
            memories.c.event == event,
            memories.c.state == MemoryState.CURRENT.value,
        )
        # in order here: SQLite would walk through all memories by their time
        with self._database.read() as connection:
            rows = connection.execute(query).mappings().all()
        newest = max(rows, key=lambda row: (row["created_at"], row["seq"]), default=None)
        return None if newest is None else _memory(newest)

    def update_all(self, changed: Sequence[Memory], *, namespace: str) -> list[str]:
        """Store as they are now those of the memories that exist; return the ids of those.

        All or none. Their uses and sightings stay as they are stored.
        """
        there: list[Memory] = []
        with self._database.write() as connection:
            for memory in changed:
                row = _row(memory, namespace)
                statement = (
                    update(memories)
                    .where(memories.c.namespace == namespace, memories.c.id == memory.id)
                    .values({name: row[name] for name in row.keys() - _COUNTED})
                )
                if connection.execute(statement).rowcount:
                    there.append(memory)
            self._words.write(there, namespace, connection)
            self._statements.write(there, namespace, connection)
        return [memory.id for memory in there]

    def note_sighting(
        self, memory_id: str, *, at: datetime, importance: float = 0.0, namespace: str
    ) -> None:
        """Count one more sighting of a memory; a lower importance is raised to this one.

        Raises `NotFoundError`.
        """
        kept = memories.c.importance
        statement = (
            update(memories)
            .where(memories.c.namespace == namespace, memories.c.id == memory_id)
            .values(
                sightings=memories.c.sightings + 1,
                seen_at=at,
                importance=case((kept < importance, importance), else_=kept),
            )
        )
        with self._database.write() as connection:
            if connection.execute(statement).rowcount == 0:
                raise _not_there()

    def note_used(self, ids: Sequence[str], *, at: datetime, namespace: str) -> None:
        """Count one more use of these memories; those that do not exist are left out."""
        with self._database.write() as connection:
            for start in range(0, len(ids), IDS_PER_QUERY):
                part = ids[start : start + IDS_PER_QUERY]
                connection.execute(
                    update(memories)
                    .where(memories.c.namespace == namespace, memories.c.id.in_(part))
                    .values(uses=memories.c.uses + 1, used_at=at)
                )

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
        if ids:
            self.exchange([], without=ids, namespace=namespace)

    def exchange(self, put: Sequence[Memory], *, without: Sequence[str], namespace: str) -> None:
        """Store memories as `add_all` and delete others as `delete_all`, all or nothing."""
        with self._database.write() as connection:
            for start in range(0, len(without), IDS_PER_QUERY):
                part = without[start : start + IDS_PER_QUERY]
                connection.execute(
                    delete(memories).where(
                        memories.c.namespace == namespace, memories.c.id.in_(part)
                    )
                )
            self._write(put, namespace, connection)
        if without:
            self._database.scrub()

    def _write(self, added: Sequence[Memory], namespace: str, connection: Connection) -> None:
        for row in (_row(memory, namespace) for memory in added):
            connection.execute(
                self._database.insert(memories)
                .values(row)
                .on_conflict_do_update(index_elements=["namespace", "id"], set_=row)
            )
        self._words.write(added, namespace, connection)
        self._statements.write(added, namespace, connection)

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        states: Sequence[MemoryState] = (),
        events: Sequence[str] = (),
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
        if states:
            query = query.where(memories.c.state.in_([state.value for state in states]))
        if events:
            query = query.where(memories.c.event.in_(events))
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
        "fingerprint": fingerprint(memory.content),
        "state": memory.state.value,
        "pinned": int(memory.pinned),
        "uses": memory.uses,
        "used_at": memory.used_at,
        "sightings": memory.sightings,
        "seen_at": memory.seen_at,
        "replaced_by": memory.replaced_by,
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
        state=MemoryState(row["state"]),
        pinned=bool(row["pinned"]),
        uses=row["uses"],
        used_at=row["used_at"],
        sightings=row["sightings"],
        seen_at=row["seen_at"],
        replaced_by=row["replaced_by"],
    )
