"""Which index was searched, and waiting until the finer one is there."""

from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer
from core.wiring import Services


def wait_refined(services: Services, assistant: PDFLearningAssistant) -> None:
    """Return when everything that refines the learner's index is done."""


def tiers_told(answer: Answer) -> list[str]:
    """Return the names of the indexes that were wholly there for what was asked."""
    if answer.trace is None:
        return []
    return [tier.name for tier in answer.trace.tiers if tier.documents == tier.asked]
