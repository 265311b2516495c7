"""Loading long real PDFs: speed, text kept, text embedded, memory, boxes of table rows, latency.

    python -m tests.evals.loading --data DIR [--json FILE] [--limit N]

DIR holds `pdfs/*.pdf` and `questions.jsonl` with one question a line: `doc` (a file name without
`.pdf`), `question`, `pages` (1-based physical pages with the evidence). All files are loaded by one
learner; before or after each, in turn, pypdf extracts the text of the same file in a process of its
own, so that both are measured under the same load.
"""

import random
import re
import resource
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from app.main import build_app
from core.assistant import PDFLearningAssistant
from core.domain.document import Page, TextRange
from core.rag.citations import place_of
from core.readers.inspector import LimitedInspector
from core.readers.limits import Limits
from core.services import Services
from core.settings import Settings, load_settings
from core.wiring import build_services
from tests.evals.child import ask_child
from tests.evals.coverage import covered_share, encoder_inputs, kept
from tests.evals.filings import KS, count_hits, filing_questions, filings_in, load
from tests.evals.memory_watch import MemoryWatch
from tests.evals.pdf_letters import PdfLetters, letters, text_of
from tests.evals.report import Figure, arguments, finish, percentile, share

PYPDF_SECONDS = 600
ORIGINAL_SECONDS = 41 / 160
"""Seconds a page in the assistant of *Hello-Agents*, chapter 8 (`hello-agents` 0.2.9, chunks of
1000/200), for a filing of 160 pages, of whose text it embeds 17.7 %: 46.7 processor seconds on an
idle machine, three quarters of them reading on one core, the rest embedding on two."""
ORIGINAL_CPU_SECONDS = 46.7 / 160
ROWS_A_FILE = 20
NUMBERS_A_ROW = 3
LONGEST_ROW = 200  # characters
SHINGLE = 8  # letters; a run this long tells lost text from text in another order
MIB = 1024 * 1024


@dataclass(slots=True)
class Measured:
    """What was measured over all files."""

    pages: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    pypdf_seconds: float = 0.0
    compared_pages: int = 0
    compared_seconds: float = 0.0
    letters: int = 0
    letters_kept: int = 0
    shingles: int = 0
    shingles_kept: int = 0
    page_letters: int = 0
    embedded: int = 0
    rows: int = 0
    rows_right: int = 0
    rows_unproven: int = 0
    peak: int = 0
    latency: list[float] = field(default_factory=list)
    asked: int = 0
    hits: Counter[int] = field(default_factory=Counter)
    files: list[dict[str, Any]] = field(default_factory=list)
    rows_wrong: list[dict[str, Any]] = field(default_factory=list)


def compare_text(total: Measured, pdf: PdfLetters, pages: Sequence[Page]) -> float | None:
    """Count the letters of each page that the product has; return the file's share."""
    all_kept = all_letters = 0
    for page in pages:
        body, own = pdf.body(page.number), letters(page.text)
        hits, wanted = kept(own, body, 1)
        all_kept, all_letters = all_kept + hits, all_letters + wanted
        hits, wanted = kept(own, body, SHINGLE)
        total.shingles_kept, total.shingles = total.shingles_kept + hits, total.shingles + wanted
    total.letters_kept, total.letters = total.letters_kept + all_kept, total.letters + all_letters
    return share(all_kept, all_letters)


def cpu_seconds() -> float:
    """Return the processor time of this process and its ended children."""
    own = (resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in own)


def table_rows(pages: Sequence[Page], seed: str) -> list[tuple[Page, TextRange]]:
    """Return some lines of page text that have a word and at least three numbers."""
    found = []
    for page in pages:
        for line in re.finditer(r"[^\n]+", page.text):
            row = line.group()
            numbers = re.findall(r"\d[\d,.]*", row)
            has_word = re.search(r"[^\W\d]{3}", row) is not None
            if len(numbers) >= NUMBERS_A_ROW and has_word and len(row) <= LONGEST_ROW:
                where = TextRange(page=page.number, start=line.start(), end=line.end())
                found.append((page, where))
    return random.Random(seed).sample(found, min(ROWS_A_FILE, len(found)))


def check_rows(
    total: Measured, inspector: LimitedInspector, file: Path, pdf: PdfLetters, pages: Sequence[Page]
) -> None:
    """Ask the product for the boxes of table rows and read back what is inside them."""
    rows = table_rows(pages, file.stem)
    places = [place_of(page, where) for page, where in rows]
    found = iter(inspector.boxes(file, [[p] for p in places if p is not None]))
    for (page, where), place in zip(rows, places, strict=True):
        total.rows += 1
        row = page.text[where.start : where.end]
        boxes = None if place is None else next(found)
        if boxes is None:
            total.rows_unproven += 1
            read = None
        else:
            read = text_of(pdf.read_back(boxes, [page.number]))
        if read == letters(row):
            total.rows_right += 1
        else:
            total.rows_wrong.append(
                {"file": file.name, "page": page.number, "row": row, "read": read}
            )


def load_file(
    total: Measured, assistant: PDFLearningAssistant, file: Path, watch: MemoryWatch, first: bool
) -> str:
    """Load one file and let pypdf read it; return the document's id."""
    pypdf = ask_child("pypdf", file, seconds=PYPDF_SECONDS) if first else None
    with watch.running(), encoder_inputs() as windows:
        begin, used = time.perf_counter(), cpu_seconds()
        loaded = load(assistant, file)
        seconds = time.perf_counter() - begin
        total.cpu_seconds += cpu_seconds() - used
    if not first:
        pypdf = ask_child("pypdf", file, seconds=PYPDF_SECONDS)
    total.pages += loaded.pages
    total.seconds += seconds
    if pypdf is not None:
        total.compared_pages += loaded.pages
        total.compared_seconds += seconds
        total.pypdf_seconds += pypdf["seconds"]
    pages = [assistant.page(loaded.document_id, n) for n in range(1, loaded.pages + 1)]
    covered, of = covered_share([p.text for p in pages], windows)
    total.embedded, total.page_letters = total.embedded + covered, total.page_letters + of
    total.files.append(
        {
            "file": file.name,
            "pages": loaded.pages,
            "passages": loaded.chunks,
            "windows": len(windows),
            "seconds": round(seconds, 3),
            "pypdf_seconds": None if pypdf is None else round(pypdf["seconds"], 3),
            "embedded": share(covered, of),
        }
    )
    print(
        f"{file.name}: {loaded.pages} pages, {seconds:.1f} s"
        + ("" if pypdf is None else f", pypdf {pypdf['seconds']:.1f} s")
    )
    return loaded.document_id


def ask_all(
    total: Measured,
    assistant: PDFLearningAssistant,
    ids: dict[str, str],
    lines: Sequence[dict[str, Any]],
) -> None:
    """Ask every question, once over all documents and once of its own document."""
    for line in lines:
        begin = time.perf_counter()
        assistant.ask(line["question"])
        total.latency.append(time.perf_counter() - begin)
    for line in lines:
        begin = time.perf_counter()
        answer = assistant.ask(line["question"], documents=[ids[line["doc"]]])
        total.latency.append(time.perf_counter() - begin)
        total.asked += 1
        count_hits(total.hits, answer.passages, line["pages"])


def make_inspector(settings: Settings) -> LimitedInspector:
    """Return an inspector like the product's."""
    return LimitedInspector(
        Limits(
            memory_mb=settings.reader_memory_mb,
            cpu_seconds=settings.reader_cpu_seconds,
            wall_seconds=settings.reader_wall_seconds,
            max_pages=settings.max_pages,
            max_file_mb=settings.max_file_mb,
        )
    )


def judge_texts(
    total: Measured, assistant: PDFLearningAssistant, files: Sequence[Path], ids: dict[str, str]
) -> None:
    """Compare the stored texts and the boxes of table rows with an independent reading."""
    inspector = make_inspector(load_settings(env_file=None))
    try:
        for file, record in zip(files, total.files, strict=True):
            numbers = range(1, record["pages"] + 1)
            pages = [assistant.page(ids[file.stem], n) for n in numbers]
            pdf = PdfLetters(file)
            record["kept"] = compare_text(total, pdf, pages)
            check_rows(total, inspector, file, pdf, pages)
            pdf.close()
    finally:
        inspector.close()


def run(folder: Path, services: Services, limit: int | None) -> Measured:
    """Load and ask while memory is watched, then judge the stored texts."""
    files = filings_in(folder, limit)
    total = Measured()
    watch = MemoryWatch()
    try:
        services.warm_up()  # as the application does at its start
        assistant = PDFLearningAssistant("eval_loading", services=services)
        ids = {
            file.stem: load_file(total, assistant, file, watch, first=bool(i % 2))
            for i, file in enumerate(files)
        }
        with watch.running():
            ask_all(total, assistant, ids, filing_questions(folder, list(ids)))
        total.peak = watch.peak
        judge_texts(total, assistant, files, ids)
    finally:
        watch.close()
    return total


def figures(m: Measured) -> list[Figure]:
    """Return the figures with their bounds."""
    own = m.compared_pages / m.compared_seconds if m.compared_seconds else None
    pypdf = m.compared_pages / m.pypdf_seconds if m.pypdf_seconds else None
    milliseconds = [s * 1000 for s in m.latency]
    return [
        Figure(
            name="from file to searchable",
            value=m.pages / m.seconds if m.seconds else None,
            count=m.pages,
            unit="pages/s",
        ),
        Figure(name="pypdf's extract_text", value=pypdf, count=m.compared_pages, unit="pages/s"),
        Figure(
            name="rate in relation to pypdf's",
            value=own / pypdf if own and pypdf else None,
            count=m.compared_pages,
            floor=1.0,
        ),
        Figure(
            name="rate in relation to the tutorial's original",
            value=ORIGINAL_SECONDS / (m.seconds / m.pages) if m.pages else None,
            count=m.pages,
            floor=8.0,
        ),
        Figure(
            name="  the same in processor time",
            value=ORIGINAL_CPU_SECONDS / (m.cpu_seconds / m.pages) if m.pages else None,
            count=m.pages,
        ),
        Figure(
            name="text kept (letters)",
            value=share(m.letters_kept, m.letters),
            count=m.letters,
            floor=0.99,
        ),
        Figure(
            name=f"the same in the same order (runs of {SHINGLE} letters)",
            value=share(m.shingles_kept, m.shingles),
            count=m.shingles,
        ),
        Figure(
            name="page text inside an embedded window",
            value=share(m.embedded, m.page_letters),
            count=m.page_letters,
            floor=1.0,
        ),
        Figure(name="peak memory (PSS)", value=m.peak / MIB, ceiling=900, unit="MB"),
        Figure(
            name="boxes of table rows read back",
            value=share(m.rows_right, m.rows),
            count=m.rows,
            floor=0.95,
        ),
        Figure(name="  rows the proof did not find", value=share(m.rows_unproven, m.rows)),
        Figure(
            name="question, p50",
            value=percentile(milliseconds, 50),
            count=len(milliseconds),
            ceiling=60,
            unit="ms",
        ),
        Figure(
            name="question, p95",
            value=percentile(milliseconds, 95),
            count=len(milliseconds),
            ceiling=200,
            unit="ms",
        ),
        *(
            Figure(
                name=f"evidence page in the first {k}",
                value=share(m.hits[k], m.asked),
                count=m.asked,
            )
            for k in KS
        ),
    ]


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=None, help="only the first N files")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="eval-loading-") as data_dir:
        settings = load_settings(env_file=None, data_dir=Path(data_dir), refine_enabled=False)
        services = build_services(settings)
        page = build_app(services)  # the interface's memory counts too
        try:
            measured = run(args.data, services, args.limit)
        finally:
            page.close(verbose=False)
            services.close()
    return finish(
        {"Loading": figures(measured)},
        json_file=args.json,
        details={"files": measured.files, "rows_wrong": measured.rows_wrong},
    )


if __name__ == "__main__":
    raise SystemExit(main())
