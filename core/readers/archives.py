"""Office files and e-books are zip archives: what is in one is checked before a parser sees it.

A checked archive is a new one, in memory, that holds only the parts with text, each read within
the limits. Pictures, fonts, macros and archives inside are there by name and empty, so a bomb in
one of them is never unpacked. Names that lead out of the archive are left out.
"""

import io
import lzma
import posixpath
import re
import zipfile
import zlib
from collections.abc import Set
from pathlib import Path
from urllib.parse import unquote

from core.readers.failure import Failure

MAX_ENTRIES = 5_000
MAX_UNPACKED = 300 * 1024 * 1024
"""Bytes of all entries together, as declared and as found."""
MAX_RATIO = 200
"""Times by which an archive may grow when unpacked, small ones apart."""
_SMALL = 10 * 1024 * 1024
_STEP = 1024 * 1024
_WITH_TEXT = (".xml", ".rels", ".xhtml", ".html", ".htm", ".opf", ".ncx")
_ENCODINGS = (b"utf-8", b"utf8", b"utf-16", b"us-ascii", b"ascii", b"iso-8859-1", b"windows-1252")
_DECLARED = re.compile(rb"<\?xml[^>]*?encoding\s*=\s*[\"']([^\"']+)")
_RELATIONSHIP = re.compile(rb"<Relationship\s[^>]*/>")
_TARGET = re.compile(rb"""\bTarget\s*=\s*["']([^"']*)""")
_CONTENT_ENCRYPTED = b"xmlenc#aes"
_ENCRYPTED_FLAG = 1


def checked_archive(path: Path, *, is_book: bool) -> io.BytesIO:
    """Return the archive that parsers may read. An EPUB (`is_book`) may declare a document type.

    Raises `Failure`: `too_large`, `too_complex`, `damaged`, `encrypted`.
    """
    out = io.BytesIO()
    try:
        with zipfile.ZipFile(path) as source, zipfile.ZipFile(out, "w") as target:
            entries = {name: entry for name, entry in source.NameToInfo.items() if _is_plain(name)}
            _check_declared(source.infolist(), path.stat().st_size)
            left = MAX_UNPACKED
            missing: set[str] = set()
            for name, entry in entries.items():
                data = b""
                if name.lower().endswith(_WITH_TEXT) or name == "mimetype":
                    data = _unpack(source, entry, left)
                    left -= len(data)
                    _check_markup(name, data, is_book=is_book)
                    data = _mended(name, data, entries.keys(), missing)
                target.writestr(name, data, zipfile.ZIP_DEFLATED, 1)
            for name in missing:
                target.writestr(name, b"")
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError) as exc:
        raise Failure("damaged", repr(exc)) from exc
    except (RuntimeError, ValueError) as exc:  # unknown methods; impossible numbers
        raise Failure("damaged", repr(exc)) from exc
    out.seek(0)
    return out


def _is_plain(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return name[:1] != "/" and ":" not in parts[0] and ".." not in parts and parts[-1] != ""


def _check_declared(entries: list[zipfile.ZipInfo], size: int) -> None:
    if len(entries) > MAX_ENTRIES:
        raise Failure("too_complex", f"{len(entries)} entries")
    if any(entry.flag_bits & _ENCRYPTED_FLAG for entry in entries):
        raise Failure("encrypted")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        raise Failure("too_large", "unpacked")
    if unpacked > max(_SMALL, size * MAX_RATIO):
        raise Failure("too_complex", "ratio")


def _unpack(source: zipfile.ZipFile, entry: zipfile.ZipInfo, left: int) -> bytes:
    """Read an entry and stop at the limit, whatever size it declares."""
    parts: list[bytes] = []
    with source.open(entry) as file:
        while part := file.read(_STEP):
            left -= len(part)
            if left < 0:
                raise Failure("too_large", "unpacked")
            parts.append(part)
    return b"".join(parts)


def _mended(name: str, data: bytes, names: Set[str], missing: set[str]) -> bytes:
    """Return the relationships of a part without those to parts that are not there.

    Pictures that Word or PowerPoint could not keep have the target "NULL", on which the parsers
    stop. What Word's text asks for by number must exist: it goes into `missing`.
    """
    folder, _, file = name.rpartition("/_rels/")
    if not file.endswith(".rels"):
        return data

    def kept(match: re.Match[bytes]) -> bytes:
        target = _TARGET.search(match.group())
        if target is None or b'"External"' in match.group():
            return match.group()
        path = unquote(target.group(1).decode("utf-8", "replace"))
        part = posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")
        if part in names or not part:
            return match.group()
        if folder == "word":
            # mammoth asks for the name as it stands, dots and all.
            missing.add(path[1:] if path[:1] == "/" else f"{folder}/{path}")
            return match.group()
        return b""

    return _RELATIONSHIP.sub(kept, data)


def _check_markup(name: str, data: bytes, *, is_book: bool) -> None:
    """Refuse entity declarations (they can grow without bounds) and odd encodings.

    Office files never have a document type; e-books have one but declare nothing in it.
    """
    plain = data.replace(b"\0", b"") if b"\0" in data[:200] else data
    if b"<!ENTITY" in plain or (not is_book and b"<!DOCTYPE" in plain):
        raise Failure("too_complex", "entities")
    declared = _DECLARED.match(plain[:200].lstrip(b"\xef\xbb\xbf\xff\xfe"))
    if declared and not is_book and declared.group(1).lower() not in _ENCODINGS:
        raise Failure("damaged", "encoding")
    if is_book and name == "META-INF/encryption.xml" and _CONTENT_ENCRYPTED in plain:
        raise Failure("encrypted")
