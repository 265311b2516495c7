"""What no unit covers: taken from PDFium's own lines, so that no letter is lost."""

from core.domain.document import BlockKind
from core.readers.captions import is_caption
from core.readers.placing import page_slice
from core.readers.units import Placed, RawPage, Unit
from core.text.clean import clean, join_cjk
from core.text.letters import letters
from core.text.sentences import closes
from core.text.tokens import columns, is_cjk

_CJK_OPENING = "“‘（《「『【"
_LONG_LINE = 40
"""A line of so many columns is running text, not a cell or a label."""
_SHORTEST_LONG_LINE = 24
"""The same where all lines of the page are short: in narrow columns."""
_FULL = 0.85
"""Of the width of the page's long lines."""


def _gap_lines(page: RawPage, offsets: list[int], taken: bytearray) -> list[tuple[int, int]]:
    """Return the letters no unit took, as (start, end) split at PDFium's line breaks."""
    out: list[tuple[int, int]] = []
    size = len(taken)
    start = taken.find(0)
    while start >= 0:
        end = taken.find(1, start)
        end = size if end < 0 else end
        line = start
        for i in range(start + 1, end):
            if "\n" in page.raw[offsets[i - 1] + 1 : offsets[i]]:
                out.append((line, i))
                line = i
        out.append((line, end))
        start = taken.find(0, end)
    return out


def gap_units(page: RawPage, offsets: list[int], taken: bytearray) -> list[Placed]:
    """Return PDFium's lines of the letters that nothing took, as paragraphs."""
    out: list[Placed] = []
    for start, end in _gap_lines(page, offsets, taken):
        text = join_cjk(clean(page_slice(page, offsets, start, end))).strip()
        # NFKC may turn one letter of the page into several; letters() sees through that.
        if letters(text) != letters(page.raw[offsets[start] : offsets[end - 1] + 1]):
            continue
        kind = BlockKind.CAPTION if is_caption(text) else BlockKind.PARAGRAPH
        out.append(Placed(Unit(kind, text), start, end))
    return out


def merged(page: RawPage, offsets: list[int], units: list[Placed]) -> list[Placed]:
    """Join paragraphs that are one: whose letters stand next to each other, and of which the second
    goes on with a line that the first one fills."""
    long_line = _long_line(page.raw)
    out: list[Placed] = []
    for item in units:
        before = out[-1] if out else None
        if (
            before is not None
            and before.end == item.start
            and before.unit.kind is item.unit.kind is BlockKind.PARAGRAPH
            and _goes_on(page, offsets, before, item, long_line)
        ):
            out[-1] = _joined(before, item)
        else:
            out.append(item)
    return out


def _long_line(raw: str) -> float:
    """Return how wide a line of running text is at least, in columns."""
    widths = sorted(w for line in raw.splitlines() if (w := columns(line.strip())) >= 16)
    usual = widths[len(widths) * 9 // 10] if widths else 0
    return max(_SHORTEST_LONG_LINE, min(_LONG_LINE, _FULL * usual))


def _goes_on(
    page: RawPage, offsets: list[int], before: Placed, item: Placed, long_line: float
) -> bool:
    """Tell whether a line goes on with the paragraph of the line before it."""
    text = item.unit.text
    between = page.raw[offsets[item.start - 1] + 1 : offsets[item.start]]
    if "\ufffe" in between or (between.lstrip(" ")[:1] in ("-", "\x02") and text[:1].islower()):
        return True
    if closes(before.unit.text) and not text[:1].islower():
        return False
    inside = text[:1].islower() or is_cjk(text[:1]) or text[:1] in _CJK_OPENING
    line = page.raw[: offsets[item.start - 1] + 1].splitlines()[-1]
    return inside and columns(line.strip()) >= long_line


def _joined(before: Placed, item: Placed) -> Placed:
    head, text = before.unit.text, item.unit.text
    if head[-1:] in ("-", "\u00ad") and text[:1].islower():
        joined = head[:-1] + text
    else:
        joined = join_cjk(f"{head} {text}")
    return Placed(Unit(BlockKind.PARAGRAPH, joined, box=before.unit.box), before.start, item.end)


def in_order(placed: list[Placed], gaps: list[Placed]) -> list[Placed]:
    """Put each gap behind the unit that stands before it on the page."""
    if not gaps:
        return placed
    ends = {p.end: i for i, p in enumerate(placed)}
    behind: dict[int, list[Placed]] = {}
    bounds = sorted(ends)
    for gap in gaps:
        before = [e for e in bounds if e <= gap.start]
        behind.setdefault(ends[before[-1]] if before else -1, []).append(gap)
    out = list(behind.get(-1, []))
    for i, unit in enumerate(placed):
        out.append(unit)
        out += behind.get(i, [])
    return out
