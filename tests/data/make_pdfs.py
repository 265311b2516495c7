"""Makes the test PDFs of this folder, all of our own writing. They are committed; tests only read.

    pip install typst && python tests/data/make_pdfs.py

Needs `typst` 0.15 (from PyPI), pypdf, pypdfium2, Pillow, and the font Noto Serif CJK SC for the
Chinese file. Files that a reader must refuse for their size are made by `hostile.py` at test time.
"""

import io
from pathlib import Path

import pypdfium2
import typst
from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, NumberObject, RectangleObject

HERE = Path(__file__).parent
FROM_TYPST = (
    "two_columns_en",
    "chinese",
    "table",
    "labels",
    "cross_page",
    "ligatures",
)
PASSWORD = "open sesame"
MM = 72 / 25.4


def compile_typst(name: str) -> bytes:
    """Return the PDF of `typ/<name>.typ`; no dates are written, so the bytes stay the same."""
    data = typst.compile(HERE / "typ" / f"{name}.typ", format="pdf")
    if not isinstance(data, bytes):
        raise TypeError(f"typst gave {type(data).__name__} for {name}")
    return data


def written(writer: PdfWriter) -> bytes:
    """Return what the writer writes."""
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def rotated_cropped() -> bytes:
    """Return four pages with /Rotate 90, 180, 270, 0, a CropBox, and a MediaBox off the origin."""
    reader = PdfReader(io.BytesIO(compile_typst("rotated_cropped")))
    writer = PdfWriter()
    for page, turn in zip(reader.pages, (90, 180, 270, 0), strict=True):
        width, height = float(page.mediabox.width), float(page.mediabox.height)
        left, bottom = (20 * MM, 20 * MM) if turn == 0 else (25 * MM, 15 * MM)
        page[NameObject("/CropBox")] = RectangleObject(
            (left, bottom, width - 20 * MM, height - 20 * MM)
        )
        page[NameObject("/MediaBox")] = RectangleObject((-30, -20, width + 10, height + 5))
        page[NameObject("/Rotate")] = NumberObject(turn)
        writer.add_page(page)
    return written(writer)


def encrypted(source: bytes) -> bytes:
    """Return the file under a user password, with 128-bit RC4 as most old files have it.

    The only file that differs from run to run: its identifier is random.
    """
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(source)))
    writer.encrypt(user_password=PASSWORD, algorithm="RC4-128")
    return written(writer)


def scanned(source: bytes) -> bytes:
    """Return the first page as a picture without any text."""
    document = pypdfium2.PdfDocument(source)
    picture = document[0].render(scale=100 / 72, grayscale=True).to_pil()
    document.close()
    buffer = io.BytesIO()
    picture.convert("L").quantize(16, dither=Image.Dither.NONE).convert("L").save(
        buffer, format="PDF", resolution=100, quality=40, creationDate=None, modDate=None
    )
    return buffer.getvalue()


def no_pages() -> bytes:
    """Return a well-formed PDF whose page tree is empty."""
    objects = ("<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>")
    out = bytearray(b"%PDF-1.7\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    for offset in offsets:
        out += f"{offset:010d} 00000 n \n".encode()
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R >>"
    out += f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def main() -> None:
    """Write every file."""
    files = {name: compile_typst(name) for name in FROM_TYPST}
    two_columns = files["two_columns_en"]
    files["rotated_cropped"] = rotated_cropped()
    files["encrypted"] = encrypted(files["cross_page"])
    files["scanned"] = scanned(files["labels"])
    files["truncated"] = two_columns[: len(two_columns) // 3]
    files["no_pages"] = no_pages()
    files["empty"] = b""
    files["not_a_pdf"] = b"A plain text file that somebody renamed. There is no page in it.\n"
    files["html_as"] = (
        b"<!doctype html>\n<html><head><title>Download failed</title></head>\n"
        b"<body><p>Please sign in to download this PDF.</p></body></html>\n"
    )
    for name, data in files.items():
        (HERE / f"{name}.pdf").write_bytes(data)


if __name__ == "__main__":
    main()
