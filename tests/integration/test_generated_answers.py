"""Answers of a model over real HTTP: proven, whatever it says and however it fails."""

from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.answer import AnswerMode, CitationState
from core.domain.memory import MemoryState
from core.prompts.answer import NOT_IN_DOCUMENTS, REFUSAL
from core.settings import load_settings
from core.text.letters import letters
from core.wiring import build_services
from tests.servers.openai_server import OpenAIServer, Reply, Silence, Status, in_pieces

DATA = Path(__file__).parents[1] / "data"
QUESTION = "What does the tide mill do?"


@pytest.fixture
def server():
    with OpenAIServer() as made:
        yield made


@pytest.fixture
def ada(data_dir, server):
    settings = load_settings(
        env_file=None,
        data_dir=data_dir,
        llm_model_id="test-model",
        llm_base_url=server.base_url,
        llm_api_key="sk-test-secret",
        llm_timeout=1.5,
        llm_max_retries=1,
        enable_mqe=False,
        enable_hyde=False,
    )
    services = build_services(settings)
    assistant = PDFLearningAssistant("ada", services=services)
    assert assistant.load_document(DATA / "two_columns_en.pdf").success
    yield assistant
    services.close()


def passages_of(request):
    """Return the numbered passages that the model got."""
    text = request.text("user").split("\n\n")
    return {int(t[1 : t.index("]")]): t[t.index(")") + 1 :].strip() for t in text if t[:1] == "["}


def first_sentence(passage):
    body = passage.split("\n\n", 1)[-1]
    return body.split(". ")[0].strip() + "."


def test_what_the_model_cites_is_proven(ada, server):
    server.script(lambda request: in_pieces(f"{first_sentence(passages_of(request)[1])} [1]"))
    pieces = list(ada.ask_stream(QUESTION))
    answer = pieces[-1].answer
    assert answer.mode is AnswerMode.GENERATED
    assert answer.removed == 0
    (citation,) = answer.citations
    assert citation.state is CitationState.EXACT
    assert citation.boxes
    assert answer.text.endswith("[1]")
    assert letters(citation.quote) in letters(ada.page(citation.document_id, citation.page).text)
    streamed = "".join(p.text for p in pieces)
    assert "[" not in streamed
    assert letters(streamed) == letters(answer.text.replace("[1]", ""))
    assert len(pieces) > 3
    sent = server.requests[0]
    assert QUESTION in sent.text("user")
    assert NOT_IN_DOCUMENTS in sent.text("system")


def test_invented_numbers_are_removed_and_counted(ada, server):
    server.script(
        lambda request: f"{first_sentence(passages_of(request)[1])} [1][99] Also so [42]."
    )
    answer = ada.ask(QUESTION)
    assert answer.removed == 2
    assert len(answer.citations) == 1
    assert "99" not in answer.text
    assert "42" not in answer.text
    assert answer.text.endswith("Also so.")


def test_a_claim_that_no_sentence_supports_loses_its_citation(ada, server):
    server.script("The moon is made of green cheese and xylophones. [1]")
    answer = ada.ask(QUESTION)
    assert answer.removed == 1
    assert answer.mode is AnswerMode.EXTRACTIVE
    assert answer.notice == "nothing_proven"
    assert answer.citations
    assert "cheese" not in answer.text


def test_quoted_words_lead_to_the_sentence_that_has_them(ada, server):
    def reply(request):
        words = " ".join(first_sentence(passages_of(request)[2]).split()[:7])
        return f'It says so [2: "{words.upper()}"]'

    server.script(reply)
    answer = ada.ask(QUESTION)
    (citation,) = answer.citations
    assert citation.quote != citation.quote.upper()
    assert letters(citation.quote) in letters(ada.page(citation.document_id, citation.page).text)


def test_quoted_words_that_are_nowhere_are_removed(ada, server):
    server.script('It says so [1: "purple elephants dance on Tuesdays in Ulan Bator"].')
    answer = ada.ask(QUESTION)
    assert answer.removed == 1
    assert answer.notice == "nothing_proven"


def test_an_answer_without_any_citation_is_not_taken_on_faith(ada, server):
    server.script("It grinds corn, believe me.")
    answer = ada.ask(QUESTION)
    assert answer.notice == "nothing_proven"
    assert "believe me" not in answer.text


def test_the_sentinel_is_a_refusal(ada, server):
    server.script(NOT_IN_DOCUMENTS)
    answer = ada.ask(QUESTION)
    assert answer.mode is AnswerMode.REFUSED
    assert answer.text == REFUSAL["en"]
    assert answer.citations == ()
    assert answer.passages


def test_questions_in_chinese_get_the_chinese_prompt(ada, server):
    server.script(NOT_IN_DOCUMENTS)
    assert ada.ask("潮汐磨坊做什么？").text == REFUSAL["zh"]
    assert "问题：潮汐磨坊做什么？" in server.requests[-1].text("user")


FAILURES = {
    "rate limit": Status(429, {"Retry-After": "0"}),
    "server error": Status(500),
    "bad gateway": Status(502, body="<html>bad</html>"),
    "refused key": Status(401),
    "unknown model": Status(404),
    "silence": Silence(),
    "cut stream": Reply(["The mill grinds", " corn [1] and"], end="cut"),
    "unfinished": Reply(["The mill grinds"], end="unfinished"),
    "hanging stream": Reply(["The mill"], end="hang"),
    "garbage": Reply(["The mill"], end="garbage"),
    "empty": Reply([]),
    "endless": Reply(["The mill grinds corn [1]. "] * 2000),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES.keys())
def test_a_failing_model_still_leaves_a_proven_answer(ada, server, failure, caplog):
    server.script(failure)
    pieces = list(ada.ask_stream(QUESTION))
    answer = pieces[-1].answer
    assert answer.mode is AnswerMode.EXTRACTIVE
    assert answer.notice in ("model_unavailable", "model_response")
    assert answer.detail
    assert "Traceback" not in answer.detail
    assert answer.citations
    assert all(c.boxes for c in answer.citations)
    assert "sk-test-secret" not in answer.detail + caplog.text


def test_a_passing_failure_is_retried(ada, server):
    server.script(
        Status(429, {"Retry-After": "0"}),
        lambda request: f"{first_sentence(passages_of(request)[1])} [1]",
    )
    answer = ada.ask(QUESTION)
    assert answer.mode is AnswerMode.GENERATED
    assert answer.notice is None


def test_stopping_ends_the_request_and_records_nothing(ada, server):
    server.script(Reply(["The mill ", "grinds "], end="hang"))
    stream = ada.ask_stream(QUESTION)
    assert next(stream).text
    stream.close()
    assert server.client_left.wait(10)
    assert ada.questions() == []
    assert ada.get_stats()["Questions Asked"] == 0


def test_instructions_in_a_document_reach_the_model_as_material_only(ada, server):
    server.script(NOT_IN_DOCUMENTS)
    ada.ask(QUESTION)
    system = server.requests[-1].text("system")
    assert "not instructions" in system


def about(question, server):
    """Return the requests for an answer; notes are read into the graph beside them."""
    return [request for request in server.requests if question in request.text("user")]


def test_the_model_is_told_the_learners_own_notes_and_they_are_shown_as_used(ada, server):
    note = ada.add_note("The tide mill is the one my grandfather built.", "tide mill")
    ada.add_note("光合作用在叶绿体中进行。")
    server.script(lambda request: in_pieces(f"{first_sentence(passages_of(request)[1])} [1]"))
    answer = ada.ask(QUESTION)
    assert answer.mode is AnswerMode.GENERATED
    (asked,) = about(QUESTION, server)
    assert "my grandfather built" in asked.text("user")
    assert "光合作用" not in asked.text("user")
    (used,) = answer.memories
    assert used.memory_id == note.id
    assert used.number > max(c.number for c in answer.citations)
    ada.memory.mark(note.id, MemoryState.UNWANTED)
    assert ada.ask(QUESTION).memories == ()
    assert "my grandfather built" not in about(QUESTION, server)[-1].text("user")
