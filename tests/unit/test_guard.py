import random
from datetime import UTC, datetime

import pytest

from core.domain.answer import DoubtKind, RememberedSource
from core.rag.figures import FigureKind, figures_in
from core.rag.guard import doubts, sentence_citations
from core.text.numerals import CHINESE, ENGLISH, chinese_value, english_value


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("zero", 0),
        ("nineteen", 19),
        ("forty-two", 42),
        ("two hundred", 200),
        ("two hundred and five", 205),
        ("three thousand four hundred and six", 3406),
        ("one million two hundred thousand", 1_200_000),
        ("five billion", 5e9),
    ],
)
def test_english_numbers(words, value):
    assert ENGLISH.fullmatch(words)
    assert english_value(words) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("十二", 12),
        ("二十", 20),
        ("一百零五", 105),
        ("三千五百万", 35_000_000),
        ("五十二亿", 5.2e9),
        ("一万亿", 1e12),
        ("一亿三千万", 1.3e8),
        ("两万五千", 25_000),
        ("二〇一九", 2019),
        ("三点五", 3.5),
    ],
)
def test_chinese_numbers(text, value):
    assert CHINESE.fullmatch(text)
    assert chinese_value(text) == pytest.approx(value)


def test_figures_have_kind_value_and_place():
    text = "On March 3, 2020 sales rose 12.5% to $5.2 billion."
    found = [(f.kind, f.values, text[f.start : f.end]) for f in figures_in(text)]
    assert found == [
        (FigureKind.DATE, (20200303.0,), "March 3, 2020"),
        (FigureKind.PERCENT, (12.5,), "12.5%"),
        (FigureKind.NUMBER, (5.2e9,), "5.2 billion"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [("XXXIII", 33), ("II", 2), ("XIV", 14), ("XLIX", 49), ("LX", 60), ("IIX", None), ("VX", None)],
)
def test_roman_numbers(text, value):
    assert [f.values[0] for f in figures_in(f"The {text} case of an LLC, XL")[:-1]] == (
        [] if value is None else [value]
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One [1]. Two [2][3].", [("One", (1,)), ("Two", (2, 3))]),
        ("One. [1] Two. [2]", [("One.", (1,)), ("Two.", (2,))]),
        ("One [1, 2]\n\nTwo.", [("One", (1, 2)), ("Two.", ())]),
        ("一。[1]二。[2]", [("一。", (1,)), ("二。", (2,))]),
        ("一【1】。二[2]。", [("一", (1,)), ("二", (2,))]),
        ("甲；乙[1]。", [("甲；乙", (1,))]),
        ("In [1999] it was [1].", [("In [1999] it was", (1,))]),
        ("- One [1]\n- Two [2]", [("One", (1,)), ("Two", (2,))]),
        ("", []),
    ],
)
def test_the_citations_of_each_sentence(text, expected):
    found = [
        (text[start:end].rstrip(" .。").rstrip(), n) for start, end, n in sentence_citations(text)
    ]
    wanted = [(sentence.rstrip(" .。"), n) for sentence, n in expected]
    assert [(_no_marks(sentence), n) for sentence, n in found] == wanted


def _no_marks(text):
    for mark in ("[1]", "[2]", "[3]", "[1, 2]", "【1】", "[2][3]"):
        text = text.replace(mark, "")
    return text.rstrip(" .。")


def test_any_text_can_be_read():
    signs = (
        "0123456789.,-–/%$ IVXLM年月日第十百万亿一两分之点FYQ'’s a two hundred million and[](世纪\n"
    )
    chosen = random.Random(4)
    for _ in range(2_000):
        text = "".join(chosen.choice(signs) for _ in range(chosen.randint(1, 25)))
        assert all(0 <= f.start < f.end <= len(text) for f in figures_in(text))


def test_memories_prove_what_they_are_cited_for():
    memory = RememberedSource(
        number=1,
        memory_id="m",
        kind="episodic",
        event="asked",
        text="You asked 3 questions about optics.",
        created_at=datetime(2026, 3, 2, tzinfo=UTC),
    )
    assert doubts("You asked 3 questions about optics [1].", [], memories=[memory]) == ()
    wrong = doubts("You asked 4 questions about optics [1].", [], memories=[memory])
    assert [d.kind for d in wrong] == [DoubtKind.NUMBER]


def test_a_mark_without_its_citation_proves_nothing():
    found = doubts("The mill was built of grey stone [4].", [])
    assert [d.kind for d in found] == [DoubtKind.UNGROUNDED]


def test_a_long_answer_is_no_long_wait():
    text = "Sales rose by 12 percent to 1,234 in March 2020 [1]. " * 500
    assert len(doubts(text, [])) == 500
    assert figures_in("9" * 20_000 + " one" * 5_000 + "一二三" * 5_000)
