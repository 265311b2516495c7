"""Which sentence of a cited passage proves what the model said."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from core.domain.document import BlockKind
from core.ports.embedder import Embedder
from core.rag.retrieval import Found, PageLookup
from core.rag.selection import sentences_of
from core.text.letters import letters
from core.text.sentences import Sentence
from core.text.terms import terms

MIN_SUPPORT = 0.3
"""Below this likeness no sentence of the passage says what the model claims."""
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


def by_claim(claim: str, found: Found, pages: PageLookup, embedder: Embedder) -> Support | None:
    """Return the sentence nearest to the claim, or None when none is near enough."""
    sentences = [s for s in sentences_of(found, pages) if s.kind is not BlockKind.HEADING]
    if not sentences or not claim.strip():
        return None
    likeness = _likeness(claim, [s.text for s in sentences], embedder)
    at = max(range(len(sentences)), key=lambda i: likeness[i])
    return Support(sentences[at], likeness[at]) if likeness[at] >= MIN_SUPPORT else None


def _likeness(claim: str, sentences: Sequence[str], embedder: Embedder) -> list[float]:
    """Return the better of shared words and cosine, so that another language still counts."""
    vectors = embedder.embed_documents([claim, *sentences])
    wanted = set(terms(claim))
    out = []
    for i, sentence in enumerate(sentences, start=1):
        own = set(terms(sentence))
        shared = len(wanted & own) / len(wanted) if wanted else 0.0
        cosine = float(vectors[0] @ vectors[i])
        out.append(min(1.0, max(0.0, 0.5 * shared + 0.5 * cosine, 0.9 * cosine)))
    return out
