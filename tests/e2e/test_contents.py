"""The table of contents beside the page."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect
from pypdf import PdfReader, PdfWriter

from tests.e2e.learner import DATA, Learner
from tests.e2e.running import RunningApp

PHONE = {"width": 360, "height": 740}


def with_bookmarks(path: Path, count: int) -> Path:
    """A PDF with so many bookmarks, two to a page: a chapter and a section in it."""
    source = PdfReader(DATA / "two_columns_en.pdf").pages
    writer = PdfWriter()
    for number in range(count):
        writer.add_page(source[number % len(source)])
    for number in range(count):
        chapter = writer.add_outline_item(title=f"Chapter {number + 1}", page_number=number)
        writer.add_outline_item(title=f"Section {number + 1}.1", page_number=number, parent=chapter)
    writer.write(path)
    return path


def test_a_click_opens_the_page_and_marks_the_line(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.read("A Short Book")
    lines = learner.page.locator("#outline li button")
    expect(lines).to_have_count(4)
    expect(lines.nth(1)).to_contain_text("Acknowledgements")
    expect(lines.nth(1)).to_contain_text("ii (PDF 2)")
    here = learner.page.locator("#outline [aria-current]")
    expect(here).to_contain_text("Preface")
    lines.filter(has_text="The second chapter").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. 2 (PDF 4)")
    expect(learner.page.locator("[data-page-shown='4']")).to_be_visible()
    expect(here).to_have_count(1)
    expect(here).to_contain_text("The second chapter")
    learner.page.locator("#page-previous").click()
    expect(here).to_contain_text("The first chapter")


def test_it_stays_as_the_reader_folds_it(learner: Learner) -> None:
    learner.load("labels.pdf")
    learner.read("A Short Book")
    lines = learner.page.locator("#outline ol")
    expect(lines).to_be_visible()
    learner.page.locator("#outline summary").click()
    expect(lines).to_be_hidden()
    learner.page.locator("#page-next").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. ii (PDF 2)")
    expect(lines).to_be_hidden()
    expect(learner.page.locator("#outline summary")).to_contain_text("Acknowledgements")
    # Beside a quote it is folded until the reader opens it, and leads back to the quote.
    learner.ask("Who set the type in the winter of 1993?")
    expect(lines).to_be_hidden()
    learner.page.locator("#outline summary").click()
    lines.get_by_role("button", name="The first chapter").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. 1 (PDF 3)")
    expect(lines).to_be_visible()
    learner.page.get_by_role("button", name="Back to the quote").click()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. ii (PDF 2)")


def test_a_long_one_scrolls_to_where_the_reader_is(learner: Learner, tmp_path: Path) -> None:
    learner.load(with_bookmarks(tmp_path / "bookmarks.pdf", 40))
    learner.read("bookmarks")
    lines = learner.page.locator("#outline li")
    expect(lines).to_have_count(80)
    chapter, section = (lines.nth(n).bounding_box() for n in (0, 1))
    title = lines.nth(1).locator(".outline-title").bounding_box()
    assert chapter is not None
    assert section is not None
    assert title is not None
    above = lines.nth(0).locator(".outline-title").bounding_box()
    assert above is not None
    assert title["x"] > above["x"] + 8  # indented
    place = learner.page.locator("#evidence-page")
    lines.filter(has_text="Section 30.1").locator("button").click()
    expect(place).to_have_text("p. 30")
    here = learner.page.locator("#outline [aria-current]")
    expect(here).to_contain_text("Section 30.1")  # the line that was clicked, not the page's first
    learner.page.locator("#page-next").click()
    expect(place).to_have_text("p. 31")
    expect(here).to_contain_text("Chapter 31")
    for _ in range(5):
        number = int(place.inner_text().removeprefix("p. "))
        learner.page.locator("#page-next").click()
        expect(place).to_have_text(f"p. {number + 1}")
    expect(here).to_contain_text("Chapter 36")
    expect(here).to_be_in_viewport(ratio=0.9)
    box = learner.page.locator("#outline ol").bounding_box()
    assert box is not None
    assert box["height"] < 320


def test_it_works_on_a_narrow_screen(app: RunningApp, open_page: Callable[..., Learner]) -> None:
    learner = open_page(app, viewport=PHONE, has_touch=True, is_mobile=True)
    learner.load("labels.pdf")
    learner.read("A Short Book")
    line = learner.page.locator("#outline li button").nth(2)
    expect(line).to_be_in_viewport()
    box = line.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    line.tap()
    expect(learner.page.locator("#evidence-page")).to_have_text("p. 1 (PDF 3)")
    expect(learner.page.locator(".page-image")).to_be_in_viewport()
