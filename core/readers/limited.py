"""Adapter of `DocumentReader`: one limited child process a file.

PDFs are read with liteparse and PDFium, or with pypdf or MarkItDown by setting; pictures wait for
recognition; everything else is converted.
"""

import json
import logging
import time
from dataclasses import replace
from pathlib import Path

from core.domain.document import Page, ReaderName, TextSource
from core.domain.formats import FORMATS, FormatKind
from core.errors import (
    AssistantError,
    DamagedDocumentError,
    DocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
    EmptyDocumentError,
    EncryptedDocumentError,
    MissingDependencyError,
    NotFoundError,
    ScannedDocumentError,
    UnknownBackendError,
    UnsupportedFormatError,
)
from core.ports.reader import PageCallback, ReadSummary
from core.readers import frames
from core.readers.audio import audio_limits, check_audio
from core.readers.formats import detect
from core.readers.host import WorkerDied, reply_error
from core.readers.limits import CAREFUL_PAGES, Limits
from core.readers.spare import Spare

logger = logging.getLogger(__name__)

_MIB = 1024 * 1024
_MOST_DEATHS = 6
"""So many processes may die over a file whose pages are read one after the other."""
_SHARES = 3
"""Part of the time that is left which a further process may take."""
_LEAST_SECONDS = 5
"""With less time left no further process is started."""

PDF_READERS = (ReaderName.LITEPARSE, ReaderName.PYPDF, ReaderName.MARKITDOWN)
ERRORS: dict[str, type[AssistantError]] = {
    error.code: error
    for error in (
        EncryptedDocumentError,
        EmptyDocumentError,
        MissingDependencyError,
        DamagedDocumentError,
        DocumentTooLargeError,
        DocumentTooComplexError,
        NotFoundError,
        UnsupportedFormatError,
    )
}
_TELLING = (EmptyDocumentError, EncryptedDocumentError, DocumentTooLargeError)
"""When pypdf finds one of these, it knows better than PDFium's "damaged"."""


class LimitedReader:
    """Reads every format. `pdf_reader` is one of `PDF_READERS`.

    `liteparse` gives places on the page, `pypdf` text by pages without places (and is the second
    choice where the first refuses or dies), `markitdown` converted parts without page numbers.
    """

    def __init__(
        self,
        bounds: Limits,
        *,
        pdf_reader: str = ReaderName.LITEPARSE,
        audio_model: Path | None = None,
    ) -> None:
        if pdf_reader not in PDF_READERS:
            raise UnknownBackendError(
                f"PDF_READER={pdf_reader} does not exist.",
                remedy=f"Set it to one of: {', '.join(PDF_READERS)}.",
            )
        self._limits = bounds
        self._spare = Spare(bounds)
        self._pdf_reader = pdf_reader
        self._audio_model = audio_model

    def warm_up(self) -> None:
        """See `DocumentReader.warm_up`."""
        self._spare.warm_up()

    def close(self) -> None:
        """See `DocumentReader.close`."""
        self._spare.close()

    def format_of(self, path: Path, name: str) -> str:
        """See `DocumentReader.format_of`."""
        self._check_size(path)
        try:
            found = detect(path, name)
        except OSError as exc:
            raise _unreadable(path) from exc
        if FORMATS[found] is FormatKind.AUDIO:
            check_audio(self._audio_model)
        return found

    def read(self, path: Path, on_pages: PageCallback, *, format: str = "pdf") -> ReadSummary:
        """See `DocumentReader.read`."""
        if self.format_of(path, f"file.{format}") != format:
            raise UnsupportedFormatError
        kind = FORMATS[format]
        if kind is FormatKind.PDF:
            return self._read_pdf(path, on_pages)
        if kind is FormatKind.IMAGE:
            return _Reading(on_pages, self._spare).run(
                self._limits, "read_picture", path, ReaderName.OCR
            )
        if kind is FormatKind.AUDIO:
            return self._transcribe(path, on_pages, format)
        return self._convert(path, on_pages, format)

    def _transcribe(self, path: Path, on_pages: PageCallback, format: str) -> ReadSummary:
        bounds, model = audio_limits(self._limits), str(Path(self._audio_model or "").resolve())
        return _Reading(on_pages, self._spare).run(
            bounds, "convert", path, ReaderName.MARKITDOWN, format=format, audio_model=model
        )

    def _convert(self, path: Path, on_pages: PageCallback, format: str) -> ReadSummary:
        reading = _Reading(on_pages, self._spare)
        return reading.run(self._limits, "convert", path, ReaderName.MARKITDOWN, format=format)

    def _read_pdf(self, path: Path, on_pages: PageCallback) -> ReadSummary:
        if self._pdf_reader == ReaderName.MARKITDOWN:
            return self._convert(path, on_pages, "pdf")
        if self._pdf_reader == ReaderName.PYPDF:
            return _Reading(on_pages, self._spare).run(
                self._limits, "read_pypdf", path, ReaderName.PYPDF
            )
        first = _Reading(on_pages, self._spare)
        try:
            return self._read_pdfium(first, path)
        except DocumentTooLargeError:
            raise
        except DocumentError as refused:
            if first.pages:
                raise
            logger.info("PDFium refused a file (%s); trying pypdf", refused.code)
            return self._second(path, on_pages, refused, self._left(first))

    def _read_pdfium(self, reading: "_Reading", path: Path) -> ReadSummary:
        """Read with PDFium; a page that kills its process is empty, and reading goes on after it.

        Not when it is the first page, not for more than a few, and all in the time of one reading.
        """
        bounds = self._limits
        for deaths in range(_MOST_DEATHS + 1):
            after, careful = reading.pages, deaths > 0
            wanted = {"after": after, "careful": careful}
            try:
                return reading.run(bounds, "read_pdfium", path, ReaderName.LITEPARSE, **wanted)
            except DocumentError:
                bounds = self._left(reading)
                bounds = replace(bounds, cpu_seconds=bounds.wall_seconds // _SHARES)
                first = careful and not reading.pages
                enough = deaths == _MOST_DEATHS or bounds.cpu_seconds < _LEAST_SECONDS
                if not reading.died or first or enough:
                    raise
            if careful and reading.pages - after < CAREFUL_PAGES:
                reading.leave_out_page()
        raise DocumentTooComplexError

    def _left(self, reading: "_Reading") -> Limits:
        """Return the limits with what time a reading has left."""
        wall = int(self._limits.wall_seconds - reading.seconds)
        return replace(
            self._limits, wall_seconds=wall, cpu_seconds=min(wall, self._limits.cpu_seconds)
        )

    def _second(
        self, path: Path, on_pages: PageCallback, refused: DocumentError, bounds: Limits
    ) -> ReadSummary:
        """Read with pypdf. What PDFium said stays the reason unless pypdf knows better."""
        hopeless = isinstance(refused, EmptyDocumentError | ScannedDocumentError)
        if hopeless or bounds.wall_seconds < _LEAST_SECONDS:
            raise refused
        try:
            return _Reading(on_pages, self._spare).run(bounds, "read_pypdf", path, ReaderName.PYPDF)
        except DocumentError as second:
            better = isinstance(second, _TELLING)
            raise (second if better else refused) from second

    def _check_size(self, path: Path) -> None:
        try:
            size = path.stat().st_size
        except OSError as exc:
            raise _unreadable(path) from exc
        if size == 0:
            raise EmptyDocumentError
        if size > self._limits.max_file_mb * _MIB:
            raise DocumentTooLargeError(
                f"This file has {size / _MIB:.0f} MB; the limit is {self._limits.max_file_mb} MB.",
                limit=self._limits.max_file_mb,
                size=size,
            )


def _unreadable(path: Path) -> DocumentError:
    return DocumentError(f"The file cannot be opened: {path.name}", remedy="Choose the file again.")


class _Reading:
    """One try with one reader.

    `pages` are handed over; `died` says that the process did, `seconds` how long it was waited for.
    """

    def __init__(self, on_pages: PageCallback, spare: Spare) -> None:
        self._on_pages = on_pages
        self._spare = spare
        self._letters = 0
        self._pictures = 0
        self._total = 0
        self.pages = 0
        self.seconds = 0.0
        self.died = False

    def run(
        self, bounds: Limits, op: str, path: Path, reader: ReaderName, **arguments: str | int
    ) -> ReadSummary:
        worker = self._spare.take(bounds)
        began = time.monotonic()
        try:
            for kind, body in worker.request(
                op, path=str(path.resolve()), max_pages=bounds.max_pages, **arguments
            ):
                if kind == frames.PAGES:
                    self._hand_over(self._pages(body))
                elif kind == frames.ERROR:
                    raise self._told(body, bounds)
                elif kind == frames.DONE:
                    return self._finish(body, reader)
        except WorkerDied as exc:
            self.died = True
            error = DocumentTooComplexError if exc.by_limit else DamagedDocumentError
            raise error(detail=str(exc)) from exc
        finally:
            self.seconds += time.monotonic() - began
            worker.kill()
        raise DamagedDocumentError

    def _pages(self, body: bytes) -> list[Page]:
        """Return the pages of a frame. Raises `DamagedDocumentError` for what cannot be."""
        try:
            told = json.loads(body)
            pages = [frames.page_from_json(page) for page in told["pages"]]
            self._total = int(told["total"])
        except (KeyError, TypeError, ValueError) as exc:
            raise DamagedDocumentError(detail=repr(exc)) from exc
        self._letters += sum(sum(map(str.isalnum, page.text)) for page in pages)
        self._pictures += sum(page.source is TextSource.NONE for page in pages)
        return pages

    def _hand_over(self, pages: list[Page]) -> None:
        self.pages += len(pages)
        began = time.monotonic()
        try:
            self._on_pages(pages, self._total)
        finally:
            self.seconds -= time.monotonic() - began

    def leave_out_page(self) -> None:
        """Hand over an empty page in place of the next one."""
        number = self.pages + 1
        logger.warning("Page %s killed its process; it is left out", number)
        self._hand_over([Page(number=number, label=None, text="", width=0.0, height=0.0)])

    def _told(self, body: bytes, bounds: Limits) -> AssistantError:
        error = reply_error(body, ERRORS)
        if isinstance(error, DocumentTooLargeError):
            pages = str(error.details.get("detail"))
            if not pages.isdigit():
                return DocumentTooLargeError(detail=pages, limit=bounds.max_pages)
            return DocumentTooLargeError(
                f"This document has {pages} pages; the limit is {bounds.max_pages}.",
                limit=bounds.max_pages,
                pages=pages,
            )
        return error

    def _finish(self, body: bytes, reader: ReaderName) -> ReadSummary:
        if self._letters == 0 and not self._pictures:
            # pypdf cannot tell pictures from nothing, and gets what PDFium could not open.
            raise ScannedDocumentError if reader is ReaderName.PYPDF else EmptyDocumentError
        try:
            told = json.loads(body)
            title = told.get("title")
            return ReadSummary(
                reader=reader,
                page_count=int(told["total"]),
                title=str(title) if title else None,
                outline=frames.outline_from_json(told.get("outline", [])),
            )
        except (KeyError, TypeError, ValueError) as exc:
            raise DamagedDocumentError(detail=repr(exc)) from exc
