"""Which encoding the bytes of a text are in: Unicode, the Chinese ones, then what statistics say.

A short text gives statistics little to go by, and GB18030 and Big5 accept each other's bytes. But
both put the characters of daily use into rows of their own (GB 2312 level 1, Big5 level 1), and in
the wrong one of the two a text is full of rare characters.
"""

import codecs
import re

from charset_normalizer import from_bytes

SAMPLE = 256 * 1024
"""So many bytes from the beginning are looked at."""
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_WIDE = 0.2
"""Text in UTF-16 has at least this share of characters below U+0100: spaces, digits, Latin."""
_MOST_CONTROLS = 0.002
"""A text has at most this share of control characters."""
_COMMON = 0.8
"""In a Chinese encoding, at least this share of the characters must be common ones."""
_KOREAN_ROWS = 0xC8
"""Hangul of EUC-KR ends in this row, in the middle of GB 2312's common characters."""
_TELLING = 20
"""With so many characters, Chinese ones would also stand in the rows above."""


def encoding_of(data: bytes) -> str | None:
    """Return the encoding of the text that begins with `data`; None if this is no text."""
    sample = data[:SAMPLE]
    for bom, name in _BOMS:
        if sample.startswith(bom):
            return name if _decodes(sample, name) else None
    if wide := _wide(sample):
        return wide
    if len(_CONTROL.findall(sample)) > len(sample) * _MOST_CONTROLS:
        return None
    if _decodes(sample, "utf-8"):
        return "utf-8"
    return _chinese(sample) or _by_statistics(sample)


def decode(data: bytes) -> str:
    """Return the text of `data`; what its encoding cannot say becomes U+FFFD.

    Bytes that are no text are read as Latin-1.
    """
    return data.decode(encoding_of(data) or "latin-1", errors="replace")


def _decodes(sample: bytes, name: str) -> bool:
    """Tell whether the sample is valid; its last character may be cut."""
    try:
        codecs.getincrementaldecoder(name)().decode(sample, final=False)
    except UnicodeError:
        return False
    return True


def _wide(sample: bytes) -> str | None:
    """Return UTF-16 without a mark: zeros in every other byte, few in the others, no controls."""
    sample = sample[: len(sample) // 2 * 2]
    half = max(1, len(sample) // 2)
    even, odd = sample[::2].count(0) / half, sample[1::2].count(0) / half
    for name, zeros, others in (("utf-16-le", odd, even), ("utf-16-be", even, odd)):
        if zeros >= _WIDE and others <= zeros / 3 and _decodes(sample, name):
            text = codecs.getincrementaldecoder(name)().decode(sample)
            return name if not _CONTROLS.search(text) else None
    return None


def _pairs(sample: bytes, trails: tuple[range, ...]) -> tuple[list[int], int]:
    """Return the lead bytes of the two-byte characters with such trails, and how many have others.

    What does not pair counts as other.
    """
    leads: list[int] = []
    others = 0
    i, end = 0, len(sample)
    while i < end:
        if sample[i] < 0x80:
            i += 1
            continue
        if i + 1 == end:
            break
        if any(sample[i + 1] in trail for trail in trails):
            leads.append(sample[i])
        else:
            others += 1
        i += 2
    return leads, others


def _chinese(sample: bytes) -> str | None:
    sample = sample[: SAMPLE // 8]
    shares: list[tuple[float, str]] = []
    high = range(0xA1, 0xFF)
    leads, others = _pairs(sample, (high,))
    korean = len(leads) >= _TELLING and not any(lead > _KOREAN_ROWS for lead in leads)
    if not korean and _decodes(sample, "gb18030"):
        common = sum(0xB0 <= lead <= 0xD7 or lead in (0xA1, 0xA2, 0xA3) for lead in leads)
        shares.append((common / max(1, len(leads) + others), "gb18030"))
    if _decodes(sample, "big5"):
        leads, others = _pairs(sample, (range(0x40, 0x7F), high))
        common = sum(0xA1 <= lead <= 0xC6 for lead in leads)
        shares.append((common / max(1, len(leads) + others), "big5"))
    # In a draw GB18030 comes first: max() keeps the first of equals.
    share, name = max(shares, key=lambda each: each[0], default=(0.0, ""))
    return name if share >= _COMMON else None


def _by_statistics(sample: bytes) -> str | None:
    best = from_bytes(sample[: SAMPLE // 8]).best()
    if best is None:
        return None
    # Western European text is taken for Central European easily; what fits both is the former.
    western = best.encoding in ("cp1250", "latin_1", "iso8859_2", "iso8859_15")
    return "cp1252" if western and _decodes(sample, "cp1252") else best.encoding
