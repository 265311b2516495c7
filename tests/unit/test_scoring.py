"""Formulas: golden values computed by hand, and what holds for all inputs."""

import itertools
import math
import random

import pytest

from core.scoring import (
    episodic_recency,
    episodic_score,
    fuse,
    importance_weight,
    min_max,
    perceptual_recency,
    perceptual_score,
    recall_score,
    scale_by_max,
    semantic_score,
    unrelated_limit,
    working_decay,
    working_priority,
    working_relevance,
    working_score,
)


def golden(value: float):
    return pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("importance", "weight"), [(0.0, 0.8), (0.5, 1.0), (0.9, 1.16), (1.0, 1.2)]
)
def test_importance_weight(importance, weight):
    assert importance_weight(importance) == golden(weight)


@pytest.mark.parametrize(
    ("hours", "decay"),
    [(0, 1.0), (6, 0.95), (12, 0.9025), (1, 0.99148756), (269, 0.1002947), (270, 0.1), (-5, 1.0)],
)
def test_working_decay(hours, decay):
    assert working_decay(hours) == golden(max(0.1, 0.95 ** (max(hours, 0) / 6)))
    assert working_decay(hours) == pytest.approx(decay, abs=6e-4)


def test_working_score_golden():
    assert working_relevance(0.6, 0.5) == golden(0.57)
    assert working_relevance(0.0, 0.5) == golden(0.5)
    # 0.57 × 0.95 × (0.8 + 0.4 × 0.6)
    assert working_score(0.57, 6.0, 0.6) == golden(0.56316)
    assert working_priority(12.0, 0.6) == golden(0.5415)


def test_episodic_score_golden():
    assert episodic_recency(0) == 1.0
    assert episodic_recency(3) == golden(0.25)
    # (0.8 × 0.7 + 0.2 × 0.25) × (0.8 + 0.4 × 0.9)
    assert episodic_score(0.7, 3, 0.9) == golden(0.7076)


def test_semantic_score_golden():
    # (0.7 × 0.8 + 0.3 × 0.5) × (0.8 + 0.4 × 0.8)
    assert semantic_score(0.8, 0.5, 0.8) == golden(0.7952)


def test_perceptual_score_golden():
    assert perceptual_recency(24) == golden(0.904837418)
    assert perceptual_recency(24 * 23) == golden(0.100258844)
    assert perceptual_recency(24 * 24) == 0.1
    # (0.8 × 0.5 + 0.2 × 0.904837418) × 1.0
    assert perceptual_score(0.5, 24, 0.5) == golden(0.580967484)


def test_recall_score_golden():
    # 0.9 × (1 - 0.05 × (1 - 1/2)) × 1.12
    assert recall_score(0.9, 1.0, 0.8) == golden(0.9828)


def test_recency_only_separates_equally_relevant_memories():
    assert recall_score(0.8, 0.0, 0.5) > recall_score(0.8, 400.0, 0.5)
    assert recall_score(0.85, 400.0, 0.5) > recall_score(0.8, 0.0, 0.5)


def test_nothing_makes_up_for_no_relevance():
    assert recall_score(0.0, 0.0, 1.0) == 0.0
    assert working_score(0.0, 0.0, 1.0) == 0.0


def test_formulas_never_fall_when_an_input_rises():
    random.seed(8)
    for _ in range(300):
        low, high = sorted((random.random(), random.random()))
        other, age = random.random(), random.random() * 100
        assert 0.8 <= importance_weight(low) <= importance_weight(high) <= 1.2
        assert 0.1 <= working_decay(100 * high) <= working_decay(100 * low) <= 1.0
        assert 0.1 <= perceptual_recency(1000 * high) <= perceptual_recency(1000 * low) <= 1.0
        for score in (working_score, episodic_score, perceptual_score, recall_score):
            assert score(low, age, other) <= score(high, age, other)
            assert score(other, age, low) <= score(other, age, high)
            assert score(other, high * 100, 0.5) <= score(other, low * 100, 0.5)
        assert semantic_score(low, other, 0.5) <= semantic_score(high, other, 0.5)
        assert semantic_score(other, low, 0.5) <= semantic_score(other, high, 0.5)


def test_scale_by_max():
    assert scale_by_max([2.0, 4.0, 0.0, -1.0]) == [0.5, 1.0, 0.0, 0.0]
    assert scale_by_max([0.0, -2.0]) == [0.0, 0.0]
    assert scale_by_max([]) == []


def test_min_max():
    assert min_max([2.0, 4.0, 3.0]) == [0.0, 1.0, 0.5]
    assert min_max([-1.0, 1.0]) == [0.0, 1.0]
    assert min_max([7.0, 7.0]) == [1.0, 1.0]
    assert min_max([]) == []


@pytest.mark.parametrize("scale", [scale_by_max, min_max])
def test_scaling_keeps_order_and_range(scale):
    random.seed(9)
    for _ in range(200):
        values = [random.uniform(0, 30) for _ in range(random.randint(1, 9))]
        scaled = scale(values)
        assert all(0.0 <= v <= 1.0 for v in scaled)
        assert max(scaled) == 1.0
        order = sorted(range(len(values)), key=values.__getitem__)
        assert all(scaled[a] <= scaled[b] for a, b in itertools.pairwise(order))


def test_fuse_is_the_weighted_mean():
    assert fuse(1.0, 0.0) == golden(0.5)
    assert fuse(0.4, 0.8) == golden(0.6)
    assert fuse(1.0, 1.0) == golden(1.0)


def test_unrelated_limit():
    # mean 0.1, population standard deviation 0.1
    assert unrelated_limit([0.0, 0.2, 0.0, 0.2]) == golden(0.4)
    assert unrelated_limit([0.7, 0.7]) == golden(0.7)
    assert not math.isnan(unrelated_limit([0.3]))
