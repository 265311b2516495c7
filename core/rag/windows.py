"""What is embedded: windows of sentences. Their text is that of the sentences, nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.text.sentences import Sentence
from core.text.tokens import count_tokens

_MERGE_BELOW = 8
"""Sentences (labels, cells, short rows) below so many tokens share a window with the next ones."""
_WINDOW_TOKENS = 32
"""Such a shared window holds at most so many tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """What one vector stands for: some consecutive sentences of a passage."""

    text: str
    page: int
    start: int


def grouped(sentences: Sequence[Sentence]) -> list[list[Sentence]]:
    """Return the sentences of each window: each alone, short neighbours of one kind together.

    Beginning at a later window gives the same windows from there on.
    """
    groups: list[list[Sentence]] = []
    size = 0
    for sentence in sentences:
        tokens = count_tokens(sentence.text)
        last = groups[-1][-1] if groups else None
        if (
            last is not None
            and last.kind is sentence.kind
            and min(tokens, count_tokens(last.text)) < _MERGE_BELOW
            and size + tokens <= _WINDOW_TOKENS
        ):
            groups[-1].append(sentence)
            size += tokens
        else:
            groups.append([sentence])
            size = tokens
    return groups


def window_text(group: Sequence[Sentence]) -> str:
    """Return the text that is embedded for the sentences of a window."""
    return "\n".join(s.text for s in group)


def windows(sentences: Sequence[Sentence]) -> list[Window]:
    """Return the windows to embed (see `grouped`)."""
    return [
        Window(text=window_text(group), page=group[0].page, start=group[0].ranges[0].start)
        for group in grouped(sentences)
    ]
