"""The heavy parts of the application, shared by all learners of a process."""

import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from core.asking import Asking
from core.domain.job import JobKind
from core.domain.study import AssistantStatus
from core.erasing import Erasing
from core.files import LearnerFiles
from core.graph_reading import GraphReading
from core.memory_parts import MemoryParts, new_id
from core.ports.history_store import HistoryStore
from core.ports.jobs import JobQueue
from core.ports.reader import PageInspector
from core.ports.refiner import Refiner
from core.rag.engine import RAGEngine
from core.recording import Recorder
from core.secret import kept_secret
from core.settings import Settings

_SECRET_FILE = "secret.key"


class Services:
    """The heavy parts, shared by all learners of a process. Making one opens nothing."""

    def __init__(
        self,
        settings: Settings,
        *,
        engine: RAGEngine,
        asking: Asking,
        memory_parts: MemoryParts,
        history: HistoryStore,
        jobs: JobQueue,
        recorder: Recorder,
        files: LearnerFiles,
        inspector: PageInspector,
        status: AssistantStatus,
        refiner: Refiner | None,
        graph_reading: GraphReading,
        erasing: Erasing,
        clock: Callable[[], datetime],
        start: Callable[[], None],
        stop: Callable[[], None],
    ) -> None:
        self.settings = settings
        self.engine = engine
        self.asking = asking
        self.memory = memory_parts.engine
        self.memory_parts = memory_parts
        self.history = history
        self.jobs = jobs
        self.recorder = recorder
        self.files = files
        self.inspector = inspector
        self.refiner = refiner
        self.graph_reading = graph_reading
        self.erasing = erasing
        self._status = status
        self.clock = clock
        self.new_id: Callable[[], str] = new_id
        self._start = start
        self._stop = stop
        self._ready = False
        self._lock = threading.Lock()

    def ensure_ready(self) -> None:
        """Open the stores and remove what a crash left, once. Raises `StoreError`."""
        with self._lock:
            if not self._ready:
                self._start()
                self._ready = True

    def warm_up(self) -> None:
        """Load what the first document and the first question would otherwise wait for."""
        self.ensure_ready()
        self.engine.warm_up()
        if self.refiner is not None:
            self.refiner.warm_up()

    @property
    def status(self) -> AssistantStatus:
        """What answers, and where things are kept."""
        trouble = None if self.refiner is None else self.refiner.trouble
        return self._status if trouble is None else replace(self._status, refining=trouble)

    def wait_refined(self, *, namespace: str, timeout: float) -> bool:
        """Wait until no document of the namespace is being refined; `False` after `timeout` s.

        Tests and evals need it; a learner waits for nothing.
        """
        return self.jobs.wait_for_kind(JobKind.REFINE, namespace=namespace, timeout=timeout)

    def close(self) -> None:
        """Release stores and worker processes. They open again at the next use."""
        with self._lock:
            self._stop()
            self._ready = False

    def user_secret(self) -> bytes:
        """Return the key that turns browser tokens into user ids, making it at the first call."""
        if self.settings.app_secret is not None:
            return self.settings.app_secret.get_secret_value().encode()
        return kept_secret(self.settings.data_dir / _SECRET_FILE)
