"""What is painted on a page besides text: enough to tell scans and figures. Workers only."""

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pypdfium2.raw as pdfium_c

from core.domain.document import TextSource
from core.readers.display import Matrix, Rect, area, box_of, clipped, times, to_display

_MAX_OBJECTS = 3000
"""So many objects of a page are looked at, forms included: hostile files have millions."""
_MAX_DEPTH = 3
_MIN_LETTERS = 20
"""A page with fewer letters has no text worth reading where a picture is."""
_SCAN_COVER = 0.3
"""Share of the page that pictures cover when the text on it is in them."""
_ANY_COVER = 0.02
"""The same for a page without any letter."""
_DRAWN_TEXT = 150
"""So many paths on a page without a letter are text as outlines, or a drawing with words."""
_GARBLED = 0.5
_MIN_CHARS = 10
_SHOWN = re.compile(r"\S")
_UNUSABLE = re.compile(r"[\x00-\x08\x0e-\x1b\ue000-\uf8ff\ufff0-\uffff\U000f0000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Painted:
    """Images with their places on the displayed page, and the number of paths."""

    images: tuple[Rect, ...] = ()
    paths: int = 0


NOTHING = Painted()


def painted(page: Any) -> Painted:
    """Look through the objects of an open page."""
    width, height = page.get_size()
    images: list[Rect] = []
    paths = 0
    for kind, matrix in _objects(page.raw, to_display(page)):
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            box = clipped(box_of(matrix, 0, 0, 1, 1), width, height)
            if area(box) > 0:
                images.append(box)
        elif kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            paths += 1
    return Painted(tuple(images), paths)


def _objects(page: Any, display: Matrix) -> Iterator[tuple[int, Matrix]]:
    """Yield kind and matrix of a page's objects, those inside forms too."""
    left = _MAX_OBJECTS
    count, get = pdfium_c.FPDFPage_CountObjects, pdfium_c.FPDFPage_GetObject
    todo = [(page, count(page), get, display, 0)]
    while todo:
        holder, size, get, outer, depth = todo.pop()
        for i in range(min(size, left)):
            left -= 1
            item = get(holder, i)
            kind = pdfium_c.FPDFPageObj_GetType(item)
            if kind == pdfium_c.FPDF_PAGEOBJ_FORM:
                if depth < _MAX_DEPTH:
                    inner = pdfium_c.FPDFFormObj_CountObjects(item)
                    matrix = times(_matrix(item), outer)
                    todo.append((item, inner, pdfium_c.FPDFFormObj_GetObject, matrix, depth + 1))
            elif kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
                yield kind, times(_matrix(item), outer)
            else:
                yield kind, outer


def _matrix(item: Any) -> Matrix:
    found = pdfium_c.FS_MATRIX()
    if not pdfium_c.FPDFPageObj_GetMatrix(item, ctypes.byref(found)):
        return 1, 0, 0, 1, 0, 0
    return found.a, found.b, found.c, found.d, found.e, found.f


def coverage(images: tuple[Rect, ...], width: float, height: float) -> float:
    """Return the share of the page that images cover, strips of one scan added up."""
    return min(1.0, sum(map(area, images)) / max(1.0, width * height))


def garbled(raw: str) -> bool:
    """Tell whether most characters are ones that no reader can know: unmapped or private use."""
    unusable = len(_UNUSABLE.findall(raw))
    if unusable < _MIN_CHARS:
        return False
    return unusable > _GARBLED * len(_SHOWN.findall(raw))


def source_of(raw: str, on_page: Painted, width: float, height: float) -> TextSource:
    """Tell whether the text layer of a page is its text, or a picture is."""
    if garbled(raw):
        return TextSource.NONE
    letters = sum(map(str.isalnum, raw))
    if letters >= _MIN_LETTERS:
        return TextSource.LAYER
    cover = coverage(on_page.images, width, height)
    drawn = letters == 0 and on_page.paths >= _DRAWN_TEXT
    in_picture = cover >= (_SCAN_COVER if letters else _ANY_COVER)
    return TextSource.NONE if drawn or in_picture else TextSource.LAYER
