"""How soon the first page can be found, and whether cost and memory stay flat for long files.

    python -m tests.evals.growth --data DIR [--json FILE]

DIR holds `pdfs/*.pdf`; files of 160 to 2,000 pages are put together from their pages.
"""

import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pypdf import PdfReader, PdfWriter

import tests.evals.environment  # noqa: F401

# isort: split
from app.main import build_app
from core.assistant import PDFLearningAssistant
from core.domain.document import Document
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.memory_watch import MemoryWatch
from tests.evals.report import Figure, arguments, finish

FIRST_PAGE_FILE_PAGES = 160
LENGTHS = (500, 1000, 2000)
PAUSE = 0.002  # seconds between two looks
MIB = 1024 * 1024
QUESTION = "What was the total revenue?"


@dataclass(slots=True)
class Growth:
    """Seconds to the first answer, and seconds a page by length of file."""

    first_page: list[float] = field(default_factory=list)
    a_page: dict[int, float] = field(default_factory=dict)
    peak: int = 0


def first_page_seconds(assistant: PDFLearningAssistant, file: Path) -> float:
    """Return the seconds from handing over a file until its first page answers a question."""
    begin = time.perf_counter()
    submitted = assistant.submit_document(file)
    while not (found := _find(assistant, submitted.document_id)):
        time.sleep(PAUSE)
    answer = assistant.ask(QUESTION, documents=[found.id])
    seconds = time.perf_counter() - begin
    if not answer.passages:
        raise SystemExit(f"the first page of {file.name} was there but not found")
    while any(not job.quiet for job in assistant.jobs()):
        time.sleep(PAUSE)
    assistant.delete_document(found.id)
    return seconds


def _find(assistant: PDFLearningAssistant, document_id: str) -> Document | None:
    return next((d for d in assistant.documents() if d.id == document_id), None)


def write_long(files: Sequence[Path], pages: int, path: Path) -> None:
    """Write a PDF of so many pages, all different as long as the files have enough."""
    every: Iterator[object] = itertools.chain.from_iterable(PdfReader(f).pages for f in files)
    writer = PdfWriter()
    for page in itertools.islice(itertools.cycle(every), pages):
        writer.add_page(page)  # type: ignore[arg-type]
    writer.write(path)


def measure(services: Services, files: Sequence[Path], watch: MemoryWatch) -> Growth:
    """Load files of growing length; each is deleted again."""
    grown = Growth()
    assistant = PDFLearningAssistant("eval_growth", services=services)
    services.warm_up()  # as the application does at its start
    with tempfile.TemporaryDirectory(prefix="eval-growth-") as folder:
        path = Path(folder) / "first.pdf"
        write_long(files, FIRST_PAGE_FILE_PAGES, path)
        grown.first_page = [first_page_seconds(assistant, path) for _ in range(3)]
        for pages in LENGTHS:
            path = Path(folder) / f"{pages}.pdf"
            write_long(files, pages, path)
            with watch.running():
                begin = time.perf_counter()
                loaded = assistant.load_document(path)
                grown.a_page[pages] = (time.perf_counter() - begin) / pages
            if not loaded.success:
                raise SystemExit(f"{path.name} was refused: {loaded.message}")
            assistant.delete_document(loaded.document_id)
            print(f"{pages} pages: {1 / grown.a_page[pages]:.1f} pages/s")
    grown.peak = watch.peak
    return grown


def figures(grown: Growth) -> list[Figure]:
    """Return the figures with their bounds."""
    shortest, longest = grown.a_page[LENGTHS[0]], grown.a_page[LENGTHS[-1]]
    return [
        Figure(
            name=f"first page of {FIRST_PAGE_FILE_PAGES} searchable and asked (worst of 3)",
            value=max(grown.first_page),
            count=len(grown.first_page),
            ceiling=1.0,
            unit="s",
        ),
        *(
            Figure(name=f"{pages} pages", value=1 / seconds, count=pages, unit="pages/s")
            for pages, seconds in grown.a_page.items()
        ),
        Figure(
            name=f"a page of {LENGTHS[-1]} in relation to one of {LENGTHS[0]}",
            value=longest / shortest,
            ceiling=1.15,
        ),
        Figure(name="peak memory (PSS)", value=grown.peak / MIB, ceiling=900, unit="MB"),
    ]


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    args = arguments(__doc__).parse_args()
    files = sorted((args.data / "pdfs").glob("*.pdf"))
    if not files:
        raise SystemExit(f"no pdfs/*.pdf in {args.data}")
    watch = MemoryWatch()
    with tempfile.TemporaryDirectory(prefix="eval-growth-") as data_dir:
        settings = load_settings(env_file=None, data_dir=Path(data_dir), refine_enabled=False)
        services = build_services(settings)
        page = build_app(services)  # the interface's memory counts too
        try:
            grown = measure(services, files, watch)
        finally:
            page.close(verbose=False)
            services.close()
            watch.close()
    details = {"first_page": grown.first_page, "seconds_a_page": grown.a_page}
    return finish({"Long files": figures(grown)}, json_file=args.json, details=details)


if __name__ == "__main__":
    raise SystemExit(main())
