"""Several collections of vectors at once, as erasure needs them."""

from collections.abc import Iterable

from core.ports.vector_store import VectorStore, Where


def delete(vectors: Iterable[VectorStore], where: Where, namespace: str) -> None:
    """Delete what matches from each of them."""
    for store in vectors:
        store.delete(namespace=namespace, where=where)


def purge(vectors: Iterable[VectorStore]) -> None:
    """Make what was deleted leave the disk."""
    for store in vectors:
        store.purge()


def points(vectors: Iterable[VectorStore], where: Where, namespace: str) -> int:
    """Return how many points match, in all of them."""
    return sum(store.count(namespace=namespace, where=where) for store in vectors)
