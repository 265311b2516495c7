"""Work that goes on in the background: loading, text recognition, indexing anew, refining."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class JobKind(StrEnum):
    """What a job does with its document.

    `REFINE` gives the passages of a document that can be asked a second vector each; `GRAPH` reads
    what it says of things and how they are related into the knowledge graph.
    """

    LOAD = "load"
    OCR = "ocr"
    REINDEX = "reindex"
    REFINE = "refine"
    GRAPH = "graph"


class JobState(StrEnum):
    """A job that ends well is gone; one that was stopped too."""

    WAITING = "waiting"
    RUNNING = "running"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobError:
    """Why a job failed: code, message and remedy of an `AssistantError`."""

    code: str
    message: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One job of one learner, about one document.

    `name` and `format` are those of the document's file, so that it can be told and read before
    there is a document. `done` of `total` pages, or passages, are finished (`total` is 0 until
    known); `stage` is `waiting`, `reading`, `ocr`, `indexing`, `refining` or `graph`. `attempts`
    counts how often it was begun.
    """

    id: str
    kind: JobKind
    document_id: str
    name: str
    format: str
    session_id: str
    created_at: datetime
    state: JobState = JobState.WAITING
    stage: str = "waiting"
    done: int = 0
    total: int = 0
    attempts: int = 0
    error: JobError | None = None
    stopping: bool = False

    @property
    def active(self) -> bool:
        """Whether it has not ended."""
        return self.state is not JobState.FAILED

    @property
    def quiet(self) -> bool:
        """Whether nobody waits for it: its document is as good as ready without it."""
        return self.kind in (JobKind.REFINE, JobKind.GRAPH)
