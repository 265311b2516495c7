"""A real PostgreSQL server of its own, on a free port of 127.0.0.1."""

import getpass
import itertools
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

_numbers = itertools.count(1)


class PostgresServer:
    """Starts, stops and kills a server; makes databases in it."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self._folder = folder
        self._programs = programs
        self._as_user: list[str] = []
        self._user = getpass.getuser()
        if os.name == "posix" and os.geteuid() == 0:  # the server refuses to run as root
            shutil.chown(folder, "postgres", "postgres")
            self._as_user = ["runuser", "-u", "postgres", "--"]
            self._user = "postgres"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._data = folder / "data"
        self._run(
            "initdb", "-D", self._data, "-A", "trust", "-E", "UTF8", "--no-sync", "--no-locale"
        )
        self.start()

    def start(self) -> None:
        """Start, and return when connections are accepted."""
        # the tests kill clients, not the machine: no need to wait for the disk
        options = (
            f"-p {self.port} -k {self._folder} -c listen_addresses=127.0.0.1 -c fsync=off"
            " -c max_connections=150"
        )
        log = self._folder / "log"
        self._run("pg_ctl", "-D", self._data, "-w", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        """Stop at once; open connections break."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", "immediate", "stop")

    def create_database(self) -> str:
        """Return the URL of a new, empty database."""
        name = f"test_{next(_numbers)}"
        address = f"{self._user}@127.0.0.1:{self.port}"
        with psycopg.connect(f"postgresql://{address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        return f"postgresql+psycopg://{address}/{name}"

    def holds(self, url: str, phrase: bytes) -> bool:
        """Tell whether a phrase stands in the files of a database's tables."""
        name = url.rpartition("/")[2]
        address = f"{self._user}@127.0.0.1:{self.port}"
        with psycopg.connect(f"postgresql://{address}/{name}", autocommit=True) as connection:
            connection.execute("CHECKPOINT")
            row = connection.execute("SELECT oid FROM pg_database WHERE datname = %s", (name,))
            (oid,) = row.fetchone() or (0,)
        files = (self._data / "base" / str(oid)).iterdir()
        return any(phrase in path.read_bytes() for path in files if path.is_file())

    def _run(self, program: str, *arguments: object) -> None:
        command = [*self._as_user, str(self._programs / program), *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # a pipe would stay open as long as the server runs
            stderr=subprocess.DEVNULL,
            timeout=60,
        )
        assert done.returncode == 0, f"{command} failed with {done.returncode}"


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Run a server until the block ends. Without PostgreSQL: skip, or fail in CI."""
    programs = _programs()
    if programs is None:
        reason = "PostgreSQL (initdb, pg_ctl) is not installed"
        if os.environ.get("REQUIRE_SERVICES") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = Path(tempfile.mkdtemp(prefix="pg-"))  # short: its socket's path has a limit
    server = None
    try:
        server = PostgresServer(folder, programs)
        yield server
    finally:
        if server is not None:
            server.stop()
        shutil.rmtree(folder)


def _programs() -> Path | None:
    on_path = shutil.which("initdb")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return Path(on_path).resolve().parent if on_path else found[-1].parent if found else None
