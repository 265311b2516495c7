"""The client store over real HTTP: what is asked of a server, and what happens when it fails.

The server is a stand-in on qdrant-client's in-memory mode, not Qdrant (see its module).
"""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import numpy as np
import pytest
from qdrant_client import models

from core.errors import ConfigurationError, DimensionMismatchError, StoreError
from core.ports.vector_store import VectorPoint
from core.stores.points import FILTER_KEYS
from core.stores.qdrant_client_store import QdrantClientStore
from tests.servers.qdrant_standin import QdrantStandIn, qdrant_standin

OWNER = "pdf_owner"
ONE = np.array([0.6, 0.8, 0.0, 0.0], dtype=np.float32)
POINT = VectorPoint("00000000-0000-0000-0000-000000000001", ONE, {"document_id": "d"})

# The client says so itself, and rightly; here the connection is inside this machine.
insecure = pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")


@pytest.fixture
def server() -> Iterator[QdrantStandIn]:
    with qdrant_standin() as standin:
        yield standin


def make_store(url: str, *, api_key: str | None = None, timeout: int = 10) -> QdrantClientStore:
    return QdrantClientStore(
        url, collection="vectors", dimension=4, embedder="test@1", api_key=api_key, timeout=timeout
    )


def failure_of(store: QdrantClientStore) -> StoreError:
    with pytest.raises(StoreError) as caught:
        store.count(namespace=OWNER, where={})
    assert caught.value.__cause__ is not None
    store.close()
    return caught.value


def test_the_collection_has_both_vectors_and_the_tenant_index(server: QdrantStandIn) -> None:
    store = make_store(server.url)
    store.ensure_ready()
    store.ensure_ready()
    store.close()
    info = server.client.get_collection("vectors")
    sizes = {n: (v.size, v.distance.value) for n, v in info.config.params.vectors.items()}
    assert sizes == {"instant": (4, "Cosine"), "refined": (384, "Cosine")}
    assert info.config.metadata == {"embedder": "test@1"}
    tenant = {
        name: index["params"]["is_tenant"] for name, index in server.indexes["vectors"].items()
    }
    assert tenant == {"ns": True, **dict.fromkeys(FILTER_KEYS, False)}


def test_an_existing_collection_is_used_as_it_is(server: QdrantStandIn) -> None:
    first = make_store(server.url)
    first.upsert([POINT], namespace=OWNER)
    first.close()
    server.requests.clear()
    second = make_store(server.url)
    assert second.count(namespace=OWNER, where={}) == 1
    second.close()
    assert [method for method, _ in server.requests] == ["GET", "GET", "POST"]


def test_nothing_is_asked_before_the_first_use(server: QdrantStandIn) -> None:
    make_store(server.url).close()
    assert server.requests == []


def test_a_collection_that_appears_in_between_is_taken(server: QdrantStandIn) -> None:
    first = make_store(server.url)
    first.upsert([POINT], namespace=OWNER)
    first.close()
    server.hides_collections = True
    second = make_store(server.url)
    assert second.count(namespace=OWNER, where={}) == 1
    second.close()
    assert ("PUT", "/collections/vectors") in server.requests[-4:]


def test_a_collection_of_another_size_says_what_to_do(server: QdrantStandIn) -> None:
    params = models.VectorParams(size=7, distance=models.Distance.COSINE)
    refined = models.VectorParams(size=384, distance=models.Distance.COSINE)
    server.client.create_collection("vectors", {"instant": params, "refined": refined})
    with pytest.raises(DimensionMismatchError) as caught:
        make_store(server.url).ensure_ready()
    assert "7 dimensions" in caught.value.message
    assert "QDRANT_COLLECTION" in caught.value.remedy


def test_a_collection_of_somebody_else_is_left_alone(server: QdrantStandIn) -> None:
    params = models.VectorParams(size=4, distance=models.Distance.COSINE)
    server.client.create_collection("vectors", params)
    with pytest.raises(StoreError) as caught:
        make_store(server.url).ensure_ready()
    assert "QDRANT_COLLECTION" in caught.value.remedy


@insecure
def test_the_key_is_sent_and_a_wrong_one_is_named() -> None:
    with qdrant_standin(api_key="right") as server:
        store = make_store(server.url, api_key="right")
        assert store.count(namespace=OWNER, where={}) == 0
        store.close()
        error = failure_of(make_store(server.url, api_key="wrong-secret"))
        assert "QDRANT_API_KEY" in error.remedy
        assert "wrong-secret" not in error.sentence


@insecure
def test_an_unreachable_server_is_named_without_secrets() -> None:
    with socket.socket() as bound:  # bound but not listening: connections are refused
        bound.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{bound.getsockname()[1]}"
        error = failure_of(make_store(f"http://user:password@{address}", api_key="secret"))
    assert address in error.message
    assert "password" not in error.sentence
    assert "secret" not in error.sentence
    assert "QDRANT_URL" in error.remedy


def test_a_server_that_does_not_answer_in_time_is_a_store_error() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        error = failure_of(make_store(f"http://127.0.0.1:{silent.getsockname()[1]}", timeout=1))
    assert "timed out" in error.message


class Broken(BaseHTTPRequestHandler):
    """Answers every request with 500 and a line of HTML."""

    def do_GET(self) -> None:
        self.send_response(500)
        self.end_headers()
        self.wfile.write(b"<h1>broken</h1>")

    def log_message(self, *_: object) -> None:
        """Keep the test's output clean."""


def test_a_broken_server_is_a_store_error_with_its_words() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Broken) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        error = failure_of(make_store(f"http://127.0.0.1:{server.server_port}"))
        server.shutdown()
        thread.join()
    assert "answered 500" in error.message
    assert "broken" in error.message


def test_the_store_recovers_when_the_server_lost_its_collection(server: QdrantStandIn) -> None:
    store = make_store(server.url)
    store.upsert([POINT], namespace=OWNER)
    server.client.delete_collection("vectors")
    failure_of(store)  # and closes it
    assert store.count(namespace=OWNER, where={}) == 0
    store.close()


@pytest.mark.parametrize("address", ["localhost:6333", "qdrant.example.com:6333/path"])
def test_an_address_without_scheme_is_not_taken_for_a_folder(address: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        make_store(address)
    assert f"http://{address}" in caught.value.remedy


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "/collections/vectors/points/scroll", {"order_by": "page"}),
        ("POST", "/collections/vectors/points/query", {"query": [1.0], "score_threshold": 0.5}),
        ("POST", "/collections/vectors/points/query?consistency=1", {"query": [1.0]}),
        ("PUT", "/collections/vectors/points", {"points": []}),
    ],
)
def test_the_stand_in_refuses_what_it_does_not_imitate(
    server: QdrantStandIn, method: str, path: str, body: object
) -> None:
    assert httpx.request(method, server.url + path, json=body).status_code == 501


def test_the_stand_in_refuses_fields_that_qdrant_does_not_know(server: QdrantStandIn) -> None:
    body = {"query": [1.0], "wherever": 1}
    url = f"{server.url}/collections/vectors/points/query"
    assert httpx.post(url, json=body).status_code == 400
