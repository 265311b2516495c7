"""Files that are text already, to pieces: prose, separated values, JSON, code.

They do not go through MarkItDown, which hands such text on as if it were Markdown: indents, stars,
underscores and lines that begin with # or a number would be read as layout and change the text.
"""

import contextlib
import csv
import json
import re
from collections.abc import Iterator, Sequence

from core.domain.document import BlockKind
from core.domain.formats import FormatKind
from core.readers.markdown_pages import Piece
from core.readers.markdown_pieces import code_lines, table_piece
from core.text.clean import clean
from core.text.tokens import columns, is_cjk

_CHAPTER = re.compile(
    r"(第[一二三四五六七八九十百千零〇两\d]{1,8}[章节節回卷部篇](?![，。；、]).{0,40})"
    r"|((chapter|part|section|appendix)\s+([\divxlc]+|[a-z])\b.{0,60})",
    re.I,
)
_HEADING_COLUMNS = 80
_NARROWEST_WRAP = 40
_WIDEST_WRAP = 120
_NEARLY_FULL = 0.6
"""In a text with hard line ends, a line is at least this full before it is broken."""
_CSV_SAMPLE = 16 * 1024
_CSV_CELL = 1_000_000
_DELIMITERS = ",;\t|"


def _wrapped(lines: Sequence[str]) -> bool:
    """Tell whether the lines are one paragraph, broken at a width."""
    widths = [columns(line) for line in lines]
    widest = max(widths)
    return (
        len(lines) > 1
        and _NARROWEST_WRAP <= widest <= _WIDEST_WRAP
        and all(width >= widest * _NEARLY_FULL for width in widths[:-1])
        and not any(line[0].isspace() for line in lines[1:])
    )


def _unwrapped(lines: Sequence[str]) -> str:
    text = lines[0]
    for line in lines[1:]:
        gap = "" if is_cjk(text[-1]) and is_cjk(line[0]) else " "
        text += gap + line
    return text


def text_pieces(text: str) -> Iterator[Piece]:
    """Yield the paragraphs of plain prose; lines that name a chapter are headings."""
    for group in re.split(r"\n[ \t\u3000]*\n", clean(text)):
        paragraph: list[str] = []
        for line in filter(str.strip, group.split("\n")):
            if _CHAPTER.fullmatch(line.strip()) and columns(line) <= _HEADING_COLUMNS:
                yield from _paragraphs(paragraph)
                paragraph = []
                yield Piece(kind=BlockKind.HEADING, lines=(line.strip(),), level=1)
            else:
                paragraph.append(line)
        yield from _paragraphs(paragraph)


def _paragraphs(lines: Sequence[str]) -> Iterator[Piece]:
    """Yield one paragraph, or each line as one; an indented line begins a new one."""
    if not lines:
        return
    wrapped = _wrapped(lines)
    stripped = [line.strip() for line in lines]
    for text in [_unwrapped(stripped)] if wrapped else stripped:
        yield Piece(kind=BlockKind.PARAGRAPH, lines=(text,))


def row_pieces(text: str, *, tabs: bool) -> Iterator[Piece]:
    """Yield the table of separated values."""
    delimiter = "\t" if tabs else _delimiter(text[:_CSV_SAMPLE])
    csv.field_size_limit(_CSV_CELL)
    rows = csv.reader(text.splitlines(keepends=True), delimiter=delimiter)
    yield from table_piece([[cell_text(cell) for cell in row] for row in rows])


def _delimiter(sample: str) -> str:
    try:
        return csv.Sniffer().sniff(sample, _DELIMITERS).delimiter
    except csv.Error:
        return ","


def cell_text(value: str) -> str:
    """Return the text of a table's cell: one line, single spaces."""
    return " ".join(clean(value).split())


def json_pieces(text: str) -> Iterator[Piece]:
    """Yield a JSON value, one key or element a line; text that is none, as it stands."""
    # JSON with comments or several values in a file can be read all the same.
    with contextlib.suppress(ValueError, RecursionError):
        text = json.dumps(json.loads(text), ensure_ascii=False, indent=2)
    yield from code_pieces(text)


def code_pieces(text: str) -> Iterator[Piece]:
    """Yield code as it stands."""
    if text.strip():
        yield Piece(kind=BlockKind.CODE, lines=code_lines(text))


def plain_pieces(text: str, kind: FormatKind, *, tabs: bool) -> Iterator[Piece]:
    """Yield the pieces of a text file; `tabs` tells how values are separated."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if kind is FormatKind.ROWS:
        return row_pieces(text, tabs=tabs)
    if kind is FormatKind.JSON:
        return json_pieces(text)
    return text_pieces(text) if kind is FormatKind.TEXT else code_pieces(text)
