"""Everything of somebody in a SQL database: counted, read and erased over all tables."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Table,
    Text,
    delete,
    func,
    select,
    text,
    type_coerce,
    update,
)

from core.domain.answer import Answer
from core.domain.memory import Memory
from core.ports.erasure_store import StoredText
from core.stores import schema_memory, schema_words
from core.stores.answers import SOURCE_REMOVED, answer_json, answer_of, trace_json
from core.stores.archive import unpacked
from core.stores.database import Database
from core.stores.memory_json import memory_of
from core.stores.schema import Json, metadata, questions
from core.stores.schema_memory import archive_blocks, memory_changes

_KNOWN = (schema_memory, schema_words)
"""Imported so that `metadata` has all tables."""

_PLACES = {
    "archive_blocks": "archive",
    "chunks": "pages",
    "cited_documents": "questions",
    "lexical_segments": "full_text",
    "memories": "records",
    "memory_changes": "undo_log",
    "memory_statements": "statements",
    "memory_words": "full_text",
}
"""Tables whose place has another name; those that begin with `graph_` are the graph."""

_ITEMS = {
    "chunks": "document_id",
    "graph_sentences": "source_id",
    "jobs": "document_id",
    "pages": "document_id",
}
"""Which column says what a row is of, where it is not `id`."""

_NO_TEXT = frozenset(
    {
        *("namespace", "id", "kind", "state", "stage", "event", "reason", "mode", "route"),
        *("embedder", "reader", "format", "language", "sha256", "source", "source_kind"),
        *("label", "letters", "name_key", "key", "fingerprint", "replaced_by", "routed_by"),
        *("notice", "error", "warnings"),
    }
)
"""Columns of ids and keywords, and those that repeat another one in other letters."""

_AT_ONCE = 500
_LOCK_SECONDS = 30


class SqlErasure:
    """See `core.ports.erasure_store`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def namespaces_of_all(self) -> list[str]:
        """Return the namespaces of ALL users that have any row, in order."""
        found: set[str] = set()
        with self._database.read() as connection:
            for table in _tables():
                found.update(connection.scalars(select(table.c.namespace).distinct()))
        return sorted(found)

    def count(self, *, namespace: str) -> Mapping[str, int]:
        """Return how many rows there are by place; the archive counts memories."""
        counts: Counter[str] = Counter()
        with self._database.read() as connection:
            for table in _tables():
                counts[_place(table)] += _count(connection, table, table.c.namespace == namespace)
        return +counts

    def count_of_document(self, document_id: str, *, namespace: str) -> Mapping[str, int]:
        """Return how many rows are of a document, by place."""
        counts: Counter[str] = Counter()
        with self._database.read() as connection:
            for table in _tables():
                column = table.c.get("document_id", table.c.get("source_id"))
                if table.name == "documents":
                    column = table.c.id
                if column is not None:
                    own = (table.c.namespace == namespace) & (column == document_id)
                    counts[_place(table)] += _count(connection, table, own)
        return +counts

    def texts(self, *, namespace: str) -> Iterator[StoredText]:
        """Yield every text of a namespace, compressed ones too."""
        for table in _tables():
            yield from self._texts(table, table.c.namespace == namespace)

    def texts_of_others(self, *, namespace: str) -> Iterator[StoredText]:
        """Yield every text of ALL other namespaces."""
        for table in _tables():
            yield from self._texts(table, table.c.namespace != namespace)

    def erase(self, *, namespace: str) -> None:
        """Delete every row of a namespace, in one step, then `scrub`."""
        with self._database.write() as connection:
            for table in _tables():
                connection.execute(delete(table).where(table.c.namespace == namespace))
        self.scrub()

    def erase_document(self, document_id: str, *, namespace: str) -> None:
        """Delete every row that names a document as the one it is of, in one step, then `scrub`."""
        with self._database.write() as connection:
            for table in _tables():
                column = table.c.id if table.name == "documents" else table.c.get("document_id")
                if column is not None:
                    own = (table.c.namespace == namespace) & (column == document_id)
                    connection.execute(delete(table).where(own))
        self.scrub()

    def answers_from_memory(self, memory_id: str, *, namespace: str) -> list[str]:
        """Return the ids of stored answers that rest on a memory."""
        with self._database.read() as connection:
            return [row["id"] for row, _ in _resting_on(connection, memory_id, namespace)]

    def forget_memory(self, memory_id: str, *, at: datetime, namespace: str) -> int:
        """Take a memory erased at `at` out of stored answers; return how many."""
        with self._database.write() as connection:
            rows = list(_resting_on(connection, memory_id, namespace))
            for row, answer in rows:
                kept = _without_memory(answer, memory_id, at)
                connection.execute(
                    update(questions)
                    .where(questions.c.seq == row["seq"])
                    .values(answer=answer_json(kept), trace=trace_json(kept))
                )
        self._database.scrub()
        return len(rows)

    def scrub(self) -> None:
        """Overwrite on SQLite; on PostgreSQL write the tables anew, which needs their ownership."""
        if self._database.name == "sqlite":
            self._database.scrub()
            return
        with self._database.read() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT")
            connection.execute(text(f"SET lock_timeout = '{_LOCK_SECONDS}s'"))
            for table in _tables():
                connection.execute(text(f"VACUUM (FULL) {table.name}"))
            connection.execute(text("RESET lock_timeout"))

    def _texts(self, table: Table, condition: ColumnElement[bool]) -> Iterator[StoredText]:
        place = _place(table)
        with self._database.read() as connection:
            query = select(table).where(condition).execution_options(yield_per=_AT_ONCE)
            for row in connection.execute(query).mappings():
                if table is archive_blocks:
                    for memory in unpacked(row["memory_ids"], row["data"]):
                        yield from _of_memory(memory, place)
                elif table is memory_changes:
                    for values in row["data"]["before"]:
                        yield from _of_memory(memory_of(values), place)
                else:
                    yield from _of_row(table, row, place)


def _tables() -> list[Table]:
    return [table for table in metadata.sorted_tables if "namespace" in table.c]


def _place(table: Table) -> str:
    if table.name.startswith("graph_"):
        return "graph"
    return _PLACES.get(table.name, table.name)


def _count(connection: Connection, table: Table, condition: ColumnElement[bool]) -> int:
    if table is archive_blocks:
        query = select(archive_blocks.c.memory_ids).where(condition)
        return sum(map(len, connection.scalars(query)))
    return connection.scalar(select(func.count()).select_from(table).where(condition)) or 0


def _of_memory(memory: Memory, place: str) -> Iterator[StoredText]:
    yield StoredText(place=place, item=memory.id, field="content", text=memory.content)
    for key, told in _strings("metadata", dict(memory.metadata)):
        yield StoredText(place=place, item=memory.id, field=key, text=told)


def _of_row(table: Table, row: RowMapping, place: str) -> Iterator[StoredText]:
    item = str(row.get(_ITEMS.get(table.name, "id"), "") or "")
    for column in table.c:
        value = row[column.name]
        if column.name in _NO_TEXT or column.name.endswith("_id") or value is None:
            continue
        if isinstance(column.type, Json):
            for key, told in _strings(column.name, value):
                yield StoredText(place=place, item=item, field=key, text=told)
        elif isinstance(column.type, Text) and value:
            yield StoredText(place=place, item=item, field=column.name, text=value)


def _strings(key: str, value: Any) -> Iterator[tuple[str, str]]:
    """Yield the strings of a JSON value, each with the nearest key above it."""
    if isinstance(value, str):
        if value and key not in _NO_TEXT and not key.endswith("_id"):
            yield key, value
    elif isinstance(value, dict):
        for inner_key, inner in value.items():
            yield from _strings(inner_key, inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(key, inner)


def _resting_on(
    connection: Connection, memory_id: str, namespace: str
) -> Iterator[tuple[RowMapping, Answer]]:
    query = select(questions).where(
        questions.c.namespace == namespace,
        type_coerce(questions.c.answer, Text).contains(memory_id, autoescape=True),
    )
    for row in connection.execute(query).mappings().all():
        answer = answer_of(row["answer"], row["trace"])
        if any(source.memory_id == memory_id for source in answer.memories):
            yield row, answer


def _without_memory(answer: Answer, memory_id: str, at: datetime) -> Answer:
    return replace(
        answer,
        text="",
        memories=tuple(m for m in answer.memories if m.memory_id != memory_id),
        completed=None,
        doubts=(),
        notice=SOURCE_REMOVED,
        detail=None,
        sources_removed_at=(*answer.sources_removed_at, at),
        trace=None,
    )
