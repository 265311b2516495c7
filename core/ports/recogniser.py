"""Port: recognising the text in pictures of pages. All of it outside this process."""

from pathlib import Path
from typing import Protocol

from core.domain.document import Page


class PageRecogniser(Protocol):
    """Reads scanned pages and image files (PNG, JPEG, WebP, BMP, GIF, TIFF), one page at a time.

    A page of a PDF is measured in points as it is displayed. An image has no points of its own:
    one of its pixels counts as one, or as less where its longer side would pass 842 (that of A4).
    """

    def page_count(self, path: Path) -> int:
        """Return the number of pages: frames of a TIFF, 1 of any other image.

        Raises a `DocumentError`.
        """

    def recognise(self, path: Path, page: int) -> Page:
        """Return page `page` (1-based) with its recognised text, `blocks` and `lines`.

        Its `source` is `OCR`; where nothing can be read the text is "" and `source` is `NONE`.
        Takes seconds; another call waits. Raises a `DocumentError`, and `NotFoundError` if there
        is no such page.
        """

    def close(self) -> None:
        """End the process; it starts again at the next use."""
