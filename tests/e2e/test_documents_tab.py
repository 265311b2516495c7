"""Documents: what is refused and why, stopping, deleting, samples, hostile names."""

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader, PdfWriter

from tests.e2e.learner import DATA, Learner
from tests.e2e.running import RunningApp


def a_file(name: str, source: str = "labels.pdf") -> dict[str, object]:
    """A file of tests/data under another name, as Playwright takes it."""
    return {"name": name, "mimeType": "application/pdf", "buffer": (DATA / source).read_bytes()}


@pytest.mark.parametrize(
    ("file", "english", "chinese"),
    [
        ("encrypted.pdf", "protected with a password", "密码保护"),
        ("truncated.pdf", "damaged or cut off", "已损坏或不完整"),
        ("not_a_pdf.pdf", "not what its name says", "与文件名不符"),
        ("empty.pdf", "is empty", "是空的"),
    ],
)
def test_a_refused_file_gives_its_sentence_and_keeps_nothing(
    learner: Learner, app: RunningApp, file: str, english: str, chinese: str
) -> None:
    learner.choose(file)
    row = learner.page.locator(".file.failed")
    expect(row).to_contain_text(file)
    expect(row.locator(".reason")).to_contain_text(english)
    # It stays over a reload and speaks the language of the page.
    learner.open()
    learner.page.locator("#language-zh").click()
    expect(row.locator(".reason")).to_contain_text(chinese)
    expect(learner.page.locator(".document")).to_have_count(0)
    row.get_by_role("button", name="关闭关于").click()
    expect(row).to_have_count(0)
    assert uploads(app) == []


def uploads(app: RunningApp) -> list[str]:
    """Files that are left where the browser's uploads arrive."""
    return [p.name for p in (app.data / "uploads").rglob("*") if p.is_file()]


def test_several_files_at_once_and_one_twice(learner: Learner, app: RunningApp) -> None:
    learner.load("labels.pdf", "chinese.pdf", "table.pdf")
    expect(learner.page.locator(".list-head")).to_contain_text("3 documents · 8 pages")
    learner.choose("labels.pdf")
    known = learner.page.locator(".file.known")
    expect(known).to_contain_text("already there as A Short Book with a Preface.")
    expect(learner.page.locator(".document")).to_have_count(3)
    assert uploads(app) == []
    known.get_by_role("button", name="Dismiss").click()
    expect(known).to_have_count(0)


def test_the_same_file_from_many_learners_at_once(
    app: RunningApp, open_page: Callable[..., Learner]
) -> None:
    learners = [open_page(app) for _ in range(4)]
    for learner in learners:
        learner.choose("two_columns_en.pdf")
    for learner in learners:
        expect(learner.document("The Tide Mill at Sallow Creek")).to_be_visible()
    assert uploads(app) == []


def test_a_deleted_document_is_gone_everywhere(learner: Learner, app: RunningApp) -> None:
    learner.load("labels.pdf")
    learner.ask("Who set the type in the winter of 1993?")
    learner.tab("documents")
    row = learner.document("A Short Book")
    row.locator("summary").click()
    expect(row.locator(".confirm-box")).to_contain_text("for good")
    row.get_by_role("button", name="Delete for good").click()
    expect(learner.page.locator(".document")).to_have_count(0)
    learner.open()
    learner.tab("ask")
    gone = learner.page.locator("#conversation .message.bot").first
    expect(gone).to_contain_text("has been deleted")
    expect(gone).to_contain_text(re.compile(r"Source removed on \w+ \d+, 20\d\d"))
    expect(learner.sources).to_have_count(0)
    answer = learner.ask("Who set the type in the winter of 1993?")
    expect(answer).not_to_contain_text("Lindqvist")


def test_a_click_elsewhere_takes_the_confirmation_back(learner: Learner) -> None:
    learner.load("labels.pdf")
    box = learner.page.locator(".document .confirm-box")
    learner.page.locator(".document summary").click()
    expect(box).to_be_visible()
    learner.page.locator("h1").click()
    expect(box).to_be_hidden()
    expect(learner.page.locator(".document")).to_have_count(1)


def test_reading_a_document_opens_its_first_page(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.page.get_by_role("button", name="Read A Short Book").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. i (PDF 1)")
    expect(learner.page.locator(".page-image")).to_be_visible()


@pytest.mark.parametrize("title", ["How language models read", "《大模型如何读书》"])
def test_a_sample_is_loaded_with_one_click(learner: Learner, title: str) -> None:
    learner.page.get_by_role("button", name=title).click()
    expect(learner.page.locator(".document")).to_have_count(1)
    learner.tab("ask")
    learner.page.locator("#examples .chip").first.click()
    learner.wait_idle()
    expect(learner.sources.first).to_be_visible()


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=document.title='owned'>.pdf",
        "${document.title='owned'}{{x}}`.pdf",
        "](javascript:alert(1)) ![x](https:evil) **b**.pdf",
        "论文 “引号” & 'apos' — Nr 1.pdf",
    ],
)
def test_a_hostile_file_name_stays_text(learner: Learner, name: str) -> None:
    learner.load(a_file(name, "chinese.pdf"))
    expect(learner.page.locator(".document .meta")).to_contain_text(name)
    learner.ask("石桥是谁设计的？")
    expect(learner.sources.first).to_contain_text(name[:20])
    learner.recall("加载的文档")
    learner.tab("progress")
    expect(learner.page.locator("#chart-sources figcaption")).to_contain_text(name)
    assert "owned" not in learner.page.title()
    assert learner.page.locator("img[src='x']").count() == 0
    assert learner.page.locator("#conversation a[href^='javascript']").count() == 0


def test_a_file_over_the_limit_is_refused_before_it_is_sent(
    tmp_path: Path, open_page: Callable[..., Learner]
) -> None:
    with RunningApp(tmp_path, MAX_FILE_MB="1") as app:
        learner = open_page(app)
        big = tmp_path / "big.pdf"
        big.write_bytes(b"%PDF-1.7\n" + b"0" * 1_100_000)
        learner.choose(big)
        row = learner.page.locator(".file.failed")
        expect(row).to_contain_text("big.pdf")
        expect(row).to_contain_text("too large")
        assert uploads(app) == []


def test_a_file_that_pypdf_alone_can_read_is_answered_without_a_highlight(
    learner: Learner,
) -> None:
    # The trailer names a root that is not there: PDFium gives up, pypdf looks for it.
    plain = io.BytesIO()
    PdfWriter(clone_from=PdfReader(DATA / "labels.pdf")).write(plain)
    rootless = re.sub(rb"/Root \d+ 0 R", b"/Root 9999 0 R", plain.getvalue())
    learner.load({"name": "rootless.pdf", "mimeType": "application/pdf", "buffer": rootless})
    expect(learner.page.locator(".document .warning")).to_contain_text("no highlight")
    learner.ask("Who set the type in the winter of 1993?")
    assert "Noor Lindqvist" in learner.quote
    evidence = learner.page.locator("#evidence")
    expect(evidence).to_contain_text("No highlight for this file")
    expect(evidence.locator(".page-text")).to_contain_text("Noor Lindqvist")
    expect(evidence.locator("img")).to_have_count(0)
    expect(learner.page.locator("#evidence-state")).to_have_text("exact")
