"""What questions about the learning history ask for, on Monday, 2 March 2026."""

import pytest

from core.memory.asked_for import asked_for, held_against
from tests.fakes import MONDAY

DOCUMENTS, QUESTIONS, NOTES = "documents", "questions", "notes"


@pytest.mark.parametrize(
    ("question", "kind", "subject"),
    [
        ("Which documents did I load?", DOCUMENTS, ""),
        ("Which documents have I deleted?", DOCUMENTS, ""),
        ("What PDFs are in my library?", DOCUMENTS, ""),
        ("How many papers have I read so far?", DOCUMENTS, ""),
        ("What did I learn before?", None, ""),
        ("Where did I leave off?", None, ""),
        ("Show my learning history", None, ""),
        ("Recap everything I learned about cell division", None, "cell division"),
        ("What did I learn about machine learning?", None, "machine learning"),
        ("What have I learned about learning rates so far?", None, "learning rates"),
        ("What have I learned about US law?", None, "US law"),
        ("What did I learn about the history of China?", None, "history of China"),
        ("Do you remember what I asked about Tesla?", QUESTIONS, "Tesla"),
        ("I asked something about enzymes, what was it?", QUESTIONS, "enzymes"),
        ("When did I load the tax report?", None, "tax report"),
        ("Show my notes on attention", NOTES, "attention"),
        ("Which notes did I take about RNNs?", NOTES, "RNNs"),
        ("我加载过哪些文档", DOCUMENTS, ""),
        ("我删除过哪些文档？", DOCUMENTS, ""),
        ("目前上传了多少文档？", DOCUMENTS, ""),
        ("我之前学过什么？", None, ""),
        ("学习历史", None, ""),
        ("我学到哪儿了？", None, ""),
        ("关于Transformer我学过什么？", None, "Transformer"),
        ("我学过哪些关于学习率的内容？", None, "学习率"),
        ("我关于中国历史学过什么", None, "中国历史"),
        ("我学过有机化学吗？", None, "有机化学"),
        ("我之前学过对流吗？", None, "对流"),
        ("我问过读写分离吗", QUESTIONS, "读写分离"),
        ("看看我关于看板方法的笔记", NOTES, "看板方法"),
    ],
)
def test_things_and_subjects(question, kind, subject):
    wanted = asked_for(question, MONDAY)
    assert (wanted.kind, wanted.subject) == (kind, subject)
    assert (wanted.window, wanted.unanswered) == (None, False)


@pytest.mark.parametrize(
    ("question", "kind", "subject", "pick"),
    [
        ("What was my last question?", QUESTIONS, "", "last"),
        ("What was the first document I uploaded?", DOCUMENTS, "", "first"),
        ("When did I first ask about backpropagation?", QUESTIONS, "backpropagation", "first"),
        ("我上传的第一份文档是什么？", DOCUMENTS, "", "first"),
        ("我第一次问反向传播是什么时候？", QUESTIONS, "反向传播", "first"),
    ],
)
def test_one_of_them(question, kind, subject, pick):
    wanted = asked_for(question, MONDAY)
    assert (wanted.kind, wanted.subject, wanted.pick) == (kind, subject, pick)


@pytest.mark.parametrize(
    "question",
    [
        "Which questions of mine were never answered?",
        "Show my unanswered questions",
        "我提过哪些问题没有得到回答？",
    ],
)
def test_questions_without_an_answer(question):
    wanted = asked_for(question, MONDAY)
    assert (wanted.kind, wanted.subject, wanted.unanswered) == (QUESTIONS, "", True)


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("What did I ask last Tuesday?", "2026-02-24"),
        ("我上周二问了什么问题？", "2026-02-24"),
        ("What did I learn last week", "2026-02-23"),
        ("回顾一下上周的内容", "2026-02-23"),
    ],
)
def test_times_are_no_subject_and_pick_nothing(question, day):
    wanted = asked_for(question, MONDAY)
    assert wanted.window is not None
    assert wanted.window.since.date().isoformat() == day
    assert (wanted.subject, wanted.pick) == ("", None)


@pytest.mark.parametrize(
    ("question", "kind", "subject"),
    [
        ("Compare my notes on RAG with what the paper says", NOTES, "RAG"),
        ("Is what I noted about attention correct?", NOTES, "attention"),
        ("Check my notes against the document", NOTES, ""),
        ("Does what I learned about erosion agree with the report?", None, "erosion"),
        ("结合我的笔记和文档回答什么是RAG", NOTES, "RAG"),
        ("我关于光速的笔记对不对？", NOTES, "光速"),
        ("我的笔记和论文的说法一致吗？", NOTES, ""),
    ],
)
def test_what_is_held_against_documents(question, kind, subject):
    wanted = held_against(question, MONDAY)
    assert (wanted.kind, wanted.subject) == (kind, subject)
