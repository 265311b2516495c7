"""What a sentence states, once its parts fit together."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.domain.graph import Entity, EntityKind, RelationKind

_DATED = (RelationKind.HAPPENED_IN, RelationKind.BORN_IN)
_PLACED = ("found in", "based in")
_WEAKER = 0.8


@dataclass(frozen=True, slots=True)
class Stated:
    """A fact of a sentence, without it."""

    subject: Entity
    kind: RelationKind
    object: Entity
    confidence: float
    label: str


def fitting(
    one: Entity, kind: RelationKind, other: Entity, confidence: float, label: str
) -> Iterator[Stated]:
    """Yield the fact that an English verb states of two things; nothing when they do not fit.

    A year is when something happened, not where it is; who is born is a person.
    """
    if one.id == other.id or one.kind is EntityKind.TIME:
        return
    if other.kind is EntityKind.TIME and kind not in _DATED:
        if label not in _PLACED and kind is not RelationKind.LOCATED_IN:
            return
        kind = RelationKind.HAPPENED_IN
    if other.kind is EntityKind.CONCEPT and kind is RelationKind.BORN_IN:
        return
    if kind is RelationKind.CREATED and not one.name[:1].isupper():
        return  # who makes something has a name
    if other.kind is EntityKind.CONCEPT and kind is RelationKind.HAPPENED_IN:
        kind, confidence = RelationKind.RELATED, confidence * _WEAKER
    one, other = _kinds(one, kind, other)
    yield Stated(one, kind, other, round(confidence, 3), label)


def _kinds(one: Entity, kind: RelationKind, other: Entity) -> tuple[Entity, Entity]:
    """Say of names what the relation says of them: who is born is a person."""
    if one.kind is EntityKind.OTHER and (
        kind in (RelationKind.BORN_IN, RelationKind.WORKS_FOR)
        or (kind is RelationKind.CREATED and 2 <= len(one.name.split()) <= 4)
    ):
        one = replace(one, kind=EntityKind.PERSON)
    if other.kind is EntityKind.OTHER:
        if kind in (RelationKind.BORN_IN, RelationKind.LOCATED_IN):
            other = replace(other, kind=EntityKind.PLACE)
        elif kind is RelationKind.WORKS_FOR and len(other.name.split()) != 2:
            other = replace(other, kind=EntityKind.ORGANISATION)
    return one, other
