"""Files on their way in: what is taken, and the rows of what is not."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.errors import Failure
from app.loading import ROWS_KEPT, LoadTray, take_in
from core.assistant import PDFLearningAssistant
from core.settings import Settings
from core.wiring import build_services


@pytest.fixture
def assistant(settings: Settings) -> Iterator[PDFLearningAssistant]:
    services = build_services(settings)
    yield PDFLearningAssistant("ada", services=services)
    services.close()


def test_a_file_is_taken_in_without_a_row(
    assistant: PDFLearningAssistant, pdfs: Path, tmp_path: Path
) -> None:
    tray = LoadTray()
    sent = tmp_path / "0123.upload"
    shutil.copy(pdfs / "labels.pdf", sent)
    take_in(assistant, tray, sent, name="labels.pdf")
    sent.unlink()  # the assistant has its own copy by now
    assert tray.rows() == []
    loaded = assistant.load_document(pdfs / "labels.pdf")  # waits for the one under way
    assert loaded.success
    assert [d.name for d in assistant.documents()] == ["labels.pdf"]


def test_a_file_that_is_there_or_on_its_way_is_told(
    assistant: PDFLearningAssistant, pdfs: Path
) -> None:
    tray, path = LoadTray(), pdfs / "two_columns_en.pdf"
    take_in(assistant, tray, path, name="mill.pdf")
    take_in(assistant, tray, path, name="coming.pdf")
    assert assistant.load_document(path).duplicate
    take_in(assistant, tray, path, name="there.pdf")
    coming, there = tray.rows()
    (document,) = assistant.documents()
    assert (coming.name, coming.document_id, coming.failure) == ("coming.pdf", document.id, None)
    assert (there.name, there.document_id, there.failure) == ("there.pdf", document.id, None)


@pytest.mark.parametrize(
    ("file", "code"), [("empty.pdf", "empty"), ("not_a_pdf.pdf", "unsupported_format")]
)
def test_a_refused_file_keeps_its_row_until_it_is_dismissed(
    assistant: PDFLearningAssistant, pdfs: Path, file: str, code: str
) -> None:
    tray = LoadTray()
    take_in(assistant, tray, pdfs / file, name=file)
    (row,) = tray.rows()
    assert row.name == file
    assert row.failure is not None
    assert row.failure.code == code
    assert assistant.jobs() == []
    tray.dismiss(row.id)
    tray.dismiss(row.id)
    assert tray.rows() == []


def test_old_rows_make_room() -> None:
    tray = LoadTray()
    for number in range(ROWS_KEPT + 5):
        tray.refuse(f"{number}.pdf", Failure(code="empty"))
    names = [row.name for row in tray.rows()]
    assert len(names) == ROWS_KEPT
    assert names[-1] == f"{ROWS_KEPT + 4}.pdf"
