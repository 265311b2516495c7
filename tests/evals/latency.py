"""How long an answer takes when many learners share the store.

    python -m tests.evals.latency --data DIR [--json FILE] [--learners 200] [--passages 500]

DIR holds `xquad/` and `financebench/`. Three learners load real PDFs, in the usual way: a
language's and a short filing, or a longer one. The others' documents are written through the
product's indexing with text drawn from those PDFs and random vectors (see `tests.evals.crowd`).
Then questions about the real PDFs are asked through `PDFLearningAssistant.ask`, without a language
model, with everything that an ask does: vectors, words, proof on the page, record, memory.

The same is done in a copy of the data from when there were few learners. Questions go to one and
the other in turn, so that both are measured under the same load; so does the search alone.
"""

import shutil
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import tests.evals.environment  # noqa: F401

# isort: split
from core.assistant import PDFLearningAssistant
from core.ports.embedder import Vectors
from core.ports.vector_store import Tier
from core.rag.retrieval import WINDOW_KIND
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals.crowd import Crowd, RandomEmbedder, add_learner, folder_bytes, sentence_pool
from tests.evals.filings import filing_questions, filings_in, load
from tests.evals.refining import wait_refined
from tests.evals.report import Figure, arguments, finish, percentile
from tests.evals.xquad import find_pdf, read_questions

FEW = 10
LEARNERS = 200
PASSAGES = 500
QUESTIONS = 100
NEAREST = 200  # windows, as the product asks for
INSTANT_DIMENSION, REFINED_DIMENSION = 512, 384
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Asker:
    """A learner with real documents, and questions about the first."""

    assistant: PDFLearningAssistant
    ids: list[str]
    chunks: int
    texts: list[str]
    questions: list[str]


@dataclass(slots=True)
class Timed:
    """Seconds in one store; `search` by tier. `foreign` are passages of other learners found."""

    ask: list[float] = field(default_factory=list)
    ask_cpu: list[float] = field(default_factory=list)
    search: dict[str, list[float]] = field(default_factory=dict)
    foreign: int = 0


@dataclass(slots=True)
class Measured:
    """What was measured. Seconds."""

    build: float = 0.0
    passages: int = 0
    windows: int = 0
    learners: int = 0
    store: int = 0
    records: int = 0
    few: Timed = field(default_factory=Timed)
    many: Timed = field(default_factory=Timed)


def make_asker(services: Services, files: Sequence[Path], questions: Sequence[str]) -> Asker:
    """Load PDFs for a learner of their own."""
    assistant = PDFLearningAssistant(f"asker_{files[0].stem}", services=services)
    loaded = [load(assistant, file) for file in files]
    chunks = sum(one.chunks for one in loaded)
    texts = [
        assistant.page(one.document_id, n).text for one in loaded for n in range(1, one.pages + 1)
    ]
    refined = wait_refined(services, assistant)
    print(f"{' and '.join(file.name for file in files)}: {chunks} passages, {refined}")
    return Asker(assistant, [one.document_id for one in loaded], chunks, texts, list(questions))


def make_askers(services: Services, folder: Path, questions: int) -> list[Asker]:
    """Return a learner for each language's PDF, beside a short filing, and one for a longer one."""
    filings = sorted(filings_in(folder / "financebench"), key=lambda f: f.stat().st_size)
    short, longer = filings[: len(filings) // 3 + 1], filings[len(filings) // 2]
    out = []
    for i, lang in enumerate(("en", "zh")):
        files = [find_pdf(folder / "xquad", lang), short[-1 - i % len(short)]]
        lines = read_questions(folder / "xquad", lang)[:questions]
        out.append(make_asker(services, files, [line["question"] for line in lines]))
    every = filing_questions(folder / "financebench")
    asked = [line["question"] for line in every if line["doc"] == longer.stem]
    return [*out, make_asker(services, [longer], asked or [every[0]["question"]])]


def time_ask(asker: Asker, assistant: PDFLearningAssistant, question: str, into: Timed) -> None:
    """Ask once, and count passages that are not the learner's."""
    used, began = time.process_time(), time.perf_counter()
    answer = assistant.ask(question)
    into.ask.append(time.perf_counter() - began)
    into.ask_cpu.append(time.process_time() - used)
    into.foreign += sum(p.document_id not in asker.ids for p in answer.passages)


def time_search(services: Services, asker: Asker, tier: Tier, vector: Vectors, into: Timed) -> None:
    """Search once in the learner's namespace."""
    where = {"kind": WINDOW_KIND, "document_id": asker.ids}
    namespace = asker.assistant.namespace
    began = time.perf_counter()
    services.engine.index.search(vector, namespace=namespace, where=where, limit=NEAREST, tier=tier)
    into.search.setdefault(tier.value, []).append(time.perf_counter() - began)


def compare(askers: Sequence[Asker], pair: Sequence[tuple[Services, Timed]]) -> None:
    """Ask every question and search for it in each of the two stores, in turn."""
    tiers = dimensions(pair[0][0], askers[0])
    for i in range(max(len(a.questions) for a in askers)):
        for asker in askers:
            question = asker.questions[i % len(asker.questions)]
            for services, timed in pair[:: 1 if i % 2 else -1]:
                user = asker.assistant.user_id
                time_ask(asker, PDFLearningAssistant(user, services=services), question, timed)
            for tier, dimension in tiers.items():
                vector = RandomEmbedder("any", dimension).embed_query(question)
                for services, timed in pair[:: 1 if i % 2 else -1]:
                    time_search(services, asker, tier, vector, timed)


def dimensions(services: Services, asker: Asker) -> dict[Tier, int]:
    """Return the length of the vectors of each tier that the learner's index has."""
    index, namespace = services.engine.index, asker.assistant.namespace
    known = {Tier.INSTANT: INSTANT_DIMENSION, Tier.REFINED: REFINED_DIMENSION}
    return {t: n for t, n in known.items() if index.count(namespace=namespace, where={}, tier=t)}


def add_crowd(
    services: Services, askers: Sequence[Asker], measured: Measured, *, goal: int, passages: int
) -> None:
    """Add learners until there are so many."""
    instant = RandomEmbedder(services.status.embedder, INSTANT_DIMENSION)
    is_refined = Tier.REFINED in dimensions(services, askers[0])
    crowd = Crowd(instant, RandomEmbedder("refined", REFINED_DIMENSION) if is_refined else None)
    pools = [sentence_pool(asker.texts) for asker in askers]
    began = time.perf_counter()
    while measured.learners < goal:
        seed = measured.learners
        made = add_learner(services, crowd, pools[seed % len(pools)], seed, passages)
        measured.passages += made.chunks
        measured.learners += 1
    measured.build += time.perf_counter() - began
    measured.windows += instant.texts
    print(f"{measured.learners} learners, {measured.passages} passages: {measured.build:.0f} s")


def run(
    folder: Path,
    data_dir: Path,
    *,
    learners: int,
    passages: int,
    few: int,
    questions: int,
    refine: bool = True,
) -> Measured:
    """Measure with all learners, and in a copy with few of them."""
    measured = Measured()
    with ExitStack() as stack:

        def opened(name: str) -> Services:
            settings = load_settings(env_file=None, data_dir=data_dir / name, refine_enabled=refine)
            services = build_services(settings)
            stack.callback(services.close)
            return services

        many = opened("many")
        many.warm_up()
        askers = make_askers(many, folder, questions)
        measured.learners, measured.passages = len(askers), sum(a.chunks for a in askers)
        add_crowd(many, askers, measured, goal=few, passages=passages)
        many.close()
        shutil.copytree(data_dir / "many", data_dir / "few")
        add_crowd(many, askers, measured, goal=learners, passages=passages)
        copy = opened("few")
        copy.warm_up()
        first = [replace(asker, questions=asker.questions[:3]) for asker in askers]
        compare(first, ((many, Timed()), (copy, Timed())))  # what is slow only once
        compare(askers, ((many, measured.many), (copy, measured.few)))
        measured.store = folder_bytes(data_dir / "many")
        measured.records = folder_bytes(data_dir / "many", "*.sqlite3*")
    return measured


def figures(measured: Measured) -> list[Figure]:
    """Return the figures with their bounds."""
    m = measured
    found = [
        Figure(
            name=f"question, {name}, p{percent}",
            value=milliseconds(values, percent),
            count=len(values),
            unit="ms",
            ceiling=ceiling,
        )
        for name, values, ceilings in (
            ("all learners", m.many.ask, (60, 200)),
            ("all learners, processor time", m.many.ask_cpu, (None, None)),
            ("few learners", m.few.ask, (None, None)),
        )
        for percent, ceiling in zip((50, 95), ceilings, strict=True)
    ]
    for tier, few in m.few.search.items():
        many = m.many.search[tier]
        a, b = percentile(few, 50), percentile(many, 50)
        found += [
            Figure(name=f"search, {tier}, few learners, p50", value=milliseconds(few), unit="ms"),
            Figure(name=f"search, {tier}, all learners, p50", value=milliseconds(many), unit="ms"),
            Figure(
                name=f"search, {tier}, all in relation to few",
                value=b / a if a and b else None,
                count=len(many),
                ceiling=1.3,
            ),
        ]
    foreign = m.many.foreign + m.few.foreign
    found += [
        Figure(name="passages of other learners found", value=foreign, ceiling=0),
        Figure(name="passages in the store", value=m.passages, count=m.learners),
        Figure(name="windows of the crowd", value=m.windows),
        Figure(name="data folder", value=m.store / MIB, unit="MB"),
        Figure(name="  of it records and text", value=m.records / MIB, unit="MB"),
        Figure(name="writing the crowd", value=m.build, unit="s"),
    ]
    return found


def milliseconds(values: Sequence[float], percent: int = 50) -> float | None:
    """Return a percentile of seconds in milliseconds."""
    found = percentile(values, percent)
    return None if found is None else found * 1000


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures; return 1 when a bound is missed."""
    parser = arguments(__doc__)
    parser.add_argument("--learners", type=int, default=LEARNERS)
    parser.add_argument("--passages", type=int, default=PASSAGES, help="of each of the crowd")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="of each learner")
    parser.add_argument("--no-refine", action="store_true", help="the instant index alone")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="eval-latency-") as data_dir:
        measured = run(
            args.data,
            Path(data_dir),
            learners=args.learners,
            passages=args.passages,
            few=FEW,
            questions=args.questions,
            refine=not args.no_refine,
        )
    details = {"few": asdict(measured.few), "many": asdict(measured.many)}
    return finish({"Latency": figures(measured)}, json_file=args.json, details=details)


if __name__ == "__main__":
    raise SystemExit(main())
