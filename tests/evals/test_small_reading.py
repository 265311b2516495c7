"""The reading eval on a few generated PDFs, with its floors; and its judge, with known mistakes."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.evals import reading
from tests.evals.reading_judge import Read, judge, similarity

NAMES = ("en_two", "zh_one", "en_tables_plain", "zh_tables_grid", "zh_code")

TRUTH = {
    "language": "en",
    "headings": [{"level": 1, "text": "The Mill"}, {"level": 2, "text": "The Wheel"}],
    "paragraphs": [
        ["The mill stands on a platform of oak.", "Its wheel has thirty-two floats in all."],
        ["The pond is filled by the rising tide."],
    ],
    "tables": [{"caption": "Table 1: Boats", "rows": [["Boat", "Built"], ["Old Tern", "1994"]]}],
    "code": [["def run():", "    return 1"]],
    "footnotes": ["The first sheet is under glass."],
    "header": ["Collected Papers", "Second Series"],
    "footer": "",
}


def missing() -> str | None:
    """Return why the PDFs cannot be made here, None when they can."""
    if importlib.util.find_spec("typst") is None:
        return "typst is not installed"
    if shutil.which("fc-list"):
        fonts = subprocess.run(["fc-list"], capture_output=True, text=True, check=False).stdout
        if "Noto Serif CJK SC" not in fonts:
            return "the font Noto Serif CJK SC is not installed"
    return None


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> reading.Measured:
    reason = missing()
    if reason is not None and os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    if reason is not None:
        pytest.skip(reason)
    from tests.data.make_reading import make

    folder = tmp_path_factory.mktemp("reading")
    make(folder, NAMES)
    return reading.run(folder, with_ocr=False)


@pytest.mark.parametrize("section", ["English", "Chinese"])
def test_every_bound_of_the_eval_is_kept(measured: reading.Measured, section: str) -> None:
    found = {f.name: f for f in reading.figures(measured)[section]}
    assert {name for name, f in found.items() if f.passed is False} == set(), measured.files
    bounded = {name for name, f in found.items() if f.passed}
    assert bounded >= {
        "sentences verbatim",
        "reading order",
        "noise",
        "heading recall",
        "heading precision",
        "table cells",
        "sentence boxes right",
    }


def test_what_has_no_bound_in_the_eval_stays_good(measured: reading.Measured) -> None:
    def value(language: str, name: str) -> float:
        return measured.product[language].shares[name].value or 0

    assert value("en", "heading level") == 1
    assert value("zh", "code lines with indentation") == 1
    for language in ("en", "zh"):
        assert value(language, "outline") == 1
        assert value(language, "footnotes") == 1
        assert value(language, "captions") >= 0.9
        assert value(language, "table rows") >= 0.9


def test_the_product_reads_better_than_the_others(measured: reading.Measured) -> None:
    for language in ("en", "zh"):
        own = measured.product[language].shares
        for other in reading.OTHERS:
            theirs = measured.others[other, language].shares
            for name in ("sentences verbatim", "reading order"):
                assert (own[name].value or 0) >= (theirs[name].value or 0) - 0.005
            assert theirs["noise"].hits > own["noise"].hits == 0


def read(**changes: object) -> Read:
    sentences = [s for paragraph in TRUTH["paragraphs"] for s in paragraph]  # type: ignore[union-attr]
    given: dict[str, object] = {
        "text": " ".join(sentences),
        "sentences": sentences,
        "lines": sentences,
        "headings": [(1, "The Mill"), (2, "The Wheel")],
        "rows": [["Boat", "Built"], ["Old Tern", "1994"]],
        "captions": ["Table 1: Boats"],
        "notes": ["1 The first sheet is under glass."],
        "code": [["def run():", "    return 1"]],
        "outline": [(1, "The Mill"), (2, "The Wheel")],
    }
    return Read(**(given | changes))  # type: ignore[arg-type]


def test_a_perfect_reading_is_judged_perfect() -> None:
    shares = judge(read(), TRUTH).shares
    assert {name for name, s in shares.items() if name != "noise" and s.value != 1} == set()
    assert shares["noise"].hits == 0


@pytest.mark.parametrize(
    ("name", "changes", "value"),
    [
        ("heading recall", {"headings": [(1, "The Mill")]}, 0.5),
        ("heading precision", {"headings": [(1, "The Mill"), (1, "Boats")]}, 0.5),
        ("heading level", {"headings": [(1, "The Mill"), (1, "The Wheel")]}, 0.5),
        ("table cells", {"rows": [["Boat", "Built"], ["Old", "Tern 1994"]]}, 0.5),
        ("table rows", {"rows": [["Boat", "Built"], ["Old Tern"], ["1994"]]}, 0.5),
        ("captions", {"captions": []}, 0),
        ("footnotes", {"notes": ["The first sheet is"]}, 0),
        ("code lines with indentation", {"code": [["def run():", "return 1"]]}, 0.5),
        ("outline", {"outline": [(2, "The Mill"), (2, "The Wheel")]}, 0.5),
        ("sentences verbatim", {"sentences": ["The mill stands on a plat- form of oak."]}, 0),
        (
            "reading order",
            {
                "text": "The pond is filled by the rising tide. The mill stands on a platform of "
                "oak. Its wheel has thirty-two floats in all."
            },
            0.5,
        ),
    ],
)
def test_each_mistake_counts(name: str, changes: dict[str, object], value: float) -> None:
    assert judge(read(**changes), TRUTH).shares[name].value == pytest.approx(value)


@pytest.mark.parametrize(
    "line", ["Collected Papers Second Series", "Second Series", "17", "第 3 页"]
)
def test_headers_and_page_numbers_are_noise(line: str) -> None:
    assert judge(read(lines=["The tide.", line]), TRUTH).shares["noise"].hits == 1


def test_similarity_falls_with_every_wrong_letter() -> None:
    parts = ["The Mill", "The Wheel", *(s for p in TRUTH["paragraphs"] for s in p)]  # type: ignore[union-attr]
    assert similarity(" ".join(parts), TRUTH) == 1
    wrong = " ".join(parts).replace("platform", "plafform")
    assert 0.98 < similarity(wrong, TRUTH) < 1
    assert similarity("nothing of it", TRUTH) < 0.3


def test_a_folder_without_pdfs_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="make_reading"):
        reading.run(tmp_path)
