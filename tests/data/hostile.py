"""PDFs that try to take all time or memory. They are made at test time, never committed."""

import zlib
from collections.abc import Iterable
from pathlib import Path

Objects = dict[int, bytes]

_MIB = 1024 * 1024
_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
_HELLO = b"BT /F 9 Tf 10 700 Td (the only page of a file that means no good) Tj ET"
_DECODED = {
    "/Filter /JBIG2Decode": b"\x00\x00\x00\x00\x30\x00\x01\x00\x00\x00\x13" + b"\xff" * 19,
    "/Filter /JPXDecode": bytes.fromhex("ff4fff51002f0000") + b"\xff\xff\xff\xf0" * 8,
    "/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>": b"\xff" * 40,
    "/Filter /DCTDecode": bytes.fromhex("ffd8ffc0000b08ffffffff01011100ffd9"),
}


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< " + entries + b" /Length %d >>\nstream\n" % len(data) + data + b"\nendstream"


def _write(path: Path, objects: Objects, trailer: bytes = b"") -> Path:
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    last = max(objects)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (last + 1)
    for number in range(1, last + 1):
        out += b"%010d 00000 n \n" % offsets.get(number, 0)
    out += b"trailer\n<< /Size %d /Root 1 0 R " % (last + 1) + trailer
    out += b" >>\nstartxref\n%d\n%%%%EOF\n" % start
    path.write_bytes(bytes(out))
    return path


def _one_page(
    contents: bytes, resources: bytes = b"", *, box: bytes = b"0 0 612 792", catalog: bytes = b""
) -> Objects:
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R " + catalog + b" >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [" + box + b"] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> " + resources + b" >> >>",
        4: contents,
        5: _FONT,
    }


def _packed(block: bytes, times: int) -> bytes:
    packer = zlib.compressobj(9)
    return b"".join(packer.compress(block) for _ in range(times)) + packer.flush()


def _operators(mib: int) -> bytes:
    """Return text operators of `mib` MiB, deflated."""
    operators = b"BT /F 9 Tf 10 10 Td (round and round) Tj ET\n"
    return _packed(operators * (_MIB // len(operators)), mib)


def flate_bomb(path: Path, *, mib: int = 512, times: int = 2) -> Path:
    """Write a page whose contents unpack to `mib` MiB of operators, deflated `times` times."""
    data = _operators(mib)
    for _ in range(times - 1):
        data = zlib.compress(data, 9)
    return _write(path, _one_page(_stream(data, b"/Filter [%s]" % (b"/FlateDecode " * times))))


def repeated_contents(path: Path, *, mib: int = 8, times: int = 20_000) -> Path:
    """Write a page whose contents are the same unpacked `mib` MiB, `times` times over."""
    objects = _one_page(b"[" + b"6 0 R " * times + b"]")
    objects[6] = _stream(_operators(mib), b"/Filter /FlateDecode")
    return _write(path, objects)


def object_stream_bomb(path: Path, *, mib: int = 1024) -> Path:
    """Write a file whose catalog lies in an object stream that unpacks to `mib` MiB."""
    first = b"1 0 << /Type /Catalog /Pages 2 0 R >> "
    packer = zlib.compressobj(9)
    data = packer.compress(first)
    data += b"".join(packer.compress(b" " * _MIB) for _ in range(mib)) + packer.flush()
    objects = _one_page(_stream(_HELLO))
    del objects[1]
    head = b"/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode"
    objects[6] = _stream(data, head)
    out = bytearray(b"%PDF-1.7\n")
    rows = [b"\x00" * 7, b"\x02" + (6).to_bytes(4, "big") + b"\0\0"]
    for number in range(2, 7):
        rows.append(b"\x01" + len(out).to_bytes(4, "big") + b"\0\0")
        out += b"%d 0 obj\n" % number + objects[number] + b"\nendobj\n"
    rows.append(b"\x01" + len(out).to_bytes(4, "big") + b"\0\0")
    start = len(out)
    table = _stream(b"".join(rows), b"/Type /XRef /Size 8 /W [1 4 2] /Root 1 0 R")
    out += b"7 0 obj\n" + table + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % start
    path.write_bytes(bytes(out))
    return path


def picture(path: Path, *, head: bytes, data: bytes, box: bytes = b"0 0 612 792") -> Path:
    """Write a page without text that shows one picture."""
    _, _, width, height = box.split()
    contents = _stream(b"q %s 0 0 %s 0 0 cm /I Do Q" % (width, height))
    objects = _one_page(contents, b"/XObject << /I 6 0 R >>", box=box)
    objects[6] = _stream(data, b"/Type /XObject /Subtype /Image " + head)
    return _write(path, objects)


def image_bomb(path: Path, *, side: int = 10_000, box: bytes = b"0 0 612 792") -> Path:
    """Write a page that shows a picture of `side` by `side` pixels, all white."""
    head = b"/Width %d /Height %d /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /FlateDecode"
    data = _packed(b"\xff" * (side * 3), side)
    return picture(path, head=head % (side, side), data=data, box=box)


def odd_picture(path: Path, *, decoding: str, side: int = 60_000) -> Path:
    """Write a page with a picture of absurd size that ends after some bytes."""
    head = b"/Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 1 "
    data = _DECODED[decoding]
    return picture(path, head=head % (side, side) + decoding.encode(), data=data)


def _form(content: bytes, uses: bytes) -> bytes:
    head = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << " + uses + b" >>"
    return _stream(content, head)


def self_form(path: Path) -> Path:
    """Write a page that draws a form that draws itself, twice."""
    objects = _one_page(_stream(b"/X Do"), b"/XObject << /X 6 0 R >>")
    objects[6] = _form(b"/X Do /X Do", b"/XObject << /X 6 0 R >>")
    return _write(path, objects)


def form_loop(path: Path, *, depth: int = 28) -> Path:
    """Write a page that draws a form that draws the next one twice, `depth` levels down."""
    objects = _one_page(_stream(b"/X Do"), b"/XObject << /X 6 0 R >>")
    for number in range(6, 6 + depth - 1):
        objects[number] = _form(b"/X Do /X Do", b"/XObject << /X %d 0 R >>" % (number + 1))
    deepest = b"BT /F 9 Tf 10 10 Td (deep) Tj ET"
    objects[5 + depth] = _form(deepest, b"/Font << /F 5 0 R >>")
    return _write(path, objects)


def many_pages(path: Path, *, count: int = 200_000) -> Path:
    """Write a page tree that names the same page `count` times."""
    objects = _one_page(_stream(_HELLO))
    objects[2] = b"<< /Type /Pages /Count %d /Kids [" % count + b"3 0 R " * count + b"] >>"
    return _write(path, objects)


def page_cycle(path: Path) -> Path:
    """Write a page tree whose nodes are their own children."""
    objects = _one_page(_stream(_HELLO))
    objects[2] = b"<< /Type /Pages /Count 1000 /Kids [6 0 R 2 0 R 3 0 R] >>"
    objects[6] = b"<< /Type /Pages /Parent 2 0 R /Count 500 /Kids [2 0 R 6 0 R 3 0 R] >>"
    return _write(path, objects)


def huge_page(path: Path) -> Path:
    """Write a page of ten million points a side, with a line of text."""
    return _write(path, _one_page(_stream(_HELLO), box=b"0 0 10000000 10000000"))


def deep_nesting(path: Path, *, depth: int = 100_000, pair: tuple[bytes, bytes]) -> Path:
    """Write a page with a value `depth` levels deep; `pair` opens and closes a level."""
    objects = _one_page(_stream(_HELLO))
    objects[3] = objects[3][:-2] + b"/PieceInfo " + pair[0] * depth + pair[1] * depth + b" >>"
    return _write(path, objects)


def deep_content(path: Path, *, depth: int = 100_000) -> Path:
    """Write a page whose contents save the state and open arrays `depth` levels deep."""
    return _write(path, _one_page(_stream(b"q " * depth + b"[" * depth + b" " + _HELLO)))


def _drawn(path: Path, parts: Iterable[bytes]) -> Path:
    return _write(
        path, _one_page(_stream(zlib.compress(b"".join(parts), 9), b"/Filter /FlateDecode"))
    )


def crossing_lines(path: Path, *, count: int = 100_000) -> Path:
    """Write a page with `count` lines that cross each other, and some text."""
    lines = (
        b"%d 0 m %d 792 l S\n" % (i * 7 % 612, i * 13 % 612)
        if i % 2
        else b"0 %d m 612 %d l S\n" % (i * 11 % 792, i * 17 % 792)
        for i in range(count)
    )
    return _drawn(path, [_HELLO, b"\n", *lines])


def scattered_words(path: Path, *, count: int = 300_000) -> Path:
    """Write a page with `count` words here and there."""
    words = (
        b"BT /F 2 Tf %d.%d %d.%d Td (w%d) Tj ET\n"
        % (i * 7919 % 600, i % 10, i * 104729 % 780, i % 7, i)
        for i in range(count)
    )
    return _drawn(path, words)


def tiny_texts(path: Path, *, count: int = 1_000_000) -> Path:
    """Write a page with `count` text objects of one letter at one place."""
    return _drawn(path, [b"BT /F 1 Tf 9 9 Td (a) Tj ET\n" * count])


def growing_letters(path: Path, *, letters: int = 200_000, each: int = 500) -> Path:
    """Write a page with `letters` letters of which each one means `each` letters."""
    objects = _one_page(_stream(b"BT /F 1 Tf 9 9 Td <%s> Tj ET" % (b"41" * letters)))
    objects[5] = _FONT[:-2] + b"/ToUnicode 6 0 R >>"
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange "
        b"<00> <ff> endcodespacerange 1 beginbfchar <41> <%s> endbfchar endcmap end end"
    )
    objects[6] = _stream(cmap % (b"0062" * each))
    return _write(path, objects)


def glyph_loop(path: Path) -> Path:
    """Write a page in a font whose letter is drawn with that letter."""
    objects = _one_page(_stream(b"BT /F 9 Tf 9 700 Td (%s) Tj ET" % (b"a" * 50)))
    objects[5] = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 10 10] /FontMatrix [.1 0 0 .1 0 0]"
        b" /FirstChar 97 /LastChar 97 /Widths [10] /Encoding << /Differences [97 /a] >>"
        b" /CharProcs << /a 6 0 R >> /Resources << /Font << /F 5 0 R >> >> >>"
    )
    objects[6] = _stream(b"10 0 0 0 10 10 d1 BT /F 1 Tf (aa) Tj ET")
    return _write(path, objects)


def tiling(path: Path) -> Path:
    """Write a page filled with a pattern of tiles a thousandth of a point wide, over text."""
    objects = _one_page(
        _stream(_HELLO + b" /Pattern cs /P scn 0 0 612 792 re f"), b"/Pattern << /P 6 0 R >>"
    )
    head = (
        b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 .001 .001]"
        b" /XStep .001 /YStep .001 /Resources << >>"
    )
    objects[6] = _stream(b"1 0 0 rg 0 0 .0005 .0005 re f", head)
    return _write(path, objects)


def bad_pages_within(
    path: Path, *, pages: int = 60, bad: tuple[int, ...] = (40,), mib: int = 512
) -> Path:
    """Write `pages` good pages of which those with the numbers `bad` are flate bombs."""
    objects: Objects = {1: b"<< /Type /Catalog /Pages 2 0 R >>", 3: _FONT}
    kids = range(4, 4 + 2 * pages, 2)
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    objects[2] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, listed)
    for number, kid in enumerate(kids, start=1):
        text = b"BT /F 9 Tf 72 700 Td (Page %d tells of station %d on the line.) Tj ET"
        objects[kid] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R"
            b" /Resources << /Font << /F 3 0 R >> >> >>" % (kid + 1)
        )
        objects[kid + 1] = (
            _stream(zlib.compress(_operators(mib), 9), b"/Filter [/FlateDecode /FlateDecode]")
            if number in bad
            else _stream(text % (number, number * 7))
        )
    return _write(path, objects)
