"""Port: the archive of memories, and the log of what can be undone."""

import builtins
from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.memory import Memory
from core.domain.upkeep import Change


class ArchiveStore(Protocol):
    """Memories in cold storage, compressed, of all learners. Raises `StoreError` when it fails."""

    def put(self, memories: Sequence[Memory], *, at: datetime, namespace: str) -> None:
        """Archive memories; one with the same id is replaced."""

    def list(self, *, namespace: str) -> list[Memory]:
        """Return the archived memories, newest first."""

    def take(self, ids: Sequence[str], *, namespace: str) -> builtins.list[Memory]:
        """Remove memories from the archive, on disk too, and return those that were there."""

    def count(self, *, namespace: str) -> int:
        """Return how many there are."""

    def size(self, *, namespace: str) -> tuple[int, int]:
        """Return the bytes on disk and the bytes of the same memories uncompressed."""


class ChangeLog(Protocol):
    """What can be undone, of all learners. Raises `StoreError` when it fails."""

    def add(self, change: Change, *, namespace: str) -> None:
        """Keep a change."""

    def get(self, change_id: str, *, namespace: str) -> Change:
        """Return a change. Raises `NotFoundError`."""

    def list(self, *, namespace: str) -> list[Change]:
        """Return the changes, the last one first."""

    def remove(self, ids: Sequence[str], *, namespace: str) -> None:
        """Remove changes, on disk too; those that are not there are no error."""

    def remove_memory(self, memory_id: str, *, namespace: str) -> None:
        """Take one memory out of all changes, on disk too; a change left without any goes."""

    def remove_memories(self, memory_ids: Sequence[str], *, namespace: str) -> None:
        """Take memories out of all changes, as `remove_memory`, all or none."""

    def expire_of_all(self, now: datetime) -> int:
        """Remove the changes of ALL users that are over their time; return how many."""
