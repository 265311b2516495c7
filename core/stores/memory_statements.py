"""The keys of what memories state, on a SQL database."""

from collections.abc import Sequence

from sqlalchemy import Connection, and_, delete, select

from core.domain.memory import Memory, MemoryState
from core.stores.database import Database
from core.stores.schema import memories
from core.stores.schema_memory import memory_statements
from core.text.claims import VERSION, claim_keys

_MADE_AT_ONCE = 500
_READ = f"v{VERSION}"
"""Key of every memory whose statements were read by these rules."""


class SqlMemoryStatements:
    """See `core.ports.memory_statements`. Deleting a memory takes its rows, by the foreign key."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def write(self, added: Sequence[Memory], namespace: str, connection: Connection) -> None:
        """Keep the keys of memories within the transaction that stores them."""
        for memory in added:
            self._put(memory.id, memory.content, namespace, connection)

    def ensure(self, *, namespace: str) -> None:
        """Find the keys of the memories that an older version of the app stored."""
        joined = and_(
            memory_statements.c.namespace == memories.c.namespace,
            memory_statements.c.memory_id == memories.c.id,
            memory_statements.c.key == _READ,
        )
        missing = (
            select(memories.c.id, memories.c.content)
            .outerjoin(memory_statements, joined)
            .where(memories.c.namespace == namespace, memory_statements.c.key.is_(None))
        )
        while True:
            with self._database.read() as connection:
                if not connection.execute(missing.limit(1)).first():
                    return
            with self._database.write() as connection:
                for memory_id, content in connection.execute(missing.limit(_MADE_AT_ONCE)).all():
                    self._put(memory_id, content, namespace, connection)

    def about(self, keys: Sequence[str], *, namespace: str, limit: int) -> list[str]:
        """Return ids of current memories with one of these keys, the newest `limit`."""
        if not keys:
            return []
        stated = select(memory_statements.c.memory_id).where(
            memory_statements.c.namespace == namespace, memory_statements.c.key.in_(keys)
        )
        query = select(memories.c.created_at, memories.c.seq, memories.c.id).where(
            memories.c.namespace == namespace,
            memories.c.id.in_(stated),
            memories.c.state == MemoryState.CURRENT.value,
        )
        # in order here: SQLite would walk through all memories by their time
        with self._database.read() as connection:
            found = sorted((tuple(row) for row in connection.execute(query)), reverse=True)
        return [memory_id for _, _, memory_id in found[:limit]]

    def _put(self, memory_id: str, content: str, namespace: str, connection: Connection) -> None:
        connection.execute(
            delete(memory_statements).where(
                memory_statements.c.namespace == namespace,
                memory_statements.c.memory_id == memory_id,
            )
        )
        connection.execute(
            memory_statements.insert(),
            [
                {"namespace": namespace, "key": key, "memory_id": memory_id}
                for key in (_READ, *claim_keys(content))
            ],
        )
