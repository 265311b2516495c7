import pytest

from core.text.clean import clean, join_cjk, nfkc
from core.text.letters import letters, letters_with_offsets
from core.text.sentences import sentence_spans
from core.text.terms import stem, terms
from core.text.tokens import cjk_share, count_tokens, language_of


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The ﬁrst of the af-\nfairs", "The first of the affairs"),
        ("Ｆｕｌｌ ｗｉｄｔｈ １２３", "full width 123"),
        ("naïve café", "nai\u0308ve cafe\u0301"),
        ("人工 智能，\n很好。", "人工智能很好"),
        ("STRASSE", "straße"),
    ],
)
def test_letters_see_through_layout(one, other):
    assert letters(one) == letters(other)


def test_letters_do_not_see_through_other_words():
    assert letters("in 2019") != letters("in 2018")


@pytest.mark.parametrize(
    "text", ["A ﬁne ½ day", "plain ascii, 42!", "中文 and é\u0301 ﷺ", "한글 Å"]
)
def test_offsets_point_at_the_character_of_each_letter(text):
    key, offsets = letters_with_offsets(text)
    assert key == letters(text)
    assert len(offsets) == len(key)
    for letter, offset in zip(key, offsets, strict=True):
        assert letter in letters(text[offset])


def test_cleaning_drops_what_is_no_text_and_keeps_meaning():
    assert clean("a\x00b\x07 c\ud800\u200b\xa0 d\r\ne") == "ab c d\ne"
    assert nfkc("ﬁ １２ 6½ x² 你好，世界！（一）") == "fi 12 6½ x² 你好，世界！（一）"


def test_line_breaks_between_chinese_characters_are_no_spaces():
    assert join_cjk("机器 学习，\n它 uses Python 写成") == "机器学习，它 uses Python 写成"


def split(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("It rained. We left.", ["It rained.", "We left."]),
        (
            "Dr. Smith met Mr. J. Jones. They talked.",
            ["Dr. Smith met Mr. J. Jones.", "They talked."],
        ),
        ("It grew 3.5 percent. Why?", ["It grew 3.5 percent.", "Why?"]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("今天下雨。我们走吧！好吗？好。", ["今天下雨。", "我们走吧！", "好吗？", "好。"]),
        ("他说：“走吧。”然后走了。", ["他说：“走吧。”", "然后走了。"]),
        ("亚马逊（葡语：A；荷语：B）很大。", ["亚马逊（葡语：A；荷语：B）很大。"]),
        ("first row\nsecond row", ["first row", "second row"]),
        ("1. Soak the beans. Wait.", ["1. Soak the beans.", "Wait."]),
        ("• A point.\n- Another", ["A point.", "Another"]),
        ("It cost 5. Then it rose.", ["It cost 5.", "Then it rose."]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert split(text) == sentences


@pytest.mark.parametrize(
    ("word", "stemmed"),
    [
        ("running", "run"),
        ("runs", "run"),
        ("studies", "study"),
        ("classes", "class"),
        ("bus", "bus"),
        ("sing", "sing"),
        ("planned", "plan"),
        ("called", "call"),
    ],
)
def test_stems_of_one_word_agree(word, stemmed):
    assert stem(word) == stem(stemmed)


def test_terms_of_english_and_chinese():
    assert terms("The cats were sleeping in Paris") == ["cat", "sleep", "paris"]
    assert "1234" in terms("net sales of 1,234")
    assert {"机", "器", "机器", "学习"} <= set(terms("机器学习"))
    assert terms("what is the") == []


def test_tokens_count_chinese_characters_and_words():
    assert count_tokens("三个字 and two") == 5
    assert language_of("这是 a test 句子") == "zh"
    assert language_of("a test with 一 character") == "en"
    assert cjk_share("123") == 0.0
