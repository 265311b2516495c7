"""A worker process: `python -m core.readers.worker MEMORY_MB`.

Requests come as JSON lines on standard input, replies go as frames to standard output. The process
limits itself before it reads anything; whatever a file does to it, it does to this process only.
"""

import json
import os
import sys
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from core.domain.document import Page
from core.readers import frames, limits

_BATCH = 8
_OPEN_DOCUMENTS = 4
_PASSWORD_WORDS = ("password",)


class _Failure(Exception):
    """A failure with the code of a `DocumentError`."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(detail)
        self.code = code


def _send_pages(out: IO[bytes], pages: Iterator[Page], total: int) -> None:
    while batch := list(islice(pages, _BATCH)):
        body = {"total": total, "pages": [frames.page_to_json(page) for page in batch]}
        frames.write_json(out, frames.PAGES, body)


def _read_pdfium(out: IO[bytes], request: dict[str, Any]) -> None:
    import liteparse
    import pypdfium2

    from core.readers import outline, pdfium

    path = Path(request["path"])
    try:
        document = pypdfium2.PdfDocument(path)
        total = len(document)
        if total > request["max_pages"]:
            raise _Failure("too_large", str(total))
        if total == 0:
            raise _Failure("empty")
        pages = pdfium.read_pages(path, document, max_pages=request["max_pages"])
        _send_pages(out, pages, total)
        title = pdfium.title(document)
        entries = [(e.level, e.title, e.page) for e in outline.outline(document)]
    except (pypdfium2.PdfiumError, liteparse.ParseError) as exc:
        locked = any(word in str(exc).lower() for word in _PASSWORD_WORDS)
        raise _Failure("encrypted" if locked else "damaged", str(exc)) from exc
    frames.write_json(out, frames.DONE, {"total": total, "title": title, "outline": entries})


def _read_pypdf(out: IO[bytes], request: dict[str, Any]) -> None:
    from pypdf.errors import PyPdfError

    from core.readers import pypdf_text

    try:
        reader = pypdf_text.open_pdf(Path(request["path"]))
        total = len(reader.pages)
        if total > request["max_pages"]:
            raise _Failure("too_large", str(total))
        if total == 0:
            raise _Failure("empty")
        _send_pages(out, pypdf_text.read_pages(reader, max_pages=request["max_pages"]), total)
        title = reader.metadata.title if reader.metadata else None
    except pypdf_text.LockedError as exc:
        raise _Failure("encrypted") from exc
    except RecursionError as exc:
        raise _Failure("too_complex") from exc
    # pypdf lets the errors of broken structures through as they come.
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError) as exc:
        raise _Failure("damaged", repr(exc)) from exc
    except (ZeroDivisionError, AssertionError, NotImplementedError, OSError, zlib.error) as exc:
        raise _Failure("damaged", repr(exc)) from exc
    frames.write_json(out, frames.DONE, {"total": total, "title": title})


class _Inspector:
    """Keeps the last documents open."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, Any] = OrderedDict()

    def _page(self, path: str, number: int) -> Any:
        import pypdfium2

        from core.readers.inspect_page import open_document

        try:
            document = self._open.pop(path, None) or open_document(path)
            self._open[path] = document
            while len(self._open) > _OPEN_DOCUMENTS:
                self._open.popitem(last=False)[1].close()
            if not 1 <= number <= len(document):
                raise _Failure("not_found")
            return document[number - 1]
        except pypdfium2.PdfiumError as exc:
            raise _Failure("damaged", str(exc)) from exc

    def boxes(self, out: IO[bytes], request: dict[str, Any]) -> None:
        """Reply with the rectangles of each quote, or null where its letters are not there."""
        from core.readers.inspect_page import PageLetters, rectangles

        pages: dict[int, PageLetters] = {}
        found: list[list[Any] | None] = []
        for quote in request["quotes"]:
            rects: list[Any] = []
            stands = True
            for number, start, wanted in quote:
                if number not in pages:
                    pages[number] = PageLetters(self._page(request["path"], number))
                page = pages[number]
                stands = stands and page.key[start : start + len(wanted)] == wanted
                if stands:
                    rects += [(number, *r) for r in rectangles(page, start, len(wanted))]
            found.append(rects if stands else None)
        frames.write_json(out, frames.BOXES, found)

    def image(self, out: IO[bytes], request: dict[str, Any]) -> None:
        """Reply with the page as PNG."""
        from core.readers.inspect_page import draw

        page = self._page(request["path"], request["page"])
        image = draw(page, width=request["width"], boxes=request["boxes"])
        frames.write_frame(out, frames.IMAGE, image)


def main() -> int:
    """Serve requests until standard input ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get into the frames.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    limits.enter(int(sys.argv[1]))
    inspector = _Inspector()
    operations: dict[str, Callable[[IO[bytes], dict[str, Any]], None]] = {
        "read_pdfium": _read_pdfium,
        "read_pypdf": _read_pypdf,
        "boxes": inspector.boxes,
        "image": inspector.image,
    }
    frames.write_frame(out, frames.READY, b"")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        limits.allow_cpu(request["cpu_seconds"])
        try:
            operations[request["op"]](out, request)
        except _Failure as failure:
            body = {"code": failure.code, "detail": str(failure)[:300]}
            frames.write_json(out, frames.ERROR, body)
        except MemoryError:
            frames.write_json(out, frames.ERROR, {"code": "too_complex", "detail": "memory"})
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
