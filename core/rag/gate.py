"""Whether documents answer a question at all, before anything is quoted."""

from core.domain.answer import RefusalReason
from core.domain.document import BlockKind
from core.rag.answerability import (
    GateWeights,
    answerability,
    asked_in,
    evidence_of,
    first_of_each,
    from_unrelated,
    is_short_and_covered,
    weights_for,
)
from core.rag.answerability_whole import asks_about_whole
from core.rag.answering import Material
from core.rag.retrieval import Found
from core.rag.selection import Chosen
from core.text.terms import terms

_ANSWERED = 0.5
_FIRST = 5
"""The situations among so many of the best passages are judged, each by itself: one passes."""
_COVERED = 0.5
"""A passage with so much of a question is related to it, whatever its vectors say."""
_FAR = -0.1
"""A sentence without a word of the question may be so far below the cosine of unrelated texts:
the passage it is in has passed, and a short sentence's cosine is low."""


class Gate:
    """Refuses what the documents do not answer.

    `unrelated` is the cosine above which two texts of the instant tier's embedder have to do with
    each other (`core.scoring.unrelated_limit`).
    """

    def __init__(self, unrelated: float, weights: GateWeights | None = None) -> None:
        self._unrelated = unrelated
        self._weights = weights or GateWeights()

    def refusal(self, material: Material) -> RefusalReason | None:
        """Return why the question is not answered, None when it may be.

        What asks about a document as a whole is never refused while there is one: no passage has
        the words of "What are the main points?".
        """
        found = material.retrieval.found
        if not found or not material.chosen:
            return RefusalReason.NOTHING_FOUND
        if material.is_given or asks_about_whole(material.question):
            return None
        firsts = first_of_each(found[:_FIRST])
        answers = [self._judged(material, first) for first in firsts]
        if any(is_answered for is_answered, _ in answers):
            return None
        is_related = any(is_related for _, is_related in answers)
        return RefusalReason.NOT_ANSWERED if is_related else RefusalReason.NOTHING_FOUND

    def _judged(self, material: Material, first: Found) -> tuple[bool, bool]:
        """Tell whether passages in the situation of `first` answer, and are about the subject."""
        concepts = asked_in(material.retrieval, first)
        evidence = evidence_of(
            material.retrieval,
            material.chosen,
            first,
            language=material.language,
            unrelated=self._unrelated,
        )
        if evidence is None:  # without vectors
            is_answered = first.scores.get("coverage", 0.0) >= _COVERED
            return is_answered, is_answered
        if not terms(material.question):  # "Why?"
            is_answered = any(self.is_near(c) for c in material.chosen)
            return is_answered, is_answered
        weights = weights_for(first, material.language, self._weights)
        return (
            answerability(evidence, weights) >= _ANSWERED
            or is_short_and_covered(material.question, concepts, evidence.coverage),
            evidence.cosine >= 0 or evidence.coverage >= _COVERED,
        )

    def is_near(self, chosen: Chosen) -> bool:
        """Tell whether a sentence may answer; a heading without a word of the question cannot."""
        if chosen.coverage > 0:
            return True
        is_heading = chosen.sentence.kind is BlockKind.HEADING
        return not is_heading and from_unrelated(chosen.cosine, self._unrelated) >= _FAR

    def near(self, material: Material) -> list[tuple[int, Chosen]]:
        """Return the sentences that may be quoted, with their positions, best first.

        With the refining tier the ranker knows which are; without it, those that are near. Where
        none is near although the question passes ("Summarise this"), all are.
        """
        every = list(enumerate(material.chosen))
        return [(i, c) for i, c in every if _is_ranked_finely(c) or self.is_near(c)] or every


def _is_ranked_finely(chosen: Chosen) -> bool:
    return chosen.refined is not None and chosen.sentence.kind is not BlockKind.HEADING
