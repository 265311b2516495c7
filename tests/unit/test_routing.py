"""Where an answer is looked for: rules that say how sure they are, and what a model may reply."""

import pytest

from core.domain.answer import Route
from core.memory.routing import route, route_by_model
from core.prompts.routing import parse

DOCUMENTS, MEMORY, BOTH = Route.DOCUMENTS, Route.MEMORY, Route.BOTH


@pytest.mark.parametrize(
    ("question", "where", "certain", "why"),
    [
        ("What did I ask yesterday?", MEMORY, True, "about_learner"),
        ("我昨天问了什么", MEMORY, True, "about_learner"),
        ("What did Francis I ask at court?", DOCUMENTS, True, "about_content"),
        ("Which question about Tesla did I ask?", MEMORY, True, "about_learner"),
        ("the question about Tesla I asked", MEMORY, True, "about_learner"),
        ("Who said “I asked for a lion”?", DOCUMENTS, True, "about_content"),
        ("What does the paper I uploaded say?", DOCUMENTS, True, "about_content"),
        ("List all loaded documents", MEMORY, True, "loaded_list"),
        ("之前学过什么？", MEMORY, True, "about_learner"),
        ("Compare my notes on RAG with what the paper says", BOTH, True, "both_named"),
        ("结合我的笔记和文档回答什么是RAG", BOTH, True, "both_named"),
        ("Review attention", BOTH, False, "review_of_subject"),
        ("复习一下注意力机制", BOTH, False, "review_of_subject"),
        ("Transformer的历史是什么", DOCUMENTS, True, "about_content"),
        ("Who was president before Lincoln?", DOCUMENTS, True, "about_content"),
        ("Why do we forget what we learned?", DOCUMENTS, False, "in_passing"),
        ("请问，我之前学过什么？", MEMORY, True, "about_learner"),
        ("我的问题是：什么是记忆？", DOCUMENTS, True, "about_content"),
        ("", DOCUMENTS, True, "about_content"),
        ("?!", DOCUMENTS, True, "about_content"),
    ],
)
def test_rules(question: str, where: Route, certain: bool, why: str) -> None:
    routing = route(question)
    assert (routing.route, routing.certain, routing.why) == (where, certain, why)


@pytest.mark.parametrize(
    ("reply", "where"),
    [
        ("memory", MEMORY),
        (" Documents.\n", DOCUMENTS),
        ("**both**", BOTH),
        ("记忆", MEMORY),
        ("", None),
        ("memory or documents", None),
        ("I would say memory", None),
        ("history", None),
    ],
)
def test_a_reply_is_one_word_or_nothing(reply: str, where: Route | None) -> None:
    assert parse(reply) is where


@pytest.mark.parametrize(
    ("language", "question", "asked"),
    [
        ("en", "Review {attention}", "Question: Review {attention}"),
        ("zh", "复习注意力", "问题：复习注意力"),
    ],
)
def test_the_model_gets_the_question_and_its_word_counts(
    language: str, question: str, asked: str
) -> None:
    turns: list[tuple[str, str]] = []

    def complete(system: str, user: str) -> str:
        turns.append((system, user))
        return "both"

    assert route_by_model(question, language, complete) is BOTH
    ((system, user),) = turns
    assert user == asked
    assert all(word in system for word in ("documents", "memory", "both"))
