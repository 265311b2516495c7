"""What the files of a sentence-transformers model tell without loading it."""

import hashlib
import importlib
import json
import re
from pathlib import Path
from typing import Any

from core.errors import ConfigurationError

_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?", re.ASCII)
_HASHED_BYTES = 65_536
_WEIGHTS = ("*.safetensors", "*.bin", "*/model.safetensors")
_KNOWN_DIMENSIONS = {
    "intfloat/multilingual-e5-small": 384,
    "intfloat/multilingual-e5-base": 768,
    "intfloat/multilingual-e5-large": 1024,
    "baai/bge-m3": 1024,
    "baai/bge-small-zh-v1.5": 512,
    "baai/bge-base-zh-v1.5": 768,
    "baai/bge-large-zh-v1.5": 1024,
    "baai/bge-small-en-v1.5": 384,
    "sentence-transformers/all-minilm-l6-v2": 384,
    "sentence-transformers/paraphrase-multilingual-minilm-l12-v2": 384,
    "qwen/qwen3-embedding-0.6b": 1024,
}
"""Of models that may not be on this computer yet, as their model cards say."""


def find_folder(model: str) -> Path | None:
    """Return the folder of a model: the one that is named, or that of the hub's cache on the disk.

    None when the hub's model was not downloaded yet. Reads the disk, never the network.
    """
    folder = Path(model).expanduser()
    if folder.is_dir():
        return folder
    if not is_hub_name(model):
        return None
    cached = importlib.import_module("huggingface_hub").try_to_load_from_cache(
        hub_name(model), "config.json"
    )
    return Path(cached).parent if isinstance(cached, str) else None


def hub_name(model: str) -> str:
    """Return the full name of a model of the hub: short ones are sentence-transformers' own."""
    return model if "/" in model else f"sentence-transformers/{model}"


def is_hub_name(model: str) -> bool:
    """Tell whether a name can be one of the hub: `owner/name` or a short name, no path."""
    return _HUB_NAME.fullmatch(model) is not None


def mark_of(folder: Path) -> str:
    """Return a short mark of what is in a model's folder: configuration, size and start of weights.

    Raises `ConfigurationError` when no model is in it.
    """
    weights = sorted({path for pattern in _WEIGHTS for path in folder.glob(pattern)})
    if not (folder / "config.json").is_file() and not (folder / "modules.json").is_file():
        raise _no_model(folder)
    digest = hashlib.sha256()
    try:
        for path in sorted(folder.glob("*.json")) + sorted(folder.glob("*/config.json")):
            digest.update(path.read_bytes())
        for path in weights:
            digest.update(str(path.stat().st_size).encode())
            with path.open("rb") as file:
                digest.update(file.read(_HASHED_BYTES))
    except OSError as exc:
        raise _no_model(folder) from exc
    return digest.hexdigest()[:8]


def dimension_of(model: str, folder: Path | None) -> int | None:
    """Return the length of the vectors; None when neither files nor the name tell it."""
    if folder is None:
        return _KNOWN_DIMENSIONS.get(hub_name(model).lower())
    projected = [
        _read(folder / str(module.get("path", "")) / "config.json").get("out_features")
        for module in _modules(folder)
        if str(module.get("type", "")).endswith(".Dense")
    ]
    found = projected[-1] if projected else _read(folder / "config.json").get("hidden_size")
    return found if isinstance(found, int) else None


def longest_text(folder: Path | None) -> int | None:
    """Return how many of its tokens a model reads at once; None when the files do not tell."""
    if folder is None:
        return None
    own = _read(folder / "sentence_bert_config.json").get("max_seq_length")
    found = own or _read(folder / "config.json").get("max_position_embeddings")
    return found if isinstance(found, int) else None


def _modules(folder: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []  # a plain transformer without modules
    return [module for module in found if isinstance(module, dict)]


def _read(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as exc:
        raise ConfigurationError(f"{path} cannot be read.") from exc
    return found if isinstance(found, dict) else {}


def _no_model(folder: Path) -> ConfigurationError:
    return ConfigurationError(
        f"EMBED_MODEL_NAME names the folder {folder}, in which there is no model.",
        remedy="Name the folder with the model's config.json, or a model of the hub.",
    )
