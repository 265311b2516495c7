"""Office files, e-books and their hostile relatives, made by the tests that need them."""

import io
import struct
import zipfile
from collections.abc import Iterable
from datetime import date, datetime

import docx as python_docx
import openpyxl
import pptx as python_pptx
from PIL import Image

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def png(width: int = 40, height: int = 30) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def docx() -> bytes:
    """Headings, paragraphs that look like markup, a table, lists, a picture."""
    document = python_docx.Document()
    document.core_properties.title = "Memory of machines"
    document.add_heading("学习笔记", 1)
    document.add_paragraph("机器学习是人工智能的一个分支。 a_b*c <b>bold</b> &lt; 1 # 2")
    document.add_paragraph("# no heading")
    document.add_paragraph("1. no list")
    document.add_heading("Table", 2)
    table = document.add_table(rows=3, cols=2)
    values = (("Kind", "Size | unit"), ("working", ""), ("情景", "large"))
    for row, cells in zip(table.rows, values, strict=True):
        for cell, value in zip(row.cells, cells, strict=True):
            cell.text = value
    for item in ("one", "two"):
        document.add_paragraph(item, style="List Bullet")
    for item in ("first", "second"):
        document.add_paragraph(item, style="List Number")
    document.add_paragraph("this is ").add_run("underlined").underline = True
    document.add_picture(io.BytesIO(png()))
    return _saved(document)


def long_docx(*, sections: int, sentences: int) -> bytes:
    document = python_docx.Document()
    for number in range(1, sections + 1):
        document.add_heading(f"Section {number}", 1)
        for i in range(sentences):
            document.add_paragraph(f"Sentence {i} of section {number} says something new. " * 5)
    return _saved(document)


def xlsx() -> bytes:
    """Two sheets: a title above a table with gaps, dates and percents; a table off the corner."""
    book = openpyxl.Workbook()
    first = book.active
    first.title = "成绩"
    first.append(["2024 年成绩单"])
    first.append([])
    first.append(["姓名", "分数", "日期", "比例"])
    first.append(["张三", 95, date.fromisoformat("2024-01-02"), 0.125])
    first.append(["李四", None, datetime.fromisoformat("2024-01-03T04:05"), 1.5])
    first["D4"].number_format = "0.0%"
    second = book.create_sheet("Second")
    second["C3"], second["D3"], second["C4"], second["D4"] = "key", "value", "a", 3
    return _saved(book)


def long_xlsx(rows: int) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["number", "square"])
    for number in range(rows):
        book.active.append([number, number * number])
    return _saved(book)


def pptx() -> bytes:
    """Three slides: text with a note, nothing, a table with a picture."""
    show = python_pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[1])
    slide.shapes.title.text = "Slide 标题"
    slide.placeholders[1].text = "point __one__\n<script>two</script>\n5 * 3 * 2"
    slide.notes_slide.notes_text_frame.text = "Say hello"
    show.slides.add_slide(show.slide_layouts[6])
    slide = show.slides.add_slide(show.slide_layouts[5])
    slide.shapes.title.text = "Third"
    box = 0, 2_000_000, 4_000_000, 1_000_000
    table = slide.shapes.add_table(2, 2, *box).table
    for i, value in enumerate(("h_1", "h2", "v|1", "v2")):
        table.cell(i // 2, i % 2).text = value
    slide.shapes.add_picture(io.BytesIO(png()), 0, 4_000_000)
    return _saved(show)


def epub(*, chapters: Iterable[str] = ("<h1>第一章</h1><p>你好，世界。</p>",)) -> bytes:
    pages = {f"c{i}.xhtml": body for i, body in enumerate(chapters)}
    items = "".join(
        f'<item id="{n}" href="{n}" media-type="application/xhtml+xml"/>' for n in pages
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in pages)
    book = (
        '<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>小书 A book</dc:title>'
        f"</metadata><manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = (
        '<?xml version="1.0"?><container version="1.0" '
        'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile '
        'full-path="OPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
        "</container>"
    )
    entries = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": container,
        "OPS/book.opf": book,
    }
    for name, body in pages.items():
        head = '<?xml version="1.0" encoding="utf-8"?><!DOCTYPE html>'
        entries[f"OPS/{name}"] = f"{head}<html><body>{body}</body></html>"
    return zipped(entries)


def zipped(entries: dict[str, str] | dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def with_entries(archive: bytes, wanted: dict[str, bytes | None]) -> bytes:
    """Return an archive with entries added, replaced, or (None) removed."""
    with zipfile.ZipFile(io.BytesIO(archive)) as source:
        kept = {name: source.read(name) for name in source.namelist() if name not in wanted}
    return zipped(kept | {n: c for n, c in wanted.items() if c is not None})


def _saved(document: object) -> bytes:
    out = io.BytesIO()
    document.save(out)  # type: ignore[attr-defined]
    return out.getvalue()


def _ole(*streams: str) -> bytes:
    """Return the head of an OLE file with a directory of these streams; nothing in them."""
    head = bytearray(512)
    head[:8] = OLE
    struct.pack_into("<HHHHH", head, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<I", head, 48, 0)
    directory = bytearray(512)
    for i, name in enumerate(("Root Entry", *streams)):
        encoded = name.encode("utf-16-le") + b"\0\0"
        directory[i * 128 : i * 128 + len(encoded)] = encoded
        struct.pack_into("<H", directory, i * 128 + 64, len(encoded))
    return bytes(head + directory)


def encrypted_ole() -> bytes:
    """What a Word or Excel file with a password looks like from outside."""
    return _ole("EncryptionInfo", "EncryptedPackage")


def xls_like_ole() -> bytes:
    return _ole("Workbook")
