"""A worker process: `python -m core.readers.worker MEMORY_MB [preload]`.

Requests come as JSON lines on standard input, replies go as frames to standard output. The process
limits itself before it reads anything; whatever a file does to it, it does to this process only.
"""

import gc
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
from core.readers.failure import Failure

_BATCH = 8
_FIRST_BATCH = 2
"""So that the first page can be found as soon as possible."""
_GARBAGE_THRESHOLD = 20_000
"""A page makes many small objects and hardly a cycle: look for cycles less often."""
_OPEN_DOCUMENTS = 4
_PASSWORD_WORDS = ("password",)


def _send_pages(
    out: IO[bytes], pages: Iterator[Page], total: int, *, at_once: int = _BATCH
) -> None:
    """Send the pages, `at_once` in a frame. Raises `Failure` over the limit of a document."""
    characters = 0
    size = min(_FIRST_BATCH, at_once)
    while batch := list(islice(pages, size)):
        size = at_once
        characters += sum(len(page.text) for page in batch)
        if characters > limits.MAX_CHARACTERS:
            raise Failure("too_large", "characters")
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
            raise Failure("too_large", str(total))
        if total == 0:
            raise Failure("empty")
        careful = bool(request.get("careful"))
        pages = pdfium.read_pages(
            path,
            document,
            max_pages=request["max_pages"],
            after=request.get("after", 0),
            careful=careful,
        )
        _send_pages(out, pages, total, at_once=1 if careful else _BATCH)
        title = pdfium.title(document)
        entries = [(e.level, e.title, e.page) for e in outline.outline(document)]
    except (pypdfium2.PdfiumError, liteparse.ParseError) as exc:
        locked = any(word in str(exc).lower() for word in _PASSWORD_WORDS)
        raise Failure("encrypted" if locked else "damaged", str(exc)) from exc
    frames.write_json(out, frames.DONE, {"total": total, "title": title, "outline": entries})


def _read_pypdf(out: IO[bytes], request: dict[str, Any]) -> None:
    from pypdf.errors import PyPdfError

    from core.readers import pypdf_text

    try:
        reader = pypdf_text.open_pdf(Path(request["path"]))
        total = len(reader.pages)
        if total > request["max_pages"]:
            raise Failure("too_large", str(total))
        if total == 0:
            raise Failure("empty")
        _send_pages(out, pypdf_text.read_pages(reader, max_pages=request["max_pages"]), total)
        title = reader.metadata.title if reader.metadata else None
    except pypdf_text.LockedError as exc:
        raise Failure("encrypted") from exc
    except RecursionError as exc:
        raise Failure("too_complex") from exc
    # pypdf lets the errors of broken structures through as they come.
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError) as exc:
        raise Failure("damaged", repr(exc)) from exc
    except (ZeroDivisionError, AssertionError, NotImplementedError, OSError, zlib.error) as exc:
        raise Failure("damaged", repr(exc)) from exc
    frames.write_json(out, frames.DONE, {"total": total, "title": title})


def _convert(out: IO[bytes], request: dict[str, Any]) -> None:
    from core.readers import converted

    path, most = Path(request["path"]), request["max_pages"]
    found = converted.convert(
        path, request["format"], max_pages=most, audio_model=request.get("audio_model")
    )
    total = len(found.pages)
    _send_pages(out, iter(found.pages), total)
    frames.write_json(out, frames.DONE, {"total": total, "title": found.title})


def _read_picture(out: IO[bytes], request: dict[str, Any]) -> None:
    from core.readers.image_pages import pages_of_picture

    pages = pages_of_picture(Path(request["path"]), max_pages=request["max_pages"])
    _send_pages(out, iter(pages), len(pages))
    frames.write_json(out, frames.DONE, {"total": len(pages), "title": None})


def _sound(out: IO[bytes], request: dict[str, Any]) -> None:
    from core.readers import sounds

    frames.write_frame(out, frames.SOUND, sounds.beginning(Path(request["path"])))


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
                raise Failure("not_found")
            return document[number - 1]
        except pypdfium2.PdfiumError as exc:
            raise Failure("damaged", str(exc)) from exc

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
        from core.readers import images
        from core.readers.inspect_page import draw, draw_picture

        path, number = request["path"], request["page"]
        wanted = {name: request[name] for name in ("width", "boxes", "clip")}
        if images.is_image(path):
            image = draw_picture(path, number, **wanted)
        else:
            image = draw(self._page(path, number), **wanted)
        frames.write_frame(out, frames.IMAGE, image)


class _Recogniser:
    """Keeps the models of text recognition."""

    def __init__(self) -> None:
        self._recogniser: Any = None

    def page(self, out: IO[bytes], request: dict[str, Any]) -> None:
        """Reply with the recognised page."""
        from core.readers import ocr

        self._recogniser = self._recogniser or ocr.Recogniser()
        page = self._recogniser.page(request["path"], request["page"])
        frames.write_json(out, frames.DONE, frames.page_to_json(page))

    def count(self, out: IO[bytes], request: dict[str, Any]) -> None:
        """Reply with the number of pages."""
        from core.readers import ocr

        frames.write_json(out, frames.DONE, ocr.page_count(request["path"]))


def _preload() -> None:
    """Load what reading a PDF needs, so that the first request finds it."""
    import liteparse  # noqa: F401

    from core.readers import pdfium  # noqa: F401


def main() -> int:
    """Serve requests until standard input ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get into the frames.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    limits.enter(int(sys.argv[1]))
    gc.set_threshold(_GARBAGE_THRESHOLD)
    inspector = _Inspector()
    recogniser = _Recogniser()
    operations: dict[str, Callable[[IO[bytes], dict[str, Any]], None]] = {
        "read_pdfium": _read_pdfium,
        "read_pypdf": _read_pypdf,
        "read_picture": _read_picture,
        "convert": _convert,
        "sound": _sound,
        "boxes": inspector.boxes,
        "image": inspector.image,
        "ocr": recogniser.page,
        "count_pages": recogniser.count,
    }
    if len(sys.argv) > 2:
        _preload()
    frames.write_frame(out, frames.READY, b"")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        limits.allow_cpu(request["cpu_seconds"])
        try:
            operations[request["op"]](out, request)
        except Failure as failure:
            body = {"code": failure.code, "detail": str(failure)[:300]}
            frames.write_json(out, frames.ERROR, body)
        except MemoryError:
            body = {"code": "too_complex", "detail": "memory"}
            frames.write_json(out, frames.LAST_WORDS, body)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
