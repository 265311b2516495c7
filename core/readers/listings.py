"""Program code by its typewriter letters: every line, with its indentation."""

import itertools
from collections.abc import Iterator, Sequence
from statistics import median

from core.domain.document import BlockKind
from core.readers.display import Rect
from core.readers.lines import Line, PageLines, Word, around
from core.readers.units import Unit
from core.text.clean import clean

_MOSTLY = 0.5
"""Share of its letters in typewriter type that makes a line code by itself."""
_MAX_PITCH = 3.2
"""The next line begins within so many letter heights, an empty one between them included."""
_EMPTY_LINE = 1.7
"""So many usual distances between two lines leave room for an empty one."""
_MIN_LETTERS = 12
"""A shorter stretch is a word of code in a sentence or a cell."""
_WIDE = "\u1100"
"""From here on letters may be two columns wide."""


def find_code(page: PageLines) -> list[tuple[Rect, list[Unit]]]:
    """Return the listings of a page: their places and their lines as units."""
    if not any(word.mono for line in page.across for word in line.words):
        return []
    columns = page.columns or [page.across]
    return [made for lines in columns for run in _runs(lines) if (made := _listing(run))]


def _share(line: Line) -> float:
    total = sum(len(word.text) for word in line.words)
    return sum(len(word.text) for word in line.words if word.mono) / total


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield stretches of code: lines mostly in typewriter type, and those among them that begin so
    or are as near as they are to each other (comments in another script)."""
    run: list[Line] = []
    for line in lines:
        near = run and line.box[1] - run[-1].box[1] < _MAX_PITCH * line.size
        strong = _share(line) >= _MOSTLY
        weak = bool(run) and line.words[0].mono and line.size <= run[0].size * 1.3
        if run and not (near and (strong or weak)):
            yield run
            run = []
        if strong or (weak and run) or _comment(line):
            run.append(line)
    if run:
        yield run


def _comment(line: Line) -> bool:
    """Tell whether a line is a comment whose sign is typewriter type and whose words are not."""
    first = line.words[0]
    return first.mono and first.text in ("#", "//", "--", ";", "%", "/*", "*")


def _listing(run: Sequence[Line]) -> tuple[Rect, list[Unit]] | None:
    words = [word for line in run for word in line.words]
    if sum(len(word.text) for word in words) < _MIN_LETTERS:
        return None
    if len(run) == 1 and len(run[0].words) < 2:
        return None
    step = median((word.box[2] - word.box[0]) / len(word.text) for word in words if word.mono)
    left = min(line.box[0] for line in run)
    pitches = [b.box[1] - a.box[1] for a, b in itertools.pairwise(run)]
    usual = min(pitches, default=0.0)
    units: list[Unit] = []
    box = around(line.box for line in run)
    for i, line in enumerate(run):
        text = " " * max(0, round((line.box[0] - left) / step)) + _spaced(line.words, step)
        if i and pitches[i - 1] > _EMPTY_LINE * usual:
            text = "\n" + text
        units.append(Unit(BlockKind.CODE, text, joins_previous=i > 0, box=box, sure=True))
    return box, units


def _spaced(words: Sequence[Word], step: float) -> str:
    """Return the words of a line of code with as many spaces between them as there is room for."""
    out = clean(words[0].text)
    for before, word in itertools.pairwise(words):
        gap = (word.box[0] - before.box[2]) / step
        spaces = max(0, round(gap)) if gap > 0.3 else 0
        if spaces > 1 and (before.text[-1:] >= _WIDE or word.text[:1] >= _WIDE):
            spaces = 1 if gap < 2 else spaces
        out += " " * max(spaces, 1 if gap > 0.3 else 0) + clean(word.text)
    return out
