"""How are two things connected? Answered by the sentences of the way, each proven on its page."""

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.answer import AnswerMode, CitationState
from core.domain.job import JobKind

TEXT = """# The Orlen mill

The Orlen mill uses a tidal wheel. Visitors come in spring and bring their children.

The keeper of the house paints the shutters green every second year, in April or in May.

# The coast

A tidal wheel is driven by the spring tide. Fishermen mend their nets on the quay.

The spring tide is caused by the moon. Nights on the coast are long and cold in winter.
"""
CHINESE = """# 奥岚磨坊

奥岚磨坊使用潮汐轮。春天有许多游客带着孩子来参观。

# 海岸

大潮驱动潮汐轮。渔民在码头上修补渔网。
"""


@pytest.fixture
def ada(services, tmp_path):
    assistant = PDFLearningAssistant("ada", services=services)
    for name, text in (("mill.md", TEXT), ("磨坊.md", CHINESE)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert assistant.load_document(tmp_path / name).success
    assert services.jobs.wait_for_kind(JobKind.GRAPH, namespace="pdf_ada", timeout=120)
    return assistant


def test_the_way_is_quoted_in_its_order(ada):
    answer = ada.ask("How is the Orlen mill connected with the spring tide?")
    assert answer.mode is AnswerMode.EXTRACTIVE
    assert [c.quote for c in answer.citations] == [
        "The Orlen mill uses a tidal wheel.",
        "A tidal wheel is driven by the spring tide.",
    ]
    assert {c.state for c in answer.citations} == {CitationState.EXACT}


def test_in_chinese_too(ada):
    answer = ada.ask("奥岚磨坊和潮汐轮有什么关系？")
    assert [c.quote for c in answer.citations] == ["奥岚磨坊使用潮汐轮。"]


def test_only_of_the_documents_that_are_asked(ada):
    chinese = next(d for d in ada.documents() if d.name == "磨坊.md")
    answer = ada.ask(
        "How is the Orlen mill connected with the spring tide?", documents=[chinese.id]
    )
    assert all(c.document_id == chinese.id for c in answer.citations)


def test_things_that_are_not_connected_are_asked_as_any_question(ada):
    answer = ada.ask("How is the Orlen mill connected with quantum computing?")
    assert answer.mode is AnswerMode.REFUSED or "Orlen" in answer.citations[0].quote
