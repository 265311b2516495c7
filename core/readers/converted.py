"""Documents of other formats than PDF, to pages. Runs in worker processes only.

MarkItDown converts what is not text already, with exactly one converter registered: that of the
format the content has. It gets an open stream, so nothing is fetched: no plugins, no addresses, no
language model. Errors of broken files are `Failure`.
"""

import io
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from core.domain.document import Page
from core.domain.formats import FORMATS, FormatKind
from core.readers.archives import checked_archive
from core.readers.audio import transcribe
from core.readers.encodings import decode
from core.readers.failure import Failure
from core.readers.limits import MAX_CHARACTERS
from core.readers.markdown_pages import MOST, MOST_OF_SLIDE, Piece, pages_of
from core.readers.markdown_pieces import Dialect, pieces_of
from core.readers.plain_pieces import plain_pieces
from core.readers.sheets import xls_pieces, xlsx_pieces

_CORE_PROPERTIES = "docProps/core.xml"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_ESCAPED = {"escape_misc": True}


@dataclass(frozen=True, slots=True, kw_only=True)
class Converted:
    """The pages of a document, and its own title."""

    pages: list[Page]
    title: str | None


@dataclass(frozen=True, slots=True)
class _Way:
    """How MarkItDown converts a format: converter, options, and what its Markdown is."""

    converter: str
    options: dict[str, Any]
    dialect: Dialect
    most: int = MOST


_WAYS = {
    "docx": _Way("DocxConverter", _ESCAPED, Dialect.ESCAPED),
    "pptx": _Way("PptxConverter", _ESCAPED, Dialect.SLIDES, MOST_OF_SLIDE),
    "epub": _Way("EpubConverter", _ESCAPED, Dialect.ESCAPED),
    "html": _Way("HtmlConverter", _ESCAPED, Dialect.ESCAPED),
    "ipynb": _Way("IpynbConverter", {}, Dialect.WRITTEN),
    "pdf": _Way("PdfConverter", {}, Dialect.RAW),
}


def convert(
    path: Path, format: str, *, max_pages: int, audio_model: str | None = None
) -> Converted:
    """Return the pages of a document of any format but pictures.

    Raises `Failure`, MemoryError.
    """
    way = _WAYS.get(format)
    try:
        if way is not None:
            pieces, title = _through_markitdown(path, format, way)
        elif format == "xlsx":
            archive = checked_archive(path, is_book=False)
            pieces, title = xlsx_pieces(archive), _core_title(archive)
        elif FORMATS[format] is FormatKind.AUDIO:
            pieces, title = transcribe(path, Path(audio_model or "")), None
        elif format == "xls":
            pieces, title = xls_pieces(path), None
        else:
            pieces, title = _plain(path, format), None
        pages = _bounded(pieces, max_pages, way.most if way else MOST)
    except (Failure, MemoryError):
        raise
    except ModuleNotFoundError as exc:
        raise Failure("missing_dependency", str(exc)) from exc  # not the file's fault
    except RecursionError as exc:
        raise Failure("too_complex", "nesting") from exc
    except Exception as exc:
        # The parsers of five libraries let the errors of broken structures through as they come.
        # The caller gets a refusal with the cause, which it logs; nothing is read as empty.
        locked = "encrypt" in str(exc).lower()
        raise Failure("encrypted" if locked else "damaged", repr(exc)) from exc
    return Converted(pages=pages, title=title)


def _bounded(pieces: Iterator[Piece], max_pages: int, most: int) -> list[Page]:
    def counted() -> Iterator[Piece]:
        characters = 0
        for piece in pieces:
            characters += sum(map(len, piece.lines))
            if characters > MAX_CHARACTERS:
                raise Failure("too_large", "characters")
            yield piece

    pages = list(islice(pages_of(counted(), most=most), max_pages + 1))
    if len(pages) > max_pages:
        raise Failure("too_large", "pages")
    if not pages:
        raise Failure("empty")
    return pages


def _plain(path: Path, format: str) -> Iterator[Piece]:
    text = decode(path.read_bytes())
    if len(text) > MAX_CHARACTERS:
        raise Failure("too_large", "characters")
    kind = FORMATS[format]
    if kind is FormatKind.MARKDOWN:
        return pieces_of(text.lstrip("\ufeff"), Dialect.WRITTEN)
    return plain_pieces(text, kind, tabs=format == "tsv")


def _through_markitdown(path: Path, format: str, way: _Way) -> tuple[Iterator[Piece], str | None]:
    stream: io.BytesIO
    if FORMATS[format] is FormatKind.OFFICE:
        stream = checked_archive(path, is_book=format == "epub")
    elif FORMATS[format] is FormatKind.PDF:
        stream = io.BytesIO(path.read_bytes())
    else:
        stream = io.BytesIO(decode(path.read_bytes()).lstrip("\ufeff").encode("utf-8", "replace"))
    markdown, title = _markdown(stream, format, way)
    if len(markdown) > MAX_CHARACTERS:
        raise Failure("too_large", "characters")
    if title is None and FORMATS[format] is FormatKind.OFFICE:
        title = _core_title(stream)
    return pieces_of(markdown, way.dialect), title


def _markdown(stream: io.BytesIO, format: str, way: _Way) -> tuple[str, str | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from markitdown import MarkItDown, StreamInfo, converters

        engine = MarkItDown(enable_builtins=False, enable_plugins=False)
        engine.register_converter(getattr(converters, way.converter)())
        info = StreamInfo(extension=f".{format}", charset="utf-8")
        found = engine.convert_stream(stream, stream_info=info, **way.options)
    title = " ".join((found.title or "").split())
    return found.markdown, title or None


def _core_title(archive: io.BytesIO) -> str | None:
    """Return the title among the properties of a checked Office file."""
    archive.seek(0)
    with zipfile.ZipFile(archive) as parts:
        if _CORE_PROPERTIES not in parts.namelist():
            return None
        try:
            # Safe: a checked archive declares no entities.
            root = ElementTree.fromstring(parts.read(_CORE_PROPERTIES))
        except ElementTree.ParseError:
            return None
    return (root.findtext(f".//{_DC_TITLE}") or "").strip() or None
