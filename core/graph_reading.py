"""The job that reads a document into the knowledge graph, page by page.

It begins when a document can be asked and waits while anything is loaded. What is read twice is in
the graph once, so a job that was interrupted simply reads again.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime

from core.domain.document import Document, DocumentState
from core.domain.graph import SourceKind
from core.domain.job import Job, JobKind
from core.errors import ModelError, NotFoundError, StoreError
from core.graph.knowledge import KnowledgeGraph
from core.ports.document_store import DocumentStore
from core.ports.jobs import JobControl, JobQueue

logger = logging.getLogger(__name__)

STAGE = "graph"
_PAGES_AT_ONCE = 8


class GraphReading:
    """Runs jobs of the kind `GRAPH`, and submits them. Thread-safe."""

    def __init__(
        self,
        graph: KnowledgeGraph,
        documents: DocumentStore,
        *,
        jobs: JobQueue,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._graph = graph
        self._documents = documents
        self._jobs = jobs
        self._clock = clock
        self._new_id = new_id
        self._looked_at: set[str] = set()
        self._lock = threading.Lock()

    def want(self, document: Document, *, namespace: str) -> None:
        """Submit the job that reads a document."""
        job = Job(
            id=self._new_id(),
            kind=JobKind.GRAPH,
            document_id=document.id,
            name=document.name,
            format=document.format,
            session_id="",
            created_at=self._clock(),
        )
        self._jobs.submit(job, namespace=namespace)

    def want_missing(self, *, namespace: str) -> None:
        """Submit jobs for documents the graph knows nothing of; looks once for each learner.

        They were loaded by a version without a graph, or into another graph store.
        """
        with self._lock:
            if namespace in self._looked_at:
                return
            self._looked_at.add(namespace)
        known = set(self._graph.sources(SourceKind.DOCUMENT, namespace=namespace))
        waiting = {
            job.document_id
            for job in self._jobs.list(namespace=namespace)
            if job.kind is JobKind.GRAPH
        }
        for document in self._documents.list(namespace=namespace):
            if document.id not in known | waiting and document.state is DocumentState.READY:
                self.want(document, namespace=namespace)

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """See `JobRunner.run`. A failure is logged; the document can be asked without."""
        try:
            self._run(job, control, namespace)
        except NotFoundError:
            self._graph.forget_source(SourceKind.DOCUMENT, job.document_id, namespace=namespace)
        except (ModelError, StoreError) as exc:
            logger.warning("A document is not read into the graph further: %s", exc)

    def abandon(self, job: Job, *, namespace: str) -> None:
        """See `JobRunner.abandon`: what was read stays until the document is deleted."""

    def _run(self, job: Job, control: JobControl, namespace: str) -> None:
        document = self._documents.get(job.document_id, namespace=namespace)
        for first in range(1, document.pages + 1, _PAGES_AT_ONCE):
            control.progress(stage=STAGE, done=first - 1, total=document.pages)
            numbers = range(first, min(first + _PAGES_AT_ONCE, document.pages + 1))
            pages = self._documents.pages(document.id, numbers, namespace=namespace)
            self._graph.learn_pages(
                document.id,
                [(page.number, page.text, document.language) for page in pages],
                namespace=namespace,
            )
        self._documents.get(job.document_id, namespace=namespace)  # it may be gone meanwhile
