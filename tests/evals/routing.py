"""How well the rules tell where an answer is looked for.

    python -m tests.evals.routing [--data DIR]

Without data: our own labelled questions (`routing_questions.jsonl`). With `--data`, every
question in the JSONL files below that folder is one about content (XQuAD, FinanceBench): the share
sent elsewhere must be below .003, and no model must be needed to say so.
"""

import argparse
import json
import sys
from pathlib import Path

from core.domain.answer import Route
from core.memory.routing import Routing, route
from tests.evals.report import Figure, finish, share

QUESTIONS = Path(__file__).with_name("routing_questions.jsonl")
FLOOR = 0.95
SENT_ELSEWHERE = 0.003
UNCERTAIN = 0.05


def read(path: Path) -> list[dict[str, str]]:
    """Return the rows of a JSONL file that have a question."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if "question" in row]


def labelled(rows: list[dict[str, str]]) -> tuple[list[Figure], list[str]]:
    """Return the accuracy of each language and class, and the questions that went wrong."""
    routed = [(row, route(row["question"])) for row in rows]
    wrong = [
        f"{row['language']} {row['route']} -> {got.route.value} ({got.why}): {row['question']}"
        for row, got in routed
        if got.route.value != row["route"]
    ]
    figures = []
    for language in ("en", "zh"):
        of_language = [(r, got) for r, got in routed if r["language"] == language]
        figures.append(_accuracy(f"{language}", of_language))
        for name in Route:
            of_class = [(r, got) for r, got in of_language if r["route"] == name.value]
            figures.append(_accuracy(f"{language}, {name.value}", of_class))
    return figures, wrong


def _accuracy(name: str, routed: list[tuple[dict[str, str], Routing]]) -> Figure:
    right = sum(got.route.value == row["route"] for row, got in routed)
    return Figure(name=name, value=share(right, len(routed)), count=len(routed), floor=FLOOR)


def about_content(questions: list[str]) -> tuple[list[Figure], list[str]]:
    """Return the share of questions about content that is sent elsewhere, and which they are."""
    routed = [(question, route(question)) for question in questions]
    wrong = [f"{got.route.value}: {q}" for q, got in routed if got.route is not Route.DOCUMENTS]
    unsure = sum(not got.certain for _, got in routed)
    return [
        Figure(
            name="sent elsewhere",
            value=share(len(wrong), len(routed)),
            count=len(routed),
            ceiling=SENT_ELSEWHERE,
        ),
        Figure(
            name="not certain",
            value=share(unsure, len(routed)),
            count=len(routed),
            ceiling=UNCERTAIN,
        ),
    ], wrong


def main() -> int:
    """Run the eval; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with JSONL files of content questions")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    figures, wrong = labelled(read(QUESTIONS))
    sections = {"Our own questions": figures}
    if options.data is not None:
        files = sorted(options.data.rglob("*.jsonl"))
        questions = [row["question"] for file in files for row in read(file)]
        sections["Questions about content"], elsewhere = about_content(questions)
        wrong += elsewhere
    print("\n".join(wrong))
    return finish(sections, json_file=options.json, details={"wrong": wrong})


if __name__ == "__main__":
    sys.exit(main())
