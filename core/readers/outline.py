"""The bookmarks of a PDF as an outline. Runs in worker processes only."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import pypdfium2 as pdfium

from core.domain.document import OutlineEntry
from core.text.clean import clean

MAX_ENTRIES = 500
_MAX_LOOKED_AT = 5000
"""Bookmarks without a title or a page are passed over, but not for ever."""
_MAX_DEPTH = 12
_MAX_LEVEL = 6
_MAX_TITLE = 200


def _bookmarks(document: Any) -> Iterator[Any]:
    """Yield the bookmarks up to where the file's tree breaks; pypdfium2 ends at cycles."""
    try:
        yield from islice(document.get_toc(max_depth=_MAX_DEPTH), _MAX_LOOKED_AT)
    except pdfium.PdfiumError:
        return


def _entry(bookmark: Any, pages: int) -> OutlineEntry | None:
    try:
        title = " ".join(clean(bookmark.get_title()).split())[:_MAX_TITLE]
        dest = bookmark.get_dest()
        index = None if dest is None else dest.get_index()
    except (pdfium.PdfiumError, UnicodeDecodeError):
        return None
    if not title or index is None or not 0 <= index < pages:
        return None
    return OutlineEntry(level=min(_MAX_LEVEL, bookmark.level + 1), title=title, page=index + 1)


def outline(document: Any) -> list[OutlineEntry]:
    """Return the bookmarks that lead to a page, in order; `[]` for a file without usable ones."""
    pages = len(document)
    found = (_entry(bookmark, pages) for bookmark in _bookmarks(document))
    return list(islice((entry for entry in found if entry is not None), MAX_ENTRIES))
