"""Statements whose values come from closed lists: family, food, year of study, programs."""

import re
from collections.abc import Iterator

from core.text.claim import Claim
from core.text.claims_en_words import JUST, TAIL

_KINDS = {
    "operating system": "windows linux macos ubuntu debian fedora",
    "telephone": "android iphone ios harmonyos",
    "browser": "chrome firefox safari edge brave opera vivaldi",
    "editor": "vim neovim emacs vscode pycharm sublime",
    "notebook": "obsidian notion evernote onenote logseq joplin",
    "writing": "word latex libreoffice typst wps",
    "cards": "anki quizlet memrise",
}
"""Programs by what they are for: one is given up for another of the same kind only."""
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_SPELLINGS = (
    (re.compile(r"^(?:google|microsoft|ms|apple|mozilla) "), ""),
    (re.compile(r"^(?:vs ?code|visual studio code)$"), "vscode"),
    (re.compile(r"^(?:mac|mac os|os x)$"), "macos"),
    (re.compile(r"(?<=[a-z]) ?\d+(?:\.\d+)*$"), ""),
)
_P = r"(?P<v>[a-z][\w .]*?)"
_B = r"(?:from (?P<b>[a-z][\w .]*?) )?"
_USE_EN = re.compile(rf"^i {JUST}(?:use|using|run|running) {_P}{TAIL}")
_SWITCH_EN = re.compile(
    rf"^i {JUST}(?:switched|changed|moved|migrated|went) (?:over |back )?{_B}to {_P}{TAIL}"
)
_NOW_ZH = r"(?:现在|目前|如今|已经|刚刚?|最近|终于|一直|正?在|都)*"
_END_ZH = r"(?:系统|浏览器)?(?:了|啦|的|呢)?$"
_USE_ZH = re.compile(rf"^我{_NOW_ZH}(?:使?用){_P}{_END_ZH}")
_SWITCH_ZH = re.compile(
    rf"^我{_NOW_ZH}(?:从(?P<b>[a-z][\w .]*?))?(?:改用|换用|转用|换[成到]|改成|转到|换回)"
    rf"(?:用|了)*{_P}{_END_ZH}"
)
_STATUS = "family status"
_FOOD = "food"
_ENGLISH = tuple(
    (slot, re.compile(f"^{pattern}{TAIL}"), frozenset(value.split()))
    for slot, pattern, value in (
        (_STATUS, rf"i {JUST}single", "single"),
        (_STATUS, rf"i {JUST}(?:got )?(?:divorced|separated)", "single divorced"),
        (_STATUS, rf"i {JUST}in a relationship", "together"),
        (_STATUS, rf"(?:i|we) {JUST}(?:got )?engaged(?: to [\w ]+?)?", "together engaged"),
        (_STATUS, rf"(?:i|we) {JUST}(?:got )?married(?: to [\w ]+?)?", "together married"),
        (_FOOD, rf"i {JUST}(?:became |turned |went )?(?:an? )?vegetarian", "meatless"),
        (_FOOD, rf"i {JUST}(?:became |turned |went )?(?:an? )?vegan", "meatless vegan"),
        (_FOOD, r"i (?:do not|no longer|never) eat (?:any )?meat", "meatless"),
        (_FOOD, rf"i {JUST}(?:eat|eating|started eating|started to eat) meat", "meat"),
    )
)
_CHINESE = tuple(
    (slot, re.compile(f"^我们?{_NOW_ZH}{pattern}{_END_ZH}"), frozenset(value.split()))
    for slot, pattern, value in (
        (_STATUS, "(?:是|还是)?单身", "single"),
        (_STATUS, "离婚", "single divorced"),
        (_STATUS, "(?:有|交)了?(?:男|女)朋友", "together"),
        (_STATUS, "订婚", "together engaged"),
        (_STATUS, "(?:结婚|已婚)", "together married"),
        (_FOOD, "(?:开始|改)?(?:吃素|是素食(?:主义)?者)", "meatless"),
        (_FOOD, "(?:再也不|不再|不)吃肉", "meatless"),
        (_FOOD, "(?:又|重新|可以)?(?:开始)?又?吃(?:肉|荤)", "meat"),
    )
)
"""What one is or eats. Some values say more than others: who is vegan is vegetarian too."""
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth")
_ORDINAL = rf"(?P<v>{'|'.join(_NTH)}|\d{{1,2}}(?:st|nd|rd|th))"
_YEARS_EN = (
    re.compile(
        rf"^i {JUST}(?:in )?(?:my|the) {_ORDINAL} (?P<u>year|semester|term|grade)"
        rf"(?: (?:of|at) (?P<p>[\w ]+?))?{TAIL}"
    ),
    re.compile(rf"^i {JUST}(?:an? )?{_ORDINAL}[- ](?P<u>year|semester|grade) student{TAIL}"),
    re.compile(rf"^i {JUST}in (?P<u>year|semester|grade) (?P<v>\d{{1,2}}){TAIL}"),
)
_YEAR_ZH = re.compile(
    rf"^我{_NOW_ZH}(?:是|读|上|念|升[到入]?|进入)?了?"
    r"(?P<v>[大研高初博][一二三四五]|[一二三四五六]年级)(?:的?学生)?(?:了|啦|的|呢)?$"
)
_DATED = re.compile(r"\bin \d{4}\b|\bago\b")


def closed_claims(low: str, language: str, *, changed: bool) -> Iterator[Claim]:
    """Yield what a clause made ready (lower case) states in one of the closed lists."""
    if _DATED.search(low):
        return
    for slot, pattern, value in _CHINESE if language == "zh" else _ENGLISH:
        if pattern.match(low):
            yield _claim(language, slot, value, changed=changed)
            break
    if language == "zh":
        if match := _YEAR_ZH.match(low):
            yield _claim("zh", "year of study", frozenset({match["v"]}), changed=changed)
        yield from _programs(low, "zh", _USE_ZH, _SWITCH_ZH, changed=changed)
        return
    yield from _programs(low, "en", _USE_EN, _SWITCH_EN, changed=changed)
    for pattern in _YEARS_EN:
        if match := pattern.match(low):
            of = match.groupdict().get("p") or ""
            nth = str(_NTH.index(match["v"]) + 1) if match["v"] in _NTH else match["v"]
            value = frozenset({re.sub(r"\D", "", nth)})
            yield _claim("en", f"{match['u']} of study {of}".strip(), value, changed=changed)
            return


def _claim(language: str, slot: str, value: frozenset[str], *, changed: bool) -> Claim:
    return Claim(
        language=language, subject="self", slot=slot, value=value, changed=changed, single=True
    )


def _programs(
    low: str, language: str, use: re.Pattern[str], switch: re.Pattern[str], *, changed: bool
) -> Iterator[Claim]:
    """Yield which program of a known kind is used; several may be, but for a change."""
    for pattern in (switch, use):
        match = pattern.match(low)
        if match is None:
            continue
        name, before = _program(match["v"]), _program(match.groupdict().get("b") or "")
        kind = _KIND_OF.get(name)
        if kind is None or (before and _KIND_OF.get(before) != kind):
            return
        yield Claim(
            language=language,
            subject=f"own {kind}",
            slot="use",
            value=frozenset({name}),
            before=frozenset({before}) if before else frozenset(),
            changed=changed or pattern is switch,
        )
        return


def _program(name: str) -> str:
    for pattern, written in _SPELLINGS:
        name = pattern.sub(written, name)
    return name.strip()
