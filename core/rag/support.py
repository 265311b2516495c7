"""Which sentence of a cited passage proves what the model said."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.domain.document import BlockKind
from core.ports.embedder import Embedder, Vectors
from core.rag.retrieval import Found, PageLookup
from core.rag.selection import sentences_of
from core.text.letters import letters
from core.text.sentences import Sentence
from core.text.terms import terms

MIN_SUPPORT = 0.3
"""Below this likeness no sentence of the passage says what the model claims."""
MIN_ELSEWHERE = 0.5
"""So near must a sentence of a passage be that the model did not name."""
MIN_UNMARKED = 0.6
"""So near must a sentence be to a claim for which the model named nothing."""
NAMED_BONUS = 0.1
"""A sentence of the passage named is taken unless another is nearer by so much."""
MIN_QUOTED = 0.6
"""So much of the words a model quotes must stand in one piece in the passage."""


@dataclass(frozen=True, slots=True)
class Support:
    """The sentence and how near it is to the claim, in [0, 1]."""

    sentence: Sentence
    likeness: float


def by_words(words: str, found: Found, pages: PageLookup) -> Support | None:
    """Return the sentence that has the quoted words, as far as they can be found at all."""
    wanted = letters(words)
    best: Support | None = None
    for sentence in sentences_of(found, pages):
        key = letters(sentence.text)
        if not wanted or not key:
            continue
        matcher = SequenceMatcher(None, wanted, key, autojunk=False)
        share = matcher.find_longest_match().size / min(len(wanted), len(key))
        if share >= MIN_QUOTED and (best is None or share > best.likeness):
            best = Support(sentence, share)
    return best


class ClaimFinder:
    """Finds, among the passages a model was shown, the sentence that says what it claims.

    Small models get the sentence right and the number wrong, or forget the number.
    """

    def __init__(self, found: Sequence[Found], pages: PageLookup, embedder: Embedder) -> None:
        self._embedder = embedder
        self._sentences = [
            (i, passage, sentence)
            for i, passage in enumerate(found)
            for sentence in sentences_of(passage, pages)
            if sentence.kind is not BlockKind.HEADING
        ]
        self._vectors: Vectors | None = None

    def marked(self, claim: str, named: int | None) -> tuple[Found, Support] | None:
        """Return the nearest sentence, one of the passage `named` unless another is nearer by far.

        `named` is the passage's position, None when the model named none that it was shown.
        """
        return self._best(claim, named, MIN_ELSEWHERE)

    def unmarked(self, claim: str) -> tuple[Found, Support] | None:
        """Return the sentence that plainly says what a claim without any mark does."""
        return self._best(claim, None, MIN_UNMARKED)

    def _best(self, claim: str, named: int | None, least: float) -> tuple[Found, Support] | None:
        if not claim.strip() or not self._sentences:
            return None
        best: tuple[float, Found, Support] | None = None
        likeness = self._likeness(claim)
        for (i, passage, sentence), own in zip(self._sentences, likeness, strict=True):
            if own < (MIN_SUPPORT if i == named else least):
                continue
            rank = own + (NAMED_BONUS if i == named else 0.0)
            if best is None or rank > best[0]:
                best = (rank, passage, Support(sentence, own))
        return None if best is None else best[1:]

    def _likeness(self, claim: str) -> list[float]:
        """Return the better of shared words and cosine, so that another language still counts."""
        if self._vectors is None:
            texts = [sentence.text for _, _, sentence in self._sentences]
            self._vectors = self._embedder.embed_documents(texts)
        cosines = self._vectors @ self._embedder.embed_documents([claim])[0]
        wanted = set(terms(claim))
        out = []
        for (_, _, sentence), cosine in zip(self._sentences, cosines.tolist(), strict=True):
            own = set(terms(sentence.text))
            shared = len(wanted & own) / len(wanted) if wanted else 0.0
            out.append(min(1.0, max(0.0, 0.5 * shared + 0.5 * cosine, 0.9 * cosine)))
        return out
