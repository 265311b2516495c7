"""Port: the collections of vectors that former embedders left."""

from dataclasses import dataclass
from typing import Protocol

from core.ports.vector_store import VectorStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """A collection by its name, and what it was made with."""

    name: str
    embedder: str
    dimension: int


class Collections(Protocol):
    """Finds and opens collections whose embedder is not in use any more. Raises `StoreError`.

    An embedder that cannot be had is no obstacle: deleting needs none.
    """

    def former(self) -> list[Collection]:
        """Return the collections of this application that it does not use now, by name."""

    def open(self, collection: Collection) -> VectorStore:
        """Return a collection as a store; nothing is opened yet. Whoever asked closes it."""
