"""What a question asks about, as the word index sees it: concepts and their wordings."""

from collections.abc import Iterable, Set
from dataclasses import dataclass

from core.text.terms import term_hash, terms

Wording = tuple[int, ...]
"""Hashes of index terms that must all be there."""


def hashes(text: str) -> frozenset[int]:
    """Return the hashes of a text's index terms."""
    return frozenset(term_hash(term) for term in terms(text))


@dataclass(frozen=True, slots=True)
class Concept:
    """Something that is asked about; a text has it that has all of one of its `wordings`."""

    name: str
    wordings: tuple[Wording, ...]

    def is_in(self, found: Set[int]) -> bool:
        """Tell whether a text with these term hashes has it."""
        return any(all(term in found for term in wording) for wording in self.wordings)


@dataclass(frozen=True, slots=True)
class Weighted:
    """A concept and how much it tells: its IDF in the documents asked."""

    concept: Concept
    weight: float


def concepts_of(index_terms: Iterable[str]) -> tuple[Concept, ...]:
    """Return one concept a term, repeats left out."""
    return tuple(Concept(term, ((term_hash(term),),)) for term in dict.fromkeys(index_terms))


def coverage(found: Set[int], weighted: Iterable[Weighted]) -> float:
    """Return the share of the concepts a text has, by weight, in [0, 1]."""
    total = have = 0.0
    for item in weighted:
        total += item.weight
        have += item.weight if item.concept.is_in(found) else 0.0
    return have / total if total else 0.0
