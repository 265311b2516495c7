"""Peak memory of this process and its children: the sum of their PSS, sampled (Linux).

The sampling runs in a process of its own, which is left out of the sum: inside this one it would
take the interpreter from what is measured.
"""

import os
import subprocess
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SAMPLE_SECONDS = 1.0  # a look takes some 20 ms of a core from what is measured
PROC = Path("/proc")
ROOT = Path(__file__).parents[2]


def children_of() -> dict[int, list[int]]:
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


def tree_pss(root: int) -> int:
    """Return the PSS of a process and all below it but this one, in bytes."""
    children = children_of()
    waiting, total = [root], 0
    while waiting:
        pid = waiting.pop()
        if pid != os.getpid():
            total += _pss(pid)
            waiting += children[pid]
    return total


class MemoryWatch:
    """Keeps the highest sum seen while `running()` is entered; not in between."""

    def __init__(self) -> None:
        self.peak = 0
        self._sampler = subprocess.Popen(
            [sys.executable, "-m", "tests.evals.memory_watch", str(os.getpid())],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def _ask(self, word: str) -> int:
        """Tell the sampler something; return the peak so far in bytes."""
        assert self._sampler.stdin is not None
        assert self._sampler.stdout is not None
        self._sampler.stdin.write(f"{word}\n")
        self._sampler.stdin.flush()
        return int(self._sampler.stdout.readline())

    @contextmanager
    def running(self) -> Iterator[None]:
        """Sample inside the block."""
        self._ask("on")
        try:
            yield
        finally:
            self.peak = self._ask("off")

    def close(self) -> None:
        """End the sampler."""
        self._sampler.communicate(timeout=10)


def _sample(root: int) -> None:
    """Sample `root` while told to, and answer each line with the peak so far."""
    on = threading.Event()
    lock = threading.Lock()
    peak = 0

    def look() -> None:
        nonlocal peak
        while True:
            on.wait()
            with lock:
                if on.is_set():
                    peak = max(peak, tree_pss(root))
            threading.Event().wait(SAMPLE_SECONDS)

    threading.Thread(target=look, daemon=True).start()
    for line in sys.stdin:
        with lock:
            if line.strip() == "on":
                on.set()
            else:
                on.clear()
        print(peak, flush=True)


if __name__ == "__main__":
    _sample(int(sys.argv[1]))
