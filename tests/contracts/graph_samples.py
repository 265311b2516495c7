"""Graph stores of every kind on the same data, and what is written to them."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import text

from core.domain.graph import (
    Entity,
    EntityKind,
    Evidence,
    Fact,
    Mention,
    Relation,
    RelationKind,
    SourceKind,
    entity_id,
)
from core.ports.graph_store import GraphStore
from core.stores.database import open_database
from core.stores.graph import SqlGraphStore
from core.stores.neo4j_graph import Neo4jGraphStore
from core.text.tokens import language_of
from tests.contracts.samples import START
from tests.servers.bolt import PASSWORD, USER, BoltServer, GraphAddress

GRAPH_TABLES = ("entities", "names", "relations", "sentences", "support")


def neo4j_store(
    address: GraphAddress, *, password: str = PASSWORD, timeout: int = 20
) -> GraphStore:
    return Neo4jGraphStore(
        address.uri,
        username=USER,
        password=password,
        database=address.database,
        max_connection_lifetime=3600,
        max_connection_pool_size=20,
        connection_timeout=timeout,
    )


def open_graph(where: str, folder: Path) -> GraphStore:
    """Open the store at `where`: a Bolt address with #database, a database URL, or "" for files."""
    if where.startswith("bolt:"):
        uri, _, database = where.partition("#")
        return neo4j_store(GraphAddress(uri, database))
    return SqlGraphStore(open_database(where or None, folder))


class GraphBackend:
    """Opens stores on the same data. `server` is the one behind `where` if it is a Bolt address."""

    def __init__(self, where: str, folder: Path, server: BoltServer | None = None) -> None:
        self.where = where
        self.folder = folder
        self._server = server
        self._opened: list[GraphStore] = []

    def open(self) -> GraphStore:
        store = open_graph(self.where, self.folder)
        self._opened.append(store)
        return store

    def close_all(self) -> None:
        for store in self._opened:
            store.close()

    def everything(self) -> str:
        """All that is stored, as text: the bytes of the files, or what a server gives out."""
        if self._server is not None:
            query = """MATCH (n) OPTIONAL MATCH (n)-[r]-()
                RETURN properties(n) AS n, properties(r) AS r"""
            with (
                self._server.driver() as driver,
                driver.session(database=self.where.partition("#")[2]) as session,
            ):
                return str([record.data() for record in session.run(query)])
        if not self.where:
            files = sorted(self.folder.iterdir())
            return "".join(path.read_bytes().decode("utf-8", "replace") for path in files)
        database = open_database(self.where, self.folder)
        with database.read() as connection:
            tables = [
                connection.execute(text(f"SELECT * FROM graph_{name}")).all()
                for name in GRAPH_TABLES
            ]
        database.close()
        return str(tables)


def entity(name: str, *aliases: str, kind: EntityKind = EntityKind.CONCEPT) -> Entity:
    return Entity(
        id=entity_id(name), name=name, kind=kind, language=language_of(name), aliases=aliases
    )


def said(
    sentence: str,
    source: str = "book",
    *,
    page: int | None = 1,
    confidence: float = 0.5,
    kind: SourceKind = SourceKind.DOCUMENT,
    at: datetime = START,
) -> Evidence:
    return Evidence(
        source_kind=kind,
        source_id=source,
        sentence=sentence,
        confidence=confidence,
        at=at,
        page=page,
    )


def mention(
    name: str,
    sentence: str = "",
    source: str = "book",
    *,
    page: int | None = 1,
    confidence: float = 0.5,
) -> Mention:
    sentence = sentence or f"It is about {name}."
    evidence = said(sentence, source, page=page, confidence=confidence)
    return Mention(entity=entity(name), evidence=evidence)


def fact(
    subject: str,
    object_: str,
    source: str = "book",
    *,
    kind: RelationKind = RelationKind.USES,
    sentence: str = "",
    confidence: float = 0.5,
    label: str = "uses",
) -> Fact:
    return Fact(
        subject=entity(subject),
        kind=kind,
        object=entity(object_),
        evidence=said(sentence or f"{subject} uses {object_}.", source, confidence=confidence),
        label=label,
    )


def write(store: GraphStore, *pairs: str, source: str = "book", namespace: str) -> None:
    """Write relations given as "subject object"."""
    facts = [fact(*pair.split(), source) for pair in pairs]
    store.write([], facts, namespace=namespace)


def numbered(number: int) -> tuple[list[Mention], list[Fact]]:
    """What the writing children write: a fact of their own on what all of them share."""
    own = f"topic{number}"
    return (
        [mention(own, f"{own} is one of many.", f"source{number}")],
        [
            fact("everything", own, f"source{number}"),
            fact(own, "nothing", f"source{number}"),
            fact("everything", "nothing", f"source{number}"),
        ],
    )


def ids(*names: str) -> list[str]:
    return [entity_id(name) for name in names]


def pairs(relations: Sequence[Relation]) -> list[str]:
    """Relations as "subject object"."""
    return [f"{r.subject.name} {r.object.name}" for r in relations]
