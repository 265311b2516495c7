"""Adapter: pictures and texts to vectors by a CLIP model, run by sentence-transformers.

The package is optional (`requirements-local.txt`). A model of the hub that is not on the disk is
downloaded once, at the first use, by the operator's own choice of it; nothing is sent.
"""

import importlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from core.domain.perception import Modality
from core.encoders.models import FAILING, ModelSource, checked, failed
from core.errors import ConfigurationError
from core.ports.embedder import Vectors

SETTING = "PERCEPTUAL_IMAGE_MODEL"
PACKAGE = "sentence_transformers"
_SHORT_OWNER = "sentence-transformers"
_BATCH = 8


class ClipEncoder:
    """A model by its name on the hub or its folder, loaded once, at the first use. Thread-safe.

    `offline` never downloads. Raises `MissingDependencyError` without the package.
    """

    modalities = frozenset({Modality.IMAGE})

    def __init__(self, model: str, *, offline: bool = False) -> None:
        self._source = ModelSource(model, setting=SETTING, short_owner=_SHORT_OWNER)
        self._source.require([PACKAGE, "torch"])
        self._offline = offline
        self._lock = threading.Lock()
        self._loaded: Any = None
        self._failure: ConfigurationError | None = None
        self._facts: tuple[str, int] | None = None

    def __repr__(self) -> str:
        return f"ClipEncoder(model={self._source.model!r})"

    @property
    def name(self) -> str:
        """See `PerceptualEncoder.name`."""
        return self._read_facts()[0]

    @property
    def dimension(self) -> int:
        """See `PerceptualEncoder.dimension`."""
        return self._read_facts()[1]

    def encode_files(self, paths: Sequence[Path]) -> Vectors:
        """See `PerceptualEncoder.encode_files`."""
        return self._encode([_opened(path) for path in paths])

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """See `PerceptualEncoder.encode_texts`."""
        return self._encode([text.strip() or "." for text in texts])

    def _encode(self, inputs: Sequence[Any]) -> Vectors:
        model = self._source.model
        if not inputs:
            return np.empty((0, self.dimension), dtype=np.float32)
        dimension = self.dimension
        with self._lock:  # a model's tokenizer is not made for several threads
            encoder = self._ready()
            try:
                rows = encoder.encode(
                    list(inputs), batch_size=_BATCH, show_progress_bar=False, convert_to_numpy=True
                )
            except FAILING as exc:
                raise failed(model, exc) from exc
        return checked(rows, count=len(inputs), dimension=dimension, model=model)

    def _read_facts(self) -> tuple[str, int]:
        if self._facts is None:
            dimension = self._source.dimension()
            if dimension is None:
                with self._lock:
                    dimension = int(self._ready().get_embedding_dimension())
            self._facts = self._source.name("clip"), dimension
        return self._facts

    def _ready(self) -> Any:
        """Return the model. A failure stands until the restart: the hub is tried for a minute."""
        if self._failure is not None:
            raise self._failure
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except ConfigurationError as exc:
                self._failure = exc
                raise
        return self._loaded

    def _load(self) -> Any:
        kind = importlib.import_module(PACKAGE).SentenceTransformer

        def load(place: str, on_disk: bool) -> Any:
            return kind(place, device="cpu", trust_remote_code=False, local_files_only=on_disk)

        model = self._source.load(load, offline=self._offline)
        if "image" not in model.modalities or "text" not in model.modalities:
            raise self._source.unfit("pictures and texts")
        return model


def _opened(path: Path) -> Image.Image:
    with Image.open(path, formats=["PNG"]) as image:
        return image.convert("RGB")
