"""Statements that make the tables of the memory engine."""

MEMORY_TABLES = (
    "ALTER TABLE memories ADD COLUMN fingerprint TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE memories ADD COLUMN state TEXT NOT NULL DEFAULT 'current'",
    "ALTER TABLE memories ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE memories ADD COLUMN uses INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE memories ADD COLUMN used_at TEXT",
    "ALTER TABLE memories ADD COLUMN sightings INTEGER NOT NULL DEFAULT 1",
    "ALTER TABLE memories ADD COLUMN seen_at TEXT",
    "ALTER TABLE memories ADD COLUMN replaced_by TEXT",
    "CREATE INDEX memories_by_text ON memories (namespace, fingerprint)",
    """CREATE TABLE memory_statements (
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        memory_id TEXT NOT NULL,
        PRIMARY KEY (namespace, key, memory_id),
        FOREIGN KEY (namespace, memory_id)
            REFERENCES memories (namespace, id) ON DELETE CASCADE)""",
    "CREATE INDEX memory_statements_by_memory ON memory_statements (namespace, memory_id)",
    """CREATE TABLE archive_blocks (
        seq {serial},
        namespace TEXT NOT NULL,
        id TEXT NOT NULL,
        memory_ids TEXT NOT NULL,
        size INTEGER NOT NULL,
        data {bytes} NOT NULL,
        UNIQUE (namespace, id))""",
    """CREATE TABLE memory_changes (
        seq {serial},
        namespace TEXT NOT NULL,
        id TEXT NOT NULL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        memory_ids TEXT NOT NULL,
        data TEXT NOT NULL,
        UNIQUE (namespace, id))""",
    "CREATE INDEX memory_changes_by_end ON memory_changes (expires_at)",
    """CREATE TABLE graph_entities (
        namespace TEXT NOT NULL,
        id TEXT NOT NULL,
        name TEXT NOT NULL,
        kind TEXT NOT NULL,
        language TEXT NOT NULL,
        PRIMARY KEY (namespace, id))""",
    """CREATE TABLE graph_names (
        namespace TEXT NOT NULL,
        name_key TEXT NOT NULL,
        name TEXT NOT NULL,
        entity_id TEXT NOT NULL,
        PRIMARY KEY (namespace, name_key),
        FOREIGN KEY (namespace, entity_id)
            REFERENCES graph_entities (namespace, id) ON DELETE CASCADE)""",
    "CREATE INDEX graph_names_by_entity ON graph_names (namespace, entity_id)",
    """CREATE TABLE graph_relations (
        namespace TEXT NOT NULL,
        id TEXT NOT NULL,
        subject_id TEXT NOT NULL,
        kind TEXT NOT NULL,
        object_id TEXT NOT NULL,
        PRIMARY KEY (namespace, id),
        FOREIGN KEY (namespace, subject_id)
            REFERENCES graph_entities (namespace, id) ON DELETE CASCADE,
        FOREIGN KEY (namespace, object_id)
            REFERENCES graph_entities (namespace, id) ON DELETE CASCADE)""",
    "CREATE INDEX graph_relations_by_subject ON graph_relations (namespace, subject_id)",
    "CREATE INDEX graph_relations_by_object ON graph_relations (namespace, object_id)",
    """CREATE TABLE graph_sentences (
        namespace TEXT NOT NULL,
        id TEXT NOT NULL,
        source_kind TEXT NOT NULL,
        source_id TEXT NOT NULL,
        page INTEGER,
        text TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (namespace, id))""",
    """CREATE INDEX graph_sentences_by_source
        ON graph_sentences (namespace, source_kind, source_id)""",
    """CREATE TABLE graph_support (
        namespace TEXT NOT NULL,
        target_id TEXT NOT NULL,
        name_key TEXT NOT NULL,
        sentence_id TEXT NOT NULL,
        confidence DOUBLE PRECISION NOT NULL,
        label TEXT NOT NULL,
        PRIMARY KEY (namespace, target_id, name_key, sentence_id),
        FOREIGN KEY (namespace, sentence_id)
            REFERENCES graph_sentences (namespace, id) ON DELETE CASCADE)""",
    "CREATE INDEX graph_support_by_sentence ON graph_support (namespace, sentence_id)",
)
