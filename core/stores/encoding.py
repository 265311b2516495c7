"""Documents, pages and chunks as rows, and back.

Blocks, segments and ranges are flat lists of integers: a document has thousands of them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import RowMapping

from core.domain.document import (
    Block,
    BlockKind,
    Chunk,
    Document,
    DocumentState,
    Figure,
    Line,
    OutlineEntry,
    Page,
    ReaderName,
    Segment,
    TextRange,
    TextSource,
)

_KINDS = (
    BlockKind.HEADING,
    BlockKind.PARAGRAPH,
    BlockKind.LIST,
    BlockKind.TABLE,
    BlockKind.CODE,
    BlockKind.OTHER,
    BlockKind.CAPTION,
    BlockKind.FOOTNOTE,
    BlockKind.FORMULA,
)
"""Their positions are stored: append only."""

_KIND_NUMBER = {kind: number for number, kind in enumerate(_KINDS)}


def document_row(document: Document, namespace: str) -> dict[str, Any]:
    """Return the row of a document."""
    return {
        "namespace": namespace,
        "id": document.id,
        "name": document.name,
        "title": document.title,
        "sha256": document.sha256,
        "size": document.size,
        "pages": document.pages,
        "chunks": document.chunks,
        "language": document.language,
        "reader": document.reader.value,
        "loaded_at": document.loaded_at,
        "embedder": document.embedder,
        "warnings": document.warnings,
        "textless_pages": document.textless_pages,
        "format": document.format,
        "state": document.state.value,
        "pages_read": document.pages_read,
        "names": document.names,
        "ocr_pages": document.ocr_pages,
        "outline": [(e.level, e.title, e.page) for e in document.outline],
        "refined": document.refined,
    }


def document_of(row: RowMapping) -> Document:
    """Return the document of a row."""
    return Document(
        id=row["id"],
        name=row["name"],
        title=row["title"],
        sha256=row["sha256"],
        size=row["size"],
        pages=row["pages"],
        chunks=row["chunks"],
        language=row["language"],
        reader=ReaderName(row["reader"]),
        loaded_at=row["loaded_at"],
        embedder=row["embedder"],
        warnings=tuple(row["warnings"]),
        textless_pages=tuple(row["textless_pages"]),
        format=row["format"],
        state=DocumentState(row["state"]),
        pages_read=row["pages_read"],
        names=tuple(row["names"]),
        ocr_pages=tuple(row["ocr_pages"]),
        outline=tuple(
            OutlineEntry(level=level, title=title, page=page)
            for level, title, page in row["outline"]
        ),
        refined=row["refined"],
    )


def page_row(page: Page, document_id: str, namespace: str) -> dict[str, Any]:
    """Return the row of a page."""
    return {
        "namespace": namespace,
        "document_id": document_id,
        "number": page.number,
        "label": page.label,
        "text": page.text,
        "width": page.width,
        "height": page.height,
        "blocks": [n for b in page.blocks for n in (_KIND_NUMBER[b.kind], b.start, b.end, b.level)],
        "segments": [n for s in page.segments for n in (s.start, s.end, s.letter)],
        "source": page.source.value,
        "lines": [(n.start, n.end, n.x0, n.y0, n.x1, n.y1) for n in page.lines],
        "figures": [(f.x0, f.y0, f.x1, f.y1, f.caption) for f in page.figures],
    }


def page_of(row: RowMapping) -> Page:
    """Return the page of a row."""
    blocks, segments = iter(row["blocks"]), iter(row["segments"])
    return Page(
        number=row["number"],
        label=row["label"],
        text=row["text"],
        width=row["width"],
        height=row["height"],
        blocks=tuple(
            Block(kind=_KINDS[kind], start=start, end=end, level=level)
            for kind, start, end, level in zip(blocks, blocks, blocks, blocks, strict=True)
        ),
        segments=tuple(
            Segment(start=start, end=end, letter=letter)
            for start, end, letter in zip(segments, segments, segments, strict=True)
        ),
        source=TextSource(row["source"]),
        lines=tuple(
            Line(start=start, end=end, x0=x0, y0=y0, x1=x1, y1=y1)
            for start, end, x0, y0, x1, y1 in row["lines"]
        ),
        figures=tuple(
            Figure(x0=x0, y0=y0, x1=x1, y1=y1, caption=caption)
            for x0, y0, x1, y1, caption in row["figures"]
        ),
    )


def chunk_row(chunk: Chunk, namespace: str) -> dict[str, Any]:
    """Return the row of a chunk. Its text is not in it: the pages have it."""
    return {
        "namespace": namespace,
        "id": chunk.id,
        "document_id": chunk.document_id,
        "ordinal": chunk.ordinal,
        "ranges": [n for r in chunk.ranges for n in (r.page, r.start, r.end)],
        "heading_path": chunk.heading_path,
        "tokens": chunk.tokens,
        "context_ranges": [n for r in chunk.context_ranges for n in (r.page, r.start, r.end)],
    }


def ranges_of(numbers: list[int]) -> tuple[TextRange, ...]:
    """Return the ranges of a stored list."""
    it = iter(numbers)
    return tuple(
        TextRange(page=page, start=start, end=end)
        for page, start, end in zip(it, it, it, strict=True)
    )


def chunk_of(row: RowMapping, texts: Mapping[tuple[str, int], str]) -> Chunk:
    """Return the chunk of a row; `texts` has the pages' texts by document id and page number."""
    ranges, context_ranges = ranges_of(row["ranges"]), ranges_of(row["context_ranges"])
    document_id = row["document_id"]

    def text_of(wanted: Sequence[TextRange]) -> str:
        return "\n".join(texts[document_id, r.page][r.start : r.end] for r in wanted)

    return Chunk(
        id=row["id"],
        document_id=document_id,
        ordinal=row["ordinal"],
        text=text_of(ranges),
        ranges=ranges,
        heading_path=tuple(row["heading_path"]),
        tokens=row["tokens"],
        context=text_of(context_ranges),
        context_ranges=context_ranges,
    )
