"""Erasure in the whole application: real documents, answers, notes, reports, the graph."""

from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.errors import NotFoundError

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


def test_a_deleted_note_leaves_no_former_version_and_no_report(ada, data_dir):
    note = ada.add_note("The llama-unmistakable password is tea.")
    ada.memory.edit(note.id, content="The otter-unmistakable password is milk.")
    short = ada.add_note("PIN 1234")
    report = Path(ada.generate_report()["report_file"])
    ada.delete_note(note.id)
    assert not on_disk(data_dir, "llama-unmistakable")
    assert not on_disk(data_dir, "otter-unmistakable")
    assert not report.exists()
    assert ada.memory.changes() == []
    report = Path(ada.generate_report()["report_file"])
    ada.delete_note(short.id)
    assert not report.exists()


def test_an_archived_note_can_be_deleted(services, ada, data_dir):
    note = ada.add_note("The heron-unmistakable word is fish.")
    parts = services.memory_parts
    parts.archive.put([note], namespace=ada.namespace)
    ada.delete_note(note.id)
    assert ada.memory.list(archived=True) == []
    with pytest.raises(NotFoundError):
        ada.delete_note(note.id)


def test_a_deleted_document_leaves_no_report_that_cites_it(ada):
    english, other, *_ = sorted(path.name for path in SAMPLES.glob("*.pdf"))
    first = ada.load_document(SAMPLES / english)
    second = ada.load_document(SAMPLES / other)
    answer = ada.ask("What does the document say about memory?", documents=[first.document_id])
    assert answer.citations
    report = Path(ada.generate_report()["report_file"])
    ada.delete_document(second.document_id)
    assert report.exists()
    ada.delete_document(first.document_id)
    assert not report.exists()


def test_what_was_absorbed_leaves_the_log_with_its_twin(ada, data_dir):
    text = "The walrus-unmistakable code is blue."
    kept = ada.memory.add_memory(text, "episodic", 0.9)
    ada.memory.add_memory(text, "working", 0.9)
    assert ada.memory.consolidate_memories()
    proof = ada.memory.delete_for_good(kept)
    assert proof.complete, proof
    assert proof.searched == 1
    assert ada.memory.changes() == []
    assert not on_disk(data_dir, "walrus-unmistakable")


def test_another_memory_with_the_same_text_keeps_its_own_log(ada):
    text = "The walrus-unmistakable code is blue."
    kept = ada.memory.add_memory(text, "episodic")
    other = ada.memory.add_memory(text, "semantic")
    ada.memory.edit(other, importance=0.9)
    ada.memory.delete_for_good(kept)
    assert len(ada.memory.changes()) == 1
    assert ada.memory.get(other).content == text


def test_clearing_leaves_nothing_in_the_archive_the_log_and_the_reports(services, ada, data_dir):
    ada.memory.add_memory("The ibis-unmistakable fact", "semantic")
    edited = ada.memory.add_memory("The crane-unmistakable fact", "semantic")
    ada.memory.edit(edited, content="The stork-unmistakable fact")
    deleted = ada.memory.add_memory("The eagle-unmistakable fact", "episodic")
    ada.memory.delete([deleted])
    archived = ada.memory.add_memory("The raven-unmistakable fact", "episodic")
    parts = services.memory_parts
    parts.archive.put([ada.memory.get(archived)], namespace=ada.namespace)
    ada.add_note("The robin-unmistakable note")
    report = Path(ada.generate_report()["report_file"])
    assert ada.memory.clear_all_memories() == 4
    for bird in ("ibis", "crane", "stork", "eagle", "raven", "robin"):
        assert not on_disk(data_dir, f"{bird}-unmistakable"), bird
    assert not report.exists()
    assert ada.memory.list() == ada.memory.list(archived=True) == ada.memory.changes() == []
