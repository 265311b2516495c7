"""Adapter: recordings and texts to vectors by a CLAP model, run by transformers.

The package is optional (`requirements-local.txt` brings it). A model of the hub that is not on the
disk is downloaded once, at the first use, by the operator's own choice of it; nothing is sent.
"""

import importlib
import threading
import wave
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.perception import Modality
from core.encoders.models import FAILING, ModelSource, checked, failed
from core.errors import ConfigurationError, EmbeddingError
from core.ports.embedder import Vectors

SETTING = "PERCEPTUAL_AUDIO_MODEL"
PACKAGE = "transformers"
RATE = 48_000
_WINDOW_SECONDS = 10
"""What the models hear at once; of more they take a part at random."""
_LEAST = 0.5
"""Share of a window: a shorter rest at the end is left out."""


class ClapEncoder:
    """A model by its name on the hub or its folder, loaded once, at the first use. Thread-safe.

    A recording is the mean of its windows. `offline` never downloads. Raises
    `MissingDependencyError` without the package.
    """

    modalities = frozenset({Modality.AUDIO})

    def __init__(self, model: str, *, offline: bool = False) -> None:
        self._source = ModelSource(model, setting=SETTING)
        self._source.require([PACKAGE, "torch"])
        self._offline = offline
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None
        self._failure: ConfigurationError | None = None
        self._facts: tuple[str, int] | None = None

    def __repr__(self) -> str:
        return f"ClapEncoder(model={self._source.model!r})"

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
        means = []
        for path in paths:
            rows = self._encode(_windows(path), self._heard)
            means.append(rows.mean(axis=0))
        return self._checked(np.asarray(means).reshape(len(paths), self.dimension))

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """See `PerceptualEncoder.encode_texts`."""
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return self._encode([text.strip() or "." for text in texts], self._read)

    def _encode(
        self, inputs: Sequence[Any], encode: Callable[[Any, Any, Sequence[Any]], Any]
    ) -> Vectors:
        torch = importlib.import_module("torch")
        with self._lock:
            model, processor = self._ready()
            try:
                with torch.inference_mode():
                    found = encode(model, processor, inputs)
            except FAILING as exc:
                raise failed(self._source.model, exc) from exc
        return self._checked(getattr(found, "pooler_output", found).numpy())

    def _heard(self, model: Any, processor: Any, windows: Sequence[Any]) -> Any:
        told = processor.feature_extractor(list(windows), sampling_rate=RATE, return_tensors="pt")
        return model.get_audio_features(**told)

    def _read(self, model: Any, processor: Any, texts: Sequence[str]) -> Any:
        longest = model.config.text_config.max_position_embeddings - 2
        told = processor.tokenizer(
            list(texts), padding=True, truncation=True, max_length=longest, return_tensors="pt"
        )
        return model.get_text_features(**told)

    def _checked(self, rows: Any) -> Vectors:
        return checked(rows, count=len(rows), dimension=self.dimension, model=self._source.model)

    def _read_facts(self) -> tuple[str, int]:
        if self._facts is None:
            dimension = self._source.dimension()
            if dimension is None:
                raise self._source.unfit("recordings and texts")
            self._facts = self._source.name("clap"), dimension
        return self._facts

    def _ready(self) -> tuple[Any, Any]:
        """Return model and processor. A failure stands until the restart."""
        if self._failure is not None:
            raise self._failure
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except ConfigurationError as exc:
                self._failure = exc
                raise
        return self._loaded

    def _load(self) -> tuple[Any, Any]:
        library = importlib.import_module(PACKAGE)

        def load(place: str, on_disk: bool) -> tuple[Any, Any]:
            config = library.AutoConfig.from_pretrained(place, local_files_only=on_disk)
            if config.model_type != "clap":
                raise self._source.unfit("recordings and texts")
            model = library.ClapModel.from_pretrained(place, local_files_only=on_disk)
            processor = library.ClapProcessor.from_pretrained(place, local_files_only=on_disk)
            return model, processor

        model, processor = self._source.load(load, offline=self._offline)
        return model.eval(), processor


def _windows(path: Path) -> list[Any]:
    """Return the windows of a view: samples in [-1, 1], at least one window, whatever its length.

    Raises `EmbeddingError` for what is no such view.
    """
    try:
        with wave.open(str(path), "rb") as file:
            shape = file.getnchannels(), file.getsampwidth(), file.getframerate()
            frames = file.readframes(file.getnframes())
    except (wave.Error, EOFError) as exc:
        raise EmbeddingError("The recording's view is no WAV file.") from exc
    if shape != (1, 2, RATE) or not frames:
        raise EmbeddingError(f"The recording's view has the wrong shape: {shape}.")
    samples = np.frombuffer(frames, dtype="<i2").astype(np.float32) / 32768
    size = _WINDOW_SECONDS * RATE
    windows = [samples[start : start + size] for start in range(0, len(samples), size)]
    return [w for n, w in enumerate(windows) if n == 0 or len(w) >= _LEAST * size]
