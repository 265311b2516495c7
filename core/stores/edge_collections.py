"""The collections of embedded indexes in a folder."""

from collections.abc import Collection as AnyOf
from pathlib import Path

from core.ports.collections import Collection
from core.ports.vector_store import VectorStore
from core.stores.edge_folder import read_head
from core.stores.qdrant_edge import QdrantEdgeStore


class EdgeCollections:
    """Indexes below `folder`, one folder each; those named in `used` are in use."""

    def __init__(self, folder: Path, *, used: AnyOf[str]) -> None:
        self._folder = folder
        self._used = frozenset(used)

    def former(self) -> list[Collection]:
        """Return the collections that are not in use, by name. Raises `StoreError`."""
        found: list[Collection] = []
        for path in sorted(self._folder.glob("*")):
            head = read_head(path) if path.is_dir() and path.name not in self._used else None
            if head is not None:
                found.append(
                    Collection(name=path.name, embedder=head.embedder, dimension=head.dimension)
                )
        return found

    def open(self, collection: Collection) -> VectorStore:
        """Return a collection as a store."""
        return QdrantEdgeStore(
            self._folder / collection.name,
            dimension=collection.dimension,
            embedder=collection.embedder,
        )
