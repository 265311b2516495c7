"""The table of contents: where a reader is in it, and how it is shown."""

from pathlib import Path

import pytest

from app.components import evidence
from app.evidence import open_page
from app.outline import OutlineLine, Outlines, current, headings_above, line_of
from core.assistant import PDFLearningAssistant
from core.domain.document import OutlineEntry
from core.settings import Settings
from core.wiring import build_services
from tests.samples import EN, HOSTILE, Tags, assert_tame, citation

LINES = tuple(
    OutlineLine(OutlineEntry(level=level, title=title, page=page), label)
    for level, title, page, label in (
        (1, "Preface", 2, "ii"),
        (1, "Memory", 5, "1"),
        (2, "Working memory", 5, "1"),
        (3, HOSTILE, 7, None),
        (2, "Long-term memory", 9, "9"),
        (1, "Sleep", 20, "16"),
    )
)


@pytest.mark.parametrize(
    ("page", "chosen", "index"),
    [
        (1, None, None),
        (2, None, 0),
        (4, None, 0),
        (5, None, 1),  # the first of the page is in view
        (5, 2, 2),
        (6, 2, 2),
        (8, None, 3),
        (9, 1, 4),  # what was clicked is another page's
        (99, 99, 5),
    ],
)
def test_the_line_of_a_page(page: int, chosen: int | None, index: int | None) -> None:
    assert current(LINES, page, chosen) == index
    assert current((), page, chosen) is None


def test_a_quote_stands_under_its_own_heading() -> None:
    above = citation(page=9, pages=(9,), heading_path=("Memory", "Working  memory"))
    assert line_of(LINES, above) == 2  # not the heading that begins on its page
    assert line_of(LINES, citation(page=9, heading_path=("Sleep",))) == 4  # that one is later
    assert line_of(LINES, citation(page=9)) == 4
    assert line_of((), above) is None


def test_the_headings_above_a_line() -> None:
    assert headings_above(LINES, 3) == ("Memory", "Working memory", HOSTILE)
    assert headings_above(LINES, 4) == ("Memory", "Long-term memory")
    assert headings_above(LINES, None) == ()


def shown(**changes: object) -> str:
    values: dict[str, object] = {
        "document_id": "d1", "document": "A book", "pages": 20, "outline": LINES, "current": 2,
        "views": (evidence.PageView(number=5, label="1", image=b"PNG"),),
    }  # fmt: skip
    return evidence.evidence_html(evidence.Evidence(**{**values, **changes}), EN)  # type: ignore[arg-type]


def test_lines_are_buttons_with_both_page_numbers() -> None:
    html = shown()
    assert_tame(html)
    assert html.count('class="level-') == 6
    assert 'class="level-3"' in html
    assert "ii (PDF 2)" in html
    assert ">9</span>" in html
    assert ">7</span>" in html
    assert html.count("aria-current") == 1
    assert 'data-page="5" data-entry="2" aria-current="true"' in html
    assert "Contents" in Tags(html).text
    assert "<details" not in shown(outline=(), current=None)


def test_it_is_open_for_reading_and_closed_beside_a_quote() -> None:
    assert 'id="outline" open' in shown()
    beside = shown(citation=citation(), question_id="q")
    assert 'id="outline" open' not in beside
    assert 'data-entry="0" data-question="q" data-number="1"' in beside


def test_printed_numbers_come_from_the_pages(settings: Settings, pdfs: Path) -> None:
    services = build_services(settings)
    try:
        assistant = PDFLearningAssistant("ada", services=services)
        loaded = assistant.load_document(pdfs / "labels.pdf")
        outlines = Outlines()
        opened = open_page(assistant, outlines, loaded.document_id, 3)
        assert [(x.entry.title, x.entry.page, x.label) for x in opened.outline] == [
            ("Preface", 1, "i"),
            ("Acknowledgements", 2, "ii"),
            ("The first chapter", 3, "1"),
            ("The second chapter", 4, "2"),
        ]
        assert opened.current == 2
        again = open_page(assistant, outlines, loaded.document_id, 4, entry=0)
        assert again.outline is opened.outline  # kept, not looked up again
        assert again.current == 3
    finally:
        services.close()
