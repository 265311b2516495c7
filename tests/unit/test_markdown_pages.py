"""Cutting converted text into parts: nothing lost, nothing too long, no heading at an end."""

import random

import pytest

from core.domain.document import Block, BlockKind, Page
from core.readers.markdown_pages import LEAST, MOST, Piece, pages_of, row_text
from core.readers.markdown_pieces import Dialect, pieces_of, table_piece
from core.text.letters import letters

PARAGRAPH, HEADING, TABLE, CODE = (
    BlockKind.PARAGRAPH,
    BlockKind.HEADING,
    BlockKind.TABLE,
    BlockKind.CODE,
)


def of(page: Page, kind: BlockKind) -> list[Block]:
    return [block for block in page.blocks if block.kind is kind]


@pytest.mark.parametrize("seed", range(5))
def test_every_letter_is_kept_in_order(seed: int) -> None:
    rng = random.Random(seed)
    pieces = []
    for i in range(80):
        words = " ".join(f"w{i}x{n}" for n in range(rng.choice((2, 20, 400, 1500))))
        kind = rng.choice((PARAGRAPH, HEADING, TABLE, CODE))
        if kind is HEADING:
            pieces.append(Piece(kind=kind, lines=(words[:60],), level=rng.randrange(1, 7)))
        elif kind is PARAGRAPH:
            pieces.append(Piece(kind=kind, lines=(words,)))
        else:
            lines = tuple(words[n : n + 70] for n in range(0, len(words), 70))
            pieces.append(Piece(kind=kind, lines=lines, level=1 if kind is TABLE else 0))
    pages = list(pages_of(pieces))
    assert [page.number for page in pages] == list(range(1, len(pages) + 1))
    assert letters("".join(page.text for page in pages)) == letters(
        "".join(line for piece in pieces for line in piece.lines)
    )
    for page in pages:
        headings = sum(block.end - block.start + 2 for block in of(page, HEADING))
        assert len(page.text) <= MOST + headings
        ends = [0, *(block.end for block in page.blocks)]
        assert all(a <= b.start for a, b in zip(ends, page.blocks, strict=False))
        assert ends[-1] == len(page.text)
    assert all(page.blocks[-1].kind is not HEADING for page in pages[:-1])


def test_a_part_ends_before_a_heading_once_it_is_long_enough() -> None:
    text = "Some words. " * 50
    pieces = [
        piece
        for i in range(10)
        for piece in (
            Piece(kind=HEADING, lines=(f"Chapter {i}",), level=1),
            *[Piece(kind=PARAGRAPH, lines=(text.strip(),))] * 3,
        )
    ]
    pages = list(pages_of(pieces))
    assert all(page.blocks[0].kind is HEADING for page in pages)
    assert all(LEAST - 300 <= len(page.text) <= MOST for page in pages[:-1])


def test_only_the_first_part_of_a_table_has_its_header() -> None:
    rows = tuple(f"row {i}  {'x' * 60}" for i in range(200))
    pages = list(pages_of([Piece(kind=TABLE, lines=("name  value", *rows), level=1)]))
    assert len(pages) > 2
    assert [of(page, TABLE)[0].level for page in pages] == [1] + [0] * (len(pages) - 1)


def test_a_slide_without_text_keeps_its_number() -> None:
    markdown = "<!-- Slide number: 1 -->\n<!-- Slide number: 2 -->\n# Two\nline one\nline two"
    pages = list(pages_of(pieces_of(markdown, Dialect.SLIDES)))
    assert [page.text for page in pages] == ["", "Two\n\nline one\n\nline two"]


@pytest.mark.parametrize("cells", [["a", "", "b"], ["", "b"], ["", "", "c d"], ["a"]])
def test_cells_come_back_from_a_row(cells: list[str]) -> None:
    assert row_text(cells).split("  ") == cells
    assert row_text([*cells, "", ""]) == row_text(cells)


def test_a_header_is_a_first_row_with_every_cell_filled() -> None:
    def level(*rows: list[str]) -> list[int]:
        return [piece.level for piece in table_piece(rows) if piece.kind is TABLE]

    assert level(["a", "b"], ["1", ""]) == [1]
    assert level(["", "b"], ["1", "2"]) == [0]
    assert level(["a", "b"]) == [0]
    assert level(["only"], ["one"]) == []
    assert level(["", ""], ["a", "b"], ["1", "2"]) == [1]
    assert list(table_piece([["", ""]])) == []


def test_lines_of_a_paragraph_join_as_their_language_does() -> None:
    (page,) = pages_of(pieces_of("one\ntwo\n\n一行\n二行\n\n诗  \n句", Dialect.WRITTEN))
    assert page.text.split("\n\n") == ["one two", "一行二行", "诗\n句"]


def test_markup_and_entities_follow_the_dialect() -> None:
    text = r"a\_b &lt; <u>c</u> __d__"
    texts = {d: next(pages_of(pieces_of(text, d))).text for d in Dialect if d is not Dialect.SLIDES}
    assert texts == {
        Dialect.WRITTEN: "a_b < <u>c</u> d",
        Dialect.ESCAPED: "a_b < c d",
        Dialect.RAW: "a_b &lt; <u>c</u> __d__",
    }
