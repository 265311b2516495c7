"""Port: reading documents, finding letters on pages, drawing pages, outside this process."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.answer import Box
from core.domain.document import OutlineEntry, Page, ReaderName

PageCallback = Callable[[Sequence[Page], int], None]
"""Gets new pages, in order, and the number of pages of the file."""


@dataclass(frozen=True, slots=True)
class ReadSummary:
    """How a file was read. `page_count` is that of the file.

    `outline` is the file's own table of contents (bookmarks), `()` without one.
    """

    reader: ReaderName
    page_count: int
    title: str | None
    outline: tuple[OutlineEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class LetterRange:
    """`letters` should stand on `page` from letter number `start` on (see `core.text.letters`)."""

    page: int
    start: int
    letters: str


class DocumentReader(Protocol):
    """Reads a document in a limited child process."""

    def format_of(self, path: Path, name: str) -> str:
        """Return the format (a key of `core.domain.formats.FORMATS`) of a file called `name`.

        The content decides, not the name. Quick: for asking before the file is queued. Raises
        `UnsupportedFormatError` and what else of `DocumentError` shows without reading the file
        (empty, too large, encrypted), and `MissingDependencyError` for audio that cannot be
        transcribed here.
        """

    def read(self, path: Path, on_pages: PageCallback, *, format: str = "pdf") -> ReadSummary:
        """Hand over all pages, then return. `format` is what `format_of` returned.

        A picture is one page without text that waits for recognition. Raises a `DocumentError`;
        pages handed over before that must then be thrown away. What `on_pages` raises passes
        through and ends the reading.
        """

    def warm_up(self) -> None:
        """Start a process ahead of the next file. Raises `ConfigurationError`."""

    def close(self) -> None:
        """End the process that waits for a file."""


class PageInspector(Protocol):
    """Looks at single pages of stored PDFs, in limited worker processes."""

    def boxes(
        self, path: Path, quotes: Sequence[Sequence[LetterRange]]
    ) -> list[tuple[Box, ...] | None]:
        """Return for each quote the rectangles over its letters, line by line.

        None where the letters do not stand there: the quote is not proven. Raises `DocumentError`.
        """

    def image(
        self,
        path: Path,
        page: int,
        *,
        width: int,
        boxes: Sequence[Box] = (),
        clip: Box | None = None,
    ) -> bytes:
        """Return page `page` as PNG, `width` pixels wide, with `boxes` of that page highlighted.

        With `clip` only that part of it, `width` pixels wide or less. Raises `DocumentError`, and
        `NotFoundError` if there is no such page.
        """

    def close(self) -> None:
        """End the worker processes; they start again at the next use."""
