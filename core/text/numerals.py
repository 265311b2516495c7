"""Numbers in words, English and Chinese."""

import re

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
_SMALL = {word: i for i, word in enumerate(_UNITS.split())} | {
    word: (i + 2) * 10 for i, word in enumerate(_TENS.split())
}
ORDINALS = {word: i for i, word in enumerate(_ORDINALS.split())}
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "million": 1e6,
    "billion": 1e9,
    "trillion": 1e12,
}
CJK_SCALES = {"十": 1e1, "百": 1e2, "千": 1e3, "万": 1e4, "亿": 1e8}
CJK_DIGITS: dict[str, int] = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0,
    "两": 2,
}

_SMALL_WORD = "|".join(sorted(_SMALL, key=len, reverse=True))
_SCALE_WORD = "|".join(SCALES)
ENGLISH = re.compile(
    rf"\b(?:(?:a|an)[ ](?=(?:{_SCALE_WORD})\b))?(?:{_SMALL_WORD}|(?<=\ba )(?:{_SCALE_WORD}))\b"
    rf"(?:(?:[ -]|[ -]and[ -])(?:{_SMALL_WORD}|{_SCALE_WORD})\b)*",
    re.I,
)
"""A number in words. `hundreds`, and a scale without a number before it, are none."""
CHINESE = re.compile(
    r"[零〇一二两三四五六七八九十][零〇一二两三四五六七八九十百千万亿]*(?:点[零〇一二三四五六七八九]+)?"
)
"""A number in characters, as it begins with a digit or ten: 百 or 万 alone is mostly a name."""


def english_value(words: str) -> float:
    """Return the value of a number that `ENGLISH` found, e.g. of `two hundred and five`."""
    total = group = 0.0
    for word in re.findall("[a-z]+", words.lower()):
        if word in ("and", "a", "an"):
            continue
        if word == "hundred":
            group = (group or 1) * SCALES[word]
        elif word in SCALES:
            total += (group or 1) * SCALES[word]
            group = 0.0
        else:
            group += _SMALL[word]
    return total + group


def chinese_value(text: str) -> float:
    """Return the value of a number that `CHINESE` found, e.g. of 三千五百万 or 二〇一九."""
    whole, _, fraction = text.partition("点")
    after = float(sum(CJK_DIGITS[c] / 10**i for i, c in enumerate(fraction, start=1)))
    if not any(c in CJK_SCALES for c in whole):
        return float("".join(str(CJK_DIGITS[c]) for c in whole)) + after
    total = group = digit = 0.0
    for c in whole:
        if c in CJK_DIGITS:
            digit = CJK_DIGITS[c]
        elif c in "万亿":
            scaled = (group + digit) * CJK_SCALES[c]
            # 一万亿: what stands before the second scale is all multiplied.
            total = (total + scaled) if scaled else total * CJK_SCALES[c]
            group = digit = 0.0
        else:
            group += (digit or 1) * CJK_SCALES[c]
            digit = 0.0
    return total + group + digit + after
