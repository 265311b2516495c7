"""Whether documents answer a question at all, before anything is quoted."""

from core.domain.answer import RefusalReason
from core.domain.document import BlockKind
from core.rag.answering import Material
from core.rag.selection import Chosen


class Gate:
    """Refuses what the documents do not answer.

    `unrelated` is the cosine above which two texts of the instant tier's embedder have to do with
    each other (`core.scoring.unrelated_limit`).
    """

    def __init__(self, unrelated: float) -> None:
        self._unrelated = unrelated

    def refusal(self, material: Material) -> RefusalReason | None:
        """Return why the question is not answered, None when it may be."""
        if not any(self.is_near(chosen) for chosen in material.chosen):
            return RefusalReason.NOTHING_FOUND
        return None

    def is_near(self, chosen: Chosen) -> bool:
        """Tell whether a sentence may answer; a heading without a word of the question cannot."""
        if chosen.coverage > 0:
            return True
        return chosen.cosine >= self._unrelated and chosen.sentence.kind is not BlockKind.HEADING
