"""What the files of an encoder's model tell without loading it, and how failures are told."""

import hashlib
import importlib
import importlib.util
import json
import logging
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from core.errors import ConfigurationError, EmbeddingError, MissingDependencyError
from core.ports.embedder import Vectors

log = logging.getLogger(__name__)

T = TypeVar("T")

_UNREADABLE = (OSError, ValueError, RuntimeError, ImportError, KeyError, TypeError)
FAILING = (RuntimeError, ValueError, MemoryError, IndexError)
"""What they raise while encoding."""
_HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
_CONFIGS = ("config.json", "0_CLIPModel/config.json", "0_Transformer/config.json")
_WEIGHTS = ("*.safetensors", "*.bin", "*/*.safetensors", "*/*.bin")
_HASHED_BYTES = 65_536
_SMALLEST_NORM = 1e-6
_KNOWN_DIMENSIONS = {
    "sentence-transformers/clip-vit-b-32": 512,
    "sentence-transformers/clip-vit-b-16": 512,
    "sentence-transformers/clip-vit-l-14": 768,
    "openai/clip-vit-base-patch32": 512,
    "openai/clip-vit-base-patch16": 512,
    "openai/clip-vit-large-patch14": 768,
    "ofa-sys/chinese-clip-vit-base-patch16": 512,
    "baai/altclip": 768,
    "laion/clap-htsat-unfused": 512,
    "laion/clap-htsat-fused": 512,
    "laion/larger_clap_general": 512,
}
"""Of models that may not be on this computer yet, as their configurations say."""


class ModelSource:
    """A model by its name on the hub or its folder, as a setting names it.

    `short_owner` is whose models of the hub may be named without owner.
    """

    def __init__(self, model: str, *, setting: str, short_owner: str | None = None) -> None:
        self._setting = setting
        plain = "/" not in model and not Path(model).expanduser().is_dir()
        self.model = f"{short_owner}/{model}" if plain and short_owner else model

    def require(self, packages: Sequence[str]) -> None:
        """Raise `MissingDependencyError` when one of the packages is not installed."""
        missing = [name for name in packages if importlib.util.find_spec(name) is None]
        if missing:
            raise MissingDependencyError(
                f"{self._setting} needs the package {missing[0].replace('_', '-')}.",
                remedy=f"Install requirements-local.txt, or leave {self._setting} empty.",
            )

    @property
    def is_folder(self) -> bool:
        """Whether the setting names a folder that is there."""
        return Path(self.model).expanduser().is_dir()

    def folder(self) -> Path | None:
        """Return the folder with the model, None when the hub's was not downloaded yet.

        Raises `ConfigurationError` when the setting names a folder that is not there.
        """
        if self.is_folder:
            return Path(self.model).expanduser()
        if _HUB_NAME.fullmatch(self.model) is None:
            raise ConfigurationError(
                f"{self._setting} names the folder {self.model}, which is not there.",
                remedy="Correct it, or name a model of the hub.",
            )
        hub = importlib.import_module("huggingface_hub")
        for config in ("modules.json", *_CONFIGS):
            cached = hub.try_to_load_from_cache(self.model, config)
            if isinstance(cached, str):
                return Path(cached.removesuffix(config))
        return None

    def name(self, kind: str) -> str:
        """Return `kind` with the model's name; of a folder its last part and its content's mark."""
        folder = self.folder()
        if folder is None or not self.is_folder:
            return f"{kind}:{self.model}"
        return f"{kind}:{folder.resolve().name}@{_mark(folder)}"

    def dimension(self) -> int | None:
        """Return the length of the vectors as the files say; None when only the model knows.

        Raises `ConfigurationError` when it is not on this computer and not well known.
        """
        folder = self.folder()
        if folder is None:
            known = _KNOWN_DIMENSIONS.get(self.model.lower())
            if known is None:
                raise self.unavailable("it is not on this computer yet")
            return known
        for config in _CONFIGS:
            found = _read(folder / config).get("projection_dim")
            if isinstance(found, int):
                return found
        return None

    def load(self, load: Callable[[str, bool], T], *, offline: bool) -> T:
        """Return what `load` makes of a place and whether to stay on the disk.

        From the disk, else from the hub, unless `offline`. Raises `ConfigurationError`.
        """
        folder = self.folder()
        download = not self.is_folder and not offline
        if folder is None and not download:
            raise self.unavailable("it is not on this computer")
        failures = unreadable()
        try:
            if folder is not None:
                try:
                    return load(str(folder), True)
                except failures:
                    if not download:
                        raise
            log.info("The model %s is downloaded", self.model)
            return load(self.model, False)
        except failures as exc:
            raise self.unavailable(type(exc).__name__) from exc

    def unavailable(self, why: str) -> ConfigurationError:
        """Return the error of a model that cannot be loaded."""
        return ConfigurationError(
            f"The model {self.model} of {self._setting} cannot be loaded ({why}).",
            remedy="Download it where there is a network with "
            f"`hf download {self.model} --local-dir FOLDER` and set {self._setting}=FOLDER, or "
            f"leave {self._setting} empty: then what files say is searched, not what they show.",
        )

    def unfit(self, what: str) -> ConfigurationError:
        """Return the error of a model of another kind than is needed."""
        return ConfigurationError(
            f"{self.model} is not a model for {what}.",
            remedy=f"Set {self._setting} to one that docs/perceptual-memory.md names.",
        )


def unreadable() -> tuple[type[Exception], ...]:
    """Return what the libraries raise for a model that is missing, incomplete or of another kind.

    Weights that are cut off have an error of their own, which is no subclass of any.
    """
    weights: type[Exception] = importlib.import_module("safetensors").SafetensorError
    return (*_UNREADABLE, weights)


def checked(rows: Any, *, count: int, dimension: int, model: str) -> Vectors:
    """Return the rows as L2-normalised vectors of shape (count, dimension).

    Raises `EmbeddingError` for another shape, for a vector without direction and for no numbers.
    """
    vectors = np.asarray(rows, dtype=np.float32)
    if vectors.shape != (count, dimension):
        raise EmbeddingError(f"{model} gave the shape {vectors.shape}, not {(count, dimension)}.")
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if count and (not np.isfinite(norms).all() or float(norms.min()) < _SMALLEST_NORM):
        raise EmbeddingError(f"{model} gave a vector without direction (zero or no number).")
    normalised: Vectors = vectors / norms
    return normalised


def failed(model: str, exc: BaseException) -> EmbeddingError:
    """Return the error of a model that fails while it encodes."""
    return EmbeddingError(
        f"{model} could not encode: {type(exc).__name__}.",
        remedy="Try again; if it stays so, choose a smaller model.",
    )


def _mark(folder: Path) -> str:
    """Return a short mark of a folder's content: configurations, size and start of the weights."""
    digest = hashlib.sha256()
    configs = sorted([*folder.glob("*.json"), *folder.glob("*/config.json")])
    for path in configs:
        digest.update(path.read_bytes())
    for path in sorted({path for pattern in _WEIGHTS for path in folder.glob(pattern)}):
        digest.update(str(path.stat().st_size).encode())
        with path.open("rb") as file:
            digest.update(file.read(_HASHED_BYTES))
    return digest.hexdigest()[:8]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise ConfigurationError(f"{path} cannot be read.") from exc
    return found if isinstance(found, dict) else {}
