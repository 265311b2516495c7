"""The memory engine: what is kept, recalled and forgotten of each learner."""

import builtins
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from core.domain.memory import Memory, MemoryHit, MemoryKind, MemoryState, Scorer
from core.errors import InvalidInputError
from core.memory.base import BaseMemory
from core.memory.checks import checked_memory, checked_metadata, checked_query, storable
from core.memory.durable import DurableMemory, EpisodicMemory, SemanticMemory
from core.memory.latest_first import latest_first
from core.memory.perceptual import PerceptualMemory, Senses
from core.memory.query import (
    DOCUMENT_LOADED,
    FIGURE,
    PASSAGE,
    QA_INTERACTION,
    QUESTION,
    SEEN,
    parse_query,
)
from core.memory.recall import Recall
from core.memory.refinement import MemoryRefining
from core.memory.renewal import Renewal
from core.memory.scope import scope_of
from core.memory.sightings import Sightings
from core.memory.summary import summarise
from core.memory.turns import Turns
from core.memory.tutorial_scorer import GraphScores, no_graph
from core.memory.working import WorkingMemory
from core.ports.embedder import Embedder
from core.ports.memory_store import MemoryStore
from core.ports.vector_store import VectorStore

Added = Callable[[Memory, str], None]
"""Gets a memory that was added, changed or said again, and its namespace."""
Removed = Callable[[Sequence[str], str], None]
"""Gets the ids of memories that are gone, and their namespace."""

EACH_TIME = frozenset({QUESTION, QA_INTERACTION, DOCUMENT_LOADED})
"""Events that are kept each time they happen: the same question on two days was asked twice."""
OF_DOCUMENTS = (FIGURE, PASSAGE)
"""Events whose text is a document's; their metadata name it as `document_id`."""


class MemoryEngine:
    """The four kinds of memory behind one interface. Safe in several threads.

    `clock` gives aware times; days and weeks in a query begin at midnight of its time zone.
    `turns` are held by whatever changes memories.
    """

    def __init__(
        self,
        *,
        store: MemoryStore,
        vectors: VectorStore,
        embedder: Embedder,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        working_capacity: int,
        working_ttl_minutes: float,
        senses: Senses | None = None,
    ) -> None:
        self.turns = Turns()
        self._store = store
        self._vectors = vectors
        self._clock = clock
        self._new_id = new_id
        self._on_added: builtins.list[Added] = []
        self._on_removed: builtins.list[Removed] = []
        self._on_seen: builtins.list[Added] = []
        self._working = WorkingMemory(
            capacity=working_capacity, ttl_minutes=working_ttl_minutes, clock=clock
        )
        self._perceptual = PerceptualMemory(
            store=store, vectors=vectors, embedder=embedder, senses=senses
        )
        self._durable: dict[MemoryKind, DurableMemory] = {
            MemoryKind.EPISODIC: EpisodicMemory(store=store, vectors=vectors, embedder=embedder),
            MemoryKind.SEMANTIC: SemanticMemory(store=store, vectors=vectors, embedder=embedder),
            MemoryKind.PERCEPTUAL: self._perceptual,
        }
        self._renewal = Renewal(store, vectors, self._durable, self.turns)
        self._sightings = Sightings(store, self._working)
        self._recall = Recall(
            working=self._working,
            durable=self._durable,
            store=store,
            embedder=embedder,
            clock=clock,
        )

    def add(
        self,
        content: str,
        kind: MemoryKind,
        *,
        namespace: str,
        session_id: str,
        event: str,
        importance: float,
        metadata: Mapping[str, object] | None = None,
    ) -> Memory:
        """Remember something and return it. When it raises, nothing was kept.

        The same text again (`core.text.same`, of the same kind and event) is one memory with one
        more sighting and the higher importance; what was done (`EACH_TIME`) is kept each time.
        Raises `InvalidInputError` (no content, over `MAX_CONTENT_CHARS`, importance outside [0, 1],
        metadata that cannot be kept), `ModelError`, `StoreError`.
        """
        with self.turns.of(namespace):
            memory = checked_memory(
                Memory(
                    id=self._new_id(),
                    kind=kind,
                    content=content,
                    importance=importance,
                    created_at=self._clock(),
                    session_id=session_id,
                    event=event,
                    metadata=metadata or {},
                )
            )
            self._renewal.ensure(namespace)
            if event not in EACH_TIME:
                seen = self._sightings.count(memory, namespace=namespace)
                if seen is not None:
                    _tell(self._on_seen, seen, namespace)
                    return seen
            self.type_of(kind).add(memory, namespace=namespace)
            _tell(self._on_added, memory, namespace)
        return memory

    def subscribe(
        self,
        *,
        added: Sequence[Added] = (),
        removed: Sequence[Removed] = (),
        seen: Sequence[Added] = (),
        first: Sequence[Callable[[str], None]] = (),
    ) -> None:
        """Tell these, in this order, of what comes and goes from now on; before the first use.

        Those in `first` are told of each namespace once, when it is first used.
        What is changed goes and comes again when its text changed, or whether it counts. Those in
        `seen` are told of what was said again. All are told in the learner's turn.
        """
        self._renewal.first += first
        self._on_added += added
        self._on_removed += removed
        self._on_seen += seen

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return a memory, whatever its kind and state. Raises `NotFoundError`, `StoreError`."""
        for memory in self._working.list(namespace=namespace):
            if memory.id == memory_id:
                return memory
        return self._store.get(memory_id, namespace=namespace)

    def update(self, memory: Memory, *, namespace: str) -> Memory:
        """Keep a memory as it is now and return it as it is kept; its id and kind say which.

        Its uses and sightings stay as they are: `note_used` and `add` count those.

        Raises `NotFoundError`, `InvalidInputError` as `add`, `ModelError` and `StoreError`.
        """
        memory = checked_memory(memory)
        self._renewal.ensure(namespace)
        with self.turns.of(namespace):
            before = self.get(memory.id, namespace=namespace)
            memory = replace(
                memory,
                uses=before.uses,
                used_at=before.used_at,
                sightings=before.sightings,
                seen_at=before.seen_at,
            )
            self.type_of(memory.kind).update(memory, namespace=namespace)
            if _counted(before) != _counted(memory):
                self._tell_removed([memory.id], namespace)
                if _counted(memory):
                    _tell(self._on_added, memory, namespace)
        return memory

    def note_used(self, ids: Sequence[str], *, namespace: str) -> None:
        """Count one more use of these memories; those that are not there are left out."""
        now = self._clock()
        with self.turns.of(namespace):
            lasting = set(ids) - self._working.note_used(ids, at=now, namespace=namespace)
            if lasting:
                self._store.note_used(sorted(lasting), at=now, namespace=namespace)

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        states: Sequence[MemoryState] = (MemoryState.CURRENT,),
        events: Sequence[str] = (),
        limit: int | None = None,
    ) -> builtins.list[Memory]:
        """Return memories, newest first; no `kinds`, `states` or `events` means all."""
        working: builtins.list[Memory] = []
        if not kinds or MemoryKind.WORKING in kinds:
            working = [
                m
                for m in self._working.list(namespace=namespace, since=since, until=until)
                if (not states or m.state in states) and (not events or m.event in events)
            ]
        durable = [kind for kind in self._durable if not kinds or kind in kinds]
        kept: builtins.list[Memory] = []
        if durable:
            kept = self._store.list(
                namespace=namespace,
                kinds=durable,
                since=since,
                until=until,
                states=states,
                events=events,
                limit=limit,
            )
        if not working:
            return kept
        return sorted([*working, *kept], key=lambda m: m.created_at, reverse=True)[:limit]

    def recall(
        self,
        query: str,
        *,
        namespace: str,
        limit: int = 5,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        min_importance: float = 0.0,
        zone: tzinfo | None = None,
        scorer: Scorer = Scorer.DEFAULT,
    ) -> builtins.list[MemoryHit]:
        """Return what has to do with the query, best first; `[]` when nothing has.

        The query may name a time ("last week", "昨天") and a kind of event ("my notes",
        "我问过哪些问题"); without a subject besides, everything of that time and kind comes,
        newest first, all with relevance 1. Days are those of `zone`, of the clock's without one.
        Raises `InvalidInputError` for a query without letters or over `MAX_QUERY_CHARS`,
        `ModelError` and `StoreError`.
        """
        query = checked_query(query)
        if limit < 1:
            raise InvalidInputError("The number of memories to recall must be at least 1.")
        self._renewal.ensure(namespace)
        parsed = parse_query(query, self._clock().astimezone(zone) if zone else self._clock())
        scope = scope_of(parsed, namespace, kinds, since, until)
        scope = replace(scope, min_importance=min_importance)
        found = self._recall.find(parsed.text, scope, limit=limit, scorer=scorer)
        if not found and parsed.events == SEEN:
            # "the diagram of …" may be asked for what was read or noted in words only
            scope = replace(scope, events=())
            found = self._recall.find(parsed.text, scope, limit=limit, scorer=scorer)
        return latest_first(found, parsed.text) if scorer is Scorer.DEFAULT else found

    def find_with(self, *, refining: MemoryRefining | None, graph: GraphScores = no_graph) -> None:
        """Find by second vectors too, and by a graph with the tutorial's scorer; before use."""
        self._recall.refining, self._recall.graph = refining, graph
        if refining is not None:
            self.subscribe(added=[lambda _, namespace: refining.want(namespace)])

    def refine_again(self, namespace: str) -> None:
        """Give memories that came back their second vectors, in the background."""
        if self._recall.refining is not None:
            self._recall.refining.want(namespace)

    def add_figures(
        self,
        figures: Sequence[tuple[str, Mapping[str, object]]],
        *,
        importance: float,
        namespace: str,
        session_id: str,
    ) -> None:
        """Keep figures of a document as perceptual memories, from captions and metadata.

        The metadata names `document_id`, `page` and `box`; the same figure is kept once. Raises
        `ModelError` and `StoreError`.
        """
        memories = [
            Memory(
                id=_figure_id(metadata),
                kind=MemoryKind.PERCEPTUAL,
                content=storable(caption),
                importance=importance,
                created_at=self._clock(),
                session_id=session_id,
                event=FIGURE,
                metadata=checked_metadata(metadata),
            )
            for caption, metadata in figures
        ]
        if memories:
            self._durable[MemoryKind.PERCEPTUAL].add_all(memories, namespace=namespace)

    def forget_document(self, document_id: str, *, namespace: str) -> None:
        """Forget what was seen in a document that is being deleted: its figures and passages.

        What the learner did with it (loads, questions, notes) stays. Raises `StoreError`.
        """
        for kind in (MemoryKind.PERCEPTUAL, MemoryKind.SEMANTIC):
            seen = self._store.list(namespace=namespace, kinds=[kind], events=OF_DOCUMENTS)
            ids = [m.id for m in seen if m.metadata.get("document_id") == document_id]
            self._durable[kind].delete_all(ids, namespace=namespace)
            self._tell_removed(ids, namespace)

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Forget one memory for good, in every store. Raises `NotFoundError`, `StoreError`."""
        with self.turns.of(namespace):
            memory = self.get(memory_id, namespace=namespace)
            self.type_of(memory.kind).delete(memory_id, namespace=namespace)
            self._tell_removed([memory_id], namespace)

    def clear(self, kind: MemoryKind, *, namespace: str) -> int:
        """Forget all memories of one kind for good, and return how many that were."""
        with self.turns.of(namespace):
            ids = [m.id for m in self.list(namespace=namespace, kinds=[kind], states=())]
            self.type_of(kind).clear(namespace=namespace)
            self._tell_removed(ids, namespace)
        return len(ids)

    def forget_namespace(self, namespace: str) -> None:
        """Forget everything of one learner, vectors first. Raises `StoreError`; may be repeated."""
        with self.turns.of(namespace):
            self._working.clear(namespace=namespace)
            self._vectors.delete(namespace=namespace, where={})
            self._perceptual.clear(namespace=namespace)
            ids = [memory.id for memory in self._store.list(namespace=namespace)]
            self._store.delete_all(ids, namespace=namespace)
            self._tell_removed(ids, namespace)

    def count(self, *, namespace: str) -> dict[MemoryKind, int]:
        """Return how many there are of each kind; a kind without any is left out."""
        working = len(self._working.list(namespace=namespace))
        counts = self._store.count(namespace=namespace)
        return ({MemoryKind.WORKING: working} if working else {}) | counts

    def summary(self, *, namespace: str, limit: int = 10) -> dict[str, object]:
        """Return counts, mean importance per kind and important memories (see `summarise`)."""
        return summarise(self.list(namespace=namespace), limit=limit)

    @property
    def working(self) -> WorkingMemory:
        """Working memory itself."""
        return self._working

    @property
    def perceptual(self) -> PerceptualMemory:
        """Perceptual memory itself."""
        return self._perceptual

    @property
    def durable(self) -> Mapping[MemoryKind, DurableMemory]:
        """The kinds of memory that last."""
        return self._durable

    def type_of(self, kind: MemoryKind) -> BaseMemory:
        """Return the memory of one kind."""
        return self._working if kind is MemoryKind.WORKING else self._durable[kind]

    def _tell_removed(self, ids: Sequence[str], namespace: str) -> None:
        if ids:
            for listener in self._on_removed:
                listener(ids, namespace)


def _tell(listeners: Sequence[Added], memory: Memory, namespace: str) -> None:
    for listener in listeners:
        listener(memory, namespace)


def _counted(memory: Memory) -> str:
    """Return the text by which a memory counts, "" when it does not."""
    return memory.content if memory.state is MemoryState.CURRENT else ""


def _figure_id(metadata: Mapping[str, object]) -> str:
    place = (metadata.get("document_id"), metadata.get("page"), metadata.get("box"))
    return str(uuid.uuid5(uuid.NAMESPACE_OID, repr(place)))
