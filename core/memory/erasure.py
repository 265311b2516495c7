"""The proof of an erasure: samples of what was erased, and looking for them in every file.

A sample is looked for as UTF-8, as UTF-16 in both byte orders, and as JSON writes it in ASCII.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError

SAMPLE_CHARS = 40
LEAST_BYTES = 12
"""A shorter text stands in many places by chance, and is not looked for."""
MOST_SAMPLES = 5000
"""Of more, these are chosen at even distances."""

_LONG = 1000
"""A text of more characters gives three samples: from its beginning, middle and end."""
_TRIED = 10
_PLAIN_RUN = re.compile(r"[^\x00-\x1f\x7f\"'“”‘’\\<>&/]+")
"""What no format writes in another way."""
_BLOCK = 1024 * 1024
_ZEROS = bytes(_BLOCK)
"""Indexes have files of many megabytes that are mostly empty."""
_JOINED = 1024 * 1024
_KEY_BYTES = 8
_TABLE_BITS = 20
_MIXER = np.uint64(0x9E3779B97F4A7C15)


def samples_of(text: str) -> list[str]:
    """Return distinctive stretches of a text, of at most `SAMPLE_CHARS`; `[]` if it is too short.

    Each is a slice of the text without line breaks, quotes and what markup would escape.
    """
    parts = [text]
    if len(text) > _LONG:
        third = len(text) // 3
        parts = [text[:third], text[third : 2 * third], text[2 * third :]]
    found = (_sample(part) for part in parts)
    return [sample for sample in found if sample is not None]


def _sample(text: str) -> str | None:
    """Return the most varied of some stretches of the longest run: repetitions tell little."""
    run = max((m.group().strip() for m in _PLAIN_RUN.finditer(text)), key=len, default="")
    last = max(0, len(run) - SAMPLE_CHARS)
    starts = {last * n // _TRIED for n in range(_TRIED + 1)}
    stretches = [run[start : start + SAMPLE_CHARS].strip() for start in sorted(starts)]
    sample = max(stretches, key=lambda stretch: len(set(stretch)))
    return sample if len(sample.encode()) >= LEAST_BYTES else None


def samples_of_all(texts: Iterable[str]) -> list[str]:
    """Return samples of texts, each once, in order, at most `MOST_SAMPLES`."""
    found = list(dict.fromkeys(sample for text in texts for sample in samples_of(text)))
    step = max(1.0, len(found) / MOST_SAMPLES)
    return [found[int(n * step)] for n in range(min(len(found), MOST_SAMPLES))]


class Needles:
    """Looks for all samples at once; the time does not grow with their number."""

    def __init__(self, samples: Sequence[str]) -> None:
        self.samples = tuple(samples)
        self._wanted: dict[bytes, int] = {}
        for number, sample in enumerate(samples):
            for form in _forms(sample):
                self._wanted.setdefault(form, number)
        self.longest = max(map(len, self._wanted), default=0)
        self._by_key: dict[int, list[bytes]] = {}
        for form in self._wanted:
            self._by_key.setdefault(int.from_bytes(form[:_KEY_BYTES], "little"), []).append(form)
        self._keys = np.array(sorted(self._by_key), dtype=np.uint64)
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        self._table[_slots(self._keys)] = True

    def found_in(self, data: bytes) -> set[int]:
        """Return the numbers of the samples that stand in bytes."""
        found: set[int] = set()
        for at, key in self._candidates(data):
            for form in self._by_key[key]:
                if data.startswith(form, at):
                    found.add(self._wanted[form])
        return found

    def found_in_texts(self, texts: Iterable[str]) -> set[int]:
        """Return the numbers of the samples that stand in texts."""
        found: set[int] = set()
        waiting: list[bytes] = []
        size = 0
        for text in texts:
            waiting.append(text.encode("utf-8", "surrogatepass"))
            size += len(waiting[-1])
            if size > _JOINED:
                found |= self.found_in(b"\n".join(waiting))
                waiting, size = [], 0
        return found | self.found_in(b"\n".join(waiting))

    def _candidates(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (offset, key) wherever the first bytes of a sample stand."""
        for shift in range(min(_KEY_BYTES, max(0, len(data) - _KEY_BYTES + 1))):
            number = (len(data) - shift) // _KEY_BYTES
            values = np.frombuffer(data, dtype="<u8", count=number, offset=shift)
            near = np.flatnonzero(self._table[_slots(values)])
            exact = near[np.isin(values[near], self._keys)]
            for place in exact.tolist():
                yield place * _KEY_BYTES + shift, int(values[place])


def search_folder(folder: Path, needles: Needles) -> tuple[int, dict[str, set[int]]]:
    """Read every file below a folder; return how many, and by path what was found in it.

    Raises `StoreError` for a file that cannot be read: nothing is proven then. A file that goes
    meanwhile is left out.
    """
    read = 0
    found: dict[str, set[int]] = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file():
            continue
        try:
            there = _search_file(path, needles)
        except FileNotFoundError:
            continue
        except OSError as exc:
            raise StoreError(
                f"A file of the data folder cannot be read: {exc.strerror}.",
                remedy="The operator can check the rights of DATA_DIR; then erase again.",
            ) from exc
        read += 1
        there |= needles.found_in(path.name.encode("utf-8", "surrogateescape"))
        if there:
            found[path.relative_to(folder).as_posix()] = there
    return read, found


def _search_file(path: Path, needles: Needles) -> set[int]:
    found: set[int] = set()
    overlap = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            end = needles.longest if block == _ZEROS else len(block)
            found |= needles.found_in(overlap + block[:end])
            overlap = block[-needles.longest :] if needles.longest else b""
    return found


def _forms(sample: str) -> set[bytes]:
    return {
        sample.encode(),
        sample.encode("utf-16-le"),
        sample.encode("utf-16-be"),
        json.dumps(sample)[1:-1].encode(),
    }


def _slots(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return (values * _MIXER) >> np.uint64(64 - _TABLE_BITS)
