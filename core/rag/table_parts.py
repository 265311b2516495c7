"""Tables in passages: rows that belong together, and what must be read with the later ones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.domain.document import BlockKind, Page, TextRange
from core.rag.ranges import merged_ranges, slices
from core.text.sentences import Sentence
from core.text.tokens import count_tokens

CONTEXT_TOKENS = 40
"""Caption and header rows up to this size go with every part of a table."""
_CAPTION_TOKENS = 15
"""A paragraph up to this size directly before a table is its caption."""
_CAPTIONS = 3
_HEADER_ROWS = 3
_CELL_GAP = re.compile(r"\s{2,}|\t")
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_PERIOD = re.compile(r"^\W*(FY|[QH][1-4])?\s?'?(19|20)?\d\d(\s?[–/-]\s?(19|20)?\d\d)?\W*$")


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of a table block; a row is the sentences of one line.

    `columns` is how many cells its longest row has, without currency and percent signs.
    """

    rows: tuple[tuple[Sentence, ...], ...]
    header: tuple[Sentence, ...]
    columns: int


@dataclass(frozen=True, slots=True)
class TableContext:
    """Caption and header rows of a table, for the passages that have its further rows."""

    ranges: tuple[TextRange, ...]
    text: str
    tokens: int
    columns: int


def _cells(line: str) -> list[str]:
    return [cell for cell in _CELL_GAP.split(line.strip()) if re.search(r"\w", cell)]


def _names_columns(line: str) -> bool:
    """Tell whether a line has names or periods in all its cells."""
    cells = _cells(line)
    return len(cells) > 1 and all(
        _PERIOD.match(cell) if _DIGIT.search(cell) and not _LETTER.search(cell) else True
        for cell in cells
    )


def _guessed_header_rows(lines: Sequence[str]) -> int:
    """Return how many of the first rows name the columns, going by their cells."""
    count = 0
    while count < min(_HEADER_ROWS, len(lines) - 1) and _names_columns(lines[count]):
        count += 1
    below = lines[count:]
    numbers = sum(bool(_DIGIT.search(line)) for line in below)
    return count if 2 * numbers >= len(below) else min(count, 1)


def read_table(page: Page, sentences: Sequence[Sentence]) -> Table:
    """Return the table that the sentences of one TABLE block make."""
    rows: list[list[Sentence]] = []
    starts: list[int] = []
    for sentence in sentences:
        start = page.text.rfind("\n", 0, sentence.ranges[0].start) + 1
        if starts and starts[-1] == start:
            rows[-1].append(sentence)
        else:
            rows.append([sentence])
            starts.append(start)
    lines = [page.text[s : row[-1].ranges[-1].end] for s, row in zip(starts, rows, strict=True)]
    count = min(sentences[0].level, len(rows) - 1) or _guessed_header_rows(lines)
    return Table(
        rows=tuple(map(tuple, rows)),
        header=tuple(s for row in rows[:count] for s in row),
        columns=max(len(_cells(line)) for line in lines),
    )


def caption_of(before: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return the sentences directly before a table that are its caption: at the end of `before`."""
    found: list[Sentence] = []
    tokens = 0
    for i in range(len(before) - 1, -1, -1):
        sentence = before[i]
        size = count_tokens(sentence.text)
        fits = sentence.kind is BlockKind.CAPTION or (
            sentence.kind in (BlockKind.PARAGRAPH, BlockKind.OTHER)
            and size <= _CAPTION_TOKENS
            and (i == 0 or not _same_block(before[i - 1], sentence))
        )
        tokens += size
        if not fits or len(found) == _CAPTIONS or tokens > CONTEXT_TOKENS:
            break
        found.insert(0, sentence)
    return tuple(found)


def _same_block(before: Sentence, after: Sentence) -> bool:
    """Tell whether a sentence follows another in a block; blocks are two characters apart."""
    end, start = before.ranges[-1], after.ranges[0]
    return end.page == start.page and 0 <= start.start - end.end < 2


def context_of(
    table: Table,
    caption: Sequence[Sentence],
    *,
    earlier: TableContext | None,
    texts: Mapping[int, str],
    limit: int,
) -> TableContext:
    """Return what must be read with the later rows of a table, at most `limit` tokens.

    `earlier` is the context of a table that ends where this one begins: without a header of its
    own and with as many cells, this one goes on with it. Of what is too large, the caption is left
    out, and then a header that still is. `texts` are page texts by number.
    """
    if not caption and not table.header and earlier and earlier.columns == table.columns:
        return earlier
    for kept in ((*caption, *table.header), table.header, tuple(caption)):
        if (tokens := _tokens(kept)) <= limit:
            ranges = merged_ranges(kept)
            return TableContext(ranges, slices(ranges, texts), tokens, table.columns)
    return TableContext((), "", 0, table.columns)


def _tokens(sentences: Sequence[Sentence]) -> int:
    return sum(count_tokens(s.text) for s in sentences)
