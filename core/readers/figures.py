"""Figures of a page: its pictures, and drawings that have a caption. Runs in workers only."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from core.domain.document import BlockKind, Figure, Page
from core.readers.captions import is_caption, is_figure_caption
from core.readers.display import Rect, area, clipped
from core.readers.lines import PageLines, around
from core.text.letters import letters

_BACKGROUND = 0.85
"""A picture over this share of the page is a scan or a background."""
_SMALL = 0.008
"""A picture below this share of the page is an icon or a logo."""
_THIN = 20.0
"""Points; a picture that is less high or wide is an ornament."""
_DECORATION = 3
"""A picture at the same place of so many pages belongs to their design."""
_TILE_GAP = 3.0
"""Points between the tiles of one picture."""
_DRAWING_GAP = 12.0
"""Points between the strokes of one drawing."""
_MIN_STROKES = 5
_MAX_STROKES = 400
"""More strokes are thinned out before they are grouped."""
_CAPTION_REACH = 48.0
"""Points from a figure to its caption."""
_PAST = 4.0


class Decorations:
    """Counts the pictures of the pages by place."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[int, ...]] = Counter()

    def add(self, images: Iterable[Rect]) -> None:
        """Count the pictures of one more page."""
        self._seen.update({_place(box) for box in images})

    def holds(self, box: Rect) -> bool:
        """Tell whether a picture at this place is on several pages."""
        return self._seen[_place(box)] >= _DECORATION


def _place(box: Rect) -> tuple[int, ...]:
    return tuple(round(side / 2) for side in box)


def find_figures(
    page: Page, images: Sequence[Rect], graphics: Any, lines: PageLines, decorations: Decorations
) -> tuple[Figure, ...]:
    """Return the figures of a page, top to bottom.

    Drawings are made of strokes like the rules of tables and boxes; only those next to the caption
    of a figure count.
    """
    captions = _captions(page, lines)
    size = page.width * page.height
    wanted = [box for box in images if not decorations.holds(box)]
    boxes = [box for box in _grouped(wanted, _TILE_GAP) if _is_figure(box, size)]
    drawings = [
        clipped(box, page.width, page.height)
        for box in _drawings(graphics)
        if _is_figure(box, size)
    ]
    free = [c for c in captions if is_figure_caption(c[1])]
    boxes += [
        box
        for box in drawings
        if any(_distance(box, place) is not None for place, _ in free)
        and not any(_overlap(box, other) for other in boxes)
    ]
    return tuple(_figure(box, captions) for box in sorted(boxes, key=lambda b: (b[1], b[0])))


def _is_figure(box: Rect, page_size: float) -> bool:
    share = area(box) / max(1.0, page_size)
    return _SMALL <= share < _BACKGROUND and min(box[2] - box[0], box[3] - box[1]) >= _THIN


def _captions(page: Page, lines: PageLines) -> list[tuple[Rect, str]]:
    """Return the captions of a page with the place of their first line."""
    texts = [page.text[b.start : b.end] for b in page.blocks if b.kind is BlockKind.CAPTION]
    if not texts:
        return []
    found = []
    for column in lines.columns or [lines.across]:
        for line in column:
            if is_caption(line.text):
                key = letters(line.text)
                whole = next((text for text in texts if letters(text).startswith(key)), None)
                if whole is not None:
                    found.append((line.box, whole))
    return found


def _figure(box: Rect, captions: Sequence[tuple[Rect, str]]) -> Figure:
    near = [
        (distance, text)
        for place, text in captions
        if (distance := _distance(box, place)) is not None
    ]
    # The caption of a figure beats a nearer one of a table.
    near.sort(key=lambda found: (not is_figure_caption(found[1]), found[0]))
    caption = near[0][1] if near else ""
    return Figure(x0=box[0], y0=box[1], x1=box[2], y1=box[3], caption=caption)


def _distance(box: Rect, caption: Rect) -> float | None:
    """Return how far below (or, with some more, above) a figure its caption is; None if too far."""
    if caption[0] > box[2] + _PAST or caption[2] < box[0] - _PAST:
        return None
    below, above = caption[1] - box[3], box[1] - caption[3]
    if -_CAPTION_REACH / 4 <= below <= _CAPTION_REACH:
        return abs(below)
    if -_PAST <= above <= _CAPTION_REACH:
        return abs(above) + _CAPTION_REACH
    return None


def _overlap(a: Rect, b: Rect, gap: float = 0.0) -> bool:
    return a[0] < b[2] + gap and b[0] < a[2] + gap and a[1] < b[3] + gap and b[1] < a[3] + gap


def _grouped(boxes: Iterable[Rect], gap: float) -> list[Rect]:
    """Return the rectangles around groups of boxes that are at most `gap` apart."""
    groups: list[Rect] = []
    for box in sorted(boxes, key=lambda b: (b[1], b[0])):
        near = [g for g in groups if _overlap(g, box, gap)]
        groups = [g for g in groups if g not in near] + [around([box, *near])]
    return groups


def _drawings(graphics: Any) -> list[Rect]:
    """Return the places of groups of strokes that are no plain rules and frames."""
    if graphics is None:
        return []
    strokes = [_upright(shape.bbox) for shape in graphics.shapes]
    strokes += [
        _upright((line.x1, line.y1, line.x2, line.y2), corners=True) for line in graphics.lines
    ]
    step = max(1, len(strokes) // _MAX_STROKES)
    boxes = strokes[::step]
    return [
        group
        for group in _grouped(boxes, _DRAWING_GAP)
        if sum(_overlap(group, box) for box in boxes) * step >= _MIN_STROKES
    ]


def _upright(box: Sequence[float], *, corners: bool = False) -> Rect:
    """Return a rectangle with some area; of (x, y, width, height), or of two corners."""
    x0, y0, x1, y1 = box
    if not corners:
        x1, y1 = x0 + x1, y0 + y1
    return min(x0, x1) - 0.1, min(y0, y1) - 0.1, max(x0, x1) + 0.1, max(y0, y1) + 0.1
