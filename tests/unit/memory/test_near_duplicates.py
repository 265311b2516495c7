"""Pairs of memories that say nearly the same."""

from collections.abc import Iterator

import pytest

from core.domain.upkeep import ChangeKind
from core.memory.near_duplicates import NearDuplicates, likeness, near_duplicates
from tests.upkeep import EPISODIC, NS, Parts, made, open_parts


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Photosynthesis turns light into energy.", "Photosyntesis turns light into energy."),
        ("The mitochondria is the powerhouse of the cell", "Mitochondria: powerhouse of the cell."),
        ("Overfitting means memorising noise.", "Overfitting means memorizing the noise."),
        ("My exam is on 12 May.", "My exam is on May 12th."),
        ("监督学习需要有标签。", "监督学习需要标签"),
        ("我的考试在5月12日。", "我的考试是5月12号。"),
    ],
)
def test_the_same_in_other_words(one: str, other: str) -> None:
    assert likeness(one, other) >= 0.85


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I read chapter 3 of the long book", "I read chapter 4 of the long book"),
        ("The final exam is easy this year", "The final exam is not easy this year"),
        ("Anna likes Tom", "Tom likes Anna"),
        ("Supervised learning needs labels", "Unsupervised learning needs labels"),
        ("我喜欢喝茶", "我喜欢喝咖啡"),
        ("栈是后进先出的", "队列是先进先出的"),
        ("这个模型收敛", "这个模型不收敛"),
        ("My exam is on 12 May.", "My exam is on 19 May."),
    ],
)
def test_other_things_are_kept_apart(one: str, other: str) -> None:
    assert likeness(one, other) < 0.85


def test_pairs_are_of_one_kind_and_event_the_older_first() -> None:
    pairs = near_duplicates(
        [
            made("b", "Entropy never decreases.", days=1),
            made("a", "Entropy never decreases", days=2),
            made("c", "Entropy never decreases.", kind=EPISODIC, event="memory"),
            made("d", "Enthalpy may decrease."),
        ]
    )
    assert [(p.older.id, p.newer.id, p.alike) for p in pairs] == [("a", "b", 1.0)]


def test_a_pair_is_merged_on_request_and_comes_back(parts: Parts) -> None:
    older = made("a", "Entropy never decreases", days=2, importance=0.9, sightings=2)
    newer = made("b", "The entropy never decreases.", days=1)
    parts.add(older, newer, made("q", "Entropy never decreases", event="passage"))
    duplicates = NearDuplicates(store=parts.store, durable=parts.durable, undo=parts.undo)
    (pair,) = duplicates.find(namespace=NS)
    assert (pair.older, pair.newer) == (older, newer)
    change = duplicates.merge(pair, namespace=NS)
    assert change is not None
    assert change.kind is ChangeKind.MERGED
    kept = parts.store.get("b", namespace=NS)
    assert (kept.content, kept.sightings, kept.importance) == (newer.content, 3, 0.9)
    assert parts.ids() == {"b", "q"}
    assert duplicates.merge(pair, namespace=NS) is None
    parts.undo.undo(change.id, namespace=NS)
    assert parts.ids() == {"a", "b", "q"}
    assert parts.found("entropy") == {"a", "b", "q"}
