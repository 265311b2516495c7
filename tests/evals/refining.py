"""Which index was searched, and waiting until the finer one is there."""

from core.assistant import PDFLearningAssistant
from core.domain.answer import Answer
from core.services import Services

PATIENCE = 7200.0  # seconds; the finer embedder reads some two pages a second


def wait_refined(services: Services, assistant: PDFLearningAssistant) -> str:
    """Return when nothing of the learner's index is being refined, saying what there is.

    Ends the program when that takes hours.
    """
    if not services.wait_refined(namespace=assistant.namespace, timeout=PATIENCE):
        raise SystemExit(f"refining took more than {PATIENCE:.0f} s")
    documents = assistant.documents()
    done, of = sum(d.refined for d in documents), sum(d.chunks for d in documents)
    return f"{done} of {of} passages refined ({services.status.refining})"


def tiers_told(answer: Answer) -> list[str]:
    """Return the names of the indexes that were wholly there for what was asked."""
    if answer.trace is None:
        return []
    return [tier.name for tier in answer.trace.tiers if tier.documents == tier.asked]
