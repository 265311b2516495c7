"""The eval of the cuts on the texts of the test PDFs, with floors."""

import json
from pathlib import Path

import pytest

from tests.evals import chunking
from tests.evals.report import share

SOURCES = ("two_columns_en", "cross_page", "labels", "ligatures")


def paragraphs(source: Path) -> list[str]:
    """Return the running text of a Typst file, paragraph by paragraph."""
    parts = source.read_text(encoding="utf-8").split("\n\n")
    plain = [" ".join(part.split()) for part in parts]
    return [p for p in plain if len(p) > 150 and p[0] not in "#=/" and "#" not in p]


@pytest.fixture(scope="module")
def folder(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    questions = [
        json.loads(line)
        for line in (pdfs / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    lines = []
    for name in SOURCES:
        for text in paragraphs(pdfs / "typ" / f"{name}.typ"):
            asked = [q for q in questions if q["lang"] == "en" and q["answers"][0] in text]
            opening = {"question": text.split(". ")[0], "answers": [text[:20]]}
            lines += [
                {**q, "lang": "en", "context": text, "article": name} for q in [opening, *asked]
            ]
    made = tmp_path_factory.mktemp("chunking")
    text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
    (made / "questions.jsonl").write_text(text, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def tallies(folder: Path) -> dict[str, chunking.Tally]:
    found = chunking.run(folder, ("en",), None)
    return {way: tally for (_, way), tally in found.items()}


def test_topics_are_found_better_than_by_size_alone(tallies: dict[str, chunking.Tally]) -> None:
    fixed, semantic = tallies["fixed"], tallies["semantic"]
    assert semantic.true_cuts == fixed.true_cuts >= 14
    assert (chunking.f1(semantic) or 0) > (chunking.f1(fixed) or 0)
    assert semantic.pk_wrong < fixed.pk_wrong


@pytest.mark.parametrize("way", chunking.WAYS)
def test_passages_are_found_however_they_are_cut(
    tallies: dict[str, chunking.Tally], way: str
) -> None:
    tally = tallies[way]
    assert tally.questions >= 40
    assert (share(tally.answer_first, tally.questions) or 0) >= 0.9
    assert max(tally.tokens) <= 130


def test_the_true_paragraphs_as_cuts_would_be_judged_perfect(folder: Path) -> None:
    known = chunking.paragraphs_of(chunking.read_lines(folder, "en"))
    tally = chunking.Tally()
    chunking.judge_cuts(tally, known, [(p.start, p.end) for p in known])
    assert chunking.f1(tally) == 1.0
    assert tally.pk_wrong == 0 < tally.pk_probes
