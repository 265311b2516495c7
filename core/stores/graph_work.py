"""What is done with the rows of a graph, the same for every store."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from core.domain.graph import (
    Entity,
    EntityKind,
    Evidence,
    Fact,
    Mention,
    Relation,
    SourceKind,
    entity_id,
    relation_id,
)
from core.errors import NotFoundError
from core.stores.graph_rows import (
    Batch,
    GraphRows,
    Link,
    Name,
    Sentence,
    Support,
    Thing,
    evidence_of,
    key_of,
    sentence_of,
)

_TELLING = {EntityKind.OTHER: 0, EntityKind.CONCEPT: 1}
"""How much a kind says; all others say more."""


def write(rows: GraphRows, mentions: Sequence[Mention], facts: Sequence[Fact]) -> None:
    """Add what was read from sentences."""
    batch = _Writing(rows, mentions, facts).batch
    if batch.support:
        rows.put(batch)


class _Writing:
    """Finds out which rows a write needs."""

    def __init__(self, rows: GraphRows, mentions: Sequence[Mention], facts: Sequence[Fact]) -> None:
        self.batch = Batch()
        spoken = [(mention.entity, mention.evidence) for mention in mentions]
        for fact in facts:
            spoken += [(fact.subject, fact.evidence), (fact.object, fact.evidence)]
        # Those that bring aliases come first: an alias is then known before it is met as a name.
        spoken.sort(key=lambda pair: not pair[0].aliases)
        names = {name for entity, _ in spoken for name in (entity.name, *entity.aliases)}
        self._names = rows.names({_key(name) for name in names})
        self._there = rows.things({name.entity_id for name in self._names.values()})
        for entity, evidence in spoken:
            self._mention(entity, evidence)
        for fact in facts:
            self._relate(fact)

    def _mention(self, entity: Entity, evidence: Evidence) -> None:
        key = _key(entity.name)
        if key not in self._names:
            self._name(Name(key, entity.name, entity_id(entity.name)))
        meant = self._names[key].entity_id
        self._describe(meant, entity)
        sentence = self._sentence(evidence)
        self.batch.add_support(Support(meant, key, sentence.id, evidence.confidence))
        for alias in entity.aliases:
            key = _key(alias)
            if key not in self._names:
                self._name(Name(key, alias, meant))
            if self._names[key].entity_id == meant:
                self.batch.add_support(Support(meant, key, sentence.id, evidence.confidence))

    def _name(self, name: Name) -> None:
        self._names[name.key] = name
        self.batch.names[name.key] = name

    def _describe(self, meant: str, entity: Entity) -> None:
        """Keep the entity as it is, but with a more telling kind."""
        thing = self.batch.things.get(meant) or self._there.get(meant)
        if thing is None:
            self.batch.things[meant] = Thing(meant, entity.name, entity.kind, entity.language)
        elif (kind := _more_telling(thing.kind, entity.kind)) is not thing.kind:
            self.batch.things[meant] = replace(thing, kind=kind)

    def _sentence(self, evidence: Evidence) -> Sentence:
        sentence = sentence_of(evidence)
        return self.batch.sentences.setdefault(sentence.id, sentence)

    def _relate(self, fact: Fact) -> None:
        subject, object_ = (
            self._names[_key(entity.name)].entity_id for entity in (fact.subject, fact.object)
        )
        if subject == object_:
            return  # two names of one entity; the sentence is kept as evidence of it
        link = Link(relation_id(subject, fact.kind, object_), subject, fact.kind, object_)
        self.batch.links[link.id] = link
        sentence = self._sentence(fact.evidence)
        confidence = fact.evidence.confidence
        self.batch.add_support(Support(link.id, "", sentence.id, confidence, fact.label))


def _key(name: str) -> str:
    key = key_of(name)
    if not key:
        raise ValueError("an entity without a name")
    return key


def _more_telling(there: EntityKind, other: EntityKind) -> EntityKind:
    return other if _TELLING.get(other, 2) > _TELLING.get(there, 2) else there


def merge(rows: GraphRows, keep: str, drop: str) -> None:
    """Make two entities one. Raises `NotFoundError`."""
    things = rows.things({keep, drop})
    if keep not in things or drop not in things:
        raise NotFoundError("This entity is not in the graph (any more).")
    if keep != drop:
        kind = _more_telling(things[keep].kind, things[drop].kind)
        _absorb(rows, replace(things[keep], kind=kind), drop)


def _absorb(rows: GraphRows, keep: Thing, drop: str) -> None:
    """Store `keep` and move everything of `drop` to it."""
    links = rows.links_of([drop])
    batch = Batch(things={keep.id: keep})
    batch.names = {name.key: replace(name, entity_id=keep.id) for name in rows.names_of([drop])}
    moved = {drop: keep.id}
    for link in links:
        subject, object_ = (
            keep.id if end == drop else end for end in (link.subject_id, link.object_id)
        )
        if subject != object_:
            new = Link(relation_id(subject, link.kind, object_), subject, link.kind, object_)
            batch.links[new.id] = new
            moved[link.id] = new.id
    for support, _ in rows.support_of(moved):
        batch.add_support(replace(support, target_id=moved[support.target_id]))
    rows.put(batch)
    rows.drop_support([drop, *(link.id for link in links)])
    rows.drop_links(links)
    rows.drop_things([drop])


def remove_source(rows: GraphRows, kind: SourceKind, source_id: str) -> int:
    """Delete the sentences of a source and what only they say; return how many they were."""
    ids = rows.sentences_of(kind, source_id)
    if not ids:
        return 0
    gone = {(s.target_id, s.name_key) for s in rows.support_by(ids)}
    rows.drop_sentences(ids)
    left = rows.supported({target for target, _ in gone})
    lost = gone - left
    named = {target for target, key in gone if key}
    silent = {target for target, key in lost if not key}
    if silent:
        rows.drop_links([link for link in rows.links_of(named) if link.id in silent])
    still = {target for target, key in left if key}
    rows.drop_things(named - still)
    _forget_names(rows, {key: target for target, key in lost if key and target in still})
    return len(ids)


def _forget_names(rows: GraphRows, lost: dict[str, str]) -> None:
    """Delete names (key to entity) that no sentence says any more, of entities that stay.

    An entity that loses the name it is known by is known by another one from then on.
    """
    if not lost:
        return
    rows.drop_names(lost)
    others: dict[str, list[Name]] = defaultdict(list)
    for name in rows.names_of(set(lost.values())):
        others[name.entity_id].append(name)
    for thing in rows.things(set(lost.values())).values():
        if key_of(thing.name) in lost:
            known_by = others[thing.id][0].name
            _absorb(rows, replace(thing, id=entity_id(known_by), name=known_by), thing.id)


def find(rows: GraphRows, names: Sequence[str]) -> list[Entity]:
    """Return the entities with one of these names, each once, in the order of the names."""
    keys = list(dict.fromkeys(key_of(name) for name in names))
    found = rows.names(keys)
    ids = list(dict.fromkeys(found[key].entity_id for key in keys if key in found))
    things = rows.things(ids)
    return entities(rows, [things[id_] for id_ in ids if id_ in things])


def entities(rows: GraphRows, things: Sequence[Thing]) -> list[Entity]:
    """Return entities with their aliases."""
    aliases: dict[str, list[Name]] = defaultdict(list)
    for name in rows.names_of([thing.id for thing in things]):
        aliases[name.entity_id].append(name)
    return [
        Entity(
            id=thing.id,
            name=thing.name,
            kind=thing.kind,
            language=thing.language,
            aliases=tuple(n.name for n in aliases[thing.id] if n.key != key_of(thing.name)),
        )
        for thing in things
    ]


def relations(rows: GraphRows, links: Sequence[Link]) -> list[Relation]:
    """Return relations with their entities and evidence."""
    ends = {end for link in links for end in (link.subject_id, link.object_id)}
    ends_by_id = {e.id: e for e in entities(rows, list(rows.things(ends).values()))}
    said = _said(rows, [link.id for link in links])
    return [
        Relation(
            id=link.id,
            subject=ends_by_id[link.subject_id],
            kind=link.kind,
            object=ends_by_id[link.object_id],
            evidence=tuple(evidence_of(*pair) for pair in said[link.id]),
            label=next((support.label for support, _ in said[link.id] if support.label), ""),
        )
        for link in links
        if link.subject_id in ends_by_id and link.object_id in ends_by_id and link.id in said
    ]


def evidence(rows: GraphRows, ids: Sequence[str]) -> dict[str, list[Evidence]]:
    """Return the evidence of entities, each sentence once, the most certain first."""
    found: dict[str, list[Evidence]] = {}
    for target, pairs in _said(rows, ids).items():
        first = {sentence.id: (support, sentence) for support, sentence in reversed(pairs)}
        found[target] = [evidence_of(*pair) for pair in pairs if first[pair[1].id] == pair]
    return found


def _said(rows: GraphRows, ids: Collection[str]) -> dict[str, list[tuple[Support, Sentence]]]:
    """Return what supports targets, the most certain first, then the earliest."""
    found: dict[str, list[tuple[Support, Sentence]]] = defaultdict(list)
    for support, sentence in rows.support_of(ids):
        found[support.target_id].append((support, sentence))
    for pairs in found.values():
        pairs.sort(key=lambda pair: (-pair[0].confidence, pair[1].at, pair[1].id, pair[0].name_key))
    return dict(found)
