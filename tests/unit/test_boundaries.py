import itertools

import numpy as np
import pytest

from core.rag.boundaries import CutSizes, cut_positions, gap_depths

SIZES = CutSizes(least=40, target=100, most=150)


def topics(*counts, dimension=8, noise=0.0):
    """Make unit vectors: `counts[i]` windows about topic i, with some noise."""
    random = np.random.default_rng(3)
    rows = [np.eye(dimension)[i % dimension] for i, n in enumerate(counts) for _ in range(n)]
    found = np.array(rows) + noise * random.standard_normal((len(rows), dimension))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def test_the_deepest_gap_is_where_the_topic_changes():
    depths = gap_depths(topics(4, 4), side=3)
    assert depths.shape == (7,)
    assert int(depths.argmax()) == 3
    assert depths[3] == pytest.approx(2.0)


def test_windows_that_are_all_alike_have_no_depth():
    assert gap_depths(topics(6), side=3) == pytest.approx(np.zeros(5))


@pytest.mark.parametrize("counts", [(4, 5, 3), (5, 4, 4, 5), (3, 5)])
def test_cuts_are_the_changes_of_topic(counts):
    expected = np.cumsum(counts)[:-1].tolist()
    tokens = [25] * sum(counts)
    assert cut_positions(topics(*counts, noise=0.05), tokens, sizes=SIZES) == expected


def test_without_any_topic_the_parts_have_the_wanted_size():
    assert cut_positions(topics(12), [25] * 12, sizes=SIZES) == [4, 8]


def test_no_part_is_larger_than_the_most():
    random = np.random.default_rng(11)
    for _ in range(50):
        tokens = random.integers(1, 60, size=int(random.integers(2, 60))).tolist()
        vectors = topics(*[int(n) for n in random.integers(1, 9, size=12)], noise=0.3)
        vectors = np.resize(vectors, (len(tokens), vectors.shape[1]))
        cuts = cut_positions(vectors, tokens, sizes=SIZES)
        assert cuts == sorted(set(cuts))
        edges = [0, *cuts, len(tokens)]
        parts = [tokens[a:b] for a, b in itertools.pairwise(edges)]
        assert all(parts)
        assert all(sum(part) <= SIZES.most for part in parts)


def test_a_window_larger_than_the_most_is_a_part_of_its_own():
    assert cut_positions(topics(3), [20, 400, 20], sizes=SIZES) == [1, 2]


@pytest.mark.parametrize("count", [0, 1])
def test_nothing_to_cut(count):
    assert cut_positions(np.ones((count, 4), dtype=np.float32), [10] * count, sizes=SIZES) == []


def test_the_same_vectors_give_the_same_cuts():
    vectors, tokens = topics(4, 6, 3, 5, noise=0.2), [20] * 18
    first = cut_positions(vectors, tokens, sizes=SIZES)
    assert cut_positions(vectors, tokens, sizes=SIZES) == first
