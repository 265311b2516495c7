"""One database of records: a SQLite file, or PostgreSQL."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, SQLAlchemyError, StatementError

from core.errors import (
    ConfigurationError,
    MissingDependencyError,
    StoreError,
    UnknownBackendError,
)
from core.stores.migrations import migrate

SQLITE_FILE = "records.sqlite3"
BUSY_SECONDS = 10
_SCRUB_PAUSE = 0.02
"""Seconds between two tries to empty the write-ahead log."""

IDS_PER_QUERY = 500
"""Far below the number of parameters a statement may have (32,766 in SQLite)."""

_BETWEEN_TRIES = 0.05  # seconds
_PRAGMAS = (
    "auto_vacuum = INCREMENTAL",  # holds for a new file only, and only before the first table
    "journal_mode = WAL",
    "synchronous = NORMAL",  # with WAL: a crash of the process loses nothing
    "foreign_keys = ON",
    "secure_delete = ON",
    "temp_store = MEMORY",
)


def open_database(url: str | None, folder: Path, *, busy_seconds: int = BUSY_SECONDS) -> "Database":
    """Return the database at `url`, or the SQLite file in `folder`; nothing is opened yet.

    `busy_seconds` is how long to wait for others that write, and for a server to answer.

    Raises `ConfigurationError` when the URL cannot be used.
    """
    if url is None:
        return Database(
            URL.create("sqlite", database=str(folder / SQLITE_FILE)), busy_seconds=busy_seconds
        )
    try:
        parsed = make_url(url)
    except ArgumentError as exc:
        raise ConfigurationError("DATABASE_URL is not a database URL.") from exc
    backend = parsed.get_backend_name()
    if backend not in ("sqlite", "postgresql"):
        raise UnknownBackendError(
            f"DATABASE_URL names {backend}; the choices are sqlite and postgresql.",
            remedy="Use postgresql+psycopg://user@host/database, or leave it empty for SQLite.",
        )
    if backend == "sqlite" and parsed.database in (None, "", ":memory:"):
        raise ConfigurationError("DATABASE_URL must name a file: sqlite:///path/to/file.")
    driver = "postgresql+psycopg" if backend == "postgresql" else "sqlite"
    return Database(parsed.set(drivername=driver), busy_seconds=busy_seconds)


class Database:
    """Connections and transactions. Safe to use from several threads.

    The first use creates what is missing. Failures of the database come out as `StoreError`.
    """

    def __init__(self, url: URL, *, busy_seconds: int) -> None:
        self._url = url
        self._busy_seconds = busy_seconds
        self._lock = threading.Lock()
        self._scrubbing = threading.Lock()
        self._engine: Engine | None = None

    @property
    def name(self) -> str:
        """`sqlite` or `postgresql`."""
        return self._url.get_backend_name()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection for queries that all see one state."""
        with self._translated(), self._open().connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give a connection whose changes happen together at the end, or not at all."""
        with self._translated(), self._open().connect() as connection:
            connection.execution_options(begin="BEGIN IMMEDIATE")
            with connection.begin():
                yield connection

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """Return an INSERT that knows `on_conflict_do_nothing` and `on_conflict_do_update`."""
        return sqlite.insert(table) if self.name == "sqlite" else postgresql.insert(table)

    def ensure_ready(self) -> None:
        """Connect and bring the schema up to date."""
        with self._translated():
            self._open()

    def scrub(self) -> None:
        """Make deleted text leave the disk: overwritten, and out of the write-ahead log.

        On PostgreSQL that is the server's own work (VACUUM), and this does nothing.
        """
        if self.name != "sqlite":
            return
        engine = self._open()
        deadline = time.monotonic() + self._busy_seconds
        # One at a time: a checkpoint that meets another one does not wait, it gives up at once.
        with self._scrubbing:
            while not self._checkpoint(engine):
                if time.monotonic() > deadline:
                    raise StoreError(
                        "It is deleted, but traces stay on disk while another program reads the "
                        "file.",
                        remedy="Close programs that have the database open, and restart the app.",
                    )
                time.sleep(_SCRUB_PAUSE)

    def _checkpoint(self, engine: Engine) -> bool:
        """Give free pages back and empty the write-ahead log; False when somebody is in the way."""
        with self._translated(), engine.connect() as connection:
            # The driver's own cursor, outside a transaction. As a script, because the statement
            # frees one page a step and has no columns: `execute` would stop after the first.
            cursor: Any = connection.connection.cursor()
            cursor.executescript("PRAGMA incremental_vacuum")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            (row,) = cursor.fetchall()
            cursor.close()
            return not row[0]

    def close(self) -> None:
        """Release all connections. The next use opens the database again."""
        with self._lock:
            engine, self._engine = self._engine, None
        if engine is not None:
            engine.dispose()

    def _open(self) -> Engine:
        with self._lock:
            if self._engine is None:
                with ExitStack() as on_failure:
                    engine = self._connect()
                    on_failure.callback(engine.dispose)
                    with engine.connect() as connection:
                        connection.execution_options(begin="BEGIN IMMEDIATE")
                        with connection.begin():
                            migrate(connection)
                    on_failure.pop_all()
                self._engine = engine
            return self._engine

    def _connect(self) -> Engine:
        options: dict[str, Any] = {"pool_size": 10, "max_overflow": 40, "hide_parameters": True}
        if self.name == "postgresql":
            options |= {
                "pool_pre_ping": True,
                "connect_args": {"connect_timeout": self._busy_seconds},
            }
        else:
            self._make_folder()
        try:
            engine = create_engine(self._url, **options)
        except ImportError as exc:
            raise MissingDependencyError(
                "DATABASE_URL names PostgreSQL, but its driver psycopg is not installed.",
                remedy='Install it: pip install "psycopg[binary]".',
            ) from exc
        if self.name == "sqlite":
            event.listen(engine, "connect", self._prepare_sqlite)
            event.listen(engine, "begin", _begin_sqlite)
        return engine

    def _prepare_sqlite(self, connection: Any, _record: object) -> None:
        connection.isolation_level = None  # transactions begin where `_begin_sqlite` says so
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {self._busy_seconds * 1000}")
        for pragma in _PRAGMAS:
            _set_pragma(cursor, pragma, self._busy_seconds)
        cursor.close()

    def _make_folder(self) -> None:
        folder = Path(self._url.database or "").parent
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as exc:
            raise StoreError(f"The folder of the record store cannot be made: {exc}.") from exc

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, sqlite3.Error, UnicodeEncodeError) as exc:
            # the first line only: the others may repeat the row, which holds a learner's text
            reason = str(exc.orig if isinstance(exc, StatementError) else exc)
            first = reason.strip().partition("\n")[0].rstrip(".")
            where = self._url.render_as_string(hide_password=True)
            raise StoreError(f"The record store {where} failed: {first}.") from exc


def _set_pragma(cursor: sqlite3.Cursor, pragma: str, seconds: float) -> None:
    """Set a pragma, again for so long: to change to WAL, SQLite itself does not wait for others."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            cursor.execute(f"PRAGMA {pragma}")
            return
        except sqlite3.OperationalError as exc:
            if "locked" not in str(exc) or time.monotonic() > deadline:
                raise
            time.sleep(_BETWEEN_TRIES)


def _begin_sqlite(connection: Connection) -> None:
    # A writer takes the lock at once: upgrading a reader fails without waiting when another wrote.
    statement = connection.get_execution_options().get("begin", "BEGIN")
    connection.exec_driver_sql(statement)
