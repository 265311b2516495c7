"""Reading order, paragraphs and line boxes of recognised pages, from lines placed by hand."""

import math

import numpy as np
import pytest

from core.domain.document import BlockKind, TextSource
from core.readers.ocr_columns import Scrap, skew
from core.readers.ocr_ink import NUMBER_GAP, stretches
from core.readers.ocr_layout import Frame, page_of, tidy
from core.text.letters import letters

FRAME = Frame(600, 800)
HIGH = 10.0


def scrap(text, x, y, width, height=HIGH):
    corners = ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
    return Scrap(text, corners)


def column(x, y, *lines, width=200.0, step=13.0):
    """Make the lines of a justified column; a line in a tuple has its own width."""
    out = []
    for i, line in enumerate(lines):
        text, wide = line if isinstance(line, tuple) else (line, width)
        out.append(scrap(text, x, y + i * step, wide))
    return out


def read(*scraps, frame=FRAME):
    return page_of(list(scraps), frame, number=1, label=None)


def parts(page, kind=None):
    return [page.text[b.start : b.end] for b in page.blocks if kind in (None, b.kind)]


def turned(scraps, degrees, centre=(300, 400)):
    """Return the scraps on a page that was laid on the glass aslant."""
    angle, (x, y) = math.radians(degrees), centre
    cos, sin = math.cos(angle), math.sin(angle)

    def turn(point):
        a, b = point[0] - x, point[1] - y
        return x + a * cos - b * sin, y + a * sin + b * cos

    return [Scrap(s.text, tuple(turn(p) for p in s.corners)) for s in scraps]


LEFT = (
    "It rained on the first of May and the mill",
    "stood still, because nobody could find the",
    "key of the sluice, although the miller had",
    "hung it on its nail the evening before. In",
)
RIGHT = (
    "the end the apprentice found it in the sack",
    "of barley, where it had slipped while they",
    "were weighing. They laughed and opened the",
    "gate, and the wheel turned until nightfall.",
)
TWO_COLUMNS = [*column(60, 100, *LEFT), *column(280, 100, *RIGHT)]


def test_columns_are_read_one_after_the_other_and_a_sentence_goes_on():
    assert parts(read(*TWO_COLUMNS)) == [" ".join(LEFT + RIGHT)]


@pytest.mark.parametrize("degrees", [-1.5, 1.5])
def test_a_page_laid_aslant_is_read_in_the_same_order(degrees):
    scraps = turned(TWO_COLUMNS, degrees)
    assert skew(scraps) == pytest.approx(math.radians(degrees))
    assert parts(read(*scraps)) == [" ".join(LEFT + RIGHT)]


def test_what_runs_over_both_columns_is_read_before_and_between():
    title = scrap("A title over both of the columns that are below it", 60, 87, 420)
    note = scrap("Between them a line that runs over both of the columns too", 60, 152, 420)
    below = [*column(60, 165, *LEFT), *column(280, 165, *RIGHT)]
    text = read(title, *TWO_COLUMNS, note, *below).text
    places = [text.index(t) for t in (title.text, LEFT[0], RIGHT[0], note.text)]
    places += [text.rindex(LEFT[0]), text.rindex(RIGHT[0])]
    assert places == sorted(places)


def test_headers_and_footers_are_no_lines_of_a_column():
    header = [scrap("Field notes", 60, 40, 60), scrap("Series two", 420, 40, 60)]
    footer = scrap("17", 470, 700, 10)
    assert parts(read(*header, *TWO_COLUMNS, footer)) == [
        "Field notes Series two",
        " ".join(LEFT + RIGHT),
        "17",
    ]


def test_the_cells_of_a_table_are_read_row_by_row():
    rows = [("Net sales", "48,317", "45,902"), ("Gross profit", "18,472", "17,131")]
    cells = [
        scrap(cell, 60 + 150 * i, 100 + 15 * j, 50)
        for i in range(3)
        for j, cell in enumerate(row[i] for row in rows)
    ]
    assert parts(read(*cells)) == [" ".join(row) for row in rows]


def test_a_hyphen_at_the_end_of_a_line_goes_and_its_line_ends_before_it():
    page = read(*column(60, 100, "weighs four hun-", "dred kilograms, and Mont-", "Blanc is high"))
    assert page.text == "weighs four hundred kilograms, and Mont- Blanc is high"
    first = page.lines[0]
    assert page.text[first.start : first.end] == "weighs four hun"
    assert (first.x0, first.y0, first.x1, first.y1) == (60, 100, 260, 110)


def test_chinese_lines_are_joined_without_a_space_and_others_with_one():
    page = read(*column(60, 100, "青石渡位于沅溪的转弯处，", "因河岸有青石而得名，见 Map", "一"))
    assert page.text == "青石渡位于沅溪的转弯处，因河岸有青石而得名，见 Map 一"


def test_indents_gaps_and_short_last_lines_end_a_paragraph():
    indented = [
        *column(60, 100, *LEFT[:3]),
        scrap("This one begins moved in and goes on in", 72, 139, 188),
        *column(60, 152, *RIGHT[:2]),
    ]
    assert len(parts(read(*indented))) == 2
    apart = [*column(60, 100, *LEFT[:3]), *column(60, 150, *RIGHT[:3])]
    assert len(parts(read(*apart))) == 2
    short = column(
        60, 100, LEFT[0], ("so it was.", 50.0), "A new paragraph begins at the edge here"
    )
    assert len(parts(read(*short))) == 2


def test_a_heading_is_clearly_larger_than_the_text():
    heading = scrap("Stones and dressing", 60, 70, 130, height=14)
    page = read(heading, *column(60, 100, *LEFT, *RIGHT))
    assert parts(page, BlockKind.HEADING) == ["Stones and dressing"]
    same = scrap("Stones and dressing", 60, 70, 90)
    assert parts(read(same, *column(60, 100, *LEFT)), BlockKind.HEADING) == []


def test_capitals_alone_are_no_heading():
    capitals = scrap("STONES AND DRESSING", 60, 70, 130, height=11)
    assert parts(read(capitals, *column(60, 100, *LEFT)), BlockKind.HEADING) == []


def test_every_line_knows_its_text():
    page = read(*TWO_COLUMNS)
    assert [page.text[n.start : n.end] for n in page.lines] == [*LEFT, *RIGHT]
    assert page.source is TextSource.OCR


def test_a_long_line_that_is_not_level_has_a_box_for_each_part():
    (line,) = turned([scrap("a line of words that falls a lot " * 2, 60, 400, 480)], 1.5)
    page = read(Scrap(tidy(line.text), line.corners))
    assert len(page.lines) > 1
    assert max(n.y1 - n.y0 for n in page.lines) < 2 * HIGH
    assert "".join(page.text[n.start : n.end] for n in page.lines) == page.text
    assert [n.x0 for n in page.lines] == sorted(n.x0 for n in page.lines)


@pytest.mark.parametrize(
    ("frame", "box"),
    [
        (Frame(800, 600, 1), (690, 60, 700, 180)),
        (Frame(600, 800, 2), (420, 690, 540, 700)),
        (Frame(800, 600, 3), (100, 420, 110, 540)),
    ],
)
def test_a_page_that_was_turned_for_reading_has_its_boxes_where_it_is_displayed(frame, box):
    lines = read(scrap("turned round", 60, 100, 120), frame=frame).lines
    covered = (
        min(n.x0 for n in lines),
        min(n.y0 for n in lines),
        max(n.x1 for n in lines),
        max(n.y1 for n in lines),
    )
    assert covered == box
    # In small parts: a citation of one word must not take the whole line, nor its other end.
    assert len(lines) == len("turned round")


def test_nothing_recognised_is_a_page_without_text():
    page = read()
    assert (page.text, page.source, page.blocks, page.lines) == ("", TextSource.NONE, (), ())


@pytest.mark.parametrize(
    ("read_as", "text"),
    [
        ("词元:把文字切成小块,对吗?", "词元：把文字切成小块，对吗？"),
        ("  ﬁrst  line ", "first line"),
        ("GPU: 显卡", "GPU: 显卡"),
        ("· - .", ""),
    ],
)
def test_a_line_is_tidied(read_as, text):
    assert tidy(read_as) == text


def test_many_lines_anywhere_lose_no_letter():
    random = np.random.default_rng(5)
    scraps = [
        scrap(f"word{i} and some more", *random.uniform((0, 0, 20), (500, 780, 90)))
        for i in range(300)
    ]
    page = read(*scraps)
    assert sorted(letters(page.text)) == sorted(letters("".join(s.text for s in scraps)))
    assert len(page.lines) == 300


def ink(*spans, width=400, height=40):
    """Make a line of ink on grey paper with a little noise."""
    line = 210 + np.random.default_rng(1).normal(0, 5, (height, width))
    for low, high in spans:
        line[8:32, low:high:2] = 40
        line[8:32, low + 1 : high : 2] = 60
    return line.clip(0, 255).astype(np.uint8)


def test_a_line_is_cut_at_wide_gaps_only():
    assert len(stretches(ink((10, 100), (112, 200), (260, 380)))) == 2
    (first, second) = stretches(ink((10, 100), (160, 380)))
    assert first == (4, 106)
    assert second == (154, 386)
    assert len(stretches(ink((10, 100), (120, 200)), NUMBER_GAP)) == 2


def test_light_letters_on_dark_paper_are_ink_too():
    assert len(stretches(255 - ink((10, 100), (160, 380)))) == 2


def test_a_line_without_ink_is_left_whole():
    assert stretches(ink()) == [(0, 400)]
