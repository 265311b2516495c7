"""From what was read to what is written: one name a person, junk left out, sources added."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from core.domain.graph import (
    Entity,
    EntityKind,
    Evidence,
    Fact,
    Mention,
    SourceKind,
    name_key,
)
from core.graph.spotting import Spotter
from core.ports.extractor import Extracted

MOST_MENTIONS = 6
"""Sentences of one reading that are kept for an entity beside those that state something."""
SPOTTED = 0.8
"""Confidence that a known name in a sentence means the known thing."""
_REPEATED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a text comes from."""

    kind: SourceKind
    id: str
    page: int | None
    at: datetime

    def said(self, sentence: str, confidence: float) -> Evidence:
        """Return a sentence of it as evidence."""
        return Evidence(
            source_kind=self.kind,
            source_id=self.id,
            sentence=sentence,
            confidence=confidence,
            at=self.at,
            page=self.page,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a text gave, with its source and its sentences."""

    source: Source
    sentences: Sequence[str]
    extracted: Extracted


@dataclass(frozen=True, slots=True)
class Learned:
    """What is to be written. `same` are pairs of names that a sentence says are one."""

    mentions: list[Mention]
    facts: list[Fact]
    same: list[tuple[Entity, Entity]]


def learned(
    readings: Sequence[Reading], known: Iterable[Entity], persons: Sequence[Entity] = ()
) -> Learned:
    """Return what is written of readings of one source; `known` are in the graph already.

    `persons` are those of whom the source spoke before. A surname stands for the one person of the
    source who has it. An entity of which nothing is
    said is kept when it is known or named in two sentences.
    """
    known = list(known)
    known_ids = {one.id for one in known}
    same = _full_names(readings, persons)
    facts = [
        Fact(
            subject=same.get(fact.subject.id, fact.subject),
            kind=fact.kind,
            object=same.get(fact.object.id, fact.object),
            evidence=reading.source.said(fact.sentence, fact.confidence),
            label=fact.label,
        )
        for reading in readings
        for fact in reading.extracted.facts
    ]
    facts = [fact for fact in facts if fact.subject.id != fact.object.id]
    stated = {one.id for fact in facts for one in (fact.subject, fact.object)}
    mentions, pairs = _aliases(readings)
    stated |= {one.id for pair in pairs for one in pair}
    mentions += _mentions(readings, same, facts, known, stated | known_ids)
    return Learned(mentions, facts, pairs)


def _aliases(readings: Sequence[Reading]) -> tuple[list[Mention], list[tuple[Entity, Entity]]]:
    """Return mentions that bring aliases, and the pairs; a name of two things is neither's."""
    found = [(r.source, alias) for r in readings for alias in r.extracted.aliases]
    owners: dict[str, set[str]] = {}
    for _, alias in found:
        owners.setdefault(alias.other.id, set()).add(alias.entity.id)
    mentions, pairs = [], []
    for source, alias in found:
        if len(owners[alias.other.id]) > 1:
            continue
        one = replace(alias.entity, aliases=(alias.other.name,))
        mentions.append(Mention(entity=one, evidence=source.said(alias.sentence, alias.confidence)))
        pairs.append((alias.entity, alias.other))
    return mentions, pairs


def _mentions(
    readings: Sequence[Reading],
    same: Mapping[str, Entity],
    facts: Sequence[Fact],
    known: Sequence[Entity],
    certain: set[str],
) -> Iterator[Mention]:
    """Yield the sentences that name something worth keeping, at most some for each thing."""
    counts = Counter(
        same.get(m.entity.id, m.entity).id for r in readings for m in r.extracted.mentions
    )
    spotter = Spotter([*known, *(one for f in facts for one in (f.subject, f.object))])
    kept: Counter[str] = Counter()
    for reading in readings:
        read: dict[str, dict[str, tuple[Entity, float]]] = {}
        for mention in reading.extracted.mentions:
            one = same.get(mention.entity.id, mention.entity)
            if one.id in certain or counts[one.id] >= _REPEATED:
                read.setdefault(mention.sentence, {})[one.id] = (one, mention.confidence)
        for sentence in reading.sentences:
            named = read.get(sentence, {})
            for one in spotter.find(sentence):
                one = same.get(one.id, one)
                named.setdefault(one.id, (one, SPOTTED))
            for one, confidence in named.values():
                kept[one.id] += 1
                if kept[one.id] <= MOST_MENTIONS:
                    yield Mention(entity=one, evidence=reading.source.said(sentence, confidence))


def _full_names(readings: Sequence[Reading], met: Sequence[Entity]) -> dict[str, Entity]:
    """Return for the ids of surnames the one person who has it."""
    persons: dict[str, Entity] = {one.id: one for one in met}
    read: dict[str, Entity] = {}
    for reading in readings:
        for fact in reading.extracted.facts:
            read.setdefault(fact.subject.id, fact.subject)
            read.setdefault(fact.object.id, fact.object)
            for one in (fact.subject, fact.object):
                if one.kind is EntityKind.PERSON:
                    persons[one.id] = one
        for mention in reading.extracted.mentions:
            read.setdefault(mention.entity.id, mention.entity)
    bearers: dict[str, dict[str, Entity]] = {}
    for one in persons.values():
        last = surname(one.name)
        if last:
            bearers.setdefault(name_key(last), {})[one.id] = one
    out = {}
    for one in read.values():
        found = bearers.get(name_key(one.name), {})
        if len(found) == 1 and (person := next(iter(found.values()))).id != one.id:
            out[one.id] = person
    return out


def surname(name: str) -> str:
    """Return the last part of a person's full name, nothing of a single one."""
    parts = name.replace("•", "·").split("·") if "·" in name else name.split()
    return parts[-1] if len(parts) > 1 and len(parts[-1]) > 1 else ""
