"""The sentences of a text that state something."""

import re
from collections.abc import Iterator

from core.graph import chinese_words as zh
from core.graph.english_words import HEDGES
from core.text.sentences import sentence_spans

SHORTEST = 6
LONGEST = 600
"""Characters of a sentence that is read."""
_WORDS = re.compile(r"[a-z]+(?:['’][a-z]+)?")
_MARKS = re.compile(r"\*\*|__|`|\[\d+(?:[,–-]\s?\d+)*\]|^#+\s|^>\s")
_SAID = re.compile(r"[?？]")
_SPACE_ZH = re.compile(r"(?<=[\u3000-\u9fff\uff00-\uffef])\s+|\s+(?=[\u3000-\u9fff\uff00-\uffef])")
_TITLE = re.compile(r"\b(St|Mt|Dr|Mr|Mrs|Ms|Prof|U\.S|U\.K|U\.N)\. ")
_DASH = re.compile(r"\s[–—-]\s|—")


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text as they stand there."""
    for start, end in sentence_spans(text):
        if SHORTEST <= end - start <= LONGEST:
            yield text[start:end]


def plain(sentence: str, language: str) -> str:
    """Return a sentence without Markdown's marks and citation numbers, as it is taken apart."""
    text = _MARKS.sub("", sentence).replace("\xad", "")
    if language == "zh":
        return _SPACE_ZH.sub("", text)
    text = _TITLE.sub(r"\1 ", text)
    return _DASH.sub(" — ", text.replace("’", "'").rstrip(". "))


def states(sentence: str, language: str) -> bool:
    """Tell whether a sentence may state a fact: it asks nothing and imagines nothing.

    What sentences deny is told part by part, by those who take them apart.
    """
    if _SAID.search(sentence):
        return False
    if language == "zh":
        return zh.UNSTATED.search(sentence) is None
    words = set(_WORDS.findall(sentence.lower().replace("’", "'")))
    return not words & HEDGES and "used to be" not in sentence
