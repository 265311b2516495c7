"""Log of what can be undone, on a SQL database."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Text, delete, insert, select, type_coerce, update

from core.domain.upkeep import Change, ChangeKind
from core.errors import NotFoundError
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.memory_json import memory_json, memory_of
from core.stores.schema_memory import memory_changes


class SqlChangeLog:
    """What can be undone, of all learners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, change: Change, *, namespace: str) -> None:
        """Keep a change."""
        with self._database.write() as connection:
            connection.execute(
                insert(memory_changes), {"namespace": namespace, "id": change.id, **_row(change)}
            )

    def get(self, change_id: str, *, namespace: str) -> Change:
        """Return a change. Raises `NotFoundError`."""
        query = select(memory_changes).where(
            memory_changes.c.namespace == namespace, memory_changes.c.id == change_id
        )
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            raise NotFoundError("This change is not there (any more).")
        return change_of(row)

    def list(self, *, namespace: str) -> list[Change]:
        """Return the changes, the last one first."""
        query = (
            select(memory_changes)
            .where(memory_changes.c.namespace == namespace)
            .order_by(memory_changes.c.at.desc(), memory_changes.c.seq.desc())
        )
        with self._database.read() as connection:
            return [change_of(row) for row in connection.execute(query)]

    def remove(self, ids: Sequence[str], *, namespace: str) -> None:
        """Remove changes, on disk too; those that are not there are no error."""
        if not ids:
            return
        with self._database.write() as connection:
            for start in range(0, len(ids), IDS_PER_QUERY):
                connection.execute(
                    delete(memory_changes).where(
                        memory_changes.c.namespace == namespace,
                        memory_changes.c.id.in_(ids[start : start + IDS_PER_QUERY]),
                    )
                )
        self._database.scrub()

    def remove_memory(self, memory_id: str, *, namespace: str) -> None:
        """Take one memory out of all changes, on disk too; a change left without any goes."""
        self.remove_memories([memory_id], namespace=namespace)

    def remove_memories(self, memory_ids: Sequence[str], *, namespace: str) -> None:
        """Take memories out of all changes, as `remove_memory`, all or none."""
        gone = frozenset(memory_ids)
        if not gone:
            return
        with self._database.write() as connection:
            query = select(memory_changes).where(memory_changes.c.namespace == namespace)
            if len(gone) == 1:
                ids = type_coerce(memory_changes.c.memory_ids, Text)
                query = query.where(ids.contains(next(iter(gone)), autoescape=True))
            for row in connection.execute(query.with_for_update()).all():
                if gone.isdisjoint(row.memory_ids):
                    continue
                kept = _without(change_of(row), gone)
                of_row = memory_changes.c.seq == row.seq
                if kept.before:
                    connection.execute(update(memory_changes).where(of_row).values(_row(kept)))
                else:
                    connection.execute(delete(memory_changes).where(of_row))
        self._database.scrub()

    def expire_of_all(self, now: datetime) -> int:
        """Remove the changes of ALL users that are over their time; return how many."""
        over = memory_changes.c.expires_at <= now
        with self._database.read() as connection:
            if connection.scalar(select(memory_changes.c.seq).where(over).limit(1)) is None:
                return 0
        with self._database.write() as connection:
            gone = connection.execute(delete(memory_changes).where(over)).rowcount
        self._database.scrub()
        return gone


def change_of(row: Row[Any]) -> Change:
    """Return the change of a row."""
    return Change(
        id=row.id,
        kind=ChangeKind(row.kind),
        at=row.at,
        expires_at=row.expires_at,
        before=tuple(map(memory_of, row.data["before"])),
        after=tuple(row.data["after"]),
        detail=row.data["detail"],
    )


def _row(change: Change) -> dict[str, Any]:
    ids = dict.fromkeys([*(memory.id for memory in change.before), *change.after])
    return {
        "kind": change.kind.value,
        "at": change.at,
        "expires_at": change.expires_at,
        "memory_ids": list(ids),
        "data": {
            "before": [memory_json(memory) for memory in change.before],
            "after": list(change.after),
            "detail": change.detail,
        },
    }


def _without(change: Change, gone: frozenset[str]) -> Change:
    return replace(
        change,
        before=tuple(memory for memory in change.before if memory.id not in gone),
        after=tuple(kept for kept in change.after if kept not in gone),
    )
