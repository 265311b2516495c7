"""Running headers and footers: the lines that repeat at the edges of pages."""

import re
from collections import Counter
from collections.abc import Sequence

from core.text.letters import letters

_DIGITS = re.compile(r"\d+")
MARGIN_LINES = 3
"""So many lines at the top and at the bottom of a page may be running headers or footers."""
_MIN_REPEATS = 3


def signature(line: str) -> str:
    """Return the letters of a line with every number as 0: equal for one running header."""
    return letters(_DIGITS.sub("0", line))


def _margin_lines(raw: str) -> list[str]:
    lines = [line for line in raw.splitlines() if line.strip()]
    return lines[:MARGIN_LINES] + lines[MARGIN_LINES:][-MARGIN_LINES:]


class RunningLines:
    """Finds the lines that repeat at the edges of pages, numbers apart, as pages come in."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()
        self._pages = 0

    def add(self, raws: Sequence[str]) -> frozenset[str]:
        """Count some more pages; return the signatures of the running lines so far."""
        for raw in raws:
            self._seen.update({signature(line) for line in _margin_lines(raw)} - {""})
        self._pages += len(raws)
        need = max(2, min(_MIN_REPEATS, self._pages))
        return frozenset(s for s, n in self._seen.items() if n >= need)
