"""The proof, on pages made by hand; the inspector answers from the same letters."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.domain.answer import Box, CitationState
from core.domain.document import (
    Document,
    Line,
    Page,
    ReaderName,
    Segment,
    TextRange,
    TextSource,
)
from core.rag.citations import MAX_QUOTE_CHARACTERS, Claim, Prover, place_of
from core.text.letters import letters


class Paper:
    """A `PageInspector` over letters that are given."""

    def __init__(self, pages):
        self.pages = pages

    def boxes(self, path, quotes):
        out = []
        for quote in quotes:
            stands = all(
                self.pages[r.page][r.start : r.start + len(r.letters)] == r.letters for r in quote
            )
            out.append(
                tuple(Box(page=r.page, x0=0, y0=0, x1=1, y1=1) for r in quote) if stands else None
            )
        return out


def document(reader=ReaderName.LITEPARSE):
    return Document(
        id="d", name="d.pdf", title="d", sha256="", size=1, pages=2, chunks=1, language="en",
        reader=reader, loaded_at=datetime(2026, 1, 1, tzinfo=UTC), embedder="e",
    )  # fmt: skip


def page(number, *parts):
    """Make a page of (text, letter) parts, separated by empty lines."""
    text, segments = "", []
    for part, letter in parts:
        start = len(text) + (2 if text else 0)
        text = f"{text}\n\n{part}" if text else part
        segments.append(Segment(start=start, end=len(text), letter=letter))
    return Page(number=number, label=None, text=text, width=1, height=1, segments=tuple(segments))


def where(page, text):
    start = page.text.index(text)
    return TextRange(page=page.number, start=start, end=start + len(text))


def prove(pages, paper, *ranges, reader=ReaderName.LITEPARSE):
    prover = Prover(Paper(paper), lambda d: Path("none"))
    claim = Claim(document(reader), tuple(ranges), 0.5)
    return prover.prove([claim], {("d", p.number): p for p in pages})[0]


def test_a_sentence_on_its_page_is_exact():
    one = page(1, ("It rained. We left.", 5))
    found = prove([one], {1: "aaaaa" + letters(one.text)}, where(one, "We left."))
    assert found.quote == "We left."
    assert found.state is CitationState.EXACT
    assert found.pages == (1,)
    assert found.boxes


def test_letters_that_are_not_on_the_paper_are_no_citation():
    one = page(1, ("It rained. We left.", 0))
    assert prove([one], {1: "itrainedwestayed"}, where(one, "We left.")) is None


def test_text_without_a_place_is_no_citation():
    one = Page(number=1, label=None, text="Typed by nobody.", width=1, height=1)
    assert prove([one], {1: letters(one.text)}, where(one, "Typed by nobody.")) is None


def test_pypdf_text_is_exact_without_boxes():
    one = Page(number=1, label="i", text="Read by pypdf.", width=1, height=1)
    found = prove([one], {}, where(one, "Read by pypdf."), reader=ReaderName.PYPDF)
    assert (found.state, found.boxes, found.page_label) == (CitationState.EXACT, (), "i")


def test_two_columns_that_follow_each_other_are_exact():
    one = page(1, ("It began", 0), ("and ended.", 7))
    found = prove([one], {1: "itbeganandended"}, where(one, "It began"), where(one, "and ended."))
    assert found.quote == "It began and ended."
    assert found.state is CitationState.EXACT


def test_a_sentence_that_is_interrupted_is_quoted_in_part():
    one = page(1, ("It began", 0), ("and ended at last.", 14))
    paper = {1: "itbegan" + "footno7" + "andendedatlast"}
    found = prove([one], paper, where(one, "It began"), where(one, "and ended at last."))
    assert found.quote == "and ended at last."
    assert found.state is CitationState.PARTIAL


def test_over_two_pages_end_meets_beginning():
    one, two = page(1, ("It began", 3)), page(2, ("and ended.", 4), ("More.", 12))
    paper = {1: "hdritbegan9", 2: "head" + "andended" + "more"}
    ranges = where(one, "It began"), where(two, "and ended.")
    found = prove([one, two], paper, *ranges)
    assert found.pages == (1, 2)
    assert found.page == 1
    assert found.state is CitationState.EXACT
    assert found.quote == "It began and ended."


def test_a_footnote_between_two_pages_makes_it_partial():
    one = page(1, ("It began with a long part", 0), ("A footnote.", 20))
    two = page(2, ("and ended.", 0))
    paper = {1: "itbeganwithalongpart" + "afootnote", 2: "andended"}
    found = prove(
        [one, two], paper, where(one, "It began with a long part"), where(two, "and ended.")
    )
    assert found.pages == (1,)
    assert found.state is CitationState.PARTIAL


def test_endless_sentences_are_quoted_in_part():
    text = "word " * 400
    one = page(1, (text.strip(), 0))
    found = prove([one], {1: letters(text)}, where(one, text.strip()))
    assert len(found.quote) <= MAX_QUOTE_CHARACTERS
    assert found.quote.endswith("word")
    assert found.state is CitationState.PARTIAL


def test_only_what_holds_is_numbered():
    one = page(1, ("First. Second. Third.", 0))
    prover = Prover(Paper({1: "firstxxxxxxthird"}), lambda d: Path("none"))
    claims = [Claim(document(), (where(one, t),), 0.5) for t in ("First.", "Second.", "Third.")]
    found = prover.prove(claims, {("d", 1): one})
    assert [c and (c.number, c.quote) for c in found] == [(1, "First."), None, (2, "Third.")]


@pytest.mark.parametrize(("text", "start"), [("rained", 12), ("It", 10)])
def test_a_place_counts_letters_only(text, start):
    one = page(1, ("“It” - rained.", 10))
    place = place_of(one, where(one, text))
    assert (place.start, place.letters) == (start, letters(text))


class Unreadable:
    """A `PageInspector` that must not be asked."""

    def boxes(self, path, quotes):
        raise AssertionError("asked for boxes")


def scan(number, *lines):
    """Make a recognised page of lines, joined by spaces; each is 100 points wide and 10 high."""
    text, boxes = "", []
    for i, line in enumerate(lines):
        start = len(text) + (1 if text else 0)
        text = f"{text} {line}" if text else line
        place = {"x0": 50.0, "x1": 150.0, "y0": 20.0 * i, "y1": 20.0 * i + 10}
        boxes.append(Line(start=start, end=len(text), **place))
    return Page(
        number=number, label=None, text=text, width=200, height=200,
        source=TextSource.OCR, lines=tuple(boxes),
    )  # fmt: skip


def prove_unasked(page, *ranges, reader=ReaderName.OCR):
    claim = Claim(document(reader), ranges, 0.5, ("Weather",))
    return Prover(Unreadable(), lambda d: Path("none")).prove([claim], {("d", page.number): page})[
        0
    ]


def test_a_quote_on_a_scan_has_the_part_of_each_line_that_it_covers():
    one = scan(3, "It rained. We le", "ft for the town.")
    found = prove_unasked(one, where(one, "We le ft for"))
    assert found.state is CitationState.EXACT
    assert found.source is TextSource.OCR
    assert found.heading_path == ("Weather",)
    assert found.boxes == (
        Box(page=3, x0=50 + 100 * 11 / 16, y0=0, x1=150, y1=10),
        Box(page=3, x0=50, y0=20, x1=50 + 100 * 6 / 16, y1=30),
    )


def test_a_chinese_character_on_a_scan_is_two_wide():
    one = scan(1, "潮汐 2024 磨坊")
    (box,) = prove_unasked(one, where(one, "磨坊")).boxes
    assert (box.x0, box.x1) == (50 + 100 * 10 / 14, 150)


def test_a_line_that_runs_upwards_is_not_cut():
    page = Page(
        number=1, label=None, text="It rained. We left.", width=200, height=200,
        source=TextSource.OCR, lines=(Line(start=0, end=19, x0=5, y0=10, x1=15, y1=110),),
    )  # fmt: skip
    assert prove_unasked(page, where(page, "We left.")).boxes == (
        Box(page=1, x0=5, y0=10, x1=15, y1=110),
    )


def test_two_ranges_on_a_scan_that_do_not_meet_are_partial():
    one = scan(1, "It began", "A footnote.", "and ended at last.")
    found = prove_unasked(one, where(one, "It began"), where(one, "and ended at last."))
    assert found.quote == "and ended at last."
    assert found.state is CitationState.PARTIAL
    assert len(found.boxes) == 1


def test_text_of_another_format_is_its_own_proof():
    one = Page(
        number=2, label=None, text="Row one. Row two.", width=0, height=0,
        source=TextSource.CONVERTED,
    )  # fmt: skip
    found = prove_unasked(one, where(one, "Row two."), reader=ReaderName.MARKITDOWN)
    assert (found.state, found.boxes, found.source, found.page) == (
        CitationState.EXACT, (), TextSource.CONVERTED, 2,
    )  # fmt: skip


def test_a_sentence_from_a_text_page_to_a_scan_is_one_quote():
    one, two = page(1, ("It began", 3)), scan(2, "and ended.", "More.")
    ranges = where(one, "It began"), where(two, "and ended.")
    found = prove([one, two], {1: "hdritbegan9"}, *ranges)
    assert found.quote == "It began and ended."
    assert (found.state, found.source) == (CitationState.EXACT, TextSource.OCR)
    assert [box.page for box in found.boxes] == [1, 2]


def test_what_the_file_does_not_say_falls_out_and_the_scan_stays():
    one, two = page(1, ("It began", 3)), scan(2, "and ended.", "More.")
    ranges = where(one, "It began"), where(two, "and ended.")
    found = prove([one, two], {1: "something else"}, *ranges)
    assert found.quote == "and ended."
    assert found.state is CitationState.PARTIAL
    assert [box.page for box in found.boxes] == [2]


def test_the_text_layer_is_named_as_the_source():
    one = page(1, ("It rained.", 0))
    found = prove([one], {1: letters(one.text)}, where(one, "It rained."))
    assert found.source is TextSource.LAYER
