"""Footnotes: small print at the foot of a column that begins with a mark or a number."""

import re
from collections.abc import Sequence

from core.domain.document import BlockKind
from core.readers.display import Rect
from core.readers.lines import Line, PageLines, around
from core.readers.paragraphs import join_lines
from core.readers.units import Unit

_SMALL = 0.93
"""Of the size of most letters on the page."""
_FOOT = 0.45
"""Footnotes stand below this share of the page's height."""
_MARK = re.compile(
    r"^(\d{1,3}(?!\d)|[*†‡§¶]{1,3}|\[\d{1,3}\]|[①-⑳]|[¹²³⁰-⁹]{1,3}|注\s?\d*[:：])[.)]?\s*(?=\S)"
)
_MAX_PITCH = 2.4
Note = tuple[Rect, list[Unit]]


def find_notes(page: PageLines, height: float) -> list[Note]:
    """Return the footnotes of each column, top to bottom, with their places."""
    columns = page.columns or [page.across]
    return [note for lines in columns for note in _of_column(lines, page.body, height)]


def _of_column(lines: Sequence[Line], body: float, height: float) -> list[Note]:
    """Take small lines from the foot upwards; a footer below them may be as small as they are."""
    small: list[Line] = []
    for line in reversed(lines):
        fits = line.size <= _SMALL * body and line.box[1] > _FOOT * height
        near = not small or small[-1].box[1] - line.box[1] < _MAX_PITCH * line.size
        if fits and near:
            small.append(line)
        elif small and not any(_marked(found) for found in small) and fits:
            small = [line]  # what stood below was the footer
        elif small or not fits:
            break
    small.reverse()
    while small and not _marked(small[0]):
        small.pop(0)
    return _notes(small)


def _marked(line: Line) -> bool:
    """Tell whether a line begins with a mark: raised, or a number before words."""
    first = line.words[0]
    raised = first.size < 0.85 * line.size or first.box[3] < line.box[3] - 0.2 * line.size
    match = _MARK.match(line.text)
    if match is None or match.end() == len(line.text):
        return False
    return raised or not first.text[:1].isdigit() or len(first.text) > match.end() or _prose(line)


def _prose(line: Line) -> bool:
    return len(line.chunks) == 1 and sum(map(str.isalpha, line.text)) >= len(line.text) / 2


def _notes(lines: Sequence[Line]) -> list[Note]:
    groups: list[list[Line]] = []
    for line in lines:
        if _marked(line):
            groups.append([line])
        else:
            groups[-1].append(line)
    return [
        (
            around(line.box for line in group),
            [
                Unit(
                    BlockKind.FOOTNOTE,
                    join_lines(group),
                    box=around(line.box for line in group),
                    sure=True,
                )
            ],
        )
        for group in groups
    ]
