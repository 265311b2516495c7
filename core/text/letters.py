"""Letters: the part of a text that survives every layout.

Two readings of one page differ in spaces, line breaks, hyphens, ligatures and widths, never in
their letters and digits. So a quote is compared, counted and located by its letters: NFKD (which,
unlike NFKC, works character by character), case folded, only characters for which `str.isalnum`
holds. Accents thereby fall off on both sides.
"""

import re
import unicodedata

_ASCII_DROP = re.compile(r"[^a-z0-9]+")
_PIECES = re.compile(r"[A-Za-z0-9]+|[^\x00-\x7f]")
"""Words of ASCII letters, which stay as they are, and single other characters."""


def letters(text: str) -> str:
    """Return the letters and digits of `text`."""
    if text.isascii():
        return _ASCII_DROP.sub("", text.lower())
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def letters_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return `letters(text)` and, for each letter, the index in `text` that it comes from.

    One character may give several letters (a ligature) or none.
    """
    out: list[str] = []
    offsets: list[int] = []
    for match in _PIECES.finditer(text):
        piece, at = match.group(), match.start()
        if piece.isascii():
            out.append(piece.lower())
            offsets.extend(range(at, match.end()))
            continue
        for part in unicodedata.normalize("NFKD", piece).casefold():
            if part.isalnum():
                out.append(part)
                offsets.append(at)
    return "".join(out), offsets
