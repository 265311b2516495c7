"""The assistant with its real stores, readers and embedder."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter

from core.assistant import PDFLearningAssistant
from core.domain.answer import AnswerMode, CitationState
from core.domain.document import ReaderName
from core.errors import (
    DocumentError,
    EncryptedDocumentError,
    InvalidInputError,
    NotFoundError,
    ScannedDocumentError,
)
from core.settings import load_settings
from core.text.letters import letters
from core.wiring import build_services

DATA = Path(__file__).parents[1] / "data"
MILL = DATA / "two_columns_en.pdf"


def everything_on_disk(folder):
    return b"\0".join(p.read_bytes() for p in folder.rglob("*") if p.is_file())


def a_sentence_of(assistant, document_id):
    paragraphs = assistant.page(document_id, 1).text.split("\n\n")
    sentences = (s for p in paragraphs for s in re.split(r"(?<=\.)\s", p) if s.endswith("."))
    return next(s for s in sentences if 60 < len(s) < 200)


def test_a_learner_loads_asks_and_gets_proof(ada):
    seen = []
    result = ada.load_document(MILL, on_progress=seen.append)
    assert result["success"] is result.success is True
    assert result["document"] == "two_columns_en.pdf"
    assert result.pages == seen[-1].done == seen[-1].pages == 3
    assert result.chunks > 3
    assert result.message.startswith("Loading successful!")
    assert ada.current_document == "two_columns_en.pdf"
    sentence = a_sentence_of(ada, result.document_id)
    answer = ada.ask(f"What is said about this: {' '.join(sentence.split()[:9])}?")
    assert answer.mode is AnswerMode.EXTRACTIVE
    assert letters(sentence)[:40] in letters(answer.citations[0].quote)
    for number, citation in enumerate(answer.citations, start=1):
        assert citation.number == number
        assert f"[{number}]" in answer.text
        assert citation.boxes
        assert 0 < citation.score <= 1
        assert citation.page == citation.pages[0] == citation.boxes[0].page
        page = ada.page(citation.document_id, citation.page)
        assert citation.quote in page.text.replace("\n", " ") or len(citation.pages) > 1
    assert "two_columns_en.pdf" in str(answer)
    assert answer.passages[0].score >= answer.passages[-1].score
    assert {"dense", "bm25"} <= set(answer.passages[0].scores)
    image = ada.page_image(result.document_id, 1, width=500, boxes=answer.citations[0].boxes)
    assert image.startswith(b"\x89PNG")


def test_loading_twice_changes_nothing(ada, tmp_path):
    first = ada.load_document(MILL)
    renamed = tmp_path / "other name.pdf"
    renamed.write_bytes(MILL.read_bytes())
    again = ada.load_document(renamed)
    assert again.success
    assert again.duplicate
    assert again.document_id == first.document_id
    assert len(ada.documents()) == 1
    assert ada.get_stats()["Documents Loaded"] == 1


@pytest.fixture
def wordless(tmp_path):
    """A PDF whose only page is a grey picture."""
    Image.new("L", (600, 800), 200).save(tmp_path / "wordless.pdf")
    return tmp_path / "wordless.pdf"


@pytest.mark.parametrize(
    ("name", "error"), [("encrypted", EncryptedDocumentError), ("wordless", ScannedDocumentError)]
)
def test_a_refused_file_is_a_result_and_leaves_nothing(ada, data_dir, name, error, wordless):
    path = wordless if name == "wordless" else DATA / f"{name}.pdf"
    result = ada.load_document(path)
    assert result["success"] is False
    assert isinstance(result.error, error)
    assert result.error.remedy in result.message
    assert ada.documents() == []
    assert not [p for p in (data_dir / "learners").rglob("*.pdf")]
    assert ada.get_stats()["total"]["documents_loaded"] == 0


def test_no_document_and_no_answer_are_refusals(ada):
    assert ada.ask("What is it?").mode is AnswerMode.REFUSED
    ada.load_document(MILL)
    nothing = ada.ask("zxqv wpflk vvrt?")
    assert nothing.mode is AnswerMode.REFUSED
    assert nothing.citations == ()
    assert nothing.passages
    assert ada.ask("Who?", documents=[]).mode is AnswerMode.REFUSED


@pytest.mark.parametrize("question", ["", "  \n", "\x00", "x" * 2001])
def test_a_question_must_be_one(ada, question):
    with pytest.raises(InvalidInputError):
        ada.ask(question)


def test_questions_in_the_other_language_find_the_page(ada):
    result = ada.load_document(DATA / "chinese.pdf")
    assert ada.documents()[0].language == "zh"
    answer = ada.ask("桥是什么时候修建的？")
    assert answer.language == "zh"
    assert answer.citations
    assert not re.search(r"[\u4e00-\u9fff] [\u4e00-\u9fff]", answer.citations[0].quote)
    english = ada.ask("When was the bridge built?", documents=[result.document_id])
    assert english.language == "en"
    assert english.citations


def test_a_quote_over_a_page_break_has_both_pages(ada):
    ada.load_document(DATA / "cross_page.pdf")
    answer = ada.ask("How many paces below the eastern summit does a spring of water rise?")
    quote = next(c for c in answer.citations if "sweet water" in c.quote)
    assert quote.pages == (1, 2)
    assert quote.page == 1
    assert {b.page for b in quote.boxes} == {1, 2}
    assert quote.state is CitationState.EXACT
    assert "by soldiers, and" in quote.quote


def test_printed_labels_are_told_beside_physical_pages(ada):
    ada.load_document(DATA / "labels.pdf")
    labels = {p.page: p.page_label for p in ada.ask("What does the preface say?").passages}
    assert labels[1] == "i"


def test_learners_never_meet(ada, services):
    bob = PDFLearningAssistant("bob", services=services)
    mine = ada.load_document(MILL)
    ada.ask("What does the mill do?")
    ada.add_note("Ada's own secret note", "mill")
    assert bob.documents() == []
    assert bob.notes() == bob.questions() == bob.recall("secret note") == []
    assert bob.ask("What does the mill do?", documents=[mine.document_id]).mode == "refused"
    for act in (
        lambda: bob.page(mine.document_id, 1),
        lambda: bob.page_image(mine.document_id, 1),
        lambda: bob.delete_document(mine.document_id),
        lambda: bob.question(ada.questions()[0].id),
        lambda: bob.delete_note(ada.notes()[0].id),
    ):
        with pytest.raises(NotFoundError):
            act()
    theirs = bob.load_document(MILL)
    assert theirs.document_id != mine.document_id
    assert not theirs.duplicate
    bob.delete_document(theirs.document_id)
    assert len(ada.documents()) == 1
    assert ada.ask("What does the mill do?").citations
    assert bob.get_stats()["total"]["questions_asked"] == 1
    report = json.dumps(bob.generate_report(save_to_file=False))
    assert "secret note" not in report


def test_names_of_users_are_no_paths(services, data_dir):
    evil = PDFLearningAssistant("../../evil", services=services)
    evil.load_document(MILL, name="../../../x.pdf")
    assert evil.documents()[0].name == "x.pdf"
    report = Path(evil.generate_report()["report_file"])
    assert (data_dir / "learners").resolve() in report.resolve().parents


def test_a_deleted_document_is_gone_from_the_disk(ada, services, data_dir):
    result = ada.load_document(MILL)
    other = ada.load_document(DATA / "table.pdf")
    sentence = a_sentence_of(ada, result.document_id)
    ada.ask(f"What about {' '.join(sentence.split()[:5])}?", documents=[result.document_id])
    phrase = " ".join(sentence.split()[3:9]).encode()
    assert phrase in everything_on_disk(data_dir)
    ada.delete_document(result.document_id)
    services.close()
    assert phrase not in everything_on_disk(data_dir)
    again = PDFLearningAssistant("ada", services=services)
    assert [d.id for d in again.documents()] == [other.document_id]
    old = again.questions()[0].answer
    assert old.citations == ()
    assert old.notice == "source_removed"
    assert again.get_stats()["total"]["documents_loaded"] == 2
    with pytest.raises(NotFoundError):
        again.delete_document(result.document_id)


def test_an_answer_on_its_way_keeps_nothing_of_a_deleted_document(ada, services, data_dir):
    result = ada.load_document(MILL)
    sentence = a_sentence_of(ada, result.document_id)
    phrase = " ".join(sentence.split()[3:9])
    stream = ada.ask_stream(f"What about {' '.join(sentence.split()[:5])}?")
    next(stream)
    ada.delete_document(result.document_id)
    assert list(stream)[-1].answer.citations
    assert ada.questions()[0].answer.citations == ()
    services.close()
    assert phrase.encode() not in everything_on_disk(data_dir)


def test_passages_that_answered_are_remembered_with_their_page(ada, services):
    result = ada.load_document(MILL)
    answers = [ada.ask("What does the mill do?") for _ in range(2)]
    assert services.memory_parts.afterwards.wait(30)
    kept = services.memory.list(namespace=ada.namespace, events=["passage"])
    cited = {c.quote: c for c in answers[0].citations}
    assert {m.content for m in kept} == set(cited)
    for memory in kept:
        assert memory.metadata["document_id"] == result.document_id
        assert memory.metadata["page"] == cited[memory.content].page
        assert memory.metadata["question_id"] == answers[0].id
        assert memory.sightings == 2
    ada.delete_document(result.document_id)
    assert services.memory.list(namespace=ada.namespace, events=["passage"]) == []


def test_statistics_are_true_after_a_restart(ada, services):
    ada.load_document(MILL)
    cited = len(ada.ask("What does the mill do?").citations)
    ada.add_note("Tides turn the wheel", "tide")
    services.close()
    again = PDFLearningAssistant("ada", services=services)
    stats = again.get_stats()
    assert [stats[k] for k in ("Documents Loaded", "Questions Asked", "Learning Notes")] == [0] * 3
    assert stats["Current Document"] == "Not loaded"
    assert stats["Session Duration"].endswith("s")
    total = stats["total"]
    assert (total["documents_loaded"], total["questions_asked"], total["concepts_learned"]) == (
        1,
        1,
        1,
    )
    assert total["memories"] == {"episodic": 2, "semantic": 1 + cited}  # the note and passages
    assert [n.content for n in again.notes()] == ["Tides turn the wheel"]
    assert again.notes()[0].metadata["concept"] == "tide"
    assert again.recall("what turned the wheel")[0].memory.content == "Tides turn the wheel"
    assert again.questions()[0].answer.citations[0].boxes
    assert again.ask("What does the mill do?").citations


def test_the_report_is_strict_json_of_real_data(ada, data_dir):
    ada.load_document(MILL)
    answer = ada.ask("What does the mill do?")
    ada.add_note("潮水推动水轮", "潮汐")
    report = ada.generate_report()
    path = Path(report["report_file"])
    saved = json.loads(path.read_text("utf-8"), parse_constant=lambda c: pytest.fail(c))
    assert saved["session_info"]["user_id"] == "ada"
    assert saved["session_info"]["session_id"] == ada.session_id
    assert saved["learning_metrics"]["documents_loaded"] == 1
    assert saved["learning_metrics"]["questions_asked"] == 1
    assert saved["learning_metrics"]["concepts_learned"] == 1
    assert saved["rag_status"]["documents"][0]["pages"] == 3
    assert saved["memory_summary"]["total"] >= 3
    assert saved["notes"][0]["content"] == "潮水推动水轮"
    assert saved["questions"][0]["citations"][0]["quote"] == answer.citations[0].quote
    assert data_dir in path.parents


def test_suggested_questions_fit_the_document(ada):
    assert ada.suggested_questions() == []
    ada.load_document(DATA / "chinese.pdf")
    questions = ada.suggested_questions()
    assert 1 <= len(questions) <= 3
    assert all(re.search(r"[\u4e00-\u9fff]", q) for q in questions)
    assert ada.ask(questions[0]).citations


def test_a_file_that_only_pypdf_reads_is_answered_without_boxes(ada, tmp_path):
    # The trailer's root leads nowhere: PDFium gives up, pypdf looks for the catalog itself.
    path = tmp_path / "lost_root.pdf"
    PdfWriter(clone_from=PdfReader(MILL)).write(path)
    path.write_bytes(re.sub(rb"/Root \d+ 0 R", b"/Root 9999 0 R", path.read_bytes()))
    result = ada.load_document(path)
    assert result.warnings == ("no_boxes",)
    assert result.record.reader is ReaderName.PYPDF
    answer = ada.ask("What does the mill do?")
    assert answer.citations
    assert all(c.boxes == () and c.state is CitationState.EXACT for c in answer.citations)
    with pytest.raises(DocumentError) as caught:
        ada.page_image(result.document_id, 1)
    assert caught.value.remedy


def test_building_services_opens_nothing(data_dir):
    build_services(load_settings(env_file=None, data_dir=data_dir)).close()
    assert not data_dir.exists()


def test_the_secret_is_made_once_and_kept_private(services, data_dir):
    secret = services.user_secret()
    assert secret == services.user_secret()
    assert len(secret) >= 32
    assert os.stat(data_dir / "secret.key").st_mode & 0o077 == 0


def test_qdrant_in_memory_serves_as_well(data_dir):
    settings = load_settings(env_file=None, data_dir=data_dir, qdrant_url=":memory:")
    services = build_services(settings)
    ada = PDFLearningAssistant("ada", services=services)
    ada.load_document(MILL)
    assert ada.ask("What does the mill do?").citations
    assert ada.status().vector_store == "qdrant"
    services.close()


def test_the_same_file_at_the_same_time_is_one_document(ada):
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: ada.load_document(MILL), range(4)))
    assert [r.success for r in results] == [True] * 4
    assert sorted(r.duplicate for r in results) == [False, True, True, True]
    assert len(ada.documents()) == 1
    assert ada.get_stats()["total"]["documents_loaded"] == 1
