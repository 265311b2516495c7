"""Answers and their proof, on a folder like XQuAD: page, sentence, quote, boxes.

    python -m tests.evals.xquad --data DIR [--json FILE] [--lang en zh] [--limit N]
        [--no-refine] [--keep DIR]

DIR holds `xquad_en_*.pdf`, `xquad_zh_*.pdf` and `*.jsonl` with one question a line: `id`, `lang`,
`question`, `question_other` (the same in the other language), `answers`, `page` (1-based, may be
null). Each language's PDF is loaded for a learner of its own, and every question of that language
is asked through `PDFLearningAssistant.ask` without a language model, once in the PDF's language and
once in the other one, when the refining tier has all passages (`--no-refine`: the instant tier
alone). `--keep` keeps the data, so that a second run need not load and refine again.

The judging is done with nothing of the product: an own splitter, an own reading by pypdfium2.
"""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer, Citation
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.filings import data_folder
from tests.evals.pdf_letters import PdfLetters, crossing, letters, text_of
from tests.evals.refining import wait_refined
from tests.evals.report import Figure, arguments, finish, percentile, share
from tests.evals.sentences import split_sentences

MEAN_QUOTE = {"en": 180, "zh": 70}  # longest mean length of a quote, characters
MOST_QUOTES = 3  # of an answer; later ones are not looked at
CROSSINGS = ("nothing", "lines", "columns", "pages")


@dataclass(slots=True)
class Tally:
    """What was counted over the questions of one language."""

    questions: int = 0
    cited: int = 0
    paged: int = 0
    page_at_1: int = 0
    page_at_5: int = 0
    other_paged: int = 0
    other_at_1: int = 0
    other_at_5: int = 0
    first_found: int = 0
    other_answers: int = 0
    other_found: int = 0
    other_first: int = 0
    other_citations: int = 0
    other_verbatim: int = 0
    answers: int = 0
    answers_found: int = 0
    short_answers: int = 0
    short_found: int = 0
    citations: int = 0
    removed: int = 0
    verbatim: int = 0
    too_many: int = 0
    over_one_sentence: int = 0
    lengths: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    boxed: Counter[str] = field(default_factory=Counter)
    boxed_right: Counter[str] = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)


def find_pdf(folder: Path, lang: str) -> Path:
    """Return the PDF of a language."""
    found = sorted(folder.glob(f"xquad_{lang}_*.pdf"))
    if len(found) != 1:
        raise SystemExit(f"expected one xquad_{lang}_*.pdf in {folder}, found {len(found)}")
    return found[0]


def read_questions(folder: Path, lang: str) -> list[dict[str, Any]]:
    """Return the question lines of a language from every `.jsonl` of the folder."""
    lines = [
        json.loads(line)
        for file in sorted(folder.glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    return [line for line in lines if line.get("lang") == lang]


def judge(tally: Tally, pdf: PdfLetters, line: dict[str, Any], answer: Answer) -> None:
    """Count one answer, and keep what went wrong with it."""
    wrong: list[str] = []
    tally.questions += 1
    tally.removed += answer.removed
    tally.too_many += len(answer.citations) > MOST_QUOTES
    if answer.citations:
        tally.cited += 1
    else:
        wrong.append("no citation")
    if line["page"] is not None:
        tally.paged += 1
        pages = [p.page for p in answer.passages[:5]]
        tally.page_at_1 += line["page"] in pages[:1]
        tally.page_at_5 += line["page"] in pages
        if line["page"] not in pages[:1]:
            wrong.append("page@1")
        if line["page"] not in pages:
            wrong.append("page@5")
    for citation in answer.citations:
        wrong += judge_citation(tally, pdf, citation)
    if not judge_gold(tally, line["answers"], answer.citations):
        wrong.append("gold")
    if wrong:
        tally.failures.append(failure(line, answer, wrong))


def judge_gold(tally: Tally, gold: Sequence[str], citations: Sequence[Citation]) -> bool:
    """Count whether a gold answer lies in a cited sentence; very short ones are counted apart."""
    quotes = [
        letters(c.quote) for c in citations[:MOST_QUOTES] if len(split_sentences(c.quote)) <= 1
    ]
    wanted = [letters(text) for text in gold]
    telling = [text for text in wanted if len(text) > 2]
    found = any(text in quote for text in telling or wanted if text for quote in quotes)
    if telling:
        tally.answers += 1
        tally.answers_found += found
        tally.first_found += any(text in quote for text in telling for quote in quotes[:1])
    else:
        tally.short_answers += 1
        tally.short_found += found
    return found


def judge_other(tally: Tally, pdf: PdfLetters, line: dict[str, Any], answer: Answer) -> None:
    """Count the answer to a question in the other language."""
    if line["page"] is not None:
        pages = [p.page for p in answer.passages[:5]]
        tally.other_paged += 1
        tally.other_at_1 += line["page"] in pages[:1]
        tally.other_at_5 += line["page"] in pages
    quotes = [letters(c.quote) for c in answer.citations[:MOST_QUOTES]]
    telling = [text for text in map(letters, line["answers"]) if len(text) > 2]
    if telling:
        tally.other_answers += 1
        tally.other_found += any(text in quote for text in telling for quote in quotes)
        tally.other_first += any(text in quote for text in telling for quote in quotes[:1])
    for citation in answer.citations:
        tally.other_citations += 1
        tally.other_verbatim += pdf.holds(citation.quote, citation.pages)


def judge_citation(tally: Tally, pdf: PdfLetters, citation: Citation) -> list[str]:
    """Count one citation: sentence, length, verbatim on its pages, boxes read back."""
    wrong: list[str] = []
    tally.citations += 1
    tally.lengths.append(len(citation.quote))
    if len(split_sentences(citation.quote)) > 1:
        tally.over_one_sentence += 1
        wrong.append(f"[{citation.number}] more than one sentence")
    if citation.page == citation.pages[0] and pdf.holds(citation.quote, citation.pages):
        tally.verbatim += 1
    else:
        wrong.append(f"[{citation.number}] not verbatim on {citation.pages}")
    read = pdf.read_back(citation.boxes, citation.pages)
    kind = "pages" if len(citation.pages) > 1 else crossing(read)
    tally.boxed[kind] += 1
    if text_of(read) == letters(citation.quote):
        tally.boxed_right[kind] += 1
    else:
        wrong.append(f"[{citation.number}] boxes read back as {text_of(read)!r}")
    return wrong


def failure(line: dict[str, Any], answer: Answer, wrong: list[str]) -> dict[str, Any]:
    """Return what one wants to read about a question that failed somewhere."""
    return {
        "id": line["id"],
        "wrong": wrong,
        "question": line["question"],
        "gold": line["answers"],
        "page": line["page"],
        "citations": [
            {"page": c.page, "score": round(c.score, 3), "quote": c.quote} for c in answer.citations
        ],
        "passages": [
            {
                "page": p.page,
                "score": round(p.score, 3),
                "scores": {k: round(v, 3) for k, v in p.scores.items()},
                "text": p.text[:160],
            }
            for p in answer.passages[:5]
        ],
    }


def figures(lang: str, tally: Tally) -> list[Figure]:
    """Return the figures of one language with their bounds."""
    t = tally
    proofs = t.citations + t.removed
    mean = sum(t.lengths) / len(t.lengths) if t.lengths else None
    boxed, right = sum(t.boxed.values()), sum(t.boxed_right.values())
    found = [
        Figure(name="page@1", value=share(t.page_at_1, t.paged), count=t.paged, floor=0.97),
        Figure(name="page@5", value=share(t.page_at_5, t.paged), count=t.paged, floor=0.998),
        Figure(
            name="gold answer in a cited sentence",
            value=share(t.answers_found, t.answers),
            count=t.answers,
            floor=0.94,
        ),
        Figure(
            name="gold answer in the first cited sentence",
            value=share(t.first_found, t.answers),
            count=t.answers,
            floor=0.83,
        ),
        Figure(
            name="the same, answers of at most two letters",
            value=share(t.short_found, t.short_answers),
            count=t.short_answers,
        ),
        Figure(
            name="mean length of a quote",
            value=mean,
            count=t.citations,
            ceiling=MEAN_QUOTE[lang],
            unit="characters",
        ),
        Figure(
            name="quotes of more than one sentence",
            value=share(t.over_one_sentence, t.citations),
            count=t.citations,
        ),
        Figure(
            name="answers with more than three citations",
            value=share(t.too_many, t.questions),
            count=t.questions,
            ceiling=0.0,
        ),
        Figure(
            name="questions with a citation",
            value=share(t.cited, t.questions),
            count=t.questions,
            floor=0.99,
        ),
        Figure(
            name="citations removed by the proof",
            value=share(t.removed, proofs),
            count=proofs,
            ceiling=0.01,
        ),
        Figure(name="verbatim", value=share(t.verbatim, t.citations), count=t.citations, floor=1.0),
        Figure(name="boxes read back", value=share(right, boxed), count=boxed, floor=0.995),
    ]
    found += [
        Figure(
            name=f"  quotes that cross {kind}",
            value=share(t.boxed_right[kind], t.boxed[kind]),
            count=t.boxed[kind],
            floor=0.995,
        )
        for kind in CROSSINGS
        if t.boxed[kind]
    ]
    found += other_figures(t)
    found += [
        Figure(
            name=f"question, p{percent}",
            value=None if (p := percentile(t.seconds, percent)) is None else p * 1000,
            count=len(t.seconds),
            unit="ms",
        )
        for percent in (50, 95)
    ]
    return found


def other_figures(t: Tally) -> list[Figure]:
    """Return the figures of questions in the other language than the PDF's."""
    rows = (
        ("page@1", t.other_at_1, t.other_paged, 0.90),
        ("page@5", t.other_at_5, t.other_paged, 0.985),
        ("gold answer in a cited sentence", t.other_found, t.other_answers, 0.78),
        ("gold answer in the first", t.other_first, t.other_answers, None),
        ("verbatim", t.other_verbatim, t.other_citations, 1.0),
    )
    return [
        Figure(
            name=f"asked in the other language: {name}",
            value=share(hits, count),
            count=count,
            floor=floor,
        )
        for name, hits, count, floor in rows
    ]


def run_language(services: Services, pdf: Path, lang: str, lines: list[dict[str, Any]]) -> Tally:
    """Load the PDF for a learner of its own and ask every question."""
    assistant = PDFLearningAssistant(f"eval_{lang}", services=services)
    loaded = assistant.load_document(str(pdf))
    if not loaded.success:
        raise SystemExit(f"{pdf} was refused: {loaded.message}")
    print(f"{pdf.name}: {loaded.pages} pages, {loaded.chunks} passages, {loaded.seconds:.2f} s")
    print(wait_refined(services, assistant))
    tally = Tally()
    letters_of = PdfLetters(pdf)
    for line in lines:
        begin = time.perf_counter()
        answer = assistant.ask(line["question"])
        tally.seconds.append(time.perf_counter() - begin)
        judge(tally, letters_of, line, answer)
    for line in lines:
        if line.get("question_other"):
            judge_other(tally, letters_of, line, assistant.ask(line["question_other"]))
    letters_of.close()
    return tally


def run(
    folder: Path, languages: Sequence[str], limit: int | None, *, refine: bool, keep: Path | None
) -> dict[str, Tally]:
    """Return the tally of each language."""
    with data_folder(keep, "eval-xquad-") as data_dir:
        settings = load_settings(env_file=None, data_dir=data_dir, refine_enabled=refine)
        services = build_services(settings)
        try:
            return {
                lang: run_language(
                    services, find_pdf(folder, lang), lang, read_questions(folder, lang)[:limit]
                )
                for lang in languages
            }
        finally:
            services.close()


def main() -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--lang", nargs="+", default=["en", "zh"], choices=["en", "zh"])
    parser.add_argument("--limit", type=int, default=None, help="only the first N questions")
    parser.add_argument("--no-refine", action="store_true", help="the instant tier alone")
    parser.add_argument("--keep", type=Path, default=None, help="folder that keeps the data")
    args = parser.parse_args()
    tallies = run(args.data, args.lang, args.limit, refine=not args.no_refine, keep=args.keep)
    return finish(
        {f"XQuAD {lang}": figures(lang, tally) for lang, tally in tallies.items()},
        json_file=args.json,
        details={"failures": {lang: tally.failures for lang, tally in tallies.items()}},
    )


if __name__ == "__main__":
    raise SystemExit(main())
