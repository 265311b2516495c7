"""Port: which durable memories state something about what, kept with them."""

from collections.abc import Sequence
from typing import Protocol


class MemoryStatements(Protocol):
    """The keys of what all learners' memories state, hashes (`core.text.claims.claim_keys`).

    Every memory that is stored has its keys, in the same transaction; deleting it takes them.
    Raises `StoreError` when the store fails.
    """

    def ensure(self, *, namespace: str) -> None:
        """Find the keys of the memories that an older version of the app stored."""

    def about(self, keys: Sequence[str], *, namespace: str, limit: int) -> list[str]:
        """Return ids of current memories with one of these keys, the newest `limit`, newest first.

        No keys: `[]`.
        """
