"""The evals' judges say no when something is wrong; otherwise a perfect figure means nothing."""

from pathlib import Path

import pytest

from core.domain.answer import Box
from tests.evals.coverage import covered_share, kept
from tests.evals.pdf_letters import PdfLetters, crossing, letters, text_of
from tests.evals.report import Figure, percentile
from tests.evals.sentences import split_sentences

OVER_PAGES = "that the cairn on it was built by shepherds and not by soldiers, and that a spring"


@pytest.fixture
def crossed(pdfs: Path) -> PdfLetters:
    return PdfLetters(pdfs / "cross_page.pdf")


@pytest.fixture
def columns(pdfs: Path) -> PdfLetters:
    return PdfLetters(pdfs / "two_columns_en.pdf")


def test_a_quote_stands_on_its_page_or_not(columns: PdfLetters) -> None:
    quote = "It makes eight turns a minute"
    assert columns.holds(quote, (1,))
    assert not columns.holds(quote, (2,))
    assert not columns.holds("It makes nine turns a minute", (1,))
    assert not columns.holds("", (1,))
    assert not columns.holds(quote, (9,))


def test_hyphens_and_columns_do_not_matter_letters_do(columns: PdfLetters) -> None:
    assert columns.holds("ITS FRAME IS OF GREEN OAK -- pegged; and not nailed", (1,))
    assert not columns.holds("its frame is of oak pegged and not nailed", (1,))


def test_a_quote_over_two_pages_skips_running_lines_and_nothing_else(crossed: PdfLetters) -> None:
    assert crossed.holds(OVER_PAGES, (1, 2))
    assert not crossed.holds(OVER_PAGES, (1,))
    assert not crossed.holds(OVER_PAGES, (1, 3))
    assert not crossed.holds(OVER_PAGES.replace("soldiers", "sailors"), (1, 2))
    missing_a_line = "that the cairn on it was built by shepherds and not by hundred paces below it"
    assert not crossed.holds(missing_a_line, (1, 2))


def line_box(pdf: PdfLetters, page: int, words: str, *, grow: float = 1.0) -> Box:
    """Return the box of words on one line, found in the characters themselves."""
    chars = pdf.page(page).chars
    start = pdf.page(page).text.index(words)
    own = [c for c in chars[start : start + len(words)] if c.height]
    return Box(
        page=page,
        x0=min(c.x for c in own) - grow,
        x1=max(c.x for c in own) + grow,
        y0=min(c.y for c in own) - grow,
        y1=max(c.y for c in own) + grow,
    )


@pytest.mark.parametrize(
    ("page", "words"),
    [(1, "The first sheet lies"), (2, "archivist Bertil Sand"), (3, "moraine"), (4, "upright")],
)
def test_boxes_are_read_on_turned_and_cropped_pages(pdfs: Path, page: int, words: str) -> None:
    pdf = PdfLetters(pdfs / "rotated_cropped.pdf")
    box = line_box(pdf, page, words)
    assert text_of(pdf.read_back([box], [page])) == letters(words)
    moved = Box(page=page, x0=box.x0, x1=box.x1, y0=box.y0 + 40, y1=box.y1 + 40)
    assert text_of(pdf.read_back([moved], [page])) != letters(words)


def test_displayed_pages_have_their_words_where_a_reader_sees_them(pdfs: Path) -> None:
    upright = PdfLetters(pdfs / "rotated_cropped.pdf").page(4)
    at = upright.text.index("No turn")
    title = upright.chars[at]
    # 40 mm from the sheet's edges, of which 20 mm are cropped: 57 points from the displayed corner.
    assert title.x == pytest.approx(57 + title.height / 2, abs=6)
    assert title.y == pytest.approx(57 + title.height / 2, abs=6)


def test_a_box_that_is_too_wide_or_too_narrow_is_noticed(columns: PdfLetters) -> None:
    words = "Three floors rise"
    right = line_box(columns, 1, words)
    assert text_of(columns.read_back([right], [1])) == letters(words)
    wide = Box(page=1, x0=right.x0, x1=right.x1 + 30, y0=right.y0, y1=right.y1)
    narrow = Box(page=1, x0=right.x0, x1=right.x1 - 10, y0=right.y0, y1=right.y1)
    for box in (wide, narrow):
        assert text_of(columns.read_back([box], [1])) != letters(words)
    assert text_of(columns.read_back([], [1])) == ""


def test_what_a_quote_crosses(columns: PdfLetters) -> None:
    short = line_box(columns, 1, "Three floors rise")
    assert crossing([columns.page(1).inside([short])]) == "nothing"
    assert crossing([columns.page(1).inside([Box(page=1, x0=0, x1=210, y0=60, y1=200)])]) == "lines"
    whole = Box(page=1, x0=0, x1=500, y0=60, y1=540)
    assert crossing([columns.page(1).inside([whole])]) == "columns"
    assert crossing([columns.page(1).inside([whole]), columns.page(2).inside([whole])]) == "pages"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One sentence only.", 1),
        ("Two of them. Here is the other.", 2),
        ("Dr. Smith of the U.S. Army paid $3.5 million to J. Doe.", 1),
        ("Is it? Yes. It is!", 3),
        ("No stop at the end", 1),
        ("他来了。她走了！", 2),
        ("只有一句，虽然很长；但是没有句号", 1),
        ("“好。”他说", 2),
        ("...", 0),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert len(split_sentences(text)) == count


def test_letters_that_no_window_holds_are_counted_as_not_embedded() -> None:
    pages = ["A first sentence. A second one.", "The third is on page two."]
    whole = ["A first sentence.", "A second one. The third is on page two."]
    assert covered_share(pages, whole) == (43, 43)
    assert covered_share(pages, whole[:1]) == (14, 43)
    assert covered_share(pages, []) == (0, 43)
    assert covered_share(pages, ["A first sentence.\nThe third is on page two."]) == (33, 43), (
        "lines from two places"
    )


def test_a_short_text_counts_where_it_is_a_line_of_its_own() -> None:
    pages = ["Total\nThe total of all totals.", "Total"]
    assert covered_share(pages, ["Total"]) == (10, 29)
    long = "the same long row of a table, printed on both pages of it"
    size = len(letters(long))
    assert covered_share([long, f"here {long}"], [long]) == (2 * size, 2 * size + 4)


def test_lost_text_is_noticed() -> None:
    assert kept("abcdef", "abcdef", 1) == (6, 6)
    assert kept("abc", "abcdef", 1) == (3, 6)
    assert kept("defabc", "abcdef", 1) == (6, 6)
    assert kept("defabc", "abcdef", 3) == (2, 4)


def test_bounds_are_inclusive_and_nothing_measured_passes_none() -> None:
    assert Figure(name="f", value=0.9, floor=0.9).passed
    assert Figure(name="f", value=0.89, floor=0.9).passed is False
    assert Figure(name="f", value=61, ceiling=60).passed is False
    assert Figure(name="f", value=None, floor=0.9).passed is False
    assert Figure(name="f", value=0.1).passed is None


def test_percentiles_are_of_the_sorted_values() -> None:
    assert percentile([3, 1, 2], 50) == 2
    assert percentile(list(range(100)), 95) == 95
    assert percentile([], 50) is None
