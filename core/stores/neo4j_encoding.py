"""Rows of a graph as properties of nodes, and back."""

import uuid
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any

from core.domain.graph import EntityKind, RelationKind, SourceKind
from core.stores.graph_rows import Link, Name, Sentence, Support, Thing

Row = dict[str, object]


class Keys:
    """The unique keys of a namespace's nodes: the namespace, a slash, an id of 36 letters.

    The id has a fixed length, so the keys of two namespaces are never the same.
    """

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace

    def __call__(self, id_: str) -> str:
        """Return the key of an id."""
        return f"{self.namespace}/{id_}"

    def of(self, ids: Collection[str]) -> list[str]:
        """Return the keys of ids."""
        return [self(id_) for id_ in ids]

    def of_names(self, keys: Collection[str]) -> list[str]:
        """Return the keys of names, by their `name_key`."""
        return [self.of_name(key) for key in keys]

    def of_name(self, key: str) -> str:
        """Return the key of the name with this `name_key`."""
        return self(_id(f"name/{key}"))


def _id(text: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, text))


def thing_of(row: Mapping[str, Any]) -> Thing:
    """Return the entity."""
    return Thing(row["id"], row["name"], EntityKind(row["kind"]), row["language"])


def thing_row(thing: Thing, keys: Keys) -> Row:
    """Return the properties of an entity."""
    return {
        "key": keys(thing.id),
        "namespace": keys.namespace,
        "id": thing.id,
        "name": thing.name,
        "kind": thing.kind.value,
        "language": thing.language,
    }


def name_of(row: Mapping[str, Any]) -> Name:
    """Return the name."""
    return Name(row["name_key"], row["name"], row["entity_id"])


def name_row(name: Name, keys: Keys) -> Row:
    """Return the properties of a name."""
    return {
        "key": keys.of_name(name.key),
        "namespace": keys.namespace,
        "name_key": name.key,
        "name": name.name,
        "entity_id": name.entity_id,
    }


def link_of(row: Mapping[str, Any]) -> Link:
    """Return the relation."""
    return Link(row["id"], row["subject_id"], RelationKind(row["kind"]), row["object_id"])


def link_row(link: Link, keys: Keys) -> Row:
    """Return what a relation is made from: the keys of its entities, its id and kind."""
    return {
        "subject": keys(link.subject_id),
        "object": keys(link.object_id),
        "id": link.id,
        "kind": link.kind.value,
    }


def sentence_of(row: Mapping[str, Any]) -> Sentence:
    """Return the sentence."""
    return Sentence(
        id=row["id"],
        source_kind=SourceKind(row["source_kind"]),
        source_id=row["source_id"],
        page=row.get("page"),
        text=row["text"],
        at=datetime.fromisoformat(row["at"]),
    )


def sentence_row(sentence: Sentence, keys: Keys) -> Row:
    """Return the properties of a sentence. Raises `ValueError` for a naive time."""
    if sentence.at.tzinfo is None:
        raise ValueError("a time without a time zone")
    return {
        "key": keys(sentence.id),
        "namespace": keys.namespace,
        "id": sentence.id,
        "source_kind": sentence.source_kind.value,
        "source_id": sentence.source_id,
        "page": sentence.page,
        "text": sentence.text,
        "at": sentence.at.astimezone(UTC).isoformat(timespec="microseconds"),
    }


def support_of(row: Mapping[str, Any]) -> Support:
    """Return the support."""
    return Support(
        target_id=row["target_id"],
        name_key=row["name_key"],
        sentence_id=row["sentence_id"],
        confidence=row["confidence"],
        label=row["label"],
    )


def support_row(support: Support, keys: Keys) -> Row:
    """Return the properties of a support."""
    return {
        "key": keys(_id("/".join(support.key))),
        "namespace": keys.namespace,
        "target_id": support.target_id,
        "name_key": support.name_key,
        "sentence_id": support.sentence_id,
        "confidence": support.confidence,
        "label": support.label,
    }
