"""The composition root of the memory engine: settings and stores to its parts."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import chain
from typing import Any, TypedDict

from core import adapters
from core.afterwards import Afterwards
from core.domain.memory import Memory, MemoryKind
from core.graph.knowledge import KnowledgeGraph
from core.graph.rules import RuleExtractor
from core.graph_learning import GraphLearning
from core.housekeeping import Housekeeping
from core.memory.archive import Archive
from core.memory.capacity import Capacity
from core.memory.consolidation import Consolidation
from core.memory.engine import OF_DOCUMENTS, MemoryEngine
from core.memory.forgetting import Forgetting
from core.memory.near_duplicates import NearDuplicates
from core.memory.refinement import MemoryRefining
from core.memory.replacing import Replacing
from core.memory.returning import Returning
from core.memory.undo import Removed, Settle, Undo
from core.memory_adapters import ARCHIVE_STORE, CHANGE_LOG, ERASURE_STORE, make_graph_store
from core.perceiving import Perceiving
from core.perceptual_parts import PerceptualParts
from core.ports.embedder import Embedder
from core.ports.erasure_store import ErasureStore
from core.ports.extractor import Extractor
from core.ports.graph_store import GraphStore
from core.ports.memory_store import MemoryStore
from core.ports.refiner import Refiner
from core.ports.upkeep_store import ArchiveStore, ChangeLog
from core.ports.vector_store import VectorStore
from core.settings import Settings


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a random id."""
    return str(uuid.uuid4())


Elsewhere = Callable[[str], Iterable[Memory]]
"""Returns the memories of a namespace that are kept outside the records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryParts:
    """The parts of the memory engine, shared by all learners. Making them opens nothing."""

    engine: MemoryEngine
    records: MemoryStore
    vectors: VectorStore
    archived: ArchiveStore
    archive: Archive
    undo: Undo
    forgetting: Forgetting
    replacing: Replacing
    returning: Returning
    consolidation: Consolidation
    near_duplicates: NearDuplicates
    graph_store: GraphStore
    graph: KnowledgeGraph
    graph_learning: GraphLearning
    refining: MemoryRefining | None
    perceptual: PerceptualParts | None
    perceiving: Perceiving | None
    changes: ChangeLog
    erasure: ErasureStore
    housekeeping: Housekeeping
    afterwards: Afterwards

    def ensure_ready(self) -> None:
        """Open the stores, and go on with what was left over. Raises `StoreError`."""
        self.vectors.ensure_ready()
        if self.perceptual is not None:
            self.perceptual.ensure_ready()
        self.graph_store.ensure_ready()
        if self.undo.expire_of_all():
            self._sweep_of_all()
        if self.refining is not None:
            self.refining.want_all()
        self.housekeeping.start()

    def _sweep_of_all(self) -> None:
        """Delete the kept files of ALL learners that no memory refers to any more."""
        for namespace in self.erasure.namespaces_of_all():
            self.engine.perceptual.sweep(namespace=namespace)

    def document_removed(self, document_id: str, namespace: str) -> None:
        """Forget what is kept of a document that is being deleted, wherever it is.

        These are its figures and passages, among the memories, in the archive and in the undo log,
        and what the graph knows from it. Raises `StoreError`; may be repeated.
        """

        def is_of_it(memory: Memory) -> bool:
            named = memory.metadata.get("document_id") == document_id
            return named and memory.event in OF_DOCUMENTS

        self.engine.forget_document(document_id, namespace=namespace)
        archived = self.archived.list(namespace=namespace)
        self.archived.take([m.id for m in archived if is_of_it(m)], namespace=namespace)
        for change in self.changes.list(namespace=namespace):
            for memory in filter(is_of_it, change.before):
                self.changes.remove_memory(memory.id, namespace=namespace)
        self.graph_learning.document_removed(document_id, namespace)

    def stop(self) -> None:
        """Finish what is under way, before the stores are closed."""
        self.housekeeping.stop()
        self.afterwards.close()
        if self.refining is not None:
            self.refining.close()

    def close(self) -> None:
        """Release the stores. They open again at the next use."""
        self.vectors.close()
        if self.perceptual is not None:
            self.perceptual.close()
        self.graph_store.close()
        self.records.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Base:
    """What the other parts are made with: the engine, its stores, and what learns beside it."""

    settings: Settings
    clock: Callable[[], datetime]
    engine: MemoryEngine
    records: MemoryStore
    vectors: VectorStore
    archived: ArchiveStore
    changes: ChangeLog
    perceptual: PerceptualParts | None


def memory_parts(
    settings: Settings,
    database: Any,
    embedder: Embedder,
    *,
    clock: Callable[[], datetime] = utc_now,
    refiner: Refiner | None = None,
    extractor: Extractor | None = None,
    page_extractor: Extractor | None = None,
    make_perceptual: Callable[[Elsewhere], PerceptualParts] | None = None,
) -> MemoryParts:
    """Wire the memory engine on a database of records. Opens nothing.

    Without a `refiner` memories have one vector each; without an `extractor` the graph is read by
    rules (`page_extractor` reads documents, where that is another one); without `make_perceptual`
    files cannot be perceived.
    """
    base = _base(settings, database, embedder, clock, make_perceptual)
    engine = base.engine
    afterwards = Afterwards("memory")
    graph_store = make_graph_store(settings, database)
    graph = KnowledgeGraph(
        graph_store, extractor or RuleExtractor(), clock, page_extractor=page_extractor
    )
    learning = GraphLearning(graph, engine, afterwards)
    refining = None
    if refiner is not None:
        refining = MemoryRefining(
            store=base.records, vectors=base.vectors, durable=engine.durable, refiner=refiner
        )
    engine.find_with(refining=refining, graph=graph.related_memories)
    perceptual = base.perceptual
    return MemoryParts(
        engine=engine,
        records=base.records,
        vectors=base.vectors,
        archived=base.archived,
        changes=base.changes,
        erasure=adapters.load(ERASURE_STORE)(database),
        graph_store=graph_store,
        graph=graph,
        graph_learning=learning,
        refining=refining,
        perceptual=perceptual,
        perceiving=None if perceptual is None else perceptual.perceiving(engine),
        afterwards=afterwards,
        **_upkeep(base, learning),
    )


def _base(
    settings: Settings,
    database: Any,
    embedder: Embedder,
    clock: Callable[[], datetime],
    make_perceptual: Callable[[Elsewhere], PerceptualParts] | None,
) -> _Base:
    records = adapters.load(adapters.MEMORY_STORE)(database)
    vectors = adapters.make_vector_store(settings, embedder, "memories")
    archived = adapters.load(ARCHIVE_STORE)(database)
    changes = adapters.load(CHANGE_LOG)(database)

    def elsewhere(namespace: str) -> Iterable[Memory]:
        logged = (m for change in changes.list(namespace=namespace) for m in change.before)
        return chain(archived.list(namespace=namespace), logged)

    perceptual = None if make_perceptual is None else make_perceptual(elsewhere)
    engine = MemoryEngine(
        store=records,
        vectors=vectors,
        embedder=embedder,
        clock=clock,
        new_id=new_id,
        working_capacity=settings.working_memory_capacity,
        working_ttl_minutes=settings.working_memory_ttl,
        senses=None if perceptual is None else perceptual.senses,
    )
    return _Base(
        settings=settings,
        clock=clock,
        engine=engine,
        records=records,
        vectors=vectors,
        archived=archived,
        changes=changes,
        perceptual=perceptual,
    )


class _Upkeep(TypedDict):
    """What looks after memories."""

    archive: Archive
    undo: Undo
    forgetting: Forgetting
    replacing: Replacing
    returning: Returning
    consolidation: Consolidation
    near_duplicates: NearDuplicates
    housekeeping: Housekeeping


def _upkeep(base: _Base, learning: GraphLearning) -> _Upkeep:
    """Return it, told of what comes and goes."""
    engine, clock, records = base.engine, base.clock, base.records
    archive = Archive(
        archived=base.archived,
        store=records,
        durable=engine.durable,
        clock=clock,
        turns=engine.turns,
        holds=lambda memory, owner: replacing.holds(memory, owner),
    )
    undo = _undo(
        base,
        learning,
        archive,
        let_go=lambda ids, owner: replacing.let_go(ids, owner),
        settle=lambda memories, owner: returning.settle(memories, owner),
    )
    replacing = Replacing(
        store=records,
        working=engine.working,
        undo=undo,
        on_removed=[learning.removed],
        on_restored=[lambda memories, owner: _learn_again(learning, memories, owner)],
    )
    returning = Returning(store=records, working=engine.working, undo=undo, replacing=replacing)
    consolidation = _consolidation(base, undo, replacing, learning)
    housekeeping = Housekeeping(
        consolidation=consolidation, archive=archive, undo=undo, clock=clock
    )
    engine.subscribe(
        added=[learning.added, replacing.added, partial(_make_room, _capacity(base, archive))],
        removed=[learning.removed, replacing.let_go],
        seen=[replacing.added],
        first=[housekeeping.note],
    )
    return _Upkeep(
        archive=archive,
        undo=undo,
        forgetting=_forgetting(base, undo),
        replacing=replacing,
        returning=returning,
        consolidation=consolidation,
        near_duplicates=NearDuplicates(store=records, durable=engine.durable, undo=undo),
        housekeeping=housekeeping,
    )


def _capacity(base: _Base, archive: Archive) -> Capacity:
    return Capacity(
        capacities=_capacities(base.settings),
        store=base.records,
        archive=archive,
        clock=base.clock,
        turns=base.engine.turns,
    )


def _forgetting(base: _Base, undo: Undo) -> Forgetting:
    return Forgetting(
        undo=undo,
        store=base.records,
        working=base.engine.working,
        capacities=_capacities(base.settings),
        clock=base.clock,
    )


def _undo(
    base: _Base,
    learning: GraphLearning,
    archive: Archive,
    *,
    let_go: Removed,
    settle: Settle,
) -> Undo:
    engine = base.engine
    return Undo(
        changes=base.changes,
        store=base.records,
        vectors=base.vectors,
        durable=engine.durable,
        working=engine.working,
        clock=base.clock,
        new_id=new_id,
        turns=engine.turns,
        on_restored=[
            archive.restored,
            lambda memories, owner: _learn_again(learning, memories, owner),
            lambda _, owner: engine.refine_again(owner),
        ],
        on_removed=[learning.removed, let_go],
        on_let_go=[lambda owner: engine.perceptual.sweep(namespace=owner)],
        settle=settle,
    )


def _consolidation(
    base: _Base, undo: Undo, replacing: Replacing, learning: GraphLearning
) -> Consolidation:
    return Consolidation(
        store=base.records,
        vectors=base.vectors,
        durable=base.engine.durable,
        working=base.engine.working,
        undo=undo,
        changes=base.changes,
        replacing=replacing,
        clock=base.clock,
        working_ttl_minutes=base.settings.working_memory_ttl,
        on_added=[learning.added],
        on_removed=[learning.removed],
    )


def _learn_again(learning: GraphLearning, memories: Sequence[Memory], namespace: str) -> None:
    learning.removed([memory.id for memory in memories], namespace)
    for memory in memories:
        learning.added(memory, namespace)


def _make_room(capacity: Capacity, memory: Memory, namespace: str) -> None:
    if memory.kind is not MemoryKind.WORKING:  # that one makes room itself
        capacity.note_added(memory.kind, namespace=namespace, but=[memory.id])


def _capacities(settings: Settings) -> dict[MemoryKind, int]:
    return {
        MemoryKind.WORKING: settings.working_memory_capacity,
        MemoryKind.EPISODIC: settings.episodic_memory_capacity,
        MemoryKind.SEMANTIC: settings.semantic_memory_capacity,
        MemoryKind.PERCEPTUAL: settings.perceptual_memory_capacity,
    }
