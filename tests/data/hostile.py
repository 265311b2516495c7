"""Small files that try to take all time or memory. They are made at test time, never committed."""

import zlib
from pathlib import Path

Objects = dict[int, bytes]


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< " + entries + b" /Length %d >>\nstream\n" % len(data) + data + b"\nendstream"


def _write(path: Path, objects: Objects) -> Path:
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    start = len(out)
    last = max(objects)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (last + 1)
    for number in range(1, last + 1):
        out += b"%010d 00000 n \n" % offsets[number]
    out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (last + 1, start)
    path.write_bytes(bytes(out))
    return path


def _one_page(contents: bytes, resources: bytes = b"") -> Objects:
    return {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
        b" /Resources << /Font << /F 5 0 R >> " + resources + b" >> >>",
        4: contents,
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }


def flate_bomb(path: Path, *, mib: int = 512) -> Path:
    """Write a page whose content stream unpacks to `mib` MiB of text operators, twice deflated."""
    operators = b"BT /F 9 Tf 10 10 Td (round and round) Tj ET\n"
    block = operators * (1024 * 1024 // len(operators))
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(block) for _ in range(mib)) + packer.flush()
    filters = b"/Filter [/FlateDecode /FlateDecode]"
    return _write(path, _one_page(_stream(zlib.compress(data, 9), filters)))


def form_loop(path: Path, *, depth: int = 28) -> Path:
    """Write a page that draws a form that draws the next one twice, `depth` levels down."""
    objects = _one_page(_stream(b"/X Do"), b"/XObject << /X 6 0 R >>")
    for level in range(depth):
        number = 6 + level
        if level < depth - 1:
            content = b"/X Do /X Do"
            uses = b"/XObject << /X %d 0 R >>" % (number + 1)
        else:
            content, uses = b"BT /F 9 Tf 10 10 Td (deep) Tj ET", b"/Font << /F 5 0 R >>"
        head = b"/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << " + uses + b" >>"
        objects[number] = _stream(content, head)
    return _write(path, objects)


def many_pages(path: Path, *, count: int = 200_000) -> Path:
    """Write a page tree that names the same page `count` times."""
    objects = _one_page(_stream(b"BT /F 9 Tf 10 700 Td (the only page) Tj ET"))
    objects[2] = b"<< /Type /Pages /Count %d /Kids [" % count + b"3 0 R " * count + b"] >>"
    return _write(path, objects)
