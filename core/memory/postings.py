"""Which memories have a word, and how often: arrays over the rows of one learner's index."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from core.text.indexed import IndexedText

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]
Number = TypeVar("Number", bound=np.generic)


@dataclass(frozen=True, slots=True)
class Postings:
    """`starts[i]` to `starts[i + 1]` are the postings of `hashes[i]`, which are ascending."""

    hashes: NDArray[np.uint64]
    starts: Ints
    rows: Ints
    counts: NDArray[np.uint16]

    @classmethod
    def of(cls, texts: Sequence[IndexedText], first: int) -> "Postings":
        """Return the postings of consecutive rows that begin with `first`."""
        words = [len(text.hashes) for text in texts]
        rows = np.repeat(np.arange(first, first + len(texts), dtype=np.int64), words)
        return cls._sorted(
            _joined([text.hashes for text in texts], np.uint64),
            rows,
            _joined([text.counts for text in texts], np.uint16),
        )

    @classmethod
    def merged(cls, parts: Sequence["Postings"]) -> "Postings":
        """Return the postings of several groups of rows as one."""
        every = [np.repeat(part.hashes, np.diff(part.starts)) for part in parts]
        return cls._sorted(
            _joined(every, np.uint64),
            _joined([part.rows for part in parts], np.int64),
            _joined([part.counts for part in parts], np.uint16),
        )

    @classmethod
    def _sorted(
        cls, hashes: NDArray[np.uint64], rows: Ints, counts: NDArray[np.uint16]
    ) -> "Postings":
        order = np.argsort(hashes, kind="stable")
        unique, numbers = np.unique(hashes, return_counts=True)
        starts = np.concatenate(([0], np.cumsum(numbers, dtype=np.int64)))
        return cls(unique, starts, rows[order], counts[order])

    def of_word(self, hashed: int) -> tuple[Ints, NDArray[np.uint16]]:
        """Return (rows, counts) of a word; empty when it does not occur."""
        at = int(np.searchsorted(self.hashes, np.uint64(hashed)))
        if at == len(self.hashes) or int(self.hashes[at]) != hashed:
            return self.rows[:0], self.counts[:0]
        part = slice(int(self.starts[at]), int(self.starts[at + 1]))
        return self.rows[part], self.counts[part]

    def __len__(self) -> int:
        return len(self.rows)


def _joined(parts: Sequence[NDArray[Number]], kind: type[Number]) -> NDArray[Number]:
    return np.concatenate(parts) if parts else np.empty(0, kind)
