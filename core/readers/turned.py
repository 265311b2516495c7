"""Pages whose text is turned: line by line, in the order in which one reads them.

PDFium's order of such lines may be any; each line is one stretch of its letters.
"""

from collections.abc import Callable
from dataclasses import replace

from core.domain.document import BlockKind
from core.readers.lines import Line, PageLines
from core.readers.tables import find_tables, units_of
from core.readers.units import Unit

_HEADING = 1.2
"""Letters so many times as high as most are those of a heading."""
_MAX_HEADING = 120

LevelOf = Callable[[float], int]


def turned_groups(page: PageLines, level_of: LevelOf) -> tuple[list[Unit], list[list[Unit]]]:
    """Return the lines of a turned page as units, and its tables as groups of rows."""
    columns = page.columns or [page.across]
    lines = [_unit(line, page.body, level_of) for column in columns for line in column]
    tables = [
        [replace(unit, sure=True) for unit in units_of(table.rows, table.box)]
        for table in find_tables(page)
    ]
    return lines, tables


def _unit(line: Line, body: float, level_of: LevelOf) -> Unit:
    heading = line.size >= _HEADING * body and len(line.text) <= _MAX_HEADING
    kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
    level = level_of(line.size) if heading else 0
    return Unit(kind, line.text, level, box=line.box, as_page=True)
