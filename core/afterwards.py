"""What may be done a little later: nobody waits for it, and nobody misses what a crash takes."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for

logger = logging.getLogger(__name__)

Task = Callable[[], None]


class Afterwards:
    """Does tasks in one thread, in the order in which they come. Thread-safe.

    A task that fails is logged with its traceback, and the next one is done.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._open: set[Future[None]] = set()

    def later(self, task: Task) -> None:
        """Do a task when those before it are done."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(1, thread_name_prefix=self._name)
            future = self._pool.submit(task)
            self._open.add(future)
        future.add_done_callback(self._done)

    def _done(self, future: Future[None]) -> None:
        with self._lock:
            self._open.discard(future)
        error = None if future.cancelled() else future.exception()
        if error is not None:
            logger.error("%s: a task failed", self._name, exc_info=error)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until what has come so far is done; `False` when that takes longer (seconds)."""
        with self._lock:
            waiting = set(self._open)
        return not wait_for(waiting, timeout).not_done

    def close(self) -> None:
        """Do what has come and end the thread. The next task begins a new one."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()
