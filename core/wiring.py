"""The composition root: settings to adapters to engines."""

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from core import adapters
from core.asking import Asking
from core.background import Background
from core.domain.job import JobKind
from core.domain.study import AssistantStatus
from core.files import LearnerFiles
from core.graph_reading import GraphReading
from core.memory_parts import MemoryParts, memory_parts, new_id, utc_now
from core.perceptual_parts import perceptual_parts
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.history_store import HistoryStore
from core.ports.jobs import JobQueue, JobStore
from core.ports.llm import LLM
from core.ports.reader import PageInspector
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
from core.secret import kept_secret
from core.settings import Settings, load_settings

_SECRET_FILE = "secret.key"


class Services:
    """The heavy parts, shared by all learners of a process. Making one opens nothing."""

    def __init__(
        self,
        settings: Settings,
        *,
        engine: RAGEngine,
        asking: Asking,
        memory_parts: MemoryParts,
        history: HistoryStore,
        jobs: JobQueue,
        recorder: Recorder,
        files: LearnerFiles,
        inspector: PageInspector,
        status: AssistantStatus,
        refiner: Refiner | None,
        graph_reading: GraphReading,
        start: Callable[[], None],
        stop: Callable[[], None],
    ) -> None:
        self.settings = settings
        self.engine = engine
        self.asking = asking
        self.memory = memory_parts.engine
        self.memory_parts = memory_parts
        self.history = history
        self.jobs = jobs
        self.recorder = recorder
        self.files = files
        self.inspector = inspector
        self.refiner = refiner
        self.graph_reading = graph_reading
        self._status = status
        self.clock: Callable[[], datetime] = utc_now
        self.new_id: Callable[[], str] = new_id
        self._start = start
        self._stop = stop
        self._ready = False
        self._lock = threading.Lock()

    def ensure_ready(self) -> None:
        """Open the stores and remove what a crash left, once. Raises `StoreError`."""
        with self._lock:
            if not self._ready:
                self._start()
                self._ready = True

    def warm_up(self) -> None:
        """Load what the first document and the first question would otherwise wait for."""
        self.ensure_ready()
        self.engine.warm_up()
        if self.refiner is not None:
            self.refiner.warm_up()

    @property
    def status(self) -> AssistantStatus:
        """What answers, and where things are kept."""
        trouble = None if self.refiner is None else self.refiner.trouble
        return self._status if trouble is None else replace(self._status, refining=trouble)

    def wait_refined(self, *, namespace: str, timeout: float) -> bool:
        """Wait until no document of the namespace is being refined; `False` after `timeout` s.

        Tests and evals need it; a learner waits for nothing.
        """
        return self.jobs.wait_for_kind(JobKind.REFINE, namespace=namespace, timeout=timeout)

    def close(self) -> None:
        """Release stores and worker processes. They open again at the next use."""
        with self._lock:
            self._stop()
            self._ready = False

    def user_secret(self) -> bytes:
        """Return the key that turns browser tokens into user ids, making it at the first call."""
        if self.settings.app_secret is not None:
            return self.settings.app_secret.get_secret_value().encode()
        return kept_secret(self.settings.data_dir / _SECRET_FILE)


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
    readers: Readers,
    files: LearnerFiles,
) -> _Stores:
    database = adapters.load(adapters.DATABASE)(settings.database_url, settings.data_dir)
    return _Stores(
        vectors=adapters.make_vector_store(settings, embedder, "documents"),
        documents=adapters.load(adapters.DOCUMENT_STORE)(database),
        memory=memory_parts(
            settings,
            database,
            embedder,
            refiner=refiner,
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
    jobs: JobQueue,
    library: Library,
    indexes: Indexes,
    readers: Readers,
    recorder: Recorder,
    refining: Refining,
    graph_reading: GraphReading,
) -> None:
    background = Background(
        jobs=jobs,
        library=library,
        indexes=indexes,
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
    *,
    library: Library,
    indexes: Indexes,
    readers: Readers,
    jobs: JobQueue,
    files: LearnerFiles,
    refining: Refining,
    refiner: Refiner | None,
) -> RAGEngine:
    ingestion = Ingestion(
        library=library,
        reader=readers.reader,
        jobs=jobs,
        new_id=new_id,
        refine_all=refining.want_all,
    )
    retriever = Retriever(
        indexes=indexes,
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
        embedder=indexes.current.embedder,
        documents=stores.documents,
        index=stores.vectors,
        inspector=readers.inspector,
        files=files,
    )


def _asking(
    settings: Settings,
    llm: LLM | None,
    *,
    engine: RAGEngine,
    memory: MemoryParts,
    recorder: Recorder,
    history: HistoryStore,
) -> Asking:
    return Asking(
        engine=engine,
        rememberer=Rememberer(
            memory.engine,
            history,
            lambda namespace: engine.documents(namespace=namespace),
            utc_now,
            memory.archive,
        ),
        recorder=recorder,
        history=history,
        new_model=adapters.meter(settings, llm),
        afterwards=memory.afterwards,
        clock=utc_now,
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


def build_services(settings: Settings, *, embedder: Embedder | None = None) -> Services:
    """Wire everything. Opens nothing and connects to nothing.

    `embedder` replaces the configured one (to count what reaches it). Raises `ConfigurationError`.
    """
    embedder = embedder or adapters.make_embedder(settings)
    llm = adapters.make_llm(settings)
    refiner = adapters.make_refiner(settings)
    readers = Readers.made(settings)
    files = LearnerFiles(settings.data_dir)
    stores = _stores(settings, embedder, refiner, readers, files)
    recorder = Recorder(stores.memory.engine, stores.history, utc_now)
    jobs: JobQueue = adapters.load(adapters.JOB_QUEUE)(stores.jobs)
    indexes = _indexes(settings, embedder, stores)
    index_stores = IndexStores(embedder, stores.vectors, stores.documents)
    library = Library(index_stores, indexes, files, utc_now, _on_removed(stores, recorder))
    graph_reading = GraphReading(
        stores.memory.graph, stores.documents, jobs=jobs, clock=utc_now, new_id=new_id
    )
    refining = Refining(index_stores, refiner, jobs=jobs, new_id=new_id)
    _register_jobs(settings, jobs, library, indexes, readers, recorder, refining, graph_reading)
    engine = _engine(
        settings,
        stores,
        library=library,
        indexes=indexes,
        readers=readers,
        jobs=jobs,
        files=files,
        refining=refining,
        refiner=refiner,
    )
    asking = _asking(
        settings,
        llm,
        engine=engine,
        memory=stores.memory,
        recorder=recorder,
        history=stores.history,
    )
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
        start=start,
        stop=stop,
    )


def _on_removed(stores: _Stores, recorder: Recorder) -> Callable[[str, str], None]:
    """Return what removes what others keep of a document: passages, figures, graph."""

    def removed(document_id: str, namespace: str) -> None:
        recorder.removed(document_id, namespace)
        stores.memory.graph_learning.document_removed(document_id, namespace)

    return removed


def _status(
    settings: Settings, embedder: Embedder, llm: LLM | None, refiner: Refiner | None
) -> AssistantStatus:
    url = settings.database_url
    return AssistantStatus(
        answering="extractive" if llm is None else llm.name,
        embedder=embedder.name,
        vector_store="qdrant-edge" if settings.qdrant_url is None else "qdrant",
        record_store="sqlite" if url is None else url.partition(":")[0].partition("+")[0],
        data_dir=str(settings.data_dir),
        refining="off" if refiner is None else refiner.name,
    )


@functools.cache
def shared_services() -> Services:
    """Return the services of this process, from the environment and `.env`.

    The embedded stores can be held only once, so scripts that make several assistants share these.
    """
    return build_services(load_settings())
