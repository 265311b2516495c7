"""Entities that may be one: what is proposed, with the reason, and left to the learner."""

from collections.abc import Iterable, Iterator, Sequence

from core.domain.graph import Entity, EntityKind, name_key
from core.domain.graph_views import MergeProposal, MergeReason
from core.graph.alias_reading import initials
from core.graph.learning import surname
from core.graph.phrases import singular

_SUFFIXES = ("算法", "方法", "机制", "模型", "技术", "理论", "定律", "网络", "法")
_SUFFIX_WORDS = ("algorithm", "method", "model", "mechanism", "theory", "technique", "system")
_LEAST_BASE = 2
_LEAST_SPELLING = 7
_PREFIX = 3
"""Letters: a difference in a prefix changes what is meant."""
_SCORES = {
    MergeReason.PLURAL: 0.95,
    MergeReason.ABBREVIATION: 0.85,
    MergeReason.SUFFIX: 0.7,
    MergeReason.SURNAME: 0.7,
    MergeReason.SPELLING: 0.6,
}


def proposals(entities: Sequence[Entity]) -> list[MergeProposal]:
    """Return pairs of entities that may be one, the surest first; `entities` best known first.

    A number or a date is never taken for a spelling of another one.
    """
    rank = {one.id: i for i, one in enumerate(entities)}
    pairs: dict[tuple[str, str], MergeProposal] = {}
    for one, other, reason in _candidates(entities):
        keep, drop = (one, other) if rank[one.id] <= rank[other.id] else (other, one)
        if reason in (MergeReason.ABBREVIATION, MergeReason.SURNAME):
            keep, drop = (one, other)
        key = (min(one.id, other.id), max(one.id, other.id))
        made = MergeProposal(keep=keep, drop=drop, reason=reason, score=_SCORES[reason])
        if one.id != other.id and (key not in pairs or pairs[key].score < made.score):
            pairs[key] = made
    return sorted(pairs.values(), key=lambda p: (-p.score, p.keep.name, p.drop.name))


def _candidates(entities: Sequence[Entity]) -> Iterator[tuple[Entity, Entity, MergeReason]]:
    by_key = {name_key(one.name): one for one in entities}
    for one in entities:
        if one.kind is EntityKind.TIME:
            continue
        for other, reason in _by_form(one, by_key):
            yield one, other, reason
    yield from _abbreviations(entities, by_key)
    yield from _surnames(entities, by_key)
    yield from _spellings(one for one in entities if one.kind is not EntityKind.TIME)


def _by_form(one: Entity, by_key: dict[str, Entity]) -> Iterator[tuple[Entity, MergeReason]]:
    words = one.name.split()
    if words and (last := singular(words[-1])) != words[-1]:
        other = by_key.get(name_key(" ".join([*words[:-1], last])))
        if other is not None:
            yield other, MergeReason.PLURAL
    for suffix in _SUFFIXES:
        base = one.name.removesuffix(suffix)
        if base != one.name and len(base) >= _LEAST_BASE and name_key(base) in by_key:
            yield by_key[name_key(base)], MergeReason.SUFFIX
    if len(words) > 1 and words[-1].lower() in _SUFFIX_WORDS:
        other = by_key.get(name_key(" ".join(words[:-1])))
        if other is not None:
            yield other, MergeReason.SUFFIX


def _abbreviations(
    entities: Sequence[Entity], by_key: dict[str, Entity]
) -> Iterator[tuple[Entity, Entity, MergeReason]]:
    for one in entities:
        words = one.name.replace("-", " ").split()
        if not 2 <= len(words) <= 6 or one.kind is EntityKind.PERSON:
            continue
        for short in {
            "".join(word[0] for word in words if word[0].isalnum()),
            "".join(word[0] for word in words if word.lower() not in ("of", "the", "and", "for")),
        }:
            other = by_key.get(name_key(short))
            if other is not None and other.name.isupper() and initials(words, other.name):
                yield one, other, MergeReason.ABBREVIATION


def _surnames(
    entities: Sequence[Entity], by_key: dict[str, Entity]
) -> Iterator[tuple[Entity, Entity, MergeReason]]:
    for one in entities:
        if one.kind is EntityKind.PERSON and (last := surname(one.name)):
            other = by_key.get(name_key(last))
            if other is not None and other.kind in (EntityKind.PERSON, EntityKind.OTHER,
                                                    EntityKind.CONCEPT):  # fmt: skip
                yield one, other, MergeReason.SURNAME


def _spellings(entities: Iterable[Entity]) -> Iterator[tuple[Entity, Entity, MergeReason]]:
    """Yield pairs of longer names that differ in one letter: one is missing or another one.

    Not at the beginning: "encoder" and "decoder" are two things.
    """
    holes: dict[str, list[Entity]] = {}
    for one in entities:
        key = name_key(one.name)
        if len(key) < _LEAST_SPELLING or any(c.isdigit() for c in key):
            continue
        seen = {key}
        for i in range(len(key)):
            hole = key[:i] + key[i + 1 :]
            if hole in seen:
                continue
            seen.add(hole)
        for hole in seen:
            for other in holes.get(hole, ()):
                known = name_key(other.name)
                if abs(len(known) - len(key)) <= 1 and known[:_PREFIX] == key[:_PREFIX]:
                    yield other, one, MergeReason.SPELLING
            holes.setdefault(hole, []).append(one)
