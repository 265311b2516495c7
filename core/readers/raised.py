"""Raised numbers: the marks of footnotes are written as superscripts.

"stopped since.1 This" is two sentences and a mark. As letters, ¹ and 1 are the same (see
`core.text.letters`), so nothing else changes. Runs in worker processes only.
"""

import ctypes
import re
from typing import Any

import pypdfium2.raw as pdfium_c

_BEHIND = re.compile(r"(?<=[^\W\d_]|[.,;:!?。，；：！？”’\"')）》」』])\d{1,3}(?![\w.,%°])")
"""A number that follows a word or a mark without a space."""
_BEFORE = re.compile(r"(?:(?<=\n)|^)\d{1,3}(?=[^\W\d_]|[“‘《「『])")
"""A number at the beginning of a line, before a word without a space."""
_HIGHER = 0.4
"""Of its own height the foot of a mark is at least so much above the line."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")


def with_raised(raw: str, textpage: Any) -> str:
    """Return PDFium's text of a page with raised numbers as superscripts.

    `raw` has one character for each of PDFium's, and so has the result.
    """
    found = [(m.start(), m.end(), m.start() - 1) for m in _BEHIND.finditer(raw)]
    found += [(m.start(), m.end(), m.end()) for m in _BEFORE.finditer(raw)]
    marks = [(start, end) for start, end, beside in found if _is_raised(textpage, start, beside)]
    if not marks:
        return raw
    chars = list(raw)
    for start, end in marks:
        chars[start:end] = raw[start:end].translate(_SUPERSCRIPTS)
    return "".join(chars)


def _is_raised(textpage: Any, index: int, beside: int) -> bool:
    """Tell whether the foot of a digit stands above the line of the letter next to it."""
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    x, line = ctypes.c_double(), ctypes.c_double()
    if not (
        pdfium_c.FPDFText_GetCharBox(textpage.raw, index, left, right, bottom, top)
        and pdfium_c.FPDFText_GetCharOrigin(textpage.raw, beside, x, line)
    ):
        return False
    return bottom.value - line.value > _HIGHER * (top.value - bottom.value) > 0
