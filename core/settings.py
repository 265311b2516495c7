"""The one reader of the environment and of the `.env` file."""

import difflib
import os
from pathlib import Path
from typing import Any, Literal, Self

from dotenv import dotenv_values
from pydantic import (
    AliasChoices,
    Field,
    SecretStr,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.errors import ConfigurationError

MIB = 1024 * 1024
ENV_ENCODING = "utf-8-sig"
"""UTF-8, with or without the mark that Windows editors put in front."""


class Settings(BaseSettings):
    """Every setting, by the name of its environment variable.

    Empty text means "not set". The names of the tutorial's `.env` are kept, also of those whose
    part of the product is not built in yet; `.env.example` says which.
    Hosts that run Gradio applications (Hugging Face Spaces) give address and port by Gradio's own
    names; those count too.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        populate_by_name=True,
        extra="ignore",
        env_ignore_empty=True,
        case_sensitive=False,
    )

    # the application
    host: str = Field(
        "127.0.0.1",
        validation_alias=AliasChoices("HOST", "GRADIO_SERVER_NAME"),
        description="Address to listen on; 0.0.0.0 for a class or a container.",
    )
    port: int = Field(
        7860,
        validation_alias=AliasChoices("PORT", "GRADIO_SERVER_PORT"),
        ge=0,
        le=65535,
        description="Port to listen on.",
    )
    data_dir: Path = Field(Path("data"), description="Folder for everything that is kept.")
    app_secret: SecretStr | None = Field(
        None,
        description="Key that turns browser tokens into user ids; made once in DATA_DIR when empty.",
    )
    app_language: Literal["auto", "en", "zh"] = Field(
        "auto", description="Language of the interface: auto follows the browser."
    )
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = Field(
        "INFO", description="How much is logged."
    )
    database_url: str | None = Field(
        None,
        description="SQLAlchemy URL of the record store, e.g. postgresql+psycopg://user@host/db; SQLite in DATA_DIR when empty.",
    )

    # reading
    pdf_reader: Literal["liteparse", "pypdf", "markitdown"] = Field(
        "liteparse",
        description="Reader of PDFs: liteparse gives highlights, pypdf pages without, markitdown parts without page numbers.",
    )
    audio_model: Path | None = Field(
        None,
        description="File with a Whisper model (ggml) for recordings; needs requirements-audio.txt.",
    )
    max_file_mb: int = Field(200, ge=1, le=4096, description="Largest file in MiB.")
    max_pages: int = Field(2000, ge=1, le=100_000, description="Most pages of one document.")
    reader_memory_mb: int = Field(
        1536, ge=256, description="Memory limit of the process that reads a file, MiB."
    )
    reader_cpu_seconds: int = Field(60, ge=1, description="CPU time limit for reading one file.")
    reader_wall_seconds: int = Field(120, ge=1, description="Time limit for reading one file.")
    ocr_enabled: bool = Field(
        True, description="Whether the text of scanned pages and images is recognised."
    )
    ocr_memory_mb: int = Field(
        2048, ge=768, description="Memory limit of the process that recognises text, MiB."
    )
    ocr_page_seconds: int = Field(
        60, ge=5, description="CPU time limit for recognising one page; thrice that on the clock."
    )

    # finding and answering
    chunk_size: int = Field(
        1000, ge=50, le=8000, description="Most tokens of a passage (a CJK character counts one)."
    )
    chunk_overlap: int = Field(
        200, ge=0, le=4000, description="Most tokens two neighbouring passages share."
    )

    refine_enabled: bool = Field(
        True,
        description="Whether a second, finer embedder fills in behind the instant one (builtin only).",
    )
    enable_mqe: bool = Field(
        True, description="Advanced search asks the model for the question in other words."
    )
    enable_hyde: bool = Field(
        True, description="Advanced search asks the model for an imagined answer to search by."
    )
    expansion_seconds: float = Field(
        8.0, gt=0, description="Seconds to wait for these; then the plain search stands."
    )
    reranker: Literal["none", "cross-encoder", "llm"] = Field(
        "none", description="What judges the best passages once more."
    )
    reranker_model: str | None = Field(
        None, description="Cross-encoder for RERANKER=cross-encoder; its default when empty."
    )

    # language model
    llm_provider: Literal["openai", "dashscope"] = Field(
        "openai",
        description="openai for any OpenAI-compatible endpoint, dashscope for the DashScope SDK.",
    )
    llm_model_id: str | None = Field(None, description="Model name; extractive answers when empty.")
    llm_api_key: SecretStr | None = Field(None, description="Key of the endpoint.")
    llm_base_url: str | None = Field(
        None,
        description="Address of the endpoint, e.g. https://dashscope.aliyuncs.com/compatible-mode/v1.",
    )
    llm_timeout: float = Field(60.0, gt=0, description="Seconds to wait for the model.")
    llm_max_retries: int = Field(
        2, ge=0, le=10, description="Retries after 429, 5xx and lost connections."
    )
    llm_max_tokens: int = Field(1024, ge=16, description="Longest answer in tokens.")
    llm_answer_budget: int = Field(
        16_000,
        ge=1000,
        description="Most tokens, sent and received, that one question may cost in all its calls.",
    )

    # embeddings
    embed_model_type: Literal["builtin", "local", "dashscope", "openai", "tfidf"] = Field(
        "builtin", description="Embedding backend."
    )
    embed_model_name: str | None = Field(
        None, description="Model of the backend; its default when empty."
    )
    embed_api_key: SecretStr | None = Field(None, description="Key of the embedding service.")
    embed_base_url: str | None = Field(None, description="Address of the embedding service.")
    embed_dimension: int | None = Field(
        None, ge=16, le=8192, description="Vector length, where the service lets one choose."
    )
    embed_timeout: float = Field(30.0, gt=0, description="Seconds to wait for the service.")
    embed_max_retries: int = Field(
        3, ge=0, le=10, description="Retries after 429, 5xx and lost connections."
    )

    # Qdrant
    qdrant_url: str | None = Field(
        None,
        description="Qdrant server or cloud; ':memory:' or a local folder for the client's own mode; embedded Qdrant Edge when empty.",
    )
    qdrant_api_key: SecretStr | None = Field(None, description="Key of Qdrant cloud.")
    qdrant_collection: str = Field(
        "hello_agents_vectors",
        min_length=1,
        description="Collection name (prefix of the collections used).",
    )
    qdrant_vector_size: int | None = Field(
        None, ge=1, description="Expected vector length; refused if it is not the embedder's."
    )
    qdrant_distance: Literal["cosine"] = Field(
        "cosine", description="Distance; only cosine fits the embedders."
    )
    qdrant_timeout: int = Field(30, ge=1, description="Seconds to wait for Qdrant.")

    # Neo4j
    neo4j_uri: str | None = Field(
        None,
        description="Neo4j server of the knowledge graph, e.g. bolt://localhost:7687; the record store when empty.",
    )
    neo4j_username: str = Field("neo4j", description="User of the graph database.")
    neo4j_password: SecretStr | None = Field(None, description="Password of the graph database.")
    neo4j_database: str = Field("neo4j", description="Database name.")
    neo4j_max_connection_lifetime: int = Field(
        3600, ge=1, description="Seconds a connection lives."
    )
    neo4j_max_connection_pool_size: int = Field(50, ge=1, description="Most connections.")
    neo4j_connection_timeout: int = Field(60, ge=1, description="Seconds to wait for a connection.")

    # memory
    working_memory_capacity: int = Field(
        50, ge=1, description="Most items of working memory a learner has."
    )
    working_memory_ttl: int = Field(
        60, ge=1, description="Minutes an item stays in working memory."
    )
    episodic_memory_capacity: int = Field(
        100_000, ge=1, description="Most episodic memories of a learner outside the archive."
    )
    semantic_memory_capacity: int = Field(
        100_000, ge=1, description="Most semantic memories of a learner outside the archive."
    )
    perceptual_memory_capacity: int = Field(
        100_000, ge=1, description="Most perceptual memories of a learner outside the archive."
    )
    perceptual_image_model: str | None = Field(
        None,
        description="CLIP model by which words find pictures and pictures find pictures; needs requirements-local.txt.",
    )
    perceptual_audio_model: str | None = Field(
        None,
        description="CLAP model, the same for recordings; needs requirements-local.txt and requirements-audio.txt.",
    )

    @field_validator(
        "qdrant_distance",
        "embed_model_type",
        "pdf_reader",
        "reranker",
        "llm_provider",
        mode="before",
    )
    @classmethod
    def _lower(cls, value: Any) -> Any:
        return value.lower() if isinstance(value, str) else value

    @model_validator(mode="after")
    def _overlap_fits(self) -> Self:
        if self.chunk_overlap >= self.chunk_size:
            raise ValueError("CHUNK_OVERLAP must be smaller than CHUNK_SIZE")
        return self


def known_names() -> list[str]:
    """Return the environment variable names of all settings, in order."""
    return [name.upper() for name in Settings.model_fields]


def check_env_file(path: Path) -> None:
    """Refuse unknown keys of a `.env` file with the nearest known name.

    Raises `ConfigurationError`. Process variables are not looked at: a host has its own.
    """
    known = known_names()
    try:
        keys = list(dotenv_values(path, encoding=ENV_ENCODING))
    except UnicodeDecodeError as exc:
        raise ConfigurationError(
            f"{path} is not UTF-8 text.",
            remedy="Save it as UTF-8 (PowerShell: Set-Content -Encoding utf8 .env).",
        ) from exc
    for key in keys:
        if key.upper() not in known:
            near = difflib.get_close_matches(key.upper(), known, n=1)
            hint = f" Did you mean {near[0]}?" if near else ""
            raise ConfigurationError(
                f"{path} sets {key}, which is not a setting.{hint}",
                remedy="Correct or remove the line; .env.example lists every setting.",
            )


def keep_uploads_in(folder: Path) -> None:
    """Make Gradio keep what browsers send in `folder` and not in the system's temporary folder.

    Gradio reads the variable when its first element is made: call this before the page is built.
    """
    os.environ["GRADIO_TEMP_DIR"] = str(folder.absolute())


def load_settings(env_file: Path | None = Path(".env"), **overrides: Any) -> Settings:
    """Read the process environment, then `env_file` if it exists; keyword arguments win over both.

    Raises `ConfigurationError` that names each wrong setting.
    """
    if env_file is not None and env_file.is_file():
        check_env_file(env_file)
    else:
        env_file = None
    try:
        return Settings(_env_file=env_file, _env_file_encoding=ENV_ENCODING, **overrides)
    except ValidationError as exc:
        wrong = "; ".join(
            ": ".join(filter(None, (".".join(str(p) for p in e["loc"]).upper(), e["msg"])))
            for e in exc.errors()
        )
        raise ConfigurationError(f"These settings cannot be used: {wrong}.") from exc
