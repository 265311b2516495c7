"""A question's concepts in the other language, looked up in a dictionary.

Words that are written alike (names in Latin letters, figures) stand for themselves. What the
dictionary does not know is left to the vectors.
"""

import re

from core.rag.concepts import Concept, concepts_of
from core.rag.dictionary import LONGEST_WORD, Dictionary
from core.text.terms import STOP_CJK, term_hash, terms
from core.text.tokens import CJK

_RUN = re.compile(f"[{CJK}]+")
_LONGEST_PHRASE = 3
_UNKNOWN = 1.5
"""What a character that is no word costs in cutting a text into words; a word costs 1."""
_EMPTY_WORDS = """
能 会 可 要 将 不 没 很 更 最 多 少 怎 样 时 候 种 位 名 次 年 月 日
中 上 下 里 外 前 后 他 她 它 我 你 们 用 做 叫 称 所 一 二 三 两 何
来 去 出 使 让 给 如 因 种类 时候 什么时候 何时 何种 为何 为什么 哪种 哪年
没有 由于 因此 可以 什么样 怎样 之间 之后 之前 以及 他们 它们 我们 是否 通过
根据 关于 其他 进行 使用 称为 叫做 哪一 请问 主要 一些
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def in_other_language(question: str, language: str, dictionary: Dictionary) -> tuple[Concept, ...]:
    """Return what a question in `language` (`en` or `zh`) asks, as said in the other one."""
    if language == "zh":
        return _from_chinese(question, dictionary)
    return _from_english(question, dictionary)


def _from_chinese(question: str, dictionary: Dictionary) -> tuple[Concept, ...]:
    found: dict[str, Concept] = {}
    for run in _RUN.findall(dictionary.simplified(question)):
        for word in cut(run, dictionary):
            if word in STOP_CJK or word in _EMPTY:
                continue
            meanings = dictionary.in_english(word)
            if meanings:
                # Itself too: a document that counts as English can have Chinese sentences.
                itself = tuple(term_hash(term) for term in terms(word))
                found.setdefault(word, Concept(word, (*meanings, itself) if itself else meanings))
    own = concepts_of(terms(_RUN.sub(" ", question)))
    return (*found.values(), *own)


def _from_english(question: str, dictionary: Dictionary) -> tuple[Concept, ...]:
    """Phrases of up to three words count beside their words: both may be what is meant."""
    index_terms = tuple(terms(_RUN.sub(" ", question)))
    found: dict[str, Concept] = {}
    for size in range(_LONGEST_PHRASE, 0, -1):
        for i in range(len(index_terms) - size + 1):
            phrase = index_terms[i : i + size]
            name = " ".join(phrase)
            words = dictionary.in_chinese(phrase)
            if size == 1:
                words = (*words, (term_hash(name),))
            if words:
                found.setdefault(name, Concept(name, words))
    return (*found.values(), *concepts_of(terms(" ".join(_RUN.findall(question)))))


def cut(run: str, dictionary: Dictionary) -> list[str]:
    """Cut Chinese characters into the fewest words, among those into words of like length.

    Two of two characters are likelier than one of three and a rest (MMSEG, Tsai 1996):
    研究/生命, not 研究生/命.
    """
    spans = [
        (start, end)
        for end in range(1, len(run) + 1)
        for start in range(max(0, end - LONGEST_WORD), end)
    ]
    known = dictionary.words([run[start:end] for start, end in spans])
    best: list[tuple[float, int, int]] = [(0.0, 0, 0)]
    options: dict[int, list[tuple[float, int, int]]] = {}
    for (start, end), is_word in zip(spans, known, strict=True):
        if not is_word and end - start > 1:
            continue
        if end == len(best):
            options.setdefault(end, [])
        cost, squares, _ = best[start]
        step = (cost + (1.0 if is_word else _UNKNOWN), squares + (end - start) ** 2, start)
        options.setdefault(end, []).append(step)
        if start == end - 1:  # the last span that ends here
            best.append(min(options[end]))
    words: list[str] = []
    end = len(run)
    while end:
        start = best[end][2]
        words.append(run[start:end])
        end = start
    return words[::-1]
