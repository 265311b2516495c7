"""The rows of a knowledge graph in a Neo4j database.

Nodes are GraphEntity, GraphName, GraphSentence and GraphSupport; a relation is a relationship
RELATES between two entities. Every node has `namespace`, and a unique `key` that begins with it;
every query asks for both, or for the namespace and an indexed property. The key stands in the
pattern and the namespace behind it, so that no planner takes the index of the namespace instead.

The queries are those that Neo4j 5 understands and other Bolt servers (ArcadeDB) too: no
procedures, no full-text indexes, one property for each constraint.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import LiteralString

from neo4j import Record, Result, Transaction

from core.domain.graph import SourceKind
from core.stores.graph_rows import Batch, Link, Name, Sentence, Support, Thing
from core.stores.neo4j_encoding import (
    Keys,
    link_of,
    link_row,
    name_of,
    name_row,
    sentence_of,
    sentence_row,
    support_of,
    support_row,
    thing_of,
    thing_row,
)

_ROWS_PER_QUERY = 500

SCHEMA: tuple[LiteralString, ...] = (
    *(
        f"CREATE CONSTRAINT {label}_key IF NOT EXISTS FOR (n:{label}) REQUIRE n.key IS UNIQUE"
        for label in ("GraphEntity", "GraphName", "GraphSentence", "GraphSupport", "GraphLock")
    ),
    *(
        f"CREATE INDEX {label}_namespace IF NOT EXISTS FOR (n:{label}) ON (n.namespace)"
        for label in ("GraphEntity", "GraphSentence")  # the others are only cleared by it
    ),
    "CREATE INDEX GraphName_entity IF NOT EXISTS FOR (n:GraphName) ON (n.namespace, n.entity_id)",
    """CREATE INDEX GraphSentence_source IF NOT EXISTS
        FOR (n:GraphSentence) ON (n.namespace, n.source_kind, n.source_id)""",
    """CREATE INDEX GraphSupport_target IF NOT EXISTS
        FOR (n:GraphSupport) ON (n.namespace, n.target_id)""",
    """CREATE INDEX GraphSupport_sentence IF NOT EXISTS
        FOR (n:GraphSupport) ON (n.namespace, n.sentence_id)""",
)


def lock(transaction: Transaction, namespace: str) -> None:
    """Make other writers of the namespace wait for the end of this transaction, or fail then."""
    transaction.run(
        """MERGE (l:GraphLock {key: $namespace})
        SET l.namespace = $namespace, l.writes = coalesce(l.writes, 0) + 1""",
        namespace=namespace,
    ).consume()


class Neo4jRows:
    """The rows of one namespace within one transaction."""

    def __init__(self, transaction: Transaction, namespace: str) -> None:
        self._transaction = transaction
        self._namespace = namespace
        self._keys = Keys(namespace)

    def names(self, keys: Collection[str]) -> dict[str, Name]:
        """Return the names with these keys."""
        found = self._each(
            """UNWIND $values AS key
            MATCH (n:GraphName {key: key}) WHERE n.namespace = $namespace
            RETURN n.name_key AS name_key, n.name AS name, n.entity_id AS entity_id""",
            self._keys.of_names(keys),
        )
        return {row["name_key"]: name_of(row) for row in found}

    def names_of(self, entity_ids: Collection[str]) -> list[Name]:
        """Return all names of entities."""
        found = self._each(
            """UNWIND $values AS id
            MATCH (n:GraphName {namespace: $namespace, entity_id: id})
            RETURN n.name_key AS name_key, n.name AS name, n.entity_id AS entity_id""",
            entity_ids,
        )
        return sorted(map(name_of, found), key=lambda name: name.key)

    def things(self, ids: Collection[str]) -> dict[str, Thing]:
        """Return the entities with these ids."""
        found = self._each(
            """UNWIND $values AS key
            MATCH (e:GraphEntity {key: key}) WHERE e.namespace = $namespace
            RETURN e.id AS id, e.name AS name, e.kind AS kind, e.language AS language""",
            self._keys.of(ids),
        )
        return {row["id"]: thing_of(row) for row in found}

    def links_of(self, entity_ids: Collection[str]) -> list[Link]:
        """Return the relations of entities, each once."""
        found = self._each(
            """UNWIND $values AS key
            MATCH (e:GraphEntity {key: key}) WHERE e.namespace = $namespace
            MATCH (e)-[r:RELATES {namespace: $namespace}]-(:GraphEntity {namespace: $namespace})
            RETURN DISTINCT r.id AS id, r.kind AS kind, startNode(r).id AS subject_id,
                endNode(r).id AS object_id""",
            self._keys.of(entity_ids),
        )
        links = {row["id"]: link_of(row) for row in found}
        return [links[id_] for id_ in sorted(links)]

    def all_things(self, limit: int | None) -> list[Thing]:
        """Return entities, those with the most relations first."""
        found = self._best(
            """MATCH (e:GraphEntity {namespace: $namespace})
            OPTIONAL MATCH (e)-[r:RELATES {namespace: $namespace}]-(:GraphEntity)
            WITH e, count(r) AS degree
            RETURN e.id AS id, e.name AS name, e.kind AS kind, e.language AS language
            ORDER BY degree DESC, name, id""",
            limit,
        )
        return [thing_of(row) for row in found]

    def all_links(self, limit: int | None) -> list[Link]:
        """Return relations, those said by the most sentences first."""
        found = self._best(
            """MATCH (a:GraphEntity {namespace: $namespace})
                -[r:RELATES {namespace: $namespace}]->(b:GraphEntity {namespace: $namespace})
            OPTIONAL MATCH (s:GraphSupport {namespace: $namespace, target_id: r.id})
            WITH a, r, b, count(s) AS times
            RETURN r.id AS id, r.kind AS kind, a.id AS subject_id, b.id AS object_id
            ORDER BY times DESC, id""",
            limit,
        )
        return [link_of(row) for row in found]

    def times_said(self, link_ids: Collection[str]) -> dict[str, int]:
        """Return by how many sentences relations are said."""
        found = self._each(
            """UNWIND $values AS id
            MATCH (s:GraphSupport {namespace: $namespace, target_id: id})
            RETURN id, count(s) AS times""",
            link_ids,
        )
        return {row["id"]: row["times"] for row in found}

    def support_of(self, target_ids: Collection[str]) -> list[tuple[Support, Sentence]]:
        """Return what supports relations or entities, with the sentences."""
        support = list(
            self._each(
                """UNWIND $values AS id
                MATCH (s:GraphSupport {namespace: $namespace, target_id: id})
                RETURN properties(s) AS row""",
                target_ids,
            )
        )
        found = self._each(
            """UNWIND $values AS key
            MATCH (s:GraphSentence {key: key}) WHERE s.namespace = $namespace
            RETURN properties(s) AS row""",
            self._keys.of({record["row"]["sentence_id"] for record in support}),
        )
        sentences = {record["row"]["id"]: sentence_of(record["row"]) for record in found}
        return [
            (support_of(record["row"]), sentences[record["row"]["sentence_id"]])
            for record in support
            if record["row"]["sentence_id"] in sentences
        ]

    def support_by(self, sentence_ids: Collection[str]) -> list[Support]:
        """Return what sentences support."""
        found = self._each(
            """UNWIND $values AS id
            MATCH (s:GraphSupport {namespace: $namespace, sentence_id: id})
            RETURN properties(s) AS row""",
            sentence_ids,
        )
        return [support_of(record["row"]) for record in found]

    def supported(self, target_ids: Collection[str]) -> set[tuple[str, str]]:
        """Return (target id, name key) of whatever is supported."""
        found = self._each(
            """UNWIND $values AS id
            MATCH (s:GraphSupport {namespace: $namespace, target_id: id})
            RETURN DISTINCT id, s.name_key AS name_key""",
            target_ids,
        )
        return {(row["id"], row["name_key"]) for row in found}

    def sentences_of(self, kind: SourceKind, source_id: str) -> list[str]:
        """Return the ids of the sentences of a source."""
        found = self._transaction.run(
            """MATCH (s:GraphSentence
                {namespace: $namespace, source_kind: $kind, source_id: $source_id})
            RETURN s.id AS id""",
            namespace=self._namespace,
            kind=kind.value,
            source_id=source_id,
        )
        return [row["id"] for row in found]

    def sources(self, kind: SourceKind) -> list[str]:
        """Return the ids of the sources with sentences."""
        found = self._transaction.run(
            """MATCH (s:GraphSentence {namespace: $namespace, source_kind: $kind})
            RETURN DISTINCT s.source_id AS id""",
            namespace=self._namespace,
            kind=kind.value,
        )
        return [row["id"] for row in found]

    def counts(self) -> tuple[int, int, int]:
        """Return how many entities, relations and sentences there are."""
        queries: tuple[LiteralString, ...] = (
            "MATCH (e:GraphEntity {namespace: $namespace}) RETURN count(e) AS n",
            """MATCH (:GraphEntity {namespace: $namespace})
                -[r:RELATES {namespace: $namespace}]->(:GraphEntity {namespace: $namespace})
            RETURN count(r) AS n""",
            "MATCH (s:GraphSentence {namespace: $namespace}) RETURN count(s) AS n",
        )
        things, links, sentences = (
            self._transaction.run(query, namespace=self._namespace).single(strict=True)["n"]
            for query in queries
        )
        return things, links, sentences

    def put(self, batch: Batch) -> None:
        """Store rows; those that others point to first."""
        self._do(
            """UNWIND $values AS row
            MERGE (e:GraphEntity {key: row.key})
            ON CREATE SET e = row
            ON MATCH SET e.kind = row.kind""",
            [thing_row(thing, self._keys) for thing in batch.things.values()],
        )
        self._do(
            """UNWIND $values AS row
            MERGE (n:GraphName {key: row.key})
            ON CREATE SET n = row
            ON MATCH SET n.entity_id = row.entity_id""",
            [name_row(name, self._keys) for name in batch.names.values()],
        )
        self._do(
            """UNWIND $values AS row
            MATCH (a:GraphEntity {key: row.subject}) WHERE a.namespace = $namespace
            MATCH (b:GraphEntity {key: row.object}) WHERE b.namespace = $namespace
            MERGE (a)-[r:RELATES {id: row.id}]->(b)
            ON CREATE SET r.namespace = $namespace, r.kind = row.kind""",
            [link_row(link, self._keys) for link in batch.links.values()],
        )
        self._do(
            """UNWIND $values AS row
            MERGE (s:GraphSentence {key: row.key})
            ON CREATE SET s = row""",
            [sentence_row(sentence, self._keys) for sentence in batch.sentences.values()],
        )
        self._do(
            """UNWIND $values AS row
            MERGE (s:GraphSupport {key: row.key})
            ON CREATE SET s = row
            ON MATCH SET
                s.confidence = CASE WHEN row.confidence > s.confidence
                    THEN row.confidence ELSE s.confidence END,
                s.label = CASE WHEN s.label = "" THEN row.label ELSE s.label END""",
            [support_row(support, self._keys) for support in batch.support.values()],
        )

    def drop_names(self, keys: Collection[str]) -> None:
        """Delete names."""
        self._do(
            """UNWIND $values AS key
            MATCH (n:GraphName {key: key}) WHERE n.namespace = $namespace
            DETACH DELETE n""",
            self._keys.of_names(keys),
        )

    def drop_things(self, ids: Collection[str]) -> None:
        """Delete entities with their names."""
        self._do(
            """UNWIND $values AS id
            MATCH (n:GraphName {namespace: $namespace, entity_id: id}) DETACH DELETE n""",
            ids,
        )
        self._do(
            """UNWIND $values AS key
            MATCH (e:GraphEntity {key: key}) WHERE e.namespace = $namespace
            DETACH DELETE e""",
            self._keys.of(ids),
        )

    def drop_links(self, links: Sequence[Link]) -> None:
        """Delete relations, all of one subject at once: it may have very many."""
        of: dict[str, list[str]] = defaultdict(list)
        for link in links:
            of[link.subject_id].append(link.id)
        self._do(
            """UNWIND $values AS row
            MATCH (a:GraphEntity {key: row.subject}) WHERE a.namespace = $namespace
            MATCH (a)-[r:RELATES {namespace: $namespace}]->(:GraphEntity)
            WHERE r.id IN row.ids
            DELETE r""",
            [{"subject": self._keys(subject), "ids": ids} for subject, ids in of.items()],
        )

    def drop_support(self, target_ids: Collection[str]) -> None:
        """Delete all support of relations or entities."""
        self._do(
            """UNWIND $values AS id
            MATCH (s:GraphSupport {namespace: $namespace, target_id: id}) DETACH DELETE s""",
            target_ids,
        )

    def drop_sentences(self, ids: Collection[str]) -> None:
        """Delete sentences with what they support."""
        self._do(
            """UNWIND $values AS id
            MATCH (s:GraphSupport {namespace: $namespace, sentence_id: id}) DETACH DELETE s""",
            ids,
        )
        self._do(
            """UNWIND $values AS key
            MATCH (s:GraphSentence {key: key}) WHERE s.namespace = $namespace
            DETACH DELETE s""",
            self._keys.of(ids),
        )

    def clear(self) -> None:
        """Delete everything of the namespace, the lock as well."""
        queries: tuple[LiteralString, ...] = (
            "MATCH (n:GraphSupport {namespace: $namespace}) DETACH DELETE n",
            "MATCH (n:GraphSentence {namespace: $namespace}) DETACH DELETE n",
            "MATCH (n:GraphName {namespace: $namespace}) DETACH DELETE n",
            "MATCH (n:GraphEntity {namespace: $namespace}) DETACH DELETE n",
            "MATCH (n:GraphLock {key: $namespace, namespace: $namespace}) DETACH DELETE n",
        )
        for query in queries:
            self._transaction.run(query, namespace=self._namespace).consume()

    def _best(self, query: LiteralString, limit: int | None) -> Result:
        """Run a query that is ordered."""
        if limit is not None:  # no great number for "all": servers reserve memory for it
            query += " LIMIT $limit"
        return self._transaction.run(query, namespace=self._namespace, limit=limit)

    def _each(self, query: LiteralString, values: Collection[str]) -> Iterator[Record]:
        """Yield what a query finds for each of `values`."""
        listed = list(values)
        for start in range(0, len(listed), _ROWS_PER_QUERY):
            part = listed[start : start + _ROWS_PER_QUERY]
            yield from self._transaction.run(query, values=part, namespace=self._namespace)

    def _do(
        self, query: LiteralString, values: Collection[str] | Sequence[Mapping[str, object]]
    ) -> None:
        """Run a query that changes something for each of `values`."""
        listed = list(values)
        for start in range(0, len(listed), _ROWS_PER_QUERY):
            part = listed[start : start + _ROWS_PER_QUERY]
            self._transaction.run(query, values=part, namespace=self._namespace).consume()
