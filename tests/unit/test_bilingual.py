"""What a question asks, as said in the other language: with the real dictionary."""

import pytest

from core.rag.bilingual import cut, in_other_language
from core.rag.concepts import hashes


@pytest.mark.parametrize(
    ("run", "words"),
    [
        ("人工智能的历史", ["人工智能", "的", "历史"]),
        ("研究生命的起源", ["研究", "生命", "的", "起源"]),
        ("嚯", ["嚯"]),
        ("维生素", ["维生素"]),
        ("", []),
    ],
)
def test_text_is_cut_into_the_fewest_words(dictionary, run, words):
    assert cut(run, dictionary) == words


@pytest.mark.parametrize("run", ["嚯嘿咻" * 3, "学" * 400, "〇ゟ龘" * 5])
def test_nothing_is_lost_in_cutting(dictionary, run):
    assert "".join(cut(run, dictionary)) == run


def named(question, language, dictionary):
    return {c.name: c for c in in_other_language(question, language, dictionary)}


def test_a_chinese_question_in_english(dictionary):
    found = named("维生素的作用是什么？", "zh", dictionary)
    assert set(found) == {"维生素", "作用"}
    assert found["维生素"].is_in(hashes("Vitamins help the body."))
    assert found["作用"].is_in(hashes("the function of this"))


def test_an_english_question_in_chinese(dictionary):
    found = named("Who studies artificial intelligence?", "en", dictionary)
    assert found["artificial intelligenc"].is_in(hashes("人工智能"))
    assert not found["artificial intelligenc"].is_in(hashes("人工和智能"))
    assert found["intelligenc"].is_in(hashes("智力"))


def test_what_is_written_alike_stands_for_itself(dictionary):
    chinese = named("GPT-4在2023年有多少参数？", "zh", dictionary)
    assert chinese["2023"].is_in(hashes("in 2023"))
    assert chinese["gpt"].is_in(hashes("GPT"))
    english = named("Was Tesla born in 1856?", "en", dictionary)
    assert english["1856"].is_in(hashes("生于1856年"))
    assert english["tesla"].is_in(hashes("Tesla 出生"))


def test_chinese_words_in_an_english_question_stand_for_themselves(dictionary):
    found = named("What does 维生素 mean in medicine?", "en", dictionary)
    assert found["维生"].is_in(hashes("维生素"))
    assert found["medicin"].is_in(hashes("药"))


def test_chinese_words_are_found_in_chinese_sentences_of_an_english_document(dictionary):
    found = named("什么是机器学习？", "zh", dictionary)
    text = hashes("Notes on learning. 机器学习是人工智能的一个分支。")
    assert found
    assert all(concept.is_in(text) for concept in found.values())


@pytest.mark.parametrize("question", ["是什么？", "为什么没有？", "", "？！", "ゟゟ"])
def test_nothing_telling_is_no_concept(dictionary, question):
    assert in_other_language(question, "zh", dictionary) == ()


@pytest.mark.parametrize("question", ["", "What is it?", "?!"])
def test_stop_words_are_no_concept(dictionary, question):
    assert in_other_language(question, "en", dictionary) == ()


def test_a_traditional_question_is_the_simplified_one(dictionary):
    asked = "電腦是誰發明的？", "电脑是谁发明的？"
    found = [in_other_language(question, "zh", dictionary) for question in asked]
    assert found[0] == found[1]
    assert {c.name for c in found[0]} >= {"电脑", "发明"}


def test_a_repeated_word_is_one_concept(dictionary):
    assert len(in_other_language("维生素，维生素，维生素", "zh", dictionary)) == 1
