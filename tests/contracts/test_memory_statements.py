"""What every store of memories promises about statements and exchanging records."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from core.domain.memory import MemoryState
from core.ports.memory_store import MemoryStore
from core.stores.database import Database
from core.stores.memories import SqlMemoryStore
from core.text.claims import claim_keys
from tests.contracts.samples import OTHER, OWNER, memory

EXAM = "My exam is on 12 May."


@pytest.fixture
def store(database: Database) -> MemoryStore:
    return SqlMemoryStore(database)


def about(store: MemoryStore, content: str = EXAM, limit: int = 10) -> list[str]:
    return store.statements.about(claim_keys(content), namespace=OWNER, limit=limit)


def test_current_memories_about_the_same_are_found_newest_first(store: MemoryStore) -> None:
    for number, content in enumerate((EXAM, "My exam is on 19 May.", "I like tea.")):
        store.add(memory(str(number), content=content, minutes=number), namespace=OWNER)
    store.add(memory("other", content=EXAM), namespace=OTHER)
    gone = replace(memory("gone", content=EXAM), state=MemoryState.REPLACED)
    store.add(gone, namespace=OWNER)
    assert about(store) == ["1", "0"]
    assert about(store, limit=1) == ["1"]
    assert about(store, "I live in Berlin.") == []
    assert store.statements.about([], namespace=OWNER, limit=5) == []


def test_statements_follow_their_memory(store: MemoryStore) -> None:
    store.add_all([memory("a", content=EXAM), memory("b", content=EXAM)], namespace=OWNER)
    store.add(memory("a", content="I like tea."), namespace=OWNER)
    assert about(store) == ["b"]
    assert about(store, "I no longer like tea.") == ["a"]
    store.delete("b", namespace=OWNER)
    assert about(store) == []


def test_memories_of_an_older_version_are_read_once(store: MemoryStore, database: Database) -> None:
    store.add(memory("a", content=EXAM), namespace=OWNER)
    with database.write() as connection:
        connection.execute(text("DELETE FROM memory_statements"))
    assert about(store) == []
    store.statements.ensure(namespace=OWNER)
    assert about(store) == ["a"]


def test_records_are_exchanged_in_one_step(store: MemoryStore) -> None:
    store.add_all([memory("a"), memory("b")], namespace=OWNER)
    store.add(memory("a"), namespace=OTHER)
    store.exchange([memory("c")], without=["a", "unknown"], namespace=OWNER)
    assert {m.id for m in store.list(namespace=OWNER)} == {"b", "c"}
    assert {m.id for m in store.list(namespace=OTHER)} == {"a"}
    store.exchange([memory("b", content="as it is now")], without=["b"], namespace=OWNER)
    assert store.get("b", namespace=OWNER).content == "as it is now"
