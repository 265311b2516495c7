"""Knowledge graph on a Neo4j server."""

from collections.abc import Callable
from typing import TypeVar

from neo4j import Transaction

from core.stores.graph_base import RowGraphStore
from core.stores.graph_rows import GraphRows
from core.stores.neo4j_driver import BoltDatabase
from core.stores.neo4j_rows import SCHEMA, Neo4jRows, lock

T = TypeVar("T")


class Neo4jGraphStore(RowGraphStore):
    """The graphs of all learners in one database of a server.

    Writers of one namespace wait for each other. What is deleted is gone from the graph; when the
    server's own files and transaction logs forget it is a matter of the server's settings.
    """

    def __init__(
        self,
        uri: str,
        *,
        username: str,
        password: str | None,
        database: str,
        max_connection_lifetime: int,
        max_connection_pool_size: int,
        connection_timeout: int,
    ) -> None:
        """Times are in seconds. Raises `ConfigurationError` for what is no server's address."""
        self._bolt = BoltDatabase(
            uri,
            username=username,
            password=password,
            database=database,
            max_connection_lifetime=max_connection_lifetime,
            max_connection_pool_size=max_connection_pool_size,
            connection_timeout=connection_timeout,
        )
        self._ready = False

    def ensure_ready(self) -> None:
        """Connect and create the constraints and indexes that are missing."""
        if not self._ready:
            self._bolt.define(SCHEMA)
            self._ready = True

    def close(self) -> None:
        """Release the connections. The next use connects again."""
        self._ready = False
        self._bolt.close()

    def _read(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        self.ensure_ready()
        return self._bolt.transact(lambda transaction: work(Neo4jRows(transaction, namespace)))

    def _write(self, work: Callable[[GraphRows], T], namespace: str) -> T:
        self.ensure_ready()

        def alone(transaction: Transaction) -> T:
            lock(transaction, namespace)
            return work(Neo4jRows(transaction, namespace))

        return self._bolt.transact(alone)

    def _erase(self) -> None:
        """Nothing: the server looks after its files."""
