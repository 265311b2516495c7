"""What a knowledge graph consists of when it is stored, the same in tables and in Neo4j.

The rules that hold between the rows, at the end of each transaction:

- an entity has its own name among its names, and every name is supported by a sentence;
- a relation is supported by a sentence, which supports its two entities by name as well;
- a sentence supports something.

So a sentence takes with it, when it goes, exactly what only it says (`core.stores.graph_work`).
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from core.domain.graph import EntityKind, Evidence, RelationKind, SourceKind, name_key

_LONGEST_KEY = 200
"""Letters. PostgreSQL indexes 2,704 bytes a row, of which a letter may be four."""


@dataclass(frozen=True, slots=True)
class Thing:
    """An entity without its aliases."""

    id: str
    name: str
    kind: EntityKind
    language: str


@dataclass(frozen=True, slots=True)
class Name:
    """A name of an entity. `key` is that of `key_of`; one key names one entity."""

    key: str
    name: str
    entity_id: str


@dataclass(frozen=True, slots=True)
class Link:
    """A relation without its entities and sentences."""

    id: str
    subject_id: str
    kind: RelationKind
    object_id: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a page or a memory, stored once for all that it says."""

    id: str
    source_kind: SourceKind
    source_id: str
    page: int | None
    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Support:
    """A sentence says a relation (`name_key` is ""), or an entity by the name with this key.

    `label` is that of a relation; `confidence` is in (0, 1].
    """

    target_id: str
    name_key: str
    sentence_id: str
    confidence: float
    label: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What there is one of."""
        return (self.target_id, self.name_key, self.sentence_id)


@dataclass(slots=True)
class Batch:
    """Rows to be stored together."""

    things: dict[str, Thing] = field(default_factory=dict)
    names: dict[str, Name] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    sentences: dict[str, Sentence] = field(default_factory=dict)
    support: dict[tuple[str, str, str], Support] = field(default_factory=dict)

    def add_support(self, added: Support) -> None:
        """Add a support; of two with one key the greater confidence and the first label stay."""
        there = self.support.get(added.key)
        if there is not None:
            added = Support(
                *added.key,
                confidence=max(there.confidence, added.confidence),
                label=there.label or added.label,
            )
        self.support[added.key] = added


class GraphRows(Protocol):
    """The rows of one namespace within one transaction. Every list may be of any length."""

    def names(self, keys: Collection[str]) -> dict[str, Name]:
        """Return the names with these keys, by key."""

    def names_of(self, entity_ids: Collection[str]) -> list[Name]:
        """Return all names of entities, by key."""

    def things(self, ids: Collection[str]) -> dict[str, Thing]:
        """Return the entities with these ids, by id."""

    def links_of(self, entity_ids: Collection[str]) -> list[Link]:
        """Return the relations with one of these entities on either side, each once, by id."""

    def all_things(self, limit: int | None) -> list[Thing]:
        """Return entities, those with the most relations first, then by name."""

    def all_links(self, limit: int | None) -> list[Link]:
        """Return relations, those said by the most sentences first, then by id."""

    def times_said(self, link_ids: Collection[str]) -> dict[str, int]:
        """Return by how many sentences relations are said, by id."""

    def support_of(self, target_ids: Collection[str]) -> list[tuple[Support, Sentence]]:
        """Return what supports relations or entities, with the sentences, in no order."""

    def support_by(self, sentence_ids: Collection[str]) -> list[Support]:
        """Return what sentences support, in no order."""

    def supported(self, target_ids: Collection[str]) -> set[tuple[str, str]]:
        """Return (target id, name key) of whatever is supported by any sentence."""

    def sentences_of(self, kind: SourceKind, source_id: str) -> list[str]:
        """Return the ids of the sentences of a source."""

    def sources(self, kind: SourceKind) -> list[str]:
        """Return the ids of the sources with sentences."""

    def counts(self) -> tuple[int, int, int]:
        """Return how many entities, relations and sentences there are."""

    def put(self, batch: Batch) -> None:
        """Store rows.

        An entity that is there takes the kind, a name takes the entity, a support takes the
        greater confidence, and the label if it has none. Links and sentences that are there stay.
        """

    def drop_names(self, keys: Collection[str]) -> None:
        """Delete names."""

    def drop_things(self, ids: Collection[str]) -> None:
        """Delete entities that have no relations any more, with their names."""

    def drop_links(self, links: Sequence[Link]) -> None:
        """Delete relations."""

    def drop_support(self, target_ids: Collection[str]) -> None:
        """Delete all support of relations or entities."""

    def drop_sentences(self, ids: Collection[str]) -> None:
        """Delete sentences with what they support."""

    def clear(self) -> None:
        """Delete everything of the namespace."""


def key_of(name: str) -> str:
    """Return the `name_key` of a name, or of a long one an id: indexes take no long text."""
    key = name_key(name)
    return key if len(key) <= _LONGEST_KEY else str(uuid.uuid5(uuid.NAMESPACE_OID, f"name/{key}"))


def sentence_of(evidence: Evidence) -> Sentence:
    """Return the row of a piece of evidence.

    Its id is that of the text on a page of a source, the same in every process and namespace.
    """
    place = f"{evidence.source_kind.value}/{evidence.source_id}/{evidence.page}"
    return Sentence(
        id=str(uuid.uuid5(uuid.NAMESPACE_OID, f"sentence/{place}/{evidence.sentence}")),
        source_kind=evidence.source_kind,
        source_id=evidence.source_id,
        page=evidence.page,
        text=evidence.sentence,
        at=evidence.at,
    )


def evidence_of(support: Support, sentence: Sentence) -> Evidence:
    """Return the evidence that a sentence gives."""
    return Evidence(
        source_kind=sentence.source_kind,
        source_id=sentence.source_id,
        sentence=sentence.text,
        confidence=support.confidence,
        at=sentence.at,
        page=sentence.page,
    )
