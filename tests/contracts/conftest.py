"""Fixtures of the contract suites."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from core.stores.database import Database
from tests.contracts.backends import RecordBackend, VectorBackend
from tests.contracts.graph_samples import GraphBackend
from tests.servers.postgres import PostgresServer, postgres_server
from tests.servers.qdrant_standin import qdrant_standin


@pytest.fixture
def vector_backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorBackend]:
    kind: str = request.param
    if kind == "http":
        with qdrant_standin() as server:
            backend = VectorBackend(kind, server.url)
            yield backend
            backend.close_all()
        return
    backend = VectorBackend(kind, ":memory:" if kind == "memory" else str(tmp_path / "vectors"))
    yield backend
    backend.close_all()


@pytest.fixture
def standin() -> Iterator[Any]:
    """A server that speaks Qdrant's HTTP."""
    with qdrant_standin() as server:
        yield server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def record_backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RecordBackend]:
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres").create_database()
    backend = RecordBackend(url, tmp_path / "records")
    yield backend
    backend.close_all()


@pytest.fixture
def sqlite_backend(tmp_path: Path) -> Iterator[RecordBackend]:
    """For what only the embedded database promises: its files."""
    backend = RecordBackend(None, tmp_path / "records")
    yield backend
    backend.close_all()


@pytest.fixture(params=["sqlite", "postgresql", "neo4j"])
def graph_backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphBackend]:
    where, server = "", None
    if request.param == "postgresql":
        where = request.getfixturevalue("postgres").create_database()
    elif request.param == "neo4j":
        server = request.getfixturevalue("bolt")
        address = server.create_database()
        where = f"{address.uri}#{address.database}"
    backend = GraphBackend(where, tmp_path / "records", server)
    yield backend
    backend.close_all()


@pytest.fixture
def database(record_backend: RecordBackend) -> Database:
    return record_backend.open()


@pytest.fixture
def in_threads() -> Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]:
    """Run a function once for each argument, all at the same time; return the results in order."""

    def run(function: Callable[[Any], Any], arguments: Sequence[Any]) -> list[Any]:
        start = Barrier(len(arguments))

        def go(argument: Any) -> Any:
            start.wait()
            return function(argument)

        with ThreadPoolExecutor(len(arguments)) as pool:
            return list(pool.map(go, arguments))

    return run
