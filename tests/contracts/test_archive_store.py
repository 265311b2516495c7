"""What every archive of memories promises (core/ports/upkeep_store.py)."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.errors import StoreError
from core.ports.upkeep_store import ArchiveStore
from core.stores.archive import BLOCK, SqlArchiveStore
from core.stores.database import Database
from core.stores.schema_memory import archive_blocks
from tests.contracts.backends import RecordBackend
from tests.contracts.samples import OTHER, OWNER, START, memory

PHRASE = "zebra-unmistakable-斑马-archive"


@pytest.fixture
def store(database: Database) -> ArchiveStore:
    return SqlArchiveStore(database)


def put(store: ArchiveStore, *memories: Memory, namespace: str = OWNER) -> None:
    store.put(memories, at=START, namespace=namespace)


def many(number: int, first: int = 0) -> list[Memory]:
    return [memory(f"m{n}", content=f"memory {n} 记忆", minutes=n) for n in range(first, number)]


def blocks(database: Database) -> list[int]:
    with database.read() as connection:
        query = select(archive_blocks.c.memory_ids).order_by(archive_blocks.c.seq)
        return [len(ids) for ids in connection.scalars(query)]


def test_a_memory_comes_back_as_it_was(store: ArchiveStore) -> None:
    used = replace(
        memory("a", kind=MemoryKind.EPISODIC),
        state=MemoryState.REPLACED,
        pinned=True,
        uses=7,
        used_at=START + timedelta(days=3, microseconds=1),
        sightings=2,
        seen_at=START + timedelta(days=1),
        replaced_by="b",
    )
    put(store, used, memory("b"))
    assert store.list(namespace=OWNER) == [used, memory("b")]
    assert store.take(["a"], namespace=OWNER) == [used]


def test_the_newest_is_listed_first(store: ArchiveStore) -> None:
    put(store, memory("old", minutes=-5), memory("new", minutes=5))
    put(store, memory("middle"))
    assert [m.id for m in store.list(namespace=OWNER)] == ["new", "middle", "old"]
    assert store.count(namespace=OWNER) == 3


def test_the_same_id_replaces(store: ArchiveStore) -> None:
    put(store, memory("a", content="first"), memory("b"))
    put(store, memory("a", content="second"))
    assert store.count(namespace=OWNER) == 2
    assert {m.content for m in store.list(namespace=OWNER)} == {"second", memory("b").content}


def test_taking_takes_once_and_in_the_order_asked(store: ArchiveStore) -> None:
    put(store, *many(5))
    taken = store.take(["m3", "unknown", "m1", "m3"], namespace=OWNER)
    assert [m.id for m in taken] == ["m3", "m1"]
    assert store.take(["m3", "m1"], namespace=OWNER) == []
    assert store.take([], namespace=OWNER) == []
    assert {m.id for m in store.list(namespace=OWNER)} == {"m0", "m2", "m4"}


def test_nothing_there_is_empty(store: ArchiveStore) -> None:
    put(store)
    assert store.list(namespace=OWNER) == []
    assert store.count(namespace=OWNER) == 0
    assert store.size(namespace=OWNER) == (0, 0)


def test_no_method_reaches_another_namespace(store: ArchiveStore) -> None:
    put(store, memory("a"))
    assert store.list(namespace=OTHER) == []
    assert store.take(["a"], namespace=OTHER) == []
    put(store, memory("a", content="mine"), namespace=OTHER)
    assert store.list(namespace=OWNER) == [memory("a")]
    assert store.size(namespace=OTHER) != (0, 0)
    store.take(["a"], namespace=OTHER)
    assert store.list(namespace=OWNER) == [memory("a")]


def test_blocks_are_filled_and_emptied_blocks_go(store: ArchiveStore, database: Database) -> None:
    put(store, *many(BLOCK - 1))
    put(store, *many(2 * BLOCK + 10, BLOCK - 1))
    assert blocks(database) == [BLOCK, BLOCK, 10]
    store.take([f"m{n}" for n in range(BLOCK, 2 * BLOCK)], namespace=OWNER)
    assert blocks(database) == [BLOCK, 10]
    put(store, memory("one more"))
    assert blocks(database) == [BLOCK, 11]


def test_archived_memories_are_a_third_of_their_size(store: ArchiveStore) -> None:
    said = [
        "Caroline: I went to the lake with Melanie on Saturday, the children loved it!",
        "老师说，过拟合是模型把训练数据里的噪声也学进去了。",
        "The second law says that the entropy of a closed system never falls.",
        "What does the chapter on photosynthesis say about chlorophyll?",
    ]
    memories = [
        memory(str(uuid.UUID(int=n * 7919**9 % 2**127)), content=f"{said[n % 4]} ({n})", minutes=n)
        for n in range(BLOCK)
    ]
    put(store, *memories)
    small, plain = store.size(namespace=OWNER)
    assert plain > 200 * BLOCK
    assert small * 3 < plain


def test_what_was_put_is_there_after_a_restart(
    store: ArchiveStore, record_backend: RecordBackend
) -> None:
    put(store, memory("a"))
    assert SqlArchiveStore(record_backend.open()).list(namespace=OWNER) == [memory("a")]


def test_many_threads_at_once(store: ArchiveStore, in_threads: Callable[..., list[Any]]) -> None:
    def work(worker: int) -> None:
        for number in range(6):
            put(store, memory(f"{worker}/{number}"))
        store.take([f"{worker}/0"], namespace=OWNER)

    in_threads(work, range(6))
    assert store.count(namespace=OWNER) == 6 * 5


def test_a_damaged_block_is_a_store_error(store: ArchiveStore, database: Database) -> None:
    put(store, memory("a"))
    with database.write() as connection:
        connection.execute(archive_blocks.update().values(data=b"not a block"))
    with pytest.raises(StoreError, match="damaged"):
        store.list(namespace=OWNER)


def test_a_taken_memory_is_nowhere_in_the_files(sqlite_backend: RecordBackend) -> None:
    database = sqlite_backend.open()
    store = SqlArchiveStore(database)
    put(store, memory("kept"), memory("a", content=PHRASE))
    with database.read() as connection:
        block = connection.scalar(select(archive_blocks.c.data))
    assert isinstance(block, bytes)
    assert block[64:128] in sqlite_backend.bytes_on_disk()
    store.take(["a"], namespace=OWNER)
    assert block[64:128] not in sqlite_backend.bytes_on_disk()
    assert store.list(namespace=OWNER) == [memory("kept")]
