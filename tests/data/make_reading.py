"""Renders PDFs whose structure is known, for `tests.evals.reading`.

    python -m tests.data.make_reading --out DIR [--only NAME ...]

Sources are in `tests/data/reading/`, of our own writing. Next to each PDF lies its truth as JSON.
Needs `typst` and Pillow, and the fonts Noto Serif CJK SC and Noto Sans CJK SC (Debian's package
fonts-noto-cjk) for the Chinese files. The same run gives the same files.
"""

import argparse
import io
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import typst
from PIL import Image

from tests.data.reading_source import read_source, to_typst, truth

SOURCES = Path(__file__).parent / "reading"
SCAN_DPI = 200
SCAN_TURN = 0.6  # degrees, to the left and to the right in turn
SCAN_BLEND = 0.12  # share of noise in each grey level
FONTS = {
    "en": '"Libertinus Serif"',
    "zh": '(name: "Libertinus Serif", covers: "latin-in-cjk"), "Noto Serif CJK SC"',
}
HEADERS = {"en": ("Collected Papers", "Second Series"), "zh": ("文集", "第二辑")}


@dataclass(frozen=True, slots=True)
class Kind:
    """One PDF to make."""

    name: str
    language: str
    sources: tuple[str, ...]
    columns: int = 1
    width: int = 148
    height: int = 210
    tables: str = "booktabs"
    scanned: bool = False


KINDS = (
    Kind("en_one", "en", ("en_survey", "en_models")),
    Kind("en_two", "en", ("en_mill", "en_models", "en_survey"), columns=2, width=160, height=220),
    Kind("zh_one", "zh", ("zh_survey", "zh_models", "zh_ferry"), width=130, height=180),
    Kind("zh_two", "zh", ("zh_ferry", "zh_models", "zh_survey"), columns=2),
    *(
        Kind(f"{language}_tables_{style}", language, (f"{language}_tables",), tables=style)
        for language in ("en", "zh")
        for style in ("grid", "booktabs", "plain")
    ),
    Kind("en_code", "en", ("en_code",)),
    Kind("zh_code", "zh", ("zh_code",)),
    Kind("en_scan", "en", ("en_mill",), scanned=True),
    Kind("zh_scan", "zh", ("zh_ferry",), scanned=True),
)


def _page_setup(kind: Kind) -> str:
    left, right = HEADERS[kind.language]
    count = "counter(page).display()"
    footer = f"#context {count}" if kind.language == "en" else f"第 #context {count} 页"
    region = ', region: "cn"' if kind.language == "zh" else ""
    size = "10pt" if kind.columns == 1 else "9.5pt"
    indent = "1em" if kind.language == "en" else "(amount: 2em, all: true)"
    return f"""
#set document(title: "{kind.name}", date: none)
#set page(
  width: {kind.width}mm, height: {kind.height}mm, columns: {kind.columns},
  margin: (x: 15mm, top: 20mm, bottom: 19mm),
  header: text(8pt)[{left} #h(1fr) {right}], footer: align(center, text(8pt)[{footer}]),
)
#set text(font: ({FONTS[kind.language]},), size: {size}, lang: "{kind.language}"{region},
  hyphenate: true)
#set par(justify: true, first-line-indent: {indent}, leading: 0.7em)
#set heading(numbering: none)
#show heading: set block(above: 1.3em, below: 0.8em)
#show figure: set block(above: 1.2em, below: 1.2em)
#show figure.where(kind: table): set figure.caption(position: top)
#show figure: set par(justify: false, first-line-indent: 0em)
#show raw: set text(font: ("DejaVu Sans Mono", "Noto Sans CJK SC"), size: 8pt)
#show raw.where(block: true): set block(above: 1.1em, below: 1.1em)
"""


def render(kind: Kind) -> bytes:
    """Return the PDF, before any scanning."""
    source = read_source([SOURCES / f"{name}.md" for name in kind.sources])
    text = _page_setup(kind) + to_typst(source, kind.tables, floats=kind.columns > 1)
    data = typst.compile(text.encode(), format="pdf")
    if not isinstance(data, bytes):
        raise TypeError(f"typst gave {type(data).__name__} for {kind.name}")
    return data


def scanned(pdf: bytes) -> bytes:
    """Return the pages as grey pictures, a little turned and noisy, without text."""
    document = pypdfium2.PdfDocument(pdf)
    pictures = []
    chance = random.Random(len(document))
    for i in range(len(document)):
        image = document[i].render(scale=SCAN_DPI / 72, grayscale=True).to_pil().convert("L")
        turn = SCAN_TURN if i % 2 else -SCAN_TURN
        image = image.rotate(turn, resample=Image.Resampling.BICUBIC, fillcolor=255)
        noise = Image.frombytes("L", image.size, chance.randbytes(image.width * image.height))
        pictures.append(Image.blend(image, noise, SCAN_BLEND))
    document.close()
    buffer = io.BytesIO()
    pictures[0].save(
        buffer,
        format="PDF",
        save_all=True,
        append_images=pictures[1:],
        resolution=SCAN_DPI,
        quality=75,
        creationDate=None,
        modDate=None,
    )
    return buffer.getvalue()


def make(folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write the PDFs (those of `names`, or all) with their truths; return the PDFs' paths."""
    folder.mkdir(parents=True, exist_ok=True)
    made = []
    for kind in KINDS:
        if names and kind.name not in names:
            continue
        source = read_source([SOURCES / f"{name}.md" for name in kind.sources])
        header, footer = HEADERS[kind.language], "第 页" if kind.language == "zh" else ""
        told = truth(source, kind.language) | {
            "header": list(header),
            "footer": footer,
            "scanned": kind.scanned,
        }
        pdf = render(kind)
        path = folder / f"{kind.name}.pdf"
        path.write_bytes(scanned(pdf) if kind.scanned else pdf)
        path.with_suffix(".json").write_text(
            json.dumps(told, ensure_ascii=False, indent=1), encoding="utf-8"
        )
        made.append(path)
    return made


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", nargs="*", default=[], choices=[kind.name for kind in KINDS])
    args = parser.parse_args()
    for path in make(args.out, args.only):
        print(path)  # noqa: T201


if __name__ == "__main__":
    main()
