"""What a text comes back to: its repeated words and stretches of words."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from core.study.question_words import BREAK_ZH, FURNITURE_EN, FURNITURE_ZH
from core.text.terms import STOP_WORDS
from core.text.tokens import CJK

MIN_REPEATS = 3
WHOLE_WORD_SHARE = 0.6
"""A stretch is part of a longer word when that makes up this share of its occurrences."""

_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_CJK_RUN = re.compile(f"[{CJK}]+")
_CJK_LENGTHS = range(2, 7)
_MIN_PAIR_LETTERS, _MIN_WORD_LETTERS = 4, 6


class Spelling:
    """How a text writes its words: "Word Vectors" as "word vectors", names as names."""

    def __init__(self, text: str) -> None:
        self._counts = Counter(_WORD.findall(text))

    def of(self, topic: str) -> str:
        """Return `topic` in small letters if the text writes none of its words mostly large."""
        forms = [
            (self._counts[w.lower()], self._counts[w] + w.isupper())  # an abbreviation is a name
            for w in topic.split()
            if not w.islower()
        ]
        shouted = topic.isupper() and " " in topic
        known = any(small for small, _ in forms)
        if shouted or (known and all(small >= large for small, large in forms)):
            return topic.lower()
        return topic


def frequent_english(sentences: Sequence[str]) -> list[str]:
    """Return pairs of words, then single words, each the most frequent first, all small."""
    words, pairs = Counter[str](), Counter[str]()
    for sentence in sentences:
        content = [
            word if len(word) >= _MIN_PAIR_LETTERS and word not in STOP_WORDS | FURNITURE_EN else ""
            for word in map(str.lower, _WORD.findall(sentence))
        ]
        words.update(word for word in content if len(word) >= _MIN_WORD_LETTERS)
        pairs.update(f"{a} {b}" for a, b in pairwise(content) if a and b)
    return _repeated(pairs) + _repeated(words)


def frequent_chinese(text: str) -> list[str]:
    """Return stretches of two to six characters, whole words only, the most frequent first."""
    counts = Counter[str]()
    for run in _CJK_RUN.findall(text):
        for part in BREAK_ZH.split(run):
            for length in _CJK_LENGTHS:
                counts.update(part[i : i + length] for i in range(len(part) - length + 1))
    longest = Counter[str]()  # how often the longer stretch occurs that holds this one
    for stretch, n in counts.items():
        for part in (stretch[1:], stretch[:-1]):
            longest[part] = max(longest[part], n)
    whole = {s: n for s, n in counts.items() if longest[s] < n * WHOLE_WORD_SHARE}
    return [words for words in _repeated(Counter(whole)) if words not in FURNITURE_ZH]


def _repeated(counts: Counter[str]) -> list[str]:
    """Longer ones weigh more: they say more."""
    often = [(n * len(words), words) for words, n in counts.items() if n >= MIN_REPEATS]
    return [words for _, words in sorted(often, key=lambda item: (-item[0], item[1]))]
