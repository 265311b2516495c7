"""Files of what was perceived: kept while a memory refers to them, and while one is being made."""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from core.domain.memory import Memory, MemoryKind
from core.files import LearnerFiles

FILE = "file"
"""Key of the metadata: the name of the kept file (`LearnerFiles.seen`)."""

Referring = Callable[[str], Iterable[Memory]]
"""Returns the memories of a namespace that may refer to files, wherever they are kept."""


class KeptFiles:
    """Deletes kept files that nothing refers to. Thread-safe."""

    def __init__(self, files: LearnerFiles, referring: Referring) -> None:
        self._files = files
        self._referring = referring
        self._lock = threading.Lock()
        self._held: Counter[tuple[str, str]] = Counter()
        self._begun: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def holding(self, name: str, *, namespace: str) -> Iterator[None]:
        """Keep a file meanwhile: the memory that will refer to it is being made."""
        key = (namespace, name)
        with self._lock:
            self._held[key] += 1
            self._begun[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._held[key] -= 1

    def release(self, names: Iterable[str], *, namespace: str) -> int:
        """Delete those of the files that nothing refers to (any more); return how many."""
        there = set(self._files.all_seen(namespace=namespace)).intersection(names)
        if not there:
            return 0
        with self._lock:
            begun = {name: self._begun[namespace, name] for name in there}
        told = map(file_of, self._referring(namespace))
        loose = there - {name for name in told if name}
        with self._lock:
            # what was begun since then may have ended in a memory that was not seen above
            loose = {
                name
                for name in loose
                if not self._held[namespace, name] and self._begun[namespace, name] == begun[name]
            }
            self._files.remove_seen(loose, namespace=namespace)
        return len(loose)

    def sweep(self, *, namespace: str) -> int:
        """Delete all kept files that nothing refers to (any more); return how many."""
        return self.release(self._files.all_seen(namespace=namespace), namespace=namespace)


def file_of(memory: Memory) -> str | None:
    """Return the name of the file that is kept with a memory, None without one."""
    name = memory.metadata.get(FILE)
    return name if memory.kind is MemoryKind.PERCEPTUAL and isinstance(name, str) else None
