"""Office files, texts and pictures that try to take all time or memory. Made at test time."""

import json
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

from tests.data import make_office as office

_MIB = 1024 * 1024
_SHEET = "xl/worksheets/sheet1.xml"
_SHEET_HEAD = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'


def _copied(path: Path, base: bytes, entries: dict[str, Iterator[bytes] | bytes]) -> Path:
    """Write an archive with entries replaced or added, written piece by piece."""
    path.write_bytes(office.with_entries(base, dict.fromkeys(entries)))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            with archive.open(name, "w", force_zip64=True) as file:
                for piece in [content] if isinstance(content, bytes) else content:
                    file.write(piece)
    return path


def _blank(mib: int) -> Iterator[bytes]:
    for _ in range(mib):
        yield b" " * _MIB


def docx_bomb(path: Path, *, mib: int = 1024) -> Path:
    """Write a document whose text unpacks to `mib` MiB."""
    return _copied(path, office.docx(), {"word/document.xml": _blank(mib)})


def docx_nested_bomb(path: Path, *, mib: int = 200, copies: int = 10) -> Path:
    """Write a document with archives in it, in which archives that unpack to `mib` MiB each."""
    inner = office.zipped({f"{i}.xml": b" " * (20 * _MIB) for i in range(mib // 20)})
    outer = office.zipped({f"{i}.zip": inner for i in range(copies)})
    parts = {f"word/embeddings/{i}.docx": outer for i in range(copies)}
    return _copied(path, office.docx(), dict(parts))


def xlsx_bomb(path: Path, *, mib: int = 1024) -> Path:
    """Write a workbook whose sheet unpacks to `mib` MiB."""
    return _copied(path, office.xlsx(), {_SHEET: _blank(mib)})


def xlsx_claim(path: Path) -> Path:
    """Write a sheet that claims all rows and columns, with a cell in the last one."""
    sheet = _SHEET_HEAD + (
        b'<dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
        b'<row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>'
    )
    return _copied(path, office.xlsx(), {_SHEET: sheet})


def xlsx_rows(path: Path, *, rows: int = 1_000_000) -> Path:
    """Write a sheet of `rows` rows."""

    def content() -> Iterator[bytes]:
        yield _SHEET_HEAD + b"<sheetData>"
        for first in range(1, rows, 1000):
            numbers = range(first, first + 1000)
            yield b"".join(
                b'<row r="%d"><c r="A%d"><v>%d</v></c></row>' % (n, n, n) for n in numbers
            )
        yield b"</sheetData></worksheet>"

    return _copied(path, office.xlsx(), {_SHEET: content()})


def epub_bomb(path: Path, *, mib: int = 1024) -> Path:
    """Write a book whose chapter unpacks to `mib` MiB."""
    return _copied(path, office.epub(), {"OPS/c0.xhtml": _blank(mib)})


def docx_entities(path: Path) -> Path:
    """Write a document with entities that grow tenfold nine times."""
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10}">' for i in range(1, 10))
    xml = f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">{laughs}]><x>&l9;</x>'
    return _copied(path, office.docx(), {"word/document.xml": xml.encode()})


def docx_deep(path: Path, *, depth: int = 100_000) -> Path:
    """Write a document of tables in tables."""
    name = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    levels = b"<w:tbl><w:tr><w:tc>" * depth + b"</w:tc></w:tr></w:tbl>" * depth
    xml = b'<w:document xmlns:w="%s"><w:body>%s</w:body></w:document>' % (name.encode(), levels)
    return _copied(path, office.docx(), {"word/document.xml": xml})


def _repeat(path: Path, piece: bytes, times: int, *, head: bytes = b"", tail: bytes = b"") -> Path:
    path.write_bytes(head + piece * times + tail)
    return path


def long_line(path: Path, *, mib: int = 50) -> Path:
    """Write values in one line of `mib` MiB."""
    return _repeat(path, b"value,", mib * _MIB // 6)


def one_letter(path: Path, *, mib: int) -> Path:
    """Write one letter, `mib` MiB of it, without a space."""
    with path.open("wb") as file:
        for _ in range(mib):
            file.write(b"a" * _MIB)
    return path


def sparse(path: Path, *, mib: int = 300) -> Path:
    """Write a letter and then a hole of `mib` MiB, which takes no room on the disk."""
    with path.open("wb") as file:
        file.write(b"a" * 4096)
        file.truncate(mib * _MIB)
    return path


def deep_json(path: Path, *, depth: int = 100_000) -> Path:
    """Write lists in lists."""
    return _repeat(path, b"[", depth, tail=b"]" * depth)


def deep_html(path: Path, *, depth: int = 100_000, tag: bytes = b"div") -> Path:
    """Write elements in elements."""
    tail = b"text" + b"</%s>" % tag * depth
    return _repeat(path, b"<%s>" % tag, depth, head=b"<!doctype html><html><body>", tail=tail)


def markdown(path: Path, piece: str, *, times: int = 100_000, tail: str = "") -> Path:
    """Write the same marks again and again."""
    return _repeat(path, piece.encode(), times, tail=tail.encode())


def notebook(path: Path, *, mib: int = 60) -> Path:
    """Write a notebook with outputs of `mib` MiB and one cell of text."""
    output = {"output_type": "stream", "name": "stdout", "text": ["x" * 1023 + "\n"] * (mib * 1024)}
    code = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": ["print()"]}
    note = {"cell_type": "markdown", "metadata": {}, "source": ["# Title\n", "A note on outputs."]}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    path.write_text(json.dumps(book | {"cells": [note, code | {"outputs": [output]}]}))
    return path


def invalid_bytes(path: Path, *, mib: int = 15) -> Path:
    """Write a text whose encoding nobody can tell."""
    return _repeat(path, bytes(range(0xA0, 0x100)) + b"\n", mib * _MIB // 97)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path: Path, *, side: int, extra: bytes = b"") -> Path:
    """Write a white picture of `side` by `side` pixels; `extra` is a chunk before its pixels."""
    packer = zlib.compressobj(9)
    line = b"\0" + b"\xff" * side
    data = b"".join(packer.compress(line) for _ in range(side)) + packer.flush()
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0))
    body = head + extra + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + body)
    return path


def png_text_bomb(path: Path, *, mib: int = 512) -> Path:
    """Write a picture with a comment that unpacks to `mib` MiB."""
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(b"a" * _MIB) for _ in range(mib)) + packer.flush()
    return png(path, side=40, extra=_chunk(b"zTXt", b"Comment\0\0" + data))


def jpeg(path: Path, *, side: int = 65_500) -> Path:
    """Write the head of a picture of `side` by `side` pixels, without the pixels."""
    size = struct.pack(">HH", side, side)
    frame = b"\xff\xc0\x00\x11\x08" + size + b"\x03\x01\x11\x00\x02\x11\x01\x03\x11\x01"
    path.write_bytes(
        b"\xff\xd8" + frame + b"\xff\xda\x00\x0c\x03\x01\0\x02\x11\x03\x11\0\x3f\0" * 9
    )
    return path


def tiff(path: Path, *, side: int, loop: bool) -> Path:
    """Write a picture of `side` by `side` pixels; `loop` makes it its own next page."""
    tags = (
        (256, 4, side), (257, 4, side), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
        (277, 3, 1), (278, 4, side), (279, 4, min(side * side, 2**32 - 1)),
    )  # fmt: skip
    entries = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in tags)
    follower = struct.pack("<I", 8 if loop else 0)
    head = b"II*\0" + struct.pack("<I", 8)
    path.write_bytes(head + struct.pack("<H", len(tags)) + entries + follower + b"\xff" * 4000)
    return path


def tiff_pages(path: Path, *, count: int = 100_000) -> Path:
    """Write `count` empty pages, each a page of its own in the file."""
    parts = [b"II*\0" + struct.pack("<I", 8)]
    at = 8
    for number in range(count):
        size = 2 + 2 * 12 + 4
        entries = struct.pack("<HHII", 256, 4, 1, 9) + struct.pack("<HHII", 257, 4, 1, 9)
        follower = at + size if number < count - 1 else 0
        parts.append(struct.pack("<H", 2) + entries + struct.pack("<I", follower))
        at += size
    path.write_bytes(b"".join(parts))
    return path
