"""Figures in a text, English or Chinese: numbers, percentages, dates, with what they are worth.

1,234 = 1 234 = 1234; $5.2 billion = 5.2bn = 5,200 million = 52亿; 12 % = twelve percent =
百分之十二; March 3, 2020 = 3 March 2020 = 2020-03-03 = 2020年3月3日; fiscal 2019 = FY19 = 2019.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.text import dates, numerals


class FigureKind(StrEnum):
    """What a figure is. A `DATE` has a year, a month and a day, or a part of them."""

    NUMBER = "number"
    PERCENT = "percent"
    DATE = "date"
    CODE = "code"
    """A version (3.1.4): compared by its spelling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Characters `start` to `end` of a text, and what they may mean.

    `values` has more than one where the spelling leaves it open (5m, or the 10 of 10-12 million).
    Of a `DATE` it is as in `core.text.dates`. `scaled`: it has
    a scale word. `bare`: nothing behind it says of what it is a number, as in a table's cell.
    `weak`: it can prove, but is none that must be proven (the one of "one of them", COVID-19).
    `word`: written in words, or a figure below 11: it may count what the text itself lists.
    """

    kind: FigureKind
    values: tuple[float, ...]
    start: int
    end: int
    code: str = ""
    scaled: bool = False
    bare: bool = False
    weak: bool = False
    word: bool = False


_WIDTHS = {0xFF10 + i: str(i) for i in range(10)} | {
    ord("％"): "%",
    ord("．"): ".",
    **dict.fromkeys(map(ord, "\xa0\u2007\u2009\u202f"), " "),
    **dict.fromkeys(map(ord, "‐‑‒–—−～"), "-"),
}
_CJK_NUMBER = "[零〇一二两三四五六七八九十]"
_DECADE = re.compile(
    r"(?<!\d)(?P<year>\d{3}0)['’]?s\b"
    r"|(?:(?<!\d)(?P<century>\d{2})\s*世纪\s*)?(?<!\d)(?P<decade>\d)0\s*年代"
)
_ROMAN = re.compile(r"\b(?=[IVXL]{2,}\b)(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?<=[IVXL])\b")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50}
_COUNT_WORDS = {
    "both": 2, "pair": 2, "couple": 2, "double": 2, "doubled": 2, "twice": 2, "twin": 2,
    "triple": 3, "trio": 3, "tripled": 3, "dozen": 12, "decade": 10, "century": 100,
    "双": 2, "俩": 2, "翻倍": 2,
}  # fmt: skip
_COUNT_WORD = re.compile(
    rf"\b(?:{'|'.join(w for w in _COUNT_WORDS if w.isascii())})\b|双|俩|翻倍", re.I
)
_CODE = re.compile(r"(?<![\d.])\d+(?:\.\d+){2,}(?![\d.]*\d)")
_QUARTER = re.compile(r"\bQ(?P<value>[1-4])\b")
_DIGITS = (
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d])|\d{1,3}(?: \d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\.\d+"
)
_PERCENT = r"\s?%|[\s-](?:percent(?:age points?)?|per cent|pct|basis points?)\b|\s?个?百分点"
_SCALE = (
    r"[\s-]?(?:hundred|thousand|million|billion|trillion)\b|\s?(?:bn|mn|tn|mln|bln)\b|(?:[kKmMbB])\b"
    r"|\s?(?:万亿|千亿|百亿|十亿|亿|千万|百万|十万|万|千|百)"
)
_NUMBER = re.compile(
    rf"(?P<digits>{_DIGITS})(?:(?P<percent>{_PERCENT})|(?P<scale>{_SCALE}))?"
    rf"(?P<more>(?<=[万亿])\d+(?:\.\d+)?(?:千万|百万|万|千))?"
)
_RANGE = re.compile(
    rf"\s?(?:-|to|至|到|or|或)\s?[$€£¥]?(?:{_DIGITS})(?:(?P<percent>{_PERCENT})|(?P<scale>{_SCALE}))"
)
_PERCENT_OF = re.compile(
    rf"百分之(?:(?P<digits>\d+(?:\.\d+)?)|(?P<words>{numerals.CHINESE.pattern}|百))"
)
_FRACTION = re.compile(
    rf"(?P<below>\d{{1,4}}|{_CJK_NUMBER}{{1,4}})分之(?P<above>\d{{1,4}}|{_CJK_NUMBER}{{1,4}})"
    r"|(?P<nth>\b(?P<n>(?i:one|two|three|four|a))[ -](?P<of>third|quarter|fifth)s?\b)"
    r"|(?P<half>\bhalf\b|½|一半)|(?P<tenths>[一二三四五六七八九\d])成(?=[^为立员长功本果就分])"
)
_SHORT_SCALES = {
    "k": 1e3,
    "m": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "b": 1e9,
    "bn": 1e9,
    "bln": 1e9,
    "tn": 1e12,
}
_AMBIGUOUS = frozenset("kmb")
_UNITS_ATTACHED = re.compile(
    r"(?:kg|g|mg|μg|km|cm|mm|nm|μm|m|s|ms|h|hrs?|min|kb|mb|gb|tb|hz|khz|mhz|ghz|k?w|mw|gw|kwh|mwh|gwh|"
    r"twh|v|kv|a|ma|l|ml|x|st|nd|rd|th|ft|in|lb|lbs|oz|mph|°?[cf]|am|pm|usd|eur|rmb|cny|bps|[kmb])\b",
    re.I,
)
_BARE_BEHIND = re.compile(r"\s*(?:$|[-–—|(),;.\d$€£¥]|\n)")
_ORDINAL_WORD = re.compile(rf"\b(?P<word>{'|'.join(list(numerals.ORDINALS)[1:])})\b", re.I)
_ORDINAL_NOUNS = re.compile(
    r"\s+(?:quarter|half|century|largest|highest|biggest|smallest|lowest|edition|volume|floor|world|"
    r"generation|amendment|place|year|month|week|day)\b",
    re.I,
)
_CJK_ORDINAL = re.compile(
    rf"第\s*(?:(?P<digits>\d+)|(?P<words>{_CJK_NUMBER}[零〇一二三四五六七八九十百]*))"
)
_MEASURES = frozenset(
    "个名位岁年天月日次倍元人种项家座篇章条件台部层级米吨公千毫厘秒分小周代国省市县区届期场组队支首幅辆架艘只头匹"
    "棵株颗块张本册页行列步遍回轮批类对双套层度点门成折美欧英万亿"
)
_NEIGHBOURS = ("一二", "二三", "两三", "三四", "三五", "四五", "五六", "六七", "七八", "八九")
_CJK_IDIOMS = re.compile(
    r"十分(?!钟|之)|十足|十全|五官|四周|四处|三角|三明治|二手|二者|两者|两侧|两边|九龙|八卦|七夕|一半|四分卫|五行|三元组"
)
_NEAR_LETTERS = re.compile(r"[A-Za-z_][A-Za-z]*[-_]?$")
_YEAR_VALUES = range(1000, 2101)


def plain(text: str) -> str:
    """Return `text`, as long as it is, with ASCII digits, spaces and hyphens."""
    return text.translate(_WIDTHS)


def _int(text: str) -> int:
    return int(text) if text.isdigit() else int(numerals.chinese_value(text))


def _dates(
    read: Callable[[re.Match[str]], tuple[float, ...]], *, weak: bool = False
) -> Callable[[re.Match[str]], Figure | None]:
    def of_match(match: re.Match[str]) -> Figure | None:
        values = read(match)
        return _figure(match, FigureKind.DATE, *values, weak=weak) if values else None

    return of_match


def _of_decade(match: re.Match[str]) -> Figure:
    if match["year"]:
        return _figure(match, FigureKind.NUMBER, float(match["year"]))
    # Without a century it is one of the last ones.
    centuries = (int(match["century"]) - 1,) if match["century"] else (19, 18, 20)
    values = (float(century * 100 + int(match["decade"]) * 10) for century in centuries)
    return _figure(match, FigureKind.NUMBER, *values)


def _of_roman(match: re.Match[str]) -> Figure:
    digits = [_ROMAN_DIGITS[c] for c in match.group()]
    value = sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
    return _figure(match, FigureKind.NUMBER, float(value), weak=True)


def _of_count_word(match: re.Match[str]) -> Figure:
    value = float(_COUNT_WORDS[match.group().lower()])
    return _figure(match, FigureKind.NUMBER, value, weak=True)


def _of_code(match: re.Match[str]) -> Figure:
    return Figure(
        kind=FigureKind.CODE, values=(), start=match.start(), end=match.end(), code=match.group()
    )


def _of_quarter(match: re.Match[str]) -> Figure:
    return _figure(match, FigureKind.NUMBER, float(match["value"]))


def _of_percent_of(match: re.Match[str]) -> Figure:
    words = match["words"]
    if match["digits"]:
        value = float(match["digits"])
    else:
        value = 100.0 if words == "百" else numerals.chinese_value(words)
    return _figure(match, FigureKind.PERCENT, value)


def _of_fraction(match: re.Match[str]) -> Figure | None:
    if match["below"]:
        below, above = _int(match["below"]), _int(match["above"])
        return _figure(match, FigureKind.PERCENT, 100 * above / below) if below else None
    if match["tenths"]:
        return _figure(match, FigureKind.PERCENT, 10.0 * _int(match["tenths"]), weak=True)
    if match["half"]:
        return _figure(match, FigureKind.PERCENT, 50.0, weak=True)
    above = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}[match["n"].lower()]
    below = {"third": 3, "quarter": 4, "fifth": 5}[match["of"]]
    quarter_of_year = match["of"] == "quarter" and above == 1
    return _figure(match, FigureKind.PERCENT, 100 * above / below, weak=quarter_of_year)


def _scale(text: str) -> float:
    text = text.strip().strip("-").lower()
    if text in _SHORT_SCALES:
        return _SHORT_SCALES[text]
    if text in numerals.SCALES:
        return numerals.SCALES[text]
    value = 1.0
    for c in text:
        value *= numerals.CJK_SCALES[c]
    return value


def _of_number(match: re.Match[str]) -> Figure:
    text, end = match.string, match.end()
    value = float(match["digits"].replace(",", "").replace(" ", ""))
    percent, scale = match["percent"], match["scale"]
    values: tuple[float, ...] = (value,)
    if scale:
        values = (value * _scale(scale),)
        if match["more"]:
            rest = re.fullmatch(r"([\d.]+)(\D+)", match["more"])
            values = (values[0] + float(rest[1]) * _scale(rest[2]),) if rest else values
        if scale.lower() in _AMBIGUOUS:
            values = (*values, value)
    elif not percent and (range_end := _RANGE.match(text, end)):
        percent = range_end["percent"]
        if range_end["scale"]:
            values = (value * _scale(range_end["scale"]), value)
    elif since := re.search(r"(?<!\d)(1\d|20)\d\d-$", text[: match.start()][-6:]):
        # 2018-19: the second may be a year as well.
        values = (value, float(since[1]) * 100 + value) if len(match["digits"]) == 2 else values
    if percent and "basis" in percent:
        values = (value / 100,)
    kind = FigureKind.PERCENT if percent else FigureKind.NUMBER
    return Figure(
        kind=kind,
        values=values,
        start=match.start(),
        end=end,
        scaled=bool(scale) or len(values) > 1,
        bare=_BARE_BEHIND.match(text, end) is not None,
        weak=_is_name(text, match),
        word=value <= 10 and value == int(value) and not percent and not scale,
    )


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Tell whether digits are a part of a name: COVID-19, 10-K, H2O, 3D."""
    end = match.end()
    is_year = re.fullmatch(r"1\d{3}|20\d{2}", match["digits"]) is not None
    before = _NEAR_LETTERS.search(text, max(0, match.start() - 20), match.start())
    if before and not (is_year and before.group().endswith(("-", "_"))):
        currency = re.fullmatch(r"(?:US|USD|RMB|EUR|HK|CNY|NT)-?", before.group())
        return currency is None
    behind = text[end : end + 1]
    if behind.isascii() and behind.isalpha():
        return _UNITS_ATTACHED.match(text, end) is None
    return re.match(r"-[A-Z]\b", text[end : end + 3]) is not None


def _of_english(match: re.Match[str]) -> Figure:
    value = numerals.english_value(match.group())
    text, end = match.string, match.end()
    percent = re.match(_PERCENT, text[end : end + 20])
    end += percent.end() if percent else 0
    return Figure(
        kind=FigureKind.PERCENT if percent else FigureKind.NUMBER,
        values=(value,),
        start=match.start(),
        end=end,
        weak=value <= 1 and not percent,
        word=value <= 10 and not percent,
    )


def _of_ordinal(match: re.Match[str]) -> Figure:
    value = numerals.ORDINALS[match["word"].lower()]
    named = _ORDINAL_NOUNS.match(match.string, match.end()) is not None
    weak = value == 1 or (value == 2 and not named)
    weak = weak or match.string[match.end() : match.end() + 1] in (",", ":")
    return _figure(match, FigureKind.NUMBER, float(value), weak=weak, word=True)


def _of_cjk_ordinal(match: re.Match[str]) -> Figure:
    value = float(_int(match["digits"] or match["words"]))
    behind = match.string[match.end() : match.end() + 1]
    weak = value == 1 or behind in tuple("，,：:、。")
    return _figure(match, FigureKind.NUMBER, value, weak=weak, word=True)


def _of_chinese(match: re.Match[str]) -> Figure:
    words, text = match.group(), match.string
    value = numerals.chinese_value(words)
    behind = text[match.end() : match.end() + 1]
    idiom = _CJK_IDIOMS.match(text, match.start()) is not None
    single = len(words) == 1 and (behind not in _MEASURES or not behind or words == "一")
    year = re.fullmatch("[一二][零〇一二三四五六七八九]{3}", words) is not None
    digits = len(words) > 1 and not any(c in numerals.CJK_SCALES for c in words) and not year
    weak = idiom or single or (digits and "点" not in words)
    weak = weak or any(pair in words for pair in _NEIGHBOURS)
    return _figure(match, FigureKind.NUMBER, value, weak=weak, word=value <= 10)


def _figure(
    match: re.Match[str],
    kind: FigureKind,
    *values: float,
    weak: bool = False,
    word: bool = False,
) -> Figure:
    return Figure(
        kind=kind, values=values, start=match.start(), end=match.end(), weak=weak, word=word
    )


_READERS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Figure | None]], ...] = (
    *((pattern, _dates(read)) for pattern, read in dates.FULL),
    (_DECADE, _of_decade),
    *((pattern, _dates(read)) for pattern, read in dates.OTHERS),
    (_CODE, _of_code),
    (_QUARTER, _of_quarter),
    (_PERCENT_OF, _of_percent_of),
    (_FRACTION, _of_fraction),
    (_CJK_ORDINAL, _of_cjk_ordinal),
    (_NUMBER, _of_number),
    (numerals.ENGLISH, _of_english),
    (_ORDINAL_WORD, _of_ordinal),
    (numerals.CHINESE, _of_chinese),
    (dates.MONTHS[0], _dates(dates.MONTHS[1], weak=True)),
    (_ROMAN, _of_roman),
    (_COUNT_WORD, _of_count_word),
)


def figures_in(text: str) -> list[Figure]:
    """Return the figures of a text in order; they do not overlap."""
    return sorted(_read(plain(text)), key=lambda f: f.start)


def _read(text: str) -> Iterator[Figure]:
    """Yield the figures kind by kind, what is read blanked out."""
    for pattern, of_match in _READERS:
        kept: list[str] = []
        at = 0
        for match in pattern.finditer(text):
            figure = of_match(match)
            if figure is not None:
                yield figure
                kept += [text[at : figure.start], "\0" * (figure.end - figure.start)]
                at = figure.end
        text = "".join((*kept, text[at:]))
