"""The Documents tab: one row for each document and file, and that hostile names stay text."""

from dataclasses import replace

import pytest

from app.components import documents
from app.components.documents import Shelf, shelf_html
from app.errors import Failure
from app.i18n import LANGUAGES, Words
from app.loading import TrayRow
from app.uploads import OFFERED_KINDS
from core.domain.document import DocumentState
from core.domain.job import JobKind, JobState
from tests.samples import EN, HOSTILE, ZH, Tags, assert_tame, document, failed, job


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_document_row_has_its_facts_and_warnings(language: str) -> None:
    words = Words(language)  # type: ignore[arg-type]
    paper = document(
        warnings=("no_boxes", "pages_without_text", "new_code"),
        textless_pages=(3, 4),
        names=("copy.pdf", "lecture 3.pdf"),
    )
    row = shelf_html(Shelf([paper], []), words)
    text = Tags(row).text
    assert "A paper" in text
    assert "paper.pdf" in text
    assert words("warning.no_boxes") in text
    assert "3–4" in text
    assert "new_code" in text
    assert words("documents.count_one", pages=12) in text
    assert "lecture 3.pdf" in text
    assert "<progress" not in row


def test_hostile_names_stay_text_in_documents() -> None:
    paper = document(name=HOSTILE, title=HOSTILE, id=HOSTILE, names=(HOSTILE,))
    html = shelf_html(Shelf([paper], [job(document_id=HOSTILE)]), EN)
    assert_tame(html)
    assert HOSTILE in Tags(html).text
    rows = [
        TrayRow(id="2", name=HOSTILE, failure=Failure(code="encrypted")),
        TrayRow(id="3", name=HOSTILE, failure=Failure(code="x", message=HOSTILE)),
        TrayRow(id="4", name=HOSTILE, document_id=HOSTILE),
        TrayRow(id="5", name=HOSTILE, document_id="d9"),
    ]
    jobs = [job(name=HOSTILE), failed(name=HOSTILE, document_id="d3", code="x", message=HOSTILE)]
    html = shelf_html(Shelf([paper], jobs, rows), EN)
    assert html.count("<li") == 7
    assert_tame(html)
    assert_tame(documents.drop_zone([(HOSTILE, HOSTILE)], EN, max_mb=1, max_pages=2, local=True))


def row_of(html: str) -> str:
    """Return the text of the only row."""
    assert html.count("<li") == 1
    return Tags(html.split("<ul", 1)[1]).text


def test_a_file_of_which_nothing_can_be_asked_yet_has_a_row_of_its_own() -> None:
    waiting = shelf_html(Shelf([], [job(stage="waiting", done=0, total=0)]), EN)
    assert "waiting its turn" in row_of(waiting)
    begun = shelf_html(Shelf([], [job(done=0, total=0)]), EN)
    assert "<progress aria-label" in begun
    running = shelf_html(Shelf([], [job()]), EN)
    assert "reading 2 of 9 pages" in row_of(running)
    assert "ask already" not in running
    assert 'max="9" value="2"' in running
    assert 'data-act="stop_job" class="quiet" data-job="j1"' in running
    parts = shelf_html(Shelf([], [job(format="docx")]), ZH)
    assert "正在阅读：9 个部分中的 2 个" in row_of(parts)
    stopping = shelf_html(Shelf([], [job(stopping=True)]), EN)
    assert "stopping…" in row_of(stopping)
    assert "disabled" in stopping


def test_a_document_that_is_being_read_has_one_row_with_its_job() -> None:
    reading = document(id="d9", pages=80, pages_read=12, state=DocumentState.READING)
    html = shelf_html(Shelf([reading], [job(done=10, total=80)]), EN)
    assert "reading 12 of 80 pages · you can ask already" in row_of(html)
    assert 'max="80" value="12"' in html
    for act in ("stop_job", "ask_document", "read_document", "delete_document"):
        assert f'data-act="{act}"' in html
    assert ">Cancel<" in html
    # After a restart the job waits, and knows nothing of what had been read.
    again = shelf_html(Shelf([reading], [job(stage="waiting", done=0, total=0)]), EN)
    assert "waiting its turn · you can ask already" in row_of(again)
    assert 'max="80" value="12"' in again
    scans = [job(kind=JobKind.OCR, stage="ocr", done=12, total=80)]
    recognised = shelf_html(Shelf([reading], scans), EN)
    assert "recognising text (OCR): 12 of 80 pages · you can ask already" in row_of(recognised)
    assert ">Stop<" in recognised


def test_of_several_jobs_of_a_document_the_one_that_runs_is_shown() -> None:
    jobs = [job(id="load"), job(id="ocr", kind=JobKind.OCR, state=JobState.WAITING)]
    for order in (jobs, jobs[::-1]):
        html = shelf_html(Shelf([], order), EN)
        assert 'data-job="load"' in html
        assert "reading 2 of 9 pages" in row_of(html)


def test_a_failed_job_says_why_and_what_to_do() -> None:
    refused = shelf_html(Shelf([], [failed(code="encrypted")]), ZH)
    assert "密码保护" in refused
    assert "不带密码的副本" in refused
    assert 'data-act="retry_job"' in refused
    assert 'data-act="dismiss_job"' in refused
    own = shelf_html(Shelf([], [failed(code="new", message="It broke.", remedy="Mend it.")]), ZH)
    assert "It broke. Mend it." in row_of(own)
    # To dismiss the failed load of a document that can be asked would delete it.
    there = shelf_html(Shelf([document(id="d9")], [failed(code="store")]), EN)
    assert 'data-act="retry_job"' in there
    assert 'data-act="dismiss_job"' not in there
    scans = failed(code="store", kind=JobKind.OCR)
    assert 'data-act="dismiss_job"' in shelf_html(Shelf([document(id="d9")], [scans]), EN)


def test_a_file_that_is_there_already_is_linked_to_its_document() -> None:
    row = TrayRow(id="1", name="b.pdf", document_id="d1")
    html = shelf_html(Shelf([document()], [], [row]), EN)
    assert "The same content is already there as A paper." in Tags(html).text
    assert 'data-act="read_document" class="link" data-document="d1"' in html
    assert 'data-act="dismiss_file"' in html
    coming = shelf_html(Shelf([], [job(document_id="d1")], [row]), EN)
    assert "already being read" in coming
    gone = shelf_html(Shelf([], [], [row]), EN)
    assert EN("documents.empty_title") in gone


def test_an_empty_shelf_says_what_to_do() -> None:
    assert EN("documents.empty_title") in shelf_html(Shelf([], []), EN)
    assert EN("documents.empty_title") not in shelf_html(Shelf([], [job()]), EN)


def test_the_drop_zone_offers_what_can_be_read() -> None:
    html = documents.drop_zone([], EN, max_mb=1, max_pages=2, local=True)
    for kind in OFFERED_KINDS:
        assert EN(f"kind.{kind}") in html
    assert ".docx," in html
    assert ".jpeg" in html


def test_where_files_stay_is_said_truly() -> None:
    local = documents.drop_zone([], EN, max_mb=5, max_pages=7, local=True)
    served = documents.drop_zone([], EN, max_mb=5, max_pages=7, local=False)
    assert "stay on this computer" in local
    assert "this computer" not in served
    assert f'data-max-bytes="{5 * 1024 * 1024}"' in served


def test_refining_is_one_quiet_line_of_a_document_that_is_ready() -> None:
    paper = document()
    refining = job(document_id="d1", kind=JobKind.REFINE, stage="refining", done=40, total=220)
    html = shelf_html(Shelf([paper], [refining]), EN)
    assert "ready to ask; preparing the finer search: 40 of 220 passages" in html
    assert "可以提问；正在准备精细搜索：220 个段落中的 40 个" in shelf_html(
        Shelf([paper], [refining]), ZH
    )
    for loud in ("<progress", "stop_job", 'role="alert"', "warning", 'class="document running"'):
        assert loud not in html
    assert shelf_html(Shelf([paper], []), EN) == html.replace(
        '<p class="meta">ready to ask; preparing the finer search: 40 of 220 passages</p>', ""
    )
    loading = job(id="load", document_id="d1", done=10, total=80)
    assert "finer search" not in shelf_html(Shelf([paper], [refining, loading]), EN)


def test_refining_that_is_short_failed_or_alone_is_not_told() -> None:
    paper = document()
    nothing = shelf_html(Shelf([paper], []), EN)
    short = job(document_id="d1", kind=JobKind.REFINE, stage="refining", done=4, total=12)
    broken = replace(short, total=220, state=JobState.FAILED)
    for one in (short, broken):
        assert shelf_html(Shelf([paper], [one]), EN) == nothing
        assert shelf_html(Shelf([], [one]), EN) == shelf_html(Shelf([], []), EN)
