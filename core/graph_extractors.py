"""Which extractors read the texts of the knowledge graph: the composition of the adapters."""

from core.extractors.by_llm import ModelExtractor
from core.extractors.with_spacy import SpacyExtractor, installed_model
from core.graph.combined import CombinedExtractor
from core.graph.rules import RuleExtractor
from core.ports.extractor import Extractor
from core.ports.llm import LLM


def page_extractor() -> Extractor:
    """Return what reads documents: rules, and spaCy beside them where its model is installed."""
    rules = RuleExtractor()
    model = installed_model("en")
    return rules if model is None else CombinedExtractor([rules, SpacyExtractor(model)])


def memory_extractor(llm: LLM | None) -> Extractor:
    """Return what reads notes: that of documents, and the language model if any."""
    pages = page_extractor()
    return pages if llm is None else CombinedExtractor([pages, ModelExtractor(llm)])
