"""What is answered and what is refused: the score by itself, and with small real documents."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.answer import AnswerMode, RefusalReason
from core.rag.answerability import (
    WEIGHTS,
    Evidence,
    answerability,
    from_unrelated,
    is_misspelt,
)
from core.rag.answerability_whole import asks_about_whole, asks_for_an_overview
from core.settings import load_settings
from core.wiring import build_services

DATA = Path(__file__).parents[1] / "data"
CLEAR = Evidence(
    cosine=0.31, in_context=0.25, coverage=0.67, words=2.8, score=0.75, searched=4.6,
    window=0.44, passage=0.35,
)  # fmt: skip
"""About the mean of XQuAD's answerable questions."""
FAR = Evidence(
    cosine=-0.01, in_context=-0.08, coverage=0.18, words=1.8, score=0.5, searched=4.6,
    window=0.02, passage=-0.03,
)  # fmt: skip


@pytest.mark.parametrize("situation", ["own", "own_refined", "other", "other_refined"])
def test_what_is_clear_passes_and_what_is_far_does_not(situation: str) -> None:
    weights = getattr(WEIGHTS, situation)
    assert answerability(CLEAR, weights) > 0.9
    assert answerability(FAR, weights) < 0.4


@pytest.mark.parametrize("situation", ["own", "own_refined", "other", "other_refined"])
def test_more_evidence_never_lowers_the_score(situation: str) -> None:
    weights = getattr(WEIGHTS, situation)
    before = answerability(FAR, weights)
    for name in set(Evidence.__slots__) - {"searched"}:
        more = replace(FAR, **{name: getattr(FAR, name) + 0.1})
        assert answerability(more, weights) >= before
    assert answerability(replace(FAR, searched=8.0), weights) < before


def test_the_score_of_nothing_is_the_bias() -> None:
    assert answerability(Evidence(), replace(WEIGHTS.own, bias=0.0)) == 0.5
    assert answerability(Evidence(cosine=1e9), WEIGHTS.own) == pytest.approx(1.0)


def test_cosines_are_measured_from_unrelated_texts() -> None:
    assert from_unrelated(0.25, 0.25) == 0
    assert from_unrelated(1.0, 0.8) == pytest.approx(1.0)
    assert from_unrelated(0.9, 0.8) == pytest.approx(from_unrelated(0.55, 0.1))


@pytest.mark.parametrize(
    "word", ["platfrom", "goveror", "comercial", "governorr", "gavernor", "lplatform"]
)
def test_one_letter_off_is_misspelt(word: str) -> None:
    assert is_misspelt(word, {"platform", "governor", "commercial"})


@pytest.mark.parametrize("word", ["mil", "plat", "governess", "2019x", "磨坊", "formplat"])
def test_other_words_are_not_misspelt(word: str) -> None:
    assert not is_misspelt(word, {"mill", "plate", "platform", "governor", "20190", "磨房"})


@pytest.mark.parametrize(
    "question",
    [
        "Summarise this document", "What is this paper about?", "What are the main points?",
        "What does chapter 3 say?", "What is on page 5?", "Who are the authors?", "tl;dr",
        "What does Figure 2 show?", "Please give me a short summary in three sentences.",
        "这篇文档讲了什么", "总结一下", "请总结这份文档的主要内容", "第三章讲了什么？",
        "图2说明了什么？", "这本书的作者是谁？", "帮我总结一下这个PDF",
    ],
)  # fmt: skip
def test_a_document_as_a_whole_is_asked_about(question: str) -> None:
    assert asks_about_whole(question)


@pytest.mark.parametrize(
    "question",
    [
        "Summarise the history of the mill", "What does this document say about the Ming dynasty?",
        "attention?", "Why?", "What is a table?", "net sales 2019", "When was the first one?",
        "总结一下明朝的历史", "什么是图灵机？", "书法是什么？", "你是谁",
        "图书室里最旧的一本书是什么？",
    ],
)  # fmt: skip
def test_a_subject_is_asked_about(question: str) -> None:
    assert not asks_about_whole(question)


@pytest.mark.parametrize(
    ("question", "whole"),
    [
        ("What are the main points?", True), ("Give me a table of the main points", True),
        ("Summarise this document in two sentences.", True), ("用一句话概括本文", True),
        ("What does sentence 7 of section 9 say?", False), ("What is on page 5?", False),
        ("What does Figure 2 show?", False), ("第三章讲了什么？", False),
        ("图2说明了什么？", False), ("What is a table?", False),
    ],
)  # fmt: skip
def test_a_place_that_is_named_is_searched_for(question: str, whole: bool) -> None:
    assert asks_for_an_overview(question) is whole


@pytest.fixture(scope="module")
def learners(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("gate")
    services = build_services(load_settings(env_file=None, data_dir=folder, refine_enabled=False))
    made = {}
    for name in ("two_columns_en", "chinese", "table"):
        made[name] = PDFLearningAssistant(name, services=services)
        assert made[name].load_document(str(DATA / f"{name}.pdf")).success
    yield made
    services.close()


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("two_columns_en", "eels"),
        ("two_columns_en", "mill?"),
        ("two_columns_en", "Who fited the goveror?"),
        ("two_columns_en", "磨坊"),
        ("chinese", "渡口"),
        ("chinese", "ferry"),
        ("chinese", "介绍一下渡口的历史"),
        ("table", "net sales 2019"),
        ("table", "How large were export sales?"),
    ],
)
def test_short_and_misspelt_questions_are_answered(learners, name: str, question: str) -> None:
    assert learners[name].ask(question).mode is AnswerMode.EXTRACTIVE


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("two_columns_en", "Who won the world cup in 2018?"),
        ("two_columns_en", "What is photosynthesis?"),
        ("two_columns_en", "attention?"),
        ("two_columns_en", "What does this document say about the Ming dynasty?"),
        ("two_columns_en", "总结一下明朝的历史"),
        ("table", "Who laid the timber platform of the mill?"),
    ],
)
def test_what_is_not_there_is_refused(learners, name: str, question: str) -> None:
    answer = learners[name].ask(question)
    assert answer.mode is AnswerMode.REFUSED
    assert answer.refusal is not None
    assert answer.refusal.reason in (RefusalReason.NOTHING_FOUND, RefusalReason.NOT_ANSWERED)
