"""A knowledge graph on its real store: SQLite."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.graph.knowledge import KnowledgeGraph
from core.graph.rules import RuleExtractor
from core.stores.database import open_database
from core.stores.graph import SqlGraphStore
from tests.fakes import Clock


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqlGraphStore]:
    store = SqlGraphStore(open_database(None, tmp_path))
    store.ensure_ready()
    yield store
    store.close()


@pytest.fixture
def graph(store: SqlGraphStore) -> KnowledgeGraph:
    return KnowledgeGraph(store, RuleExtractor(), Clock())
