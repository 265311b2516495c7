"""Comparing short texts by their words."""

import pytest

from core.memory.lexical import keyword_score, overlaps, tfidf_cosines


def test_tfidf_golden():
    # Two texts and the query, three documents: idf(cell) = ln(4/3) + 1, idf(wall) = ln(4/4)... the
    # query "cell" and the text "cell wall" differ by the weight of "wall" alone.
    cell, wall = 1.2876820724517808, 1.6931471805599454  # ln(4/3) + 1, ln(4/2) + 1
    assert tfidf_cosines("cell", ["cell wall", "sugar"]) == [
        pytest.approx(cell / (cell**2 + wall**2) ** 0.5, abs=1e-6),
        0.0,
    ]


def test_tfidf_of_equal_texts_is_one():
    assert tfidf_cosines("监督学习", ["监督学习"]) == [pytest.approx(1.0)]


def test_tfidf_without_anything():
    assert tfidf_cosines("cell", []) == []
    assert tfidf_cosines("the", ["the and of"]) == [0.0]


@pytest.mark.parametrize(
    ("query", "text", "score"),
    [
        ("cell wall", "The cell wall.", 8 / 11),
        ("监督学习", "监督学习需要标签", 4 / 8),
        ("walls cells", "cell wall", 0.8),  # the same words in another order
        ("cell", "sugar", 0.0),
        ("", "sugar", 0.0),
    ],
)
def test_keyword_score(query, text, score):
    assert keyword_score(query, text) == pytest.approx(score)


def test_overlap_is_the_share_of_the_query_found():
    everything, half, nothing = overlaps("cell wall", ["wall of a cell", "a cell", "sugar"])
    assert (everything, nothing) == (1.0, 0.0)
    assert 0.0 < half < 0.5  # "cell" stands in two texts, so it says less than "wall"


def test_overlap_counts_rare_terms_more():
    texts = ["cell division", "cell wall", "cell size", "mitosis"]
    rare, *common = overlaps("mitosis cell", texts)[::-1]
    assert all(rare > score > 0 for score in common)


def test_overlap_of_chinese_needs_no_word_borders():
    found, other = overlaps("监督学习有哪些", ["今天学了监督学习的定义", "光合作用"])
    assert found > 0.8
    assert other == 0.0
