"""What kind of thing a name names, as far as its spelling says."""

import re

from core.domain.graph import Entity, EntityKind, entity_id
from core.graph.english_words import MONTHS, ORGANISATION, PLACE

_TIME = re.compile(
    r"(?:(?:early |late |around |about )?(?:1\d|20)\d{2}s?(?: ?(?:BC|AD|BCE|CE))?"
    r"|\d{1,4} (?:BC|BCE|AD)|(?:\d{1,2} )?(?:[A-Z][a-z]+) (?:\d{1,2},? )?(?:1\d|20)\d{2}"
    r"|[公元前]*[零〇一二三四五六七八九\d]{3,4}年(?:[\d一二三四五六七八九十]+月)?(?:[\d一二三四五六七八九十]+[日号])?"
    r"|\d{1,2}世纪|[一二三四五六七八九十]+世纪)"
)
_ORGANISATION_ZH = re.compile(
    r"(?:大学|学院|公司|集团|研究所|研究院|实验室|协会|学会|委员会|出版社|银行|医院|中学|小学)$"
)
_PLACE_ZH = re.compile(r"[^的]{1,8}(?:国|省|市|县|镇|村|岛|洲|山|湖|河|海|洋|半岛|山脉|沙漠|海峡)$")
_NAME_PART = r"(?:(?![和与把在早被是的让等及向从对为曾于用给将又也都则由跟])[\u4e00-\u9fff]){1,7}"
PERSON_ZH = re.compile(rf"{_NAME_PART}(?:[·•]{_NAME_PART})+")
"""A foreign person's name in Chinese."""
_NAME = re.compile(r"(?:[A-Z][\w'’.-]*|van|von|de|der|la|bin|of|the)$")
_INNER = frozenset(["van", "von", "de", "der", "la", "bin", "of", "the"])


def is_time(name: str) -> bool:
    """Tell whether a name is a year, a date or a century."""
    found = _TIME.fullmatch(name.strip())
    if found is None:
        return False
    word = re.search("[A-Z][a-z]+", name)
    return word is None or word.group().lower() in MONTHS


def is_name(words: list[str]) -> bool:
    """Tell whether English words are a capitalised name."""
    return (
        bool(words)
        and words[0][:1].isupper()
        and all(_NAME.match(word) for word in words)
        and words[-1] not in _INNER
    )


def kind_of(name: str) -> EntityKind:
    """Return the kind a spelling shows; `OTHER` for names that do not, `CONCEPT` for the rest."""
    if is_time(name):
        return EntityKind.TIME
    if name[:1] in '《“"':
        return EntityKind.WORK
    if PERSON_ZH.fullmatch(name):
        return EntityKind.PERSON
    if _ORGANISATION_ZH.search(name):
        return EntityKind.ORGANISATION
    words = name.split()
    lows = {word.lower() for word in words}
    if is_name(words):
        if lows & ORGANISATION:
            return EntityKind.ORGANISATION
        if lows & PLACE:
            return EntityKind.PLACE
        return EntityKind.OTHER
    return EntityKind.CONCEPT


def is_place_zh(name: str) -> bool:
    """Tell whether a Chinese name ends as places do."""
    return _PLACE_ZH.fullmatch(name) is not None


def entity(name: str, language: str, kind: EntityKind | None = None) -> Entity:
    """Return the entity with this name; the kind as given, or as the spelling shows it."""
    shown = name.strip('《》“”"')
    return Entity(id=entity_id(shown), name=shown, kind=kind or kind_of(name), language=language)
