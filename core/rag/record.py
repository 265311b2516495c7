"""The record of a document while its pages come in."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from core.domain.document import (
    BlockKind,
    Document,
    DocumentState,
    OutlineEntry,
    Page,
    PageFigure,
    ReaderName,
    TextSource,
)
from core.ports.reader import ReadSummary
from core.text.tokens import language_of

_LANGUAGE_SAMPLE = 20_000
_MAX_OUTLINE = 500
_MAX_TITLE = 200
_MAX_FIGURES = 300
_MIN_PAGE_LETTERS = 10
"""A page with fewer letters counts as a page without text."""
_FILE_SUFFIXES = (".pdf", ".doc", ".docx", ".tex", ".indd", ".qxd", ".ppt", ".pptx", ".xlsx")

NO_BOXES = "no_boxes"
PAGES_WITHOUT_TEXT = "pages_without_text"


class RecordKeeper:
    """Collects what is told of a document from its pages, in order; holds no text of them."""

    def __init__(self, beginning: Document, *, ocr: bool) -> None:
        self._beginning = beginning
        self._ocr = ocr
        self._sample = ""
        self._outline: list[OutlineEntry] = []
        self._textless: list[int] = []
        self._pictures: list[int] = []
        self._placed = False
        self._pages = 0
        self._heading = ""
        self.letters = 0
        self.figures: list[PageFigure] = []

    @property
    def seen(self) -> int:
        """How many pages have come in."""
        return self._pages

    def add(self, pages: Sequence[Page]) -> None:
        """Take the next pages."""
        for page in pages:
            self._pages += 1
            letters = sum(map(str.isalnum, page.text))
            self.letters += letters
            self._placed = self._placed or bool(page.segments)
            if page.source is TextSource.NONE and self._ocr:
                self._pictures.append(page.number)
            elif letters < _MIN_PAGE_LETTERS:
                self._textless.append(page.number)
            if len(self._sample) < _LANGUAGE_SAMPLE:
                self._sample += page.text[:_LANGUAGE_SAMPLE]
            for entry in _headings(page):
                self._heading = entry.title
                if len(self._outline) < _MAX_OUTLINE:
                    self._outline.append(entry)
            self.figures += _figures(page, self._heading)[: _MAX_FIGURES - len(self.figures)]

    def record(self, *, total: int, chunks: int) -> Document:
        """Return the record of a document of `total` pages of which those so far are stored."""
        return replace(
            self._beginning,
            pages=total,
            pages_read=self._pages - len(self._pictures),
            chunks=chunks,
            language=language_of(self._sample[:_LANGUAGE_SAMPLE]),
            reader=ReaderName.LITEPARSE if self._placed else self._beginning.reader,
            textless_pages=tuple(self._textless),
            ocr_pages=tuple(self._pictures),
            outline=tuple(self._outline),
        )

    def final(self, summary: ReadSummary, *, chunks: int) -> Document:
        """Return the record of the whole document."""
        record = self.record(total=summary.page_count, chunks=chunks)
        outline = summary.outline or record.outline
        titles = [entry.title for entry in outline]
        no_boxes = record.format == "pdf" and summary.reader in (
            ReaderName.PYPDF,
            ReaderName.MARKITDOWN,
        )
        warnings = [NO_BOXES] if no_boxes else []
        if record.textless_pages:
            warnings.append(PAGES_WITHOUT_TEXT)
        return replace(
            record,
            title=title_of(summary.title, titles, record.name),
            reader=summary.reader,
            outline=outline,
            warnings=tuple(warnings),
            pages_read=record.pages - len(record.ocr_pages),
            state=DocumentState.READY,
        )


def recognised(document: Document, page: Page, *, chunks: int) -> Document:
    """Return the record after text recognition of one of its pages."""
    found = sum(map(str.isalnum, page.text)) >= _MIN_PAGE_LETTERS
    textless = document.textless_pages
    if not found:
        textless = tuple(sorted((*textless, page.number)))
    warnings = tuple(w for w in document.warnings if w != PAGES_WITHOUT_TEXT)
    outline = document.outline
    if all(entry.page != page.number for entry in outline):
        found_here = [*outline, *_headings(page)][:_MAX_OUTLINE]
        outline = tuple(sorted(found_here, key=lambda entry: entry.page))
    return replace(
        document,
        pages_read=document.pages_read + 1,
        chunks=chunks,
        outline=outline,
        ocr_pages=tuple(n for n in document.ocr_pages if n != page.number),
        textless_pages=textless,
        warnings=(*warnings, PAGES_WITHOUT_TEXT) if textless else warnings,
    )


def without_recognition(document: Document) -> Document:
    """Return the record when the rest of its pictures will not be read."""
    textless = tuple(sorted({*document.textless_pages, *document.ocr_pages}))
    warnings = tuple(w for w in document.warnings if w != PAGES_WITHOUT_TEXT)
    return replace(
        document,
        pages_read=document.pages,
        ocr_pages=(),
        textless_pages=textless,
        warnings=(*warnings, PAGES_WITHOUT_TEXT) if textless else warnings,
    )


def stored_pages(document: Document) -> int:
    """Return how many pages of a document that is being read are stored: the first ones."""
    return document.pages_read + len(document.ocr_pages)


def _figures(page: Page, heading: str) -> list[PageFigure]:
    return [
        PageFigure(
            page=page.number, caption=f.caption, box=(f.x0, f.y0, f.x1, f.y1), heading=heading
        )
        for f in page.figures
    ]


def picture_of(page: Page) -> PageFigure | None:
    """Return a recognised page as a figure, with its first line as caption."""
    caption = next((line.strip() for line in page.text.splitlines() if line.strip()), "")
    if page.source is not TextSource.OCR or not caption:
        return None
    return PageFigure(page=page.number, caption=caption[:_MAX_TITLE], box=None)


def _headings(page: Page) -> Iterator[OutlineEntry]:
    for block in page.blocks:
        if block.kind is BlockKind.HEADING:
            title = " ".join(page.text[block.start : block.end].split())[:_MAX_TITLE]
            yield OutlineEntry(level=block.level, title=title, page=page.number)


def title_of(metadata: str | None, headings: Sequence[str], name: str) -> str:
    """Return the title to show: the file's own if it reads like one, else the file name's stem."""
    given = " ".join((metadata or "").split())
    words = [w for w in given.split() if any(c.isalpha() for c in w)]
    like_a_file = given.lower().endswith(_FILE_SUFFIXES)
    cjk = language_of(given) == "zh"
    if given and not like_a_file and (len(words) >= 2 or cjk):
        return given[:_MAX_TITLE]
    stem = Path(name).stem.strip()
    return (stem or (headings[0] if headings else "") or name)[:_MAX_TITLE]
