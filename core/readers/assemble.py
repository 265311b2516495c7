"""One text per page: liteparse's structure over PDFium's letters.

liteparse gives blocks in reading order with clean words; PDFium gives the characters that can be
boxed. A block whose letters stand contiguously in PDFium's is taken over with its place; what no
such block covers is taken from PDFium's own lines, so that no letter is lost; running headers and
footers are left out. Every stretch of the resulting text therefore knows its letters on the page.
"""

from dataclasses import replace

from core.domain.document import Block, BlockKind, Page, Segment
from core.readers.formulas import is_formula
from core.readers.gaps import gap_units, in_order, merged
from core.readers.placing import mark_running, place, place_spare
from core.readers.units import Placed, RawPage
from core.text.letters import letters_with_offsets


def assemble(page: RawPage, running: frozenset[str]) -> Page:
    """Return the page with its one text, its blocks and the letters each stretch stands on."""
    key, offsets = letters_with_offsets(page.raw)
    taken = bytearray(len(key))
    mark_running(page, offsets, taken, running)
    placed = place(page, key, offsets, taken)
    rest = place_spare(page, key, offsets, taken) + gap_units(page, offsets, taken)
    rest.sort(key=lambda item: item.start)
    units = [_named(item) for item in merged(page, offsets, in_order(placed, rest))]
    parts: list[str] = []
    blocks: list[Block] = []
    segments: list[Segment] = []
    size = 0
    for item in units:
        joins = item.unit.joins_previous and blocks and blocks[-1].kind is item.unit.kind
        separator = "" if not parts else "\n" if joins else "\n\n"
        parts += [separator, item.unit.text]
        start = size + len(separator)
        size = start + len(item.unit.text)
        segments.append(Segment(start=start, end=size, letter=item.start))
        if joins:
            blocks[-1] = Block(kind=item.unit.kind, start=blocks[-1].start, end=size)
        else:
            # A row that joins a row which is not there is no header.
            level = 0 if item.unit.joins_previous else item.unit.level
            blocks.append(Block(kind=item.unit.kind, start=start, end=size, level=level))
    return Page(
        number=page.number,
        label=page.label,
        text="".join(parts),
        width=page.width,
        height=page.height,
        blocks=tuple(blocks),
        segments=tuple(segments),
    )


def _named(item: Placed) -> Placed:
    """Return a paragraph that is a formula as one."""
    if item.unit.kind is BlockKind.PARAGRAPH and is_formula(item.unit.text):
        return replace(item, unit=replace(item.unit, kind=BlockKind.FORMULA))
    return item
