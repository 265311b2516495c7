"""The record stores on a PostgreSQL server that goes away and comes back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.errors import StoreError
from core.stores.database import Database, open_database
from core.stores.memories import SqlMemoryStore
from tests.contracts.samples import OWNER, memory
from tests.servers.postgres import PostgresServer, postgres_server


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    with postgres_server() as running:
        yield running


@pytest.fixture
def database(server: PostgresServer, tmp_path: Path) -> Iterator[Database]:
    opened = open_database(server.create_database(), tmp_path)
    yield opened
    opened.close()


def test_a_restarted_server_is_used_again_without_a_failure(
    server: PostgresServer, database: Database
) -> None:
    store = SqlMemoryStore(database)
    store.add(memory("a"), namespace=OWNER)
    server.stop()
    try:
        with pytest.raises(StoreError) as caught:
            store.get("a", namespace=OWNER)
    finally:
        server.start()
    assert str(server.port) in caught.value.message
    assert store.get("a", namespace=OWNER) == memory("a")
    store.add(memory("b"), namespace=OWNER)
    assert {m.id for m in store.list(namespace=OWNER)} == {"a", "b"}


def test_an_unknown_database_is_a_store_error_without_the_password(
    server: PostgresServer, tmp_path: Path
) -> None:
    url = f"postgresql://somebody:hidden-word@127.0.0.1:{server.port}/nowhere"
    database = open_database(url, tmp_path)
    with pytest.raises(StoreError) as caught:
        database.ensure_ready()
    database.close()
    assert "hidden-word" not in caught.value.sentence
    assert "somebody" in caught.value.message


def test_text_that_postgresql_cannot_hold_is_a_store_error(database: Database) -> None:
    store = SqlMemoryStore(database)
    with pytest.raises(StoreError) as caught:
        store.add(memory("a", content="private \x00 text"), namespace=OWNER)
    assert "private" not in caught.value.sentence
    assert store.list(namespace=OWNER) == []


def test_nothing_is_written_to_the_data_folder(database: Database, tmp_path: Path) -> None:
    SqlMemoryStore(database).add(memory("a"), namespace=OWNER)
    assert list(tmp_path.iterdir()) == []
