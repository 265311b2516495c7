"""Documents, pages and chunks. Offsets are half-open and count characters of `Page.text`."""

from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """`Page.text[start:end]` is one block. `level` is 1 to 6 for headings, else 0."""

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
class Page:
    """One physical page. `number` is 1-based; `label` is the printed page number, if any."""

    number: int
    label: str | None
    text: str
    width: float
    height: float
    blocks: tuple[Block, ...] = ()
    segments: tuple[Segment, ...] = ()


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
    each and other words one each.
    """

    id: str
    document_id: str
    ordinal: int
    text: str
    ranges: tuple[TextRange, ...]
    heading_path: tuple[str, ...] = ()
    tokens: int = 0

    @property
    def pages(self) -> tuple[int, ...]:
        """Physical pages the chunk stands on, ascending."""
        return tuple(sorted({r.page for r in self.ranges}))


class ReaderName(StrEnum):
    """Which reader gave the text. `PYPDF` gives no boxes."""

    LITEPARSE = "liteparse"
    PYPDF = "pypdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A loaded document. `title` is what a learner reads; `name` is the uploaded file's name.

    `language` is `en` or `zh`. `warnings` are codes the interface words, e.g. `no_boxes`,
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
    headings: tuple[str, ...] = field(default=())
