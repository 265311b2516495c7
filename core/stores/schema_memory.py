"""The tables of the memory engine beside the memories: statements, archive, undo log, graph."""

from sqlalchemy import BigInteger, Column, Float, Integer, LargeBinary, Table, Text

from core.stores.schema import Json, UtcTime, metadata

memory_statements = Table(
    "memory_statements",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("memory_id", Text, primary_key=True),
)

archive_blocks = Table(
    "archive_blocks",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("memory_ids", Json, nullable=False),
    Column("size", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
)

memory_changes = Table(
    "memory_changes",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=True),
    Column("namespace", Text, nullable=False),
    Column("id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("memory_ids", Json, nullable=False),
    Column("data", Json, nullable=False),
)

graph_entities = Table(
    "graph_entities",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("language", Text, nullable=False),
)

graph_names = Table(
    "graph_names",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("name_key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("entity_id", Text, nullable=False),
)

graph_relations = Table(
    "graph_relations",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("subject_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("object_id", Text, nullable=False),
)

graph_sentences = Table(
    "graph_sentences",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("id", Text, primary_key=True),
    Column("source_kind", Text, nullable=False),
    Column("source_id", Text, nullable=False),
    Column("page", Integer),
    Column("text", Text, nullable=False),
    Column("at", UtcTime, nullable=False),
)

graph_support = Table(
    "graph_support",
    metadata,
    Column("namespace", Text, primary_key=True),
    Column("target_id", Text, primary_key=True),
    Column("name_key", Text, primary_key=True),
    Column("sentence_id", Text, primary_key=True),
    Column("confidence", Float, nullable=False),
    Column("label", Text, nullable=False),
)
"""Which sentence says which relation (no `name_key`), or which entity by which of its names."""
