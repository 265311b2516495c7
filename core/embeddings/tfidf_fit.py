"""The fits of TF-IDF: how common terms are in what was indexed, kept in a folder.

A fit is made of counters and nothing else: for each of 65536 buckets, in how many texts a term of
the bucket was. No word, no text and no name of a document or learner can be read from them.

The counters are of all learners together, and a weight that depends on what others have loaded
would tell a little about it. So a fit knows only *common* terms: whatever is in fewer than 20 texts
or half a percent of them weighs the same as a term that nobody has, and a fit does not even keep
its count. What is left is that a word used very often lowers the weight of its bucket, about one in
65536 of all words, for everybody; who used it, and which of the bucket's words, cannot be told.

The counters begin at zero with each fit. As a new fit means that every document is embedded anew,
they soon hold again what is there, without what was deleted.
"""

import hashlib
import logging
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.errors import StoreError

logger = logging.getLogger(__name__)

BUCKETS = 1 << 16
UNFITTED = "unfitted"
FIRST_FIT = 200
"""Texts (windows of sentences) that a fit is made of at least: those of about 20 pages."""
GROWTH = 2.0
"""A new fit is due when so many times the texts of the last one were counted since."""
_COMMON = 20
"""In so many texts, and in this share of all, a term is at least to count as common."""
_COMMON_SHARE = 0.005
_KEPT_FITS = 3
_COUNTS = "counts.npy"

Counts = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class Fit:
    """The weight of each bucket's terms. `texts` is how many texts it was made of."""

    id: str
    texts: int
    idf: NDArray[np.float32]


def _least(texts: int) -> int:
    return max(_COMMON, round(_COMMON_SHARE * texts))


def fitted(texts: int, counts: Counts) -> Counts:
    """Return the counts a fit keeps: those of common terms, 0 for all others."""
    least = _least(texts)
    kept: Counts = np.where(counts >= least, counts, 0).astype(np.uint32)
    return kept


def idf(texts: int, kept: Counts) -> NDArray[np.float32]:
    """Return 1 + ln((1 + N) / (1 + n)) for each bucket (scikit-learn's smoothed form).

    n is the count of a common term; all others have the weight of the rarest common one.
    """
    floored = np.maximum(kept, min(_least(texts), texts)).astype(np.float64)
    weights: NDArray[np.float32] = (1 + np.log((1 + texts) / (1 + floored))).astype(np.float32)
    return weights


class FitFolder:
    """Fits and counters on the disk. One process writes; the caller locks.

    The counters are written without waiting for the disk: what a crash loses is a little of the
    next fit.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._counts: Counts | None = None

    def take_up(self) -> Fit:
        """Return the fit to use from now on: a new one when it is due. Raises `StoreError`."""
        current = self._newest()
        counts = self._read_counts()
        texts = int(counts[-1])
        if texts >= max(FIRST_FIT, GROWTH * current.texts):
            current = self._make(texts, counts[:-1])
            self._write(_COUNTS, np.zeros(BUCKETS + 1, dtype=np.uint32))
            self._counts = None
            logger.info("TF-IDF is fitted anew, to %d texts", texts)
        return current

    def read(self, fit: str) -> Fit:
        """Return a fit by its id. Raises `StoreError` when it is not there."""
        if fit == UNFITTED:
            return _unfitted()
        path = self._path(fit)
        if not path.is_file():
            raise StoreError(
                "A fit of TF-IDF is gone.", remedy="Delete the documents and load them again."
            )
        return _read_fit(path)

    def holds(self, fit: str) -> bool:
        """Tell whether a fit can be read."""
        return fit == UNFITTED or (fit.isalnum() and self._path(fit).is_file())

    def count(self, texts: Iterable[Sequence[int]]) -> None:
        """Count texts for the next fit, each given by the buckets of its terms."""
        counts = self._read_counts()
        for buckets in texts:
            counts[np.unique(np.asarray(buckets, dtype=np.int64))] += 1
            counts[-1] += 1
        self._write(_COUNTS, counts)

    def _newest(self) -> Fit:
        paths = self._fits()
        return _read_fit(paths[-1]) if paths else _unfitted()

    def _fits(self) -> list[Path]:
        """Return the files of the fits, the oldest first (by the number in front)."""
        return sorted(self._folder.glob("fit-*-*.npy"))

    def _path(self, fit: str) -> Path:
        return next(self._folder.glob(f"fit-*-{fit}.npy"), self._folder / f"fit-none-{fit}.npy")

    def _make(self, texts: int, counts: Counts) -> Fit:
        kept = np.append(fitted(texts, counts), np.uint32(texts)).astype("<u4")
        digest = hashlib.sha256(kept.tobytes()).hexdigest()[:12]
        fits = self._fits()
        number = 1 + (int(fits[-1].name.split("-")[1]) if fits else 0)
        name = f"fit-{number:06d}-{digest}.npy"
        self._write(name, kept)
        try:
            for old in self._fits()[:-_KEPT_FITS]:
                old.unlink(missing_ok=True)
        except OSError as exc:
            raise _unusable(self._folder) from exc
        return _read_fit(self._folder / name)

    def _read_counts(self) -> Counts:
        if self._counts is None:
            path = self._folder / _COUNTS
            counts = _load(path) if path.is_file() else np.zeros(BUCKETS + 1, dtype=np.uint32)
            self._counts = counts.astype(np.uint32)
        return self._counts

    def _write(self, name: str, numbers: NDArray[np.uint32]) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            beside = self._folder / f"{name}.new"
            with beside.open("wb") as file:
                np.save(file, numbers, allow_pickle=False)
            os.replace(beside, self._folder / name)
        except OSError as exc:
            raise _unusable(self._folder) from exc


def _unfitted() -> Fit:
    return Fit(UNFITTED, 0, np.ones(BUCKETS, dtype=np.float32))


def _read_fit(path: Path) -> Fit:
    kept = _load(path)
    texts = int(kept[-1])
    return Fit(path.stem.rpartition("-")[2], texts, idf(texts, kept[:-1]))


def _load(path: Path) -> Counts:
    try:
        numbers = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as exc:
        raise _damaged(path) from exc
    if numbers.shape != (BUCKETS + 1,) or numbers.dtype.kind != "u":
        raise _damaged(path)
    loaded: Counts = numbers.astype(np.uint32)
    return loaded


def _damaged(path: Path) -> StoreError:
    return StoreError(
        f"{path} is damaged.",
        remedy="Delete the file: documents are then embedded anew with what is left.",
    )


def _unusable(folder: Path) -> StoreError:
    return StoreError(
        f"The folder {folder} cannot be written.",
        remedy="Set DATA_DIR to a folder the application may write to.",
    )
