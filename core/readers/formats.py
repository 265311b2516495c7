"""Which format a file has: its content decides, its name only chooses among what fits.

Nothing here parses more than a head and a list of names, so it is safe outside a worker process.
"""

import lzma
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import IO

from core.domain.formats import FORMATS, TEXT_KINDS, FormatKind, format_named
from core.errors import (
    DamagedDocumentError,
    DocumentTooComplexError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnsupportedFormatError,
)
from core.readers.encodings import SAMPLE, decode, encoding_of

_PDF = b"%PDF-"
_PDF_WITHIN = 1024
"""Readers accept junk before the header up to here (ISO 32000, implementation note 13)."""
_ZIPS = (b"PK\x03\x04", b"PK\x05\x06")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DIRECTORY_BYTES = 4 * 1024 * 1024
"""The list of names of an archive may take so many bytes (about 50,000 names)."""
_OLE_HEADER = 512
_OLE_DIRECTORY = 16 * 1024
_UNPACKING = (zlib.error, lzma.LZMAError, EOFError, OSError)
_MAIN_PARTS = {"docx": "word/", "pptx": "ppt/", "xlsx": "xl/"}
_BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)
_HTML = re.compile(r"<(!doctype\s+html|html|head|body)\b", re.I)
_BEFORE_HTML = (("<?", "?>"), ("<!--", "-->"))
_NOT_FOR_READING = ("{\\rtf", "%!PS", "-----BEGIN PGP", "MIME-Version:")
"""Text that only another program can show."""
_WEB_AS_OFFICE = ("xls", "doc")
"""Programs that export "Excel" or "Word" often write an HTML page under that name."""


def detect(path: Path, name: str) -> str:
    """Return the format (a key of `FORMATS`) of the file at `path`, called `name`.

    Raises `UnsupportedFormatError` for what cannot be read or contradicts the name (text under
    the name of a PDF, an Office file or a picture), `EncryptedDocumentError` for Office files with
    a password, `EmptyDocumentError`, `DamagedDocumentError`, `DocumentTooComplexError`, OSError.
    """
    with path.open("rb") as file:
        head = file.read(SAMPLE)
        if not head.strip(b"\x00 \t\r\n"):
            raise EmptyDocumentError
        found = _of_binary(head, file, format_named(name))
    return found or _of_text(head, name)


def _of_binary(head: bytes, file: IO[bytes], named: str | None) -> str | None:
    if head.startswith(_PDF):
        return "pdf"
    if head.startswith(_ZIPS):
        found = _of_archive(file, named)
    elif head.startswith(_OLE):
        found = _of_ole(head, file)
    else:
        found = _of_picture(head) or _of_audio(head, named)
    return found or ("pdf" if _PDF in head[: _PDF_WITHIN + len(_PDF)] else None)


def _of_picture(head: bytes) -> str | None:
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if head.startswith(b"\xff\xd8\xff"):
        return "jpg"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "gif"
    if head.startswith((b"II*\x00", b"MM\x00*")):
        return "tiff"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[:2] == b"BM" and len(head) > 26:
        header = struct.unpack_from("<I", head, 14)[0]
        return "bmp" if header in _BMP_HEADERS and head[6:10] == bytes(4) else None
    return None


def _of_audio(head: bytes, named: str | None) -> str | None:
    if head[:4] == b"RIFF" and head[8:12] == b"WAVE":
        return "wav"
    if head.startswith(b"fLaC"):
        return "flac"
    if head.startswith(b"OggS"):
        return "ogg"
    # Two bytes of an MPEG frame say little: only together with the name.
    frame = head[:1] == b"\xff" and head[1] & 0xE6 == 0xE2 if len(head) > 1 else False
    return "mp3" if head.startswith(b"ID3") or (frame and named == "mp3") else None


class _ShortReads:
    """A file that refuses to give much at once: an archive's list of names is read in one go."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(
            _DIRECTORY_BYTES + 1 if size < 0 else min(size, _DIRECTORY_BYTES + 1)
        )
        if len(data) > _DIRECTORY_BYTES:
            raise DocumentTooComplexError(detail="directory of the archive")
        return data


def _of_archive(file: IO[bytes], named: str | None) -> str | None:
    try:
        with zipfile.ZipFile(_ShortReads(file)) as archive:
            names = set(archive.namelist())
            kind = b""
            if "mimetype" in names and archive.getinfo("mimetype").file_size < 100:
                kind = archive.read("mimetype").strip()
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, *_UNPACKING) as exc:
        if named is not None and FORMATS[named] is FormatKind.OFFICE:
            raise DamagedDocumentError(detail=repr(exc)) from exc
        return None
    except (ValueError, struct.error) as exc:  # names and numbers that cannot be
        raise DamagedDocumentError(detail=repr(exc)) from exc
    if kind == b"application/epub+zip" and "META-INF/container.xml" in names:
        return "epub"
    if "[Content_Types].xml" not in names:
        return None
    fitting = [
        suffix
        for suffix, part in _MAIN_PARTS.items()
        if any(n.startswith(part) and n.endswith(".xml") for n in names)
    ]
    return named if named in fitting else next(iter(fitting), None)


def _of_ole(head: bytes, file: IO[bytes]) -> str | None:
    """Look at the directory of an OLE file, which lists its streams by name in UTF-16."""
    if len(head) < _OLE_HEADER:
        raise DamagedDocumentError(detail="cut off")
    shift, first = struct.unpack_from("<H", head, 30)[0], struct.unpack_from("<I", head, 48)[0]
    if shift not in (9, 12):
        raise DamagedDocumentError(detail="sector size")
    file.seek((first + 1) << shift)
    directory = file.read(_OLE_DIRECTORY)

    def has(name: str) -> bool:
        return name.encode("utf-16-le") + b"\0\0" in directory

    if has("EncryptedPackage") or has("EncryptionInfo"):
        raise EncryptedDocumentError
    return "xls" if has("Workbook") or has("Book") else None


def _is_page(text: str) -> bool:
    """Tell whether a text begins like an HTML page, comments and declarations aside."""
    text = text.lstrip()
    while end := next((e for start, e in _BEFORE_HTML if text.startswith(start)), None):
        text = text.partition(end)[2].lstrip()
    return bool(_HTML.match(text))


def _of_text(head: bytes, name: str) -> str:
    named = format_named(name)
    if encoding_of(head) is None:
        raise UnsupportedFormatError
    text = decode(head[:8192]).lstrip("\ufeff")
    if text.startswith(_NOT_FOR_READING):
        raise UnsupportedFormatError
    is_page = _is_page(text)
    if is_page and name.lower().rpartition(".")[2] in _WEB_AS_OFFICE:
        return "html"
    if named is None:
        return "html" if is_page else "txt"
    if FORMATS[named] not in TEXT_KINDS:
        raise UnsupportedFormatError(named=named)
    return named
