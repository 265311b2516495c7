"""Chinese phrases without a model: which thing the characters around a verb name."""

import re
from dataclasses import replace

from core.domain.graph import Entity, EntityKind
from core.graph import chinese_words as words
from core.graph.naming import PERSON_ZH, entity, is_time

LONGEST = 14
_OF = 0.7
_LEAST_AFTER_OF = 4
"""Characters of a subject after 的: shorter ones are mostly relational nouns."""
_CJK = re.compile(r"[\u3400-\u9fff]")
_PART = re.compile(r"[\u3400-\u9fffA-Za-z0-9 .·•+#/\-’']+|《[^》]{1,40}》")
_PURPOSE = re.compile("来(?!源|自|信)|以便|从而|用来|(?<=.{2})以(?!太|及|色|来|外|下|上)")
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9 .+#\-’']*")
_QUOTES = str.maketrans("", "", "“”‘’\"'「」")
_KEPT = re.compile(rf"《[^》]{{1,40}}》|{PERSON_ZH.pattern}")
TIME = re.compile(
    r"(?:公元前?)?[\d零〇一二三四五六七八九]{3,4}年(?:\d{1,2}月|[一二三四五六七八九十]{1,2}月)?"
)


def subject_of(text: str) -> tuple[list[Entity], float]:
    """Return the things that the characters before a verb name, and how surely; `[]` for none."""
    text, factor = _opened(text.strip()), 1.0
    text = _closed(text)
    if not text or words.COUNTED.match(text):
        return [], 0.0
    if "的" in text and "《" not in text:
        text, factor = text.rpartition("的")[2], _OF
        if len(text) < _LEAST_AFTER_OF and not _LATIN.fullmatch(text):
            return [], 0.0  # relational nouns: 的前身, 的后裔
    if words.RELATIONAL.search(text):
        return [], 0.0
    parts = words.SPLIT.split(text)
    sizes = [len(part) for part in parts]
    if max(sizes) > 2 * min(sizes) + 2:
        return [], 0.0  # what is joined is alike
    found = [named(part, alone=len(parts) == 1) for part in parts]
    if not found or any(one is None for one in found):
        whole = named(text)
        return ([whole], factor) if whole is not None else ([], 0.0)
    return [one for one in found if one is not None], factor


def objects_of(text: str, *, listed: bool) -> list[Entity]:
    """Return the things that the characters after a verb name, to the end of the clause.

    `listed`: several may stand there, joined by `、` or `和`.
    """
    text = text.strip().removeprefix("了").removeprefix("并").strip()
    if listed and (purpose := _PURPOSE.search(text, 1)) is not None:
        text = text[: purpose.start()]
    if "的" in text and not listed:
        text = text.rpartition("的")[2]
    out: list[Entity] = []
    parts = words.SPLIT.split(text) if listed else [text]
    for i, part in enumerate(parts):
        kept, whole = _cut(part.rpartition("的")[2] if "的" in part else part)
        one = named(kept, alone=len(parts) == 1)
        if one is not None:
            out.append(one)
        if not whole:
            break
        if one is None and i == 0 and len(parts) > 1 and "的" not in part:
            return []
    return out


def _cut(text: str) -> tuple[str, bool]:
    """Return a text up to where something else begins, and whether that is all of it."""
    text = re.sub(r"(?:等|等等|等人|中|里|之一|上|内)$", "", text.strip())
    found = words.CUT.search(text, 1)
    if found is None or _LATIN.fullmatch(text):
        return text, True
    return text[: found.start()], False


def _opened(text: str) -> str:
    """Take off what may stand before a subject: connectives, times, adverbials of place."""
    changed = True
    while changed and text:
        before = text
        text = words.OPENING.sub("", text).strip("，, ")
        text = re.sub(
            rf"^(?:在|到|自|从)?{TIME.pattern}(?:代|间|初|末|底)?(?:[，,]|(?=.))", "", text
        )
        text = words.NATIONAL.sub("", text) if words.NATIONAL.match(text) else text
        changed = text != before
    return text


def _closed(text: str) -> str:
    """Take off adverbs and times that may stand between subject and verb."""
    changed = True
    while changed and text:
        before = text
        text = words.CLOSING.sub("", text).rstrip("，, ")
        text = words.FOLLOWERS.sub("", text)
        changed = text != before
    return text


def named(text: str, *, alone: bool = True) -> Entity | None:
    """Return the thing that characters name, None when that is nothing or part of a clause.

    `alone`: it is no item of a list; items may have a single character.
    """
    text = text.strip(" ，。、；：:“”‘’\"'")
    if "《" not in text:
        text = words.COUNTED.sub("", text.translate(_QUOTES))
        if words.NATIONAL.match(text):
            text = words.NATIONAL.sub("", text)
    text = words.FOLLOWERS.sub("", text).strip()
    if is_time(text):
        return entity(text, "zh", EntityKind.TIME)
    if not text or _PART.fullmatch(text) is None or words.POINTING.match(text):
        return None
    if _LATIN.fullmatch(text):
        return entity(text, "zh") if 2 <= len(text) <= 40 else None
    if _KEPT.fullmatch(text):
        return entity(text, "zh")
    size = len(_CJK.findall(text))
    if size > LONGEST or size < (2 if alone else 1) or text in words.GENERIC:
        return None
    if words.CLAUSE.search(text) or text.isdigit():
        return None
    return entity(text, "zh")


def person(one: Entity) -> Entity:
    """Return an entity that does what persons do: one, if it is spelled like a Chinese name."""
    short = 2 <= len(one.name) <= 3 and one.name[0] in words.SURNAMES
    if one.kind is EntityKind.CONCEPT and short:
        return replace(one, kind=EntityKind.PERSON)
    if one.kind is EntityKind.OTHER and len(one.name.split()) in (2, 3):
        return replace(one, kind=EntityKind.PERSON)
    return one
