"""Adapter: a cross-encoder on this computer, run by sentence-transformers.

The package is optional (`requirements-local.txt`). A model of the hub that is not on the disk is
downloaded once, at the first use, by the operator's own choice of this reranker; nothing is sent.
"""

import importlib
import importlib.util
import logging
import math
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import (
    InvalidInputError,
    MissingDependencyError,
    ModelResponseError,
    ModelUnavailableError,
)
from core.ports.reranker import MOST_CANDIDATES

log = logging.getLogger(__name__)

DEFAULT_MODEL = "BAAI/bge-reranker-v2-m3"
PACKAGE = "sentence_transformers"
LONGEST_PAIR = 512
"""Tokens of question and passage together; what is longer is cut at the end of the passage."""
_BATCH = 8
_HUB_NAME = re.compile(r"\w[\w.-]*/\w[\w.-]*", re.ASCII)
_UNREADABLE = (OSError, ValueError, RuntimeError, ImportError, KeyError)


class CrossEncoderReranker:
    """A model by its name on the hub or its folder, loaded once, at the first use. Thread-safe.

    Scores are the logistic function of the model's only output. `offline` never downloads. Raises
    `MissingDependencyError` without the package.
    """

    def __init__(self, model: str | None = None, *, offline: bool = False) -> None:
        if importlib.util.find_spec(PACKAGE) is None:
            raise MissingDependencyError(
                "RERANKER=cross-encoder needs the package sentence-transformers.",
                remedy="Install requirements-local.txt, or set RERANKER=none.",
            )
        self._model = model or DEFAULT_MODEL
        self._offline = offline
        self._lock = threading.Lock()
        self._loaded: Any = None

    def __repr__(self) -> str:
        return f"CrossEncoderReranker(model={self._model!r})"

    @property
    def name(self) -> str:
        """Model id, as shown in the glass box; of a folder its last part."""
        return Path(self._model).name if Path(self._model).expanduser().is_dir() else self._model

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """See `Reranker.scores`.

        Raises `ModelUnavailableError` when the model cannot be loaded and `ModelResponseError` when
        it is none that gives one number a pair.
        """
        if len(passages) > MOST_CANDIDATES:
            raise InvalidInputError(f"More than {MOST_CANDIDATES} passages cannot be judged.")
        if not passages:
            return []
        with self._lock:  # a model's tokenizer is not made for several threads
            if self._loaded is None:
                self._loaded = self._load()
            rows = self._judge(self._loaded, [(question, passage) for passage in passages])
        if getattr(rows, "shape", None) != (len(passages),):
            raise self._no_reranker()
        logits = [float(row) for row in rows]
        if not all(math.isfinite(x) for x in logits):
            raise self._no_reranker()
        return [1 / (1 + math.exp(-max(-60.0, x))) for x in logits]

    def _judge(self, model: Any, pairs: list[tuple[str, str]]) -> Any:
        torch = importlib.import_module("torch")
        try:
            return model.predict(
                pairs,
                batch_size=_BATCH,
                show_progress_bar=False,
                activation_fn=torch.nn.Identity(),
                convert_to_numpy=True,
            )
        except (RuntimeError, MemoryError, ValueError, IndexError) as exc:
            raise ModelResponseError(
                f"{self.name} could not judge the passages: {type(exc).__name__}.",
                remedy="Ask again; the operator can choose another RERANKER_MODEL.",
            ) from exc

    def _load(self) -> Any:
        cross_encoder = importlib.import_module(PACKAGE).CrossEncoder
        folder = self._folder()
        if folder is None and self._offline:
            raise self._unavailable("it is not on this computer")
        if folder is None:
            log.info("The reranking model %s is downloaded", self._model)
        try:
            return _open(cross_encoder, self._model if folder is None else str(folder))
        except _UNREADABLE as exc:
            raise self._unavailable(type(exc).__name__) from exc

    def _folder(self) -> Path | None:
        """Return the model's folder, None when the hub's was not downloaded yet.

        The library asks the hub even where it is told not to; with a folder it does not.
        """
        folder = Path(self._model).expanduser()
        if folder.is_dir():
            return folder
        if _HUB_NAME.fullmatch(self._model) is None:
            raise self._unavailable("there is no such folder")
        hub = importlib.import_module("huggingface_hub")
        cached = hub.try_to_load_from_cache(self._model, "config.json")
        return Path(cached).parent if isinstance(cached, str) else None

    def _unavailable(self, why: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"The reranking model {self.name} cannot be loaded ({why}).",
            remedy="The operator can set RERANKER_MODEL to a folder with the model, connect to the "
            "network once so that it is downloaded, or set RERANKER=none.",
        )

    def _no_reranker(self) -> ModelResponseError:
        return ModelResponseError(
            f"{self.name} gives no single number for a question and a passage.",
            remedy="The operator should set RERANKER_MODEL to a cross-encoder for ranking.",
        )


def _open(cross_encoder: Any, source: str) -> Any:
    model = cross_encoder(source, device="cpu", trust_remote_code=False)
    positions = getattr(model.config, "max_position_embeddings", None)
    own = positions if isinstance(positions, int) else LONGEST_PAIR
    model.max_seq_length = min(LONGEST_PAIR, own, model.max_seq_length or own)
    return model
