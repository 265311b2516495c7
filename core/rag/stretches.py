"""Text without headings, held back until its topics show."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from core.domain.document import BlockKind
from core.ports.embedder import Vectors
from core.rag.boundaries import CutSizes, cut_positions
from core.rag.windows import grouped, window_text
from core.text.sentences import Sentence
from core.text.tokens import count_tokens

Embed = Callable[[Sequence[str]], Vectors]
"""Texts to L2-normalised vectors, as `Embedder.embed_documents`."""

STRETCH_TOKENS = 1200
"""A stretch without a heading is cut by its topics when it is longer; so much waits at most."""
_UNSURE_PARTS = 2
"""So many of the last parts wait for what follows them."""
_KEPT_VECTORS = 4096
"""More than the windows on their way to the index; vectors that nobody takes must not pile up."""


class Stretch:
    """The sentences since the last heading or table that are not in a passage yet."""

    def __init__(self, embed: Embed, sizes: CutSizes) -> None:
        self._embed = embed
        self._sizes = sizes
        self.sentences: list[Sentence] = []
        self._tokens = 0
        self._waiting: dict[str, Vectors] = {}
        self._done: dict[str, Vectors] = {}
        self.was_long = False
        """Whether parts of this stretch have been cut already."""

    @property
    def is_long(self) -> bool:
        """Whether there is enough to cut."""
        return self._tokens > STRETCH_TOKENS

    def add(self, sentence: Sentence) -> None:
        """Hold a sentence."""
        self.sentences.append(sentence)
        self._tokens += count_tokens(sentence.text)

    def begin_with(self, sentences: Sequence[Sentence]) -> None:
        """Put what stands before the stretch (its heading) into its first part."""
        self.sentences[:0] = sentences
        self._tokens += sum(count_tokens(s.text) for s in sentences)

    def taken(self) -> list[Sentence]:
        """End the stretch; return what is left of it."""
        left, self.sentences = self.sentences, []
        self._tokens, self.was_long = 0, False
        self._waiting = {}
        return left

    def take_vector(self, text: str) -> Vectors | None:
        """Return the vector of a window that was cut off, once."""
        return self._done.pop(text, None)

    def cut(self, *, final: bool) -> list[list[Sentence]]:
        """Return parts of the stretch: all of them, or those that what follows cannot change."""
        self.was_long = True
        groups = grouped(self.sentences)
        if not final:
            groups.pop()  # it may still grow
        parts = self._parts(groups)
        if not final:
            parts = parts[:-_UNSURE_PARTS] or parts[: len(parts) - 1]
        left = self.sentences[sum(len(group) for part in parts for group in part) :]
        self._release(parts)
        if final:
            self.taken()
        else:
            self.sentences = left
            self._tokens = sum(count_tokens(s.text) for s in left)
        return [[s for group in part for s in group] for part in parts]

    def _parts(self, groups: Sequence[list[Sentence]]) -> list[Sequence[list[Sentence]]]:
        if not groups:
            return []
        texts = [window_text(group) for group in groups]
        new = [t for t in dict.fromkeys(texts) if t not in self._waiting]
        if new:
            self._waiting |= dict(zip(new, self._embed(new), strict=True))
        vectors = np.stack([self._waiting[text] for text in texts])
        tokens = [sum(count_tokens(s.text) for s in group) for group in groups]
        cuts = cut_positions(vectors, tokens, sizes=self._sizes)
        if cuts and all(s.kind is BlockKind.HEADING for g in groups[: cuts[0]] for s in g):
            del cuts[0]
        return [groups[a:b] for a, b in pairwise([0, *cuts, len(groups)])]

    def _release(self, parts: Sequence[Sequence[list[Sentence]]]) -> None:
        for text in (window_text(group) for part in parts for group in part):
            vector = self._waiting.pop(text, None)
            if vector is not None:
                self._done[text] = vector
        while len(self._done) > _KEPT_VECTORS:
            self._done.pop(next(iter(list(self._done))), None)
