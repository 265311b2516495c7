"""Resource limits of worker processes."""

import ctypes
import os
import signal
import sys
import threading
import time
from dataclasses import dataclass

import psutil

MAX_CHARACTERS = 20_000_000
"""A document with more characters is refused: ten times the longest novels."""
CAREFUL_PAGES = 80
"""A process that dies was busy with one of so many pages: the next one takes them one by one."""
_BYTES = 1024 * 1024
MAX_PIXELS = 100_000_000
"""A larger picture is refused: an A3 page at 600 dpi has 70 million."""
_PARENT_LOOK_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker may use. Sizes in MiB, times in seconds."""

    memory_mb: int
    cpu_seconds: int
    wall_seconds: int
    max_pages: int
    max_file_mb: int


def enter(memory_mb: int) -> None:
    """Limit this process's memory and core files, where the platform can. Call it in the child.

    The process also ends with its parent, and sends nothing to anybody.
    """
    # onnxruntime reports its use to its makers otherwise; it looks when it is loaded.
    os.putenv("ORT_DISABLE_TELEMETRY", "1")
    _end_with_parent()
    if sys.platform == "win32":
        return
    import resource

    size = memory_mb * _BYTES
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_BYTES, _BYTES))


def _end_with_parent() -> None:
    """End soon after the parent, whatever this process is busy with: nobody limits it then.

    On Linux the kernel does it at once, when the thread ends that started this process.
    """
    parent = psutil.Process(os.getppid())

    def look() -> None:
        while parent.is_running() and os.getppid() == parent.pid:
            time.sleep(_PARENT_LOOK_SECONDS)
        os._exit(1)

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    threading.Thread(target=look, name="parent-watch", daemon=True).start()


def allow_cpu(seconds: int) -> None:
    """Let this process use so many more CPU seconds before the kernel ends it."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def over_memory(pid: int, memory_mb: int) -> bool:
    """Tell whether a process holds more memory than allowed (where the kernel does not see to it).

    A process that is gone holds none.
    """
    if sys.platform == "linux":
        return False
    try:
        return bool(psutil.Process(pid).memory_info().rss > memory_mb * _BYTES)
    except psutil.NoSuchProcess:
        return False
