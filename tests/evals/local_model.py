"""Answers of a small language model that runs on this machine, on a folder like XQuAD.

    python -m tests.evals.local_model --data DIR --model MODEL.gguf [--questions 60] [--table 20]
        [--resume FILE] [--lang en zh] [--json FILE]

DIR is as for `tests.evals.xquad`. The model is served by `tests.servers.local_model` (needs
`xllamacpp`), greedy, and asked through `PDFLearningAssistant.ask`. The questions are drawn once for
all (fixed seed) from those with a page and an answer of more than two letters.

Each finished question is a line of FILE; a run with the same FILE and model goes on where
the last one ended. `--table N` also asks the first N questions with MQE, with HyDE and with both.
The judging is that of `tests.evals.xquad`: nothing of the product.
"""

import json
import random
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer, AnswerMode, AskOptions, DoubtKind
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import xquad
from tests.evals.pdf_letters import PdfLetters, letters
from tests.evals.refining import wait_refined
from tests.evals.report import Figure, arguments, finish, percentile, share
from tests.servers.local_model import LocalModel

SEED = 4
BUILT_IN = "built-in"  # the variant without a model, for comparison
VARIANTS = {
    "plain": AskOptions(enable_mqe=False, enable_hyde=False),
    "MQE": AskOptions(enable_mqe=True, enable_hyde=False),
    "HyDE": AskOptions(enable_mqe=False, enable_hyde=True),
    "MQE and HyDE": AskOptions(enable_mqe=True, enable_hyde=True),
}
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model and where it is served. `seconds` is how long a piece of a reply may take."""

    name: str
    base_url: str
    seconds: float = 600.0


class Results:
    """The finished questions, one JSON line each; a line cut off by the end of a run is not one."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.records: list[Record] = []
        text = file.read_text(encoding="utf-8") if file is not None and file.exists() else ""
        for line in text.splitlines():
            try:
                self.records.append(json.loads(line))
            except ValueError:
                continue
        if file is not None and text and not text.endswith("\n"):
            with file.open("a", encoding="utf-8") as out:
                out.write("\n")

    def has(self, model: str, variant: str, lang: str, question_id: str) -> bool:
        """Tell whether a question was answered before."""
        key = (model, variant, lang, question_id)
        return any((r["model"], r["variant"], r["lang"], r["id"]) == key for r in self.records)

    def add(self, record: Record) -> None:
        """Keep a record, on disk at once."""
        self.records.append(record)
        if self._file is not None:
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(record, ensure_ascii=False) + "\n")


def drawn(folder: Path, lang: str, count: int) -> list[dict[str, Any]]:
    """Return `count` questions of a language, always the same; fewer ones are the first of them."""
    lines = [
        line
        for line in xquad.read_questions(folder, lang)
        if line["page"] is not None and any(len(letters(a)) > 2 for a in line["answers"])
    ]
    random.Random(SEED).shuffle(lines)
    return lines[:count]


def holds_gold(line: dict[str, Any], answer: Answer) -> bool:
    """Tell whether a gold answer of more than two letters lies in the answer's text."""
    said = letters(answer.text)
    wanted = [letters(text) for text in line["answers"]]
    return answer.mode is not AnswerMode.REFUSED and any(
        text in said for text in wanted if len(text) > 2
    )


def record_of(line: dict[str, Any], answer: Answer, pdf: PdfLetters) -> Record:
    """Return what is kept of an answer: what was judged, and its text to read."""
    tally = xquad.Tally()
    wrong = [found for c in answer.citations for found in xquad.judge_citation(tally, pdf, c)]
    calls = answer.trace.calls if answer.trace is not None else ()
    return {
        "id": line["id"],
        "question": line["question"],
        "gold": line["answers"],
        "mode": str(answer.mode),
        "notice": answer.notice,
        "text": answer.text,
        "quotes": [c.quote for c in answer.citations],
        "holds_gold": holds_gold(line, answer),
        "page_at_1": line["page"] in [p.page for p in answer.passages[:1]],
        "page_at_5": line["page"] in [p.page for p in answer.passages[:5]],
        "citations": tally.citations,
        "verbatim": tally.verbatim,
        "removed": answer.removed,
        "wrong": wrong,
        "doubtful_numbers": sum(d.kind is DoubtKind.NUMBER for d in answer.doubts),
        "calls": [
            [c.purpose, c.outcome, c.prompt_tokens, c.completion_tokens, round(c.seconds, 2)]
            for c in calls
        ],
    }


@contextmanager
def learner(pdf: Path, endpoint: Endpoint | None) -> Iterator[PDFLearningAssistant]:
    """Give an assistant that has read `pdf`; it answers by itself without an endpoint."""
    model: dict[str, Any] = {}
    if endpoint is not None:
        model = {
            "llm_model_id": endpoint.name,
            "llm_base_url": endpoint.base_url,
            "llm_timeout": endpoint.seconds,
            "llm_max_retries": 0,
            "llm_max_tokens": 200,
            "expansion_seconds": endpoint.seconds,
        }
    with tempfile.TemporaryDirectory(prefix="eval-model-") as folder:
        settings = load_settings(env_file=None, data_dir=Path(folder), **model)
        with closing(build_services(settings)) as services:
            assistant = PDFLearningAssistant("eval", services=services)
            loaded = assistant.load_document(str(pdf))
            if not loaded.success:
                raise SystemExit(f"{pdf} was refused: {loaded.message}")
            wait_refined(services, assistant)
            yield assistant


def ask_all(
    results: Results,
    pdf: Path,
    lines: Sequence[dict[str, Any]],
    lang: str,
    variant: str,
    endpoint: Endpoint | None,
) -> None:
    """Ask those of the questions that have no record yet."""
    name = endpoint.name if endpoint is not None else BUILT_IN
    lines = [line for line in lines if not results.has(name, variant, lang, line["id"])]
    if not lines:
        return
    with closing(PdfLetters(pdf)) as judge, learner(pdf, endpoint) as assistant:
        for number, line in enumerate(lines, start=1):
            begin = time.perf_counter()
            answer = assistant.ask(line["question"], options=VARIANTS.get(variant, AskOptions()))
            seconds = round(time.perf_counter() - begin, 2)
            found = record_of(line, answer, judge)
            results.add(
                {"model": name, "variant": variant, "lang": lang, **found, "seconds": seconds}
            )
            told = "gold" if found["holds_gold"] else "no gold"
            print(f"{lang} {variant} {number}/{len(lines)}: {found['mode']}, {told}, {seconds} s")


def run(args: Namespace, endpoint: Endpoint) -> Results:
    """Ask everything that is not answered yet."""
    results = Results(args.resume)
    for lang in args.lang:
        pdf = xquad.find_pdf(args.data, lang)
        lines = drawn(args.data, lang, args.questions)
        ask_all(results, pdf, lines, lang, BUILT_IN, None)
        ask_all(results, pdf, lines, lang, "plain", endpoint)
    for variant in VARIANTS if args.table else ():
        for lang in args.lang:
            pdf = xquad.find_pdf(args.data, lang)
            ask_all(results, pdf, drawn(args.data, lang, args.table), lang, variant, endpoint)
    return results


def figures(own: Sequence[Record], built_in: Sequence[Record]) -> list[Figure]:
    """Return the figures of one language: `own` are the model's, `built_in` those without one."""
    total = len(own)
    citations = sum(r["citations"] for r in own)
    extractive = share(sum(r["holds_gold"] for r in built_in), len(built_in))
    by_model = [r for r in own if r["mode"] == AnswerMode.GENERATED]
    floor = max(0.70, (extractive or 0.0) - 0.05)

    def part(name: str, hits: Sequence[Any], floor: float | None = None) -> Figure:
        return Figure(name=name, value=share(len(hits), total), count=total, floor=floor)

    return [
        part("gold answer in the answer", [r for r in own if r["holds_gold"]], floor),
        Figure(name="  the same without a model", value=extractive, count=len(built_in)),
        Figure(
            name="  the same of the model's own words",
            value=share(sum(r["holds_gold"] for r in by_model), len(by_model)),
            count=len(by_model),
        ),
        Figure(
            name="citations proven verbatim",
            value=share(sum(r["verbatim"] for r in own), citations),
            count=citations,
            floor=1.0,
        ),
        part("answers in the model's words", by_model),
        part("nothing proven, quoted instead", [r for r in own if r["notice"] == "nothing_proven"]),
        part("model failed", [r for r in own if (r["notice"] or "").startswith("model")]),
        part("refused", [r for r in own if r["mode"] == AnswerMode.REFUSED]),
        part("answers with marked numbers", [r for r in own if r["doubtful_numbers"]]),
        Figure(
            name="question, p50",
            value=percentile([r["seconds"] for r in own], 50),
            count=total,
            unit="s",
        ),
    ]


def row(records: Sequence[Record]) -> list[Figure]:
    """Return the figures of one variant of the table of expansions."""
    total = len(records)
    shares = {"page@1": "page_at_1", "page@5": "page_at_5", "gold in the answer": "holds_gold"}
    found = [
        Figure(name=name, value=share(sum(r[key] for r in records), total), count=total)
        for name, key in shares.items()
    ]
    tokens = [sum(c[2] + c[3] for c in r["calls"]) for r in records]
    seconds = [r["seconds"] for r in records]
    late = sum(any(c[1] != "used" for c in r["calls"]) for r in records)
    return [
        *found,
        Figure(name="mean time", value=sum(seconds) / total, count=total, unit="s"),
        Figure(name="mean tokens", value=sum(tokens) / total, count=total, unit="tokens"),
        Figure(name="with a call late, empty or failed", value=late / total, count=total),
    ]


def sections(args: Namespace, results: Results, model: str) -> dict[str, list[Figure]]:
    """Return all tables of the questions asked for."""
    tables: dict[str, list[Figure]] = {}

    def of(variant: str, lang: str, count: int) -> list[Record]:
        ids = {line["id"] for line in drawn(args.data, lang, count)}
        name = BUILT_IN if variant == BUILT_IN else model
        return [
            r
            for r in results.records
            if (r["model"], r["variant"], r["lang"]) == (name, variant, lang) and r["id"] in ids
        ]

    for lang in args.lang:
        own = of("plain", lang, args.questions)
        tables[f"{model} {lang}"] = figures(own, of(BUILT_IN, lang, args.questions))
    for lang in args.lang if args.table else ():
        for variant in VARIANTS:
            tables[f"{variant}, {lang}"] = row(of(variant, lang, args.table))
    return tables


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--model", type=Path, required=True, help="a GGUF file with a chat model")
    parser.add_argument("--questions", type=int, default=60, help="questions a language")
    parser.add_argument("--table", type=int, default=0, help="of these, for MQE and HyDE")
    parser.add_argument("--resume", type=Path, default=None, help="JSON lines to go on with")
    parser.add_argument("--lang", nargs="+", default=["en", "zh"], choices=["en", "zh"])
    args = parser.parse_args()
    with LocalModel(args.model, context=8192) as served:
        results = run(args, Endpoint(served.name, served.base_url))
    return finish(
        sections(args, results, args.model.stem),
        json_file=args.json,
        details={"records": results.records},
    )


if __name__ == "__main__":
    raise SystemExit(main())
