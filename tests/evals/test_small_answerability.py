"""Small version of the eval of answerability: two documents, each asked about the other's topic."""

import json
from pathlib import Path

import pypdfium2
import pytest

from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import answerability
from tests.evals.answer_features import Row, auc, below, limit_for, sweep, sweep_table
from tests.evals.context_pdf import write_articles
from tests.evals.report import share

LANGUAGES = ("en", "zh")


def copied(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())


def with_pages_as_articles(pdfs: Path) -> str:
    """The questions of the test PDFs; each page counts as an article of its own."""
    texts = {}
    for lang, name in (("en", "two_columns_en"), ("zh", "chinese")):
        document = pypdfium2.PdfDocument(pdfs / f"{name}.pdf")
        for i in range(len(document)):
            texts[lang, i + 1] = document[i].get_textpage().get_text_range()
        document.close()
    lines = []
    for text in (pdfs / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        page = line["page"] or 1
        line |= {"article": f"Page_{page}", "context": texts[line["lang"], page]}
        lines.append(json.dumps(line, ensure_ascii=False))
    return "\n".join(lines)


@pytest.fixture(scope="module")
def rows(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    folder = tmp_path_factory.mktemp("answerability")
    copied(pdfs / "two_columns_en.pdf", folder / "xquad" / "xquad_en_small.pdf")
    copied(pdfs / "chinese.pdf", folder / "xquad" / "xquad_zh_small.pdf")
    lines = with_pages_as_articles(pdfs)
    (folder / "xquad" / "questions.jsonl").write_text(lines, encoding="utf-8")
    copied(pdfs / "table.pdf", folder / "financebench" / "pdfs" / "table.pdf")
    (folder / "financebench" / "questions.jsonl").write_text(
        '{"id": "f1", "doc": "table", "question": "What were net sales of the group?"}\n'
        '{"id": "f2", "doc": "table", "question": "How large were export sales?"}\n',
        encoding="utf-8",
    )
    settings = load_settings(env_file=None, data_dir=folder / "kept", refine_enabled=False)
    services = build_services(settings)
    try:
        return answerability.run(folder, services, LANGUAGES, None)
    finally:
        services.close()


def of_group(rows: list[Row], group: str, lang: str) -> list[Row]:
    return [r for r in rows if (r.group, r.lang) == (group, lang)]


@pytest.mark.parametrize(("lang", "questions"), [("en", 24), ("zh", 16)])
def test_what_the_documents_answer_is_not_refused(
    rows: list[Row], lang: str, questions: int
) -> None:
    whole = of_group(rows, answerability.WHOLE, f"{lang}→{lang}")
    assert len(whole) == questions
    assert (share(sum(r.refused for r in whole), len(whole)) or 0) <= 0.05
    assert all(r.features["best.cosine"] > 0 for r in whole)


def test_every_kind_of_question_is_asked(rows: list[Row]) -> None:
    kinds = {(r.group, r.lang) for r in rows}
    for lang in LANGUAGES:
        assert (answerability.FAR_XQUAD, f"{lang}→en") in kinds
        assert (answerability.FAR_FINANCE, f"en→{lang}") in kinds
        assert (answerability.NEAR, f"{lang}→{lang}") in kinds
        assert (answerability.OWN_HALF, f"{answerability.OTHER[lang]}→{lang}") in kinds
    assert len(of_group(rows, answerability.FILING, "en→en")) == 2


@pytest.mark.parametrize("lang", LANGUAGES)
def test_far_questions_are_told_apart(rows: list[Row], lang: str) -> None:
    yes = [r.features.get("best.cosine", 0.0) for r in rows if r.group == answerability.WHOLE]
    far = of_group(rows, answerability.FAR_XQUAD, f"{lang}→en")
    assert auc(yes, [r.features.get("best.cosine", 0.0) for r in far]) >= 0.95


@pytest.mark.parametrize(("lang", "least"), [("en", 0.95), ("zh", 0.75)])
def test_far_questions_are_refused(rows: list[Row], lang: str, least: float) -> None:
    far = of_group(rows, answerability.FAR_XQUAD, f"{lang}→en")
    assert (share(sum(r.refused for r in far), len(far)) or 0) >= least


def test_halves_share_no_article(pdfs: Path) -> None:
    lines = [json.loads(line) for line in with_pages_as_articles(pdfs).splitlines()]
    own, other = answerability.halves([line for line in lines if line["lang"] == "en"])
    assert len(own) + len(other) == 24
    assert not {line["context"] for line in own} & {line["context"] for line in other}


def test_a_pdf_of_articles_holds_every_context(tmp_path: Path) -> None:
    path = tmp_path / "made.pdf"
    contexts = ["Ten [boats] cost $5 #each.", "A second *paragraph*, in “quotes”."]
    write_articles({"On_boats": contexts}, path, title="Small", lang="en")
    document = pypdfium2.PdfDocument(path)
    text = " ".join(document[0].get_textpage().get_text_range().split())
    document.close()
    assert all(context in text for context in contexts)


def test_the_sweep_says_where_the_limit_is(rows: list[Row]) -> None:
    assert auc([3.0, 2.0], [1.0, 2.0]) == 0.875
    assert limit_for([0.1, 0.2, 0.3, 0.4], 0.25) == 0.2
    assert below([0.1, 0.2, 0.3, 0.4], 0.2) == 0.25
    best = next(s for s in sweep(rows) if s["feature"] == "best.cosine" and s["lang"] == "en→en")
    assert 0.5 < best["auc"] <= 1.0
    assert "best.cosine" in sweep_table([best])


def test_refusal_is_counted_by_mode(rows: list[Row], tmp_path: Path) -> None:
    services = build_services(load_settings(env_file=None, data_dir=tmp_path))
    try:
        nobody = PDFLearningAssistant("nobody", services=services)
        asked = answerability.ask(
            nobody, [{"id": "1", "question": "Why?"}], group=answerability.NEAR, lang="en→en"
        )
    finally:
        services.close()
    assert [r.refused for r in asked] == [True]
    shown = {f.name: f for f in answerability.figures([*rows, *asked])}
    assert shown[f"{answerability.WHOLE}, zh→zh"].passed
