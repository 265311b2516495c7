"""The registries of adapters, and how each one is made from the settings.

The only place that names adapters. An entry is "module:name" and is imported when it is configured.
"""

import hashlib
import importlib
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.domain.perception import Modality
from core.errors import ConfigurationError, MissingDependencyError, UnknownBackendError
from core.ports.embedder import Embedder
from core.ports.llm import LLM
from core.ports.metered import MeteredModel
from core.ports.perceiver import SoundReader
from core.ports.perceptual_encoder import PerceptualEncoder
from core.ports.reader import DocumentReader, PageInspector
from core.ports.recogniser import PageRecogniser
from core.ports.refiner import Refiner
from core.ports.reranker import Reranker
from core.ports.tool_calling import ToolCallingLLM
from core.ports.vector_store import VectorStore
from core.rag.dictionary import Dictionary
from core.rag.indexes import Index
from core.settings import Settings

logger = logging.getLogger(__name__)

EMBEDDERS = {
    "builtin": "core.embeddings.builtin:BuiltinEmbedder",
    "local": "core.embeddings.local:LocalEmbedder",
    "dashscope": "core.embeddings.dashscope:DashScopeEmbedder",
    "openai": "core.embeddings.openai_compatible:OpenAICompatibleEmbedder",
    "tfidf": "core.embeddings.tfidf:TfidfEmbedder",
}
VECTOR_STORES = {
    "qdrant-edge": "core.stores.qdrant_edge:QdrantEdgeStore",
    "qdrant": "core.stores.qdrant_client_store:QdrantClientStore",
}
LLMS = {
    "openai": "core.llms.openai_compatible:OpenAICompatibleLLM",
    "dashscope": "core.llms.dashscope:DashScopeLLM",
}
TOOL_LLM = "core.llms.tool_calling:ToolCallingOpenAI"
TOOL_LLM_ADDRESS = "core.llms.tool_calling:compatible_address"
METERED_LLM = "core.llms.metered:MeteredLLM"
RERANKERS = {
    "cross-encoder": "core.rerankers.cross_encoder:CrossEncoderReranker",
    "llm": "core.rerankers.by_llm:LLMReranker",
}
READER = "core.readers.limited:LimitedReader"
INSPECTOR = "core.readers.inspector:LimitedInspector"
DATABASE = "core.stores.database:open_database"
DOCUMENT_STORE = "core.stores.documents:SqlDocumentStore"
MEMORY_STORE = "core.stores.memories:SqlMemoryStore"
HISTORY_STORE = "core.stores.history:SqlHistoryStore"
JOB_STORE = "core.stores.jobs:SqlJobStore"
JOB_QUEUE = "core.jobs.queue:BackgroundJobs"
RECOGNISER = "core.readers.recogniser:LimitedRecogniser"
DICTIONARY_FILE = "cedict-1.2.0.npz"
"""Named by the version of the package that it is made from."""
REFINER = "core.embeddings.e5:RefiningEmbedder"
PERCEPTUAL_ENCODERS = {
    Modality.IMAGE: "core.encoders.clip:ClipEncoder",
    Modality.AUDIO: "core.encoders.clap:ClapEncoder",
}
LISTENER = "core.readers.listener:LimitedListener"

_UNMARKED_EMBEDDER = "use-multilingual"
"""The collections of the built-in embedder have the plain name."""
TFIDF_FOLDER = "tfidf"
"""In DATA_DIR."""
DEFAULT_LLM_URLS = {
    "openai": "https://api.openai.com/v1",
    "dashscope": "https://dashscope.aliyuncs.com/api/v1",
}
DEFAULT_LLMS = {"dashscope": "qwen-plus"}
"""Where the provider's name and a key are enough."""


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


def make_embedder(settings: Settings) -> Embedder:
    """Return the configured embedder, and never another one. Raises `ConfigurationError`."""
    embedder = _embedder(settings, settings.embed_model_name)
    wanted = settings.qdrant_vector_size
    if wanted is not None and wanted != embedder.dimension:
        raise ConfigurationError(
            f"QDRANT_VECTOR_SIZE is {wanted}, but the embedder {embedder.name} makes vectors of "
            f"length {embedder.dimension}.",
            remedy=f"Remove QDRANT_VECTOR_SIZE or set it to {embedder.dimension}.",
        )
    return embedder


def _embedder(settings: Settings, model: str | None) -> Embedder:
    """Return an embedder of the configured type, of `model` where it has several."""
    kind = settings.embed_model_type
    target = EMBEDDERS.get(kind)
    if target is None:
        raise UnknownBackendError(
            f"EMBED_MODEL_TYPE={kind} does not exist.",
            remedy=f"Set it to one of: {', '.join(EMBEDDERS)}.",
        )
    if kind == "openai" and settings.embed_base_url is None and settings.embed_api_key is None:
        raise ConfigurationError(
            "EMBED_MODEL_TYPE=openai needs a key or an address.",
            remedy="Set EMBED_API_KEY, or EMBED_BASE_URL for a server of your own.",
        )
    named = {} if model is None else {"model": model}
    options: dict[str, dict[str, Any]] = {
        "local": {**named, "dimension": settings.embed_dimension},
        "openai": {**named, **_service(settings)},
        "dashscope": {**named, **_service(settings)},
        "tfidf": {"folder": settings.data_dir / TFIDF_FOLDER},
    }
    embedder: Embedder = load(target)(**options.get(kind, {}))
    return embedder


def _service(settings: Settings) -> dict[str, Any]:
    """Return what embedding services are told; without an address the adapter's own counts."""
    address = {} if settings.embed_base_url is None else {"base_url": settings.embed_base_url}
    return {
        **address,
        "api_key": secret_value(settings.embed_api_key),
        "dimension": settings.embed_dimension,
        "timeout": settings.embed_timeout,
        "max_retries": settings.embed_max_retries,
    }


def make_dictionary(settings: Settings) -> Dictionary:
    """Return the dictionary for questions in another language than the documents'."""
    return Dictionary(settings.data_dir / "cache" / DICTIONARY_FILE)


def make_refiner(settings: Settings) -> Refiner | None:
    """Return what refines behind the built-in embedder, None when that is not wanted."""
    if not settings.refine_enabled or settings.embed_model_type != "builtin":
        return None
    refiner: Refiner = load(REFINER)()
    return refiner


def former_index(settings: Settings, name: str) -> Index | None:
    """Return the index of documents of an embedder that is not in use any more.

    None when no embedder of that name can be made with these settings. A service is asked only
    while it is the configured one: its key is not for another, and neither are questions. Nothing
    is downloaded.
    """
    try:
        embedder = _former_embedder(settings, name)
    except ConfigurationError as exc:
        logger.info("A former embedder cannot be had: %s", exc)
        return None
    if embedder is None or embedder.name != name:
        return None
    return Index(embedder, make_vector_store(settings, embedder, "documents"))


def _former_embedder(settings: Settings, name: str) -> Embedder | None:
    kind, _, rest = name.partition(":")
    former: Embedder | None = None
    if name.startswith(_UNMARKED_EMBEDDER):
        former = load(EMBEDDERS["builtin"])()
    elif kind == "local":
        former = load(EMBEDDERS["local"])(rest, offline=True)
    elif kind == "tfidf":
        former = load("core.embeddings.tfidf:former_fit")(settings.data_dir / TFIDF_FOLDER, name)
    elif kind == settings.embed_model_type:
        model, _, tail = rest.rpartition("/")
        dimension = int(length) if (length := tail.partition("@")[0]).isdecimal() else None
        asked = settings.model_copy(update={"embed_dimension": dimension})
        former = _embedder(asked, model)
    return former


def collection_name(
    settings: Settings, embedder: Embedder | PerceptualEncoder, purpose: str
) -> str:
    """Return the name of a collection: each embedder has its own."""
    plain = f"{settings.qdrant_collection}_{purpose}"
    if embedder.name.startswith(_UNMARKED_EMBEDDER):
        return plain
    return f"{plain}_{hashlib.sha256(embedder.name.encode()).hexdigest()[:8]}"


def make_vector_store(
    settings: Settings, embedder: Embedder | PerceptualEncoder, purpose: str
) -> VectorStore:
    """Return the collection for `purpose`: `documents`, `memories`, `perceptual_image`, ….

    Each embedder or encoder has its own. Raises `ConfigurationError`.
    """
    name = collection_name(settings, embedder, purpose)
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
        api_key=secret_value(settings.qdrant_api_key),
        timeout=settings.qdrant_timeout,
        **shape,
    )
    return client


def secret_value(secret: Any) -> str | None:
    """Return what a secret setting holds, None when it is not set."""
    return None if secret is None else str(secret.get_secret_value())


def _model_name(settings: Settings) -> str | None:
    """Return the model's name, or None for extractive answers. Raises `ConfigurationError`."""
    model = settings.llm_model_id
    if model is None and settings.llm_api_key is not None:
        model = DEFAULT_LLMS.get(settings.llm_provider)
    if model is None and (settings.llm_api_key is not None or settings.llm_base_url is not None):
        raise ConfigurationError(
            "LLM_API_KEY or LLM_BASE_URL is set, but no model is named.",
            remedy="Set LLM_MODEL_ID too, or remove both for built-in answers.",
        )
    return model


def _llm_options(settings: Settings) -> dict[str, Any]:
    return {
        "base_url": settings.llm_base_url or DEFAULT_LLM_URLS[settings.llm_provider],
        "api_key": secret_value(settings.llm_api_key),
        "timeout": settings.llm_timeout,
        "max_retries": settings.llm_max_retries,
        "max_tokens": settings.llm_max_tokens,
    }


def make_llm(settings: Settings) -> LLM | None:
    """Return the model, or None for extractive answers. Raises `ConfigurationError`."""
    model = _model_name(settings)
    if model is None:
        return None
    llm: LLM = load(LLMS[settings.llm_provider])(model, **_llm_options(settings))
    return llm


def make_tool_llm(settings: Settings) -> ToolCallingLLM | None:
    """Return the model for agents, or None without one. Raises `ConfigurationError`.

    DashScope's models call tools at its OpenAI-compatible address.
    """
    model = _model_name(settings)
    if model is None:
        return None
    options = _llm_options(settings)
    if settings.llm_provider == "dashscope":
        options["base_url"] = load(TOOL_LLM_ADDRESS)(options["base_url"])
    llm: ToolCallingLLM = load(TOOL_LLM)(model, **options)
    return llm


def make_reranker(settings: Settings, llm: LLM | None) -> Reranker | None:
    """Return what judges the best passages once more, None for nothing.

    `llm` is used by `RERANKER=llm` alone, which without a model is nothing too. A cross-encoder is
    loaded at its first use. Raises `ConfigurationError`.
    """
    if settings.reranker == "none" or (settings.reranker == "llm" and llm is None):
        return None
    made = load(RERANKERS[settings.reranker])
    reranker: Reranker = (
        made(llm) if settings.reranker == "llm" else made(settings.reranker_model or None)
    )
    return reranker


def _limits(settings: Settings) -> Any:
    return load("core.readers.limits:Limits")(
        memory_mb=settings.reader_memory_mb,
        cpu_seconds=settings.reader_cpu_seconds,
        wall_seconds=settings.reader_wall_seconds,
        max_pages=settings.max_pages,
        max_file_mb=settings.max_file_mb,
    )


def make_reader(settings: Settings) -> DocumentReader:
    """Return the reader of all formats."""
    reader: DocumentReader = load(READER)(
        _limits(settings), pdf_reader=settings.pdf_reader, audio_model=settings.audio_model
    )
    return reader


def make_inspector(settings: Settings) -> PageInspector:
    """Return what looks at single pages."""
    inspector: PageInspector = load(INSPECTOR)(_limits(settings))
    return inspector


def make_recogniser(settings: Settings) -> PageRecogniser | None:
    """Return what recognises text in pictures, or None when that is switched off."""
    if not settings.ocr_enabled:
        return None
    recogniser: PageRecogniser = load(RECOGNISER)(
        load("core.readers.limits:Limits")(
            memory_mb=settings.ocr_memory_mb,
            cpu_seconds=settings.ocr_page_seconds,
            wall_seconds=3 * settings.ocr_page_seconds,
            max_pages=settings.max_pages,
            max_file_mb=settings.max_file_mb,
        )
    )
    return recogniser


def make_perceptual_encoders(settings: Settings) -> dict[Modality, PerceptualEncoder]:
    """Return the configured encoders by modality, none as installed. Raises `ConfigurationError`.

    They are loaded at their first use.
    """
    models = {
        Modality.IMAGE: settings.perceptual_image_model,
        Modality.AUDIO: settings.perceptual_audio_model,
    }
    return {
        modality: load(PERCEPTUAL_ENCODERS[modality])(model)
        for modality, model in models.items()
        if model is not None
    }


def make_listener(settings: Settings) -> SoundReader | None:
    """Return what decodes recordings for an encoder, None without one.

    Raises `MissingDependencyError`.
    """
    if settings.perceptual_audio_model is None:
        return None
    listener: SoundReader = load(LISTENER)(_limits(settings))
    return listener


def reranker_factory(settings: Settings) -> Callable[[MeteredModel | None], Reranker | None]:
    """Return what gives a question its reranker: the model as metered for it, or one for all."""
    if settings.reranker != "cross-encoder":
        return lambda model: make_reranker(
            settings, None if model is None else model.bound("rerank")
        )
    shared = make_reranker(settings, None)
    return lambda _: shared


def meter(settings: Settings, llm: LLM | None) -> Callable[[], MeteredModel | None]:
    """Return what gives each question the model with a budget of its own; None without a model."""
    if llm is None:
        return lambda: None
    metered: Callable[..., MeteredModel] = load(METERED_LLM)
    return lambda: metered(llm, settings.llm_answer_budget)
