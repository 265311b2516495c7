"""Processor time of this process and all below it (Linux)."""

import os

from tests.evals.memory_watch import PROC, children_of

_TICKS = os.sysconf("SC_CLK_TCK")


def tree_cpu_seconds() -> float:
    """Return the processor seconds of this process and its children that live or have ended."""
    children = children_of()
    waiting, total = [os.getpid()], 0
    while waiting:
        pid = waiting.pop()
        try:
            stat = (PROC / str(pid) / "stat").read_text()
        except OSError:
            continue  # it ended meanwhile
        total += sum(int(n) for n in stat.rpartition(")")[2].split()[11:15])
        waiting += children[pid]
    return total / _TICKS
