"""The evals on the test PDFs, with floors: what they measure on large data, in seconds."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import loading, odd_pdfs, xquad
from tests.evals.pdf_letters import PdfLetters, letters, text_of
from tests.evals.report import Figure, share
from tests.evals.sentences import split_sentences


def place(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


@pytest.fixture(scope="module")
def answered(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, xquad.Tally]:
    folder = tmp_path_factory.mktemp("xquad")
    place(pdfs / "two_columns_en.pdf", folder / "xquad_en_small.pdf")
    place(pdfs / "chinese.pdf", folder / "xquad_zh_small.pdf")
    place(pdfs / "questions.jsonl", folder / "questions.jsonl")
    return xquad.run(folder, ("en", "zh"), None, refine=False, keep=None)


@pytest.mark.parametrize(("lang", "questions"), [("en", 24), ("zh", 16)])
def test_answers_are_found_cited_and_proven(
    answered: dict[str, xquad.Tally], lang: str, questions: int
) -> None:
    tally = answered[lang]
    assert tally.questions == questions
    assert (share(tally.page_at_1, tally.paged) or 0) >= 0.9, tally.failures
    assert tally.page_at_5 == tally.paged
    assert (share(tally.answers_found, tally.answers) or 0) >= 0.85, tally.failures
    assert tally.cited == tally.questions
    assert tally.removed == 0
    assert tally.verbatim == tally.citations > questions
    assert tally.boxed_right == tally.boxed
    assert sum(tally.lengths) / len(tally.lengths) <= xquad.MEAN_QUOTE[lang]
    assert tally.too_many == 0


def test_quotes_over_lines_and_columns_were_among_them(
    answered: dict[str, xquad.Tally],
) -> None:
    assert answered["en"].boxed["lines"] > 10
    assert answered["en"].boxed["columns"] > 0


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PDFLearningAssistant]:
    data_dir = tmp_path_factory.mktemp("desk")
    services = build_services(load_settings(env_file=None, data_dir=data_dir, refine_enabled=False))
    yield PDFLearningAssistant("desk", services=services)
    services.close()


@pytest.mark.parametrize(
    ("name", "question", "answer", "pages", "label"),
    [
        ("cross_page", "Who built the cairn?", "shepherds and not by soldiers", (1, 2), None),
        ("rotated_cropped", "What is the scale of the map?", "one to twenty-five", (1,), None),
        ("rotated_cropped", "Who noticed it after lunch?", "archivist Bertil Sand", (2,), None),
        ("rotated_cropped", "How deep is the borehole?", "one hundred and eighteen", (3,), None),
        ("rotated_cropped", "What was the margin taken?", "twenty millimetres", (4,), None),
        ("labels", "Who noticed the misspelt word?", "Anselm Duarte", (4,), "2"),
        ("labels", "Who set the type in 1993?", "Noor Lindqvist", (2,), "ii"),
        ("ligatures", "What was fitted in Effingham?", "waffle iron", (1,), None),
        ("table", "Which office did the board close?", "Rotterdam", (2,), None),
    ],
)
def test_hard_pages_are_proven_to_the_letter(
    desk: PDFLearningAssistant,
    pdfs: Path,
    name: str,
    question: str,
    answer: str,
    pages: tuple[int, ...],
    label: str | None,
) -> None:
    loaded = desk.load_document(str(pdfs / f"{name}.pdf"))
    assert loaded.success, loaded.message
    citations = desk.ask(question, documents=[loaded.document_id]).citations
    fitting = [c for c in citations if letters(answer) in letters(c.quote)]
    assert fitting, [c.quote for c in citations]
    assert fitting[0].pages == pages
    assert fitting[0].page == pages[0]
    if label is not None:
        assert fitting[0].page_label == label
    pdf = PdfLetters(pdfs / f"{name}.pdf")
    for citation in citations:
        assert pdf.holds(citation.quote, citation.pages)
        read = text_of(pdf.read_back(citation.boxes, citation.pages))
        assert read == letters(citation.quote)
        assert len(split_sentences(citation.quote)) <= 1
    pdf.close()


def test_every_test_file_is_indexed_or_refused_for_its_reason(pdfs: Path) -> None:
    outcomes, answers, clean = odd_pdfs.run(sorted(pdfs.glob("*.pdf")))
    results = {o.name.removesuffix(".pdf"): o.result for o in outcomes}
    assert results.pop("no_pages") in ("empty", "damaged")
    assert {name: result for name, result in results.items() if result != "indexed"} == {
        "empty": "empty",
        "encrypted": "encrypted",
        "html_as": "unsupported_format",
        "not_a_pdf": "unsupported_format",
        "truncated": "damaged",
    }
    assert [o.name for o in outcomes if o.has_text and o.result != "indexed"] == []
    assert answers
    assert clean
    missed = [f.name for f in odd_pdfs.figures(outcomes, answers, clean) if f.passed is False]
    assert missed == []


@pytest.fixture(scope="module")
def loaded(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> loading.Measured:
    folder = tmp_path_factory.mktemp("loading")
    for name in ("table", "two_columns_en", "chinese", "cross_page"):
        place(pdfs / f"{name}.pdf", folder / "pdfs" / f"{name}.pdf")
    (folder / "questions.jsonl").write_text(
        '{"doc": "table", "question": "What were net sales?", "pages": [1]}\n'
        '{"doc": "table", "question": "How large were export sales?", "pages": [2]}\n',
        encoding="utf-8",
    )
    services = build_services(
        load_settings(env_file=None, data_dir=folder / "kept", refine_enabled=False)
    )
    try:
        return loading.run(folder, services, None)
    finally:
        services.close()


def named(measured: loading.Measured) -> dict[str, Figure]:
    return {figure.name: figure for figure in loading.figures(measured)}


def test_all_text_is_kept_and_all_of_it_is_embedded(loaded: loading.Measured) -> None:
    figures = named(loaded)
    assert figures["text kept (letters)"].passed
    assert loaded.letters > 7_000
    assert loaded.embedded == loaded.page_letters > 7_000


def test_rows_of_tables_are_boxed(loaded: loading.Measured) -> None:
    assert loaded.rows >= 16
    assert loaded.rows_right == loaded.rows, loaded.rows_wrong


def test_every_question_of_a_loaded_file_finds_its_page(loaded: loading.Measured) -> None:
    assert loaded.hits[5] == loaded.asked == 2


def test_the_floors_are_meant_without_a_model(desk: PDFLearningAssistant) -> None:
    assert desk.status().answering == "extractive"
