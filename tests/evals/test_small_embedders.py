"""The eval of embedders on the test PDFs, with floors: each finds in its language what it can."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.evals import embedders

FLOORS = {"builtin": 0.8, "tfidf": 0.8}
"""Of page@1 by the vectors alone, among the few pages of the test PDFs."""


@pytest.fixture(scope="module")
def folder(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("xquad")
    shutil.copyfile(pdfs / "two_columns_en.pdf", made / "xquad_en_small.pdf")
    shutil.copyfile(pdfs / "chinese.pdf", made / "xquad_zh_small.pdf")
    shutil.copyfile(pdfs / "questions.jsonl", made / "questions.jsonl")
    return made


@pytest.mark.parametrize("kind", list(FLOORS))
def test_embedders_find_the_page(kind: str, folder: Path) -> None:
    found: dict[str, Any] = embedders.run_one(kind, folder, None, None)
    for lang, questions in (("en", 24), ("zh", 15)):
        total, first, five, ranked_first, ranked_five = found["counts"][f"{lang}-{lang}"]
        assert total == questions
        assert first / total >= FLOORS[kind]
        assert five == total
        assert ranked_first / total >= 0.85
        assert ranked_five == total
    assert found["texts_per_second"] > 0
    assert {f.passed for f in embedders.figures(found)} == {None}
