"""The floors of routing, on our own questions."""

import json
from pathlib import Path

from tests.evals import routing


def test_every_language_and_class_is_routed_right() -> None:
    figures, wrong = routing.labelled(routing.read(routing.QUESTIONS))
    assert sum(figure.count or 0 for figure in figures if "," in figure.name) >= 300
    assert [figure.name for figure in figures if not figure.passed] == [], wrong


def test_questions_about_content_go_to_the_documents(pdfs: Path) -> None:
    rows = [json.loads(line) for line in (pdfs / "questions.jsonl").read_text("utf-8").splitlines()]
    figures, wrong = routing.about_content([row["question"] for row in rows])
    assert wrong == []
    assert all(figure.passed for figure in figures)
