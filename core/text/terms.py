"""Index terms: English words lightly stemmed, Chinese characters single and in pairs."""

import hashlib
import re
import unicodedata
from functools import lru_cache

from core.text.tokens import CJK

_RUN = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[.,'’\-/&][^\W_{CJK}]+)*")
_CJK_START = re.compile(f"[{CJK}]")
_SPLIT = re.compile(r"[.,'’\-/&]")
_THOUSANDS = re.compile(r"^\d{1,3}(,\d{3})+(\.\d+)?$")

_STOP_EN = """
a about after all also am an and any are as at be been before being both but by can could did do
does doing during each for from had has have having he her here him his how i if in into is it its
itself just may me might more most my no nor not of off on once only or other our out over own same
shall she should so some such than that the their them then there these they this those through to
too under until up upon us very was we were what when where which while who whom whose why will
with would you your s t
"""
_STOP_ZH = """
的 了 是 在 和 与 及 或 也 都 就 而 被 把 对 为 以 于 之 其 这 那 哪 什 么 吗 呢 吧 啊 谁 几 请 问
个 有 从 到 由 等 并 但 又 所 该 此 些 什么 哪些 哪个 哪里 为什 怎么 如何 多少 是什 的是 了什 在哪
是谁 谁是 有什 有多 有哪 是哪 一个
"""
_REMEMBERED_WORDS = 50_000
_REMEMBERED_TERMS = 100_000
STOP_WORDS = frozenset(_STOP_EN.split())
STOP_CJK = frozenset(_STOP_ZH.split())


@lru_cache(maxsize=_REMEMBERED_WORDS)
def stem(word: str) -> str:
    """Return a light English stem: plural, -ed and -ing endings off; other words as they are."""
    if len(word) <= 3 or not word.isascii() or not word.isalpha():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("sses", "shes", "ches", "xes", "zes"):
        if word.endswith(ending):
            return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            if re.search("[aeiouy]", base):
                if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
                    base = base[:-1]
                return base
    if word.endswith("e") and len(word) > 4:
        return word[:-1]
    return word


def _latin(run: str) -> list[str]:
    if _THOUSANDS.match(run):
        return [run.replace(",", "")]
    parts = [p for p in _SPLIT.split(run) if p]
    out = [stem(p) for p in parts if p not in STOP_WORDS]
    if len(parts) > 1 and any(c.isdigit() for c in run):
        out.append(run)
    return out


def terms(text: str) -> list[str]:
    """Return the index terms of a text in order, repeats included, stop words left out."""
    out: list[str] = []
    for run in _RUN.findall(unicodedata.normalize("NFKC", text).lower()):
        if _CJK_START.match(run):
            out += [c for c in run if c not in STOP_CJK]
            out += [run[i : i + 2] for i in range(len(run) - 1) if run[i : i + 2] not in STOP_CJK]
        else:
            out += _latin(run)
    return out


@lru_cache(maxsize=_REMEMBERED_TERMS)
def term_hash(term: str) -> int:
    """Return a stable 64-bit hash of a term."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=8).digest(), "little")
