"""The graph store on a server that speaks Bolt: what it makes there, and how it fails.

The server is ArcadeDB, not Neo4j (see `tests/servers/bolt.py`).
"""

import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from neo4j import Transaction
from neo4j.exceptions import ConstraintError

from core.domain.graph import SourceKind
from core.errors import ConfigurationError, StoreError
from core.memory_adapters import make_graph_store
from core.ports.graph_store import GraphStore
from core.settings import load_settings
from core.stores.database import open_database
from core.stores.graph import SqlGraphStore
from core.stores.neo4j_driver import BoltDatabase
from core.stores.neo4j_graph import Neo4jGraphStore
from tests.contracts.graph_samples import ids, neo4j_store, numbered, pairs, write
from tests.contracts.samples import OTHER, OWNER
from tests.servers.bolt import PASSWORD, USER, BoltServer, GraphAddress


@pytest.fixture
def address(bolt: BoltServer) -> GraphAddress:
    return bolt.create_database()


@pytest.fixture
def store(address: GraphAddress) -> Iterator[GraphStore]:
    opened = neo4j_store(address)
    yield opened
    opened.close()


def ask(bolt: BoltServer, address: GraphAddress, query: str, **values: Any) -> list[dict[str, Any]]:
    """Ask the server past the store."""
    with bolt.driver() as driver, driver.session(database=address.database) as session:
        return [record.data() for record in session.run(query, values)]


def failure_of(store: GraphStore) -> StoreError:
    with pytest.raises(StoreError) as caught:
        store.count(namespace=OWNER)
    assert caught.value.__cause__ is not None
    store.close()
    return caught.value


def test_a_server_that_was_killed_is_used_again_and_has_everything(
    bolt: BoltServer, store: GraphStore
) -> None:
    write(store, "A B", "B C", namespace=OWNER)
    bolt.stop(kill=True)
    try:
        with pytest.raises(StoreError) as caught:
            store.count(namespace=OWNER)
    finally:
        bolt.start()
    assert str(bolt.port) in caught.value.message
    assert "NEO4J_URI" in caught.value.remedy
    assert sorted(pairs(store.relations(namespace=OWNER))) == ["A B", "B C"]
    write(store, "C D", namespace=OWNER)
    assert store.count(namespace=OWNER).entities == 4


def test_a_restart_between_two_uses_is_not_noticed(bolt: BoltServer, store: GraphStore) -> None:
    write(store, "A B", namespace=OWNER)
    bolt.stop()
    bolt.start()
    assert store.count(namespace=OWNER).entities == 2
    write(store, "B C", namespace=OWNER)
    assert store.count(namespace=OWNER).entities == 3


def test_a_wrong_password_is_named_and_not_shown(address: GraphAddress) -> None:
    error = failure_of(neo4j_store(address, password="hidden-word"))
    assert "NEO4J_PASSWORD" in error.remedy
    assert "hidden-word" not in error.sentence


def test_an_unreachable_server_is_named_without_secrets() -> None:
    with socket.socket() as bound:  # bound but not listening: connections are refused
        bound.bind(("127.0.0.1", 0))
        place = f"127.0.0.1:{bound.getsockname()[1]}"
        error = failure_of(neo4j_store(GraphAddress(f"bolt://{place}", "x"), password="secret"))
    assert place in error.message
    assert "secret" not in error.sentence
    assert "NEO4J_URI" in error.remedy


def test_a_server_that_does_not_answer_in_time_is_a_store_error() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        uri = f"bolt://127.0.0.1:{silent.getsockname()[1]}"
        error = failure_of(neo4j_store(GraphAddress(uri, "x"), timeout=1))
    assert uri in error.message
    assert "NEO4J_URI" in error.remedy


def test_a_server_of_another_protocol_is_a_store_error(bolt: BoltServer) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        thread = threading.Thread(target=_speak_http, args=(other,))
        thread.start()
        uri = f"bolt://127.0.0.1:{other.getsockname()[1]}"
        error = failure_of(neo4j_store(GraphAddress(uri, "x"), timeout=2))
        other.shutdown(socket.SHUT_RDWR)
        thread.join()
    assert uri in error.message


def _speak_http(listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            connection.recv(1024)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


@pytest.mark.parametrize(
    "uri", ["localhost:7687", "http://localhost:7474", "bolt://", "neo4j", "bolt+tls://host"]
)
def test_what_is_no_server_s_address_is_refused_at_once(uri: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        neo4j_store(GraphAddress(uri, "neo4j"))
    assert "NEO4J_URI" in caught.value.message
    assert "bolt://" in caught.value.remedy


def test_nothing_is_asked_before_the_first_use(bolt: BoltServer, address: GraphAddress) -> None:
    neo4j_store(address).close()
    assert ask(bolt, address, "SHOW CONSTRAINTS") == []


def test_the_server_itself_refuses_a_second_node_with_one_key(
    bolt: BoltServer, address: GraphAddress, store: GraphStore
) -> None:
    store.ensure_ready()
    write(store, "A B", namespace=OWNER)
    labels = [row["labelsOrTypes"] for row in ask(bolt, address, "SHOW CONSTRAINTS")]
    assert len(labels) == 5
    for (label,) in labels:
        query = f"MATCH (n:{label}) CREATE (:{label} {{key: n.key}})"
        with pytest.raises(ConstraintError):
            ask(bolt, address, query)


def test_a_conflict_with_another_writer_is_tried_again(
    bolt: BoltServer, address: GraphAddress, store: GraphStore
) -> None:
    store.ensure_ready()
    database = BoltDatabase(
        address.uri,
        username=USER,
        password=PASSWORD,
        database=address.database,
        max_connection_lifetime=60,
        max_connection_pool_size=2,
        connection_timeout=20,
    )
    tries = []

    def work(transaction: Transaction) -> str:
        query = (
            "MERGE (n:GraphLock {key: 'x'}) SET n.by = coalesce(n.by, '') + $who RETURN n.by AS by"
        )
        found = transaction.run(query, who="store").single(strict=True)["by"]
        if not tries:  # somebody else makes the node before this transaction ends
            ask(bolt, address, query, who="other")
        tries.append(found)
        return str(found)

    assert database.transact(work) == "otherstore"
    assert tries == ["store", "otherstore"]
    database.close()
    assert ask(bolt, address, "MATCH (n:GraphLock) RETURN n.by AS by") == [{"by": "otherstore"}]


def test_what_others_keep_in_the_database_is_left_alone(
    bolt: BoltServer, address: GraphAddress, store: GraphStore
) -> None:
    ask(bolt, address, "CREATE (:Entity {name: 'A', namespace: $n})-[:KNOWS]->(:B)", n=OWNER)
    write(store, "A B", namespace=OWNER)
    assert store.count(namespace=OWNER).entities == 2
    store.clear(namespace=OWNER)
    found = ask(
        bolt, address, "MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN count(n) AS n, count(r) AS r"
    )
    assert found == [{"n": 2, "r": 1}]


def test_a_relation_into_another_namespace_is_not_followed(
    bolt: BoltServer, address: GraphAddress, store: GraphStore
) -> None:
    write(store, "A B", namespace=OWNER)
    write(store, "X Y", namespace=OTHER)
    for namespace in (OWNER, OTHER):
        query = """MATCH (a:GraphEntity {name: 'B', namespace: $mine})
            MATCH (x:GraphEntity {name: 'X', namespace: $other})
            CREATE (a)-[:RELATES {id: 'forged', kind: 'uses', namespace: $owner}]->(x)"""
        ask(bolt, address, query, mine=OWNER, other=OTHER, owner=namespace)
    for namespace, start in ((OWNER, "A"), (OTHER, "Y")):
        assert len(store.neighbourhood(ids(start), namespace=namespace, hops=5)) == 1
        assert store.shortest_path(*ids("A", "Y"), namespace=namespace) == []
        assert len(store.relations(namespace=namespace)) == 1
        assert store.count(namespace=namespace).relations == 1


def test_every_property_is_of_a_namespace_and_gone_with_it(
    bolt: BoltServer, address: GraphAddress, store: GraphStore
) -> None:
    for namespace in (OWNER, OTHER):
        store.write(*numbered(1), namespace=namespace)
    nodes = ask(bolt, address, "MATCH (n) RETURN properties(n) AS p")
    assert {row["p"]["namespace"] for row in nodes} == {OWNER, OTHER}
    assert all(row["p"]["key"].startswith(row["p"]["namespace"]) for row in nodes)
    store.remove_source(SourceKind.DOCUMENT, "source1", namespace=OWNER)
    store.clear(namespace=OWNER)
    query = "MATCH (n) OPTIONAL MATCH (n)-[r]-() RETURN properties(n) AS p, properties(r) AS q"
    assert OWNER not in str(ask(bolt, address, query))
    assert store.count(namespace=OTHER).entities == 3


def test_the_settings_choose_the_store(address: GraphAddress, data_dir: Any) -> None:
    database = open_database(None, data_dir)
    plain = make_graph_store(load_settings(env_file=None, data_dir=data_dir), database)
    assert isinstance(plain, SqlGraphStore)
    settings = load_settings(
        env_file=None,
        data_dir=data_dir,
        neo4j_uri=address.uri,
        neo4j_username=USER,
        neo4j_password=PASSWORD,
        neo4j_database=address.database,
    )
    server = make_graph_store(settings, database)
    assert isinstance(server, Neo4jGraphStore)
    write(server, "A B", namespace=OWNER)
    assert server.count(namespace=OWNER).entities == 2
    assert plain.count(namespace=OWNER).entities == 0
    server.close()
    database.close()
