"""What is shown of the knowledge graph: connections, its quality, a picture."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from core.domain.graph import Entity, EntityKind, Evidence, GraphCounts, Relation, RelationKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One relation on the way. `forward`: it is walked from its subject to its object.

    `evidence` is the most certain sentence that says it.
    """

    relation: Relation
    forward: bool
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """A shortest way from one entity to another; without steps when there is none."""

    start: Entity
    end: Entity
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPassage:
    """A sentence of a document that the graph holds for related to a question; score in (0, 1]."""

    document_id: str
    page: int
    sentence: str
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedPassages:
    """What the graph relates to a question, the nearest first.

    `weight` is the share that the graph should have beside the vectors, in [0, 1]: more where the
    question is one about relations that the graph knows.
    """

    passages: tuple[GraphPassage, ...] = ()
    weight: float = 0.0


class MergeReason(StrEnum):
    """Why two entities may be one."""

    PLURAL = "plural"
    SPELLING = "spelling"
    SUFFIX = "suffix"
    ABBREVIATION = "abbreviation"
    SURNAME = "surname"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeProposal:
    """Two entities that may be one. Only the learner decides. `score` is in (0, 1]."""

    keep: Entity
    drop: Entity
    reason: MergeReason
    score: float


class ContradictionKind(StrEnum):
    """What cannot both be so."""

    BORN = "born"
    CREATED = "created"
    HAPPENED = "happened"
    BOTH_WAYS = "both_ways"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """Relations of which at most one can hold, from different sentences."""

    kind: ContradictionKind
    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQuality:
    """What may be wrong with a graph.

    `orphans` have no relation; `cycles` are entities each of which is said to be a kind of the
    next, the last of the first. `doubtful` is the share of relations below a confidence of
    `DOUBTFUL`, in [0, 1]. Lists are cut (`LISTED`); `orphan_count` is not.
    """

    counts: GraphCounts
    entity_kinds: Mapping[EntityKind, int]
    relation_kinds: Mapping[RelationKind, int]
    orphan_count: int
    orphans: tuple[Entity, ...]
    duplicates: tuple[MergeProposal, ...]
    contradictions: tuple[Contradiction, ...]
    cycles: tuple[tuple[Entity, ...], ...]
    self_relations: tuple[Relation, ...]
    doubtful: float


DOUBTFUL = 0.65
LISTED = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureNode:
    """An entity with its place, both coordinates in [0, 1], and how many relations it has."""

    entity: Entity
    x: float
    y: float
    degree: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphPicture:
    """Entities and the relations between them; `left_out` entities did not fit."""

    nodes: tuple[PictureNode, ...]
    edges: tuple[Relation, ...]
    left_out: int = 0
