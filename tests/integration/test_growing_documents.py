"""Documents while they are loaded: found page by page, over stops, failures and restarts."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pypdf import PdfReader, PdfWriter

from core.assistant import PDFLearningAssistant
from core.domain.answer import AnswerMode
from core.domain.document import DocumentState
from core.domain.job import JobState
from core.errors import DocumentError
from core.settings import load_settings
from core.wiring import build_services

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
MILL = DATA / "two_columns_en.pdf"
PAGES = 240
SECONDS = 60


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory):
    """A PDF of many pages: the same few again and again."""
    pages = PdfReader(MILL).pages
    writer = PdfWriter()
    for i in range(PAGES):
        writer.add_page(pages[i % len(pages)])
    path = tmp_path_factory.mktemp("long") / "long.pdf"
    writer.write(path)
    return path


def until(true, seconds=SECONDS):
    deadline = time.monotonic() + seconds
    while not (value := true()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.005)
    return value


def partly_read(assistant):
    return next((d for d in assistant.documents() if d.pages_read < d.pages), None)


def everything_on_disk(folder):
    return b"\0".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


def test_pages_are_found_while_others_are_read(ada, long_pdf):
    submitted = ada.submit_document(long_pdf)
    assert submitted.is_new
    begun = until(lambda: partly_read(ada))
    assert begun.state is DocumentState.READING
    answer = ada.ask("What does the mill do?")
    assert answer.citations
    (still,) = answer.still_reading
    assert still.document_id == submitted.document_id
    assert 0 < still.read < still.pages == PAGES
    assert ada.question(answer.id).answer.still_reading == (still,)
    until(lambda: not ada.jobs())
    (whole,) = ada.documents()
    assert whole.state is DocumentState.READY
    assert whole.pages_read == whole.pages == PAGES
    assert ada.ask("What does the mill do?").still_reading == ()
    assert ada.get_stats()["Documents Loaded"] == 1


def test_before_the_first_page_an_answer_says_so(ada, long_pdf):
    ada.submit_document(long_pdf)
    answer = ada.ask("What does the mill do?")
    if not answer.citations:  # the first page may have been quicker
        assert answer.mode is AnswerMode.REFUSED
        assert "still being read" in answer.text
    ada.stop_job(ada.jobs()[0].id)
    until(lambda: not ada.jobs())


def test_a_stopped_load_leaves_nothing(ada, long_pdf, data_dir):
    ada.submit_document(long_pdf, name="private-name.pdf")
    until(lambda: partly_read(ada))
    ada.stop_job(ada.jobs()[0].id)
    until(lambda: not ada.jobs())
    assert ada.documents() == []
    assert not list((data_dir / "learners").rglob("*.pdf"))
    assert b"private-name" not in everything_on_disk(data_dir)
    assert b"grindstone" not in everything_on_disk(data_dir)
    assert ada.load_document(MILL).success


def test_deleting_a_document_that_is_being_read_stops_its_load(ada, long_pdf, data_dir):
    ada.submit_document(long_pdf)
    ada.delete_document(until(lambda: partly_read(ada)).id)
    assert ada.documents() == ada.jobs() == []
    assert not list((data_dir / "learners").rglob("*.pdf"))


def test_a_failed_load_can_be_tried_again_or_dismissed(ada, data_dir):
    ada.submit_document(DATA / "encrypted.pdf")
    (failed,) = until(lambda: [j for j in ada.jobs() if j.state is JobState.FAILED])
    assert failed.error.code == "encrypted"
    assert failed.error.remedy
    assert ada.documents() == []
    ada.retry_job(failed.id)
    (failed,) = until(lambda: [j for j in ada.jobs() if j.state is JobState.FAILED])
    ada.dismiss_job(failed.id)
    assert ada.jobs() == []
    assert not list((data_dir / "learners").rglob("*.pdf"))


def test_what_is_no_document_is_refused_at_once(ada, tmp_path):
    path = tmp_path / "program.bin"
    path.write_bytes(os.urandom(5000))
    with pytest.raises(DocumentError):
        ada.submit_document(path)
    assert ada.jobs() == []


def test_the_same_content_under_another_name_is_linked(ada, tmp_path):
    ada.load_document(MILL)
    copy = tmp_path / "lecture 3.pdf"
    copy.write_bytes(MILL.read_bytes())
    again = ada.load_document(copy)
    assert again.duplicate
    (document,) = ada.documents()
    assert document.name == MILL.name
    assert document.names == ("lecture 3.pdf",)
    assert ada.load_document(copy).duplicate
    assert ada.documents() == [document]


KILLED = """
import os, signal, sys, time
from pathlib import Path
from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
services = build_services(load_settings(env_file=None, data_dir=Path(sys.argv[1])))
ada = PDFLearningAssistant("ada", services=services)
ada.submit_document(sys.argv[2])
while not (found := ada.documents()) or found[0].pages_read < 20:
    time.sleep(0.005)
print(found[0].pages_read, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def kill_while_loading(data_dir, path):
    """Return how many pages could be found when a process that loads `path` was killed."""
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, str(data_dir), str(path)],
        cwd=ROOT,
        timeout=120,
        check=False,
        capture_output=True,
        text=True,
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    return int(ended.stdout)


def chunks_of(services, assistant):
    (document,) = assistant.documents()
    store = services.engine.store
    ids = store.chunk_ids(document.id, namespace=assistant.namespace)
    return [
        (c.ordinal, c.text, c.heading_path)
        for c in store.chunks(ids, namespace=assistant.namespace)
    ]


def test_a_killed_load_goes_on_and_loses_no_page(services, ada, long_pdf, data_dir, tmp_path):
    found = kill_while_loading(data_dir, long_pdf)
    first = until(lambda: ada.documents())[0]
    assert first.pages_read >= found
    until(lambda: not ada.jobs())
    (whole,) = ada.documents()
    assert whole.pages_read == PAGES
    assert whole.state is DocumentState.READY
    assert ada.ask("What does the mill do?").citations

    other = build_services(load_settings(env_file=None, data_dir=tmp_path / "other"))
    clean = PDFLearningAssistant("ada", services=other)
    clean.load_document(long_pdf)
    assert chunks_of(services, ada) == chunks_of(other, clean)
    assert windows_of(services, ada) == windows_of(other, clean)
    other.close()


def windows_of(services, assistant):
    return services.engine.index.count(
        namespace=assistant.namespace, where={"document_id": assistant.documents()[0].id}
    )


def test_closing_and_opening_again_goes_on(services, ada, long_pdf):
    ada.submit_document(long_pdf)
    before = until(lambda: partly_read(ada)).pages_read
    services.close()
    assert ada.documents()[0].pages_read >= before
    until(lambda: not ada.jobs())
    assert ada.documents()[0].pages_read == PAGES


def test_a_deleted_source_leaves_a_tombstone(ada, services, data_dir):
    ada.load_document(MILL)
    answer = ada.ask("What does the mill do?")
    quote = answer.citations[0].quote
    ada.delete_document(answer.citations[0].document_id)
    kept = ada.question(answer.id).answer
    (removed_at,) = kept.sources_removed_at
    assert removed_at.tzinfo is not None
    assert kept.notice == "source_removed"
    assert kept.citations == ()
    for _ in range(2):
        on_disk = everything_on_disk(data_dir)
        assert quote.encode() not in on_disk
        assert MILL.read_bytes()[:2000] not in on_disk
        services.close()
        ada.documents()  # opens again


PHRASE = "the heron of Quillmoor counts seventeen frogs"


def vacuum(data_dir):
    for path in data_dir.rglob("*.sqlite3"):
        connection = sqlite3.connect(path)
        connection.execute("VACUUM")
        connection.close()


def test_a_deleted_document_is_nowhere_also_after_restart_and_vacuum(
    ada, services, data_dir, tmp_path
):
    note = tmp_path / "heron-file-name.md"
    note.write_text(f"# Birds\n\nAt dusk {PHRASE}.\n\nOwls sleep by day.\n", encoding="utf-8")
    ada.load_document(MILL)
    loaded = ada.load_document(note)
    answer = ada.ask("How many frogs does the heron count?", documents=[loaded.document_id])
    assert PHRASE in answer.citations[0].quote
    assert PHRASE.encode() in everything_on_disk(data_dir)
    ada.delete_document(loaded.document_id)
    for after in (None, None, vacuum):
        if after is not None:
            after(data_dir)
        on_disk = everything_on_disk(data_dir)
        for words in (PHRASE, "Quillmoor", "Owls sleep by day"):
            assert words.encode() not in on_disk
        services.close()
        assert ada.ask("What does the mill do?").citations  # opens again
        services.close()
