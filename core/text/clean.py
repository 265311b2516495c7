"""Cleaning text that comes out of PDFs."""

import re
import unicodedata

from core.text.tokens import CJK

_CONTROL = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufff0-\uffff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_CJK_PUNCTUATION = (
    "\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
    "\u2018-\u201d\u2014\u2026\u00b7"
)
_CJK_ANY = f"[{CJK}{_CJK_PUNCTUATION}]"
_CJK_GAP = re.compile(f"(?<={_CJK_ANY})[ \\t\\n]+(?={_CJK_ANY})")
_SPACES = re.compile(r"[ \t\xa0\u2000-\u200a\u202f\u205f]+")
# Full-width punctuation is how Chinese is written, and 6½ or x² must not become 61⁄2 or x2.
_KEPT = re.compile(
    "[\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f\u2026\uff5e"
    "\xb2\xb3\xb9\xbc-\xbe\u2070-\u209c\u2150-\u215e]+"
)


def nfkc(text: str) -> str:
    """Return `text` in NFKC, full-width punctuation, fractions and superscripts kept."""
    if text.isascii():
        return text
    parts: list[str] = []
    at = 0
    for kept in _KEPT.finditer(text):
        parts += [unicodedata.normalize("NFKC", text[at : kept.start()]), kept.group()]
        at = kept.end()
    parts.append(unicodedata.normalize("NFKC", text[at:]))
    return "".join(parts)


def clean(text: str) -> str:
    """Return `text` without control and zero-width characters and lone surrogates, in NFKC.

    Runs of spaces become one space; line breaks stay.
    """
    if not text.isascii():
        text = nfkc(_SURROGATE.sub("", text))
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n").replace("\x0b", "\n"))
    return _SPACES.sub(" ", text)


def join_cjk(text: str) -> str:
    """Remove spaces and line breaks between two CJK characters or their punctuation."""
    return text if text.isascii() else _CJK_GAP.sub("", text)
