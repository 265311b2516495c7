"""What the knowledge graph adds: facts read from sentences, and questions about connections.

    python -m tests.evals.graph [--data DIR] [--json FILE]

Three tables. *Reading*: precision and recall of extraction on our labelled sentences
(`graph_sentences.jsonl`). *Connections*: 50 questions of our own (`graph_questions.jsonl`), whose
answers stand in two to five sentences of the texts in `graph_texts/`, each in a passage of its
own; counted is how many of these sentences are in the first 5 and 10 passages, found by the
product's vectors and words alone, and with the graph. *Plain questions*: those whose answer is one
passage must not suffer. With `--data` (a folder like XQuAD's, see `tests/evals/xquad.py`) its
documents are loaded beside ours as distractors, and its questions are the plain ones.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tests.evals.environment  # noqa: F401

# isort: split
from core import adapters
from core.assistant import PDFLearningAssistant
from core.domain.job import JobKind
from core.graph.fusing import with_graph
from core.graph.rules import RuleExtractor
from core.rag.chunking import chunk_id_for
from core.rag.indexes import Index, Indexes
from core.rag.retrieval import Retriever
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import graph_sentences
from tests.evals.report import Figure, finish, share
from tests.evals.xquad import find_pdf, read_questions

QUESTIONS = Path(__file__).with_name("graph_questions.jsonl")
TEXTS = Path(__file__).with_name("graph_texts")
NAMES = {"en": ("orlen.md", "orlen_almanac.md"), "zh": ("奥岚.md", "奥岚年历.md")}
FIRST = (5, 10)
PRODUCT = "with graph"
TUTORIAL_WEIGHT = 0.3
GAIN_FLOOR = 0.1
"""So much more of the evidence is in the first 5 with the graph than without."""
PLAIN_LOSS = 0.01
_CANDIDATES = 100
_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the sentences that answer it together."""

    language: str
    kind: str
    question: str
    evidence: tuple[str, ...]


@dataclass(slots=True)
class Tally:
    """How much was found among the first passages: sentences, and questions with all of theirs."""

    sentences: int = 0
    questions: int = 0
    found: dict[int, int] = field(default_factory=lambda: dict.fromkeys(FIRST, 0))
    whole: dict[int, int] = field(default_factory=lambda: dict.fromkeys(FIRST, 0))

    def add(self, texts: Sequence[str], evidence: Sequence[str]) -> None:
        """Count a question whose passages have these texts, best first."""
        self.sentences += len(evidence)
        self.questions += 1
        for first in FIRST:
            there = sum(any(said in text for text in texts[:first]) for said in evidence)
            self.found[first] += there
            self.whole[first] += there == len(evidence)


def questions() -> list[Question]:
    """Return the relational questions."""
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    return [
        Question(row["language"], row["kind"], row["question"], tuple(row["evidence"]))
        for row in rows
    ]


class Finding:
    """Searches the documents of one learner, with and without the graph."""

    def __init__(self, services: Services, namespace: str) -> None:
        self._services = services
        self._namespace = namespace
        self._graph = services.memory_parts.graph
        engine = services.engine
        index = Index(adapters.make_embedder(services.settings), engine.index)
        self._retriever = Retriever(
            indexes=Indexes(index, lambda _: None), documents=engine.store, dictionary=None
        )
        self._documents = engine.documents(namespace=namespace)
        self._texts: dict[str, dict[str, str]] = {}
        for document in self._documents:
            ids = [chunk_id_for(document.id, i) for i in range(document.chunks)]
            self._texts[document.id] = {
                chunk.id: chunk.text.replace("\n", " ")
                for chunk in engine.store.chunks(ids, namespace=namespace)
            }

    def ranked(self, question: str) -> list[tuple[str, float]]:
        """Return (passage, score) by the product's vectors and words, best first."""
        found = self._retriever.retrieve(
            question, documents=self._documents, namespace=self._namespace, limit=_CANDIDATES
        ).found
        return sorted(((f.chunk.id, f.score) for f in found), key=lambda pair: -pair[1])

    def related(self, question: str) -> tuple[dict[str, float], float]:
        """Return how near passages are by the graph, and the weight that the graph should have."""
        weights: dict[str, float] = {}
        related = self._graph.related_passages(question, namespace=self._namespace, limit=40)
        for said in related.passages:
            for chunk_id, text in self._texts[said.document_id].items():
                if said.sentence in text:
                    weights[chunk_id] = max(weights.get(chunk_id, 0.0), said.score)
                    break
        return weights, related.weight

    def texts(self, ids: Sequence[str]) -> list[str]:
        """Return the texts of passages."""
        every = {i: text for texts in self._texts.values() for i, text in texts.items()}
        return [every[i] for i in ids]


@contextmanager
def learner(language: str, data: Path | None) -> Iterator[Finding]:
    """Yield what searches our text in a language, beside the distractors of `data`."""
    with tempfile.TemporaryDirectory(prefix="eval-graph-") as folder:
        settings = load_settings(
            env_file=None, data_dir=Path(folder), ocr_enabled=False, refine_enabled=False
        )
        services = build_services(settings)
        user = f"graph_{language}"
        assistant = PDFLearningAssistant(user, services=services)
        files = [TEXTS / name for name in NAMES[language]]
        files += [find_pdf(data, language)] if data is not None else []
        for file in files:
            done = assistant.load_document(str(file))
            if not done.success:
                raise SystemExit(f"{file}: {done.message}")
        namespace = f"pdf_{user}"
        if not services.jobs.wait_for_kind(JobKind.GRAPH, namespace=namespace, timeout=_SECONDS):
            raise SystemExit("the graph was not read")
        try:
            yield Finding(services, namespace)
        finally:
            services.close()


Run = dict[str, Tally]
"""Tallies by the way of finding."""


def _named(weights: Sequence[float], own: float) -> list[tuple[str, float]]:
    """Return the ways to weigh the graph: fixed ones, and as the product does."""
    return [*((f"graph at {weight:g}", weight) for weight in weights), (PRODUCT, own)]


def connections(finding: Finding, asked: Sequence[Question], weights: Sequence[float]) -> Run:
    """Return how much evidence is found without the graph and with it at each weight."""
    out: Run = {"vectors alone": Tally()}
    for question in asked:
        ranked = finding.ranked(question.question)
        related, own = finding.related(question.question)
        plain = finding.texts([chunk_id for chunk_id, _ in ranked])
        out["vectors alone"].add(plain, question.evidence)
        for name, weight in _named(weights, own):
            order = with_graph(ranked, related, weight=weight)
            out.setdefault(name, Tally()).add(finding.texts(order), question.evidence)
    return out


def plain_questions(
    finding: Finding, language: str, data: Path, weights: Sequence[float]
) -> dict[str, list[bool]]:
    """Return for each question of one passage whether its answer is in the first 5 passages."""
    out: dict[str, list[bool]] = {}
    for row in read_questions(data, language):
        answers = [a for a in row.get("answers", ()) if a]
        if not answers:
            continue
        ranked, (related, own) = finding.ranked(row["question"]), finding.related(row["question"])
        orders = {"vectors alone": [chunk_id for chunk_id, _ in ranked]}
        for name, weight in _named(weights, own):
            orders[name] = with_graph(ranked, related, weight=weight)
        for name, order in orders.items():
            texts = finding.texts(order[:5])
            there = any(answer in text for answer in answers for text in texts)
            out.setdefault(name, []).append(there)
    return out


def figures_of(run: Run, language: str) -> list[Figure]:
    """Return the figures of the relational questions; the product's weight has a bound."""
    plain = run["vectors alone"]
    out = []
    for name, tally in run.items():
        for first in FIRST:
            before = share(plain.found[first], plain.sentences) or 0.0
            bounded = name == PRODUCT and first == FIRST[0]
            out.append(
                Figure(
                    name=f"{language} evidence in first {first}, {name}",
                    value=share(tally.found[first], tally.sentences),
                    count=tally.sentences,
                    floor=before + GAIN_FLOOR if bounded else None,
                )
            )
            out.append(
                Figure(
                    name=f"{language} all evidence in first {first}, {name}",
                    value=share(tally.whole[first], tally.questions),
                    count=tally.questions,
                )
            )
    return out


def run_all(
    data: Path | None, weights: Sequence[float] = (TUTORIAL_WEIGHT,)
) -> tuple[dict[str, Sequence[Figure]], dict[str, Any]]:
    """Return all figures by section, and details."""
    reading, notes = graph_sentences.figures(RuleExtractor())
    sections: dict[str, Sequence[Figure]] = {"Reading": reading}
    details: dict[str, Any] = {"reading": notes}
    found: list[Figure] = []
    plain: list[Figure] = []
    for language in NAMES:
        asked = [q for q in questions() if q.language == language]
        with learner(language, data) as finding:
            run = connections(finding, asked, weights)
            found += figures_of(run, language)
            for kind in sorted({q.kind for q in asked}):
                own = connections(finding, [q for q in asked if q.kind == kind], weights)
                details[f"{language} {kind}"] = {
                    name: {str(f): t.found[f] / t.sentences for f in FIRST}
                    for name, t in own.items()
                }
            if data is not None:
                answered = plain_questions(finding, language, data, weights)
                plain += _plain_figures(answered, language)
    sections["Connections"] = found
    if plain:
        sections["Plain questions"] = plain
    return sections, details


def _plain_figures(answered: dict[str, list[bool]], language: str) -> list[Figure]:
    before = share(sum(answered["vectors alone"]), len(answered["vectors alone"])) or 0.0
    return [
        Figure(
            name=f"{language} answer in first 5, {name}",
            value=share(sum(hits), len(hits)),
            count=len(hits),
            floor=before - PLAIN_LOSS if name == PRODUCT else None,
        )
        for name, hits in answered.items()
    ]


def main() -> int:
    """Run the eval; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with distractors and plain questions")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--weights", nargs="+", type=float, default=[TUTORIAL_WEIGHT])
    args = parser.parse_args()
    sections, details = run_all(args.data, args.weights)
    for note in details["reading"]:
        print(note)
    return finish(sections, json_file=args.json, details=details)


if __name__ == "__main__":
    raise SystemExit(main())
