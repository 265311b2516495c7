"""The job that gives every window and every passage of a document its refined vector.

It begins when a document can be asked, goes on where it was, and waits while anything is loaded.
"""

import logging
import threading
from collections.abc import Callable, Iterator, Sequence

from core.domain.document import Chunk, Document, DocumentState
from core.domain.job import Job, JobKind
from core.errors import ModelError, NotFoundError, StoreError
from core.ports.embedder import Vectors
from core.ports.jobs import JobControl, JobQueue
from core.ports.refiner import Refiner
from core.ports.vector_store import VectorPoint
from core.rag.indexing import IndexStores, window_points
from core.rag.point_ids import PASSAGE_KIND, passage_id, window_id
from core.rag.reindexing import stored_passages

logger = logging.getLogger(__name__)

STAGE = "refining"
_CHUNKS_AT_ONCE = 4
"""A step of about a second: what is lost when a job makes way."""
_TEXTS_AT_ONCE = 8
"""Between them it is asked whether the job shall stop."""


def passage_text(chunk: Chunk) -> str:
    """Return what is embedded for a whole chunk: its headings, its context and its text."""
    return "\n".join(part for part in (*chunk.heading_path, chunk.context, chunk.text) if part)


class Refining:
    """Runs jobs of the kind `REFINE`, one at a time, and submits them. Thread-safe.

    `refiner` is None where nothing is to be refined; documents of another embedder than that of
    `stores` are not.
    """

    def __init__(
        self,
        stores: IndexStores,
        refiner: Refiner | None,
        *,
        jobs: JobQueue,
        new_id: Callable[[], str],
    ) -> None:
        self._stores = stores
        self._refiner = refiner
        self._jobs = jobs
        self._new_id = new_id
        self._lock = threading.Lock()
        self._ended: set[str] = set()
        self._missing = False

    def want(self, document_id: str, *, namespace: str) -> None:
        """Submit the job that refines a document, unless there is nothing to do or it has one."""
        if self._refiner is None or self._missing:
            return
        with self._lock:
            document = self._unrefined(document_id, namespace)
            jobs = self._jobs.list(namespace=namespace)
            if document is None or any(
                job.kind is JobKind.REFINE
                and job.document_id == document_id
                and job.id not in self._ended
                for job in jobs
            ):
                return
            job = refine_job(document, job_id=self._new_id())
            self._jobs.submit(job, namespace=namespace)

    def want_all(self) -> None:
        """Submit the jobs of ALL users that are missing, as after a start."""
        if self._refiner is not None:
            for namespace, document in self._stores.documents.unrefined():
                self.want(document.id, namespace=namespace)

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """See `JobRunner.run`. A failure is logged and tried again at the next start.

        The learner is told nothing: the document can be asked without.
        """
        try:
            self._run(job, control, namespace)
        except (ModelError, StoreError, NotFoundError) as exc:
            logger.warning("A document is not refined further: %s", exc)
            with self._lock:
                self._ended.add(job.id)

    def abandon(self, job: Job, *, namespace: str) -> None:
        """See `JobRunner.abandon`: what is refined stays."""

    def _run(self, job: Job, control: JobControl, namespace: str) -> None:
        with self._lock:
            self._ended.clear()  # jobs of this kind run one at a time
        missing = None if self._refiner is None else self._refiner.missing()
        if missing is not None:
            self._missing = True
            raise ModelError(f"The refining embedder cannot be used here ({missing}).")
        while (document := self._next(job, namespace)) is not None:
            ids = self._stores.documents.chunk_ids(document.id, namespace=namespace)
            if document.refined >= len(ids):
                raise StoreError("Passages of a document are not there.")
            for start in range(document.refined, len(ids), _CHUNKS_AT_ONCE):

                def check(done: int = start, total: int = len(ids)) -> None:
                    control.progress(stage=STAGE, done=done, total=total)

                check()
                part = ids[start : start + _CHUNKS_AT_ONCE]
                self._embed(
                    self._stores.documents.chunks(part, namespace=namespace), check, namespace
                )
                done = start + len(part)
                self._stores.documents.note_refined(document.id, done, namespace=namespace)

    def _next(self, job: Job, namespace: str) -> Document | None:
        """Return the document while it has chunks to refine; else the job has ended."""
        with self._lock:
            document = self._unrefined(job.document_id, namespace)
            if document is None:
                self._ended.add(job.id)
            return document

    def _unrefined(self, document_id: str, namespace: str) -> Document | None:
        try:
            document = self._stores.documents.get(document_id, namespace=namespace)
        except NotFoundError:
            return None
        same_index = document.embedder == self._stores.embedder.name
        wanted = document.state is DocumentState.READY and document.refined < document.chunks
        return document if same_index and wanted and self._refiner is not None else None

    def _embed(self, chunks: Sequence[Chunk], check: Callable[[], None], namespace: str) -> None:
        passages = stored_passages(chunks, self._stores.documents, namespace=namespace)
        windows = [
            (window_id(passage.chunk.id, number), window.text)
            for passage, window, number in window_points(passages)
        ]
        wholes = [(chunk, passage_text(chunk)) for chunk in chunks]
        vectors = self._vectors([text for _, text in windows] + [t for _, t in wholes], check)
        index = self._stores.vectors
        index.refine({i: vectors[text] for i, text in windows}, namespace=namespace)
        index.upsert(
            [_passage_point(chunk, vectors[text]) for chunk, text in wholes], namespace=namespace
        )
        index.flush()

    def _vectors(self, texts: Sequence[str], check: Callable[[], None]) -> dict[str, Vectors]:
        """Return the vector of each text; a repeated one is embedded once."""
        assert self._refiner is not None
        out: dict[str, Vectors] = {}
        for part in _parts(list(dict.fromkeys(texts))):
            check()
            out |= dict(zip(part, self._refiner.embed_documents(part), strict=True))
        return out


def _parts(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        yield texts[start : start + _TEXTS_AT_ONCE]


def _passage_point(chunk: Chunk, vector: Vectors) -> VectorPoint:
    first = chunk.ranges[0]
    return VectorPoint(
        id=passage_id(chunk.id),
        vector=None,
        payload={
            "kind": PASSAGE_KIND,
            "document_id": chunk.document_id,
            "chunk_id": chunk.id,
            "ordinal": chunk.ordinal,
            "page": first.page,
            "start": first.start,
        },
        refined=vector,
    )


def refine_job(document: Document, *, job_id: str) -> Job:
    """Return the job that refines a document."""
    return Job(
        id=job_id,
        kind=JobKind.REFINE,
        document_id=document.id,
        name=document.name,
        format=document.format,
        session_id="",
        created_at=document.loaded_at,
        done=document.refined,
        total=document.chunks,
    )
