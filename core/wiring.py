"""The composition root: settings to adapters to engines."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from core import adapters
from core.asking import Asking
from core.background import Background
from core.domain.study import AssistantStatus
from core.erasing_parts import Keepers, erasing_of
from core.files import LearnerFiles
from core.graph.ways import way_asked_for
from core.graph_extractors import memory_extractor, page_extractor
from core.graph_reading import GraphReading
from core.memory_parts import MemoryParts, memory_parts, new_id, utc_now
from core.perceptual_parts import perceptual_parts
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.history_store import HistoryStore
from core.ports.jobs import JobQueue, JobStore
from core.ports.llm import LLM
from core.ports.refiner import Refiner
from core.ports.vector_store import VectorStore
from core.rag.engine import RAGEngine
from core.rag.finding import Finder, FindingSettings
from core.rag.indexes import Index, Indexes
from core.rag.indexing import IndexStores
from core.rag.ingestion import Ingestion
from core.rag.library import Library
from core.rag.refining import Refining
from core.rag.retrieval import Retriever
from core.reading_parts import Readers
from core.recording import Recorder
from core.remembering import Rememberer
from core.services import Services
from core.settings import Settings, load_settings


@dataclass(frozen=True, slots=True)
class _Stores:
    """Everything that keeps something, not opened yet."""

    vectors: VectorStore
    documents: DocumentStore
    memory: MemoryParts
    history: HistoryStore
    jobs: JobStore

    def close(self) -> None:
        for store in (
            self.vectors,
            self.documents,
            self.memory,
            self.history,
        ):
            store.close()


def _stores(
    settings: Settings,
    embedder: Embedder,
    refiner: Refiner | None,
    llm: LLM | None,
    readers: Readers,
    files: LearnerFiles,
    clock: Callable[[], datetime],
) -> _Stores:
    database = adapters.load(adapters.DATABASE)(settings.database_url, settings.data_dir)
    return _Stores(
        vectors=adapters.make_vector_store(settings, embedder, "documents"),
        documents=adapters.load(adapters.DOCUMENT_STORE)(database),
        memory=memory_parts(
            settings,
            database,
            embedder,
            clock=clock,
            refiner=refiner,
            extractor=memory_extractor(llm),
            page_extractor=page_extractor(),
            make_perceptual=lambda elsewhere: perceptual_parts(
                settings,
                files=files,
                reader=readers.reader,
                inspector=readers.inspector,
                recogniser=readers.recogniser,
                elsewhere=elsewhere,
            ),
        ),
        history=adapters.load(adapters.HISTORY_STORE)(database),
        jobs=adapters.load(adapters.JOB_STORE)(database),
    )


def _register_jobs(
    settings: Settings,
    keepers: Keepers,
    readers: Readers,
    recorder: Recorder,
    refining: Refining,
    graph_reading: GraphReading,
) -> None:
    background = Background(
        jobs=keepers.jobs,
        library=keepers.library,
        indexes=keepers.indexes,
        reader=readers.reader,
        recogniser=readers.recogniser,
        recorder=recorder,
        refining=refining,
        graph_reading=graph_reading,
        new_id=new_id,
    )
    background.register(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)


def _engine(
    settings: Settings,
    stores: _Stores,
    keepers: Keepers,
    readers: Readers,
    refining: Refining,
    refiner: Refiner | None,
) -> RAGEngine:
    ingestion = Ingestion(
        library=keepers.library,
        reader=readers.reader,
        jobs=keepers.jobs,
        new_id=new_id,
        refine_all=refining.want_all,
    )
    retriever = Retriever(
        indexes=keepers.indexes,
        documents=stores.documents,
        refiner=refiner,
        dictionary=adapters.make_dictionary(settings),
    )
    finder = Finder(
        retriever,
        settings=FindingSettings(
            enable_mqe=settings.enable_mqe,
            enable_hyde=settings.enable_hyde,
            expansion_seconds=settings.expansion_seconds,
        ),
        make_reranker=adapters.reranker_factory(settings),
    )
    return RAGEngine(
        ingestion=ingestion,
        finder=finder,
        embedder=keepers.indexes.current.embedder,
        documents=stores.documents,
        index=stores.vectors,
        inspector=readers.inspector,
        files=keepers.files,
        find_way=partial(way_asked_for, keepers.memory.graph),
    )


def _asking(
    settings: Settings,
    llm: LLM | None,
    *,
    engine: RAGEngine,
    stores: _Stores,
    recorder: Recorder,
    clock: Callable[[], datetime],
) -> Asking:
    return Asking(
        engine=engine,
        rememberer=Rememberer(
            stores.memory.engine,
            stores.history,
            lambda namespace: engine.documents(namespace=namespace),
            clock,
            stores.memory.archive,
        ),
        recorder=recorder,
        history=stores.history,
        new_model=adapters.meter(settings, llm),
        afterwards=stores.memory.afterwards,
        on_generated=stores.memory.graph_learning.answered,
        clock=clock,
        new_id=new_id,
    )


def _lifecycle(
    stores: _Stores,
    readers: Readers,
    jobs: JobQueue,
    indexes: Indexes,
    engine: RAGEngine,
    refiner: Refiner | None,
) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what opens everything and what closes it."""

    def start() -> None:
        stores.vectors.ensure_ready()
        stores.memory.ensure_ready()
        engine.resume()

    def stop() -> None:
        jobs.close()
        stores.memory.stop()
        readers.close()
        if refiner is not None:
            refiner.close()
        indexes.close()
        stores.close()

    return start, stop


def _indexes(settings: Settings, embedder: Embedder, stores: _Stores) -> Indexes:
    current = Index(embedder, stores.vectors)
    return Indexes(current, lambda name: adapters.former_index(settings, name))


def _keepers(
    settings: Settings,
    embedder: Embedder,
    stores: _Stores,
    files: LearnerFiles,
    clock: Callable[[], datetime],
) -> Keepers:
    indexes = _indexes(settings, embedder, stores)
    index_stores = IndexStores(embedder, stores.vectors, stores.documents)
    return Keepers(
        memory=stores.memory,
        indexes=indexes,
        library=Library(index_stores, indexes, files, clock, stores.memory.document_removed),
        history=stores.history,
        jobs=adapters.load(adapters.JOB_QUEUE)(stores.jobs),
        files=files,
    )


def build_services(
    settings: Settings,
    *,
    embedder: Embedder | None = None,
    clock: Callable[[], datetime] = utc_now,
) -> Services:
    """Wire everything. Opens nothing and connects to nothing.

    `embedder` replaces the configured one (to count what reaches it), `clock` the time. Raises
    `ConfigurationError`.
    """
    embedder = embedder or adapters.make_embedder(settings)
    llm = adapters.make_llm(settings)
    refiner = adapters.make_refiner(settings)
    readers = Readers.made(settings)
    files = LearnerFiles(settings.data_dir)
    stores = _stores(settings, embedder, refiner, llm, readers, files, clock)
    recorder = Recorder(stores.memory.engine, stores.history, clock)
    keepers = _keepers(settings, embedder, stores, files, clock)
    jobs, indexes = keepers.jobs, keepers.indexes
    graph_reading = GraphReading(
        stores.memory.graph, stores.documents, jobs=jobs, clock=clock, new_id=new_id
    )
    refining = Refining(keepers.library.stores, refiner, jobs=jobs, new_id=new_id)
    _register_jobs(settings, keepers, readers, recorder, refining, graph_reading)
    engine = _engine(settings, stores, keepers, readers, refining, refiner)
    asking = _asking(settings, llm, engine=engine, stores=stores, recorder=recorder, clock=clock)
    start, stop = _lifecycle(stores, readers, jobs, indexes, engine, refiner)
    return Services(
        settings,
        engine=engine,
        asking=asking,
        memory_parts=stores.memory,
        history=stores.history,
        jobs=jobs,
        recorder=recorder,
        files=files,
        inspector=readers.inspector,
        status=_status(settings, embedder, llm, refiner),
        refiner=refiner,
        graph_reading=graph_reading,
        erasing=erasing_of(settings, keepers, clock=clock),
        clock=clock,
        start=start,
        stop=stop,
    )


def _status(
    settings: Settings, embedder: Embedder, llm: LLM | None, refiner: Refiner | None
) -> AssistantStatus:
    url = settings.database_url
    records = "sqlite" if url is None else url.partition(":")[0].partition("+")[0]
    return AssistantStatus(
        answering="extractive" if llm is None else llm.name,
        embedder=embedder.name,
        vector_store="qdrant-edge" if settings.qdrant_url is None else "qdrant",
        record_store=records,
        graph_store=records if settings.neo4j_uri is None else "neo4j",
        data_dir=str(settings.data_dir),
        refining="off" if refiner is None else refiner.name,
    )


@functools.cache
def shared_services() -> Services:
    """Return the services of this process, from the environment and `.env`.

    The embedded stores can be held only once, so scripts that make several assistants share these.
    """
    return build_services(load_settings())
