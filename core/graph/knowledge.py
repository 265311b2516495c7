"""The knowledge graph of a learner: learning from texts, answering about connections."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from itertools import combinations

from core.domain.graph import Entity, EntityKind, Evidence, Relation, SourceKind, name_key
from core.domain.graph_views import (
    Connection,
    GraphPassage,
    GraphPicture,
    GraphQuality,
    MergeProposal,
    RelatedPassages,
    Step,
)
from core.domain.memory import Memory
from core.errors import NotFoundError
from core.graph import picture, quality, relating
from core.graph.aliases import proposals
from core.graph.asked import asks_connection
from core.graph.fusing import GRAPH_WEIGHT, RELATIONAL_WEIGHT
from core.graph.learning import Learned, Reading, Source, learned, surname
from core.graph.sentences import sentences_of
from core.graph.spotting import Spotter, candidates, spellings
from core.ports.extractor import Extractor
from core.ports.graph_store import GraphStore
from core.text.tokens import language_of

_ASKED_ABOUT = 4
KNOWN = 2_000
"""So many entities of a graph, those with the most relations, are looked for in new texts."""
PageText = tuple[int, str, str]
"""Physical page, its text, its language (`en` or `zh`)."""


class KnowledgeGraph:
    """Learns from memories and documents and tells what is connected. Thread-safe.

    `page_extractor` reads documents where that should not be `extractor`: a model that is paid for
    is asked about notes, hardly about a book. Every method raises `StoreError`; those
    that read texts also `ModelError` where a model reads.
    """

    def __init__(
        self,
        store: GraphStore,
        extractor: Extractor,
        clock: Callable[[], datetime],
        *,
        page_extractor: Extractor | None = None,
    ) -> None:
        self._store = store
        self._extractor = extractor
        self._page_extractor = page_extractor or extractor
        self._clock = clock

    @property
    def reads_with(self) -> str:
        """What reads notes, as shown to the learner."""
        return self._extractor.name

    def learn_memory(self, memory: Memory, *, namespace: str) -> int:
        """Read a memory's content into the graph; return how many facts it gave.

        Of a memory whose content changed, forget the source first.
        """
        language = language_of(memory.content)
        source = Source(kind=SourceKind.MEMORY, id=memory.id, page=None, at=self._clock())
        return self._learn([(source, memory.content, language)], self._extractor, namespace)

    def learn_answer(self, asked: Memory, text: str, *, namespace: str) -> int:
        """Read what a model answered, as documents are read: no further call for it is made.

        The memory of the question is the source. Returns how many facts it gave.
        """
        source = Source(kind=SourceKind.MEMORY, id=asked.id, page=None, at=self._clock())
        return self._learn([(source, text, language_of(text))], self._page_extractor, namespace)

    def learn_pages(self, document_id: str, pages: Iterable[PageText], *, namespace: str) -> int:
        """Read pages of a document into the graph, in one write; return how many facts they gave.

        Some pages at a time are enough; what the graph knows already is found again on them.
        """
        now = self._clock()
        texts = [
            (Source(kind=SourceKind.DOCUMENT, id=document_id, page=page, at=now), text, language)
            for page, text, language in pages
        ]
        return self._learn(texts, self._page_extractor, namespace)

    def _learn(
        self, texts: Sequence[tuple[Source, str, str]], extractor: Extractor, namespace: str
    ) -> int:
        readings = [
            Reading(
                source=source,
                sentences=list(dict.fromkeys(sentences_of(text))),
                extracted=extractor.extract(text, language=language),
            )
            for source, text, language in texts
        ]
        known = self._store.entities(namespace=namespace, limit=KNOWN)
        persons = self._met(known, readings, namespace)
        found = learned(readings, known, persons)
        self._store.write(found.mentions, found.facts, namespace=namespace)
        self._join(found, namespace)
        return len(found.facts)

    def _met(
        self, known: Sequence[Entity], readings: Sequence[Reading], namespace: str
    ) -> list[Entity]:
        """Return the known persons of whom the same source speaks and whose surname is read."""
        read = {
            name_key(one.name)
            for reading in readings
            for one in (
                *(mention.entity for mention in reading.extracted.mentions),
                *(fact.subject for fact in reading.extracted.facts),
                *(fact.object for fact in reading.extracted.facts),
            )
        }
        likely = {
            one.id: one
            for one in known
            if one.kind is EntityKind.PERSON and name_key(surname(one.name) or one.name) in read
        }
        if not likely:
            return []
        sources = {(reading.source.kind, reading.source.id) for reading in readings}
        said = self._store.evidence(list(likely), namespace=namespace)
        return [
            likely[id_]
            for id_, evidence in said.items()
            if any((e.source_kind, e.source_id) in sources for e in evidence)
        ]

    def _join(self, found: Learned, namespace: str) -> None:
        """Make entities one that were two before a sentence said that they are the same."""
        for one, other in dict.fromkeys((a.id, b.name) for a, b in found.same):
            kept = next(a for a, _ in found.same if a.id == one)
            both = self._store.find([kept.name, other], namespace=namespace)
            # A name that is another thing's alias already stays with that: ML has two meanings.
            if len(both) == 2 and name_key(both[1].name) == name_key(other):
                self._store.merge(both[0].id, both[1].id, namespace=namespace)

    def forget_source(self, kind: SourceKind, source_id: str, *, namespace: str) -> int:
        """Remove what only this source says; return how many sentences went."""
        return self._store.remove_source(kind, source_id, namespace=namespace)

    def sources(self, kind: SourceKind, *, namespace: str) -> list[str]:
        """Return the ids of sources of this kind that the graph knows something of."""
        return self._store.sources(kind, namespace=namespace)

    def clear(self, *, namespace: str) -> None:
        """Remove everything of a learner."""
        self._store.clear(namespace=namespace)

    def entity(self, name: str, *, namespace: str) -> Entity:
        """Return the entity a learner means by a name. Raises `NotFoundError`."""
        words = name.split()
        if words and words[0].lower() in ("the", "a", "an") and len(words) > 1:
            words = words[1:]
        names = list(spellings(words)) if words else []
        found = self._store.find([name, *names], namespace=namespace)
        if not found:
            raise NotFoundError(f"“{name}” is not in the knowledge graph.")
        return found[0]

    def entities_of(self, question: str, *, namespace: str) -> list[Entity]:
        """Return the entities that a question names, in its order; longer names before parts."""
        found = self._store.find(candidates(question), namespace=namespace)
        return Spotter(found).find(question)

    def connected(self, one: str, other: str, *, namespace: str) -> Connection:
        """Return how two things are connected, with a sentence for each step.

        Without steps when they are not. Raises `NotFoundError` for a name nobody mentioned.
        """
        start = self.entity(one, namespace=namespace)
        end = self.entity(other, namespace=namespace)
        return self._connection(start, end, namespace)

    def connection_asked(self, question: str, *, namespace: str) -> Connection | None:
        """Return the connection that a question asks for in so many words, None without two things.

        Of more than two things, the first two that are connected count.
        """
        if not asks_connection(question):
            return None
        named = self.entities_of(question, namespace=namespace)[:_ASKED_ABOUT]
        found = [self._connection(a, b, namespace) for a, b in combinations(named, 2)]
        return next((one for one in found if one.steps), found[0] if found else None)

    def _connection(self, start: Entity, end: Entity, namespace: str) -> Connection:
        if start.id == end.id:
            return Connection(start=start, end=end)
        steps, at = [], start.id
        for relation in self._store.shortest_path(start.id, end.id, namespace=namespace):
            forward = relation.subject.id == at
            at = relation.object.id if forward else relation.subject.id
            steps.append(Step(relation=relation, forward=forward, evidence=relation.evidence[0]))
        return Connection(start=start, end=end, steps=tuple(steps))

    def about(
        self, name: str, *, namespace: str, hops: int = 1, limit: int = 200
    ) -> list[Relation]:
        """Return what is said of a thing, within `hops` steps. Raises `NotFoundError`."""
        one = self.entity(name, namespace=namespace)
        return self._store.neighbourhood([one.id], namespace=namespace, hops=hops, limit=limit)

    def evidence(self, name: str, *, namespace: str) -> list[Evidence]:
        """Return the sentences that speak of a thing. Raises `NotFoundError`."""
        one = self.entity(name, namespace=namespace)
        return self._store.evidence([one.id], namespace=namespace).get(one.id, [])

    def related_memories(self, query: str, *, namespace: str) -> dict[str, float]:
        """Return how near memories are to a query by the graph, in (0, 1], by memory id."""
        weights: dict[str, list[float]] = {}
        for one in self._related(query, namespace).sentences:
            if one.evidence.source_kind is SourceKind.MEMORY:
                weights.setdefault(one.evidence.source_id, []).append(one.weight)
        return {memory_id: relating.together(own) for memory_id, own in weights.items()}

    def related_passages(self, query: str, *, namespace: str, limit: int = 20) -> RelatedPassages:
        """Return the sentences of documents that the graph relates to a query.

        Sentences that only name a thing come where none says anything of it.
        """
        best: dict[tuple[str, int, str], float] = {}
        related = self._related(query, namespace)
        for one in related.sentences:
            said = one.evidence
            if said.source_kind is SourceKind.DOCUMENT and said.page is not None:
                key = (said.source_id, said.page, said.sentence)
                best[key] = max(best.get(key, 0.0), one.weight)
        stated = {key: weight for key, weight in best.items() if weight > relating.MENTIONED}
        best = stated or best
        ordered = sorted(best.items(), key=lambda item: (-item[1], item[0]))
        passages = [
            GraphPassage(document_id=document_id, page=page, sentence=sentence, score=score)
            for (document_id, page, sentence), score in ordered[:limit]
        ]
        weight = RELATIONAL_WEIGHT if related.relational else GRAPH_WEIGHT
        return RelatedPassages(passages=tuple(passages), weight=weight if passages else 0.0)

    def _related(self, query: str, namespace: str) -> relating.Related:
        entities = self.entities_of(query, namespace=namespace)
        return relating.weighed(
            self._store, relating.asked_of(query, entities), namespace=namespace
        )

    def proposals(self, *, namespace: str) -> list[MergeProposal]:
        """Return pairs of entities that may be one, the surest first."""
        return proposals(self._store.entities(namespace=namespace, limit=quality.MOST))

    def merge(self, keep: str, drop: str, *, namespace: str) -> None:
        """Make two entities one, as the learner says. Raises `NotFoundError`."""
        self._store.merge(keep, drop, namespace=namespace)

    def quality(self, *, namespace: str) -> GraphQuality:
        """Return what may be wrong with the graph."""
        return quality.quality_of(self._store, namespace=namespace)

    def picture(
        self, *, namespace: str, around: str | None = None, limit: int = 60
    ) -> GraphPicture:
        """Return the graph to be drawn, at most `limit` entities.

        `around` narrows to the surroundings of a thing; raises `NotFoundError` for an unknown one.
        """
        if around is None:
            return picture.of_all(self._store, namespace=namespace, limit=limit)
        one = self.entity(around, namespace=namespace)
        return picture.around(self._store, one, namespace=namespace, limit=limit)
