import pytest

from core.rag.expectation import Expected, expected, has_expected


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did the mill burn?", Expected.DATE),
        ("In what year was it built?", Expected.DATE),
        ("它是哪一年建成的？", Expected.DATE),
        ("这座桥什么时候修好的？", Expected.DATE),
        ("How many mules were there?", Expected.NUMBER),
        ("What percentage voted for it?", Expected.NUMBER),
        ("有多少人参加？", Expected.NUMBER),
        ("它有几个轮子？", Expected.NUMBER),
        ("Who built it?", Expected.PERSON),
        ("谁发明了它？", Expected.PERSON),
        ("Why does it turn?", None),
        ("它为什么转动？", None),
    ],
)
def test_what_a_question_asks_for(question, kind):
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("kind", "sentence", "has"),
    [
        (Expected.NUMBER, "The party hired four mules.", True),
        (Expected.NUMBER, "The party hired mules.", False),
        (Expected.NUMBER, "共有三十人。", True),
        (Expected.DATE, "It burnt in 1822.", True),
        (Expected.DATE, "It was in the month of May.", True),
        (Expected.DATE, "共有 12 人。", False),
        (Expected.DATE, "建于 1822 年。", True),
        (Expected.PERSON, "It was read by Leonor Vance.", True),
        (Expected.PERSON, "It was read by the observer.", False),
        (Expected.PERSON, "由丹尼尔·笛福写成。", True),
        (None, "It burnt in 1822.", False),
    ],
)
def test_whether_a_sentence_has_it(kind, sentence, has):
    assert has_expected(kind, sentence, question="?") is has


def test_a_name_in_the_question_is_no_answer():
    assert not has_expected(Expected.PERSON, "It was read by Leonor.", question="Who is Leonor?")
