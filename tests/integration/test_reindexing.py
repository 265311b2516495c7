"""Another embedder: documents are indexed anew while the old index serves."""

import threading
import time
from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.job import JobKind
from core.settings import load_settings
from core.wiring import build_services
from tests.fakes import WordEmbedder

DATA = Path(__file__).parents[1] / "data"
MILL = DATA / "two_columns_en.pdf"
QUESTION = "What does the mill do?"
SECONDS = 60


class SlowEmbedder(WordEmbedder):
    """Embeds in background jobs only when it may."""

    name = "words-slow"

    def __init__(self):
        super().__init__()
        self.open = False

    def embed_documents(self, texts):
        deadline = time.monotonic() + SECONDS
        in_job = threading.current_thread().name.startswith("job-")
        while in_job and not self.open:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return super().embed_documents(texts)


def services_with(data_dir, embedder=None):
    settings = load_settings(env_file=None, data_dir=data_dir, ocr_enabled=False)
    return build_services(settings, embedder=embedder)


def until(true):
    deadline = time.monotonic() + SECONDS
    while not (value := true()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
    return value


@pytest.fixture
def loaded(data_dir):
    """A data folder with two documents of the built-in embedder."""
    services = services_with(data_dir)
    ada = PDFLearningAssistant("ada", services=services)
    ada.load_document(MILL)
    ada.load_document(DATA / "table.pdf")
    services.close()
    return data_dir


def windows(services, document_id, namespace="pdf_ada"):
    where = {"document_id": document_id}
    return services.engine.index.count(namespace=namespace, where=where)


def test_the_old_index_serves_until_the_new_one_is_complete(loaded):
    slow = SlowEmbedder()
    services = services_with(loaded, slow)
    ada = PDFLearningAssistant("ada", services=services)
    documents = ada.documents()
    jobs = until(lambda: [j for j in ada.jobs() if j.stage == "indexing"])
    assert {j.kind for j in jobs} == {JobKind.REINDEX}
    answer = ada.ask(QUESTION)
    assert answer.citations
    assert answer.notice is None
    assert {d.embedder for d in ada.documents()} == {"use-multilingual-v3/0.2.1"}
    slow.open = True
    until(lambda: not ada.jobs())
    assert {d.embedder for d in ada.documents()} == {slow.name}
    assert ada.ask(QUESTION).citations
    new = {d.id: windows(services, d.id) for d in documents}
    services.close()

    builtin = services_with(loaded)
    back = PDFLearningAssistant("ada", services=builtin)
    until(lambda: back.documents() and not back.jobs())
    assert {d.id: windows(builtin, d.id) for d in documents} == new
    assert back.ask(QUESTION).citations
    builtin.close()


def test_a_new_index_goes_on_after_a_restart_and_can_be_stopped(loaded):
    slow = SlowEmbedder()
    services = services_with(loaded, slow)
    ada = PDFLearningAssistant("ada", services=services)
    until(lambda: [j for j in ada.jobs() if j.stage == "indexing"])
    slow.open = True
    services.close()
    assert ada.documents()  # opens again
    until(lambda: not ada.jobs())
    assert {d.embedder for d in ada.documents()} == {slow.name}
    services.close()


def test_without_the_former_embedder_words_are_searched_and_it_is_told(data_dir):
    first = services_with(data_dir, WordEmbedder())
    PDFLearningAssistant("ada", services=first).load_document(MILL)
    first.close()
    slow = SlowEmbedder()
    services = services_with(data_dir, slow)
    ada = PDFLearningAssistant("ada", services=services)
    answer = ada.ask(QUESTION)
    assert answer.notice == "by_words_only"
    assert answer.citations
    slow.open = True
    until(lambda: not ada.jobs())
    assert ada.ask(QUESTION).notice is None
    services.close()


def test_deleting_while_it_is_indexed_anew_takes_both_indexes(loaded):
    slow = SlowEmbedder()
    services = services_with(loaded, slow)
    ada = PDFLearningAssistant("ada", services=services)
    document = ada.documents()[0]
    until(lambda: [j for j in ada.jobs() if j.stage == "indexing"])
    slow.open = True
    ada.delete_document(document.id)
    assert windows(services, document.id) == 0
    until(lambda: not ada.jobs())
    services.close()
    builtin = services_with(loaded)
    PDFLearningAssistant("ada", services=builtin).documents()
    assert windows(builtin, document.id) == 0
    builtin.close()


def test_memories_are_found_by_meaning_after_the_embedder_was_changed(data_dir):
    first = services_with(data_dir)
    ada = PDFLearningAssistant("ada", services=first)
    ada.add_note("Windmills need a steady breeze.")
    ada.add_note("Bread is baked at dawn.")
    first.close()
    same = WordEmbedder(("mill", "windmills"))
    services = services_with(data_dir, same)
    back = PDFLearningAssistant("ada", services=services)
    hits = back.recall("mill")
    assert [hit.memory.content for hit in hits] == ["Windmills need a steady breeze."]
    back.recall("bread")
    assert same.seen.count("Bread is baked at dawn.") == 1
    services.close()


def test_learners_who_take_turns_all_get_their_new_index(tmp_path):
    """A turn ends after each part of a document: the next one must not begin at the first part."""
    lines = [f"The {n}th mill grinds {n} sacks of corn for village number {n}." for n in range(200)]
    long = tmp_path / "long.md"
    long.write_text("\n\n".join(f"# Part {n}\n\n{line}" for n, line in enumerate(lines)))
    services = services_with(tmp_path / "data", WordEmbedder())
    for name in ("ada", "bob"):
        PDFLearningAssistant(name, services=services).load_document(long)
    services.close()
    renewed = WordEmbedder()
    renewed.name = "words-2"
    services = services_with(tmp_path / "data", renewed)
    learners = [PDFLearningAssistant(name, services=services) for name in ("ada", "bob")]
    services.ensure_ready()
    until(lambda: all(d.embedder == "words-2" for a in learners for d in a.documents()))
    services.close()
