"""Captions, code, footnotes, tables and turned text, from words with their places."""

import pytest

from core.domain.document import BlockKind
from core.readers.captions import is_caption, is_figure_caption
from core.readers.formulas import is_formula
from core.readers.lines import MAX_WORDS, Line, PageLines, Word, page_lines, to_lines, turn_of
from core.readers.listings import find_code
from core.readers.notes import find_notes
from core.readers.paragraphs import hangs, spare_paragraphs, split_item
from core.readers.spelling import respelt
from core.readers.tables import find_tables, header_rows, units_of
from core.readers.units import Unit

SIZE = 10.0


def words(text, x, y, *, size=SIZE, mono=False, step=0.5):
    """Words on a line at (x, y), each letter `step` sizes wide; runs of spaces are as wide."""
    out = []
    at = x
    for part in text.split(" "):
        if part:
            box = (at, y, at + len(part) * size * step, y + size)
            out.append(Word(part, box, size, mono))
        at += (len(part) + 1) * size * step
    return out


def page(*rows, body=SIZE):
    lines = to_lines(word for row in rows for word in row)
    return PageLines(lines, [lines], body)


@pytest.mark.parametrize(
    "text",
    [
        "Table 3: Net sales by region",
        "Table 3. Net sales",
        "TABLE IV – Results",
        "Figure 2",
        "Fig. 2a: The mill",
        "Exhibit 10.1 Consent of the auditors",
        "Table A.1 Means and deviations",
        "表 3 各航线的旅客和车辆",
        "表3-1：各航线的旅客",
        "图 2：水车",
        "图2-3 系统结构",
        "附表 1 证书",
        "续表 4",
    ],
)
def test_captions_are_known_by_how_they_begin(text):
    assert is_caption(text)


@pytest.mark.parametrize(
    "text",
    [
        "Table 3 shows the net sales of all regions.",
        "Figure 2 was drawn by the miller.",
        "Tables are set without rules.",
        "The table below",
        "表 3 列出了各航线的旅客。",
        "图2所示的系统由三部分组成。",
        "表面处理 3 次",
        "图书馆在二楼。",
        "Table 4: " + "a very long paragraph that only begins like a caption " * 8,
    ],
)
def test_sentences_about_tables_and_figures_are_no_captions(text):
    assert not is_caption(text)


def test_captions_of_figures_are_told_from_those_of_tables():
    assert is_figure_caption("Figure 2: The mill")
    assert is_figure_caption("图 2 水车")
    assert not is_figure_caption("Table 2: The mill")
    assert not is_figure_caption("表 2 水车")


def test_a_table_is_found_by_the_white_between_its_columns():
    made = page(
        words("The boats are listed here with the year in which each of them was built.", 40, 20),
        words("Boat", 40, 50) + words("Built", 160, 50) + words("Length", 240, 50),
        words("Gannet", 40, 66) + words("1978", 160, 66) + words("38.5", 240, 66),
        words("Old Tern", 40, 82) + words("1994", 160, 82) + words("41.0", 240, 82),
        words("Nothing more is known of them, and nobody has asked for more since.", 40, 120),
    )
    (table,) = find_tables(made)
    assert table.rows == [
        ["Boat", "Built", "Length"],
        ["Gannet", "1978", "38.5"],
        ["Old Tern", "1994", "41.0"],
    ]
    units = list(units_of(table.rows, table.box))
    assert [u.text for u in units][1] == "Gannet  1978  38.5"
    assert [u.joins_previous for u in units] == [False, True, True]
    assert units[0].level == 1


def test_a_cell_of_two_lines_is_one_cell():
    made = page(
        words("Boat", 40, 50) + words("Built", 160, 50) + words("Remarks", 240, 50),
        words("Gannet", 40, 66) + words("1978", 160, 66) + words("Hull plates are thin", 240, 66),
        words("and must be renewed", 240, 78),
        words("Tern", 40, 98) + words("1994", 160, 98) + words("None", 240, 98),
    )
    (table,) = find_tables(made)
    assert table.rows[1] == ["Gannet", "1978", "Hull plates are thin and must be renewed"]


def test_running_text_and_lists_are_no_tables():
    text = "There is nothing in these lines that a reader would take for cells of a table."
    prose = page(*(words(text, 40, 20 + 14 * i) for i in range(6)))
    items = page(
        *(words(f"{i}.", 40, 20 + 14 * i) + words(text, 70, 20 + 14 * i) for i in range(6))
    )
    assert find_tables(prose) == []
    assert find_tables(items) == []


@pytest.mark.parametrize(
    ("rows", "level"),
    [
        ([["Boat", "Built"], ["Tern", "1994"], ["Skua", "2019"]], 1),
        ([["At 30 June", "2024", "2023"], ["Cash", "5,430", "3,985"]], 1),
        ([["Year ended", "Q1", "Q2"], ["Cash", "$ 5", "(3)"]], 1),
        ([["Cash", "5,430", "3,985"], ["Loans", "9,800", "10,600"]], 0),
        ([["Interest", "28", "10"], ["Tax", "35", "25"]], 0),
        ([["Name", "Remark"], ["Tern", "in good order"]], 1),
        ([["Only one row", "5"]], 0),
    ],
)
def test_the_first_row_is_a_header_when_it_names_columns(rows, level):
    assert header_rows(rows) == level


def test_currency_signs_and_brackets_go_with_their_numbers():
    rows = [["Sales", "$", "46,298", "$", "51,761"], ["Cost", "(36", ")", "12", "%"]]
    assert [u.text for u in units_of(rows, None)] == [
        "Sales  $ 46,298  $ 51,761",
        "Cost  (36)  12%",
    ]


def test_code_keeps_lines_indentation_and_comments_in_chinese():
    made = page(
        words("The program is short.", 40, 20),
        words("def words(text):", 40, 50, mono=True),
        words("#", 60, 62, mono=True) + words("先转成小写", 70, 62, step=1),
        words("return text.lower()", 60, 74, mono=True),
        words("print(1)", 40, 98, mono=True),
        words("And here the text goes on.", 40, 140),
    )
    ((_, units),) = find_code(made)
    assert "\n".join(u.text for u in units) == (
        "def words(text):\n    # 先转成小写\n    return text.lower()\n\nprint(1)"
    )
    assert {u.kind for u in units} == {BlockKind.CODE}


def test_a_word_of_code_in_a_sentence_is_no_listing():
    row = words("Call", 40, 20) + words("run()", 70, 20, mono=True)
    row += words("and wait for the end of it.", 110, 20)
    assert find_code(page(row)) == []


def small(text, y):
    return words(text, 40, y, size=7.0)


def test_footnotes_are_small_print_at_the_foot_that_begins_with_a_mark():
    body = [
        words("This line is as long as running text usually is.", 40, 20 + 14 * i) for i in range(5)
    ]
    made = page(
        *body,
        small("1The first sheet is kept under glass, and no-", 540),
        small("body reads it.", 549),
        small("2Ferrier called it the rule of the open back.", 558),
        small("17", 580),
    )
    notes = find_notes(made, 600)
    assert [unit.text for _, group in notes for unit in group] == [
        "1The first sheet is kept under glass, and nobody reads it.",
        "2Ferrier called it the rule of the open back.",
    ]


def test_small_print_without_a_mark_or_high_up_is_no_footnote():
    body = [
        words("This line is as long as running text usually is.", 40, 20 + 14 * i) for i in range(5)
    ]
    assert find_notes(page(*body, small("Printed on paper from the mill.", 540)), 600) == []
    assert find_notes(page(*body, small("1The first sheet is kept under glass.", 120)), 600) == []


def test_paragraphs_part_at_indents_and_after_short_last_lines():
    made = page(
        words("The first paragraph has a line that fills the column", 40, 20),
        words("and a short one.", 40, 32),
        words("The second one begins at the margin and fills it all", 40, 44),
        words("as far as the end.", 40, 56),
        words("The third is indented and", 55, 68),
        words("goes on.", 40, 80),
    )
    assert [u.text.split()[1] for u in spare_paragraphs(made)] == ["first", "second", "third"]


def test_a_list_item_ends_where_a_line_returns_to_the_margin():
    rows = [
        words("• a cord of exactly ten metres, for measuring", 40, 20),
        words("the width of the weed.", 50, 32),
        words("The order of work is fixed as well.", 40, 44),
    ]
    text = (
        "• a cord of exactly ten metres, for measuring the width of the weed. "
        "The order of work is fixed as well."
    )
    item = Unit(BlockKind.LIST, text, box=(40, 20, 300, 54))
    assert hangs(item, page(*rows))
    parts = split_item(item, page(*rows), hanging=True)
    assert [(u.kind, u.text[:12]) for u in parts] == [
        (BlockKind.LIST, "• a cord of "),
        (BlockKind.PARAGRAPH, "The order of"),
    ]
    assert " ".join(u.text for u in parts) == text


@pytest.mark.parametrize(
    ("text", "raw", "spelt"),
    [
        ('"No", he said.', "“No”, he\r\nsaid.", "“No”, he said."),
        ("the miller's wheel", "the miller’s wheel", "the miller’s wheel"),
        ("2004-2008", "2004–2008", "2004–2008"),
        ("a hyphenated word", "a hyphen-\r\nated word", "a hyphenated word"),
        ('• "No", he said.', "“No”, he said.", "• “No”, he said."),
        ("well-known", "well-\r\nknown", "well-known"),
        ('"医生"挨着"大夫" ，两者', "“医生”挨着“大夫”，两者", "“医生”挨着“大夫”，两者"),
    ],
)
def test_a_block_has_the_punctuation_of_its_page(text, raw, spelt):
    assert respelt(text, raw) == spelt


class Item:
    """One of liteparse's text items."""

    def __init__(self, text, x, y, width, height, rotation):
        self.text, self.x, self.y, self.width, self.height = text, x, y, width, height
        self.rotation, self.font_name, self.font_size = rotation, "Serif", 10.0
        self.words = [self]


class ParsedPage:
    width, height = 200.0, 400.0

    def __init__(self, *items):
        self.text_items = items


@pytest.mark.parametrize(
    ("turn", "first", "second"),
    [
        (90, (180, 20, 10, 60), (165, 20, 10, 80)),
        (180, (120, 380, 60, 10), (100, 365, 80, 10)),
        (270, (20, 300, 10, 60), (35, 280, 10, 80)),
    ],
)
def test_turned_lines_come_in_the_order_of_reading(turn, first, second):
    made = ParsedPage(Item("second", *second, turn), Item("first", *first, turn))
    assert turn_of(made) == turn
    lines = page_lines(made)
    assert [line.text for line in lines.across] == ["first", "second"]
    assert lines.turn == turn
    boxes = [line.box for line in lines.across]
    assert boxes[0][3] <= boxes[1][1]
    assert abs(boxes[0][0] - boxes[1][0]) < 1


def test_a_page_of_endless_words_is_not_looked_at_closely():
    items = [Item("word", i % 100, i // 100, 5, 8, 0) for i in range(MAX_WORDS + 1)]
    assert page_lines(ParsedPage(*items)).across == []
    assert page_lines(ParsedPage(*items[:-1])).across


def test_two_columns_are_read_one_after_the_other():
    left = [words("words that fill a column up", 40, 20 + 14 * i) for i in range(9)]
    right = [words("and more of them in another", 200, 20 + 14 * i) for i in range(9)]
    items = [
        Item(w.text, w.box[0], w.box[1], w.box[2] - w.box[0], w.box[3] - w.box[1], 0)
        for row in left + right
        for w in row
    ]
    columns = page_lines(ParsedPage(*items)).columns
    assert [len(column) for column in columns] == [9, 9]
    assert isinstance(columns[0][0], Line)
    assert columns[1][0].text == "and more of them in another"


@pytest.mark.parametrize(
    "text",
    ["E = mc2", "a² + b² = c²", "Attention(Q, K, V) = softmax(QKᵀ/√d)V", "∑ xᵢ ≤ n", "p < 0.05"],
)
def test_formulas_have_an_operator_and_no_words(text):
    assert is_formula(text)


@pytest.mark.parametrize(
    "text",
    ["Total = 5", "The mass is m = 5 kg.", "质量 m = 5", "1 < 2", "x and y", "3 × 4 = 12", ""],
)
def test_sentences_and_sums_are_no_formulas(text):
    assert not is_formula(text)
