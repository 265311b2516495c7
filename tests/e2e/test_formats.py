"""Scans, pictures, Word and Excel: loaded, asked about, and the proof seen."""

import difflib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.data import make_office
from tests.e2e.highlight import highlighted_letters, letters
from tests.e2e.learner import DATA, LONG, Learner
from tests.scans import save_scan, scanned_page

CHINESE = DATA / "chinese.pdf"
LIKE = 0.9  # of the letters under the highlight; recognised lines have no box for each letter


def likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


@pytest.mark.parametrize("suffix", ["pdf", "png"])
def test_a_scanned_chinese_page_is_read_and_its_line_highlighted(
    learner: Learner, tmp_path: Path, suffix: str
) -> None:
    scan = scanned_page(CHINESE, 1, degrees=0)
    path = tmp_path / f"扫描.{suffix}"
    if suffix == "pdf":
        save_scan([scan], path)
    else:
        scan.save(path, dpi=(200, 200))
    learner.choose(path)
    expect(learner.document("扫描")).to_contain_text("1 page · Chinese", timeout=LONG)
    learner.wait_loaded()
    learner.ask("这口钟铸于什么时候？")
    assert "道光十二年" in learner.quote
    expect(learner.sources.first).to_contain_text("recognised text")
    expect(learner.page.locator(".quote .recognised")).to_be_visible()
    expect(learner.page.locator("#evidence-state")).to_have_text("exact")
    read = highlighted_letters(learner.page_images()[1], CHINESE, 1)
    assert likeness(read, letters(learner.quote)) >= LIKE


def test_a_scan_says_that_its_text_is_being_recognised(learner: Learner, tmp_path: Path) -> None:
    pages = [scanned_page(CHINESE, 1 + n % 2, degrees=0.3) for n in range(4)]
    learner.choose(save_scan(pages, tmp_path / "scans.pdf"))
    told = learner.page.locator(".documents .progress p")
    expect(told).to_contain_text("recognising text (OCR)", timeout=LONG)
    expect(told).to_contain_text("of 4 pages · you can ask already", timeout=LONG)
    # What has been recognised stays when the rest is given up.
    learner.page.get_by_role("button", name="Stop working on").click()
    learner.wait_loaded()
    row = learner.document("scans")
    expect(row).to_contain_text("pages without text")
    learner.ask("这口钟铸于什么时候？")
    assert "道光十二年" in learner.quote


def marked(learner: Learner) -> str:
    return "".join(learner.page.locator("#evidence mark.proof").all_inner_texts())


def test_a_word_document_shows_the_part_with_the_quote_marked(
    learner: Learner, tmp_path: Path
) -> None:
    path = tmp_path / "notes.docx"
    path.write_bytes(make_office.long_docx(sections=12, sentences=30))
    learner.load(path)
    expect(learner.page.locator(".document .meta").first).to_contain_text("parts")
    learner.ask("What does sentence 7 of section 9 say?")
    assert letters(marked(learner)) == letters(learner.quote)
    mark = learner.page.locator("#evidence mark.proof").first
    expect(mark).to_be_in_viewport()
    colour = mark.evaluate("(m) => getComputedStyle(m).backgroundColor")
    assert colour == "rgb(255, 226, 122)"
    expect(learner.page.locator("#evidence-page")).to_contain_text("part")
    expect(learner.page.locator(".page-image")).to_have_count(0)
    expect(learner.page.locator(".heading-path")).to_have_text("Section 9")
    learner.numbers.last.click()
    expect(learner.page.locator(".quote .number")).to_have_text(learner.numbers.last.inner_text())
    assert letters(marked(learner)) == letters(learner.quote)


def test_a_spreadsheet_shows_its_table_with_the_cells_marked(
    learner: Learner, tmp_path: Path
) -> None:
    path = tmp_path / "scores.xlsx"
    path.write_bytes(make_office.xlsx())
    learner.load(path)
    learner.ask("成绩单里有什么？")
    expect(learner.page.locator("#evidence .part-table").first).to_be_visible()
    assert letters(marked(learner)) == letters(learner.quote)
    expect(learner.page.locator("#evidence mark.proof").first).to_be_in_viewport()


def test_markup_in_a_text_file_stays_text(learner: Learner, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("The kiln <img src=x onerror=document.title='owned'> was lit in 1871 by Ada.")
    learner.load(path)
    learner.ask("When was the kiln lit?")
    expect(learner.page.locator("#evidence .page-part")).to_contain_text("<img src=x")
    assert learner.page.locator("img[src='x']").count() == 0
    assert "owned" not in learner.page.title()
