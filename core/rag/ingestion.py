"""Documents on their way in and out: what is asked for, and the jobs that do it."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.domain.document import Document, DocumentState
from core.domain.job import Job, JobKind
from core.domain.study import LoadProgress, LoadResult
from core.errors import DocumentError
from core.files import sha256_of
from core.ports.jobs import JobQueue
from core.ports.reader import DocumentReader
from core.rag.chunking import document_id_for
from core.rag.library import Library
from core.rag.reindexing import reindex_job

logger = logging.getLogger(__name__)

OnProgress = Callable[[LoadProgress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRequest:
    """What to load. `name` is the file's name as the learner knows it."""

    path: Path
    name: str
    namespace: str
    session_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """A load that has begun; or the same content is there, or on its way, already.

    `is_new` says which; `existing` is the document when it is wholly there.
    """

    document_id: str
    is_new: bool
    existing: Document | None = None


def load_result(document: Document, seconds: float, *, duplicate: bool) -> LoadResult:
    """Return the result that a script or the interface reads."""
    return LoadResult(
        success=True,
        message="This document is already loaded."
        if duplicate
        else f"Loading successful! (Time: {seconds:.1f}s)",
        document=document.name,
        document_id=document.id,
        pages=document.pages,
        chunks=document.chunks,
        seconds=seconds,
        duplicate=duplicate,
        warnings=document.warnings,
        record=document,
    )


class Ingestion:
    """Begins loads, waits for them, deletes documents. Thread-safe."""

    def __init__(
        self,
        *,
        library: Library,
        reader: DocumentReader,
        jobs: JobQueue,
        new_id: Callable[[], str],
        refine_all: Callable[[], None],
    ) -> None:
        """`refine_all` goes on refining the documents of ALL users."""
        self._library = library
        self._reader = reader
        self._jobs = jobs
        self._new_id = new_id
        self._refine_all = refine_all

    def warm_up(self) -> None:
        """Make the reader ready for the first file. Raises `ConfigurationError`."""
        self._reader.warm_up()

    def submit(self, request: LoadRequest) -> Submitted:
        """Keep the file and begin to load it in the background.

        Content that is there already, or on its way, is not loaded again: another name of it is
        noted. Raises `DocumentError` for what is no document, and `StoreError`.
        """
        namespace = request.namespace
        try:
            format = self._reader.format_of(request.path, request.name)
            sha256 = sha256_of(request.path)
        except OSError as exc:
            raise DocumentError(
                f"The file cannot be opened: {request.name}", remedy="Choose the file again."
            ) from exc
        document_id = document_id_for(namespace, sha256)
        for job in self._jobs_of(document_id, namespace):
            self._jobs.dismiss(job.id, namespace=namespace)  # nothing, unless it failed
        with self._library.alone(document_id):
            found = self._library.find(document_id, namespace=namespace)
            if found is not None and found.state is DocumentState.READY:
                linked = self._library.link(found, request.name, namespace=namespace)
                return Submitted(document_id=document_id, is_new=False, existing=linked)
            if self._jobs_of(document_id, namespace):
                return Submitted(document_id=document_id, is_new=False)
            self._library.keep(request.path, document_id, format=format, namespace=namespace)
            job = self._load_job(request, document_id, format)
            self._library.begin(job, namespace=namespace)
            self._jobs.submit(job, namespace=namespace)
        return Submitted(document_id=document_id, is_new=True)

    def wait(self, document_id: str, on_progress: OnProgress, *, namespace: str) -> Job | None:
        """Wait until a load and its text recognition have ended; return the job that failed.

        What `on_progress` raises passes through; the load goes on.
        """

        def tell(job: Job) -> None:
            on_progress(LoadProgress(stage=job.stage, done=job.done, pages=job.total))

        return self._jobs.wait(document_id, on_change=tell, namespace=namespace)

    def give_up(self, document_id: str, *, namespace: str) -> None:
        """Stop what is under way for a document, forget what failed, and remove what is left."""
        self._jobs.stop_document(document_id, namespace=namespace)

    def delete(self, document_id: str, *, namespace: str) -> None:
        """Delete a document from every store, whatever is still being done with it."""
        self._jobs.stop_document(document_id, namespace=namespace)
        self._library.remove(document_id, namespace=namespace)

    def resume(self) -> None:
        """Go on with what a crash or the end of the application interrupted, of ALL users."""
        self._library.go_on_deleting()
        self._jobs.resume()
        for namespace, document in self._library.stores.documents.unfinished():
            known = {job.document_id for job in self._jobs.list(namespace=namespace)}
            if document.id not in known:
                logger.info("Removing a document that nothing loads any more")
                self._library.remove(document.id, namespace=namespace)
        stores = self._library.stores
        for namespace, document in stores.documents.outdated(stores.embedder.name):
            kinds = {job.kind for job in self._jobs_of(document.id, namespace)}
            if document.state is DocumentState.READY and JobKind.REINDEX not in kinds:
                job = reindex_job(document, job_id=self._new_id())
                self._jobs.submit(job, namespace=namespace)
        self._refine_all()

    def _jobs_of(self, document_id: str, namespace: str) -> list[Job]:
        jobs = self._jobs.list(namespace=namespace)
        return [job for job in jobs if job.document_id == document_id and not job.quiet]

    def _load_job(self, request: LoadRequest, document_id: str, format: str) -> Job:
        return Job(
            id=self._new_id(),
            kind=JobKind.LOAD,
            document_id=document_id,
            name=request.name,
            format=format,
            session_id=request.session_id,
            created_at=self._library.now(),
        )
