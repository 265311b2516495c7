"""Transactions on a Neo4j server: connections, retries, failures in our own words."""

import contextlib
import random
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import LiteralString, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j import GraphDatabase, Transaction
from neo4j.exceptions import (
    AuthError,
    ConstraintError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)
from neo4j.exceptions import (
    ConfigurationError as DriverConfigurationError,
)

from core.errors import ConfigurationError, StoreError

T = TypeVar("T")

SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")
_RETRY_SECONDS = 30.0
"""How long to try again against conflicts with other writers."""
_LONGEST_SECONDS = 300.0
"""When the server shall end a transaction, with the locks that others wait for."""
_LOST_TRIES = 2
"""How often a transaction is tried whose connection breaks, as all do when a server restarts."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.01, 0.5  # seconds
_GONE = "Neo.ClientError.Statement.EntityNotFound"
"""A node was deleted by another transaction while this one waited for it."""
_THERE = (
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists",
    "Neo.ClientError.Schema.ConstraintAlreadyExists",
    "Neo.ClientError.Schema.IndexAlreadyExists",
)


class BoltDatabase:
    """One database of a server. Safe to use from several threads.

    The first use connects. Failures come out as `StoreError`, and what cannot be a server's
    address as `ConfigurationError`.
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
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """Times are in seconds; `jitter` (a number in [0, 1)) is for the waits between tries."""
        parts = urlsplit(uri)
        if parts.scheme not in SCHEMES or not parts.hostname:
            raise ConfigurationError(
                "NEO4J_URI is not the address of a Neo4j server.",
                remedy=f"Begin it with one of: {', '.join(f'{s}://' for s in SCHEMES)}.",
            )
        self._uri = uri
        self._place = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
        self._auth = None if password is None else (username, password)
        self._database = database
        self._lifetime = max_connection_lifetime
        self._pool_size = max_connection_pool_size
        self._timeout = connection_timeout
        self._jitter = jitter
        self._lock = threading.Lock()
        self._driver: neo4j.Driver | None = None

    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Return what `work` returns, its changes made together or not at all.

        `work` is run again after a conflict, and after a connection that was lost before the
        commit. One that is lost in the commit is a failure: nobody knows what became of it.
        """

        def once() -> T:
            with (
                self._session() as session,
                session.begin_transaction(timeout=_LONGEST_SECONDS) as transaction,
            ):
                found = work(transaction)
                transaction.commit()
                return found

        return self._tried(once)

    def define(self, statements: tuple[LiteralString, ...]) -> None:
        """Run statements that make constraints and indexes; those that are there stay."""
        for statement in statements:
            self._tried(partial(self._define, statement))

    def _define(self, statement: LiteralString) -> None:
        with self._session() as session:
            try:
                session.run(statement).consume()
            except Neo4jError as exc:
                if exc.code not in _THERE:
                    raise

    def _tried(self, once: Callable[[], T]) -> T:
        """Return what `once` returns, tried again as long as that may help."""
        deadline = time.monotonic() + _RETRY_SECONDS
        pause, lost = _FIRST_PAUSE, 0
        with self._translated():
            while True:
                try:
                    return once()
                except (ServiceUnavailable, SessionExpired) as exc:
                    lost += 1
                    if lost >= _LOST_TRIES or isinstance(exc, IncompleteCommit):
                        raise
                except Neo4jError as exc:
                    if not _passes(exc) or time.monotonic() > deadline:
                        raise
                time.sleep(pause * (0.5 + self._jitter()))
                pause = min(2 * pause, _LONGEST_PAUSE)

    def close(self) -> None:
        """Release all connections. The next use connects again."""
        with self._lock:
            driver, self._driver = self._driver, None
        if driver is not None:
            driver.close()

    def _session(self) -> neo4j.Session:
        # Reads go to the writing member of a cluster too: the others may not know yet what this
        # or another process has just written.
        return self._connect().session(
            database=self._database, default_access_mode=neo4j.WRITE_ACCESS
        )

    def _connect(self) -> neo4j.Driver:
        with self._lock:
            if self._driver is None:
                self._driver = GraphDatabase.driver(
                    self._uri,
                    auth=self._auth,
                    max_connection_lifetime=self._lifetime,
                    max_connection_pool_size=self._pool_size,
                    connection_timeout=self._timeout,
                    connection_acquisition_timeout=self._timeout,
                    connection_write_timeout=self._timeout,
                    notifications_min_severity="OFF",
                    telemetry_disabled=True,
                )
            return self._driver

    @contextlib.contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (Neo4jError, DriverError, UnicodeEncodeError) as exc:
            raise self._failure(exc) from exc

    def _failure(self, exc: Exception) -> StoreError:
        where = f"The graph store {self._place}"
        code = (exc.code or "") if isinstance(exc, Neo4jError) else ""
        if isinstance(exc, AuthError):
            return StoreError(
                f"{where} refused the user name or the password.",
                remedy="Check NEO4J_USERNAME and NEO4J_PASSWORD.",
            )
        if code.startswith("Neo.ClientError.Database."):
            return StoreError(
                f"{where} has no database {self._database} that can be used.",
                remedy="Check NEO4J_DATABASE.",
            )
        if isinstance(exc, UnicodeEncodeError):
            reason = "it cannot hold a character of the text"  # and not which text
        else:
            reason = (exc.message or "") if isinstance(exc, Neo4jError) else str(exc)
        first = reason.strip().partition("\n")[0].rstrip(".:")
        if isinstance(exc, DriverError) and not isinstance(exc, DriverConfigurationError):
            return StoreError(
                f"{where} did not answer: {first}.",
                remedy="Check NEO4J_URI and that the server runs, or remove NEO4J_URI to keep the "
                "graph in the record store.",
            )
        return StoreError(f"{where} failed: {first}.")


def _passes(exc: Neo4jError) -> bool:
    """Tell whether a failure comes of other writers, and may be gone at the next try.

    A constraint that is violated means that another writer made the same node first: the next
    try finds it.
    """
    return isinstance(exc, ConstraintError) or exc.is_retryable() or exc.code == _GONE
