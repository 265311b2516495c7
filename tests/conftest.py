"""What holds for every test: a clean environment, a data folder of its own, no outside network."""

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from core.settings import Settings, known_names, load_settings

# Before a test imports numpy: one thread, so that timings do not depend on the machine.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"

DATA = Path(__file__).parent / "data"
_outside: list[str] = []


class OutsideNetworkError(OSError):
    """A test, or the code it calls, tried to reach another host."""


def _is_local(host: object) -> bool:
    if host in (None, "", b"", "localhost", b"localhost", socket.gethostname()):
        return True
    text = host.decode(errors="replace") if isinstance(host, bytes) else str(host)
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _refuse_outside(event: str, args: tuple[Any, ...]) -> None:
    if event in ("socket.connect", "socket.sendto"):
        if not isinstance(args[1], tuple):
            return  # a Unix socket
        host = args[1][0]
    elif event == "socket.getaddrinfo":
        host = args[0]
    else:
        return
    if _is_local(host):
        return
    # Names under .invalid are what tests use for a host that does not exist.
    if not str(host).endswith(".invalid"):
        _outside.append(f"{event} {host!r}")
    raise OutsideNetworkError(f"tests may not reach {host!r}")


sys.addaudithook(_refuse_outside)


@pytest.fixture(autouse=True)
def stay_inside() -> Iterator[None]:
    """Fail a test during which another host was tried, even if the code swallowed the refusal."""
    _outside.clear()
    yield
    assert not _outside, f"tried to reach another host: {_outside}"


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Remove every setting from the environment and keep all data in the test's folder.

    Nothing is refined but where a test asks for it: it takes a second a page.
    """
    for name in known_names():
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("REFINE_ENABLED", "false")


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """The data folder of this test; not created yet."""
    return tmp_path / "data"


@pytest.fixture
def settings(data_dir: Path) -> Settings:
    """Default settings with the data folder of this test."""
    return load_settings(env_file=None, data_dir=data_dir)


@pytest.fixture(scope="session")
def pdfs() -> Path:
    """The folder of the committed test PDFs (see `tests/data/make_pdfs.py`)."""
    return DATA


@pytest.fixture(scope="session")
def bolt() -> Iterator[Any]:
    """A server that speaks Bolt, started at the first use (see `tests/servers/bolt.py`)."""
    from tests.servers.bolt import bolt_server  # only where it is wanted

    with bolt_server() as server:
        yield server


@pytest.fixture(scope="session")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The dictionary as it is installed; reading it takes seconds."""
    from core.rag.dictionary import Dictionary  # imports numpy, see above

    return Dictionary(tmp_path_factory.mktemp("dictionary") / "cedict.npz")
