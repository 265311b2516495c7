"""What a learner did: load results, questions, statistics."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from core.domain.answer import Answer
from core.domain.document import Document
from core.errors import DocumentError


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadProgress:
    """How far a load is. `stage` is `reading` or `indexing`; `pages` is 0 until known."""

    stage: str
    done: int
    pages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """What `load_document` gives back; fields are also readable as `result["success"]`.

    `duplicate` says that the same content was there already, so nothing changed.
    """

    success: bool
    message: str
    document: str = ""
    document_id: str = ""
    pages: int = 0
    chunks: int = 0
    seconds: float = 0.0
    duplicate: bool = False
    warnings: tuple[str, ...] = ()
    error: DocumentError | None = None
    record: Document | None = None

    def __getitem__(self, key: str) -> object:
        if key not in self.__slots__:
            raise KeyError(key)
        return getattr(self, key)

    def get(self, key: str, default: object = None) -> object:
        """Read a field by name, as from a dictionary."""
        return self[key] if key in self.__slots__ else default


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A stored question with its answer. `answer.passages` is not stored and is empty."""

    id: str
    session_id: str
    asked_at: datetime
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Counts over all time, for one learner. `documents` counts those still there."""

    documents_loaded: int
    documents: int
    pages: int
    questions_asked: int
    citations: int
    concepts_learned: int
    sessions: int
    first_activity: datetime | None
    memories: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantStatus:
    """What answers, and where things are kept, decided at the start.

    `answering` is `extractive` or the model's name; `refining` is the name of the embedder that
    fills in behind `embedder`, or why there is none: `off`, `not_installed` (for this platform),
    `does_not_start`.
    """

    answering: str
    embedder: str
    vector_store: str
    record_store: str
    data_dir: str
    refining: str = "off"
    graph_store: str = "sqlite"
