"""The tables of the record store as queries see them. `core.stores.migrations` creates them."""

import json
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    Dialect,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TypeDecorator,
)


class UtcTime(TypeDecorator[datetime]):
    """Aware UTC as text of fixed width, so that it sorts and starts with its day."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Return the text. Raises `ValueError` for a naive time."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a time zone")
        return value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Return the aware time."""
        return None if value is None else datetime.fromisoformat(value)


class Json(TypeDecorator[Any]):
    """Compact JSON as text; lists come back as lists."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str:
        """Return the text."""
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Return the parsed value."""
        return None if value is None else json.loads(value)


metadata = MetaData()

documents = Table(
    "documents",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("chunks", Integer, nullable=False),
    Column("language", Text, nullable=False),
    Column("reader", Text, nullable=False),
    Column("loaded_at", UtcTime, nullable=False),
    Column("embedder", Text, nullable=False),
    Column("warnings", Json, nullable=False),
    Column("textless_pages", Json, nullable=False),
    Column("format", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("pages_read", Integer, nullable=False),
    Column("names", Json, nullable=False),
    Column("ocr_pages", Json, nullable=False),
    Column("outline", Json, nullable=False),
    Column("refined", Integer, nullable=False),
)

pages = Table(
    "pages",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("document_id", Text, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("label", Text),
    Column("text", Text, nullable=False),
    Column("width", Float, nullable=False),
    Column("height", Float, nullable=False),
    Column("blocks", Json, nullable=False),
    Column("segments", Json, nullable=False),
    Column("source", Text, nullable=False),
    Column("lines", Json, nullable=False),
    Column("figures", Json, nullable=False),
)

chunks = Table(
    "chunks",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("document_id", Text, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("ranges", Json, nullable=False),
    Column("heading_path", Json, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("context_ranges", Json, nullable=False),
)

lexical_segments = Table(
    "lexical_segments",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("document_id", Text, primary_key=True),
    Column("first", Integer, primary_key=True),
    Column("data", LargeBinary, nullable=False),
)

jobs = Table(
    "jobs",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("document_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("stage", Text, nullable=False),
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("error", Json, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

memories = Table(
    "memories",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("importance", Float, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("metadata", Json, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("pinned", Integer, nullable=False),
    Column("uses", Integer, nullable=False),
    Column("used_at", UtcTime),
    Column("sightings", Integer, nullable=False),
    Column("seen_at", UtcTime),
    Column("replaced_by", Text),
)

questions = Table(
    "questions",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("session_id", Text, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("answer", Json, nullable=False),
    Column("trace", Json, nullable=False),
)

gaps = Table(
    "gaps",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("letters", Text, nullable=False),
    Column("question", Text, nullable=False),
    Column("question_id", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("asked_at", UtcTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("nearest", Json, nullable=False),
    Column("times", Integer, nullable=False),
)

cited_documents = Table(
    "cited_documents",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("document_id", Text, primary_key=True),
    Column("question_id", Text, primary_key=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("first_at", UtcTime, nullable=False),
)

activity = Table(
    "activity",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("pages", Integer, nullable=False),
    Column("citations", Integer, nullable=False),
)
