"""The page with the evidence, in long real filings full of tables.

    python -m tests.evals.financebench --data DIR [--json FILE] [--keep DIR] [--no-refine]

DIR holds `pdfs/*.pdf` and `questions.jsonl` with one question a line: `id`, `doc` (a file name
without `.pdf`), `question`, `type`, `pages` (1-based physical pages with the evidence). All files
are loaded by one learner, and every question is asked of its own document through
`PDFLearningAssistant.ask` without a language model. A passage counts for the page on which its best
window begins.

`--keep` keeps the learner's data there, and a second run finds the documents loaded and refined;
after a change to reading, chunking or embedding, use another folder.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.answer_features import row_of
from tests.evals.filings import KS, count_hits, data_folder, filing_questions, filings_in, load
from tests.evals.refining import tiers_told, wait_refined
from tests.evals.report import Figure, arguments, finish, percentile, share

FLOORS = {1: 0.40, 5: 0.72, 10: 0.85}
MOST_REFUSED = 0.05


@dataclass(slots=True)
class Tally:
    """What was counted over the questions of one type, or all."""

    asked: int = 0
    hits: Counter[int] = field(default_factory=Counter)
    cited: int = 0
    refused: int = 0


@dataclass(slots=True)
class Measured:
    """What was measured over all filings."""

    pages: int = 0
    load_seconds: float = 0.0
    refine_seconds: float = 0.0
    all: Tally = field(default_factory=Tally)
    by_type: dict[str, Tally] = field(default_factory=dict)
    seconds: list[float] = field(default_factory=list)
    tiers: Counter[str] = field(default_factory=Counter)
    rows: list[dict[str, Any]] = field(default_factory=list)


def judge(measured: Measured, line: dict[str, Any], answer: Answer) -> None:
    """Count one answer, over all and for its type."""
    cited = [c.page for c in answer.citations]
    row = row_of(answer, group=line["type"], lang="en→en", id=line["id"], answerable=True)
    rank = None
    for tally in (measured.all, measured.by_type.setdefault(line["type"], Tally())):
        tally.asked += 1
        rank = count_hits(tally.hits, answer.passages, line["pages"])
        tally.cited += bool(set(cited) & set(line["pages"]))
        tally.refused += row.refused
    measured.tiers.update(tiers_told(answer))
    measured.rows.append(
        asdict(row)
        | {
            "doc": line["doc"],
            "evidence": line["pages"],
            "rank": rank,
            "pages": [p.page for p in answer.passages],
            "cited": cited,
        }
    )


def run(folder: Path, services: Services, limit: int | None = None) -> Measured:
    """Load all filings, wait until they are refined, ask every question."""
    measured = Measured()
    services.warm_up()  # as the application does at its start
    assistant = PDFLearningAssistant("eval_financebench", services=services)
    ids: dict[str, str] = {}
    began = time.perf_counter()
    for file in filings_in(folder, limit):
        loaded = load(assistant, file)
        ids[file.stem] = loaded.document_id
        measured.pages += loaded.pages
        print(
            f"{file.name}: {loaded.pages} pages, {loaded.chunks} passages, {loaded.seconds:.1f} s"
            + (", was there already" if loaded.duplicate else "")
        )
    measured.load_seconds = time.perf_counter() - began
    began = time.perf_counter()
    print(wait_refined(services, assistant))
    measured.refine_seconds = time.perf_counter() - began
    for line in filing_questions(folder, list(ids)):
        began = time.perf_counter()
        answer = assistant.ask(line["question"], documents=[ids[line["doc"]]])
        measured.seconds.append(time.perf_counter() - began)
        judge(measured, line, answer)
    return measured


def figures(measured: Measured) -> list[Figure]:
    """Return the figures with their bounds: over all questions, then by type."""
    every = measured.all
    found = [
        Figure(
            name=f"evidence page in the first {k}",
            value=share(every.hits[k], every.asked),
            count=every.asked,
            floor=FLOORS[k],
        )
        for k in KS
    ]
    found += [
        Figure(
            name=f"  {name}: in the first {k}",
            value=share(tally.hits[k], tally.asked),
            count=tally.asked,
        )
        for name, tally in sorted(measured.by_type.items())
        for k in KS
    ]
    found += [
        Figure(
            name="evidence page among the cited pages",
            value=share(every.cited, every.asked),
            count=every.asked,
        ),
        Figure(
            name="refused",
            value=share(every.refused, every.asked),
            count=every.asked,
            ceiling=MOST_REFUSED,
        ),
        Figure(name="loading", value=measured.load_seconds, count=measured.pages, unit="s"),
        Figure(name="refining", value=measured.refine_seconds, count=measured.pages, unit="s"),
    ]
    return found + [
        Figure(
            name=f"question, p{percent}",
            value=None if (p := percentile(measured.seconds, percent)) is None else p * 1000,
            count=len(measured.seconds),
            unit="ms",
        )
        for percent in (50, 95)
    ]


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--keep", type=Path, default=None, help="folder that keeps the index")
    parser.add_argument("--no-refine", action="store_true", help="the instant index alone")
    parser.add_argument("--limit", type=int, default=None, help="only the first N files")
    args = parser.parse_args(argv)
    with data_folder(args.keep, "eval-financebench-") as data_dir:
        settings = load_settings(
            env_file=None, data_dir=data_dir, refine_enabled=not args.no_refine
        )
        services = build_services(settings)
        try:
            measured = run(args.data, services, args.limit)
        finally:
            services.close()
    told = ", ".join(f"{name} ({n} questions)" for name, n in sorted(measured.tiers.items()))
    print(f"\nIndexes searched: {told or 'not told'}")
    return finish(
        {"FinanceBench": figures(measured)},
        json_file=args.json,
        details={"rows": measured.rows, "tiers": dict(measured.tiers)},
    )


if __name__ == "__main__":
    raise SystemExit(main())
