"""The values in a statement that can be compared: days, times of day, rooms, numbers."""

import re
from dataclasses import dataclass

from core.text import dates, numerals

_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_CJK_N = "[零〇一二两三四五六七八九十]"

_WEEKDAY = re.compile(
    r"\b(?:(?:next|this|on|coming)\s+)*"
    r"(?P<en>mon|tues?|wednes|thurs?|fri|satur|sun)day\b"
    r"|(?:下下|下|这|本)?个?(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])",
    re.I,
)
_DAY_OF_MONTH = re.compile(rf"(?P<day>\d{{1,2}}|{_CJK_N}{{1,3}})[号日](?!楼|线|教|房|考)")
_RELATIVE = re.compile(
    r"\b(?:today|tonight|tomorrow|next (?:week|month|year))\b"
    r"|今天|明天|后天|下个?月|下个?星期(?![一二三四五六日天])|下周(?![一二三四五六日天])|明年",
    re.I,
)
_CLOCK = re.compile(
    r"(?<![\d.:])(?P<h>\d{1,2})(?::(?P<m>\d{2}))?\s?(?P<half>a\.?m\b\.?|p\.?m\b\.?)"
    r"|(?<![\d.:])(?P<h2>\d{1,2})(?::(?P<m2>\d{2})(?!\d)|(?=\s?o['’]?clock))(?:\s?o['’]?clock)?"
    r"|\bat (?P<h3>\d{1,2})(?=\s*(?:$|[.,]|in\b|on\b|now\b|instead\b))"
    r"|\b(?P<noon>noon|midnight)\b",
    re.I,
)
_CLOCK_ZH = re.compile(
    rf"(?P<part>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上)?(?P<h>\d{{1,2}}|{_CJK_N}{{1,3}})"
    rf"(?:(?:：|(?<=[午上晚]\d):|(?<=[午上晚]\d\d):)(?P<m>\d{{2}})|点钟?(?:(?P<half>半)|(?P<quarter>[一三])刻|(?P<m2>\d{{1,2}}|{_CJK_N}{{1,3}})分?|整)?)"
    r"(?![儿,，、意建])"
)
_QUARTERS = {"一": 15, "三": 45}
_LATE = ("下午", "傍晚", "晚上")
_ROOM = re.compile(
    r"\b(?:lecture )?(?:room|hall|building|auditorium|classroom|lab)\s+"
    r"(?P<en>[a-z]?\d[\w.-]*|[a-z])\b"
    r"|(?P<zh>[A-Za-z]?\d+[A-Za-z]?)(?:号|室)?(?:教室|房间|会议室|考场|机房|自习室|室|号楼)"
    r"|(?:教室|房间|会议室|考场|机房)(?P<zh2>[A-Za-z]?\d+)",
    re.I,
)
_NAMED = re.compile(
    r"\b(?P<word>chapter|page|section|exercise|question|problem|week|unit|lesson|lecture|part|"
    r"figure|table|step|level|semester|term|exam|test|quiz|homework|assignment|version|grade|"
    r"number|no\.?|volume|book|appendix|task|group|team|model|trial|experiment|sample)"
    r"\s*(?P<n>\d+(?:\.\d+)*)\b"
    r"|第(?P<zh>\d+|[零一二两三四五六七八九十百]+)(?P<unit>[\u4e00-\u9fff])",
    re.I,
)
_PHONE = re.compile(r"(?<!\d)\+?\d[\d \-()/]{5,}\d(?!\d)")
_AMOUNT = re.compile(
    r"(?<![A-Za-z0-9_.])[$€£¥]?(?P<n>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?![\d])"
)
_TIMES = re.compile(r"\b(?P<n>once|twice)\b(?=(?: (?:a|per|every|each) ))", re.I)
_TIMES_OF = {"once": "1", "twice": "2"}
_AMOUNT_ZH = re.compile(
    r"(?P<n>[二两三四五六七八九十][零一二两三四五六七八九十百千万]*|一(?=[次遍])|一[十百千万][零一二两三四五六七八九十百千万]*)"
    r"(?=个|名|位|岁|天|小时|年|次|页|本|篇|人|公斤|斤|度|分|块|元|杯|条|周|门|道|遍|种|节|堂|只|张|点)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Values:
    """The values of a clause by slot, and the clause without them.

    `named` are things with a number ("chapter 3"), which stay a part of the subject.
    """

    slots: dict[str, frozenset[str]]
    rest: str


def take_values(text: str) -> Values:
    """Read the values of a clause, English or Chinese.

    Slots: `day` (parts as in `core.text.claims`), `clock` (minutes after midnight; both halves of
    the day where it is not said), `room`, `number`.
    """
    slots: dict[str, set[str]] = {}
    text = _PHONE.sub(lambda m: _put(slots, "number", _digits(m.group())), text)
    text = _ROOM.sub(lambda m: _put(slots, "room", _first(m, "en", "zh", "zh2").lower()), text)
    text = _NAMED.sub(_as_name, text)
    text = _take_days(text, slots)
    text = _CLOCK_ZH.sub(lambda m: _put(slots, "clock", *_minutes_zh(m)), text)
    text = _CLOCK.sub(lambda m: _put(slots, "clock", *_minutes(m)), text)
    text = _AMOUNT.sub(lambda m: _put(slots, "number", _number(m["n"])), text)
    text = _TIMES.sub(lambda m: _put(slots, "number", _TIMES_OF[m["n"].lower()]) + "times", text)
    text = numerals.ENGLISH.sub(lambda m: _in_words(m, slots), text)
    text = _AMOUNT_ZH.sub(
        lambda m: _put(slots, "number", f"{numerals.chinese_value(m['n']):g}"), text
    )
    return Values(slots={slot: frozenset(v) for slot, v in slots.items()}, rest=text)


def _take_days(text: str, slots: dict[str, set[str]]) -> str:
    for pattern, read in (*dates.FULL, *dates.OTHERS):

        def of_date(match: re.Match[str], read: object = read) -> str:
            values = read(match)  # type: ignore[operator]
            if len(values) != 1:
                return match.group()
            year, month, day = dates.date_parts(values[0])
            parts = {"y": year, "m": month, "d": day}
            return _put(slots, "day", *(f"{k}{n}" for k, n in parts.items() if n))

        text = pattern.sub(of_date, text)
    text = re.sub(r"\bin (?P<month>[A-Z][a-z]+)\b", lambda m: _month(m, slots) or m.group(), text)
    text = _WEEKDAY.sub(lambda m: _put(slots, "day", _weekday(m)), text)
    if "day" not in slots:
        text = _DAY_OF_MONTH.sub(lambda m: _put(slots, "day", f"d{_int(m['day'])}"), text)
        text = _RELATIVE.sub(lambda m: _put(slots, "day", f"r{m.group().lower()}"), text)
    return text


def _month(match: re.Match[str], slots: dict[str, set[str]]) -> str:
    pattern, read = dates.MONTHS
    found = pattern.fullmatch(match["month"])
    if found is None:
        return ""
    return _put(slots, "day", f"m{dates.date_parts(read(found)[0])[1]}")


def _put(slots: dict[str, set[str]], slot: str, *values: str) -> str:
    slots.setdefault(slot, set()).update(values)
    return "\0"


def _first(match: re.Match[str], *groups: str) -> str:
    return next(match[group] for group in groups if match[group])


def _as_name(match: re.Match[str]) -> str:
    """A name in one word of letters only: nothing later reads a number in it."""
    number = match["n"] or str(_int(match["zh"]))
    letters = "".join("zyxwvutsrq"[int(c)] if c.isdigit() else "p" for c in number)
    if match["word"]:
        return f"{match['word'].lower().rstrip('.')}{letters}"
    return f"第{letters}{match['unit']}"


def _int(text: str) -> int:
    return int(text) if text.isdigit() else int(numerals.chinese_value(text))


def _weekday(match: re.Match[str]) -> str:
    if match["en"]:
        return f"w{_WEEKDAYS.index(match['en'][:3].lower())}"
    return f"w{'一二三四五六日天'.index(match['zh']) % 7}" if match["zh"] != "天" else "w6"


def _minutes(match: re.Match[str]) -> tuple[str, ...]:
    if match["noon"]:
        return ("720",) if match["noon"].lower() == "noon" else ("0",)
    hour = int(_first(match, "h", "h2", "h3"))
    minute = int(match["m"] or match["m2"] or 0)
    if match["half"]:
        return (str(hour % 12 * 60 + minute + 720 * (match["half"][0].lower() == "p")),)
    return _either_half(hour, minute)


def _minutes_zh(match: re.Match[str]) -> tuple[str, ...]:
    hour = _int(match["h"])
    minute = 30 if match["half"] else _int(match["m"] or match["m2"] or "0")
    minute = _QUARTERS.get(match["quarter"] or "", minute)
    if match["part"]:
        return (str((hour + 12 if match["part"] in _LATE and hour < 12 else hour) * 60 + minute),)
    return _either_half(hour, minute)


def _either_half(hour: int, minute: int) -> tuple[str, ...]:
    first = hour * 60 + minute
    return (str(first), str(first + 720)) if hour < 12 else (str(first),)


def _digits(text: str) -> str:
    return "".join(c for c in text if c.isdigit())


def _number(text: str) -> str:
    return f"{float(text.replace(',', '')):.10g}"


def _in_words(match: re.Match[str], slots: dict[str, set[str]]) -> str:
    value = numerals.english_value(match.group())
    if value <= 1:
        return match.group()
    return _put(slots, "number", f"{value:g}")
