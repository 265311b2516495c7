"""What a document's record tells while its pages come in."""

from dataclasses import replace

import pytest

from core.domain.document import (
    Block,
    BlockKind,
    Document,
    DocumentState,
    Figure,
    OutlineEntry,
    Page,
    ReaderName,
    Segment,
    TextSource,
)
from core.ports.reader import ReadSummary
from core.rag.record import (
    RecordKeeper,
    picture_of,
    recognised,
    stored_pages,
    title_of,
    without_recognition,
)
from tests.samples import document

BEGINNING = replace(
    document(), pages=0, pages_read=0, chunks=0, state=DocumentState.READING, name="lecture.pdf"
)
SUMMARY = ReadSummary(reader=ReaderName.LITEPARSE, page_count=3, title=None)


def page(number: int, text: str = "", *, heading: str = "", **more: object) -> Page:
    whole = f"{heading}\n\n{text}" if heading else text
    blocks = [Block(kind=BlockKind.HEADING, start=0, end=len(heading), level=2)] if heading else []
    blocks.append(Block(kind=BlockKind.PARAGRAPH, start=len(whole) - len(text), end=len(whole)))
    values: dict[str, object] = {"width": 600.0, "height": 800.0, "blocks": tuple(blocks), **more}
    return Page(number=number, label=None, text=whole, **values)  # type: ignore[arg-type]


def picture(number: int) -> Page:
    return page(number, source=TextSource.NONE)


def kept(*pages: Page, ocr: bool = True, beginning: Document = BEGINNING) -> RecordKeeper:
    keeper = RecordKeeper(beginning, ocr=ocr)
    for one in pages:
        keeper.add([one])
    return keeper


TEXT = "Water turns the wheel of the mill all day long."


def test_pages_that_wait_for_recognition_are_not_read_yet() -> None:
    record = kept(page(1, TEXT), picture(2)).record(total=3, chunks=4)
    assert (record.pages, record.pages_read, record.chunks) == (3, 1, 4)
    assert record.ocr_pages == (2,)
    assert record.unread == 2
    assert stored_pages(record) == 2


def test_without_recognition_pictures_have_no_text() -> None:
    final = kept(page(1, TEXT), picture(2), page(3, "x"), ocr=False).final(SUMMARY, chunks=1)
    assert final.textless_pages == (2, 3)
    assert final.warnings == ("pages_without_text",)
    assert final.unread == 0
    assert final.state is DocumentState.READY


def test_recognition_moves_a_page_to_the_read_or_the_textless_ones() -> None:
    final = kept(page(1, TEXT), picture(2), picture(3)).final(SUMMARY, chunks=1)
    found = recognised(final, page(2, TEXT, heading="Tides"), chunks=2)
    assert (found.pages_read, found.ocr_pages, found.chunks) == (2, (3,), 2)
    assert found.outline == (OutlineEntry(level=2, title="Tides", page=2),)
    done = recognised(found, picture(3), chunks=2)
    assert (done.unread, done.textless_pages) == (0, (3,))
    assert done.warnings == ("pages_without_text",)
    given_up = without_recognition(final)
    assert (given_up.unread, given_up.textless_pages) == (0, (2, 3))


def test_bookmarks_go_before_headings() -> None:
    keeper = kept(page(1, TEXT, heading="Tides"), page(2, TEXT), page(3, TEXT))
    assert [e.title for e in keeper.final(SUMMARY, chunks=1).outline] == ["Tides"]
    marked = replace(SUMMARY, outline=(OutlineEntry(level=1, title="Part I", page=1),))
    assert keeper.final(marked, chunks=1).headings == ("Part I",)


def test_figures_keep_their_caption_or_the_heading_above() -> None:
    shape = {"x0": 1.0, "y0": 2.0, "x1": 3.0, "y1": 4.0}
    keeper = kept(
        page(1, TEXT, heading="Tides", figures=(Figure(**shape, caption="Figure 1"),)),
        page(2, TEXT, figures=(Figure(**shape),)),
    )
    assert [(f.page, f.caption, f.heading) for f in keeper.figures] == [
        (1, "Figure 1", "Tides"),
        (2, "", "Tides"),
    ]


def test_a_recognised_page_is_a_picture_named_by_its_first_line() -> None:
    scan = page(2, "\nLetter of 1764\nDear Sir", source=TextSource.OCR)
    seen = picture_of(scan)
    assert seen is not None
    assert (seen.page, seen.caption, seen.box) == (2, "Letter of 1764", None)
    assert picture_of(picture(3)) is None
    assert picture_of(page(1, TEXT)) is None


@pytest.mark.parametrize(
    ("reader", "format", "warnings"),
    [
        (ReaderName.LITEPARSE, "pdf", ()),
        (ReaderName.PYPDF, "pdf", ("no_boxes",)),
        (ReaderName.MARKITDOWN, "pdf", ("no_boxes",)),
        (ReaderName.MARKITDOWN, "docx", ()),
    ],
)
def test_only_a_pdf_is_expected_to_have_boxes(
    reader: ReaderName, format: str, warnings: tuple[str, ...]
) -> None:
    keeper = kept(page(1, TEXT), beginning=replace(BEGINNING, format=format))
    assert keeper.final(replace(SUMMARY, reader=reader), chunks=1).warnings == warnings


def test_places_tell_the_reader_before_the_summary_does() -> None:
    begun = replace(BEGINNING, reader=ReaderName.PYPDF)
    placed = page(1, TEXT, segments=(Segment(start=0, end=5, letter=0),))
    assert kept(page(1, TEXT), beginning=begun).record(total=1, chunks=1).reader is begun.reader
    record = kept(placed, beginning=begun).record(total=1, chunks=1)
    assert record.reader is ReaderName.LITEPARSE


@pytest.mark.parametrize(
    ("metadata", "headings", "name", "title"),
    [
        ("A study of tides", (), "x.pdf", "A study of tides"),
        ("潮汐研究", (), "x.pdf", "潮汐研究"),
        ("report.docx", (), "tides.pdf", "tides"),
        (None, ("Chapter 1",), "tides.pdf", "tides"),
        ("untitled", (), "tides.pdf", "tides"),
    ],
)
def test_titles_are_those_a_learner_would_know(
    metadata: str | None, headings: tuple[str, ...], name: str, title: str
) -> None:
    assert title_of(metadata, headings, name) == title
