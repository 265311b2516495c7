"""Saying no: questions that the documents answer are answered, others are refused.

    python -m tests.evals.answerability --data DIR [--json FILE] [--lang en zh]
        [--sample 150] [--keep DIR] [--no-refine]

DIR holds `xquad/` and `financebench/`, as `tests.evals.xquad` and `tests.evals.financebench` want
them. Three kinds of questions are asked, without a language model:

- far: each set's questions of the other set's documents (some filings; each language's PDF);
- near: a PDF is made of half of the articles' contexts (every other title), and the questions of
  the other half are asked of it; and the other way round;
- answerable: questions of their own half, of the whole PDF, and of their own filing.

Of a kind and PDF, a fixed sample is asked. Questions of the halves are asked in the other language
too, for information.

`--keep` keeps the learners' data there, and a second run finds the documents loaded and refined;
after a change to reading, chunking or embedding, use another folder.

An answer is refused when its mode is. Per question the JSON has the scores that came with the
answer; the sweep printed says how well each of them tells the kinds apart, alone.
"""

import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.answer_features import Row, row_of, sweep, sweep_table
from tests.evals.context_pdf import write_articles
from tests.evals.filings import data_folder, filing_questions, filings_in, load
from tests.evals.refining import wait_refined
from tests.evals.report import Figure, arguments, finish, share
from tests.evals.xquad import find_pdf, read_questions

SAMPLE = 150
FAR_SAMPLE = 200
EVERY_FILING = 4  # so many filings share one chance to be among the documents
FAR_XQUAD, FAR_FINANCE = "far: XQuAD questions of filings", "far: filings' questions of XQuAD"
NEAR, OWN_HALF, WHOLE = "near: the other half", "answerable: own half", "answerable: whole PDF"
FILING = "answerable: own filing"
UNANSWERABLE = {FAR_XQUAD: 0.95, FAR_FINANCE: 0.95, NEAR: 0.80}
ANSWERABLE = {OWN_HALF: 0.05, WHOLE: 0.05, FILING: None}
OTHER = {"en": "zh", "zh": "en"}
Line = dict[str, Any]


def halves(lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines by article: every other title, in alphabetical order."""
    titles = sorted({line["article"] for line in lines})
    first = set(titles[::2])
    return (
        [line for line in lines if line["article"] in first],
        [line for line in lines if line["article"] not in first],
    )


def articles_of(lines: Sequence[Line]) -> dict[str, list[str]]:
    """Return the contexts by article title, each once."""
    out: dict[str, dict[str, None]] = {}
    for line in lines:
        out.setdefault(line["article"].replace("_", " "), {})[line["context"]] = None
    return {title: list(own) for title, own in out.items()}


def sampled(lines: Sequence[Line], number: int | None) -> list[Line]:
    """Return a fixed sample, or all."""
    if number is None or number >= len(lines):
        return list(lines)
    return random.Random(len(lines)).sample(list(lines), number)


def ask(
    assistant: PDFLearningAssistant,
    lines: Sequence[Line],
    *,
    group: str,
    lang: str,
    key: str = "question",
    documents: Sequence[str] | None = None,
) -> list[Row]:
    """Ask every question of all documents of the learner, or of `documents`."""
    return [
        row_of(
            assistant.ask(line[key], documents=documents),
            group=group,
            lang=lang,
            id=line["id"],
            answerable=group in ANSWERABLE,
        )
        for line in lines
    ]


def ask_filings(
    clerk: PDFLearningAssistant, ids: Mapping[str, str], lines: Sequence[Line]
) -> list[Row]:
    """Ask the questions of those filings that are loaded, each of its own."""
    return [
        row
        for doc, document_id in ids.items()
        for row in ask(
            clerk,
            [line for line in lines if line["doc"] == doc],
            group=FILING,
            lang="en→en",
            documents=[document_id],
        )
    ]


def run_near(
    services: Services, lines: Sequence[Line], lang: str, folder: Path, sample: int | None
) -> list[Row]:
    """Ask each half's PDF its own questions and those of the other half."""
    rows: list[Row] = []
    both = halves(lines)
    for i, (own, other) in enumerate((both, both[::-1])):
        path = folder / f"half_{lang}_{i + 1}.pdf"
        title = "Reading handbook" if lang == "en" else "阅读手册"
        write_articles(articles_of(own), path, title=title, lang=lang)
        assistant = PDFLearningAssistant(f"eval_half_{lang}_{i}", services=services)
        loaded = load(assistant, path)
        print(f"{path.name}: {loaded.pages} pages, {loaded.chunks} passages")
        wait_refined(services, assistant)
        for group, asked in ((NEAR, sampled(other, sample)), (OWN_HALF, sampled(own, sample))):
            rows += ask(assistant, asked, group=group, lang=f"{lang}→{lang}")
            across = f"{OTHER[lang]}→{lang}"
            rows += ask(assistant, asked, group=group, lang=across, key="question_other")
    return rows


def run_whole(
    services: Services,
    folder: Path,
    lines: Sequence[Line],
    finance: Sequence[Line],
    lang: str,
    sample: int | None,
) -> list[Row]:
    """Ask a language's whole PDF its own questions and those of the filings."""
    assistant = PDFLearningAssistant(f"eval_whole_{lang}", services=services)
    load(assistant, find_pdf(folder, lang))
    wait_refined(services, assistant)
    rows = ask(assistant, sampled(lines, sample), group=WHOLE, lang=f"{lang}→{lang}")
    return rows + ask(assistant, sampled(finance, sample), group=FAR_FINANCE, lang=f"en→{lang}")


def run(
    folder: Path, services: Services, languages: Sequence[str], sample: int | None
) -> list[Row]:
    """Return a row for every question asked. At most `sample` of a kind and PDF."""
    filings = filings_in(folder / "financebench")[::EVERY_FILING]
    finance = filing_questions(folder / "financebench")
    clerk = PDFLearningAssistant("eval_filings", services=services)
    ids = {file.stem: load(clerk, file).document_id for file in filings}
    print("filings: " + ", ".join(ids))
    print(wait_refined(services, clerk))
    rows = ask_filings(clerk, ids, finance)
    for lang in languages:
        lines = read_questions(folder / "xquad", lang)
        far = sampled(lines, min(FAR_SAMPLE, sample or FAR_SAMPLE))
        rows += ask(clerk, far, group=FAR_XQUAD, lang=f"{lang}→en")
        rows += run_whole(services, folder / "xquad", lines, finance, lang, sample)
        with tempfile.TemporaryDirectory(prefix="eval-halves-") as made:
            rows += run_near(services, lines, lang, Path(made), sample)
    return rows


def figures(rows: Sequence[Row]) -> list[Figure]:
    """Return the shares refused, by language and kind of question."""
    out = []
    for group in (*UNANSWERABLE, *ANSWERABLE):
        for lang in sorted({r.lang for r in rows if r.group == group}):
            own = [r for r in rows if (r.group, r.lang) == (group, lang)]
            bound = group.startswith("far") or lang in ("en→en", "zh→zh")
            out.append(
                Figure(
                    name=f"{group}, {lang}",
                    value=share(sum(r.refused for r in own), len(own)),
                    count=len(own),
                    floor=UNANSWERABLE.get(group) if bound else None,
                    ceiling=ANSWERABLE.get(group) if bound else None,
                )
            )
    return out


def details_of(rows: Sequence[Row]) -> Mapping[str, Any]:
    """Return what goes into the JSON beside the figures."""
    return {"rows": [asdict(r) for r in rows], "sweep": sweep(rows)}


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--lang", nargs="+", default=["en", "zh"], choices=["en", "zh"])
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help="at most N questions of a kind and PDF"
    )
    parser.add_argument("--keep", type=Path, default=None, help="folder that keeps the index")
    parser.add_argument("--no-refine", action="store_true", help="the instant index alone")
    args = parser.parse_args()
    with data_folder(args.keep, "eval-answerability-") as data_dir:
        settings = load_settings(
            env_file=None, data_dir=data_dir, refine_enabled=not args.no_refine
        )
        services = build_services(settings)
        try:
            rows = run(args.data, services, args.lang, args.sample)
        finally:
            services.close()
    print("\n" + sweep_table(sweep(rows)))
    return finish(
        {"Answerability: share refused": figures(rows)},
        json_file=args.json,
        details=dict(details_of(rows)),
    )


if __name__ == "__main__":
    raise SystemExit(main())
