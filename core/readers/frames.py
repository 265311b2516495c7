"""The pipe between the application and its worker processes: framed JSON and bytes.

A frame is one letter, the length of its body in four bytes (big endian), and the body. Workers
handle hostile files, so the parent parses JSON only, never pickles, and bounds what it accepts.
"""

import json
import re
import struct
from typing import IO, Any

from core.domain.document import (
    Block,
    BlockKind,
    Figure,
    Line,
    OutlineEntry,
    Page,
    Segment,
    TextSource,
)
from core.readers.failure import Failure

_HEAD = struct.Struct(">cI")
_SURROGATE = re.compile("[\ud800-\udfff]")
MAX_FRAME = 64 * 1024 * 1024
"""Bytes of a body: the largest page image, were it all noise."""
MAX_JSON = 16 * 1024 * 1024
"""Bytes of JSON, which takes ten times as much memory when parsed: thousands of common pages."""

READY = b"R"
PAGES = b"P"
DONE = b"D"
ERROR = b"E"
LAST_WORDS = b"X"
"""An error after which the worker ends."""
BOXES = b"B"
IMAGE = b"I"
SOUND = b"S"


def write_frame(stream: IO[bytes], kind: bytes, body: bytes) -> None:
    """Write one frame and flush. Raises `Failure` when it is over the limit."""
    if len(body) > (MAX_FRAME if kind == IMAGE else MAX_JSON):
        raise Failure("too_complex", f"a frame of {len(body)} bytes")
    stream.write(_HEAD.pack(kind, len(body)) + body)
    stream.flush()


def write_json(stream: IO[bytes], kind: bytes, value: Any) -> None:
    """Write one frame whose body is JSON."""
    write_frame(stream, kind, json.dumps(value, ensure_ascii=True, separators=(",", ":")).encode())


def read_frame(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """Return the next frame as (kind, body).

    None when the stream ended, also in a frame, and for one over the limit.
    """
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, size = _HEAD.unpack(head)
    if size > (MAX_FRAME if kind == IMAGE else MAX_JSON):
        return None
    body = stream.read(size)
    return (kind, body) if len(body) == size else None


def page_to_json(page: Page) -> dict[str, Any]:
    """Return a page as plain values. Halves of characters, which no store takes, become U+FFFD."""
    return {
        "number": page.number,
        "label": page.label,
        "text": _SURROGATE.sub("\ufffd", page.text),
        "width": page.width,
        "height": page.height,
        "blocks": [(b.kind.value, b.start, b.end, b.level) for b in page.blocks],
        "segments": [(s.start, s.end, s.letter) for s in page.segments],
        "source": page.source.value,
        "lines": [(n.start, n.end, n.x0, n.y0, n.x1, n.y1) for n in page.lines],
        "figures": [(f.x0, f.y0, f.x1, f.y1, f.caption) for f in page.figures],
    }


def page_from_json(value: Any) -> Page:
    """Return the page that `page_to_json` made. Raises KeyError, TypeError, ValueError."""
    return Page(
        number=int(value["number"]),
        label=None if value["label"] is None else str(value["label"]),
        text=str(value["text"]),
        width=float(value["width"]),
        height=float(value["height"]),
        blocks=tuple(
            Block(kind=BlockKind(kind), start=int(start), end=int(end), level=int(level))
            for kind, start, end, level in value["blocks"]
        ),
        segments=tuple(
            Segment(start=int(start), end=int(end), letter=int(letter))
            for start, end, letter in value["segments"]
        ),
        source=TextSource(value["source"]),
        lines=tuple(
            Line(start=int(start), end=int(end), **_box(box)) for start, end, *box in value["lines"]
        ),
        figures=tuple(
            Figure(caption=str(caption), **_box(box)) for *box, caption in value["figures"]
        ),
    )


def outline_from_json(value: Any) -> tuple[OutlineEntry, ...]:
    """Return the outline of a `DONE` frame: a list of (level, title, page).

    Raises TypeError, ValueError.
    """
    return tuple(
        OutlineEntry(level=int(level), title=str(title), page=int(page))
        for level, title, page in value
    )


def _box(numbers: Any) -> dict[str, float]:
    x0, y0, x1, y1 = map(float, numbers)
    return {"x0": x0, "y0": y0, "x1": x1, "y1": y1}
