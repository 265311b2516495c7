"""What a question asks of the graph: the kinds of relation its words name."""

import re

from core.domain.graph import RelationKind
from core.graph import chinese_words as zh
from core.graph.verbs import ACTIVE, PASSIVE
from core.text.tokens import language_of

_WORD = re.compile(r"[a-z]+")
_CUES = {
    "part": RelationKind.PART_OF,
    "parts": RelationKind.HAS,
    "component": RelationKind.HAS,
    "components": RelationKind.HAS,
    "ingredients": RelationKind.HAS,
    "made": RelationKind.HAS,
    "make": RelationKind.PRODUCES,
    "makes": RelationKind.PRODUCES,
    "inventor": RelationKind.CREATED,
    "founder": RelationKind.CREATED,
    "author": RelationKind.CREATED,
    "discoverer": RelationKind.CREATED,
    "creator": RelationKind.CREATED,
    "effect": RelationKind.CAUSES,
    "effects": RelationKind.CAUSES,
    "consequence": RelationKind.CAUSES,
    "why": RelationKind.CAUSES,
    "located": RelationKind.LOCATED_IN,
    "where": RelationKind.LOCATED_IN,
    "when": RelationKind.HAPPENED_IN,
    "year": RelationKind.HAPPENED_IN,
    "born": RelationKind.BORN_IN,
    "birthplace": RelationKind.BORN_IN,
    "employer": RelationKind.WORKS_FOR,
    "kind": RelationKind.IS_A,
    "type": RelationKind.IS_A,
}
_CUES_ZH = (
    ("组成|构成|部分|成分", RelationKind.HAS),
    ("谁|发明者|作者|创始人", RelationKind.CREATED),
    ("哪里|何处|哪个城市|哪儿|什么地方", RelationKind.LOCATED_IN),
    ("出生", RelationKind.BORN_IN),
    ("哪一年|何时|什么时候", RelationKind.HAPPENED_IN),
    ("为什么|原因|后果|引起", RelationKind.CAUSES),
    ("工作|任职|任教", RelationKind.WORKS_FOR),
    ("哪种|哪一类|什么类型", RelationKind.IS_A),
)


_CONNECTION = re.compile(
    r"\b(?:connect\w*|relat(?:ed|ion|ionship)s?|link(?:ed|s)?|have to do with|in common)\b"
    r"|联系|关系|关联|相关",
    re.I,
)


def asks_connection(question: str) -> bool:
    """Tell whether a question asks how things are connected, in so many words."""
    return _CONNECTION.search(question) is not None


def kinds_asked(question: str) -> frozenset[RelationKind]:
    """Return the kinds of relation that the words of a question name; `RELATED` is none."""
    found: set[RelationKind] = set()
    if language_of(question) == "zh":
        for pattern, kind, *_ in zh.TRIGGERS:
            if re.search(pattern, question):
                found.add(kind)
        found |= {kind for pattern, kind in _CUES_ZH if re.search(pattern, question)}
    else:
        words = _WORD.findall(question.lower())
        for word in words:
            for trigger in (*ACTIVE.get(word, ()), *PASSIVE.get(word, ())):
                if trigger.label != "have" and set(trigger.rest) <= set(words):
                    found.add(trigger.kind)
            if word in _CUES:
                found.add(_CUES[word])
    return frozenset(found - {RelationKind.RELATED})
