"""Port: everything the record store has of somebody, whatever table it is in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredText:
    """A text as it is stored.

    `place` is where (as in `ErasureProof`), `item` the id of the document, memory or question it is
    of (empty where a row is of none), `field` the column or the JSON key.
    """

    place: str
    item: str
    field: str
    text: str


class ErasureStore(Protocol):
    """Every row of the record store, by its owner. Raises `StoreError`.

    It looks at all tables there are, so that nothing is left out that somebody adds a table for.
    """

    def namespaces_of_all(self) -> list[str]:
        """Return the namespaces of ALL users that have any row, in order."""

    def count(self, *, namespace: str) -> Mapping[str, int]:
        """Return how many rows there are by place; places without any are left out."""

    def count_of_document(self, document_id: str, *, namespace: str) -> Mapping[str, int]:
        """Return how many rows are of a document, by place; places without any are left out."""

    def texts(self, *, namespace: str) -> Iterator[StoredText]:
        """Yield every text of a namespace, compressed ones too; ids and keywords are left out."""

    def texts_of_others(self, *, namespace: str) -> Iterator[StoredText]:
        """Yield every text of ALL other namespaces."""

    def erase(self, *, namespace: str) -> None:
        """Delete every row of a namespace, in one step, then `scrub`."""

    def erase_document(self, document_id: str, *, namespace: str) -> None:
        """Delete every row that names a document as the one it is of, in one step, then `scrub`."""

    def answers_from_memory(self, memory_id: str, *, namespace: str) -> list[str]:
        """Return the ids of stored answers that rest on a memory."""

    def forget_memory(self, memory_id: str, *, at: datetime, namespace: str) -> int:
        """Take a memory erased at `at` out of stored answers; return how many.

        The memory leaves their sources, and their text and trace go, as both may repeat it.
        """

    def scrub(self) -> None:
        """Make what was deleted leave the disk now: overwritten, or the tables written anew."""
