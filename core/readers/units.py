"""What a page is put together from."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.document import BlockKind
from core.readers.display import Rect
from core.text.clean import clean, join_cjk

_EMPHASIS = re.compile(r"(\*\*|__|~~|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*]))")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
CELL_GAP = "  "
"""Between the cells of a row."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A heading, paragraph, list item, table row or code line as liteparse read it."""

    kind: BlockKind
    text: str
    level: int = 0
    joins_previous: bool = False
    """The next row of the same table, the next line of the same code."""
    box: Rect | None = None
    """Where it stands, in points from the top left of the displayed page."""
    sure: bool = False
    """Its letters are looked for before those of others."""
    as_page: bool = False
    """Its spaces are taken from the page, too."""
    spare: bool = False
    """It counts only where no other unit has its letters."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """What the two libraries gave for one page. `raw` is PDFium's text, index by character."""

    number: int
    label: str | None
    width: float
    height: float
    raw: str
    units: Sequence[Unit]


@dataclass(slots=True)
class Placed:
    """A unit over letters `start` to `end` of the page."""

    unit: Unit
    start: int
    end: int


def plain(markdown: str) -> str:
    """Return inline Markdown as plain clean text."""
    return join_cjk(clean(_EMPHASIS.sub("", _LINK.sub(r"\1", markdown)))).strip()
