"""Image files as documents: pages without text that wait for recognition.

Only heads are read here. Runs in worker processes only.
"""

from pathlib import Path

from core.domain.document import Page, TextSource
from core.readers import images
from core.readers.failure import Failure


def pages_of_picture(path: Path, *, max_pages: int) -> list[Page]:
    """Return the one page of a picture, or those of a TIFF, with their size in points.

    Raises `Failure`: `damaged`, `too_large` for too many pixels or pages.
    """
    count = images.page_count(str(path))
    if count > max_pages:
        raise Failure("too_large", str(count))
    pages = []
    for number in range(1, count + 1):
        width, height = images.size(str(path), number)
        pages.append(
            Page(
                number=number,
                label=None,
                text="",
                width=width,
                height=height,
                source=TextSource.NONE,
            )
        )
    return pages
