from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.domain.document import Document, ReaderName
from core.rag.fusion import (
    Candidate,
    FusionWeights,
    Weights,
    best_of,
    diverse,
    in_context,
    page_of,
    scores_of,
    weights_for,
)

FIRST, SECOND = (1, 0), (2, 0)


def document(name="d", language="en", embedder="e"):
    return Document(
        id=name,
        name=name,
        title=name,
        sha256=name,
        size=1,
        pages=2,
        chunks=2,
        language=language,
        reader=ReaderName.LITEPARSE,
        loaded_at=datetime(2026, 3, 2, tzinfo=UTC),
        embedder=embedder,
    )


def candidate(row, cosine, refined=None, passage=None, **kwargs):
    return Candidate(
        id=f"c{row}",
        document=document(**kwargs),
        ordinal=row,
        row=row,
        windows={FIRST: cosine},
        refined={} if refined is None else {FIRST: refined},
        passage=passage,
    )


def scores(candidates, language="en", weights=None, **columns):
    rows = 1 + max(c.row for c in candidates)
    words = {
        name: np.array(columns.get(name, [0.0] * rows))
        for name in ("bm25", "page_bm25", "coverage")
    }
    return scores_of(candidates, words, language=language, weights=weights or FusionWeights())


def fused(*args, **kwargs):
    return {name: own["fused"] for name, own in scores(*args, **kwargs).items()}


def test_best_in_everything_has_one():
    everything = {name: [1.0] for name in ("bm25", "page_bm25", "coverage")}
    for one in (candidate(0, 0.4), candidate(0, 0.4, 0.8, 0.9)):
        for language in ("en", "zh"):
            assert fused([one], language, **everything)["c0"] == pytest.approx(1.0)


def test_a_score_is_the_weighted_mean_of_its_signals():
    weights = FusionWeights(own=Weights(0.5, 0.4, 0.15, 0.2))
    found = scores(
        [candidate(0, 0.8), candidate(1, 0.4)],
        weights=weights,
        bm25=[0.0, 1.0],
        page_bm25=[0.5, 1.0],
        coverage=[0.2, 0.6],
    )
    assert found["c0"]["fused"] == pytest.approx((0.5 + 0.15 * 0.5 + 0.2 * 0.2) / 1.25)
    assert found["c1"]["fused"] == pytest.approx((0.25 + 0.4 + 0.15 + 0.2 * 0.6) / 1.25)
    assert found["c1"]["cosine"] == pytest.approx(0.4)
    assert found["c1"]["dense"] == pytest.approx(0.5)


def test_nothing_to_score():
    assert scores_of([], {}, language="en", weights=FusionWeights()) == {}


def test_no_cosine_and_no_words_is_nothing():
    assert fused([candidate(0, -0.2), candidate(1, 0.0)]) == {"c0": 0.0, "c1": 0.0}


def test_cosines_of_two_embedders_are_each_measured_by_their_own_best():
    found = scores([candidate(0, 0.9, embedder="a"), candidate(1, 0.3, embedder="b")])
    assert found["c0"]["dense"] == found["c1"]["dense"] == 1.0


@pytest.mark.parametrize(
    ("language", "refined", "name"),
    [
        ("en", False, "own"),
        ("en", True, "own_refined"),
        ("zh", False, "other"),
        ("zh", True, "other_refined"),
    ],
)
def test_the_weights_of_a_situation(language, refined, name):
    weights = FusionWeights()
    one = candidate(0, 0.5, *(0.8, 0.8) if refined else ())
    assert weights_for(one, language, weights) is getattr(weights, name)


def test_across_languages_the_vectors_lead():
    near, words = candidate(0, 0.8), candidate(1, 0.6)
    columns = {name: [0.0, 1.0] for name in ("bm25", "page_bm25", "coverage")}
    own = fused([near, words], "en", **columns)
    other = fused([near, words], "zh", **columns)
    assert own["c1"] > own["c0"]
    assert other["c1"] - other["c0"] < own["c1"] - own["c0"]


def test_refined_and_not_refined_in_one_library():
    """What the refining tier does not know has no part of it, and is not punished for that."""
    known = candidate(0, 0.8, 0.9, 0.9)
    unknown = candidate(1, 0.8, name="new")
    columns = {name: [1.0, 1.0] for name in ("bm25", "page_bm25", "coverage")}
    found = scores([known, unknown], **columns)
    assert "refined_passage" in found["c0"]
    assert "refined_passage" not in found["c1"]
    assert found["c0"]["fused"] == pytest.approx(found["c1"]["fused"]) == pytest.approx(1.0)


@pytest.mark.parametrize(("refined", "passage"), [(0.9, None), (None, 0.9)])
def test_half_refined_is_not_refined(refined, passage):
    one = candidate(0, 0.5, refined, passage)
    assert not one.is_refined
    assert "refined_windows" not in scores([one])["c0"]


def test_refined_cosines_are_told_apart_although_they_lie_close():
    best, near, far = (candidate(i, 0.5, v, v) for i, v in enumerate((0.9, 0.88, 0.5)))
    found = scores([best, near, far])
    assert [found[c.id]["refined_passage"] for c in (best, near, far)] == pytest.approx(
        [1, 0.8, -1]
    )


def test_neither_language_buries_the_other_in_the_refining_tier():
    """Its cosines are higher between texts of one language."""
    own = [candidate(i, 0.5, v, v, name="en") for i, v in enumerate((0.90, 0.80))]
    other = [
        candidate(i, 0.5, v, v, name="zh", language="zh") for i, v in enumerate((0.84, 0.74), 2)
    ]
    found = scores([*own, *other])
    assert found["c0"]["refined_passage"] == pytest.approx(found["c2"]["refined_passage"])
    assert found["c1"]["refined_passage"] == pytest.approx(found["c3"]["refined_passage"])


def test_a_window_counts_in_its_surroundings():
    assert in_context([0.4]) == pytest.approx([0.4])
    assert in_context([0.2, 0.6, 0.4]) == pytest.approx([0.3, 0.45, 0.45])
    assert in_context([]) == []


def test_the_best_window_and_the_mean():
    windows = {(1, 9): 0.2, (1, 0): 0.8}
    assert best_of(windows, 1.0) == pytest.approx(0.8)
    assert best_of(windows, 0.0) == pytest.approx(0.5)
    assert best_of(windows, 0.6) == pytest.approx(0.68)
    assert best_of({}, 0.6) == 0.0


def test_a_passage_is_on_the_page_of_its_best_window():
    one = replace(candidate(0, 0.2), windows={FIRST: 0.2, SECOND: 0.7})
    assert page_of(one) == 2
    assert page_of(replace(one, windows={FIRST: 0.7, SECOND: 0.2})) == 1
    assert page_of(replace(one, windows={})) is None


def test_the_refining_tier_decides_on_the_page():
    one = replace(
        candidate(0, 0.2), windows={FIRST: 0.5, SECOND: 0.4}, refined={FIRST: 0.7, SECOND: 0.9}
    )
    assert page_of(one) == 2
    assert page_of(replace(one, windows={})) == 2


def on_pages(*pages):
    return [replace(candidate(i, 0.5), page=page) for i, page in enumerate(pages)]


def order(candidates, values):
    scored = {c.id: v for c, v in zip(candidates, values, strict=True)}
    return [c.row for c in diverse(candidates, scored, FusionWeights(same_page=0.1))]


def test_further_passages_of_a_page_come_a_little_later():
    assert order(on_pages(1, 1, 2), [1.0, 0.95, 0.9]) == [0, 2, 1]
    assert order(on_pages(1, 1, 2), [1.0, 0.95, 0.8]) == [0, 1, 2]
    assert order(on_pages(1, 1, 1, 2), [1.0, 0.99, 0.98, 0.85]) == [0, 1, 3, 2]


def test_the_best_stays_first():
    for values in ([1.0, 0.99, 0.98], [0.2, 1.0, 0.9], [-0.1, -0.3, -0.2]):
        assert order(on_pages(1, 1, 1), values)[0] == values.index(max(values))


def test_passages_without_a_page_do_not_hinder_each_other():
    assert order(on_pages(None, None, 3), [1.0, 0.95, 0.94]) == [0, 1, 2]
    assert diverse([], {}, FusionWeights()) == []
