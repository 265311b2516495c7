"""Reads letters and their places with pypdfium2, on its own: nothing here comes from the product.

Letters are compared as NFKC, case folded, letters and digits only. Places are in points from the
top-left of the displayed page: PDFium's own page-to-device transform applies crop and rotation.
"""

import ctypes
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import pypdfium2
import pypdfium2.raw as pdfium

UNITS_PER_POINT = 1000
Transform = Callable[[float, float], tuple[float, float]]
EDGE_LINES = 3  # running headers and footers are looked for in so many first and last lines


class Rectangle(Protocol):
    """A box of the product, in points from the top-left of displayed page `page` (1-based)."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


def letters(text: str) -> str:
    """Return the letters and digits of `text`, NFKC and case folded."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


@dataclass(frozen=True, slots=True)
class Char:
    """One character; `x`, `y` is the centre of its box, `height` the box's height."""

    text: str
    x: float
    y: float
    height: float


class PageLetters:
    """The characters of one page, in PDFium's order."""

    def __init__(self, page: pypdfium2.PdfPage) -> None:
        self.chars = _read_chars(page)

    @cached_property
    def text(self) -> str:
        """All characters as PDFium gives them, with its line breaks."""
        return "".join(c.text for c in self.chars)

    @cached_property
    def letters(self) -> str:
        """The letters of the page."""
        return letters(self.text)

    @cached_property
    def lines(self) -> list[str]:
        """The letters of each line that has any."""
        found = (letters(line) for line in re.split(r"[\r\n]+", self.text))
        return [line for line in found if line]

    def inside(self, boxes: Sequence[Rectangle]) -> list[Char]:
        """Return the letters and digits whose centre lies in a box, in page order."""
        return [
            c
            for c in self.chars
            if letters(c.text) and any(b.x0 <= c.x <= b.x1 and b.y0 <= c.y <= b.y1 for b in boxes)
        ]


class PdfLetters:
    """A PDF file read page by page, when a page is asked for."""

    def __init__(self, path: Path) -> None:
        self._document = pypdfium2.PdfDocument(path)
        self._pages: dict[int, PageLetters] = {}

    def __len__(self) -> int:
        return len(self._document)

    def page(self, number: int) -> PageLetters:
        """Return physical page `number`, 1-based."""
        if number not in self._pages:
            page = self._document[number - 1]
            self._pages[number] = PageLetters(page)
            page.close()
        return self._pages[number]

    @cached_property
    def _running(self) -> Counter[str]:
        seen: Counter[str] = Counter()
        for number in range(1, len(self) + 1):
            lines = self.page(number).lines
            edge = lines[:EDGE_LINES] + lines[-EDGE_LINES:]
            seen.update({key for line in edge for key in _running_keys(line, number)})
        return seen

    def body(self, number: int) -> str:
        """Return the letters of a page without running headers, footers and page numbers.

        A line among the first or last three is running when it is a number, or when it stands at
        the edge of at least three pages (two of a file with fewer than five), with or without a
        number in it that grows with the pages.
        """
        lines = self.page(number).lines
        needed = 3 if len(self) >= 5 else 2

        def running(line: str) -> bool:
            if re.fullmatch(r"\d+|[ivxl]+", line):
                return True
            return any(self._running[key] >= needed for key in _running_keys(line, number))

        keep = list(lines)
        for _ in range(EDGE_LINES):
            if keep and running(keep[0]):
                keep.pop(0)
        for _ in range(EDGE_LINES):
            if keep and running(keep[-1]):
                keep.pop()
        return "".join(keep)

    def holds(self, quote: str, pages: Sequence[int]) -> bool:
        """Tell whether the quote's letters lie contiguously on the page, or run over the pages."""
        wanted = letters(quote)
        if not wanted or not pages or min(pages) < 1 or max(pages) > len(self):
            return False
        if len(pages) == 1:
            return wanted in self.page(pages[0]).letters
        if list(pages) != list(range(pages[0], pages[-1] + 1)):
            return False
        first = self.body(pages[0])
        rest = "".join(self.body(number) for number in pages[1:-1])
        last = self.body(pages[-1])
        return any(
            first.endswith(wanted[:cut])
            and wanted[cut : cut + len(rest)] == rest
            and last.startswith(wanted[cut + len(rest) :])
            for cut in range(1, len(wanted) - len(rest))
        )

    def read_back(self, boxes: Sequence[Rectangle], pages: Sequence[int]) -> list[list[Char]]:
        """Return, for each page, the letters inside the boxes on it."""
        return [
            self.page(number).inside([b for b in boxes if b.page == number]) for number in pages
        ]

    def close(self) -> None:
        """Close the file."""
        self._document.close()


def crossing(read: Sequence[Sequence[Char]]) -> str:
    """Return what the quote crosses: `pages`, `columns`, `lines`, or `nothing`."""
    if sum(1 for chars in read if chars) > 1:
        return "pages"
    kind = "nothing"
    for chars in read:
        for before, after in pairwise(chars):
            height = max(before.height, after.height)
            if after.y < before.y - 2 * height and after.x > before.x - height:
                return "columns"
            if after.y > before.y + 0.6 * height and after.x < before.x:
                kind = "lines"
    return kind


def text_of(read: Sequence[Sequence[Char]]) -> str:
    """Return the letters that were read back."""
    return letters("".join(c.text for chars in read for c in chars))


def _running_keys(line: str, page: int) -> set[str]:
    """Return the line as it is, and with its first, last or every number relative to the page."""
    parts = re.split(r"(\d+)", line)
    numbers = range(1, len(parts), 2)
    keys = {line}
    for chosen in (numbers[:1], numbers[-1:], numbers):
        changed = [f"<{int(part) - page}>" if i in chosen else part for i, part in enumerate(parts)]
        keys.add("".join(changed))
    return keys


def _read_chars(page: pypdfium2.PdfPage) -> list[Char]:
    width, height = page.get_size()
    place = _transform(page, width, height)
    textpage = page.get_textpage()
    raw = textpage.raw
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    refs = [ctypes.byref(v) for v in (left, right, bottom, top)]
    chars: list[Char] = []
    high = 0
    for index in range(pdfium.FPDFText_CountChars(raw)):
        code = pdfium.FPDFText_GetUnicode(raw, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
        high = 0
        text = chr(code)
        if not text.strip() or not pdfium.FPDFText_GetCharBox(raw, index, *refs):
            chars.append(Char(text, -1.0, -1.0, 0.0))
            continue
        x0, y0 = place(left.value, bottom.value)
        x1, y1 = place(right.value, top.value)
        chars.append(Char(text, (x0 + x1) / 2, (y0 + y1) / 2, abs(y1 - y0)))
    textpage.close()
    return chars


def _transform(page: pypdfium2.PdfPage, width: float, height: float) -> Transform:
    """Return a function from PDF user space to points from the top-left of the displayed page."""
    size = (round(width * UNITS_PER_POINT), round(height * UNITS_PER_POINT))
    device = ctypes.c_int(), ctypes.c_int()

    def at(x: float, y: float) -> tuple[float, float]:
        pdfium.FPDF_PageToDevice(
            page.raw, 0, 0, *size, 0, x, y, *(ctypes.byref(value) for value in device)
        )
        return device[0].value / UNITS_PER_POINT, device[1].value / UNITS_PER_POINT

    ox, oy = at(0, 0)
    ax, ay = at(1000, 0)
    bx, by = at(0, 1000)
    per_x = ((ax - ox) / 1000, (ay - oy) / 1000)
    per_y = ((bx - ox) / 1000, (by - oy) / 1000)
    return lambda x, y: (
        ox + x * per_x[0] + y * per_y[0],
        oy + x * per_x[1] + y * per_y[1],
    )
