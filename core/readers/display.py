"""PDF user space to points from the top left of the displayed page."""

import ctypes
from typing import Any

import pypdfium2.raw as pdfium_c

Rect = tuple[float, float, float, float]
"""x0, y0, x1, y1 with x0 <= x1 and y0 <= y1."""
NOWHERE: Rect = (0.0, 0.0, 0.0, 0.0)
Matrix = tuple[float, float, float, float, float, float]

_UNIT = 1000
"""PDFium's device coordinates are whole numbers: work in thousandths of a point."""
_FAR = 1000


def to_display(page: Any) -> Matrix:
    """Return the matrix (a, b, c, d, e, f) from a page's user space, crop and rotation applied."""
    width, height = page.get_size()
    size = (round(width * _UNIT), round(height * _UNIT))

    def at(x: float, y: float) -> tuple[float, float]:
        dx, dy = ctypes.c_int(), ctypes.c_int()
        pdfium_c.FPDF_PageToDevice(page.raw, 0, 0, *size, 0, x, y, dx, dy)
        return dx.value / _UNIT, dy.value / _UNIT

    (ox, oy), (ax, ay), (bx, by) = at(0, 0), at(_FAR, 0), at(0, _FAR)
    return (
        (ax - ox) / _FAR,
        (ay - oy) / _FAR,
        (bx - ox) / _FAR,
        (by - oy) / _FAR,
        ox,
        oy,
    )


def times(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies `inner`, then `outer`."""
    a, b, c, d, e, f = inner
    p, q, r, s, t, u = outer
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )


def box_of(matrix: Matrix, x0: float, y0: float, x1: float, y1: float) -> Rect:
    """Return the upright rectangle around a rectangle under `matrix`."""
    a, b, c, d, e, f = matrix
    xs = [a * x + c * y + e for x in (x0, x1) for y in (y0, y1)]
    ys = [b * x + d * y + f for x in (x0, x1) for y in (y0, y1)]
    return min(xs), min(ys), max(xs), max(ys)


def area(box: Rect) -> float:
    """Return the area of a rectangle."""
    return (box[2] - box[0]) * (box[3] - box[1])


def clipped(box: Rect, width: float, height: float) -> Rect:
    """Return the part of a rectangle that lies on the page; without area where none does."""
    x0, x1 = (min(max(x, 0.0), width) for x in (box[0], box[2]))
    y0, y1 = (min(max(y, 0.0), height) for y in (box[1], box[3]))
    return x0, y0, x1, y1
