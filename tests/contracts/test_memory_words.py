"""What every word index of memories promises (core/ports/memory_words.py)."""

from dataclasses import replace

import pytest
from sqlalchemy import text

from core.domain.memory import MemoryState
from core.stores.database import Database
from core.stores.memories import SqlMemoryStore
from core.text.indexed import unpacked
from core.text.terms import term_hash
from tests.contracts.samples import OTHER, OWNER, memory


@pytest.fixture
def store(database: Database) -> SqlMemoryStore:
    return SqlMemoryStore(database)


def ids(store: SqlMemoryStore, after: int = 0) -> list[str]:
    return [row.memory_id for row in store.words.after(after, namespace=OWNER)]


def test_every_stored_memory_has_a_row_and_deleting_takes_it(store: SqlMemoryStore) -> None:
    store.add_all([memory("a"), memory("b")], namespace=OWNER)
    store.add(memory("a"), namespace=OTHER)
    assert ids(store) == ["a", "b"]
    count, last = store.words.extent(namespace=OWNER)
    assert count == 2
    assert store.words.seqs(namespace=OWNER)[-1] == last
    store.delete("a", namespace=OWNER)
    assert ids(store) == ["b"]
    assert store.words.extent(namespace=OTHER)[0] == 1
    store.delete_all(["b"], namespace=OWNER)
    assert store.words.extent(namespace=OWNER) == (0, 0)
    assert store.words.seqs(namespace=OWNER) == []


def test_a_memory_that_is_stored_again_comes_after_all_others(store: SqlMemoryStore) -> None:
    store.add_all([memory("a"), memory("b")], namespace=OWNER)
    _, last = store.words.extent(namespace=OWNER)
    changed = replace(memory("a"), content="mitochondria", state=MemoryState.WRONG)
    store.add(changed, namespace=OWNER)
    (row,) = store.words.after(last, namespace=OWNER)
    assert (row.memory_id, row.state) == ("a", MemoryState.WRONG)
    assert row.created_at == changed.created_at
    assert unpacked(row.data).hashes.tolist() == [term_hash("mitochondria")]
    assert store.words.extent(namespace=OWNER)[0] == 2


def test_a_row_holds_no_text(store: SqlMemoryStore) -> None:
    store.add(replace(memory("a"), content="unmistakable zebra 斑马"), namespace=OWNER)
    (row,) = store.words.after(0, namespace=OWNER)
    assert not any(word.encode() in row.data for word in ("unmistak", "zebra", "斑", "马"))


def test_memories_of_an_older_version_are_indexed_later(
    store: SqlMemoryStore, database: Database
) -> None:
    store.add_all([memory("a"), memory("b"), memory("c")], namespace=OWNER)
    with database.write() as connection:
        connection.execute(text("DELETE FROM memory_words WHERE memory_id = 'a'"))
        connection.execute(text("UPDATE memory_words SET version = 0 WHERE memory_id = 'b'"))
    before = {row.memory_id: row.seq for row in store.words.after(0, namespace=OWNER)}
    store.words.ensure(namespace=OWNER)
    after = {row.memory_id: row.seq for row in store.words.after(0, namespace=OWNER)}
    assert set(after) == {"a", "b", "c"}
    assert after["c"] == before["c"]
    assert after["b"] > before["b"]


def test_what_is_refined_is_noted_until_it_is_stored_again(store: SqlMemoryStore) -> None:
    store.add_all([memory("a"), memory("b")], namespace=OWNER)
    words = store.words
    assert words.unrefined(namespace=OWNER, limit=1) == ["a"]
    assert words.namespaces_unrefined() == [OWNER]
    words.note_refined(["a", "b", "never there"], namespace=OWNER)
    assert words.refined(namespace=OWNER) == 2
    assert words.namespaces_unrefined() == []
    store.add(memory("b"), namespace=OWNER)
    assert words.unrefined(namespace=OWNER, limit=9) == ["b"]
    words.forget_refined(namespace=OWNER)
    assert words.unrefined(namespace=OWNER, limit=9) == ["a", "b"]
