"""What memories need from time to time, without anybody asking: a round every minute."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from core.errors import AssistantError
from core.memory.archive import Archive
from core.memory.consolidation import Consolidation
from core.memory.undo import Undo

logger = logging.getLogger(__name__)

SECONDS_BETWEEN = 60.0
ARCHIVE_EVERY = timedelta(days=1)


class Housekeeping:
    """Does the rounds of all learners that were here since the start. Thread-safe.

    Working memories that are to be kept move on to episodic memory when their time is nearly over,
    and when the application ends, those that are left; what was unused for long goes into the
    archive once a day; what can no longer be undone leaves the disk. A failure is logged, and the
    next round tries again.
    """

    def __init__(
        self,
        *,
        consolidation: Consolidation,
        archive: Archive,
        undo: Undo,
        clock: Callable[[], datetime],
    ) -> None:
        self._consolidation = consolidation
        self._archive = archive
        self._undo = undo
        self._clock = clock
        self._archived_at: dict[str, datetime | None] = {}
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def note(self, namespace: str) -> None:
        """Take a learner into the rounds, and repair what a crash left of a consolidation."""
        with self._lock:
            self._archived_at.setdefault(namespace, None)
        self._consolidation.repair(namespace=namespace)

    def start(self) -> None:
        """Begin the rounds."""
        with self._lock:
            if self._thread is None:
                self._ended.clear()
                self._thread = threading.Thread(
                    target=self._rounds, name="housekeeping", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """End the rounds, and let working memories to be kept move on: their session ends."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is None:
            return
        self._ended.set()
        thread.join()
        self._each(self._end_session)

    def round(self) -> None:
        """Do one round."""
        self._try("undo log", lambda: self._undo.expire_of_all())
        self._each(self._move_on)
        self._each(self._archive_old)

    def _rounds(self) -> None:
        while not self._ended.wait(SECONDS_BETWEEN):
            self.round()

    def _move_on(self, namespace: str) -> None:
        plan = self._consolidation.due(namespace=namespace)
        self._consolidation.apply(plan, namespace=namespace)

    def _end_session(self, namespace: str) -> None:
        plan = self._consolidation.due(namespace=namespace, within=None)
        self._consolidation.apply(plan, namespace=namespace)

    def _archive_old(self, namespace: str) -> None:
        now = self._clock()
        with self._lock:
            last = self._archived_at.get(namespace)
        if last is None or now - last >= ARCHIVE_EVERY:
            self._archive.run(namespace=namespace)
            with self._lock:
                self._archived_at[namespace] = now

    def _each(self, do: Callable[[str], None]) -> None:
        with self._lock:
            namespaces = list(self._archived_at)
        for namespace in namespaces:
            self._try(do.__name__, partial(do, namespace))

    def _try(self, what: str, do: Callable[[], object]) -> None:
        try:
            do()
        except AssistantError:
            logger.exception("Housekeeping: %s failed", what)
