"""Port: durable memories."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.ports.memory_statements import MemoryStatements
from core.ports.memory_words import MemoryWords


class MemoryStore(Protocol):
    """Durable memories of all learners. Every method raises `StoreError` when the store fails."""

    @property
    def words(self) -> MemoryWords:
        """The word index of the memories, kept with them."""

    @property
    def statements(self) -> MemoryStatements:
        """What the memories state, kept with them."""

    def add(self, memory: Memory, *, namespace: str) -> None:
        """Store a memory; one with the same id is replaced."""

    def add_all(self, memories: Sequence[Memory], *, namespace: str) -> None:
        """Store several memories as `add`, all or none."""

    def get(self, memory_id: str, *, namespace: str) -> Memory:
        """Return the memory. Raises `NotFoundError`."""

    def many(self, ids: Sequence[str], *, namespace: str) -> list[Memory]:
        """Return the memories that exist, in the order of `ids`."""

    def same_text(
        self, content: str, *, kind: MemoryKind, event: str, namespace: str
    ) -> Memory | None:
        """Return the newest current memory of this kind and event with the same text, or None.

        What counts as the same says `core.text.same`.
        """

    def update_all(self, memories: Sequence[Memory], *, namespace: str) -> list[str]:
        """Store as they are now those of the memories that exist; return the ids of those.

        All or none. Their uses and sightings (with their times) stay as they are stored: these only
        count up, by `note_used` and `note_sighting`.
        """

    def note_sighting(
        self, memory_id: str, *, at: datetime, importance: float = 0.0, namespace: str
    ) -> None:
        """Count one more sighting of a memory; a lower importance is raised to this one.

        Raises `NotFoundError`.
        """

    def note_used(self, ids: Sequence[str], *, at: datetime, namespace: str) -> None:
        """Count one more use of these memories; those that do not exist are left out."""

    def count(self, *, namespace: str) -> dict[MemoryKind, int]:
        """Return how many there are of each kind that has any, whatever their state."""

    def delete(self, memory_id: str, *, namespace: str) -> None:
        """Delete the memory, on disk too. Raises `NotFoundError`."""

    def delete_all(self, ids: Sequence[str], *, namespace: str) -> None:
        """Delete those of the memories that exist, on disk too."""

    def exchange(self, put: Sequence[Memory], *, without: Sequence[str], namespace: str) -> None:
        """Store memories as `add_all` and delete others as `delete_all`, all or nothing."""

    def list(
        self,
        *,
        namespace: str,
        kinds: Sequence[MemoryKind] = (),
        since: datetime | None = None,
        until: datetime | None = None,
        states: Sequence[MemoryState] = (),
        events: Sequence[str] = (),
        limit: int | None = None,
    ) -> list[Memory]:
        """Return memories, newest first; empty `kinds`, `states`, `events` mean all.

        `since` is inclusive, `until` exclusive.
        """

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
