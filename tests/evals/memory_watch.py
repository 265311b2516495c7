"""Peak memory of this process and its children: the sum of their PSS, sampled (Linux)."""

import os
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAMPLE_SECONDS = 0.1
PROC = Path("/proc")


def _children() -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for entry in PROC.iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue  # it ended between the two lines
            parent = int(stat.rpartition(")")[2].split()[1])
            found[parent].append(int(entry.name))
    return found


def _pss(pid: int) -> int:
    """Return the proportional set size in bytes; 0 when the process has ended."""
    try:
        for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        return 0
    return 0


def tree_pss() -> int:
    """Return the PSS of this process and all below it, in bytes."""
    children = _children()
    waiting, total = [os.getpid()], 0
    while waiting:
        pid = waiting.pop()
        total += _pss(pid)
        waiting += children[pid]
    return total


class MemoryWatch:
    """Keeps the highest sum seen while `running()` is entered; not in between."""

    def __init__(self) -> None:
        self.peak = 0
        self._on = threading.Event()
        self._end = threading.Event()
        self._sampling = threading.Lock()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def _sample(self) -> None:
        while not self._end.is_set():
            self._on.wait()
            with self._sampling:
                if self._on.is_set():
                    self.peak = max(self.peak, tree_pss())
            self._end.wait(SAMPLE_SECONDS)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Sample inside the block."""
        self._on.set()
        try:
            yield
        finally:
            with self._sampling:
                self._on.clear()

    def close(self) -> None:
        """End the thread."""
        self._end.set()
        self._on.set()
        self._thread.join()
