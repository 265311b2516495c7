"""What the rules read, in short."""

from core.graph.rules import RuleExtractor
from core.ports.extractor import Extracted


def extracted(text: str, language: str = "en") -> Extracted:
    return RuleExtractor().extract(text, language=language)


def facts(text: str, language: str = "en") -> list[str]:
    """Return facts as `subject kind object`."""
    return [
        f"{fact.subject.name} {fact.kind.value} {fact.object.name}"
        for fact in extracted(text, language).facts
    ]
