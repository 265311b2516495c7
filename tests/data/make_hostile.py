"""Write hostile files of every kind: `python -m tests.data.make_hostile --out DIR [KIND ...]`.

All together take about a minute to write, and some hundred MB; none is ever committed.
"""

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from tests.data import hostile, hostile_formats, hostile_structure

Make = Callable[[Path], Path]

_BOMBS: dict[str, Make] = {
    "flate_bomb.pdf": hostile.flate_bomb,
    "flate_single.pdf": partial(hostile.flate_bomb, times=1),
    "flate_nested.pdf": partial(hostile.flate_bomb, times=6),
    "repeated_contents.pdf": hostile.repeated_contents,
    "object_stream.pdf": hostile.object_stream_bomb,
    "image_stream.pdf": partial(hostile.image_bomb, side=30_000),
    "image_10000.pdf": hostile.image_bomb,
    "bomb_on_page_40.pdf": hostile.bad_pages_within,
    "bombs_on_pages.pdf": partial(hostile.bad_pages_within, bad=tuple(range(10, 60, 3))),
}
_CONTENTS: dict[str, Make] = {
    "self_form.pdf": hostile.self_form,
    "nested_forms.pdf": partial(hostile.form_loop, depth=26),
    "crossing_lines.pdf": hostile.crossing_lines,
    "scattered_words.pdf": hostile.scattered_words,
    "tiny_texts.pdf": hostile.tiny_texts,
    "growing_letters.pdf": hostile.growing_letters,
    "glyph_loop.pdf": hostile.glyph_loop,
    "tiling.pdf": hostile.tiling,
    "deep_content.pdf": hostile.deep_content,
    "huge_page.pdf": hostile.huge_page,
    "huge_page_picture.pdf": partial(hostile.image_bomb, side=2000, box=b"0 0 10000000 10000000"),
}
_STRUCTURE: dict[str, Make] = {
    "many_pages.pdf": hostile.many_pages,
    "page_cycle.pdf": hostile.page_cycle,
    "deep_arrays.pdf": partial(hostile.deep_nesting, pair=(b"[", b"]")),
    "deep_dictionaries.pdf": partial(hostile.deep_nesting, pair=(b"<</a ", b">>")),
    "xref_loop.pdf": hostile_structure.xref_loop,
    "outline_cycle.pdf": hostile_structure.outline_cycle,
    "huge_outline.pdf": hostile_structure.huge_outline,
    "broken_encryption.pdf": hostile_structure.broken_encryption,
    "truncated.pdf": hostile_structure.truncated,
    "scripts.pdf": hostile_structure.scripts,
    "active.pdf": hostile_structure.active,
    "pdf_and_zip.pdf": hostile_structure.pdf_and_zip,
    "pdf_and_html.pdf": hostile_structure.pdf_and_html,
}
_PICTURES: dict[str, Make] = {
    "jbig2.pdf": partial(hostile.odd_picture, decoding="/Filter /JBIG2Decode"),
    "jpx.pdf": partial(hostile.odd_picture, decoding="/Filter /JPXDecode"),
    "ccitt.pdf": partial(
        hostile.odd_picture,
        decoding="/Filter /CCITTFaxDecode /DecodeParms << /K -1 /Columns 60000 /Rows 60000 >>",
    ),
    "dct.pdf": partial(hostile.odd_picture, decoding="/Filter /DCTDecode"),
    "side_10000.png": partial(hostile_formats.png, side=10_000),
    "side_40000.png": partial(hostile_formats.png, side=40_000),
    "comment.png": hostile_formats.png_text_bomb,
    "side_65500.jpg": hostile_formats.jpeg,
    "side_10000.tiff": partial(hostile_formats.tiff, side=10_000, loop=False),
    "page_loop.tiff": partial(hostile_formats.tiff, side=10, loop=True),
    "pages_100000.tiff": hostile_formats.tiff_pages,
}
_OFFICE: dict[str, Make] = {
    "bomb.docx": hostile_formats.docx_bomb,
    "nested.docx": hostile_formats.docx_nested_bomb,
    "entities.docx": hostile_formats.docx_entities,
    "deep.docx": hostile_formats.docx_deep,
    "bomb.xlsx": hostile_formats.xlsx_bomb,
    "claim.xlsx": hostile_formats.xlsx_claim,
    "rows_1000000.xlsx": hostile_formats.xlsx_rows,
    "bomb.epub": hostile_formats.epub_bomb,
}
_TEXTS: dict[str, Make] = {
    "line_50mb.csv": hostile_formats.long_line,
    "line_15mb.csv": partial(hostile_formats.long_line, mib=15),
    "deep.json": hostile_formats.deep_json,
    "deep.html": hostile_formats.deep_html,
    "deep_tables.html": partial(hostile_formats.deep_html, tag=b"table"),
    "quotes.md": partial(hostile_formats.markdown, piece=">", tail="quoted"),
    "brackets.md": partial(hostile_formats.markdown, piece="[", tail="a"),
    "links.md": partial(hostile_formats.markdown, piece="[a](", tail="b"),
    "emphasis.md": partial(hostile_formats.markdown, piece="*a_", tail="a"),
    "lists.md": partial(hostile_formats.markdown, piece="- ", tail="a"),
    "backticks.md": partial(hostile_formats.markdown, piece="`a``b```"),
    "sparse_300mb.txt": hostile_formats.sparse,
    "letter_18mb.txt": partial(hostile_formats.one_letter, mib=18),
    "dots.txt": partial(hostile_formats.markdown, piece=".", times=3_000_000),
    "initials.txt": partial(hostile_formats.markdown, piece="A. "),
    "invalid.txt": hostile_formats.invalid_bytes,
    "outputs.ipynb": hostile_formats.notebook,
}
KINDS: dict[str, Make] = {
    **_BOMBS, **_CONTENTS, **_STRUCTURE, **_PICTURES, **_OFFICE, **_TEXTS,
}  # fmt: skip
"""File names and what writes the file."""

NAMES = (
    "../../outside.pdf", "..\\..\\outside.pdf", "/etc/passwd", "C:\\Windows\\a.pdf", "a\0b.pdf",
    "n" * 5000 + ".pdf", "invoice\u202efdp.exe", "CON", "nul.pdf", "LPT1.pdf ", ".", "..", " ", "",
    "-rf.pdf", "a\nb\r.pdf", "\ud800.pdf", f"{hostile_structure.SCRIPT}.pdf", "$(touch x).pdf",
    "%00.pdf", "\u200b\ufeff.pdf", "~root.pdf", "a;b|c&d.pdf",
)  # fmt: skip
"""Names under which a good file may come."""


def make(folder: Path, kinds: Iterable[str] = ()) -> list[Path]:
    """Write the kinds (none named: all) into `folder`; files that are there stay."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in tuple(kinds) or KINDS]
    return [path if path.exists() else KINDS[path.name](path) for path in paths]


def main() -> None:
    """Write the files that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder for the files")
    parser.add_argument("kinds", nargs="*", choices=[[], *KINDS], metavar="KIND")
    args = parser.parse_args()
    for path in make(args.out, args.kinds):
        print(f"{path.stat().st_size / 1e6:8.2f} MB  {path.name}")  # noqa: T201


if __name__ == "__main__":
    main()
