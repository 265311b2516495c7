"""Small version of the eval of the graph store's speed: that it measures a graph that is there.

No times here: a shared machine says nothing about them.
"""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.graph import SourceKind
from core.ports.graph_store import GraphStore
from core.stores.database import open_database
from core.stores.graph import SqlGraphStore
from tests.evals import graph_speed
from tests.evals.graph_speed import FACTS_A_WRITE, OWNER, SENTENCES_A_SOURCE


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    database = open_database(None, tmp_path)
    yield SqlGraphStore(database)
    database.close()


def test_the_graph_has_the_size_it_says(store: GraphStore) -> None:
    relations = FACTS_A_WRITE + 50
    graph_speed.load(store, 200, relations, random.Random(1))
    counted = store.count(namespace=OWNER)
    assert (counted.entities, counted.evidence) == (200, relations)
    assert relations * 0.9 < counted.relations <= relations
    sources = store.sources(SourceKind.DOCUMENT, namespace=OWNER)
    assert len(sources) == -(-relations // SENTENCES_A_SOURCE)


def test_each_question_finds_something(store: GraphStore) -> None:
    graph_speed.load(store, 100, 1000, random.Random(1))
    found = {name: work((0, 77)) for name, work in graph_speed.works(store).items()}
    assert found.pop("write one fact") is None
    assert [name for name, answer in found.items() if not answer] == []


def test_every_figure_is_there_and_nothing_stays(store: GraphStore) -> None:
    figures = graph_speed.measure(store, 60, 300, 4, time.perf_counter)
    assert {f.name.rpartition(",")[0] for f in figures} > set(graph_speed.works(store))
    assert all(f.value is not None for f in figures if "facts" not in f.name)
    assert store.count(namespace=OWNER).entities == 0
