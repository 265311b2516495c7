"""Numbered migrations of the record store. Append only: a released migration never changes.

The text serves SQLite and PostgreSQL; `{serial}` and `{bytes}` are what they spell differently.
Every table begins with its owner, and so do its keys. Lists and small objects are JSON texts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from core.errors import StoreError
from core.stores.migrations_memory import MEMORY_TABLES
from core.stores.schema_words import WORD_TABLES

SPELLING = {
    "sqlite": {"serial": "INTEGER PRIMARY KEY AUTOINCREMENT", "bytes": "BLOB"},
    "postgresql": {
        "serial": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
        "bytes": "BYTEA",
    },
}

_LEDGER = """CREATE TABLE IF NOT EXISTS migrations (
    number INTEGER PRIMARY KEY,
    title TEXT NOT NULL)"""

_LOCK = 7_860_001
"""Key of PostgreSQL's advisory lock, so that two apps starting together migrate one by one."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema."""

    number: int
    title: str
    statements: tuple[str, ...]


MIGRATIONS = (
    Migration(
        1,
        "documents, memories, history",
        (
            """CREATE TABLE documents (
                seq {serial},
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                name TEXT NOT NULL,
                title TEXT NOT NULL,
                sha256 TEXT NOT NULL,
                size BIGINT NOT NULL,
                pages INTEGER NOT NULL,
                chunks INTEGER NOT NULL,
                language TEXT NOT NULL,
                reader TEXT NOT NULL,
                loaded_at TEXT NOT NULL,
                embedder TEXT NOT NULL,
                warnings TEXT NOT NULL,
                textless_pages TEXT NOT NULL,
                headings TEXT NOT NULL,
                UNIQUE (namespace, id))""",
            """CREATE TABLE pages (
                namespace TEXT NOT NULL,
                document_id TEXT NOT NULL,
                number INTEGER NOT NULL,
                label TEXT,
                text TEXT NOT NULL,
                width DOUBLE PRECISION NOT NULL,
                height DOUBLE PRECISION NOT NULL,
                blocks TEXT NOT NULL,
                segments TEXT NOT NULL,
                PRIMARY KEY (namespace, document_id, number),
                FOREIGN KEY (namespace, document_id)
                    REFERENCES documents (namespace, id) ON DELETE CASCADE)""",
            """CREATE TABLE chunks (
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                document_id TEXT NOT NULL,
                ordinal INTEGER NOT NULL,
                ranges TEXT NOT NULL,
                heading_path TEXT NOT NULL,
                tokens INTEGER NOT NULL,
                PRIMARY KEY (namespace, id),
                UNIQUE (namespace, document_id, ordinal),
                FOREIGN KEY (namespace, document_id)
                    REFERENCES documents (namespace, id) ON DELETE CASCADE)""",
            """CREATE TABLE lexical_segments (
                namespace TEXT NOT NULL,
                document_id TEXT NOT NULL,
                data {bytes} NOT NULL,
                PRIMARY KEY (namespace, document_id),
                FOREIGN KEY (namespace, document_id)
                    REFERENCES documents (namespace, id) ON DELETE CASCADE)""",
            """CREATE TABLE loads (
                namespace TEXT NOT NULL,
                document_id TEXT NOT NULL,
                PRIMARY KEY (namespace, document_id))""",
            """CREATE TABLE memories (
                seq {serial},
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                kind TEXT NOT NULL,
                content TEXT NOT NULL,
                importance DOUBLE PRECISION NOT NULL,
                created_at TEXT NOT NULL,
                session_id TEXT NOT NULL,
                event TEXT NOT NULL,
                metadata TEXT NOT NULL,
                UNIQUE (namespace, id))""",
            "CREATE INDEX memories_by_time ON memories (namespace, created_at)",
            """CREATE TABLE questions (
                seq {serial},
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                session_id TEXT NOT NULL,
                asked_at TEXT NOT NULL,
                answer TEXT NOT NULL,
                UNIQUE (namespace, id))""",
            "CREATE INDEX questions_by_time ON questions (namespace, asked_at)",
            """CREATE TABLE cited_documents (
                namespace TEXT NOT NULL,
                document_id TEXT NOT NULL,
                question_id TEXT NOT NULL,
                PRIMARY KEY (namespace, document_id, question_id),
                FOREIGN KEY (namespace, question_id)
                    REFERENCES questions (namespace, id) ON DELETE CASCADE)""",
            """CREATE TABLE sessions (
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                first_at TEXT NOT NULL,
                PRIMARY KEY (namespace, id))""",
            """CREATE TABLE activity (
                seq {serial},
                namespace TEXT NOT NULL,
                kind TEXT NOT NULL,
                at TEXT NOT NULL,
                pages INTEGER NOT NULL,
                citations INTEGER NOT NULL)""",
            "CREATE INDEX activity_by_time ON activity (namespace, at)",
        ),
    ),
    Migration(
        2,
        "documents that grow, their formats, outlines and figures; jobs",
        (
            "ALTER TABLE documents ADD COLUMN format TEXT NOT NULL DEFAULT 'pdf'",
            "ALTER TABLE documents ADD COLUMN state TEXT NOT NULL DEFAULT 'ready'",
            "ALTER TABLE documents ADD COLUMN pages_read INTEGER NOT NULL DEFAULT 0",
            "UPDATE documents SET pages_read = pages",
            "ALTER TABLE documents ADD COLUMN names TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE documents ADD COLUMN ocr_pages TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE documents ADD COLUMN outline TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE documents DROP COLUMN headings",
            "ALTER TABLE pages ADD COLUMN source TEXT NOT NULL DEFAULT 'layer'",
            "ALTER TABLE pages ADD COLUMN lines TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE pages ADD COLUMN figures TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE chunks ADD COLUMN context_ranges TEXT NOT NULL DEFAULT '[]'",
            "ALTER TABLE lexical_segments RENAME TO whole_segments",
            """CREATE TABLE lexical_segments (
                namespace TEXT NOT NULL,
                document_id TEXT NOT NULL,
                first INTEGER NOT NULL,
                data {bytes} NOT NULL,
                PRIMARY KEY (namespace, document_id, first),
                FOREIGN KEY (namespace, document_id)
                    REFERENCES documents (namespace, id) ON DELETE CASCADE)""",
            """INSERT INTO lexical_segments (namespace, document_id, first, data)
                SELECT namespace, document_id, 0, data FROM whole_segments""",
            "DROP TABLE whole_segments",
            "DROP TABLE loads",
            """CREATE TABLE jobs (
                seq {serial},
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                kind TEXT NOT NULL,
                document_id TEXT NOT NULL,
                name TEXT NOT NULL,
                format TEXT NOT NULL,
                session_id TEXT NOT NULL,
                state TEXT NOT NULL,
                stage TEXT NOT NULL,
                done INTEGER NOT NULL,
                total INTEGER NOT NULL,
                attempts INTEGER NOT NULL,
                error TEXT NOT NULL,
                created_at TEXT NOT NULL,
                UNIQUE (namespace, id))""",
        ),
    ),
    Migration(
        3,
        "traces of answers, questions without an answer",
        (
            "ALTER TABLE questions ADD COLUMN trace TEXT NOT NULL DEFAULT 'null'",
            """CREATE TABLE gaps (
                seq {serial},
                namespace TEXT NOT NULL,
                id TEXT NOT NULL,
                letters TEXT NOT NULL,
                question TEXT NOT NULL,
                question_id TEXT NOT NULL,
                language TEXT NOT NULL,
                asked_at TEXT NOT NULL,
                reason TEXT NOT NULL,
                nearest TEXT NOT NULL,
                times INTEGER NOT NULL,
                UNIQUE (namespace, id),
                UNIQUE (namespace, letters))""",
        ),
    ),
    Migration(
        4,
        "documents whose passages get a second vector",
        ("ALTER TABLE documents ADD COLUMN refined INTEGER NOT NULL DEFAULT 0",),
    ),
    Migration(
        5,
        "the life of memories, their archive, the undo log, the graph, their word index",
        MEMORY_TABLES + WORD_TABLES,
    ),
)


def migrate(connection: Connection, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply those of `migrations` that are missing, within the caller's transaction.

    Raises `StoreError` when the database was written by a newer version.
    """
    dialect = connection.dialect.name
    if dialect == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
    connection.execute(text(_LEDGER))
    applied = set(connection.scalars(text("SELECT number FROM migrations")))
    if applied and max(applied) > migrations[-1].number:
        raise StoreError(
            "The database was written by a newer version of the app.",
            remedy="Start the newer version, or set another DATA_DIR or DATABASE_URL.",
        )
    for migration in migrations:
        if migration.number not in applied:
            for statement in migration.statements:
                connection.execute(text(statement.format(**SPELLING[dialect])))
            connection.execute(
                text("INSERT INTO migrations (number, title) VALUES (:number, :title)"),
                {"number": migration.number, "title": migration.title},
            )
