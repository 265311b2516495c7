"""Which adapters the memory engine has: its archive, its undo log, its graph, what erases."""

from collections.abc import Iterable
from typing import Any

from core.adapters import collection_name, load, secret_value
from core.ports.collections import Collections
from core.ports.embedder import Embedder
from core.ports.graph_store import GraphStore
from core.ports.perceptual_encoder import PerceptualEncoder
from core.settings import Settings

ARCHIVE_STORE = "core.stores.archive:SqlArchiveStore"
CHANGE_LOG = "core.stores.changes:SqlChangeLog"
ERASURE_STORE = "core.stores.erasure:SqlErasure"
COLLECTIONS = {
    "qdrant-edge": "core.stores.edge_collections:EdgeCollections",
    "qdrant": "core.stores.qdrant_collections:QdrantCollections",
}
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


def make_collections(
    settings: Settings, used: Iterable[tuple[Embedder | PerceptualEncoder, str]]
) -> Collections:
    """Return what finds the collections of former embedders.

    `used` are the embedders in use, each with the purpose of its collection (`documents`,
    `memories`, `perceptual_image`, …). Nothing is opened.
    """
    names = [collection_name(settings, embedder, purpose) for embedder, purpose in used]
    collections: Collections
    if settings.qdrant_url is None:
        collections = load(COLLECTIONS["qdrant-edge"])(settings.data_dir / "vectors", used=names)
        return collections
    collections = load(COLLECTIONS["qdrant"])(
        settings.qdrant_url,
        prefix=settings.qdrant_collection,
        used=names,
        api_key=secret_value(settings.qdrant_api_key),
        timeout=settings.qdrant_timeout,
    )
    return collections
