"""Port: the word index of durable memories, kept with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.domain.memory import MemoryKind, MemoryState


@dataclass(frozen=True, slots=True, kw_only=True)
class WordRow:
    """A memory as the word index has it, without its text.

    `seq` grows with every writing of the memory, `place` is the order in which memories were first
    stored. `data` is that of `core.text.indexed`.
    """

    seq: int
    memory_id: str
    place: int
    kind: MemoryKind
    event: str
    session_id: str
    created_at: datetime
    importance: float
    state: MemoryState
    data: bytes


class MemoryWords(Protocol):
    """The word index of all learners' memories. Raises `StoreError` when the store fails.

    Every memory that is stored has its row, in the same transaction; deleting it takes the row.
    """

    def ensure(self, *, namespace: str) -> None:
        """Index the memories that an older version of the app stored."""

    def extent(self, *, namespace: str) -> tuple[int, int]:
        """Return how many rows there are, and the highest `seq`, 0 without any."""

    def after(self, seq: int, *, namespace: str) -> list[WordRow]:
        """Return the rows with a higher `seq`, ascending."""

    def seqs(self, *, namespace: str) -> list[int]:
        """Return the `seq` of every row."""

    def unrefined(self, *, namespace: str, limit: int) -> list[str]:
        """Return ids of memories whose second vectors are not noted as written, oldest first."""

    def note_refined(self, ids: Sequence[str], *, namespace: str) -> None:
        """Note that these memories have their second vectors, until they are stored again."""

    def refined(self, *, namespace: str) -> int:
        """Return how many memories are noted as having their second vectors."""

    def forget_refined(self, *, namespace: str) -> None:
        """Note that no memory has second vectors: the index was lost."""

    def namespaces_unrefined(self) -> list[str]:
        """Return ALL namespaces that have memories without second vectors."""
