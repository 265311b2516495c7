"""Counting tokens as the tutorial does: a CJK character counts one, any other word counts one."""

import re

CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0002ebef"
)
"""Ideographs and kana, as the inside of a character class."""

_CJK_CHAR = re.compile(f"[{CJK}]")


def is_cjk(char: str) -> bool:
    """Tell whether a character is a Chinese or Japanese character (ideograph or kana)."""
    return _CJK_CHAR.match(char) is not None


def columns(text: str) -> int:
    """Return the width of a line in columns: a CJK character is two wide."""
    return len(text) + len(_CJK_CHAR.findall(text))


def cjk_share(text: str) -> float:
    """Return the share of CJK characters among the letters of `text`, 0 if it has none."""
    total = sum(1 for c in text if c.isalpha())
    return len(_CJK_CHAR.findall(text)) / total if total else 0.0


def language_of(text: str) -> str:
    """Return `zh` when at least a fifth of the letters are CJK, else `en`."""
    return "zh" if cjk_share(text) >= 0.2 else "en"


def count_tokens(text: str) -> int:
    """Return the number of CJK characters plus the number of other whitespace-separated words."""
    rest, cjk = _CJK_CHAR.subn(" ", text)
    return cjk + len(rest.split())
