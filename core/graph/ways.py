"""The way between two things a question names, in sentences of documents."""

from core.domain.graph import Evidence, SourceKind
from core.domain.graph_views import GraphPassage, Step
from core.graph.knowledge import KnowledgeGraph


def way_asked_for(graph: KnowledgeGraph, question: str, namespace: str) -> list[GraphPassage]:
    """Return a sentence of a document for each step of the way that a question asks for, in order.

    `[]` for another question, and where a step stands in no document. Raises `StoreError`.
    """
    connection = graph.connection_asked(question, namespace=namespace)
    if connection is None:
        return []
    way: list[GraphPassage] = []
    for step in connection.steps:
        said = _in_a_document(step)
        if said is None or said.page is None:
            return []
        passage = GraphPassage(
            document_id=said.source_id,
            page=said.page,
            sentence=said.sentence,
            score=said.confidence,
        )
        if passage.sentence not in [one.sentence for one in way]:
            way.append(passage)
    return way


def _in_a_document(step: Step) -> Evidence | None:
    of_documents = [e for e in step.relation.evidence if e.source_kind is SourceKind.DOCUMENT]
    return max(of_documents, key=lambda e: e.confidence, default=None)
