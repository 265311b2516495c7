"""Port: durable memories."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.memory import Memory, MemoryKind


class MemoryStore(Protocol):
    """Durable memories of all learners. Every method raises `StoreError` when the store fails."""

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory; one with the same id is replaced."""

    def add_all(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Store several memories as `add`, all or none."""

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return the memory. Raises `NotFoundError`."""

    def many(self, ids: Sequence[str], *, namespace: str) -> list[Memory]:
        """Return the memories that exist, in the order of `ids`."""

    def count(self, *, namespace: str) -> dict[MemoryKind, int]:
        """Return how many there are of each kind; a kind without any is left out."""

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Delete the memory, on disk too. Raises `NotFoundError`."""

    def delete_all(self, ids: Sequence[str], *, namespace: str) -> None:
        """Delete those of the memories that exist, on disk too."""

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        limit: int | None = None,
    ) -> list[Memory]:
        """Return memories, newest first.

        `since` is inclusive, `until` exclusive; no kinds means all kinds.
        """

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
