"""What a user asks of an agent without a model."""

import pytest

from core.tools.requests import is_question, speaks_of_deleting, to_remember


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "Hello! Please remember my name is Zhang San, I am a Python developer",
            "my name is Zhang San, I am a Python developer",
        ),
        ("Remember that the exam is on Friday.", "the exam is on Friday."),
        ("please remember: oak is pegged", "oak is pegged"),
        ("Can you remember that I like green tea?", "I like green tea"),
        ("Don't forget to water the plants", "to water the plants"),
        ("Hi, keep in mind that I am allergic to nuts", "I am allergic to nuts"),
        ("I passed! And remember that I start on Monday", "I start on Monday"),
        ("请记住：我喜欢喝绿茶", "我喜欢喝绿茶"),
        ("你好！请记住我叫张三，是一名 Python 开发者", "我叫张三，是一名 Python 开发者"),
        ("帮我记一下，周五考试", "周五考试"),
        ("请记得我对花生过敏", "我对花生过敏"),
        ("别忘了周五交作业", "周五交作业"),
        ("可以帮我记住我的生日是五月一日吗？", "我的生日是五月一日"),
    ],
)
def test_what_is_to_be_remembered(text: str, what: str) -> None:
    assert to_remember(text) == what
    assert not is_question(text)


@pytest.mark.parametrize(
    "text",
    [
        "What is my name?",
        "Do you remember my name?",
        "What do you remember about me",
        "Hello! Who wrote Python",
        "Tell me about attention",
        "我叫什么名字？",
        "你还记得我的名字吗",
        "你记住了什么？",
        "注意力机制是什么",
        "为什么用橡木",
    ],
)
def test_questions(text: str) -> None:
    assert is_question(text)
    assert to_remember(text) is None


@pytest.mark.parametrize("text", ["Hello!", "你好", "I remember well how it was", "", "Thank you."])
def test_neither(text: str) -> None:
    assert to_remember(text) is None
    assert not is_question(text)


def test_deleting_is_spoken_of() -> None:
    for text in (
        "Delete everything.",
        "Please forget me",
        "Start over!",
        "请清空所有记忆",
        "忘掉它",
    ):
        assert speaks_of_deleting(text)
    for text in ("Hello!", "What is my name?", "我叫什么名字？"):
        assert not speaks_of_deleting(text)
