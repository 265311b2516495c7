"""Odd, broken, hostile PDFs: each is indexed or refused with a reason, and the app goes on.

    python -m tests.evals.odd_pdfs --data DIR [--json FILE] [--limit N] [--ocr-pages N]

DIR holds any number of `*.pdf`. They are loaded one after another by one learner. A refusal is a
`DocumentError`, which has a sentence and a remedy; anything else that is raised is a crash. Which
files have text (20 letters or more) is counted by pypdfium2 in a limited child process. Pages that
are pictures are recognised, in files with at most `--ocr-pages` of them; in others recognition is
stopped as a learner would stop it. At the end a question about a good file, loaded before all
others, must still be answered with its proof.
"""

import tempfile
import time
import traceback
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.domain.job import JobKind
from core.domain.study import LoadProgress, LoadResult
from core.errors import NotFoundError
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.child import ENOUGH_LETTERS, ask_child
from tests.evals.pdf_letters import PdfLetters, letters
from tests.evals.report import Figure, arguments, finish, percentile, share

GOOD_FILE = Path(__file__).parents[1] / "data" / "two_columns_en.pdf"
GOOD_QUESTION = "Who laid the timber platform of the mill?"
GOOD_ANSWER = "Edwin Harrow"
LONGEST_SECONDS = 30
"""Text recognition apart."""
COUNT_SECONDS = 20
OCR_PAGES = 5
TOO_MANY_PICTURES = "not recognised"
"""The result of a file without text whose recognition was stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file.

    `result` is `indexed`, the code of a refusal, `not recognised` or `crash`; `pictures` is the
    number of pages that waited for recognition, `ocr_seconds` the time from the first of them on,
    `seconds` the time before.
    """

    name: str
    result: str
    seconds: float
    ocr_seconds: float
    pictures: int
    message: str
    pages: int
    has_text: bool


class Watch:
    """Notes when text recognition begins, and stops it over more than `most` pages."""

    def __init__(self, assistant: PDFLearningAssistant, most: int) -> None:
        self._assistant = assistant
        self._most = most
        self.pictures = 0
        self.began: float | None = None
        self.stopped = False

    def __call__(self, progress: LoadProgress) -> None:
        """Look at the progress of a load."""
        if progress.stage != "ocr":
            return
        self.began = self.began or time.perf_counter()
        self.pictures = progress.pages
        if self.pictures > self._most and not self.stopped:
            self.stopped = True
            for job in self._assistant.jobs():
                if job.kind is JobKind.OCR:
                    self._assistant.stop_job(job.id)


def result_of(loaded: LoadResult) -> str:
    """Return `indexed`, the code of a refusal that says what to do, or `crash`."""
    if loaded.success:
        return "indexed"
    return loaded.error.code if loaded.error is not None and loaded.error.remedy else "crash"


def load(assistant: PDFLearningAssistant, file: Path, *, ocr_pages: int = OCR_PAGES) -> Outcome:
    """Load one file; anything that is raised is a crash."""
    begin = time.perf_counter()
    pages = 0
    watch = Watch(assistant, ocr_pages)
    try:
        loaded = assistant.load_document(str(file), on_progress=watch)
    except Exception as exc:
        stopped = watch.stopped and isinstance(exc, NotFoundError)
        result = TOO_MANY_PICTURES if stopped else "crash"
        message = "".join(traceback.format_exception(exc))[-2000:]
    else:
        message, pages, result = loaded.message, loaded.pages, result_of(loaded)
    end = time.perf_counter()
    counted = ask_child("letters", file, seconds=COUNT_SECONDS)
    return Outcome(
        name=file.name,
        result=result,
        seconds=round((watch.began or end) - begin, 3),
        ocr_seconds=round(end - (watch.began or end), 3),
        pictures=watch.pictures,
        message=message,
        pages=pages,
        has_text=counted is not None and counted["letters"] >= ENOUGH_LETTERS,
    )


def still_answers(assistant: PDFLearningAssistant, document_id: str) -> bool:
    """Tell whether the good file is still answered from, with a quote that stands on its page."""
    answer = assistant.ask(GOOD_QUESTION, documents=[document_id])
    pdf = PdfLetters(GOOD_FILE)
    try:
        return bool(answer.citations) and any(
            letters(GOOD_ANSWER) in letters(c.quote) and pdf.holds(c.quote, c.pages)
            for c in answer.citations
        )
    finally:
        pdf.close()


def run(files: list[Path], *, ocr_pages: int = OCR_PAGES) -> tuple[list[Outcome], bool, bool]:
    """Return the outcomes, whether the app still answers, and that only indexed files are kept."""
    with tempfile.TemporaryDirectory(prefix="eval-odd-") as data_dir:
        settings = load_settings(env_file=None, data_dir=Path(data_dir), refine_enabled=False)
        services = build_services(settings)
        try:
            assistant = PDFLearningAssistant("eval_odd", services=services)
            good = assistant.load_document(str(GOOD_FILE))
            outcomes = []
            for file in files:
                outcome = load(assistant, file, ocr_pages=ocr_pages)
                outcomes.append(outcome)
                if outcome.result == "crash" or outcome.seconds > LONGEST_SECONDS / 3:
                    print(f"{outcome.result:14} {outcome.seconds:6.1f} s  {outcome.name}")
            kept = {d.name for d in assistant.documents()} - {GOOD_FILE.name}
            indexed = {o.name for o in outcomes if o.result == "indexed"}
            return outcomes, still_answers(assistant, good.document_id), kept <= indexed
        finally:
            services.close()


def ocr_figures(outcomes: list[Outcome]) -> list[Figure]:
    """Return how many files without text were read all the same."""
    textless = [o for o in outcomes if not o.has_text]
    tried = [o for o in textless if o.pictures and o.result != TOO_MANY_PICTURES]
    read = [o for o in tried if o.result == "indexed"]
    pages = sum(o.pictures for o in outcomes if o.ocr_seconds)
    seconds = sum(o.ocr_seconds for o in outcomes)
    return [
        Figure(name="without text, pictures recognised", value=len(tried), count=len(textless)),
        Figure(name="  of these read by OCR", value=share(len(read), len(tried)), count=len(tried)),
        Figure(
            name="recognition, a page",
            value=seconds / pages if pages else None,
            count=pages,
            unit="s",
        ),
    ]


def figures(outcomes: list[Outcome], answers: bool, clean: bool) -> list[Figure]:
    """Return the figures with their bounds."""
    total = len(outcomes)
    crashes = sum(o.result == "crash" for o in outcomes)
    with_text = [o for o in outcomes if o.has_text and o.result != TOO_MANY_PICTURES]
    indexed = sum(o.result == "indexed" for o in with_text)
    seconds = [o.seconds for o in outcomes]
    return [
        Figure(name="crashes", value=crashes, count=total, ceiling=0),
        Figure(
            name="slowest file",
            value=max(seconds, default=None),
            count=total,
            ceiling=LONGEST_SECONDS,
            unit="s",
        ),
        Figure(name="median file", value=percentile(seconds, 50), count=total, unit="s"),
        Figure(
            name="indexed, of files with 20 letters or more",
            value=share(indexed, len(with_text)),
            count=len(with_text),
            floor=0.98,
        ),
        *ocr_figures(outcomes),
        Figure(
            name="indexed, of all",
            value=share(sum(o.result == "indexed" for o in outcomes), total),
            count=total,
        ),
        Figure(name="nothing kept of a refused file", value=float(clean), floor=1.0),
        Figure(name="still answers afterwards", value=float(answers), floor=1.0),
    ]


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--limit", type=int, default=None, help="only the first N files")
    parser.add_argument(
        "--ocr-pages",
        type=int,
        default=OCR_PAGES,
        help="stop recognition in files with more pages to recognise",
    )
    args = parser.parse_args()
    files = sorted(args.data.glob("*.pdf"))[: args.limit]
    if not files:
        raise SystemExit(f"no *.pdf in {args.data}")
    outcomes, answers, clean = run(files, ocr_pages=args.ocr_pages)
    print(
        "\nresults: "
        + ", ".join(f"{k} {n}" for k, n in Counter(o.result for o in outcomes).most_common())
    )
    for outcome in outcomes:
        if outcome.has_text and outcome.result != "indexed":
            print(f"  has text, {outcome.result}: {outcome.name}")
        if outcome.pictures and not outcome.has_text:
            print(f"  pictures ({outcome.pictures}), {outcome.result}: {outcome.name}")
    return finish(
        {"Odd PDFs": figures(outcomes, answers, clean)},
        json_file=args.json,
        details={"files": [asdict(outcome) for outcome in outcomes]},
    )


if __name__ == "__main__":
    raise SystemExit(main())
