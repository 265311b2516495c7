"""A real Bolt server of its own, on free ports of 127.0.0.1: ArcadeDB speaks Neo4j's protocol.

No Neo4j server can be had from a package index; ArcadeDB comes in a wheel, with its own Java. It
answers the official driver as "Neo4j 5.26 compatible" and runs the Cypher that the store uses.
"""

import importlib.util
import itertools
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import neo4j
import pytest

USER = "root"
PASSWORD = "test-password"
_STARTS_WITHIN = 120.0  # seconds; 2 on an idle machine
_numbers = itertools.count(1)


@dataclass(frozen=True)
class GraphAddress:
    """Where one database is."""

    uri: str
    database: str


class BoltServer:
    """Starts, stops and kills a server; makes databases in it."""

    def __init__(self, folder: Path, package: Path) -> None:
        self._folder = folder
        self._package = package
        self._http, self.port = _free_port(), _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start, and return when queries are answered."""
        with (self._folder / "output").open("ab") as log:
            self._process = subprocess.Popen(
                self._command(),
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + _STARTS_WITHIN
        while not self._answers():
            said = (self._folder / "output").read_text(errors="replace")[-2000:]
            assert self._process.poll() is None, f"the server ended: {said}"
            assert time.monotonic() < deadline, f"the server does not answer: {said}"
            time.sleep(0.1)

    def stop(self, *, kill: bool = False) -> None:
        """Stop this server and no other process; `kill` leaves it no time for anything."""
        if self._process is None:
            return
        if kill:
            self._process.kill()
        else:
            self._process.terminate()
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def create_database(self) -> GraphAddress:
        """Return the address of a new, empty database; a server that ended is started again."""
        if self._process is not None and self._process.poll() is not None:
            self.start()
        name = f"test{next(_numbers)}"
        done = httpx.post(
            f"http://127.0.0.1:{self._http}/api/v1/server",
            json={"command": f"create database {name}"},
            auth=(USER, PASSWORD),
            timeout=60,
        )
        assert done.status_code == 200, done.text
        return GraphAddress(self.uri, name)

    def driver(self) -> neo4j.Driver:
        """Return a driver of its own, for what a test asks the server past the store."""
        return neo4j.GraphDatabase.driver(self.uri, auth=(USER, PASSWORD))

    def _answers(self) -> bool:
        try:
            with self.driver() as driver, driver.session(database="ready") as session:
                return session.run("RETURN 1 AS n").single(strict=True)["n"] == 1
        except (neo4j.exceptions.DriverError, neo4j.exceptions.Neo4jError):
            return False  # not listening, or its database is not made yet

    def _command(self) -> list[str]:
        jars = ":".join(str(jar) for jar in sorted((self._package / "jars").glob("*.jar")))
        return [
            str(self._package / "jre" / "bin" / "java"),
            "-Xmx512m",
            "-XX:TieredStopAtLevel=1",  # quick to start
            *("--add-modules", "jdk.incubator.vector"),
            *("-cp", jars),
            f"-Darcadedb.server.rootPath={self._folder}",
            f"-Darcadedb.server.rootPassword={PASSWORD}",
            "-Darcadedb.server.httpIncomingHost=127.0.0.1",
            f"-Darcadedb.server.httpIncomingPort={self._http}",
            "-Darcadedb.bolt.host=127.0.0.1",
            f"-Darcadedb.bolt.port={self.port}",
            "-Darcadedb.server.plugins=Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
            f"-Darcadedb.server.defaultDatabases=ready[{USER}]",
            "com.arcadedb.server.ArcadeDBServer",
        ]


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def bolt_server() -> Iterator[BoltServer]:
    """Run a server until the block ends. Without ArcadeDB: skip, or fail in CI."""
    found = importlib.util.find_spec("arcadedb_embedded")
    if found is None or found.origin is None:
        reason = "arcadedb-embedded is not installed (requirements-dev.txt)"
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="bolt-"))
    server = BoltServer(folder, Path(found.origin).parent)
    try:
        server.start()
        yield server
    finally:
        server.stop(kill=True)  # nothing of it is kept
        shutil.rmtree(folder, ignore_errors=True)
