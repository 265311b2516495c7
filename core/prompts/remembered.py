"""Sentences about the learning history, English and Chinese. No model writes them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_ZH = "一二三四五六日"

HEADS = {
    "en": {
        "documents": "You have loaded {n}{when}:",
        "questions": "You have asked {n}{when}:",
        "notes": "You have written {n}{when}:",
        "days": "This is what you did{when}:",
        "about": "This is in your learning history about “{subject}”{when}:",
    },
    "zh": {
        "documents": "你{when}加载过 {n}：",
        "questions": "你{when}问过 {n}：",
        "notes": "你{when}写过 {n}：",
        "days": "你{when}做了这些：",
        "about": "关于“{subject}”，你的学习记录{when}里有：",
    },
}
_ABOUT = {"en": " about “{subject}”", "zh": "与“{subject}”有关的"}
NOTHING = {
    "en": {
        "documents": "Your learning history has no loaded document{about}{when}.",
        "questions": "Your learning history has no question{about}{when}.",
        "notes": "Your learning history has no note{about}{when}.",
        "unanswered": "Your learning history has no question without an answer{about}{when}.",
        "days": "Your learning history has nothing{about}{when}.",
    },
    "zh": {
        "documents": "你的学习记录里{when}没有{about}加载过的文档。",
        "questions": "你的学习记录里{when}没有{about}问题。",
        "notes": "你的学习记录里{when}没有{about}笔记。",
        "unanswered": "你的学习记录里{when}没有{about}未得到回答的问题。",
        "days": "你的学习记录里{when}没有{about}内容。",
    },
}
_COUNTED_EN = {
    "documents": ("document", "documents"),
    "questions": ("question", "questions"),
    "notes": ("note", "notes"),
    "unanswered": ("question without an answer", "questions without an answer"),
    "pages": ("page", "pages"),
    "parts": ("part", "parts"),
}
_COUNTED_ZH = {
    "documents": ("份", "文档"),
    "questions": ("个", "问题"),
    "notes": ("条", "笔记"),
    "unanswered": ("个", "未得到回答的问题"),
    "pages": ("页", ""),
    "parts": ("个部分", ""),
}
OUTCOMES = {
    "en": {
        "refused": "not answered",
        "remembered": "answered from your learning history",
        "removed": "the answer was removed with its document",
        "answered": "answered",
    },
    "zh": {
        "refused": "未得到回答",
        "remembered": "由学习记录回答",
        "removed": "回答已随文档一起删除",
        "answered": "已回答",
    },
}
_ANSWERED_FROM = {"en": "answered from {places}", "zh": "回答来自{places}"}
_PLACE = {
    "en": {"page": "{name}, page {page}", "part": "{name}, part {page}"},
    "zh": {"page": "《{name}》第 {page} 页", "part": "《{name}》第 {page} 部分"},
}
_LOADED = {"en": "{name}, {pages}, loaded {times}", "zh": "《{name}》，{pages}，{times}加载"}
_ALL_LOADED = {"en": "{name}, loaded {times}", "zh": "《{name}》，{times}加载"}
_GONE = {"en": ", removed since", "zh": "，现已删除"}
_READING = {
    "en": "Still being read: {names}.",
    "zh": "仍在读取：{names}。",
}
_ASKED = {"en": "{when}: “{question}” – {outcome}", "zh": "{when}：“{question}”，{outcome}"}
_NOTED = {"en": "{when}: {note}", "zh": "{when}：{note}"}
_NOTED_ON = {"en": "{when}, on {concept}: {note}", "zh": "{when}，关于{concept}：{note}"}
_DAY_ITEMS = {
    "en": {"documents": "Loaded: ", "questions": "Asked: ", "notes": "Noted: "},
    "zh": {"documents": "加载：", "questions": "提问：", "notes": "笔记："},
}
SECTIONS = {
    "en": {"documents": "Documents:", "questions": "Questions:", "notes": "Notes:"},
    "zh": {"documents": "文档：", "questions": "问题：", "notes": "笔记："},
}
_MORE = {"en": "And {n} more.", "zh": "另外还有 {n} 条。"}
_AND = {"en": " and ", "zh": "和"}
_COMMA = {"en": ", ", "zh": "、"}


def counted(number: int, what: str, language: str, *, subject: str = "") -> str:
    """Return "1 page", "3 notes about “X”", "3 页", "3 条与“X”有关的笔记"."""
    about = _about(subject, language)
    if language == "zh":
        measure, noun = _COUNTED_ZH[what]
        return f"{number} {measure}{about}{noun}"
    return f"{number} {_COUNTED_EN[what][number != 1]}{about}"


def _about(subject: str, language: str) -> str:
    return _ABOUT[language].format(subject=subject) if subject else ""


def day(moment: date, language: str) -> str:
    """Return a date in words: "2 March 2026", "2026年3月2日"."""
    if language == "zh":
        return f"{moment.year}年{moment.month}月{moment.day}日"
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


def weekday(moment: date, language: str) -> str:
    """Return a date with its day of the week: "Monday, 2 March 2026", "2026年3月2日（星期一）"."""
    if language == "zh":
        return f"{day(moment, language)}（星期{_DAYS_ZH[moment.weekday()]}）"
    return f"{_DAYS[moment.weekday()]}, {day(moment, language)}"


def span(since: datetime, until: datetime, language: str) -> str:
    """Return the days from `since` to before `until`, as they stand in a sentence."""
    first, last = since.date(), (until - timedelta(microseconds=1)).date()
    if first == last:
        told = weekday(first, language)
        return f"在{told}" if language == "zh" else f" on {told}"
    if language == "zh":
        return f"在{day(first, language)}至{day(last, language)}"
    return f" from {day(first, language)} to {day(last, language)}"


def head(kind: str, language: str, *, when: str = "", n: str = "", subject: str = "") -> str:
    """Return the first line of an answer. `when` is a `span`, `n` is `counted`."""
    return HEADS[language][kind].format(when=when, n=n, subject=subject)


def nothing(kind: str, language: str, *, when: str = "", subject: str = "") -> str:
    """Return the sentence that nothing was found, with the subject and the time looked at."""
    return NOTHING[language][kind].format(when=when, about=_about(subject, language))


def joined(items: Sequence[str], language: str) -> str:
    """Return "a, b and c", "a、b和c"."""
    if len(items) < 2:
        return "".join(items)
    return _COMMA[language].join(items[:-1]) + _AND[language] + items[-1]


def loaded(
    name: str, pages: int, times: Sequence[date], language: str, *, part: bool, gone: bool
) -> str:
    """Return the line of a loaded document; `times` are the days of its loads, ascending.

    `pages` 0 means that their number is not known; `part` that it has parts in place of pages.
    """
    days = [day(moment, language) for moment in dict.fromkeys(times)]
    told = joined(days, language) if language == "zh" else f"on {joined(days, language)}"
    form = _LOADED if pages else _ALL_LOADED
    number = counted(pages, "parts" if part else "pages", language)
    line = form[language].format(name=name, pages=number, times=told)
    return line + (_GONE[language] if gone else "")


def place(name: str, page: int, language: str, *, part: bool) -> str:
    """Return where an answer comes from: "a.pdf, page 3", "《a.pdf》第 3 页"."""
    return _PLACE[language]["part" if part else "page"].format(name=name, page=page)


def answered_from(places: Sequence[str], language: str) -> str:
    """Return that a question was answered from `places`."""
    told = "；".join(places) if language == "zh" else "; ".join(places)
    return _ANSWERED_FROM[language].format(places=told)


def asked(when: str, question: str, outcome: str, language: str) -> str:
    """Return the line of a question."""
    return _ASKED[language].format(when=when, question=question, outcome=outcome)


def noted(when: str, concept: str, note: str, language: str) -> str:
    """Return the line of a note; `concept` may be empty."""
    form = _NOTED_ON if concept else _NOTED
    return form[language].format(when=when, concept=concept, note=note)


def day_item(kind: str, line: str, language: str) -> str:
    """Return a line of a day's list with what was done."""
    return _DAY_ITEMS[language][kind] + line


def day_head(moment: date, counts: Sequence[tuple[str, int]], language: str) -> str:
    """Return the line of a day with its numbers of things done."""
    numbers = [counted(n, kind, language) for kind, n in counts if n]
    if language == "zh":
        return f"{weekday(moment, language)}：{_COMMA['zh'].join(numbers)}"
    return f"{weekday(moment, language)}: {joined(numbers, language)}"


def more(number: int, language: str) -> str:
    """Return the line that says how many are not shown."""
    return _MORE[language].format(n=number)


def still_reading(names: Sequence[str], language: str) -> str:
    """Return the line of documents that are not wholly read."""
    return _READING[language].format(names=joined(names, language))
