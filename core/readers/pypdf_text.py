"""Reading with pypdf: the second reader, text only. Runs in worker processes only."""

from collections.abc import Iterator
from pathlib import Path

from pypdf import PdfReader
from pypdf.errors import FileNotDecryptedError

from core.domain.document import Block, BlockKind, Page
from core.readers.running import RunningLines, runs
from core.text.clean import clean, join_cjk
from core.text.tokens import columns, is_cjk

_LONG_LINE = 40
"""A line of so many columns is running text and goes on in the next one."""


class LockedError(Exception):
    """The file needs a password."""


def open_pdf(path: Path) -> PdfReader:
    """Open a PDF, with the empty password if it has one. Raises `LockedError`, pypdf's errors."""
    reader = PdfReader(path, strict=False)
    if reader.is_encrypted and not reader.decrypt(""):
        raise LockedError
    return reader


def _paragraphs(text: str, page: int, running: frozenset[str]) -> list[str]:
    out: list[str] = []
    before = ""
    for line in text.splitlines():
        stripped = line.strip()
        if not stripped or runs(stripped, page, running):
            before = ""
            continue
        if out and columns(before) >= _LONG_LINE and (stripped[0].islower() or is_cjk(stripped[0])):
            head = out[-1]
            if head.endswith("-") and stripped[0].islower():
                out[-1] = head[:-1] + stripped
            else:
                out[-1] = join_cjk(f"{head} {stripped}")
        else:
            out.append(stripped)
        before = stripped
    return out


def read_pages(reader: PdfReader, *, max_pages: int) -> Iterator[Page]:
    """Yield the pages with their text, without places. pypdf's errors pass through."""
    try:
        count = min(len(reader.pages), max_pages)
        raws = [join_cjk(clean(reader.pages[i].extract_text() or "")) for i in range(count)]
        labels = reader.page_labels
    except FileNotDecryptedError as exc:
        raise LockedError from exc
    running = RunningLines().add(raws)
    for i, raw in enumerate(raws):
        parts: list[str] = []
        blocks: list[Block] = []
        size = 0
        for paragraph in _paragraphs(raw, i + 1, running) or _paragraphs(raw, i + 1, frozenset()):
            start = size + (2 if parts else 0)
            size = start + len(paragraph)
            parts.append(paragraph)
            blocks.append(Block(kind=BlockKind.PARAGRAPH, start=start, end=size))
        box = reader.pages[i].cropbox
        yield Page(
            number=i + 1,
            label=labels[i] if i < len(labels) else None,
            text="\n\n".join(parts),
            width=float(box.width),
            height=float(box.height),
            blocks=tuple(blocks),
        )
