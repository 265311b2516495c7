"""Resource limits of worker processes."""

import sys
from dataclasses import dataclass

import psutil

_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker may use. Sizes in MiB, times in seconds."""

    memory_mb: int
    cpu_seconds: int
    wall_seconds: int
    max_pages: int
    max_file_mb: int


def enter(memory_mb: int) -> None:
    """Limit this process's memory and core files, where the platform can. Call it in the child."""
    if sys.platform == "win32":
        return
    import resource

    size = memory_mb * _BYTES
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_BYTES, _BYTES))


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
