"""Letters: the part of a text that survives every layout.

Two readings of one page differ in spaces, line breaks, hyphens, ligatures and widths, never in
their letters and digits. So a quote is compared, counted and located by its letters: NFKC, case
folded, only characters for which `str.isalnum` holds.
"""

import re
import unicodedata

_ASCII_DROP = re.compile(r"[^a-z0-9]+")


def letters(text: str) -> str:
    """Return the letters and digits of `text`, NFKC and case folded."""
    if text.isascii():
        return _ASCII_DROP.sub("", text.lower())
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(filter(str.isalnum, folded))


def letters_with_offsets(text: str) -> tuple[str, list[int]]:
    """Return the letters of `text` and, for each of them, the index in `text` it comes from.

    Normalises character by character, so that one character may give several letters (a ligature)
    or none. Equals `letters(text)` wherever NFKC does not join characters across an index; a
    combining mark alone is no letter, so a decomposed accent is dropped here.
    """
    if text.isascii():
        offsets = [i for i, char in enumerate(text) if char.isalnum()]
        return "".join([text[i] for i in offsets]).lower(), offsets
    out: list[str] = []
    offsets = []
    for i, char in enumerate(text):
        if char.isascii():
            if char.isalnum():
                out.append(char.lower())
                offsets.append(i)
            continue
        for part in unicodedata.normalize("NFKC", char).casefold():
            if part.isalnum():
                out.append(part)
                offsets.append(i)
    return "".join(out), offsets
