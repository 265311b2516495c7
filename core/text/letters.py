"""Letters: the part of a text that survives every layout.

Two readings of one page differ in spaces, line breaks, hyphens, ligatures and widths, never in
their letters and digits. So a quote is compared, counted and located by its letters: NFKD (which,
unlike NFKC, works character by character), case folded, only characters for which `str.isalnum`
holds. Accents thereby fall off on both sides.
"""

import re
import unicodedata

_ASCII_DROP = re.compile(r"[^a-z0-9]+")


def letters(text: str) -> str:
    """Return the letters and digits of `text`."""
    if text.isascii():
        return _ASCII_DROP.sub("", text.lower())
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def letters_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return `letters(text)` and, for each letter, the index in `text` that it comes from.

    One character may give several letters (a ligature) or none.
    """
    if text.isascii():
        offsets = [i for i, char in enumerate(text) if char.isalnum()]
        return "".join([text[i] for i in offsets]).lower(), offsets
    out: list[str] = []
    offsets = []
    for i, char in enumerate(text):
        if char < "\x80":
            if char.isalnum():
                out.append(char.lower())
                offsets.append(i)
            continue
        for part in unicodedata.normalize("NFKD", char).casefold():
            if part.isalnum():
                out.append(part)
                offsets.append(i)
    return "".join(out), offsets
