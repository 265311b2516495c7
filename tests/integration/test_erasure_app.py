"""Erasure in the whole application: real documents, answers, notes, reports, the graph."""

from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant

SAMPLES = Path(__file__).parents[2] / "sample_docs"
NOTE = "mitochondria of {} produce energy for the whole cell"


def learn(assistant: PDFLearningAssistant, sample: str) -> None:
    assert assistant.load_document(SAMPLES / sample).success
    assert assistant.ask("What does the document say about memory?").text
    assistant.add_note(f"The {NOTE.format(assistant.user_id)} every day.", "biology")
    assert "energy" in assistant.ask("What did I note about mitochondria?").text
    assistant.generate_report()


def on_disk(folder: Path, text: str) -> bool:
    wanted = text.encode()
    return any(wanted in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def bob(services):
    return PDFLearningAssistant("bob", services=services)


def test_a_person_a_memory_and_a_document_are_erased_with_proof(services, ada, bob, data_dir):
    english, other, *_ = sorted(path.name for path in SAMPLES.glob("*.pdf"))
    learn(ada, english)
    learn(bob, other)
    services.memory_parts.afterwards.wait()
    erasing = services.erasing
    assert on_disk(data_dir, NOTE.format("ada"))

    proof = erasing.person(namespace=ada.namespace)
    assert proof.complete, proof
    for place in ("records", "pages", "full_text", "vectors", "questions", "files", "activity"):
        assert proof.before[place] > 0, place
    assert proof.searched > 20
    assert not on_disk(data_dir, NOTE.format("ada"))
    assert ada.documents() == ada.notes() == ada.questions() == []
    assert ada.totals().questions_asked == 0
    assert on_disk(data_dir, NOTE.format("bob"))
    assert len(bob.documents()) == 1

    (document,) = bob.documents()
    gone = erasing.document(document.id, namespace=bob.namespace)
    assert gone.complete, gone
    assert gone.searched > 10
    assert bob.documents() == []
    assert [note.content for note in bob.notes()] == [f"The {NOTE.format('bob')} every day."]
    assert len(bob.questions()) == 2

    (note,) = bob.notes()
    erased = erasing.memory(note.id, namespace=bob.namespace)
    assert erased.complete, erased
    assert erased.before["questions"] == 1
    assert not on_disk(data_dir, NOTE.format("bob"))

    ada.add_note("A new beginning after everything was erased.")
    assert [hit.memory.event for hit in ada.recall("new beginning")] == ["note"]
