"""Archive of memories on a SQL database: compressed blocks."""

import builtins
import json
import lzma
import uuid
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from core.domain.memory import Memory
from core.errors import StoreError
from core.stores.database import Database
from core.stores.memory_json import columns_of, memories_of, memory_json
from core.stores.schema_memory import archive_blocks

BLOCK = 200
"""Memories of one block: fewer compress worse, more make it slow to take one out."""

_ARCHIVED_AT = "archived_at"


class SqlArchiveStore:
    """Memories in cold storage: LZMA-compressed blocks of at most `BLOCK`, each of one learner.

    A block holds its memories' fields as columns, with the time each was archived at; their ids
    stand beside it. The last block of a learner is filled up before a new one begins.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, memories: Sequence[Memory], *, at: datetime, namespace: str) -> None:
        """Archive memories; one with the same id is replaced. All or none."""
        new = {memory.id: memory for memory in memories}
        if not new:
            return
        times = dict.fromkeys(new, at.astimezone(UTC).isoformat())
        with self._database.write() as connection:
            replaced = _remove(connection, new.keys(), namespace)
            last = _last_with_room(connection, namespace)
            waiting = [(memory, times[memory.id]) for memory in new.values()]
            if last is not None:
                there = _unpacked(last.memory_ids, last.data)
                room = BLOCK - len(there)
                _rewrite(connection, last.seq, [*there, *waiting[:room]])
                waiting = waiting[room:]
            for start in range(0, len(waiting), BLOCK):
                part = waiting[start : start + BLOCK]
                key = {"namespace": namespace, "id": str(uuid.uuid4())}
                connection.execute(insert(archive_blocks), {**key, **_packed(part)})
        if replaced:
            self._database.scrub()

    def list(self, *, namespace: str) -> list[Memory]:
        """Return the archived memories, newest first."""
        with self._database.read() as connection:
            found = [m for row in _blocks(connection, namespace) for m, _ in _entries(row)]
        return sorted(found, key=lambda m: m.created_at, reverse=True)

    def take(self, ids: Sequence[str], *, namespace: str) -> builtins.list[Memory]:
        """Remove memories from the archive, on disk too, and return those that were there."""
        if not ids:
            return []
        with self._database.write() as connection:
            taken = _remove(connection, ids, namespace)
        self._database.scrub()
        return [taken[memory_id] for memory_id in dict.fromkeys(ids) if memory_id in taken]

    def count(self, *, namespace: str) -> int:
        """Return how many there are."""
        query = select(archive_blocks.c.memory_ids).where(archive_blocks.c.namespace == namespace)
        with self._database.read() as connection:
            return sum(map(len, connection.scalars(query)))

    def size(self, *, namespace: str) -> tuple[int, int]:
        """Return the bytes on disk (blocks and ids) and those of the memories as plain JSON."""
        table = archive_blocks.c
        query = select(
            func.coalesce(func.sum(func.length(table.data)), 0),
            func.coalesce(func.sum(func.length(table.memory_ids)), 0),
            func.coalesce(func.sum(table.size), 0),
        ).where(table.namespace == namespace)
        with self._database.read() as connection:
            data, ids, plain = connection.execute(query).one()
        return int(data) + int(ids), int(plain)


Entry = tuple[Memory, str]
"""A memory and when it was archived, as text."""


def unpacked(ids: Sequence[str], data: bytes) -> list[Memory]:
    """Return the memories of a block. Raises `StoreError` when it is damaged."""
    return [memory for memory, _ in _unpacked(ids, data)]


def _unpacked(ids: Sequence[str], data: bytes) -> list[Entry]:
    try:
        columns = json.loads(lzma.decompress(data))
        times = columns.pop(_ARCHIVED_AT)
        return list(zip(memories_of(ids, columns), times, strict=True))
    except (lzma.LZMAError, ValueError, KeyError, TypeError) as exc:
        raise StoreError(
            "A block of archived memories is damaged.", remedy="Restore the database from a backup."
        ) from exc


def _packed(entries: Sequence[Entry]) -> dict[str, Any]:
    memories = [memory for memory, _ in entries]
    columns = {**columns_of(memories), _ARCHIVED_AT: [time for _, time in entries]}
    plain = [{**memory_json(memory), _ARCHIVED_AT: time} for memory, time in entries]
    return {
        "memory_ids": [memory.id for memory in memories],
        "size": len(_json(plain)),
        "data": lzma.compress(_json(columns)),
    }


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def _entries(row: Row[Any]) -> list[Entry]:
    return _unpacked(row.memory_ids, row.data)


def _blocks(connection: Connection, namespace: str) -> Iterator[Row[Any]]:
    query = (
        select(archive_blocks)
        .where(archive_blocks.c.namespace == namespace)
        .order_by(archive_blocks.c.seq)
    )
    yield from connection.execute(query)


def _last_with_room(connection: Connection, namespace: str) -> Row[Any] | None:
    query = (
        select(archive_blocks)
        .where(archive_blocks.c.namespace == namespace)
        .order_by(archive_blocks.c.seq.desc())
        .limit(1)
        .with_for_update()  # on PostgreSQL others may write at the same time
    )
    last = connection.execute(query).one_or_none()
    return last if last is not None and len(last.memory_ids) < BLOCK else None


def _rewrite(connection: Connection, seq: int, entries: Sequence[Entry]) -> None:
    block = archive_blocks.c.seq == seq
    if entries:
        connection.execute(update(archive_blocks).where(block).values(_packed(entries)))
    else:
        connection.execute(delete(archive_blocks).where(block))


def _remove(connection: Connection, ids: Sequence[str] | Any, namespace: str) -> dict[str, Memory]:
    """Take memories out of their blocks; return them by id."""
    wanted = set(ids)
    table = archive_blocks.c
    query = select(table.seq, table.memory_ids).where(table.namespace == namespace)
    touched = [
        row.seq for row in connection.execute(query) if not wanted.isdisjoint(row.memory_ids)
    ]
    taken: dict[str, Memory] = {}
    for seq in touched:
        block = select(archive_blocks).where(table.seq == seq).with_for_update()
        row = connection.execute(block).one_or_none()
        if row is None:
            continue  # another process emptied it meanwhile
        entries = _entries(row)
        taken |= {memory.id: memory for memory, _ in entries if memory.id in wanted}
        _rewrite(connection, seq, [entry for entry in entries if entry[0].id not in wanted])
    return taken
