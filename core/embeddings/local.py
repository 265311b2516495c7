"""Adapter: an embedding model on this computer, run by sentence-transformers.

The package is optional (`requirements-local.txt`). A model of the hub that is not on the disk is
downloaded once, at the first use, by the operator's own choice of this embedder; nothing is sent.
"""

import importlib
import importlib.util
import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.embeddings import model_folder
from core.embeddings.checks import checked
from core.embeddings.prefixes import Prefixes, prefixes_of
from core.errors import ConfigurationError, EmbeddingError, MissingDependencyError
from core.ports.embedder import Vectors
from core.text.clean import clean

log = logging.getLogger(__name__)

DEFAULT_MODEL = "intfloat/multilingual-e5-small"
PACKAGE = "sentence_transformers"
_BATCH = 16
_TOKENS_OF_OTHERS = 256
_MODEL_TOKENS_A_TOKEN = 2
"""A word or Chinese character takes at most about so many of a model's tokens."""
_UNREADABLE = (OSError, ValueError, RuntimeError, ImportError, KeyError)
_DOCUMENT_PROMPTS = ("document", "passage", "corpus")


class LocalEmbedder:
    """A model by its name on the hub or its folder, loaded once, at the first use. Thread-safe.

    `dimension` only has to be told for a model of the hub that is not on the disk yet and is not
    well known; it must be the model's own. `offline` never downloads. Raises
    `MissingDependencyError` without the package.
    """

    def __init__(
        self, model: str = DEFAULT_MODEL, *, dimension: int | None = None, offline: bool = False
    ) -> None:
        if importlib.util.find_spec(PACKAGE) is None:
            raise MissingDependencyError(
                "EMBED_MODEL_TYPE=local needs the package sentence-transformers.",
                remedy="Install requirements-local.txt, or set EMBED_MODEL_TYPE=builtin.",
            )
        self._model = model
        self._told_dimension = dimension
        self._offline = offline
        self._lock = threading.Lock()
        self._encoding = threading.Lock()
        self._loaded: tuple[Any, Prefixes] | None = None
        self._failure: ConfigurationError | None = None
        self._facts: tuple[str, int, int] | None = None

    def __repr__(self) -> str:
        return f"LocalEmbedder(model={self._model!r})"

    @property
    def name(self) -> str:
        """See `Embedder.name`. A folder is told by its name and a mark of its content."""
        return self._read_facts()[0]

    @property
    def dimension(self) -> int:
        """See `Embedder.dimension`. Raises `ConfigurationError` when nothing tells it."""
        return self._read_facts()[1]

    @property
    def window_tokens(self) -> int:
        """See `Embedder.window_tokens`."""
        return self._read_facts()[2]

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        model, prefixes = self._ready()
        return self._encode(model, prefixes.document, texts)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        model, prefixes = self._ready()
        vector: Vectors = self._encode(model, prefixes.query, [text])[0]
        return vector

    def _encode(self, model: Any, prefix: str, texts: Sequence[str]) -> Vectors:
        """Return the vectors; a text longer than the model reads is the mean of its parts."""
        try:
            with self._encoding:  # a model's tokenizer is not made for several threads
                parts = [_parts(model, prefix, clean(text).strip() or " ") for text in texts]
                flat = [part for own in parts for part in own]
                rows = model.encode(
                    flat,
                    batch_size=_BATCH,
                    prompt="",
                    show_progress_bar=False,
                    convert_to_numpy=True,
                )
        except (RuntimeError, MemoryError) as exc:
            raise EmbeddingError(
                f"{self._model} could not embed the text: {type(exc).__name__}.",
                remedy="Try again; if it stays so, choose a smaller model.",
            ) from exc
        every = checked(rows, count=len(flat), dimension=self.dimension, model=self._model)
        if len(flat) == len(texts):
            return every
        ends = np.cumsum([len(own) for own in parts])[:-1]
        means = [part.mean(axis=0) for part in np.split(every, ends)]
        return checked(means, count=len(texts), dimension=self.dimension, model=self._model)

    def _read_facts(self) -> tuple[str, int, int]:
        """Return name, dimension and window, read from the model's files."""
        if self._facts is None:
            self._facts = self._from_files()  # twice by two threads is the same
        return self._facts

    def _from_files(self) -> tuple[str, int, int]:
        folder = model_folder.find_folder(self._model)
        if folder is None and not model_folder.is_hub_name(self._model):
            raise ConfigurationError(
                f"EMBED_MODEL_NAME names the folder {self._model}, which is not there.",
                remedy="Correct it, or name a model of the hub, for example " + DEFAULT_MODEL + ".",
            )
        if folder is None and self._offline:
            raise ConfigurationError(f"The embedding model {self._model} is not on this computer.")
        name = f"local:{model_folder.hub_name(self._model)}"
        if folder is not None and folder == Path(self._model).expanduser():
            name = f"local:{folder.resolve().name}@{model_folder.mark_of(folder)}"
        dimension = model_folder.dimension_of(self._model, folder)
        if dimension is None:
            dimension = self._told_dimension
        if dimension is None:
            raise ConfigurationError(
                f"How long the vectors of {self._model} are is not known yet.",
                remedy="Set EMBED_DIMENSION to the length that the model's card gives.",
            )
        if self._told_dimension not in (None, dimension):
            raise ConfigurationError(
                f"EMBED_DIMENSION is {self._told_dimension}, but {self._model} makes vectors of "
                f"length {dimension}, and they are never cut.",
                remedy="Leave EMBED_DIMENSION empty.",
            )
        tokens = model_folder.longest_text(folder) or _TOKENS_OF_OTHERS
        return name, dimension, max(1, tokens // _MODEL_TOKENS_A_TOKEN)

    def _ready(self) -> tuple[Any, Prefixes]:
        dimension = self.dimension
        with self._lock:
            if self._loaded is None:
                model = self._load()
                found = model.get_embedding_dimension()
                if found != dimension:
                    raise ConfigurationError(
                        f"{self._model} makes vectors of length {found}, not {dimension}.",
                        remedy=f"Set EMBED_DIMENSION={found}.",
                    )
                self._loaded = model, _prefixes(model, self._model)
            return self._loaded

    def _load(self) -> Any:
        """Return the model from the disk, else from the hub. A failure stands until the restart.

        The hub is tried for more than a minute, which is nothing to repeat at every question.
        """
        if self._failure is not None:
            raise self._failure
        kind = importlib.import_module(PACKAGE).SentenceTransformer
        try:
            try:
                return kind(self._model, local_files_only=True)
            except _UNREADABLE:
                if self._offline or not model_folder.is_hub_name(self._model):
                    raise
            log.info("The embedding model %s is downloaded", self._model)
            return kind(self._model)
        except _UNREADABLE as exc:
            self._failure = ConfigurationError(
                f"The embedding model {self._model} is not on this computer and could not be "
                f"downloaded, or its files cannot be read ({type(exc).__name__}).",
                remedy="Connect to the network and start again; or download it elsewhere with "
                f"`hf download {self._model} --local-dir FOLDER` and set EMBED_MODEL_NAME=FOLDER; "
                "or set EMBED_MODEL_TYPE=builtin.",
            )
            raise self._failure from exc


def _prefixes(model: Any, name: str) -> Prefixes:
    """Return the prompts that the model brings along, else those its name is known for."""
    own = {key: value for key, value in (model.prompts or {}).items() if value}
    if own:
        document = next((own[key] for key in _DOCUMENT_PROMPTS if key in own), "")
        return Prefixes(own.get("query", ""), document)
    return prefixes_of(Path(name).name)


def _parts(model: Any, prefix: str, text: str) -> list[str]:
    """Return the text with its prefix; in parts, each with it, when the model cannot read it whole.

    Every part is a slice of the text at the bounds of the model's tokens.
    """
    longest = model.max_seq_length
    if longest is None or len(text) + len(prefix) < longest // 2:
        return [prefix + text]
    tokenizer = model.tokenizer
    room = longest - tokenizer.num_special_tokens_to_add() - len(tokenizer.tokenize(prefix))
    offsets = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True, verbose=False)[
        "offset_mapping"
    ]
    if len(offsets) <= room:
        return [prefix + text]
    starts = [offsets[i][0] for i in range(0, len(offsets), room)]
    bounds = [*starts[1:], len(text)]
    return [prefix + text[a:b] for a, b in zip([0, *starts[1:]], bounds, strict=True) if a < b]
