"""PDFs whose structure goes in circles, lies or wants to be run. Made at test time."""

import io
import zipfile
from pathlib import Path

from tests.data.hostile import _HELLO, _one_page, _stream, _write

SCRIPT = "<script>alert(1)</script><img src=x onerror=alert(2)>"


def _literal(text: str) -> bytes:
    return b"(" + text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)").encode() + b")"


def xref_loop(path: Path) -> Path:
    """Write a file whose cross-reference table names itself as the one before it."""
    _write(path, _one_page(_stream(_HELLO)))
    data = path.read_bytes()
    start = data.rindex(b"xref\n0 ")
    path.write_bytes(data.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % start))
    return path


def outline_cycle(path: Path) -> Path:
    """Write bookmarks that are their own children and followers, and a name tree in itself."""
    catalog = b"/Outlines 6 0 R /Names << /Dests 8 0 R >> /PageLabels 9 0 R"
    objects = _one_page(_stream(_HELLO), catalog=catalog)
    objects[6] = b"<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 99999 >>"
    objects[7] = (
        b"<< /Title (round) /Parent 7 0 R /First 7 0 R /Next 7 0 R /Prev 7 0 R /Count 99999"
        b" /Dest (x) >>"
    )
    objects[8] = b"<< /Kids [8 0 R 8 0 R] /Limits [(a) (z)] >>"
    objects[9] = b"<< /Kids [9 0 R 9 0 R] /Limits [0 9] >>"
    return _write(path, objects)


def huge_outline(path: Path, *, count: int = 200_000) -> Path:
    """Write a page with `count` bookmarks of a thousand letters each, all on one level."""
    objects = _one_page(_stream(_HELLO), catalog=b"/Outlines 6 0 R")
    first, last = 8, 7 + count
    objects[6] = b"<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>" % (
        first,
        last,
        count,
    )
    objects[7] = b"(" + b"t" * 1000 + b")"
    for number in range(first, last + 1):
        follower = b"/Next %d 0 R" % (number + 1) if number < last else b""
        objects[number] = b"<< /Title 7 0 R /Parent 6 0 R /Dest [3 0 R /Fit] " + follower + b" >>"
    return _write(path, objects)


def broken_encryption(path: Path) -> Path:
    """Write a file that says that it is encrypted, in a way that cannot be."""
    encrypt = (
        b"/Encrypt << /Filter /Standard /V 99 /R -1 /Length 999999 /O (x) /U <> /P (no)"
        b" /CF << /StdCF /StdCF >> >> /ID [(a)]"
    )
    return _write(path, _one_page(_stream(_HELLO)), encrypt)


def truncated(path: Path) -> Path:
    """Write the first half of a file, in the middle of its contents."""
    _write(path, _one_page(_stream(_HELLO * 200)))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path


def scripts(path: Path) -> Path:
    """Write a page whose text, title, bookmark and label are HTML with scripts."""
    text = b"BT /F 9 Tf 10 700 Td " + _literal(SCRIPT) + b" Tj ET"
    catalog = b"/Outlines 6 0 R /PageLabels << /Nums [0 << /P %s >>] >>" % _literal(SCRIPT)
    objects = _one_page(_stream(text), catalog=catalog)
    objects[6] = b"<< /Type /Outlines /First 7 0 R /Last 7 0 R /Count 1 >>"
    objects[7] = b"<< /Title %s /Parent 6 0 R /Dest [3 0 R /Fit] >>" % _literal(SCRIPT)
    objects[8] = b"<< /Title %s /Author %s >>" % (_literal(f"A {SCRIPT}"), _literal(SCRIPT))
    return _write(path, objects, b"/Info 8 0 R")


def active(path: Path, *, witness: str = "/tmp/hostile-was-run") -> Path:
    """Write a file that would run programs and scripts when it is opened, and has one in it."""
    launch = (
        b"<< /S /Launch /F (/bin/sh) /Win << /F (cmd.exe) /P (/c calc) >> /P (-c 'touch %s') >>"
    )
    script = (
        b"<< /S /JavaScript /JS (app.launchURL\\('file://%s'\\); this.exportDataObject\\(0\\)) >>"
    )
    catalog = (
        b"/OpenAction 6 0 R /AA << /WC 7 0 R >> /AcroForm << /XFA 8 0 R /Fields [] >>"
        b" /Names << /JavaScript << /Names [(run) 7 0 R] >>"
        b" /EmbeddedFiles << /Names [(../../run.sh)"
        b" << /F (../../run.sh) /EF << /F 9 0 R >> >>] >> >>"
    )
    objects = _one_page(_stream(_HELLO), catalog=catalog)
    objects[3] = objects[3][:-2] + b"/AA << /O 6 0 R >> /Annots [10 0 R] >>"
    objects[6] = launch % witness.encode()
    objects[7] = script % witness.encode()
    objects[8] = _stream(
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "/etc/passwd">]><x>&e;</x>'
    )
    objects[9] = _stream(b"#!/bin/sh\ntouch " + witness.encode())
    objects[10] = b"<< /Type /Annot /Subtype /Link /Rect [0 0 612 792] /A 6 0 R >>"
    return _write(path, objects)


def pdf_and_zip(path: Path) -> Path:
    """Write a file that is a PDF from the front and a zip archive from the back."""
    out = io.BytesIO()
    out.write(_write(path, _one_page(_stream(_HELLO))).read_bytes())
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("../../outside.txt", "outside")
    path.write_bytes(out.getvalue())
    return path


def pdf_and_html(path: Path) -> Path:
    """Write a page for browsers with a PDF in it, within the first thousand bytes."""
    data = _write(path, _one_page(_stream(_HELLO))).read_bytes()
    path.write_bytes(b"<!doctype html><html><body>" + SCRIPT.encode() + b"<!--\n" + data)
    return path
