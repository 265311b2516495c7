"""How important a memory is, and of which kind it is, when nobody said."""

import re

from core.domain.memory import MemoryKind

BASE = 0.5
BY_HAND = 0.3
"""A note somebody took the trouble to write: 0.8, as the tutorial's assistant gives its notes."""
AGAIN = 0.1
"""For each sighting after the first."""
MOST_AGAIN = 0.3
PRIORITY = {"high": 0.3, "low": -0.2}
"""What the caller says as `priority` in the metadata (*Hello-Agents*, chapter 8, the code)."""

_HAPPENED = re.compile(
    r"\b(?:yesterday|today|tonight|this (?:morning|afternoon|evening)|"
    r"last (?:night|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|"
    r"\w+ (?:days?|weeks?|months?|years?|hours?) ago|"
    r"i (?:went|met|read|finished|learnt|learned|passed|failed|visited|attended|watched|started|"
    r"completed|did|had|saw))\b"
    r"|昨天|今天|前天|昨晚|今早|今晚|刚才|刚刚|上周|上个?星期|上个?月|去年|[一二两三四五六七八九十几\d]+"
    r"(?:天|周|个?星期|个?月|年|小时)前|曾经|那天|我[^，。]{0,6}(?:去了|读完|看完|学完|完成了|参加了|通过了)",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"\b(?:is defined as|(?:by )?definition|means? that|refers? to|"
    r"is (?:a|an|the) (?:kind|type|form|set|method|process|concept|theory|rule|law|theorem|measure|"
    r"property) (?:of|that|for)|concept of|theorem|formula|principle|in general|rule of|"
    r"consists? of|is called|stands for)\b"
    r"|定义|概念|是指|指的是|原理|定理|公式|规律|规则|理论|知识|意思是|即为|所谓|称为|叫做|由[^，。]{1,12}组成"
    r"|是一[种类个]",
    re.IGNORECASE,
)


def automatic_importance(
    *, by_hand: bool = False, pinned: bool = False, sightings: int = 1, priority: str = ""
) -> float:
    """Return an importance in [0, 1] from what is known, never from a guess about the text.

    0.5, and more for what was written by hand, came up again, or is said to have a high `priority`
    (`high`, `low`); pinned is 1. The code published with the tutorial adds 0.1 for more than 100
    characters and 0.2 for one of six Chinese words instead; length and such words say little about
    what a learner needs, and a random importance cost 3 to 8 points of recall at 5 on LoCoMo.
    """
    if pinned:
        return 1.0
    again = min(MOST_AGAIN, AGAIN * max(0, sightings - 1))
    value = BASE + (BY_HAND if by_hand else 0.0) + again + PRIORITY.get(priority, 0.0)
    return round(min(1.0, max(0.0, value)), 6)


def auto_classify(content: str) -> MemoryKind:
    """Return the kind of a text by its words, English and Chinese.

    What happened at a time is episodic, what is said to hold in general is semantic, all else
    working. A text with both words is a fact that came up some day: semantic.
    """
    if _KNOWN.search(content):
        return MemoryKind.SEMANTIC
    return MemoryKind.EPISODIC if _HAPPENED.search(content) else MemoryKind.WORKING
