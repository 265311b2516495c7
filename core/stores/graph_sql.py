"""The rows of a knowledge graph in the tables of a SQL database."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    RowMapping,
    Select,
    Table,
    case,
    delete,
    func,
    select,
    union_all,
)

from core.domain.graph import EntityKind, RelationKind, SourceKind
from core.stores.database import IDS_PER_QUERY, Database
from core.stores.graph_rows import Batch, Link, Name, Sentence, Support, Thing
from core.stores.schema_memory import (
    graph_entities,
    graph_names,
    graph_relations,
    graph_sentences,
    graph_support,
)

_TABLES = (graph_support, graph_sentences, graph_relations, graph_names, graph_entities)
"""Those that point to others first."""


class SqlRows:
    """The rows of one namespace within one transaction."""

    def __init__(self, database: Database, connection: Connection, namespace: str) -> None:
        self._database = database
        self._connection = connection
        self._namespace = namespace

    def names(self, keys: Collection[str]) -> dict[str, Name]:
        """Return the names with these keys."""
        rows = self._rows(select(graph_names), graph_names.c.name_key, keys)
        return {row["name_key"]: _name(row) for row in rows}

    def names_of(self, entity_ids: Collection[str]) -> list[Name]:
        """Return all names of entities."""
        rows = self._rows(select(graph_names), graph_names.c.entity_id, entity_ids)
        return sorted(map(_name, rows), key=lambda name: name.key)

    def things(self, ids: Collection[str]) -> dict[str, Thing]:
        """Return the entities with these ids."""
        rows = self._rows(select(graph_entities), graph_entities.c.id, ids)
        return {row["id"]: _thing(row) for row in rows}

    def links_of(self, entity_ids: Collection[str]) -> list[Link]:
        """Return the relations of entities. Two questions, because `OR` would not use the index."""
        found = {
            row["id"]: _link(row)
            for side in (graph_relations.c.subject_id, graph_relations.c.object_id)
            for row in self._rows(select(graph_relations), side, entity_ids)
        }
        return [found[id_] for id_ in sorted(found)]

    def all_things(self, limit: int | None) -> list[Thing]:
        """Return entities, those with the most relations first."""
        ends = union_all(
            *(
                select(side.label("id")).where(graph_relations.c.namespace == self._namespace)
                for side in (graph_relations.c.subject_id, graph_relations.c.object_id)
            )
        ).subquery()
        degrees = select(ends.c.id, func.count().label("n")).group_by(ends.c.id).subquery()
        # by the letters' numbers, as SQLite does, not by the rules of a country
        name = graph_entities.c.name
        by_name = name.collate("C") if self._database.name == "postgresql" else name
        query = (
            select(graph_entities)
            .outerjoin(degrees, degrees.c.id == graph_entities.c.id)
            .where(graph_entities.c.namespace == self._namespace)
            .order_by(func.coalesce(degrees.c.n, 0).desc(), by_name, graph_entities.c.id)
            .limit(limit)
        )
        return [_thing(row) for row in self._connection.execute(query).mappings()]

    def all_links(self, limit: int | None) -> list[Link]:
        """Return relations, those said by the most sentences first."""
        times = (
            select(graph_support.c.target_id, func.count().label("n"))
            .where(graph_support.c.namespace == self._namespace, graph_support.c.name_key == "")
            .group_by(graph_support.c.target_id)
            .subquery()
        )
        query = (
            select(graph_relations)
            .join(times, times.c.target_id == graph_relations.c.id)
            .where(graph_relations.c.namespace == self._namespace)
            .order_by(times.c.n.desc(), graph_relations.c.id)
            .limit(limit)
        )
        return [_link(row) for row in self._connection.execute(query).mappings()]

    def times_said(self, link_ids: Collection[str]) -> dict[str, int]:
        """Return by how many sentences relations are said."""
        target = graph_support.c.target_id
        query = select(target, func.count().label("n")).group_by(target)
        return {row["target_id"]: row["n"] for row in self._rows(query, target, link_ids)}

    def support_of(self, target_ids: Collection[str]) -> list[tuple[Support, Sentence]]:
        """Return what supports relations or entities, with the sentences."""
        same = (graph_sentences.c.namespace == graph_support.c.namespace) & (
            graph_sentences.c.id == graph_support.c.sentence_id
        )
        query = select(graph_support, graph_sentences).join(graph_sentences, same)
        rows = self._rows(query, graph_support.c.target_id, target_ids)
        return [(_support(row), _sentence(row)) for row in rows]

    def support_by(self, sentence_ids: Collection[str]) -> list[Support]:
        """Return what sentences support."""
        rows = self._rows(select(graph_support), graph_support.c.sentence_id, sentence_ids)
        return [_support(row) for row in rows]

    def supported(self, target_ids: Collection[str]) -> set[tuple[str, str]]:
        """Return (target id, name key) of whatever is supported."""
        target, key = graph_support.c.target_id, graph_support.c.name_key
        rows = self._rows(select(target, key).distinct(), target, target_ids)
        return {(row["target_id"], row["name_key"]) for row in rows}

    def sentences_of(self, kind: SourceKind, source_id: str) -> list[str]:
        """Return the ids of the sentences of a source."""
        query = select(graph_sentences.c.id).where(
            graph_sentences.c.namespace == self._namespace,
            graph_sentences.c.source_kind == kind.value,
            graph_sentences.c.source_id == source_id,
        )
        return list(self._connection.scalars(query))

    def sources(self, kind: SourceKind) -> list[str]:
        """Return the ids of the sources with sentences."""
        query = (
            select(graph_sentences.c.source_id)
            .where(
                graph_sentences.c.namespace == self._namespace,
                graph_sentences.c.source_kind == kind.value,
            )
            .distinct()
        )
        return list(self._connection.scalars(query))

    def counts(self) -> tuple[int, int, int]:
        """Return how many entities, relations and sentences there are."""
        things, links, sentences = (
            self._connection.scalar(
                select(func.count()).select_from(table).where(table.c.namespace == self._namespace)
            )
            or 0
            for table in (graph_entities, graph_relations, graph_sentences)
        )
        return things, links, sentences

    def put(self, batch: Batch) -> None:
        """Store rows; those that others point to first."""
        self._upsert(graph_entities, [_thing_row(thing) for thing in batch.things.values()])
        self._upsert(graph_names, [_name_row(name) for name in batch.names.values()])
        self._upsert(graph_relations, [_link_row(link) for link in batch.links.values()])
        self._upsert(graph_sentences, [_sentence_row(s) for s in batch.sentences.values()])
        self._upsert(graph_support, [_support_row(s) for s in batch.support.values()])

    def drop_names(self, keys: Collection[str]) -> None:
        """Delete names."""
        self._delete(graph_names.c.name_key, keys)

    def drop_things(self, ids: Collection[str]) -> None:
        """Delete entities; the database deletes their names."""
        self._delete(graph_entities.c.id, ids)

    def drop_links(self, links: Sequence[Link]) -> None:
        """Delete relations."""
        self._delete(graph_relations.c.id, [link.id for link in links])

    def drop_support(self, target_ids: Collection[str]) -> None:
        """Delete all support of relations or entities."""
        self._delete(graph_support.c.target_id, target_ids)

    def drop_sentences(self, ids: Collection[str]) -> None:
        """Delete sentences; the database deletes what they support."""
        self._delete(graph_sentences.c.id, ids)

    def clear(self) -> None:
        """Delete everything of the namespace."""
        for table in _TABLES:
            self._connection.execute(delete(table).where(table.c.namespace == self._namespace))

    def _rows(
        self, query: Select[Any], column: Column[str], values: Collection[str]
    ) -> Iterator[RowMapping]:
        """Yield the rows of the namespace whose `column` is one of `values`."""
        owned = query.where(column.table.c.namespace == self._namespace)
        for part in _parts(values):
            yield from self._connection.execute(owned.where(column.in_(part))).mappings().all()

    def _delete(self, column: Column[str], values: Collection[str]) -> None:
        table = column.table
        owned = delete(table).where(table.c.namespace == self._namespace)
        for part in _parts(values):
            self._connection.execute(owned.where(column.in_(part)))

    def _upsert(self, table: Table, rows: Sequence[Mapping[str, object]]) -> None:
        """Store rows; those that are there change only as `_changes` says."""
        if not rows:
            return
        statement = self._database.insert(table)
        key = [column.name for column in table.primary_key]
        changes = _changes(table, statement.excluded)
        if changes:
            statement = statement.on_conflict_do_update(index_elements=key, set_=changes)
        else:
            statement = statement.on_conflict_do_nothing(index_elements=key)
        self._connection.execute(statement, [{**row, "namespace": self._namespace} for row in rows])


def _changes(table: Table, new: Any) -> dict[str, Any]:
    """Return what becomes of a row that is there when `new` comes."""
    if table is graph_entities:
        return {"kind": new.kind}
    if table is graph_names:
        return {"entity_id": new.entity_id}
    if table is graph_support:
        there = graph_support.c
        greater = new.confidence > there.confidence
        return {
            "confidence": case((greater, new.confidence), else_=there.confidence),
            "label": case((there.label == "", new.label), else_=there.label),
        }
    return {}


def _parts(values: Collection[str]) -> Iterator[list[str]]:
    listed = list(values)
    for start in range(0, len(listed), IDS_PER_QUERY):
        yield listed[start : start + IDS_PER_QUERY]


def _thing(row: RowMapping) -> Thing:
    return Thing(row["id"], row["name"], EntityKind(row["kind"]), row["language"])


def _thing_row(thing: Thing) -> dict[str, object]:
    return {
        "id": thing.id,
        "name": thing.name,
        "kind": thing.kind.value,
        "language": thing.language,
    }


def _name(row: RowMapping) -> Name:
    return Name(row["name_key"], row["name"], row["entity_id"])


def _name_row(name: Name) -> dict[str, object]:
    return {"name_key": name.key, "name": name.name, "entity_id": name.entity_id}


def _link(row: RowMapping) -> Link:
    return Link(row["id"], row["subject_id"], RelationKind(row["kind"]), row["object_id"])


def _link_row(link: Link) -> dict[str, object]:
    return {
        "id": link.id,
        "subject_id": link.subject_id,
        "kind": link.kind.value,
        "object_id": link.object_id,
    }


def _sentence(row: RowMapping) -> Sentence:
    return Sentence(
        id=row["id"],
        source_kind=SourceKind(row["source_kind"]),
        source_id=row["source_id"],
        page=row["page"],
        text=row["text"],
        at=row["at"],
    )


def _sentence_row(sentence: Sentence) -> dict[str, object]:
    return {
        "id": sentence.id,
        "source_kind": sentence.source_kind.value,
        "source_id": sentence.source_id,
        "page": sentence.page,
        "text": sentence.text,
        "at": sentence.at,
    }


def _support(row: RowMapping) -> Support:
    return Support(
        target_id=row["target_id"],
        name_key=row["name_key"],
        sentence_id=row["sentence_id"],
        confidence=row["confidence"],
        label=row["label"],
    )


def _support_row(support: Support) -> dict[str, object]:
    return {
        "target_id": support.target_id,
        "name_key": support.name_key,
        "sentence_id": support.sentence_id,
        "confidence": support.confidence,
        "label": support.label,
    }
