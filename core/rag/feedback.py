"""Pseudo-relevance feedback: the question with telling words of the first passages found.

The passage part of Rocchio's formula (Rocchio 1971, "Relevance feedback in information retrieval"):
the mean of the passages' term vectors, here with the frequencies of a language model (tf / length,
as the relevance model RM1 of Lavrenko & Croft 2001) times IDF. The question itself stays, and the
search with its words counts less (RM3's interpolation, Abdul-Jaleel et al. 2004): that is the
caller's weight. It needs no model.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.trace import QueryKind, TraceQuery
from core.rag.lexical import Segment
from core.scoring import inverse_document_frequency
from core.text.terms import STOP_CJK, STOP_WORDS, stem, term_hash, terms
from core.text.tokens import CJK

MOST_TERMS = 8
PASSAGES = 5
"""So many of the first passages are believed to be about the question."""
_SHORTEST_WORD = 3
_LONGEST_WORD = 30
_CJK_SIZES = range(2, 7)
_LEAST_IDF = 1.0
"""A word of more than about a third of the passages tells nothing."""
_WORD = re.compile(rf"[^\W\d_{CJK}][^\W_{CJK}]*(?:['’\-][^\W_{CJK}]+)*")
_CJK_RUN = re.compile(f"[{CJK}]+")
_POSSESSIVE = re.compile(r"['’]s$")
_CJK_NUMBER = re.compile(r"[一二三四五六七八九十百千万亿两零〇第年月日]+")
_EMPTY_CJK = frozenset(
    "的了是在和与及或也都就而被把对为之其这那哪么吗呢吧啊谁几个从由等并但又所该此些着很"
)
_EMPTY_EN = """
four five six seven eight nine ten eleven twelve hundred thousand million billion percent however
although though because since many much often several including within without among another would
could may might must shall new one two three first second used use using made make makes called
known also still even well per via upon
"""
_EMPTY_WORDS = frozenset(_EMPTY_EN.split())


@dataclass(slots=True)
class _Word:
    """A word of the passages: how it is written and how often, what it is in the index."""

    spellings: Counter[str] = field(default_factory=Counter)
    index_terms: tuple[str, ...] = ()
    shares: float = 0.0
    """Sum over the passages of its frequency by the passage's length."""

    @property
    def spelling(self) -> str:
        return max(self.spellings.items(), key=lambda item: (item[1], item[0]))[0]


def feedback_terms(
    question: str,
    passages: Sequence[str],
    weights: Mapping[str, float],
    *,
    most: int = MOST_TERMS,
) -> tuple[str, ...]:
    """Return at most `most` telling words of the first `PASSAGES` passages, best first.

    `weights` are the IDF of index terms (`core.text.terms.terms`); see `weights_of`. A word without
    one is left out. Words are spelled as in the passages; of Chinese, which has no spaces, they are
    strings that occur at least twice. Never a stop word, a number or a term of the question.
    """
    words = _words(question, passages[:PASSAGES])
    scored = []
    for word in words.values():
        known = [weights[t] for t in word.index_terms if t in weights]
        if len(known) < len(word.index_terms):
            continue
        idf = sum(known) / len(known)
        if idf >= _LEAST_IDF:
            scored.append((word.shares * idf, word.spelling))
    scored.sort(key=lambda item: (-item[0], item[1]))
    return tuple(spelling for _, spelling in scored[:most])


def feedback_query(
    question: str,
    passages: Sequence[str],
    weights: Mapping[str, float],
    *,
    most: int = MOST_TERMS,
) -> TraceQuery | None:
    """Return the question with the words of `feedback_terms`, or None when there are none."""
    found = feedback_terms(question, passages, weights, most=most)
    if not found:
        return None
    return TraceQuery(kind=QueryKind.FEEDBACK, text=f"{question} {' '.join(found)}")


def weights_of(
    question: str, passages: Sequence[str], segments: Sequence[Segment]
) -> dict[str, float]:
    """Return the IDF in `segments` of the index terms that `feedback_terms` may choose."""
    total = sum(len(s.lengths) for s in segments)
    wanted = {
        term for word in _words(question, passages[:PASSAGES]).values() for term in word.index_terms
    }
    out = {}
    for term in wanted:
        hashed = term_hash(term)
        containing = sum(len(s.postings(hashed)[0]) for s in segments)
        out[term] = inverse_document_frequency(total, containing)
    return out


def _words(question: str, passages: Sequence[str]) -> dict[str, _Word]:
    """Return the words of the passages that are not the question's, by their index term."""
    asked = set(terms(question))
    texts = [unicodedata.normalize("NFKC", p) for p in passages]
    repeated = _repeated_strings(texts)
    words: dict[str, _Word] = {}
    for text in texts:
        length = max(len(terms(text)), 1)
        for key, spelling, index_terms in _occurrences(text, repeated):
            if asked.intersection(index_terms):
                continue
            word = words.setdefault(key, _Word(index_terms=index_terms))
            word.spellings[spelling] += 1
            word.shares += 1 / length
    return words


def _occurrences(text: str, repeated: Sequence[str]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (key, spelling, index terms) of each word of a text."""
    for match in _WORD.finditer(text):
        spelling = _POSSESSIVE.sub("", match.group())
        if not _SHORTEST_WORD <= len(spelling) <= _LONGEST_WORD:
            continue
        lower = spelling.lower()
        if lower in STOP_WORDS or lower in _EMPTY_WORDS:
            continue
        index_terms = tuple(dict.fromkeys(terms(spelling)))
        if index_terms:
            yield stem(lower), spelling, index_terms
    for string in repeated:
        pairs = tuple(string[i : i + 2] for i in range(len(string) - 1))
        for _ in range(text.count(string)):
            yield string, string, pairs


def _repeated_strings(texts: Sequence[str]) -> list[str]:
    """Return the maximal repeats among the Chinese strings of some texts.

    Those are the strings that occur at least twice and stand between different neighbours on
    either side (accessor variety, Feng et al. 2004): a part of a longer word always has the same
    one. Strings with particles or pairs that are stop words, and numbers, are left out.
    """
    counts: Counter[str] = Counter()
    before: dict[str, set[str]] = defaultdict(set)
    after: dict[str, set[str]] = defaultdict(set)
    place = 0
    for text in texts:
        for run in _CJK_RUN.finditer(text):
            piece = run.group()
            for size in _CJK_SIZES:
                for at in range(len(piece) - size + 1):
                    string = piece[at : at + size]
                    place += 1
                    counts[string] += 1
                    before[string].add(piece[at - 1] if at else f"{place}")
                    end = at + size
                    after[string].add(piece[end] if end < len(piece) else f"{place}")
    return [
        string
        for string, count in counts.items()
        if count > 1
        and len(before[string]) > 1
        and len(after[string]) > 1
        and not _EMPTY_CJK.intersection(string)
        and not any(string[i : i + 2] in STOP_CJK for i in range(len(string) - 1))
        and not _CJK_NUMBER.fullmatch(string)
    ]
