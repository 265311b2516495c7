"""What somebody keeps asking about: worth a note, which is proposed and never written unasked."""

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from difflib import SequenceMatcher

from core.domain.memory import Memory
from core.domain.upkeep import OftenAsked
from core.memory.query import QA_INTERACTION, QUESTION
from core.text.terms import stem, terms
from core.text.tokens import is_cjk, language_of

OFTEN = 3
"""Questions about one thing …"""
WITHIN = timedelta(days=7)
"""… within this time make a proposal."""
_FRAME = re.compile(r"(?s)^(?:Learning about '(?P<qa>.*)'|Question: (?P<q>.*))$")
_WORD = re.compile(r"[^\W_]+")
_ASKING = frozenset(
    stem(word)
    for line in (
        "explain explained mean means meaning define definition describe difference example tell",
        "examples question please understand work works working used use page chapter again",
        "解释 定义 含义 意思 区别 例子 举例 说明 为何 怎样 作用 再次 请解 释一 理解 介绍 一下 讲讲",
    )
    for word in line.split()
)
"""Words of questions, not of what they are about."""


def often_asked(memories: Sequence[Memory], now: datetime) -> list[OftenAsked]:
    """Return what was asked about at least `OFTEN` times `WITHIN` the last week, most often first.

    Of questions and their answers (the same `question_id`) one counts. English words count by
    their stem, Chinese ones from two characters on.
    """
    asked = _questions(memories, now)
    having: defaultdict[str, list[int]] = defaultdict(list)
    for number, (_, text) in enumerate(asked):
        for term in set(terms(text)) - _ASKING:
            if (len(term) > 1 and not term.isdigit()) and (not is_cjk(term[0]) or len(term) == 2):
                having[term].append(number)
    found: dict[tuple[int, ...], str] = {}
    for term, numbers in sorted(having.items()):
        if len(numbers) >= OFTEN:
            name = _name(term, [asked[n][1] for n in numbers])
            key = tuple(numbers)
            if len(name) > len(found.get(key, "")):
                found[key] = name
    proposals = [
        OftenAsked(concept=name, memory_ids=tuple(asked[n][0] for n in numbers))
        for numbers, name in found.items()
    ]
    return sorted(proposals, key=lambda p: (-len(p.memory_ids), p.concept))


def _questions(memories: Sequence[Memory], now: datetime) -> list[tuple[str, str]]:
    """Return id and text of the questions of the time, newest first, each once."""
    asked: dict[str, tuple[str, str]] = {}
    for memory in sorted(memories, key=lambda m: m.created_at, reverse=True):
        if memory.event in (QUESTION, QA_INTERACTION) and now - memory.created_at <= WITHIN:
            frame = _FRAME.match(memory.content)
            text = (frame["qa"] or frame["q"] or "") if frame else memory.content
            key = str(memory.metadata.get("question_id", memory.id))
            asked.setdefault(key, (memory.id, text))
    return list(asked.values())


def _name(term: str, texts: Sequence[str]) -> str:
    """Return the concept as written: the word with this stem, or what Chinese texts share of it."""
    if not is_cjk(term[0]):
        words = _WORD.findall(texts[0])
        return next((w for w in words if stem(w.lower()) == term), term)
    shared = texts[0]
    for text in texts[1:]:
        if language_of(text) == "zh":
            shared = _around(term, shared, text)
    return shared


def _around(term: str, one: str, other: str) -> str:
    """Return the longest run with `term` that stands in both texts, of CJK characters only."""
    match = SequenceMatcher(None, one, other, autojunk=False)
    runs = [one[b.a : b.a + b.size] for b in match.get_matching_blocks()]
    within = [r for run in runs for r in re.findall(r"[\u3400-\u9fff]+", run) if term in r]
    return max(within, key=len, default=term)
