"""Running headers and footers: the lines that repeat at the edges of pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

from core.text.letters import letters

_DIGITS = re.compile(r"(\d+)")
MARGIN_LINES = 3
"""So many lines at the top and at the bottom of a page may be running headers or footers."""
_MIN_REPEATS = 3
_MANY_NUMBERS = 3
"""With more numbers in a line, all are taken for constant, or all for counting."""
_LONGEST_NUMBER = 9


def _margin_lines(raw: str) -> list[str]:
    lines = [line for line in raw.splitlines() if line.strip()]
    return lines[:MARGIN_LINES] + lines[MARGIN_LINES:][-MARGIN_LINES:]


def _keys(line: str, page: int) -> Iterator[str]:
    """Yield the letters of a line, each number as it is or by how much it is ahead of the page.

    Page numbers count with the pages, and years stay the same. The numbers of chapters do
    neither: "Chapter 3" at the top of a page is a heading.
    """
    parts = _DIGITS.split(line)
    words = [letters(part) for part in parts[::2]]
    if not any(words) and len(parts) == 1:
        return
    forms = [
        (number, f"<{int(number) - page}>" if len(number) <= _LONGEST_NUMBER else number)
        for number in parts[1::2]
    ]
    if len(forms) > _MANY_NUMBERS:
        chosen: Iterator[tuple[str, ...]] = zip(*forms, strict=True)
    else:
        chosen = product(*forms)
    for numbers in chosen:
        yield "|".join([words[0], *(n + w for n, w in zip(numbers, words[1:], strict=True))])


def runs(line: str, page: int, running: frozenset[str]) -> bool:
    """Tell whether a line of a page (1-based) is one of the running lines."""
    return any(key in running for key in _keys(line, page))


class RunningLines:
    """Finds the lines that repeat at the edges of pages, as pages come in.

    The first page it is given has the number `after` + 1.
    """

    def __init__(self, after: int = 0) -> None:
        self._seen: Counter[str] = Counter()
        self._pages = 0
        self._after = after

    def add(self, raws: Sequence[str]) -> frozenset[str]:
        """Count some more pages; return the keys of the running lines so far (see `runs`)."""
        for raw in raws:
            self._pages += 1
            page = self._after + self._pages
            self._seen.update({key for line in _margin_lines(raw) for key in _keys(line, page)})
        need = max(2, min(_MIN_REPEATS, self._pages))
        return frozenset(s for s, n in self._seen.items() if n >= need)
