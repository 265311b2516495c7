"""The knowledge graph: entities, typed relations, and the sentences they were read from."""

import unicodedata
import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class EntityKind(StrEnum):
    """What an entity is."""

    CONCEPT = "concept"
    PERSON = "person"
    ORGANISATION = "organisation"
    PLACE = "place"
    TIME = "time"
    WORK = "work"
    OTHER = "other"


class RelationKind(StrEnum):
    """What a relation says of its subject and its object; read subject, kind, object."""

    IS_A = "is_a"
    PART_OF = "part_of"
    HAS = "has"
    CAUSES = "causes"
    USES = "uses"
    PRODUCES = "produces"
    CREATED = "created"
    LOCATED_IN = "located_in"
    WORKS_FOR = "works_for"
    BORN_IN = "born_in"
    HAPPENED_IN = "happened_in"
    CONTRASTS = "contrasts"
    DEFINED_AS = "defined_as"
    RELATED = "related"


class SourceKind(StrEnum):
    """Where a sentence of the graph stands: in a memory (a note, an answer) or in a document."""

    MEMORY = "memory"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The sentence something was read from.

    `source_id` is a memory's or a document's id; `page` is physical, 1-based, None for memories.
    `confidence` is in (0, 1].
    """

    source_kind: SourceKind
    source_id: str
    sentence: str
    confidence: float
    at: datetime
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A thing that is spoken of. `id` is that of its key (`entity_id`); `aliases` are other names.

    `language` is `en` or `zh`.
    """

    id: str
    name: str
    kind: EntityKind
    language: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """An entity read from a sentence."""

    entity: Entity
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A relation read from a sentence. `label` is the verb or phrase it was read from."""

    subject: Entity
    kind: RelationKind
    object: Entity
    evidence: Evidence
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation of the graph with all sentences that say it, the most certain first."""

    id: str
    subject: Entity
    kind: RelationKind
    object: Entity
    evidence: tuple[Evidence, ...]
    label: str = ""

    @property
    def confidence(self) -> float:
        """That of independent sentences together: 1 - Π(1 - c); in (0, 1]."""
        doubt = 1.0
        for evidence in self.evidence:
            doubt *= 1.0 - evidence.confidence
        return 1.0 - doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphCounts:
    """How much there is."""

    entities: int
    relations: int
    evidence: int


def name_key(name: str) -> str:
    """Return what names of the same spelling share: folded, letters and digits, `+` and `#`.

    A name without any keeps itself, folded.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(c for c in folded if c.isalnum() or c in "+#") or folded.strip()


def entity_id(name: str) -> str:
    """Return the id of the entity with this name, the same in every process and namespace."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"entity/{name_key(name)}"))


def relation_id(subject_id: str, kind: RelationKind, object_id: str) -> str:
    """Return the id of a relation, the same in every process and namespace."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"relation/{subject_id}/{kind.value}/{object_id}"))
