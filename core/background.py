"""Who does which background jobs, and which job follows which."""

from collections.abc import Callable
from dataclasses import dataclass

from core.domain.document import Document
from core.domain.job import Job, JobKind
from core.graph_reading import GraphReading
from core.ports.jobs import JobQueue
from core.ports.reader import DocumentReader
from core.ports.recogniser import PageRecogniser
from core.rag.indexes import Indexes
from core.rag.library import Library
from core.rag.loading import Loading
from core.rag.recognition import Recognition, ocr_job
from core.rag.refining import Refining
from core.rag.reindexing import Reindexing
from core.recording import Recorder


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """What the runners of all kinds of jobs need. `recogniser` is None without text recognition."""

    jobs: JobQueue
    library: Library
    indexes: Indexes
    reader: DocumentReader
    recogniser: PageRecogniser | None
    recorder: Recorder
    refining: Refining
    graph_reading: GraphReading
    new_id: Callable[[], str]

    def register(self, *, chunk_size: int, chunk_overlap: int) -> None:
        """Tell the queue who does jobs of each kind."""
        sizes = {"chunk_size": chunk_size, "chunk_overlap": chunk_overlap}
        loading = Loading(
            self.library,
            self.reader,
            follow_up=self._follow_up,
            on_loaded=self._loaded,
            on_figures=self.recorder.seen,
            ocr=self.recogniser is not None,
            **sizes,
        )
        self.jobs.register(JobKind.LOAD, loading)
        reindexing = Reindexing(self.indexes, self.library.stores.documents, self._refine)
        self.jobs.register(JobKind.REINDEX, reindexing)
        self.jobs.register(JobKind.REFINE, self.refining)
        self.jobs.register(JobKind.GRAPH, self.graph_reading)
        if self.recogniser is not None:
            recognition = Recognition(
                self.library,
                self.recogniser,
                on_loaded=self._loaded,
                on_figures=self.recorder.seen,
                on_page=self._refine,
                **sizes,
            )
            self.jobs.register(JobKind.OCR, recognition)

    def _follow_up(self, document: Document, load: Job, namespace: str) -> bool:
        """Begin what comes after a load; tell whether pictures are to be read."""
        self._refine(document.id, namespace)
        if document.ocr_pages:
            job = ocr_job(document, load, new_id=self.new_id)
            self.jobs.submit(job, namespace=namespace)
        return bool(document.ocr_pages)

    def _loaded(self, document: Document, job: Job, namespace: str) -> None:
        self.recorder.loaded(document, job, namespace)
        self.graph_reading.want(document, namespace=namespace)

    def _refine(self, document_id: str, namespace: str) -> None:
        self.refining.want(document_id, namespace=namespace)
