"""The word indexes of the learners who were last searched, kept in step with the store."""

import threading
from collections import OrderedDict

from core.memory.word_index import WordIndex, empty_index
from core.ports.memory_words import MemoryWords

MOST_ROWS = 200_000
"""Memories of all indexes together, at some 500 bytes each."""
_FEW_DEAD = 64
_DEAD_SHARE = 4
"""An index of which a fourth was deleted is read anew."""


class WordIndexes:
    """Gives a learner's index as the store has it now. Safe in several threads.

    Who wrote does not matter: what was stored, stored again or deleted since the last time is asked
    of the store, which knows by a number that grows.
    """

    def __init__(self, words: MemoryWords, *, most_rows: int = MOST_ROWS) -> None:
        self._words = words
        self._most_rows = most_rows
        self._lock = threading.Lock()
        self._kept: OrderedDict[str, WordIndex] = OrderedDict()
        self._complete: set[str] = set()

    def of(self, namespace: str) -> WordIndex:
        """Return the index of a learner. Raises `StoreError`."""
        self._ensure_complete(namespace)
        with self._lock:
            index = self._kept.get(namespace, None)
        index = self._in_step(index or empty_index(), namespace)
        with self._lock:
            self._kept[namespace] = index
            self._kept.move_to_end(namespace)
            rows = sum(len(kept.ids) for kept in self._kept.values())
            while rows > self._most_rows and len(self._kept) > 1:
                rows -= len(self._kept.popitem(last=False)[1].ids)
        return index

    def _ensure_complete(self, namespace: str) -> None:
        if namespace not in self._complete:
            self._words.ensure(namespace=namespace)
            with self._lock:
                self._complete.add(namespace)

    def _in_step(self, index: WordIndex, namespace: str) -> WordIndex:
        count, last = self._words.extent(namespace=namespace)
        if last > index.last_seq:
            index = index.extended(self._words.after(index.last_seq, namespace=namespace))
        if index.living != count:
            index = index.only(self._words.seqs(namespace=namespace))
        dead = len(index.ids) - index.living
        if dead > max(_FEW_DEAD, index.living // _DEAD_SHARE):
            return empty_index().extended(self._words.after(0, namespace=namespace))
        return index
