"""Whether documents answer a question at all, before anything is quoted."""

from core.domain.answer import RefusalReason
from core.domain.document import BlockKind
from core.rag.answerability import (
    GateWeights,
    answerability,
    evidence_of,
    from_unrelated,
    weights_for,
)
from core.rag.answerability_whole import asks_about_whole
from core.rag.answering import Material
from core.rag.selection import Chosen

_ANSWERED = 0.5
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
        if asks_about_whole(material.question):
            return None
        first = found[0]
        evidence = evidence_of(material.retrieval, material.chosen, unrelated=self._unrelated)
        if evidence is None:
            is_answered = is_related = first.scores.get("coverage", 0.0) >= _COVERED
        elif not any(material.retrieval.weighted.values()):
            is_answered = is_related = any(self.is_near(c) for c in material.chosen)
        else:
            weights = weights_for(first, material.language, self._weights)
            is_answered = answerability(evidence, weights) >= _ANSWERED
            is_related = evidence.cosine >= 0 or evidence.coverage >= _COVERED
        if is_answered:
            return None
        return RefusalReason.NOT_ANSWERED if is_related else RefusalReason.NOTHING_FOUND

    def is_near(self, chosen: Chosen) -> bool:
        """Tell whether a sentence may answer; a heading without a word of the question cannot."""
        if chosen.coverage > 0:
            return True
        is_heading = chosen.sentence.kind is BlockKind.HEADING
        return not is_heading and from_unrelated(chosen.cosine, self._unrelated) >= _FAR

    def near(self, material: Material) -> list[tuple[int, Chosen]]:
        """Return the sentences that may be quoted, with their positions, best first.

        Where none is near although the question passes ("Summarise this"), all are.
        """
        every = list(enumerate(material.chosen))
        return [(i, c) for i, c in every if self.is_near(c)] or every
