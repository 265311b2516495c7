"""Facts that Chinese sentences state, by their verbs and what stands around them.

A sentence is cut at its commas; each part states at most one thing. What cannot be cut into two
names and a verb is left alone.
"""

import re
from dataclasses import replace

from core.domain.graph import Entity, EntityKind, RelationKind
from core.graph import chinese_words as words
from core.graph.chinese_phrases import TIME, named, objects_of, person, subject_of
from core.graph.clauses import Subject
from core.graph.naming import is_place_zh
from core.graph.stated import Stated

_UNKNOWN = 0.65
"""Confidence of what is done by somebody and has no kind of its own."""
_IT = 0.65
_CARRIED = 0.85
_LONGEST_TOPIC = 12
_TAKEN_UP = (
    "是",
    "由",
    "位于",
    "出生",
    "生于",
    "属于",
    "也是",
    "又",
    "简称",
    "也叫",
    "也称",
    "主要由",
    "即",
)
"""A part of a sentence that begins so speaks of what stands alone before it."""
_COMMA = re.compile("[，；,;：:]|——")
_BRACKETS = re.compile(r"[（(][^（）()]*[）)]")
_ACTIVE = tuple(
    (re.compile(pattern), kind, inverse, confidence)
    for pattern, kind, inverse, confidence in words.TRIGGERS
)
_ANY = re.compile("|".join(f"(?:{pattern})" for pattern, *_ in words.TRIGGERS))
_MADE_BY = re.compile(
    rf"(?:是|最早|最初)?(?:由|被)(?P<who>.{{2,20}}?)(?:所)?(?:{words.MADE})(?:出来)?的?$"
)
_MADE_OF = re.compile(r"(?:主要|通常|大多)?(?:是)?由(?P<what>.{1,40}?)(?:组成|构成)的?$")
_MADE_WITH = re.compile(
    r"(?:都)?(?:是)?用(?P<what>.{1,16}?)(?:制成|做成|织成|造成|制造|制作|做|造)的?$"
)
_CAUSED_BY = re.compile(r"(?:通常|主要|多)?(?:是)?由(?P<what>.{1,20}?)(?:引起|导致|造成|引发)的?$")
_OUT_OF = re.compile(
    r"(?:主要|通常)?(?:是)?由(?P<what>.{1,20}?)(?:分泌|产生|生产|释放|制造|生成)的?$"
)
_SHOWN = re.compile("(?:证明|表明|显示|说明)了?")
_DONE_BY = re.compile(
    r"(?:是|主要)?(?:由|被)(?P<what>.{2,14}?)(?:所)?"
    r"(?:运营|管理|负责|领导|主办|资助|赞助|提供|控制|拥有|执导|主持|编辑|制作|演唱|翻译|统治|驱动|占领|取代|替代|击败"
    r"|收购|摧毁|采用|吞并|打败|保护|调节)的?$"
)
_FOCUS = re.compile(rf"是(?P<who>[^是]{{2,20}}?)(?P<verb>{words.MADE})的$")
_DIFFERENT = re.compile(r"(?:与|和|跟)(?P<what>(?:(?!可以|、)[^，]){2,14})(?:不同|相反|相对)$")
_WORKS = re.compile(r"在(?P<what>[^，]{2,16}?)(?:工作|任职|任教|担任[^，]{0,12}|教书)(?:过)?$")
_ROLE = re.compile(
    r"是(?P<what>.{1,20}?)的(?:重要|主要|一个|一种|第一任)?(?P<role>组成部分|一部分|分支|子集|子领域|成员|首都|首府|发明者|发明人|创始人"
    r"|作者|提出者|发现者|创立者|设计者|原因|起因|结果|产物|特例|变体|一种)$"
)
_MAKER = re.compile(
    r"(?P<of>的)(?P<role>作者|发明者|发明人|创始人|提出者|发现者|创立者|设计者)是(?P<who>[^是]{2,20})$"
)
_ROLES = {
    **dict.fromkeys(
        ("组成部分", "一部分", "分支", "子集", "子领域", "成员"), (RelationKind.PART_OF, False)
    ),
    **dict.fromkeys(("首都", "首府"), (RelationKind.LOCATED_IN, False)),
    **dict.fromkeys(
        ("发明者", "发明人", "创始人", "作者", "提出者", "发现者", "创立者", "设计者"),
        (RelationKind.CREATED, False),
    ),
    **dict.fromkeys(("原因", "起因"), (RelationKind.CAUSES, False)),
    "结果": (RelationKind.CAUSES, True),
    "产物": (RelationKind.PRODUCES, True),
    **dict.fromkeys(("特例", "变体", "一种"), (RelationKind.IS_A, False)),
}
_IS_ONE = re.compile(
    r"是(?:(?:最|较为?)?(?:重要|常用|常见|著名)的)?一(?:种|类|个|门|项|位|名|款|座|本|部|家|所|组|套|颗|条)(?P<what>.+)$"
)
_ONE_OF = re.compile(r"是(?P<what>.+?)(?:之一|中的一种|的一种)$")
_IS = re.compile(
    r"(?<!不)(?<!而)(?<!还)(?<!就)(?<!正)是(?![否由在为从用如因指靠以谁什怎把被让最])(?P<what>.+)$"
)
_LISTED = (RelationKind.HAS, RelationKind.USES, RelationKind.PRODUCES, RelationKind.CREATED,
           RelationKind.CAUSES, RelationKind.RELATED)  # fmt: skip


def facts_of(sentence: str, before: Subject | None) -> tuple[list[Stated], Subject | None]:
    """Return the facts of a sentence and its subject.

    `before` is the subject of the sentence before: 它 and 他 stand for it, with less confidence.
    """
    text = _BRACKETS.sub("", sentence).strip("。！!. ")
    out: list[Stated] = []
    first: Subject | None = None
    last: Subject | None = None
    date = None
    clauses = [clause.strip() for clause in _COMMA.split(text)]
    for clause, following in zip(clauses, [*clauses[1:], ""], strict=True):
        if TIME.fullmatch(clause.removeprefix("在")):
            date = named(clause.removeprefix("在"))
        elif _negated(clause):
            last = None
        else:
            found, last = _clause(clause, last, before)
            out += found + _dated(found, clause, date)
            if last is None and following.startswith(_TAKEN_UP):
                last = _topic(clause)
            first = first or last
    return out, first


def _negated(clause: str) -> bool:
    return words.NEGATED.search(words.NOT_NEGATED.sub("", clause)) is not None


def _clause(
    clause: str, last: Subject | None, before: Subject | None
) -> tuple[list[Stated], Subject | None]:
    """Return what a part of a sentence states, and its subject."""
    for reader in (_maker, _special, _active, _being):
        read = reader(clause)
        if read is None:
            continue
        start, kind, inverse, confidence, label, objects = read
        subject = _subject(clause[:start], last, before)
        if subject is None:
            return [], None
        return _stated(subject, kind, objects, confidence, label, inverse=inverse), subject
    return [], None


def _topic(clause: str) -> Subject | None:
    """Return the subject that stands alone before a comma."""
    alone, _ = subject_of(clause) if len(clause) <= _LONGEST_TOPIC else ([], 0.0)
    return Subject(tuple(alone), 0.9) if len(alone) == 1 else None


Read = tuple[int, RelationKind, bool, float, str, list[Entity]]
"""Where the subject ends, kind, whether the object does it, confidence, label, objects."""


def _maker(clause: str) -> Read | None:
    """Read `X的作者是Y`: Y made X."""
    found = _MAKER.search(clause)
    if found is None:
        return None
    objects, _ = subject_of(found["who"])
    return found.start("of"), RelationKind.CREATED, True, 0.85, f"{found['role']}是", objects


def _special(clause: str) -> Read | None:
    """Read passive forms and roles."""
    for pattern, kind, inverse, label, group in (
        (_MADE_OF, RelationKind.HAS, False, "由…组成", "what"),
        (_MADE_WITH, RelationKind.HAS, False, "用…制成", "what"),
        (_CAUSED_BY, RelationKind.CAUSES, True, "由…引起", "what"),
        (_OUT_OF, RelationKind.PRODUCES, True, "由…产生", "what"),
        (_DONE_BY, RelationKind.RELATED, True, "由…", "what"),
        (_MADE_BY, RelationKind.CREATED, True, "由…提出", "who"),
        (_FOCUS, RelationKind.CREATED, True, "是…提出的", "who"),
        (_DIFFERENT, RelationKind.CONTRASTS, False, "与…不同", "what"),
        (_WORKS, RelationKind.WORKS_FOR, False, "在…工作", "what"),
    ):
        found = pattern.search(clause)
        if found is None or (kind is RelationKind.CONTRASTS and "、" in clause):
            continue
        if kind is RelationKind.CREATED:
            objects, _ = subject_of(found[group])
        else:
            objects = objects_of(found[group], listed=kind in _LISTED)
        confidence = _UNKNOWN if kind is RelationKind.RELATED else 0.85
        return found.start(), kind, inverse, confidence, label, objects
    role = _ROLE.search(clause)
    if role is not None:
        kind, inverse = _ROLES[role["role"]]
        objects = objects_of(role["what"], listed=False)
        return role.start(), kind, inverse, 0.85, f"是…的{role['role']}", objects
    return None


def _active(clause: str) -> Read | None:
    """Read a verb with its object."""
    found = _ANY.search(clause)
    if found is None or ("是" in clause[: found.start()] and clause[found.start()] != "是"):
        return None
    if clause.endswith("的"):
        return None
    following = clause[found.end() :]
    if words.NOUN_AFTER.match(following) or _ANY.match(following):
        return None
    kind, inverse, confidence = _stating(clause, found.start())
    if kind is RelationKind.DEFINED_AS and "的" in following:
        return None  # the end of a definition is not its meaning
    objects = objects_of(following, listed=kind in _LISTED)
    if kind is RelationKind.PART_OF and objects and words.CLASS.search(objects[0].name):
        kind = RelationKind.IS_A
    return found.start(), kind, inverse, confidence, found.group(), objects


def _stating(clause: str, at: int) -> tuple[RelationKind, bool, float]:
    """Return what the verb at `at` states."""
    for pattern, kind, inverse, confidence in _ACTIVE:
        if pattern.match(clause, at):
            return kind, inverse, confidence
    raise ValueError("no verb stands there")


def _being(clause: str) -> Read | None:
    """Read `A是一种B` and `A是B`."""
    for pattern, confidence in ((_ONE_OF, 0.85), (_IS_ONE, 0.85), (_IS, 0.7)):
        found = pattern.search(clause)
        if found is None:
            continue
        objects = objects_of(found["what"], listed=False)
        if pattern is _IS and (found["what"].endswith("的") or words.COUNTED.match(found["what"])):
            return None
        return found.start(), RelationKind.IS_A, False, confidence, "是", objects
    return None


def _subject(text: str, last: Subject | None, before: Subject | None) -> Subject | None:
    text = text.strip()
    bare = words.CLOSING.sub("", text)
    if not bare or bare in ("并", "并且", "也", "它", "他", "她", "而且"):
        if last is not None:
            return replace(last, confidence=last.confidence * _CARRIED)
        if bare in ("它", "他", "她") and before is not None and len(before.entities) == 1:
            return Subject(before.entities, before.confidence * _IT)
        return None
    shown = _SHOWN.split(text)
    entities, confidence = subject_of(shown[-1])
    confidence *= 1.0 if len(shown) == 1 else _CARRIED
    return Subject(tuple(entities), confidence) if entities else None


def _stated(
    subject: Subject,
    kind: RelationKind,
    objects: list[Entity],
    confidence: float,
    label: str,
    *,
    inverse: bool,
) -> list[Stated]:
    out = []
    for one in subject.entities:
        for other in objects:
            first, second = (other, one) if inverse else (one, other)
            if kind in (RelationKind.CREATED, RelationKind.BORN_IN, RelationKind.WORKS_FOR):
                first = person(first)
            fact = _checked(first, kind, second)
            if fact is not None:
                certain = round(confidence * subject.confidence, 3)
                out.append(Stated(first, fact[0], fact[1], certain, label))
    return out


def _checked(one: Entity, kind: RelationKind, other: Entity) -> tuple[RelationKind, Entity] | None:
    """Return kind and object of a fact whose parts fit together, else None."""
    if one.id == other.id or one.kind is EntityKind.TIME:
        return None
    timed = other.kind is EntityKind.TIME
    if kind is RelationKind.BORN_IN and not timed:
        return kind, replace(other, kind=EntityKind.PLACE)
    if timed != (kind is RelationKind.HAPPENED_IN) and not (timed and kind is RelationKind.BORN_IN):
        return None if timed else (RelationKind.RELATED, other)
    if kind is RelationKind.LOCATED_IN and is_place_zh(other.name):
        other = replace(other, kind=EntityKind.PLACE)
    return kind, other


def _dated(found: list[Stated], clause: str, date: Entity | None) -> list[Stated]:
    """Add the year in which something was made, from its clause or the one before."""
    years = TIME.findall(clause)
    time = named(years[0]) if len(years) == 1 else date if not years else None
    if time is None or time.kind is not EntityKind.TIME:
        return []
    return [
        Stated(fact.object, RelationKind.HAPPENED_IN, time, 0.75, f"{fact.label}于")
        for fact in found
        if fact.kind is RelationKind.CREATED
    ]
