"""The most memory that one child process holds, sampled."""

import threading

import psutil

SAMPLE_SECONDS = 0.05
_MIB = 1024 * 1024


class ChildMemory:
    """Looks at the resident memory of each child, and of this process."""

    def __init__(self) -> None:
        self._own = psutil.Process()
        self._first = self._own.memory_info().rss
        self._most = self._first
        self._peak = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    @property
    def own_growth(self) -> int:
        """MiB by which this process has grown at most."""
        return (self._most - self._first) // _MIB

    def begin(self) -> None:
        """Forget the peak."""
        self._peak = 0

    def end(self) -> int:
        """Return the highest memory of one child since `begin`, in MiB."""
        return self._peak // _MIB

    def close(self) -> None:
        """End the sampling."""
        self._end.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._end.wait(SAMPLE_SECONDS):
            self._most = max(self._most, self._own.memory_info().rss)
            for child in self._own.children(recursive=True):
                try:
                    self._peak = max(self._peak, child.memory_info().rss)
                except psutil.NoSuchProcess:
                    continue  # it ended meanwhile
