"""Letters to rectangles, and page images with highlights. Runs in worker processes only."""

import ctypes
import io
from collections.abc import Iterator, Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from PIL import Image, ImageChops, ImageDraw

from core.readers import images
from core.readers.pdfium import page_raw_text
from core.text.letters import letters_with_offsets

Rect = tuple[float, float, float, float]

_UNIT = 1000
"""PDFium's device coordinates are whole numbers: work in thousandths of a point."""
_HIGHLIGHT = (255, 226, 89)
_PAD = 1.2
"""Points by which a drawn highlight reaches beyond its box."""
_MAX_SIDE = 4000
"""Longest side of a page image in pixels."""
_OVERLAP = 0.5
"""Characters belong to one line when they share this part of the lower one's height."""


class PageLetters:
    """The letters of one open page with the characters they come from."""

    def __init__(self, page: Any) -> None:
        self._page = page
        self._text = page.get_textpage()
        self.key, self.offsets = letters_with_offsets(page_raw_text(self._text))
        self._width, self._height = page.get_size()

    def char_box(self, index: int) -> Rect | None:
        """Return a character's box in points from the top-left of the displayed page."""
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        ok = pdfium_c.FPDFText_GetCharBox(self._text.raw, index, left, right, bottom, top)
        if not ok:
            return None
        corners = [self._display(left.value, top.value), self._display(right.value, bottom.value)]
        (ax, ay), (bx, by) = corners
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def _display(self, x: float, y: float) -> tuple[float, float]:
        dx, dy = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(
            self._page.raw,
            0,
            0,
            round(self._width * _UNIT),
            round(self._height * _UNIT),
            0,
            x,
            y,
            dx,
            dy,
        )
        return dx.value / _UNIT, dy.value / _UNIT


def _same_line(line: Rect, box: Rect) -> bool:
    low = max(line[1], box[1])
    high = min(line[3], box[3])
    smaller = min(line[3] - line[1], box[3] - box[1])
    gap = box[0] - line[2]
    height = max(line[3] - line[1], box[3] - box[1], 1.0)
    return high - low >= _OVERLAP * smaller and -height < gap < 40 * height


def _vertical(line: Rect, box: Rect) -> bool:
    """Tell whether a box goes on below (or above) a line of turned text."""
    low = max(line[0], box[0])
    high = min(line[2], box[2])
    width = max(line[2] - line[0], box[2] - box[0], 1.0)
    gap = max(box[1] - line[3], line[1] - box[3])
    return high - low >= _OVERLAP * min(line[2] - line[0], box[2] - box[0]) and gap < width


def rectangles(letters: PageLetters, start: int, length: int) -> Iterator[Rect]:
    """Yield one rectangle a line over `length` letters from letter `start` on."""
    line: Rect | None = None
    turned = _is_turned(letters, start, length)
    joins = _vertical if turned else _same_line
    last = -1
    for offset in letters.offsets[start : start + length]:
        if offset == last:
            continue
        last = offset
        box = letters.char_box(offset)
        if box is None or box[2] <= box[0] or box[3] <= box[1]:
            continue
        if line is not None and joins(line, box):
            line = (
                min(line[0], box[0]),
                min(line[1], box[1]),
                max(line[2], box[2]),
                max(line[3], box[3]),
            )
            continue
        if line is not None:
            yield line
        line = box
    if line is not None:
        yield line


def _is_turned(letters: PageLetters, start: int, length: int) -> bool:
    """Tell whether the text runs up or down the displayed page."""
    boxes = [letters.char_box(o) for o in letters.offsets[start : start + min(length, 6)]]
    found = [b for b in boxes if b is not None]
    if len(found) < 2:
        return False
    across = abs(found[1][0] - found[0][0])
    along = abs(found[1][1] - found[0][1])
    return along > across and along > (found[0][3] - found[0][1]) * 0.5 and across < 1.0


def _scale(size: tuple[float, float], width: int) -> float:
    return min(width / size[0], _MAX_SIDE / max(size))


def draw(page: Any, *, width: int, boxes: Sequence[Rect], clip: Rect | None = None) -> bytes:
    """Return the page, or the part `clip` of it, as PNG, `width` pixels wide.

    `boxes` are highlighted. Where the whole page would become too large, the part is narrower.
    """
    scale = _scale_of(page.get_size(), width, clip)
    return _png(page.render(scale=scale).to_pil().convert("RGB"), scale, boxes, clip)


def draw_picture(
    path: str, number: int, *, width: int, boxes: Sequence[Rect], clip: Rect | None = None
) -> bytes:
    """Return a page of an image file as `draw` does. Raises `Failure`."""
    image, size = images.load(path, number, max_side=_MAX_SIDE)
    scale = _scale_of(size, width, clip)
    pixels = (max(1, round(size[0] * scale)), max(1, round(size[1] * scale)))
    return _png(image.convert("RGB").resize(pixels, reducing_gap=2.0), scale, boxes, clip)


def _scale_of(size: tuple[float, float], width: int, clip: Rect | None) -> float:
    if clip is None or clip[2] <= clip[0]:
        return _scale(size, width)
    return min(width / (clip[2] - clip[0]), _MAX_SIDE / max(*size, 1.0))


def _png(
    image: Image.Image, scale: float, boxes: Sequence[Rect], clip: Rect | None = None
) -> bytes:
    """Return a page, or a part of it, as PNG with highlights; `scale` is pixels a point."""
    if boxes:
        marks = Image.new("RGB", image.size, (255, 255, 255))
        pen = ImageDraw.Draw(marks)
        for x0, y0, x1, y1 in boxes:
            corners = [
                (x0 - _PAD) * scale,
                (y0 - _PAD) * scale,
                (x1 + _PAD) * scale,
                (y1 + _PAD) * scale,
            ]
            pen.rounded_rectangle(corners, radius=2 * scale, fill=_HIGHLIGHT)
        image = ImageChops.multiply(image, marks)
    if clip is not None:
        x0, y0, x1, y1 = (round(side * scale) for side in clip)
        x0, y0 = max(0, min(x0, image.width - 1)), max(0, min(y0, image.height - 1))
        image = image.crop(
            (x0, y0, max(x0 + 1, min(x1, image.width)), max(y0 + 1, min(y1, image.height)))
        )
    out = io.BytesIO()
    image.save(out, format="PNG", compress_level=4)
    return out.getvalue()


def open_document(path: str) -> Any:
    """Open a PDF with PDFium."""
    return pdfium.PdfDocument(path)
