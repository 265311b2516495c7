"""Knowledge graph on a SQL database."""

import hashlib
from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import text

from core.stores.database import Database
from core.stores.graph_base import RowGraphStore
from core.stores.graph_rows import GraphRows
from core.stores.graph_sql import SqlRows

T = TypeVar("T")


class SqlGraphStore(RowGraphStore):
    """The graphs of all learners.

    Writers wait for each other: on SQLite all of them, on PostgreSQL those of one namespace.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def ensure_ready(self) -> None:
        """Connect and bring the schema up to date."""
        self._database.ensure_ready()

    def close(self) -> None:
        """Release the database. It opens again at the next use."""
        self._database.close()

    def _read(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        with self._database.read() as connection:
            if self._database.name == "postgresql":  # SQLite's readers see one state anyway
                connection.execution_options(isolation_level="REPEATABLE READ")
            return work(SqlRows(self._database, connection, namespace))

    def _write(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        with self._database.write() as connection:
            if self._database.name == "postgresql":  # SQLite has one writer anyway
                connection.execute(
                    text("SELECT pg_advisory_xact_lock(:number)"), {"number": _lock_of(namespace)}
                )
            return work(SqlRows(self._database, connection, namespace))

    def _erase(self) -> None:
        self._database.scrub()


def _lock_of(namespace: str) -> int:
    """Return the number of the lock of a namespace's graph, 64 bits."""
    digest = hashlib.blake2b(f"graph/{namespace}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
