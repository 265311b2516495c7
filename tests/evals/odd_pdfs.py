"""Odd, broken, hostile PDFs: each is indexed or refused with a reason, and the app goes on.

    python -m tests.evals.odd_pdfs --data DIR [--json FILE] [--limit N]

DIR holds any number of `*.pdf`. They are loaded one after another by one learner. A refusal is a
`DocumentError`, which has a sentence and a remedy; anything else that is raised is a crash. Which
files have text (20 letters or more) is counted by pypdfium2 in a limited child process. At the end
a question about a good file, loaded before all others, must still be answered with its proof.
"""

import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.child import ENOUGH_LETTERS, ask_child
from tests.evals.pdf_letters import PdfLetters, letters
from tests.evals.report import Figure, arguments, finish, percentile, share

GOOD_FILE = Path(__file__).parents[1] / "data" / "two_columns_en.pdf"
GOOD_QUESTION = "Who laid the timber platform of the mill?"
GOOD_ANSWER = "Edwin Harrow"
LONGEST_SECONDS = 30
COUNT_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one file. `result` is `indexed`, the code of a refusal, or `crash`."""

    name: str
    result: str
    seconds: float
    message: str
    pages: int
    has_text: bool


def load(assistant: PDFLearningAssistant, file: Path) -> Outcome:
    """Load one file; anything that is raised is a crash."""
    begin = time.perf_counter()
    pages = 0
    try:
        loaded = assistant.load_document(str(file))
    except Exception as exc:
        result = "crash"
        message = "".join(traceback.format_exception(exc))[-2000:]
    else:
        message, pages = loaded.message, loaded.pages
        if loaded.success:
            result = "indexed"
        elif loaded.error is not None and loaded.error.remedy:
            result = loaded.error.code
        else:
            result = "crash"
    seconds = time.perf_counter() - begin
    counted = ask_child("letters", file, seconds=COUNT_SECONDS)
    return Outcome(
        name=file.name,
        result=result,
        seconds=round(seconds, 3),
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


def run(files: list[Path]) -> tuple[list[Outcome], bool, bool]:
    """Return the outcomes, whether the app still answers, and that only indexed files are kept."""
    with tempfile.TemporaryDirectory(prefix="eval-odd-") as data_dir:
        services = build_services(load_settings(env_file=None, data_dir=Path(data_dir)))
        try:
            assistant = PDFLearningAssistant("eval_odd", services=services)
            good = assistant.load_document(str(GOOD_FILE))
            outcomes = []
            for file in files:
                outcome = load(assistant, file)
                outcomes.append(outcome)
                if outcome.result == "crash" or outcome.seconds > LONGEST_SECONDS / 3:
                    print(f"{outcome.result:12} {outcome.seconds:6.1f} s  {outcome.name}")
            kept = {d.name for d in assistant.documents()} - {GOOD_FILE.name}
            indexed = {o.name for o in outcomes if o.result == "indexed"}
            return outcomes, still_answers(assistant, good.document_id), kept <= indexed
        finally:
            services.close()


def figures(outcomes: list[Outcome], answers: bool, clean: bool) -> list[Figure]:
    """Return the figures with their bounds."""
    total = len(outcomes)
    crashes = sum(o.result == "crash" for o in outcomes)
    with_text = [o for o in outcomes if o.has_text]
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
            floor=0.97,
        ),
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
    args = parser.parse_args()
    files = sorted(args.data.glob("*.pdf"))[: args.limit]
    if not files:
        raise SystemExit(f"no *.pdf in {args.data}")
    outcomes, answers, clean = run(files)
    print(
        "\nresults: "
        + ", ".join(f"{k} {n}" for k, n in Counter(o.result for o in outcomes).most_common())
    )
    for outcome in outcomes:
        if outcome.has_text and outcome.result != "indexed":
            print(f"  has text, {outcome.result}: {outcome.name}")
    return finish(
        {"Odd PDFs": figures(outcomes, answers, clean)},
        json_file=args.json,
        details={
            "files": [
                {
                    "name": o.name,
                    "result": o.result,
                    "seconds": o.seconds,
                    "pages": o.pages,
                    "has_text": o.has_text,
                    "message": o.message,
                }
                for o in outcomes
            ]
        },
    )


if __name__ == "__main__":
    raise SystemExit(main())
