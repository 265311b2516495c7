"""Documents, pages and chunks. Offsets are half-open and count characters of `Page.text`."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class BlockKind(StrEnum):
    """What a stretch of page text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CODE = "code"
    OTHER = "other"
    CAPTION = "caption"
    FOOTNOTE = "footnote"
    FORMULA = "formula"


class TextSource(StrEnum):
    """Where the text of a page comes from.

    `LAYER` is the text of the PDF itself, `OCR` was recognised in a picture of the page,
    `CONVERTED` is a part of a document of another format, `NONE` has no usable text (yet): a
    picture that OCR may read.
    """

    LAYER = "layer"
    OCR = "ocr"
    CONVERTED = "converted"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`Page.text[start:end]` is one block.

    `level` is 1 to 6 for headings, the number of header rows for tables (one line is one row),
    else 0.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Where a stretch of page text stands in PDFium's characters.

    The letters and digits of `Page.text[start:end]` are, in order, those of the page that PDFium
    reads, from letter number `letter` on (see `core.text.letters`).
    """

    start: int
    end: int
    letter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """Where a line of recognised text stands: `Page.text[start:end]`, in points from the top left
    of the displayed page."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A picture, drawing or chart on a page, in points from the top left of the displayed page.

    `caption` is "" where none was found.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFigure:
    """A figure with its physical page. `box` is (x0, y0, x1, y1), None for the whole page.

    `heading` is the last one up to that page.
    """

    page: int
    caption: str
    box: tuple[float, float, float, float] | None
    heading: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One physical page. `number` is 1-based; `label` is the printed page number, if any.

    Of a document that was converted from another format, a page is a part of its text. `segments`
    are those of a page read from the text layer, `lines` those of a recognised one.
    """

    number: int
    label: str | None
    text: str
    width: float
    height: float
    blocks: tuple[Block, ...] = ()
    segments: tuple[Segment, ...] = ()
    source: TextSource = TextSource.LAYER
    lines: tuple[Line, ...] = ()
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRange:
    """`text[start:end]` of physical page `page`."""

    page: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A passage of consecutive sentences.

    `ranges` lists its text page by page; `text` is those slices joined by a line break.
    `heading_path` is the headings above it, outermost first. `tokens` counts CJK characters one
    each and other words one each. `context_ranges` is what must be read with it and stands
    elsewhere: caption and header row of the table whose further rows it has; `context` is that
    text.
    """

    id: str
    document_id: str
    ordinal: int
    text: str
    ranges: tuple[TextRange, ...]
    heading_path: tuple[str, ...] = ()
    tokens: int = 0
    context: str = ""
    context_ranges: tuple[TextRange, ...] = ()

    @property
    def pages(self) -> tuple[int, ...]:
        """Physical pages the chunk stands on, ascending."""
        return tuple(sorted({r.page for r in self.ranges}))


class ReaderName(StrEnum):
    """Which reader gave the text. Only `LITEPARSE` knows where it stands on the page."""

    LITEPARSE = "liteparse"
    PYPDF = "pypdf"
    MARKITDOWN = "markitdown"
    OCR = "ocr"


class DocumentState(StrEnum):
    """How far a document is: its pages still come in, all are there, or it is being deleted."""

    READING = "reading"
    READY = "ready"
    DELETING = "deleting"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineEntry:
    """A line of a document's table of contents. `level` is 1 to 6; `page` is physical."""

    level: int
    title: str
    page: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document. `title` is what a learner reads; `name` is the uploaded file's name.

    `format` is the suffix of its kind (`pdf`, `docx`, …); `names` are other names under which the
    same content was loaded. `pages_read` of its `pages` can be searched; `ocr_pages` wait for text
    recognition; `textless_pages` have no usable text. `language` is `en` or `zh`. `embedder` is
    the one whose vectors are in the index; the first `refined` of its `chunks` have those of the
    refining tier too. `warnings` are codes the interface words, e.g. `no_boxes`,
    `pages_without_text`.
    """

    id: str
    name: str
    title: str
    sha256: str
    size: int
    pages: int
    chunks: int
    language: str
    reader: ReaderName
    loaded_at: datetime
    embedder: str
    warnings: tuple[str, ...] = ()
    textless_pages: tuple[int, ...] = ()
    format: str = "pdf"
    state: DocumentState = DocumentState.READY
    pages_read: int = 0
    names: tuple[str, ...] = ()
    ocr_pages: tuple[int, ...] = ()
    outline: tuple[OutlineEntry, ...] = ()
    refined: int = 0

    @property
    def is_refined(self) -> bool:
        """Whether every chunk there is can be found by the refining tier."""
        return self.refined >= self.chunks > 0

    @property
    def unread(self) -> int:
        """How many pages cannot be searched yet, at least 1 while pages may still come in."""
        missing = self.pages - self.pages_read
        return max(missing, 1) if self.state is DocumentState.READING else missing

    @property
    def headings(self) -> tuple[str, ...]:
        """The titles of the outline."""
        return tuple(entry.title for entry in self.outline)
