"""Reading with liteparse and PDFium. Runs in worker processes only."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from core.domain.document import BlockKind, Page
from core.readers.assemble import RawPage, RunningLines, Unit, assemble, plain

_KINDS = {
    "heading": BlockKind.HEADING,
    "paragraph": BlockKind.PARAGRAPH,
    "list_item": BlockKind.LIST,
    "table": BlockKind.TABLE,
    "code": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}
_CELL_GAP = "  "
_PICTURE_PAGES = 5
_PAGES_AT_ONCE = 32
"""Enough pages to see which lines run; few enough that the first ones go on soon."""


def page_raw_text(textpage: Any) -> str:
    """Return PDFium's text of a page such that index i is character i."""
    text: str = textpage.get_text_range()
    count = textpage.count_chars()
    if len(text) == count:
        return text
    codes = (pdfium_c.FPDFText_GetUnicode(textpage.raw, i) for i in range(count))
    return "".join(chr(c) if 0 < c <= 0xFFFF else "\ufffe" for c in codes)


def _rows(block: Any) -> Iterator[Unit]:
    """Yield the rows of a table.

    A "table" of one column is a box around running text: its lines are better read from the page,
    where a heading inside stays a line of its own.
    """
    rows = ([block.header] if block.header else []) + list(block.rows or ())
    cells = [[plain(c.text or "").replace("\n", " ") for c in row if c.text] for row in rows]
    if all(len(row) <= 1 for row in cells):
        return
    for i, row in enumerate(cells):
        yield Unit(BlockKind.TABLE, _CELL_GAP.join(row), joins_previous=i > 0)


def units_of(blocks: Any) -> Iterator[Unit]:
    """Yield liteparse's blocks of one page as units."""
    for block in blocks or ():
        kind = _KINDS.get(block.kind, BlockKind.OTHER)
        if block.rows is not None or block.header is not None:
            yield from _rows(block)
        elif block.lines:
            for i, line in enumerate(block.lines):
                yield Unit(BlockKind.CODE, str(line), joins_previous=i > 0)
        elif block.text:
            text = plain(block.text).replace("\n", " ")
            if block.kind == "list_item" and block.marker:
                text = f"{plain(block.marker)} {text}"
            level = max(1, min(6, block.level or 1)) if kind is BlockKind.HEADING else 0
            yield Unit(kind, text, level)


def _parse(path: Path, max_pages: int) -> dict[int, Any]:
    """Return liteparse's pages by number; empty when it refuses what PDFium opened."""
    from liteparse import LiteParse, ParseError

    parser = LiteParse(
        output_format="markdown",
        ocr_enabled=False,
        extract_blocks=True,
        extract_links=False,
        max_pages=max_pages,
        quiet=True,
    )
    try:
        return {page.page_num: page for page in parser.parse(path).pages}
    except ParseError as exc:
        # Its own PDFium is stricter with some files; their text comes from PDFium's lines alone.
        print(f"liteparse refused the file: {exc}", file=sys.stderr)  # noqa: T201 - the worker's log
        return {}


def _raw_page(document: Any, index: int) -> tuple[str, tuple[float, float]]:
    """Return PDFium's text and the displayed size of a page; nothing for a page it cannot load."""
    try:
        page = document[index]
        textpage = page.get_textpage()
    except pdfium.PdfiumError as exc:
        print(f"page {index + 1} cannot be loaded: {exc}", file=sys.stderr)  # noqa: T201
        return "", (0.0, 0.0)
    found = page_raw_text(textpage), page.get_size()
    textpage.close()
    page.close()
    return found


def read_pages(path: Path, document: Any, *, max_pages: int) -> Iterator[Page]:
    """Yield the assembled pages of an open PDF. Library errors pass through to the worker."""
    parsed = _parse(path, max_pages)
    running = RunningLines()
    for first in range(0, len(document), _PAGES_AT_ONCE):
        indexes = range(first, min(first + _PAGES_AT_ONCE, len(document)))
        raws = [_raw_page(document, i) for i in indexes]
        repeated = running.add([raw for raw, _ in raws])
        for i, (raw, (width, height)) in zip(indexes, raws, strict=True):
            found = parsed.get(i + 1)
            yield assemble(
                RawPage(
                    number=i + 1,
                    label=document.get_page_label(i) or None,
                    width=width,
                    height=height,
                    raw=raw,
                    units=list(units_of(found.blocks if found else ())),
                ),
                repeated,
            )


def title(document: Any) -> str | None:
    """Return the title from the metadata of an open PDF."""
    return document.get_metadata_dict().get("Title") or None


def has_pictures(document: Any) -> bool:
    """Tell whether one of the first pages has an image on it."""
    for i in range(min(len(document), _PICTURE_PAGES)):
        try:
            objects = document[i].get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE])
            if next(iter(objects), None) is not None:
                return True
        except pdfium.PdfiumError:
            continue
    return False
