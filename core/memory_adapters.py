"""Which adapters the memory engine has: its archive, its undo log, its graph."""

from typing import Any

from core.adapters import load, secret_value
from core.ports.graph_store import GraphStore
from core.settings import Settings

ARCHIVE_STORE = "core.stores.archive:SqlArchiveStore"
CHANGE_LOG = "core.stores.changes:SqlChangeLog"
GRAPH_STORES = {
    "sql": "core.stores.graph:SqlGraphStore",
    "neo4j": "core.stores.neo4j_graph:Neo4jGraphStore",
}


def make_graph_store(settings: Settings, database: Any) -> GraphStore:
    """Return the knowledge graph: Neo4j where `NEO4J_URI` is set, else the database of records.

    Nothing is opened. Raises `ConfigurationError` for an address that cannot be one.
    """
    store: GraphStore
    if settings.neo4j_uri is None:
        store = load(GRAPH_STORES["sql"])(database)
        return store
    store = load(GRAPH_STORES["neo4j"])(
        settings.neo4j_uri,
        username=settings.neo4j_username,
        password=secret_value(settings.neo4j_password),
        database=settings.neo4j_database,
        max_connection_lifetime=settings.neo4j_max_connection_lifetime,
        max_connection_pool_size=settings.neo4j_max_connection_pool_size,
        connection_timeout=settings.neo4j_connection_timeout,
    )
    return store
