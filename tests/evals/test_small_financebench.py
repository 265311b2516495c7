"""Small version of the eval of filings: the table of the test PDFs, loaded once and kept."""

import json
from pathlib import Path

import pytest

from core.settings import load_settings
from core.wiring import build_services
from tests.evals import financebench
from tests.evals.report import Figure


@pytest.fixture(scope="module")
def folder(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("financebench")
    for name in ("table", "two_columns_en", "cross_page"):
        target = folder / "pdfs" / f"{name}.pdf"
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((pdfs / f"{name}.pdf").read_bytes())
    lines = [
        {"id": "1", "doc": "table", "type": "metrics", "question": "What were net sales?"},
        {"id": "2", "doc": "table", "type": "words", "question": "How large were export sales?"},
    ]
    pages = ([1], [2])
    (folder / "questions.jsonl").write_text(
        "\n".join(json.dumps(line | {"pages": p}) for line, p in zip(lines, pages, strict=True)),
        encoding="utf-8",
    )
    return folder


def named(measured: financebench.Measured) -> dict[str, Figure]:
    return {figure.name: figure for figure in financebench.figures(measured)}


def test_evidence_is_found_and_counted_by_type(folder: Path) -> None:
    services = build_services(load_settings(env_file=None, data_dir=folder / "kept"))
    try:
        measured = financebench.run(folder, services)
    finally:
        services.close()
    figures = named(measured)
    assert measured.all.asked == 2
    assert figures["evidence page in the first 5"].value == 1.0
    assert figures["evidence page in the first 1"].passed
    assert figures["  words: in the first 5"].count == 1
    assert figures["refused"].passed
    assert [row["evidence"] for row in measured.rows] == [[1], [2]]
    assert all(row["pages"][row["rank"] - 1] in row["evidence"] for row in measured.rows)


def test_a_kept_index_is_asked_again_and_finds_the_same(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ranks = []
    for run in ("first", "second"):
        out = tmp_path / f"{run}.json"
        command = ["--data", str(folder), "--keep", str(tmp_path / "kept"), "--json", str(out)]
        assert financebench.main(command) == 0
        ranks.append([row["rank"] for row in json.loads(out.read_text())["rows"]])
        assert ("was there already" in capsys.readouterr().out) == (run == "second")
    assert ranks[0] == ranks[1]
