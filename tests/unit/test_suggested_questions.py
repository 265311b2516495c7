"""Example questions that fit a document."""

import pytest

from core.study.questions import suggest_questions

ENGLISH = (
    "A vector is a list of numbers.",
    "Vectors that point the same way mean the same.",
    "Each token gets a vector of its own.",
    "The context window is the number of tokens a model reads at once.",
    "A context window that is too small forgets the beginning.",
    "Attention is a way of looking back.",
    "With attention each word looks at the others.",
    "The BLEU score compares a translation with others.",
    "Byte pair encoding counts pairs, and byte pair encoding joins them.",
    "Later, byte pair encoding stops.",
)
CHINESE = (
    "向量是一种有方向的量。",
    "意思相近的词，向量也相近。",
    "注意力机制是指每个词都看着别的词。",
    "有了注意力机制，模型读得更快。",
    "反向传播算出误差，反向传播再改权重。",
    "训练时要做反向传播。",
)


def suggest(headings=(), sentences=ENGLISH, language="en", limit=10) -> list[str]:
    return suggest_questions(headings, sentences, language=language, limit=limit)


def test_what_the_text_defines_and_comes_back_to():
    questions = suggest()
    assert questions[:3] == [
        "What is a vector?",
        "What is the context window?",
        "What is attention?",
    ]


def test_frequent_words_fill_up():
    assert "What does the document say about “byte pair”?" in suggest()


def test_chinese():
    assert suggest((), CHINESE, "zh") == [
        "什么是向量？",
        "什么是注意力机制？",
        "文中是怎样讲“反向传播”的？",
    ]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("2.1 Word Embeddings", "What are word embeddings?"),
        ("Chapter 3: Backpropagation", "What is Backpropagation?"),
        ("The BERT Word", "What is the BERT Word?"),
        ("The French Word", "What is the French Word?"),
        ("IV. Dropout", "What is Dropout?"),
        ("A.2 Beam Search", "What is Beam Search?"),
        ("(4) Statistics", "What is Statistics?"),
        ("RISK FACTORS", "What are risk factors?"),
        ("3. Attention: which word looks at which", "What is attention?"),
        ("Tokens and Vectors", "What does the document say about “Tokens and Vectors”?"),
        ("Why does scale matter?", "Why does scale matter?"),
    ],
)
def test_english_headings(heading, question):
    assert suggest([heading], ["With attention each French word looks."]) == [question]


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("第三章 光合作用", "什么是光合作用？"),
        ("二、词元：把文字切成小块", "什么是词元？"),
        ("2.3 梯度下降", "什么是梯度下降？"),
        ("编码器与解码器", "文中是怎样讲“编码器与解码器”的？"),
        ("为什么需要位置编码", "为什么需要位置编码？"),
        ("BERT", "什么是BERT？"),
        ("什么是过拟合？", "什么是过拟合？"),
    ],
)
def test_chinese_headings(heading, question):
    assert suggest([heading], [], "zh") == [question]


@pytest.mark.parametrize(
    "heading",
    [
        *("1 Introduction", "References", "Table of Contents", "CHAPTER 7", "Related Work", "12"),
        *("Attention Is All You Need", "How language models read", "To the reader of this book"),
        *(
            "https://example.org/a",
            "me@example.org",
            "x" * 60,
            "",
            "***",
            "f(x) = x_1 + 2",
            "第一章",
        ),
    ],
)
def test_english_headings_that_name_nothing(heading):
    assert suggest([heading], []) == []


@pytest.mark.parametrize(
    "heading", ["目录", "1. 引言", "第五章 小结", "参考文献", "可以试一试的问题", "附录 A", ""]
)
def test_chinese_headings_that_name_nothing(heading):
    assert suggest([heading], [], "zh") == []


@pytest.mark.parametrize(
    "sentence",
    [
        "It is a vector.",
        "This vector is a list.",
        "The following is a list of vectors.",
        "We are a company.",
        "Figure 3 is a plot.",
        "If the vector is a row, transpose it.",
        "Who wrote it is a secret.",
    ],
)
def test_sentences_that_define_nothing(sentence):
    assert suggest((), [sentence, sentence]) == []


def test_names_stay_names():
    sentences = ["Adobe Experience Platform is a product.", "Adobe Experience Platform sells."]
    assert suggest((), sentences, limit=1) == ["What is Adobe Experience Platform?"]


def test_no_doubles_and_no_more_than_asked():
    questions = suggest(["1 Attention", "Attention", "2 Vector", "Tokens"], limit=4)
    assert questions == [
        "What is a vector?",
        "What is attention?",
        "What is the context window?",
        "What are tokens?",
    ]
    assert suggest(limit=0) == []
    assert len(suggest(limit=2)) == 2


def test_words_every_document_repeats_are_no_subject():
    assert (
        suggest((), ["The following document, the following document, the following document."])
        == []
    )
    assert suggest((), ["问题，问题，问题；文档，文档，文档。"], "zh") == []


def test_nothing_to_ask_about():
    assert suggest((), ["", "42", "..."]) == []
    assert suggest((), [], "zh") == []
