from core.domain.document import BlockKind
from core.readers.assemble import assemble
from core.readers.running import RunningLines
from core.readers.units import RawPage, Unit, plain
from core.text.letters import letters

P, H, T = BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.TABLE


def made(raw, *units, number=1, running=frozenset()):
    page = assemble(
        RawPage(number=number, label=None, width=1, height=1, raw=raw, units=units), running
    )
    key = letters(raw)
    for segment in page.segments:
        own = letters(page.text[segment.start : segment.end])
        assert key[segment.letter : segment.letter + len(own)] == own
    return page


def test_clean_words_come_from_the_structure():
    page = made(
        "Heading\r\nA hyphen-\r\nated word\r\nhere.",
        Unit(H, "Heading", 2),
        Unit(P, "A hyphenated word here."),
    )
    assert page.text == "Heading\n\nA hyphenated word here."
    assert [(b.kind, b.level) for b in page.blocks] == [(H, 2), (P, 0)]


def test_reading_order_is_the_structures():
    page = made("right column\r\nleft column", Unit(P, "left column"), Unit(P, "right column"))
    assert page.text == "left column\n\nright column"
    assert [s.letter for s in page.segments] == [11, 0]


def test_what_the_structure_lost_comes_from_the_page():
    page = made(
        "Known.\r\nForgotten line.\r\nAlso known.", Unit(P, "Known."), Unit(P, "Also known.")
    )
    assert page.text == "Known.\n\nForgotten line.\n\nAlso known."


def test_what_the_structure_invented_is_not_taken():
    page = made("E = mc2", Unit(P, "$E = \\frac{m}{c}$"))
    assert page.text == "E = mc2"


def test_equal_cells_keep_their_own_places():
    page = made("a 5\r\nb 5", Unit(T, "a  5"), Unit(T, "b  5", joins_previous=True))
    assert page.text == "a  5\nb  5"
    assert len(page.blocks) == 1


def test_a_short_unit_is_not_found_inside_a_number():
    page = made("1511\r\n5 11", Unit(P, "5 11"))
    assert [page.text[s.start : s.end] for s in page.segments] == ["1511", "5 11"]
    assert page.segments[1].letter == 4


def test_running_headers_are_left_out_but_not_from_pages_that_have_nothing_else():
    raws = ["Report 1\r\nFirst.\r\npage 1", "Report 2\r\nSecond.\r\npage 2", "Report 3\r\npage 3"]
    running = RunningLines().add(raws)
    pages = [made(raw, number=i + 1, running=running) for i, raw in enumerate(raws)]
    assert [p.text for p in pages[:2]] == ["First.", "Second."]
    assert letters(pages[2].text) == "report3page3"


def test_a_line_within_the_page_that_repeats_is_text():
    raws = [f"a{i}\r\nb{i}x\r\nTotal\r\nc{i}y\r\nd{i}\r\ne{i}z\r\nf{i}" for i in "pqr"]
    raws = [raw.replace("Total", "x\r\ny\r\nTotal\r\nz\r\nw") for raw in raws]
    pages = [made(raw, running=RunningLines().add(raws)) for raw in raws]
    assert all("Total" in p.text for p in pages)


def test_one_page_has_no_running_lines():
    assert RunningLines().add(["Title\r\ntext"]) == frozenset()


def test_inline_markdown_becomes_text():
    assert plain("**Bold** and *it* with [a link](http://x.y/z) and 2*3*4") == (
        "Bold and it with a link and 2*3*4"
    )


def test_headings_that_only_count_are_no_running_lines():
    raws = [f"Chapter {i}\r\nText of {i}.\r\nReport of 2024, page {3 * i}" for i in (1, 2, 3, 4)]
    running = RunningLines()
    found = running.add([page for raw in raws for page in (raw, "x\r\ny\r\nz", "x\r\nz")])
    pages = [made(raw, number=3 * i + 1, running=found) for i, raw in enumerate(raws)]
    assert [p.text for p in pages] == [f"Chapter {i}\n\nText of {i}." for i in (1, 2, 3, 4)]


def test_a_paragraph_in_two_pieces_keeps_its_words_together():
    raw = "The first column ends with the words of\r\n1 A note.\r\na sentence that goes on here."
    page = made(
        raw,
        Unit(P, "The first column ends with the words of a sentence that goes on here."),
        Unit(BlockKind.FOOTNOTE, "1 A note.", sure=True),
    )
    assert [page.text[b.start : b.end] for b in page.blocks] == [
        "The first column ends with the words of",
        "a sentence that goes on here.",
        "1 A note.",
    ]


def test_a_spare_paragraph_counts_where_nothing_else_has_its_letters():
    page = made(
        "A title\r\nOne line of text.\r\nAnother line.",
        Unit(P, "A title"),
        Unit(P, "A title One line of text.", spare=True),
        Unit(P, "One line of text. Another line.", spare=True),
    )
    assert page.text == "A title\n\nOne line of text. Another line."


def test_a_row_whose_header_is_not_there_is_no_header():
    page = made(
        "a 5\r\nb 6",
        Unit(T, "not there  1", 1),
        Unit(T, "a  5", 1, joins_previous=True),
        Unit(T, "b  6", 1, joins_previous=True),
    )
    assert [(b.kind, b.level) for b in page.blocks] == [(T, 0)]
