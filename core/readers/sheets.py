"""Spreadsheets to pieces: a part for each sheet, its name as heading.

MarkItDown reads sheets through pandas, which turns empty cells into "NaN", unnamed columns into
"Unnamed: 3", 12 into 12.0 where a column has gaps, and rounds: such text could not be quoted.
"""

import datetime
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from core.domain.document import BlockKind
from core.readers.failure import Failure
from core.readers.markdown_pages import Piece
from core.readers.markdown_pieces import table_piece
from core.readers.plain_pieces import cell_text

MAX_CELLS = 2_000_000
_MANY_COLUMNS = 256
"""A wider row keeps only its filled cells."""
_LEVEL = 2
"""Of a sheet's heading, as MarkItDown has it."""


def _shown(value: Any, number_format: str = "") -> str:
    """Return a cell's value as a reader of the sheet would write it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float | int):
        if number_format.endswith("%"):
            return f"{value * 100:.15g}%"
        return str(value) if isinstance(value, int) else f"{value:.15g}"
    if isinstance(value, datetime.datetime):
        midnight = value.time() == datetime.time()
        return value.date().isoformat() if midnight else value.isoformat(" ", "seconds")
    return cell_text(str(value))


def _sheet(name: str, rows: Iterable[Sequence[str]]) -> Iterator[Piece]:
    yield Piece(breaks=True)
    yield Piece(kind=BlockKind.HEADING, lines=(cell_text(name),), level=_LEVEL)
    filled: list[Sequence[str]] = []
    cells = 0
    for row in rows:
        row = _tight(row)
        cells += len(row)
        if cells > MAX_CELLS:
            raise Failure("too_large", "cells")
        if row:
            filled.append(row)
    margin = min((_blank_before(row) for row in filled), default=0)
    filled = [row[margin:] for row in filled]
    # Lines above a table with one cell each are its title and notes.
    wide = max(map(len, filled), default=0) > 1
    while wide and filled and sum(map(bool, filled[0])) == 1:
        yield Piece(kind=BlockKind.PARAGRAPH, lines=("".join(filled.pop(0)),))
    yield from table_piece(filled)


def _tight(row: Sequence[str]) -> Sequence[str]:
    if len(row) > _MANY_COLUMNS:
        return [cell for cell in row if cell]
    end = len(row)
    while end and not row[end - 1]:
        end -= 1
    return row[:end]


def _blank_before(row: Sequence[str]) -> int:
    return next((i for i, cell in enumerate(row) if cell), 0)


def xlsx_pieces(archive: io.BytesIO) -> Iterator[Piece]:
    """Yield the sheets of a checked workbook. openpyxl's errors pass through."""
    import openpyxl

    book = openpyxl.load_workbook(archive, read_only=True, data_only=True, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()  # a file may claim a million columns
        rows = ([_shown(c.value, _format_of(c)) for c in row] for row in sheet.iter_rows())
        yield from _sheet(sheet.title, rows)


def _format_of(cell: Any) -> str:
    return str(cell.number_format or "") if isinstance(cell.value, float | int) else ""


def xls_pieces(path: Path) -> Iterator[Piece]:
    """Yield the sheets of an old workbook. xlrd's errors pass through."""
    import xlrd

    book = xlrd.open_workbook(str(path), on_demand=True, logfile=io.StringIO())
    for index in range(book.nsheets):
        sheet = book.sheet_by_index(index)
        rows = (
            [_xls_shown(book, sheet.cell(r, c)) for c in range(sheet.row_len(r))]
            for r in range(sheet.nrows)
        )
        yield from _sheet(sheet.name, rows)
        book.unload_sheet(index)


def _xls_shown(book: Any, cell: Any) -> str:
    import xlrd

    if cell.ctype == xlrd.XL_CELL_DATE:
        try:
            return _shown(xlrd.xldate_as_datetime(cell.value, book.datemode))
        except (ValueError, OverflowError):
            return _shown(cell.value)
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return _shown(bool(cell.value))
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, ""))
    return _shown(cell.value if cell.value != "" else None)
