"""A part of a converted document as HTML, and where a quote stands in it."""

import re

import pytest

from app.components import evidence
from app.components.converted import converted_page_html
from app.i18n import Words
from core.domain.document import Page
from core.readers.markdown_pages import pages_of
from core.readers.markdown_pieces import Dialect, pieces_of
from core.text.locate import quote_marks

EN = Words("en")
MARKDOWN = """# 记忆

语义记忆记录抽象的知识。情景记忆记录事件。

- one & two
- <script>alert(1)</script>

| Kind | Size |
| --- | --- |
| working |  |
|  | large |

```
if a < b:
    pass
```
"""


def part(markdown: str = MARKDOWN) -> Page:
    (page,) = pages_of(pieces_of(markdown, Dialect.WRITTEN))
    return page


def marked(html: str) -> list[str]:
    return re.findall(r'<mark class="proof"[^>]*>([^<]*)</mark>', html)


def test_every_kind_of_block_has_its_element() -> None:
    html = converted_page_html(part())
    assert "<h3>记忆</h3>" in html
    assert "<p>语义记忆记录抽象的知识。情景记忆记录事件。</p>" in html
    assert (
        "<ul><li>• one &amp; two</li><li>• &lt;script&gt;alert(1)&lt;/script&gt;</li></ul>" in html
    )
    assert "<thead><tr><th>Kind</th><th>Size</th></tr></thead>" in html
    assert "<tr><td>working</td><td></td></tr><tr><td></td><td>large</td></tr>" in html
    assert ">if a &lt; b:\n    pass</pre>" in html
    assert "<script" not in html


def test_marks_cross_blocks_and_cells() -> None:
    page = part()
    start = page.text.index("one & two")
    end = page.text.index("large") + len("large")
    html = converted_page_html(page, [(start, end)])
    assert marked(html) == [
        "one &amp; two",
        "• &lt;script&gt;alert(1)&lt;/script&gt;",
        "Kind",
        "Size",
        "working",
        "large",
    ]
    assert html.count("data-first-proof") == 1
    plain = re.sub(r"</?mark[^>]*>", "", html)
    assert plain == converted_page_html(page)


def test_marks_that_overlap_or_are_empty_lose_no_text() -> None:
    page = part("abcdef")
    html = converted_page_html(page, [(2, 4), (1, 3), (5, 5), (4, 99)])
    assert re.sub(r"<[^>]*>", "", html) == "abcdef"
    assert "".join(marked(html)) == "bcdef"


def test_a_page_without_blocks_shows_its_text() -> None:
    page = Page(number=7, label=None, text="a\n<b>", width=0, height=0)
    html = converted_page_html(page)
    assert "<p>a\n&lt;b&gt;</p>" in html
    assert 'data-page-shown="7"' in html


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("语义记忆记录抽象的知识。", ["语义记忆记录抽象的知识。"]),
        ("one & two", ["one &amp; two"]),
        ("Kind Size working", ["Kind", "Size", "working"]),
        ("not in the text", []),
        ("—", []),
        # It begins on this page and goes on over the break, or the other way round.
        ("if a < b: pass and on the next page it goes on", ["if a &lt; b:\n    pass"]),
        ("from the page before 记忆 语义记忆记录抽象", ["记忆", "语义记忆记录抽象"]),
    ],
)
def test_a_quote_is_marked_by_its_letters(quote: str, found: list[str]) -> None:
    page = part()
    assert marked(converted_page_html(page, quote_marks(page.text, quote))) == found


def test_the_panel_shows_part_and_headings_instead_of_a_page_image() -> None:
    page = part()
    view = evidence.PageView(
        number=1,
        label=None,
        image=None,
        page=page,
        marks=quote_marks(page.text, "情景记忆记录事件"),
        heading_path=("Learning", "记忆 <b>"),
    )
    shown = evidence.Evidence(document_id="d", document="notes.docx", pages=9, views=(view,))
    html = evidence.evidence_html(shown, EN)
    assert ">part 1</span> of 9" in html
    assert "Learning › 记忆 &lt;b&gt;" in html
    assert marked(html) == ["情景记忆记录事件。"]
    assert EN("evidence.no_boxes") not in html
    assert "<img" not in html
