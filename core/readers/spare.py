"""A worker process that waits for the next file, so that no file waits for its process."""

import threading

from core.readers.host import Worker
from core.readers.limits import Limits


class Spare:
    """Hands out started workers. Until `warm_up` it starts each one when it is asked for."""

    def __init__(self, bounds: Limits) -> None:
        self._limits = bounds
        self._waiting: Worker | None = None
        self._wanted = False
        self._lock = threading.Lock()

    def warm_up(self) -> None:
        """Keep a started worker from now on."""
        self._wanted = True
        self._start_another()

    def take(self, bounds: Limits) -> Worker:
        """Return a started worker with these limits; the caller ends it.

        Raises `ConfigurationError` when none can be started.
        """
        with self._lock:
            worker, self._waiting = self._waiting, None
        if worker is not None:
            if worker.alive and bounds.memory_mb == self._limits.memory_mb:
                worker.limit(bounds)
                self._start_soon()
                return worker
            worker.kill()
        worker = Worker(bounds, preload=True)
        worker.start()
        self._start_soon()
        return worker

    def close(self) -> None:
        """End the worker that waits; `warm_up` keeps one again."""
        self._wanted = False
        with self._lock:
            worker, self._waiting = self._waiting, None
        if worker is not None:
            worker.kill()

    def _start_soon(self) -> None:
        if self._wanted:
            threading.Thread(target=self._start_another, name="reader-spare", daemon=True).start()

    def _start_another(self) -> None:
        worker = Worker(self._limits, preload=True)
        worker.start()
        with self._lock:
            kept = self._wanted and self._waiting is None
            if kept:
                self._waiting = worker
        if not kept:
            worker.kill()
