"""The table of the word index of memories, and the statements that make it."""

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Table, Text

from core.stores.schema import metadata

memory_words = Table(
    "memory_words",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("memory_id", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("refined", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

WORD_TABLES = (
    """CREATE TABLE memory_words (
        seq {serial},
        namespace TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        version INTEGER NOT NULL,
        refined INTEGER NOT NULL,
        data {bytes} NOT NULL,
        UNIQUE (namespace, memory_id),
        FOREIGN KEY (namespace, memory_id)
            REFERENCES memories (namespace, id) ON DELETE CASCADE)""",
    "CREATE INDEX memory_words_by_seq ON memory_words (namespace, seq)",
    "CREATE INDEX memory_words_unrefined ON memory_words (namespace) WHERE refined = 0",
)
