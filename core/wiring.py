"""The composition root: settings to adapters to engines. The only place that names adapters."""

import functools
import importlib
import logging
import os
import secrets
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.domain.study import AssistantStatus
from core.errors import (
    ConfigurationError,
    MissingDependencyError,
    StoreError,
    UnknownBackendError,
)
from core.files import LearnerFiles
from core.memory.manager import MemoryManager
from core.ports.document_store import DocumentStore
from core.ports.embedder import Embedder
from core.ports.history_store import HistoryStore
from core.ports.llm import LLM
from core.ports.memory_store import MemoryStore
from core.ports.reader import DocumentReader, PageInspector
from core.ports.vector_store import VectorStore
from core.rag.engine import RAGEngine
from core.rag.ingestion import Ingestion
from core.rag.retrieval import Retriever
from core.settings import Settings, load_settings

logger = logging.getLogger(__name__)

EMBEDDERS = {"builtin": "core.embeddings.builtin:BuiltinEmbedder"}
VECTOR_STORES = {
    "qdrant-edge": "core.stores.qdrant_edge:QdrantEdgeStore",
    "qdrant": "core.stores.qdrant_client_store:QdrantClientStore",
}
LLMS = {"openai-compatible": "core.llms.openai_compatible:OpenAICompatibleLLM"}
READER = "core.readers.limited:LimitedReader"
INSPECTOR = "core.readers.inspector:LimitedInspector"
DATABASE = "core.stores.database:open_database"
DOCUMENT_STORE = "core.stores.documents:SqlDocumentStore"
MEMORY_STORE = "core.stores.memories:SqlMemoryStore"
HISTORY_STORE = "core.stores.history:SqlHistoryStore"

DEFAULT_LLM_URL = "https://api.openai.com/v1"
_SECRET_FILE = "secret.key"
_SECRET_BYTES = 32


def load(target: str) -> Any:
    """Return what `module:name` names.

    Raises `MissingDependencyError` when a package it needs is not installed.
    """
    module, _, name = target.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as exc:
        if exc.name is None or exc.name.split(".")[0] in ("core", "app"):
            raise
        raise MissingDependencyError(
            f"The package {exc.name} is not installed.",
            remedy="Install requirements.txt (and the optional file that the README names).",
        ) from exc


def utc_now() -> datetime:
    """Return the time, aware, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return a random id."""
    return str(uuid.uuid4())


class Services:
    """The heavy parts, shared by all learners of a process. Making one opens nothing."""

    def __init__(
        self,
        settings: Settings,
        *,
        engine: RAGEngine,
        memory: MemoryManager,
        history: HistoryStore,
        files: LearnerFiles,
        inspector: PageInspector,
        status: AssistantStatus,
        start: Callable[[], None],
        stop: Callable[[], None],
    ) -> None:
        self.settings = settings
        self.engine = engine
        self.memory = memory
        self.history = history
        self.files = files
        self.inspector = inspector
        self.status = status
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

    def close(self) -> None:
        """Release stores and worker processes. They open again at the next use."""
        with self._lock:
            self._stop()
            self._ready = False

    def user_secret(self) -> bytes:
        """Return the key that turns browser tokens into user ids, making it at the first call."""
        if self.settings.app_secret is not None:
            return self.settings.app_secret.get_secret_value().encode()
        return _kept_secret(self.settings.data_dir / _SECRET_FILE)


def _kept_secret(path: Path) -> bytes:
    """Return the key in `path`, made at the first call. Raises `StoreError`."""
    try:
        if not path.exists() and (path.parent / "learners").exists():
            logger.warning("%s is gone: a new one is made, and nobody's browser fits it", path)
        path.parent.mkdir(parents=True, exist_ok=True)
        # The first of several processes wins; the others read what it wrote.
        fresh = path.with_suffix(f".{secrets.token_hex(4)}")
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(_SECRET_BYTES).encode())
        if not path.exists():
            fresh.rename(path)
        fresh.unlink(missing_ok=True)
        secret = path.read_bytes()
    except OSError as exc:
        raise StoreError(
            f"The folder {path.parent} cannot be written.",
            remedy="Set DATA_DIR to a folder the application may write to.",
        ) from exc
    if len(secret) < _SECRET_BYTES:
        raise StoreError(
            f"{path} is damaged: with another key no browser would find its own data.",
            remedy="Restore the file from a backup; if there is none, delete it.",
        )
    return secret


def _embedder(settings: Settings) -> Embedder:
    target = EMBEDDERS.get(settings.embed_model_type)
    if target is None:
        raise UnknownBackendError(
            f"EMBED_MODEL_TYPE={settings.embed_model_type} is not built in yet.",
            remedy=f"Set it to one of: {', '.join(EMBEDDERS)}.",
        )
    embedder: Embedder = load(target)()
    wanted = settings.qdrant_vector_size
    if wanted is not None and wanted != embedder.dimension:
        raise ConfigurationError(
            f"QDRANT_VECTOR_SIZE is {wanted}, but the embedder {embedder.name} makes vectors of "
            f"length {embedder.dimension}.",
            remedy=f"Remove QDRANT_VECTOR_SIZE or set it to {embedder.dimension}.",
        )
    return embedder


def _vector_store(settings: Settings, embedder: Embedder, purpose: str) -> VectorStore:
    """Return the collection for `purpose` (`documents` or `memories`)."""
    name = f"{settings.qdrant_collection}_{purpose}"
    shape = {"dimension": embedder.dimension, "embedder": embedder.name}
    if settings.qdrant_url is None:
        folder = settings.data_dir / "vectors" / name
        edge: VectorStore = load(VECTOR_STORES["qdrant-edge"])(folder, **shape)
        return edge
    location = settings.qdrant_url
    if location != ":memory:" and "://" not in location:
        location = str(Path(location) / name)
    client: VectorStore = load(VECTOR_STORES["qdrant"])(
        location,
        collection=name,
        api_key=_value(settings.qdrant_api_key),
        timeout=settings.qdrant_timeout,
        **shape,
    )
    return client


def _value(secret: Any) -> str | None:
    return None if secret is None else str(secret.get_secret_value())


def _llm(settings: Settings) -> LLM | None:
    """Return the model, or None for extractive answers. Raises `ConfigurationError`."""
    if settings.llm_model_id is None:
        if settings.llm_api_key is not None or settings.llm_base_url is not None:
            raise ConfigurationError(
                "LLM_API_KEY or LLM_BASE_URL is set, but no model is named.",
                remedy="Set LLM_MODEL_ID too, or remove both for built-in answers.",
            )
        return None
    llm: LLM = load(LLMS["openai-compatible"])(
        settings.llm_model_id,
        base_url=settings.llm_base_url or DEFAULT_LLM_URL,
        api_key=_value(settings.llm_api_key),
        timeout=settings.llm_timeout,
        max_retries=settings.llm_max_retries,
        max_tokens=settings.llm_max_tokens,
    )
    return llm


def _reader_limits(settings: Settings) -> Any:
    return load("core.readers.limits:Limits")(
        memory_mb=settings.reader_memory_mb,
        cpu_seconds=settings.reader_cpu_seconds,
        wall_seconds=settings.reader_wall_seconds,
        max_pages=settings.max_pages,
        max_file_mb=settings.max_file_mb,
    )


@dataclass(frozen=True, slots=True)
class _Stores:
    """Everything that keeps something, not opened yet."""

    vectors: VectorStore
    memory_vectors: VectorStore
    documents: DocumentStore
    memories: MemoryStore
    history: HistoryStore

    def close(self) -> None:
        for store in (
            self.vectors,
            self.memory_vectors,
            self.documents,
            self.memories,
            self.history,
        ):
            store.close()


def _stores(settings: Settings, embedder: Embedder) -> _Stores:
    database = load(DATABASE)(settings.database_url, settings.data_dir)
    return _Stores(
        vectors=_vector_store(settings, embedder, "documents"),
        memory_vectors=_vector_store(settings, embedder, "memories"),
        documents=load(DOCUMENT_STORE)(database),
        memories=load(MEMORY_STORE)(database),
        history=load(HISTORY_STORE)(database),
    )


def _memory(settings: Settings, stores: _Stores, embedder: Embedder) -> MemoryManager:
    return MemoryManager(
        store=stores.memories,
        vectors=stores.memory_vectors,
        embedder=embedder,
        clock=utc_now,
        new_id=new_id,
        working_capacity=settings.working_memory_capacity,
        working_ttl_minutes=settings.working_memory_ttl,
    )


def _engine(
    stores: _Stores,
    *,
    reader: DocumentReader,
    inspector: PageInspector,
    files: LearnerFiles,
    embedder: Embedder,
    llm: LLM | None,
) -> RAGEngine:
    documents, vectors = stores.documents, stores.vectors
    return RAGEngine(
        ingestion=Ingestion(
            reader=reader,
            embedder=embedder,
            vectors=vectors,
            documents=documents,
            files=files,
            clock=utc_now,
        ),
        retriever=Retriever(embedder=embedder, vectors=vectors, documents=documents),
        embedder=embedder,
        documents=documents,
        inspector=inspector,
        files=files,
        llm=llm,
    )


def build_services(settings: Settings, *, embedder: Embedder | None = None) -> Services:
    """Wire everything. Opens nothing and connects to nothing.

    `embedder` replaces the configured one (to count what reaches it). Raises `ConfigurationError`.
    """
    embedder = embedder or _embedder(settings)
    llm = _llm(settings)
    stores = _stores(settings, embedder)
    limits = _reader_limits(settings)
    inspector: PageInspector = load(INSPECTOR)(limits)
    files = LearnerFiles(settings.data_dir)
    engine = _engine(
        stores,
        reader=load(READER)(limits),
        inspector=inspector,
        files=files,
        embedder=embedder,
        llm=llm,
    )

    def start() -> None:
        stores.vectors.ensure_ready()
        stores.memory_vectors.ensure_ready()
        engine.clean_up()

    def stop() -> None:
        inspector.close()
        stores.close()

    return Services(
        settings,
        engine=engine,
        memory=_memory(settings, stores, embedder),
        history=stores.history,
        files=files,
        inspector=inspector,
        status=_status(settings, embedder, llm),
        start=start,
        stop=stop,
    )


def _status(settings: Settings, embedder: Embedder, llm: LLM | None) -> AssistantStatus:
    url = settings.database_url
    return AssistantStatus(
        answering="extractive" if llm is None else llm.name,
        embedder=embedder.name,
        vector_store="qdrant-edge" if settings.qdrant_url is None else "qdrant",
        record_store="sqlite" if url is None else url.partition(":")[0].partition("+")[0],
        data_dir=str(settings.data_dir),
    )


@functools.cache
def shared_services() -> Services:
    """Return the services of this process, from the environment and `.env`.

    The embedded stores can be held only once, so scripts that make several assistants share these.
    """
    return build_services(load_settings())
