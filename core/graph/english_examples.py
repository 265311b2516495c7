"""What English sentences say in passing: examples of a kind, and what a thing is unlike."""

from core.domain.graph import RelationKind
from core.graph import english_words as words
from core.graph.objects import objects_after
from core.graph.phrases import Tokens, named, phrase_after, phrase_before, singular
from core.graph.stated import Stated, fitting

EXAMPLE = 0.75
"""Confidence of `such as` and its like."""
_UNLIKE = 0.8


def gives_examples(lows: list[str], i: int) -> bool:
    """Tell whether a form that `examples` reads begins at `i`."""
    following = lows[i + 1] if i + 1 < len(lows) else ""
    return (
        (lows[i] == "including" and i > 0 and lows[i - 1] == ",")
        or (lows[i] == "such" and following == "as")
        or (lows[i] == "and" and following == "other")
        or (lows[i] == "unlike" and i == 0)
    )


def examples(tokens: Tokens, i: int) -> tuple[list[Stated], int]:
    """Read what begins at `i`; return its facts and where it ends.

    `Ys such as A and B`, `Ys, including A and B`, `A and other Ys`, `Unlike Y, X …`.
    """
    if tokens.lows[i] == "and":
        return _others(tokens, i)
    if tokens.lows[i] == "unlike":
        return _unlike(tokens)
    end = i - 1 if i and tokens.lows[i - 1] == "," else i
    begin = phrase_before(tokens, end)
    aside = end < i and begin > 0 and tokens.lows[begin - 1] in words.PREPOSITIONS
    kind = named(tokens, begin, end, subject=False, plural=True)
    start = i + (2 if tokens.lows[i] == "such" else 1)
    items, after = objects_after(tokens, start, listed=True, subject=True)
    if kind is None or aside or not _several(tokens, end - 1):
        return [], i + 1
    found = [
        fact
        for item in items
        for fact in fitting(item, RelationKind.IS_A, kind, EXAMPLE, "such as")
    ]
    return found, max(after, i + 1)


def _others(tokens: Tokens, i: int) -> tuple[list[Stated], int]:
    end = phrase_after(tokens, i + 2)
    kind = named(tokens, i + 2, end, subject=False)
    begin = phrase_before(tokens, i)
    one = named(tokens, begin, i, subject=False) if "of" not in tokens.lows[begin:i] else None
    if kind is None or one is None or not _several(tokens, end - 1):
        return [], i + 1
    return list(fitting(one, RelationKind.IS_A, kind, EXAMPLE, "and other")), end


def _unlike(tokens: Tokens) -> tuple[list[Stated], int]:
    end = phrase_after(tokens, 1)
    if tokens.lows[end : end + 1] != [","]:
        return [], 1
    other = named(tokens, 1, end, subject=False)
    one = named(tokens, end + 1, phrase_after(tokens, end + 1), subject=True)
    if one is None or other is None:
        return [], end
    return list(fitting(one, RelationKind.CONTRASTS, other, _UNLIKE, "unlike")), end


def _several(tokens: Tokens, i: int) -> bool:
    """Tell whether a word is a plural noun."""
    word = tokens.words[i]
    return (word.islower() or i == 0) and singular(word) != word
