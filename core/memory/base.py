"""What the four types of memory have in common."""

from collections.abc import Sequence
from datetime import datetime
from typing import ClassVar, Protocol

from core.domain.memory import Memory, MemoryKind


class BaseMemory(Protocol):
    """One type of memory, of all learners. Safe in several threads.

    Every method raises `StoreError` when a store does not answer; those that embed a text also
    `ModelError`. Finding is the work of `core.memory.recall`, over all types at once.
    """

    kind: ClassVar[MemoryKind]

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Keep a memory, whole or not at all; one with the same id is replaced."""

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return a memory of this type. Raises `NotFoundError`."""

    def update(self, memory: Memory, *, namespace: str) -> None:
        """Keep a memory as it is now. Raises `NotFoundError` when it is not there."""

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Forget a memory for good. Raises `NotFoundError`."""

    def list(
        self, *, namespace: str, since: datetime | None = None, until: datetime | None = None
    ) -> Sequence[Memory]:
        """Return what is there, newest first; `since` is inclusive, `until` exclusive."""

    def count(self, *, namespace: str) -> int:
        """Return how many there are, whatever their state."""

    def clear(self, *, namespace: str) -> None:
        """Forget everything of the namespace for good."""
