"""The word index of memories on a SQL database."""

from collections.abc import Sequence

from sqlalchemy import Connection, Select, and_, delete, func, select, update

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.ports.memory_words import WordRow
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.schema import memories
from core.stores.schema_words import memory_words
from core.text.indexed import SPEAKER, VERSION, indexed, indexed_text

_MADE_AT_ONCE = 500


class SqlMemoryWords:
    """See `core.ports.memory_words`. Deleting a memory takes its row, by the foreign key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, added: Sequence[Memory], namespace: str, connection: Connection) -> None:
        """Index memories within the transaction that stores them."""
        for memory in added:
            self._put(memory.id, indexed(memory).to_bytes(), namespace, connection)

    def ensure(self, *, namespace: str) -> None:
        """Index the memories that an older version of the app stored."""
        missing = _missing(namespace)
        while True:
            with self._database.read() as connection:
                if not connection.execute(missing.limit(1)).first():
                    return
            with self._database.write() as connection:
                rows = connection.execute(missing.limit(_MADE_AT_ONCE)).mappings().all()
                for row in rows:
                    speaker = row["metadata"].get(SPEAKER)
                    made = indexed_text(row["content"], speaker if isinstance(speaker, str) else "")
                    self._put(row["id"], made.to_bytes(), namespace, connection)

    def extent(self, *, namespace: str) -> tuple[int, int]:
        """Return how many rows there are, and the highest `seq`, 0 without any."""
        query = select(func.count(), func.max(memory_words.c.seq)).where(
            memory_words.c.namespace == namespace
        )
        with self._database.read() as connection:
            count, last = connection.execute(query).one()
        return count, last or 0

    def after(self, seq: int, *, namespace: str) -> list[WordRow]:
        """Return the rows with a higher `seq`, ascending."""
        query = (
            select(
                memory_words.c.seq,
                memory_words.c.memory_id,
                memories.c.seq.label("place"),
                memories.c.kind,
                memories.c.event,
                memories.c.session_id,
                memories.c.created_at,
                memories.c.importance,
                memories.c.state,
                memory_words.c.data,
            )
            .join(
                memories,
                and_(
                    memories.c.namespace == memory_words.c.namespace,
                    memories.c.id == memory_words.c.memory_id,
                ),
            )
            .where(memory_words.c.namespace == namespace, memory_words.c.seq > seq)
            .order_by(memory_words.c.seq)
        )
        with self._database.read() as connection:
            return [
                WordRow(
                    seq=row[0],
                    memory_id=row[1],
                    place=row[2],
                    kind=MemoryKind(row[3]),
                    event=row[4],
                    session_id=row[5],
                    created_at=row[6],
                    importance=row[7],
                    state=MemoryState(row[8]),
                    data=row[9],
                )
                for row in connection.execute(query)
            ]

    def seqs(self, *, namespace: str) -> list[int]:
        """Return the `seq` of every row."""
        query = select(memory_words.c.seq).where(memory_words.c.namespace == namespace)
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def unrefined(self, *, namespace: str, limit: int) -> list[str]:
        """Return ids of memories whose second vectors are not noted as written, oldest first."""
        query = (
            select(memory_words.c.memory_id)
            .where(memory_words.c.namespace == namespace, memory_words.c.refined == 0)
            .order_by(memory_words.c.seq)
            .limit(limit)
        )
        with self._database.read() as connection:
            return list(connection.scalars(query))

    def note_refined(self, ids: Sequence[str], *, namespace: str) -> None:
        """Note that these memories have their second vectors, until they are stored again."""
        with self._database.write() as connection:
            for start in range(0, len(ids), IDS_PER_QUERY):
                connection.execute(
                    update(memory_words)
                    .where(
                        memory_words.c.namespace == namespace,
                        memory_words.c.memory_id.in_(ids[start : start + IDS_PER_QUERY]),
                    )
                    .values(refined=1)
                )

    def refined(self, *, namespace: str) -> int:
        """Return how many memories are noted as having their second vectors."""
        query = select(func.count()).where(
            memory_words.c.namespace == namespace, memory_words.c.refined == 1
        )
        with self._database.read() as connection:
            return connection.execute(query).scalar_one()

    def forget_refined(self, *, namespace: str) -> None:
        """Note that no memory has second vectors: the index was lost."""
        with self._database.write() as connection:
            connection.execute(
                update(memory_words).where(memory_words.c.namespace == namespace).values(refined=0)
            )

    def namespaces_unrefined(self) -> list[str]:
        """Return ALL namespaces that have memories without second vectors."""
        query = select(memory_words.c.namespace).where(memory_words.c.refined == 0).distinct()
        with self._database.read() as connection:
            return sorted(connection.scalars(query))

    def _put(self, memory_id: str, data: bytes, namespace: str, connection: Connection) -> None:
        """Write a row with a new `seq`."""
        connection.execute(
            delete(memory_words).where(
                memory_words.c.namespace == namespace, memory_words.c.memory_id == memory_id
            )
        )
        connection.execute(
            memory_words.insert().values(
                namespace=namespace, memory_id=memory_id, version=VERSION, refined=0, data=data
            )
        )


def _missing(namespace: str) -> Select[tuple[str, str, dict[str, object]]]:
    """Select the memories without a row of this version."""
    joined = and_(
        memory_words.c.namespace == memories.c.namespace,
        memory_words.c.memory_id == memories.c.id,
        memory_words.c.version == VERSION,
    )
    return (
        select(memories.c.id, memories.c.content, memories.c.metadata)
        .outerjoin(memory_words, joined)
        .where(memories.c.namespace == namespace, memory_words.c.seq.is_(None))
        .order_by(memories.c.seq)
    )
