"""The database below the record stores: its schema, its settings, its failures."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import inspect, text

from core.domain.document import DocumentState
from core.errors import ConfigurationError, StoreError, UnknownBackendError
from core.ports.document_store import StoredSegment
from core.stores.database import SQLITE_FILE, Database, open_database
from core.stores.documents import SqlDocumentStore
from core.stores.memories import SqlMemoryStore
from core.stores.migrations import MIGRATIONS, migrate
from core.stores.schema_memory import metadata
from tests.contracts.backends import RecordBackend
from tests.contracts.child import ROOT
from tests.contracts.samples import OWNER, add_document, memory


def applied(database: Database) -> list[int]:
    with database.read() as connection:
        return list(connection.scalars(text("SELECT number FROM migrations ORDER BY number")))


def insert_sessions(database: Database, *namespaces: str, failure: Exception | None = None) -> None:
    statement = text("INSERT INTO sessions (namespace, id, first_at) VALUES (:namespace, 'd', '')")
    with database.write() as connection:
        for namespace in namespaces:
            connection.execute(statement, {"namespace": namespace})
        if failure is not None:
            raise failure


def sessions(database: Database) -> int:
    with database.read() as connection:
        return int(connection.scalar(text("SELECT count(*) FROM sessions")) or 0)


def test_migrations_are_numbered_and_applied_once(record_backend: RecordBackend) -> None:
    expected = [migration.number for migration in MIGRATIONS]
    assert expected == list(range(1, len(MIGRATIONS) + 1))
    first = record_backend.open()
    assert applied(first) == expected
    SqlMemoryStore(first).add(memory("a"), namespace=OWNER)
    first.close()
    assert applied(first) == expected
    second = record_backend.open()
    assert applied(second) == expected
    assert SqlMemoryStore(second).get("a", namespace=OWNER) == memory("a")


def test_the_migrated_schema_is_the_one_the_queries_use(database: Database) -> None:
    with database.read() as connection:
        found = inspect(connection)
        assert set(found.get_table_names()) == {*metadata.tables, "migrations"}
        for name, table in metadata.tables.items():
            columns = {c["name"]: c["nullable"] for c in found.get_columns(name)}
            columns |= dict.fromkeys(found.get_pk_constraint(name)["constrained_columns"], False)
            assert columns == {c.name: bool(c.nullable) for c in table.columns}, name


def test_documents_of_the_first_version_are_kept(record_backend: RecordBackend) -> None:
    first = record_backend.open()
    first.ensure_ready()
    with first.write() as connection:
        tables = [t for t in metadata.tables if t != "migrations"]
        for table in [*sorted(tables, key=lambda t: t == "documents"), "migrations"]:
            cascade = " CASCADE" if first.name == "postgresql" else ""
            connection.execute(text(f"DROP TABLE {table}{cascade}"))
    with first.write() as connection:
        migrate(connection, MIGRATIONS[:1])
        connection.execute(
            text(
                "INSERT INTO documents (namespace, id, name, title, sha256, size, pages, chunks,"
                " language, reader, loaded_at, embedder, warnings, textless_pages, headings)"
                " VALUES (:owner, 'a', 'a.pdf', 'A', '0', 1, 3, 1, 'en', 'liteparse',"
                " '2026-03-01T00:00:00.000000+00:00', 'e', '[]', '[]', '[\"One\"]')"
            ),
            {"owner": OWNER},
        )
        row = "(:owner, 'a', :data)"
        insert = f"INSERT INTO lexical_segments (namespace, document_id, data) VALUES {row}"
        connection.execute(text(insert), {"owner": OWNER, "data": b"words"})
    first.close()
    store = SqlDocumentStore(record_backend.open())
    (kept,) = store.list(namespace=OWNER)
    assert (kept.pages_read, kept.state, kept.format) == (3, DocumentState.READY, "pdf")
    assert [(namespace, d.id) for namespace, d in store.unrefined()] == [(OWNER, "a")]
    assert store.segments(["a"], namespace=OWNER) == [StoredSegment("a", 0, b"words")]


def test_databases_opened_at_once_migrate_once(
    record_backend: RecordBackend, in_threads: Callable[..., list[Any]]
) -> None:
    opened = [record_backend.open() for _ in range(6)]
    expected = [migration.number for migration in MIGRATIONS]
    assert in_threads(applied, opened) == [expected] * 6


def test_a_database_of_a_newer_version_is_refused(record_backend: RecordBackend) -> None:
    first = record_backend.open()
    with first.write() as connection:
        connection.execute(text("INSERT INTO migrations (number, title) VALUES (9999, 'later')"))
    first.close()
    with pytest.raises(StoreError, match="newer version"):
        record_backend.open().ensure_ready()


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    with pytest.raises(StoreError):
        insert_sessions(database, "n", "n")
    assert sessions(database) == 0


def test_an_error_that_is_not_the_databases_passes_and_rolls_back(database: Database) -> None:
    with pytest.raises(KeyError, match="of the caller"):
        insert_sessions(database, "n", failure=KeyError("of the caller"))
    assert sessions(database) == 0


def test_opening_is_no_io(tmp_path: Path) -> None:
    open_database(None, tmp_path / "folder").close()
    assert not (tmp_path / "folder").exists()


def test_sqlite_is_set_for_safety(sqlite_backend: RecordBackend) -> None:
    expected = {
        "journal_mode": "wal",
        "synchronous": 1,  # NORMAL
        "foreign_keys": 1,
        "busy_timeout": 10_000,
        "secure_delete": 1,
        "auto_vacuum": 2,  # INCREMENTAL
        "temp_store": 2,  # MEMORY
    }
    database = sqlite_backend.open()
    with database.read() as one, database.read() as two:
        for connection in (one, two):
            found = {name: connection.scalar(text(f"PRAGMA {name}")) for name in expected}
            assert found == expected


def test_a_url_of_a_sqlite_file_is_used(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/sub/own.db", tmp_path / "unused")
    assert database.name == "sqlite"
    database.ensure_ready()
    database.close()
    assert (tmp_path / "sub" / "own.db").is_file()
    assert not (tmp_path / "unused").exists()


def test_urls_of_postgresql_name_their_backend(tmp_path: Path) -> None:
    for url in ("postgresql://user@host/name", "postgresql+psycopg://user@host/name"):
        assert open_database(url, tmp_path).name == "postgresql"


def test_an_unknown_backend_lists_the_choices(tmp_path: Path) -> None:
    with pytest.raises(UnknownBackendError, match=r"mysql.*sqlite and postgresql"):
        open_database("mysql://user:secret@host/name", tmp_path)


@pytest.mark.parametrize("url", ["no url, but secret", "sqlite://", "sqlite:///:memory:"])
def test_a_url_that_cannot_be_used_is_a_configuration_error(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigurationError, match="DATABASE_URL") as caught:
        open_database(url, tmp_path)
    assert "secret" not in caught.value.sentence


def test_a_missing_driver_is_named() -> None:
    code = """
import sys
from pathlib import Path
sys.modules["psycopg"] = None  # as if it were not installed
from core.errors import MissingDependencyError
from core.stores.database import open_database
try:
    open_database("postgresql://user@host/name", Path()).ensure_ready()
except MissingDependencyError as error:
    sys.stdout.write(error.sentence)
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert 'pip install "psycopg[binary]"' in done.stdout


def test_a_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be made"):
        open_database(None, tmp_path / "file" / "records").ensure_ready()


def test_a_file_that_is_no_database_is_a_store_error(sqlite_backend: RecordBackend) -> None:
    sqlite_backend.folder.mkdir()
    (sqlite_backend.folder / SQLITE_FILE).write_text("this is no database, " * 500)
    with pytest.raises(StoreError, match="not a database") as caught:
        sqlite_backend.open().ensure_ready()
    assert SQLITE_FILE in caught.value.message


def test_failures_do_not_repeat_what_was_to_be_stored(database: Database) -> None:
    for names in (["private \ud800 text"], ["private text, twice"] * 2):
        with pytest.raises(StoreError) as caught:
            insert_sessions(database, *names)
        assert "private" not in caught.value.sentence


def test_a_reader_outside_that_keeps_traces_alive_is_reported(tmp_path: Path) -> None:
    database = open_database(None, tmp_path, busy_seconds=0)
    store = SqlDocumentStore(database)
    add_document(store, "a", namespace=OWNER)
    outside = sqlite3.connect(tmp_path / SQLITE_FILE)
    outside.execute("BEGIN")
    outside.execute("SELECT count(*) FROM pages").fetchall()
    with pytest.raises(StoreError, match="traces stay on disk"):
        store.delete("a", namespace=OWNER)
    assert store.list(namespace=OWNER) == []
    outside.close()
    store.delete("a", namespace=OWNER)
    assert b"First page of a" not in b"".join(p.read_bytes() for p in tmp_path.iterdir())
    database.close()
