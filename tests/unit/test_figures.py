from types import SimpleNamespace

from core.domain.document import Block, BlockKind, Page
from core.readers.figures import Decorations, find_figures
from core.readers.lines import PageLines, to_lines
from tests.unit.test_page_structure import words

WIDTH, HEIGHT = 400.0, 600.0


def found(images=(), captions=(), shapes=(), decorations=None):
    """`captions` are (text, x, y); `shapes` are (x, y, width, height)."""
    lines = to_lines(word for text, x, y in captions for word in words(text, x, y))
    blocks, parts, size = [], [], 0
    for text, _, _ in captions:
        blocks.append(Block(kind=BlockKind.CAPTION, start=size, end=size + len(text)))
        parts.append(text)
        size += len(text) + 2
    page = Page(
        number=1,
        label=None,
        text="\n\n".join(parts),
        width=WIDTH,
        height=HEIGHT,
        blocks=tuple(blocks),
    )
    graphics = SimpleNamespace(shapes=[SimpleNamespace(bbox=s) for s in shapes], lines=[])
    made = find_figures(
        page, images, graphics, PageLines(lines, [lines], 10.0), decorations or Decorations()
    )
    return [(round(f.x0), round(f.y0), round(f.x1), round(f.y1), f.caption) for f in made]


PICTURE = (50.0, 100.0, 250.0, 220.0)


def test_a_picture_has_the_caption_below_it():
    captions = [("Figure 1: The mill", 60, 226), ("Figure 2: The pond", 60, 500)]
    assert found([PICTURE], captions) == [(50, 100, 250, 220, "Figure 1: The mill")]


def test_a_caption_above_counts_where_none_is_below():
    assert found([PICTURE], [("Fig. 3: The gate", 60, 84)])[0][4] == "Fig. 3: The gate"


def test_the_caption_of_a_table_gives_way_to_that_of_a_figure():
    captions = [("Table 1: Boats", 60, 224), ("Figure 1: The mill", 60, 84)]
    assert found([PICTURE], captions)[0][4] == "Figure 1: The mill"


def test_a_caption_beside_or_far_away_is_of_something_else():
    assert found([PICTURE], [("Figure 1: The mill", 300, 226), ("Figure 2: Far", 60, 400)]) == [
        (50, 100, 250, 220, "")
    ]


def test_scans_backgrounds_icons_and_rules_are_no_figures():
    assert found([(0, 0, 400, 600), (10, 10, 30, 30), (0, 300, 400, 304)]) == []


def test_tiles_of_one_picture_are_one_figure():
    tiles = [(50, 100 + 20 * i, 250, 120 + 20 * i) for i in range(5)]
    assert found(tiles) == [(50, 100, 250, 200, "")]


def test_what_every_page_has_belongs_to_the_design():
    decorations = Decorations()
    for _ in range(3):
        decorations.add([PICTURE])
    assert found([PICTURE], decorations=decorations) == []


def test_a_drawing_counts_when_a_figure_caption_is_next_to_it():
    bars = [(60 + 20 * i, 150, 10, 60) for i in range(8)]
    assert found(shapes=bars) == []
    assert found(shapes=bars, captions=[("Table 2: Boats", 60, 216)]) == []
    assert found(shapes=bars, captions=[("图 2：水车", 60, 216)]) == [
        (60, 150, 210, 210, "图 2：水车")
    ]
