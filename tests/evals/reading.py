"""Structure of pages: headings, tables, order, sentences and their boxes, recognised scans.

    python -m tests.data.make_reading --out DIR
    python -m tests.evals.reading --data DIR [--json FILE] [--no-ocr] [--limit N]

DIR holds `*.pdf`, each with its truth as `*.json` of the same name, as `make_reading` writes them.
The product reads with its own limited reader; markitdown and pypdf read the same files in the same
run. "Verbatim" counts white space too, except for runs of it; "noise" counts lines that are running
headers, footers or page numbers.
"""

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.domain.document import BlockKind, Page
from core.rag.citations import place_of
from core.readers.inspector import LimitedInspector
from core.readers.limited import LimitedReader
from core.readers.limits import Limits
from core.text.sentences import Sentence, split_pages
from tests.evals.pdf_letters import PdfLetters, letters, text_of
from tests.evals.reading_judge import Read, Tally, cells_of, judge, markdown_rows, similarity
from tests.evals.report import Figure, arguments, finish, share

MAKE = "python -m tests.data.make_reading --out DIR"
LIMITS = Limits(memory_mb=1024, cpu_seconds=60, wall_seconds=120, max_pages=500, max_file_mb=50)
OCR_LIMITS = Limits(memory_mb=4096, cpu_seconds=120, wall_seconds=240, max_pages=50, max_file_mb=50)
LANGUAGES = {"en": "English", "zh": "Chinese"}
VERBATIM = {"en": 0.93, "zh": 0.98}
BOXED = (BlockKind.PARAGRAPH, BlockKind.LIST)
OTHERS = ("markitdown", "pypdf")


@dataclass(slots=True)
class Measured:
    """Counts by language for the product, and by language and name for the others."""

    product: dict[str, Tally] = field(default_factory=dict)
    others: dict[tuple[str, str], Tally] = field(default_factory=dict)
    pages: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    boxes: dict[str, list[int]] = field(default_factory=dict)
    boxes_wrong: list[str] = field(default_factory=list)
    ocr: dict[str, list[float]] = field(default_factory=dict)
    ocr_seconds: list[float] = field(default_factory=list)
    files: dict[str, dict[str, Any]] = field(default_factory=dict)


def read_product(path: Path) -> tuple[list[Page], Any]:
    """Return the pages and the summary of the product's reader."""
    pages: list[Page] = []
    summary = LimitedReader(LIMITS).read(path, lambda new, _: pages.extend(new))
    return pages, summary


def _blocks(pages: Sequence[Page], kind: BlockKind) -> Iterator[tuple[int, str]]:
    for page in pages:
        for block in page.blocks:
            if block.kind is kind:
                yield block.level, page.text[block.start : block.end]


def as_read(pages: Sequence[Page], sentences: Sequence[Sentence], summary: Any) -> Read:
    """Return the product's reading as the judge takes it.

    The product parts sentences at semicolons in Chinese; the whole one then stands in its block.
    """
    blocks = [page.text[b.start : b.end] for page in pages for b in page.blocks]
    return Read(
        text="\n\n".join(page.text for page in pages),
        sentences=[s.text for s in sentences] + [t.replace("\n", " ") for t in blocks],
        lines=[
            line
            for page in pages
            for block in page.blocks
            if block.kind not in (BlockKind.TABLE, BlockKind.CODE)
            for line in page.text[block.start : block.end].splitlines()
        ],
        headings=list(_blocks(pages, BlockKind.HEADING)),
        rows=[cells_of(r) for _, t in _blocks(pages, BlockKind.TABLE) for r in t.splitlines()],
        captions=[text for _, text in _blocks(pages, BlockKind.CAPTION)],
        notes=[text for _, text in _blocks(pages, BlockKind.FOOTNOTE)],
        code=[text.splitlines() for _, text in _blocks(pages, BlockKind.CODE)],
        outline=[(entry.level, entry.title) for entry in summary.outline],
    )


def check_boxes(
    path: Path, pages: Sequence[Page], sentences: Sequence[Sentence]
) -> tuple[int, int, list[str]]:
    """Return how many sentences of running text have boxes around exactly their letters, how many
    there are, and those that have not."""
    by_number = {page.number: page for page in pages}
    chosen = [s for s in sentences if s.kind in BOXED and letters(s.text)]
    places = [[place_of(by_number[r.page], r) for r in s.ranges] for s in chosen]
    known = [i for i, found in enumerate(places) if None not in found]
    inspector = LimitedInspector(LIMITS, workers=1)
    pdf = PdfLetters(path)
    try:
        boxes = inspector.boxes(path, [[p for p in places[i] if p is not None] for i in known])
        right = {
            i
            for i, found in zip(known, boxes, strict=True)
            if found is not None
            and text_of(pdf.read_back(found, sorted({r.page for r in chosen[i].ranges})))
            == letters(chosen[i].text)
        }
    finally:
        inspector.close()
        pdf.close()
    return len(right), len(chosen), [s.text for i, s in enumerate(chosen) if i not in right]


def read_other(name: str, path: Path) -> Read:
    """Return what markitdown or pypdf gives."""
    if name == "markitdown":
        from markitdown import MarkItDown

        text = MarkItDown().convert(str(path)).text_content
    else:
        from pypdf import PdfReader

        text = "\n".join(page.extract_text() for page in PdfReader(path).pages)
    read = Read(text=text, sentences=[text.replace("\n", " ")], lines=text.splitlines())
    if name == "markitdown":
        found = [line for line in text.splitlines() if line.startswith("#")]
        read.headings = [(len(x) - len(x.lstrip("#")), x.lstrip("# ")) for x in found]
        read.rows = markdown_rows(text)
    return read


def measure(total: Measured, path: Path, truth: dict[str, Any]) -> None:
    """Read one file with a text layer with everybody."""
    language = truth["language"]
    started = time.perf_counter()
    pages, summary = read_product(path)
    total.seconds["product"] = total.seconds.get("product", 0) + time.perf_counter() - started
    total.pages += len(pages)
    sentences = split_pages(pages)
    own = judge(as_read(pages, sentences, summary), truth)
    total.product.setdefault(language, Tally()).merge(own)
    right, count, wrong = check_boxes(path, pages, sentences)
    counts = total.boxes.setdefault(language, [0, 0])
    counts[0] += right
    counts[1] += count
    total.boxes_wrong += wrong
    total.files[path.name] = {
        "figures": {name: s.value for name, s in own.shares.items()},
        "wrong": own.wrong,
        "boxes": [right, count],
    }
    for name in OTHERS:
        started = time.perf_counter()
        read = read_other(name, path)
        total.seconds[name] = total.seconds.get(name, 0) + time.perf_counter() - started
        total.others.setdefault((name, language), Tally()).merge(judge(read, truth))


def measure_scan(total: Measured, path: Path, truth: dict[str, Any], recogniser: Any) -> None:
    """Recognise the pages of one scan."""
    pages, _ = read_product(path)
    texts: list[str] = []
    for page in pages:
        started = time.perf_counter()
        texts.append(recogniser.recognise(path, page.number).text)
        total.ocr_seconds.append(time.perf_counter() - started)
    found = similarity("\n".join(texts), truth)
    total.ocr.setdefault(truth["language"], []).append(found)
    total.files[path.name] = {"similarity": found}


def run(folder: Path, *, limit: int | None = None, with_ocr: bool = True) -> Measured:
    """Measure the files of a folder."""
    from core.readers.recogniser import LimitedRecogniser

    files = sorted(path for path in folder.glob("*.pdf") if path.with_suffix(".json").exists())
    if not files:
        raise SystemExit(f"no PDFs with truths in {folder}; make them with: {MAKE}")
    total = Measured()
    recogniser = LimitedRecogniser(OCR_LIMITS)
    try:
        for path in files[:limit]:
            truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            if not truth["scanned"]:
                measure(total, path, truth)
            elif with_ocr:
                measure_scan(total, path, truth, recogniser)
    finally:
        recogniser.close()
    return total


BOUNDS: dict[str, dict[str, float]] = {
    "heading recall": {"floor": 0.93},
    "heading precision": {"floor": 0.95},
    "heading level": {},
    "table cells": {"floor": 0.85},
    "table rows": {},
    "reading order": {"floor": 0.99},
    "noise": {"ceiling": 0},
    "sentences, spaces left out": {},
    "captions": {},
    "footnotes": {},
    "code lines with indentation": {},
    "outline": {},
}


def _figures(tally: Tally, language: str) -> list[Figure]:
    bounds = BOUNDS | {"sentences verbatim": {"floor": VERBATIM[language]}}
    out = []
    for name, found in tally.shares.items():
        value = found.hits if name == "noise" else found.value
        count = None if name == "noise" else found.total
        if found.total:
            out.append(Figure(name=name, value=value, count=count, **bounds[name]))
    return out


def figures(m: Measured) -> dict[str, list[Figure]]:
    """Return the figures with their bounds, by section."""
    sections: dict[str, list[Figure]] = {}
    for language, tally in m.product.items():
        right, count = m.boxes[language]
        boxes = Figure(
            name="sentence boxes right", value=share(right, count), count=count, floor=0.98
        )
        sections[LANGUAGES[language]] = [*_figures(tally, language), boxes]
    if m.ocr:
        sections["Scans"] = [
            Figure(
                name=f"similarity of the recognised text, {LANGUAGES[language]}",
                value=sum(values) / len(values),
                count=len(values),
                floor=0.98,
            )
            for language, values in m.ocr.items()
        ]
        seconds = sum(m.ocr_seconds) / len(m.ocr_seconds)
        sections["Scans"].append(Figure(name="a page", value=seconds, unit="s"))
    sections["Speed"] = [
        Figure(name=name, value=m.pages / seconds, count=m.pages, unit="pages/s")
        for name, seconds in m.seconds.items()
    ]
    return sections


def side_by_side(m: Measured) -> str:
    """Return a table of the product beside the others; "-" where a reader does not tell."""
    lines = []
    for language, tally in m.product.items():
        lines.append(
            f"\n{LANGUAGES[language]:30}" + "".join(f"{n:>12}" for n in ("product", *OTHERS))
        )
        for name, found in tally.shares.items():
            tallies = [tally, *(m.others[other, language] for other in OTHERS)]
            cells = [t.shares.get(name) for t in tallies]
            shown = [
                "-"
                if cell is None or not cell.total
                else f"{cell.hits}"
                if name == "noise"
                else f"{cell.value:.3f}"
                for cell in cells
            ]
            if found.total:
                lines.append(f"{name:30}" + "".join(f"{cell:>12}" for cell in shown))
    return "\n".join(lines)


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=None, help="only the first N files")
    parser.add_argument("--no-ocr", action="store_true", help="leave the scans out")
    args = parser.parse_args()
    measured = run(args.data, limit=args.limit, with_ocr=not args.no_ocr)
    print(side_by_side(measured))
    details = {"files": measured.files, "boxes_wrong": measured.boxes_wrong}
    return finish(figures(measured), json_file=args.json, details=details)


if __name__ == "__main__":
    raise SystemExit(main())
