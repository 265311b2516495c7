"""The graph of a learner: from notes and documents, on real stores, and gone with them."""

from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.graph import SourceKind
from core.domain.job import JobKind
from core.domain.memory import MemoryState
from core.errors import NotFoundError

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "how-language-models-read.pdf"


@pytest.fixture
def ada(services):
    return PDFLearningAssistant("ada", services=services)


def settled(services, namespace):
    assert services.memory_parts.afterwards.wait(60)
    assert services.jobs.wait_for_kind(JobKind.GRAPH, namespace=namespace, timeout=120)


def test_notes_are_connected_with_their_sentences(ada, services):
    ada.add_note("Gradient descent uses the learning rate.")
    ada.add_note("The learning rate is a hyperparameter.")
    ada.add_note("注意力机制是Transformer的一部分。")
    settled(services, ada.namespace)
    found = ada.memory.connected("gradient descent", "hyperparameter")
    assert [step.evidence.sentence for step in found.steps] == [
        "Gradient descent uses the learning rate.",
        "The learning rate is a hyperparameter.",
    ]
    assert {s.evidence.source_kind for s in found.steps} == {SourceKind.MEMORY}
    assert ada.memory.connected("注意力机制", "Transformer").steps
    assert len(ada.memory.graph_picture().nodes) >= 4


def test_what_is_deleted_changed_or_marked_leaves_the_graph(ada, services):
    uses = ada.add_note("Gradient descent uses the learning rate.")
    settled(services, ada.namespace)
    assert ada.memory.connected("gradient descent", "learning rate").steps
    ada.memory.mark(uses.id, MemoryState.WRONG)
    with pytest.raises(NotFoundError):
        ada.memory.connected("gradient descent", "learning rate")
    ada.memory.mark(uses.id, MemoryState.CURRENT)
    settled(services, ada.namespace)
    assert ada.memory.connected("gradient descent", "learning rate").steps
    change = ada.memory.delete([uses.id])
    with pytest.raises(NotFoundError):
        ada.memory.connected("gradient descent", "learning rate")
    ada.memory.undo(change.id)
    settled(services, ada.namespace)
    assert ada.memory.connected("gradient descent", "learning rate").steps
    ada.memory.edit(uses.id, content="Newton's method uses the second derivative.")
    settled(services, ada.namespace)
    assert ada.memory.connected("Newton's method", "second derivative").steps
    with pytest.raises(NotFoundError):
        ada.memory.connected("gradient descent", "learning rate")


def test_documents_are_read_with_pages_and_gone_with_the_document(ada, services):
    bob = PDFLearningAssistant("bob", services=services)
    result = ada.load_document(SAMPLE)
    settled(services, ada.namespace)
    graph = services.memory_parts.graph_store
    assert graph.sources(SourceKind.DOCUMENT, namespace=ada.namespace) == [result.document_id]
    relations = graph.relations(namespace=ada.namespace)
    assert relations
    for relation in relations:
        for said in relation.evidence:
            text = ada.page(result.document_id, said.page).text
            assert "".join(said.sentence.split()) in "".join(text.split())
    assert graph.count(namespace=bob.namespace).entities == 0
    ada.delete_document(result.document_id)
    assert graph.count(namespace=ada.namespace).entities == 0


def test_a_crash_before_learning_is_made_up_for(ada, services):
    services.memory_parts.afterwards.later(lambda: None)
    note = ada.add_note("Gradient descent uses the learning rate.")
    settled(services, ada.namespace)
    graph = services.memory_parts.graph_store
    graph.remove_source(SourceKind.MEMORY, note.id, namespace=ada.namespace)
    ada.memory.graph_quality()
    settled(services, ada.namespace)
    assert ada.memory.connected("gradient descent", "learning rate").steps
