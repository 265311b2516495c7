"""Compares what a reader gave with what is known of a file; see `tests/data/make_reading.py`."""

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from tests.evals.pdf_letters import letters

LONG_ENOUGH = 20  # letters of a sentence that stands in one place only
_CELL_GAP = re.compile(r" {2,}")
_NUMBER_LINE = re.compile(r"\W*(第)?\s*\d{1,3}\s*(页)?\W*")


@dataclass(slots=True)
class Share:
    """So many of so many."""

    hits: int = 0
    total: int = 0

    def add(self, hits: int, total: int) -> None:
        """Count some more."""
        self.hits += hits
        self.total += total

    @property
    def value(self) -> float | None:
        """The share, None of nothing."""
        return self.hits / self.total if self.total else None


@dataclass(slots=True)
class Read:
    """What a reader gave for one file. Lists are None where the reader does not tell."""

    text: str
    sentences: list[str]
    lines: list[str]
    headings: list[tuple[int, str]] | None = None
    rows: list[list[str]] | None = None
    captions: list[str] | None = None
    notes: list[str] | None = None
    code: list[list[str]] | None = None
    outline: list[tuple[int, str]] | None = None


@dataclass(slots=True)
class Tally:
    """What was measured of one reader and one language."""

    shares: dict[str, Share] = field(default_factory=dict)
    wrong: dict[str, list[str]] = field(default_factory=dict)

    def add(self, name: str, hits: int, total: int) -> None:
        """Count `hits` of `total` under a name."""
        self.shares.setdefault(name, Share()).add(hits, total)

    def miss(self, name: str, what: Iterable[str]) -> None:
        """Keep what went wrong, to look at."""
        self.wrong.setdefault(name, []).extend(what)

    def merge(self, other: "Tally") -> None:
        """Add another tally."""
        for name, found in other.shares.items():
            self.add(name, found.hits, found.total)
        for name, what in other.wrong.items():
            self.miss(name, what)


def plain(text: str) -> str:
    """Return NFKC with each run of white space as one space."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def tight(text: str) -> str:
    """Return NFKC without white space."""
    return "".join(unicodedata.normalize("NFKC", text).split())


def judge(read: Read, truth: dict[str, Any]) -> Tally:
    """Return the counts for one file with a text layer."""
    tally = Tally()
    sentences = [s for paragraph in truth["paragraphs"] for s in paragraph]
    _prose(tally, read, sentences)
    _noise(tally, read, truth)
    if read.headings is not None:
        _headings(tally, read.headings, truth["headings"])
    if read.rows is not None and truth["tables"]:
        _tables(tally, read.rows, truth["tables"])
    named = {
        "captions": (read.captions, [table["caption"] for table in truth["tables"]]),
        "footnotes": (read.notes, truth["footnotes"]),
    }
    for name, (found, wanted) in named.items():
        if found is not None:
            keys = [letters(text) for text in found]
            missing = [w for w in wanted if not any(_same(letters(w), key) for key in keys)]
            tally.add(name, len(wanted) - len(missing), len(wanted))
            tally.miss(name, missing)
    if read.code is not None:
        _code(tally, read.code, truth["code"])
    if read.outline is not None:
        wanted = Counter((h["level"], letters(h["text"])) for h in truth["headings"])
        got = Counter((level, letters(title)) for level, title in read.outline)
        tally.add("outline", (wanted & got).total(), wanted.total())
    return tally


def _same(wanted: str, key: str) -> bool:
    """Tell whether a block is the text, a mark or number before it aside."""
    return key.endswith(wanted) and len(key) - len(wanted) <= 2


def _prose(tally: Tally, read: Read, sentences: Sequence[str]) -> None:
    exact = "\n".join(plain(s) for s in read.sentences)
    missing = [s for s in sentences if plain(s) not in exact]
    tally.add("sentences verbatim", len(sentences) - len(missing), len(sentences))
    tally.miss("sentences verbatim", missing)
    loose = "\n".join(tight(s) for s in read.sentences)
    hits = sum(tight(s) in loose for s in sentences)
    tally.add("sentences, spaces left out", hits, len(sentences))
    whole = letters(read.text)
    places = [
        (whole.find(key), s)
        for s in sentences
        if len(key := letters(s)) >= LONG_ENOUGH and whole.count(key) == 1
    ]
    steps = [(a, b) for a, b in pairwise(places)]
    tally.add("reading order", sum(a[0] < b[0] for a, b in steps), len(steps))
    tally.miss("reading order", [f"{a[1]} >> {b[1]}" for a, b in steps if a[0] >= b[0]])


def _noise(tally: Tally, read: Read, truth: dict[str, Any]) -> None:
    left, right = (letters(part) for part in truth["header"])
    known = {left, right, left + right, right + left}
    noisy = [
        s
        for s in read.lines
        if letters(s) in known or _NUMBER_LINE.fullmatch(s) or left + right in letters(s)
    ]
    tally.add("noise", len(noisy), 1)
    tally.miss("noise", noisy)


def _headings(tally: Tally, found: list[tuple[int, str]], truth: list[dict[str, Any]]) -> None:
    wanted = Counter(letters(h["text"]) for h in truth)
    got = Counter(letters(text) for _, text in found)
    hits = (wanted & got).total()
    tally.add("heading recall", hits, wanted.total())
    tally.add("heading precision", hits, got.total())
    levels = Counter((h["level"], letters(h["text"])) for h in truth)
    right = levels & Counter((level, letters(text)) for level, text in found)
    tally.add("heading level", right.total(), hits)
    tally.miss("heading recall", (wanted - got).elements())
    tally.miss("heading precision", [t for _, t in found if letters(t) not in wanted])


def _tables(tally: Tally, rows: list[list[str]], tables: list[dict[str, Any]]) -> None:
    wanted = [[tight(cell) for cell in row] for table in tables for row in table["rows"]]
    got = [[tight(cell) for cell in row] for row in rows]
    cells = Counter(cell for row in wanted for cell in row if cell)
    found = Counter(cell for row in got for cell in row if cell)
    tally.add("table cells", (cells & found).total(), cells.total())
    whole = Counter(tuple(c for c in row if c) for row in wanted)
    right = whole & Counter(tuple(c for c in row if c) for row in got)
    tally.add("table rows", right.total(), whole.total())
    tally.miss("table rows", ["  ".join(row) for row in (whole - right).elements()])


def _code(tally: Tally, found: list[list[str]], truth: list[list[str]]) -> None:
    wanted = Counter(line for block in truth for line in block if line.strip())
    got = Counter(line.rstrip() for block in found for line in block if line.strip())
    tally.add("code lines with indentation", (wanted & got).total(), wanted.total())
    tally.miss("code lines with indentation", (wanted - got).elements())


def cells_of(line: str) -> list[str]:
    """Return the cells of a row of the product's page text."""
    return _CELL_GAP.split(line.strip())


def markdown_rows(text: str) -> list[list[str]]:
    """Return the cells of each row of Markdown's pipe tables."""
    lines = [line.strip() for line in text.splitlines()]
    rows = [line for line in lines if line.startswith("|") and line.count("|") > 2]
    return [
        [c.strip() for c in line.strip("|").split("|")] for line in rows if set(line) - set("|-: ")
    ]


def similarity(read: str, truth: dict[str, Any]) -> float:
    """Return how alike the letters of a recognised text and of the true one are, from 0 to 1."""
    parts = [h["text"] for h in truth["headings"]]
    parts += [s for paragraph in truth["paragraphs"] for s in paragraph]
    found = letters(read)
    scores = []
    for part in parts:
        key = letters(part)
        scores.append((_best(key, found), len(key)))
    return sum(score * size for score, size in scores) / sum(size for _, size in scores)


def _best(key: str, text: str) -> float:
    """Return the likeness of `key` and the stretch of `text` that shares most runs with it."""
    if key in text:
        return 1.0
    size = 4
    starts = sorted(
        at - i
        for i in range(0, max(1, len(key) - size), size)
        for at in _all(key[i : i + size], text)
    )
    if not starts:
        return 0.0
    reach = 6
    best = max(starts, key=lambda s: bisect_right(starts, s + reach) - bisect_right(starts, s - 1))
    best = max(0, best)
    stretch = text[max(0, best - reach) : best + len(key) + 2 * reach]
    blocks = SequenceMatcher(None, key, stretch, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / len(key)


def _all(part: str, text: str) -> Iterable[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)
