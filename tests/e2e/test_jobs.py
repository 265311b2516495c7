"""What goes on in the background: asked meanwhile, cancelled, killed, failed, tried again."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect
from pypdf import PdfReader, PdfWriter

from tests.e2e.learner import DATA, LONG, Learner
from tests.e2e.running import RunningApp

PAGES = 480
READING = re.compile(rf"reading [1-9]\d* of {PAGES} pages · you can ask already")
MILL = "What does the mill do?"


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF of many pages: the same few again and again."""
    pages = PdfReader(DATA / "two_columns_en.pdf").pages
    writer = PdfWriter()
    for number in range(PAGES):
        writer.add_page(pages[number % len(pages)])
    path = tmp_path_factory.mktemp("long") / "long.pdf"
    writer.write(path)
    return path


def begin(learner: Learner, path: Path) -> Locator:
    """Load the long file, and return its row when the first pages can be asked."""
    learner.choose(path)
    row = learner.document("long")
    expect(row.locator(".progress p")).to_have_text(READING)
    return row


def files_of(app: RunningApp) -> list[Path]:
    """Every file that may hold something of a document."""
    return [path for path in app.data.rglob("*.pdf") if path.is_file()]


def test_a_question_during_loading_says_how_much_had_been_read(
    learner: Learner, long_pdf: Path
) -> None:
    row = begin(learner, long_pdf)
    bar = row.locator("progress")
    before = int(bar.get_attribute("value") or 0)
    learner.tab("ask")
    learner.page.locator("#filter input").click()
    learner.page.get_by_role("option", name="long").click()
    learner.page.keyboard.press("Escape")
    answer = learner.ask(MILL)
    expect(learner.sources.first).to_contain_text("long.pdf")
    told = re.compile(rf"Only (\d+) of {PAGES} pages of “long.pdf” had been read\.")
    expect(answer).to_contain_text(told)
    read = int(told.search(answer.inner_text())[1])  # type: ignore[index]
    assert before <= read < PAGES
    learner.open()
    learner.page.locator("#language-zh").click()
    learner.tab("ask")
    expect(answer).to_contain_text(f"共 {PAGES} 页，当时只读了 {read} 页")
    learner.page.locator("#language-en").click()
    learner.tab("documents")
    learner.wait_loaded()
    expect(learner.document("long")).to_contain_text(f"{PAGES} pages")


def test_the_ask_tab_learns_of_a_document_while_it_is_open(
    learner: Learner, long_pdf: Path
) -> None:
    learner.choose(long_pdf)
    learner.page.locator(".documents li").wait_for()
    learner.tab("ask")
    expect(learner.page.locator("#conversation")).to_contain_text("What would you like")
    expect(learner.page.locator("#examples .chip").first).to_be_visible()
    learner.page.locator("#filter input").click()
    expect(learner.page.get_by_role("option", name="long")).to_be_visible()


def test_a_page_that_is_not_read_yet_can_be_looked_at(learner: Learner, long_pdf: Path) -> None:
    begin(learner, long_pdf).get_by_role("button", name="Read").click()
    learner.page.locator("#evidence-page").wait_for()
    # The last page, as a click on a page of it would open it.
    learner.page.locator("#page-next").evaluate(f"(b) => b.dataset.page = '{PAGES}'")
    learner.page.locator("#page-next").click()
    expect(learner.page.locator("#evidence-page")).to_have_text(f"p. {PAGES}")
    expect(learner.page.locator(".page-image")).to_be_visible()
    expect(learner.page.locator(".evidence .warning")).to_contain_text("not been read yet")
    learner.tab("documents")
    learner.page.get_by_role("button", name="Cancel loading").click()
    expect(learner.page.locator(".document")).to_have_count(0)


def test_a_load_is_cancelled_and_leaves_nothing(
    tmp_path: Path, open_page: Callable[..., Learner], long_pdf: Path
) -> None:
    with RunningApp(tmp_path) as app:
        learner = open_page(app)
        row = begin(learner, long_pdf)
        assert len(files_of(app)) == 1
        row.get_by_role("button", name="Cancel loading").click()
        expect(learner.page.locator(".documents li")).to_have_count(0)
        expect(learner.page.locator("#documents")).to_contain_text("Your desk is empty")
        learner.open()
        expect(learner.page.locator("#documents")).to_contain_text("Your desk is empty")
        assert files_of(app) == []
        texts = b"".join(p.read_bytes() for p in app.data.rglob("*") if p.is_file())
        assert b"grindstone" not in texts
        assert "Traceback" not in app.log


def test_a_document_is_deleted_while_it_is_read(learner: Learner, long_pdf: Path) -> None:
    row = begin(learner, long_pdf)
    row.locator("summary").click()
    box = row.locator(".confirm-box")
    # It stays open while the row is drawn anew as pages come in.
    value = row.locator("progress").get_attribute("value")
    expect(row.locator("progress")).not_to_have_attribute("value", str(value))
    expect(box).to_be_visible()
    box.get_by_role("button", name="Delete for good").click()
    expect(learner.page.locator("#documents-notice")).to_have_text("The document is deleted.")
    expect(learner.page.locator(".documents li")).to_have_count(0)


def test_a_killed_server_goes_on_by_itself(
    tmp_path: Path, open_page: Callable[..., Learner], long_pdf: Path
) -> None:
    with RunningApp(tmp_path) as app:
        learner = open_page(app)
        begin(learner, long_pdf)
        storage = learner.page.context.storage_state()
        learner.page.goto("about:blank")
        learner.errors.clear()  # the page complains that it was cut off: we cut it
        app.kill()
    with RunningApp(tmp_path) as app:
        storage["origins"][0]["origin"] = app.url  # the port is another one
        again = open_page(app, storage_state={"cookies": [], "origins": storage["origins"]})
        row = again.page.locator(".documents li")
        expect(row).to_have_count(1)
        expect(row).to_contain_text("long.pdf")
        again.wait_loaded()
        expect(again.document("long")).to_contain_text(f"{PAGES} pages")
        expect(again.page.locator("#documents .failed")).to_have_count(0)
        answer = again.ask(MILL)
        expect(again.sources.first).to_be_visible()
        expect(answer).not_to_contain_text("had been read")
        assert "Traceback" not in app.log


def test_a_failed_job_is_tried_again_and_dismissed(learner: Learner, app: RunningApp) -> None:
    learner.choose("encrypted.pdf")
    row = learner.file("encrypted.pdf")
    expect(row.locator(".reason")).to_contain_text("protected with a password")
    expect(row.locator(".reason")).to_contain_text("Save a copy without the password")
    before = app.log.count("A job failed")
    row.get_by_role("button", name="Try again").click()
    expect(row.locator(".reason")).to_contain_text("protected with a password")
    learner.page.wait_for_timeout(1500)
    expect(row.locator(".reason")).to_contain_text("protected with a password")
    assert app.log.count("A job failed") == before + 1
    learner.open()
    expect(row.locator(".reason")).to_contain_text("protected with a password")
    row.get_by_role("button", name="Dismiss").click()
    expect(row).to_have_count(0)
    learner.open()
    expect(learner.page.locator("#documents")).to_contain_text("Your desk is empty")


def test_the_same_content_under_another_name(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.submit("lecture 3.pdf", DATA / "labels.pdf")
    known = learner.file("lecture 3.pdf")
    expect(known).to_contain_text("The same content is already there as A Short Book")
    document = learner.document("A Short Book with a Preface").filter(has_text="labels.pdf")
    expect(document).to_have_count(1)
    expect(document.locator(".meta").first).to_contain_text("also as lecture 3.pdf")
    known.get_by_role("button", name="A Short Book").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. i (PDF 1)")
    learner.open()
    expect(learner.page.locator(".document")).to_have_count(1)
    expect(document.locator(".meta").first).to_contain_text("also as lecture 3.pdf")


def test_the_list_is_quiet_when_nothing_goes_on(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.page.wait_for_timeout(1500)
    asked: list[str] = []
    learner.page.on("request", lambda r: asked.append(r.url))
    learner.page.wait_for_timeout(2500)
    assert [url for url in asked if "queue/join" in url] == []


def test_many_files_come_in_side_by_side(learner: Learner) -> None:
    names = ["labels.pdf", "chinese.pdf", "table.pdf", "cross_page.pdf", "ligatures.pdf"]
    learner.choose(*names)
    expect(learner.page.locator(".document")).to_have_count(len(names), timeout=LONG)
    learner.wait_loaded()
    expect(learner.page.locator(".file")).to_have_count(0)
