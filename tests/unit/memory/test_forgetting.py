"""Forgetting: what each strategy chooses and why, and that it can be undone."""

import math
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from core.domain.memory import Memory, MemoryKind
from core.domain.upkeep import ChangeKind, ForgetPlan, ForgetStrategy
from core.errors import InvalidInputError, NotFoundError
from core.memory.forgetting import plan
from core.memory.undo import UNDO_DAYS
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, OTHER_NS, SEMANTIC, WORKING, Parts, made, open_parts

ALL = tuple(MemoryKind)


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


def planned(*memories: Memory, strategy: ForgetStrategy, **options) -> list[str]:
    return [item.memory.id for item in plan_of(*memories, strategy=strategy, **options).items]


def plan_of(*memories: Memory, strategy: ForgetStrategy, **options) -> ForgetPlan:
    defaults = {"threshold": 0.1, "max_age_days": 30, "kinds": ALL, "capacities": {}}
    return plan(memories, strategy, **{**defaults, **options}, now=MONDAY)


def test_importance_below_the_threshold_goes_the_least_first() -> None:
    memories = [made(str(n), importance=n / 10) for n in range(6)]
    by_importance = ForgetStrategy.IMPORTANCE
    assert planned(*memories, strategy=by_importance) == ["0"]
    assert planned(*memories[::-1], strategy=by_importance, threshold=0.3) == ["0", "1", "2"]
    (item, *_) = plan_of(*memories, strategy=by_importance, threshold=0.3).items
    assert item.reasons == {"importance": 0.0, "threshold": 0.3}


def test_age_over_the_limit_goes_by_the_time_it_was_made() -> None:
    memories = [
        made("at the limit", days=30),
        made("old", days=31, importance=1.0, uses=99, used_at=MONDAY),
        made("older", days=300),
        made("new"),
    ]
    by_time = ForgetStrategy.TIME
    assert planned(*memories, strategy=by_time) == ["older", "old"]
    assert planned(*memories, strategy=by_time, max_age_days=100) == ["older"]
    first = plan_of(*memories, strategy=by_time).items[0]
    assert first.reasons == {"age_days": 300, "max_age_days": 30}
    assert first.score == pytest.approx(0.5**10)


def test_pinned_memories_are_never_chosen() -> None:
    pinned = [made(str(n), days=999, importance=0, pinned=True) for n in range(5)]
    for strategy in ForgetStrategy:
        options = {"threshold": 1.0, "max_age_days": 0, "capacities": {SEMANTIC: 1}}
        assert planned(*pinned, strategy=strategy, **options) == []


def test_kinds_narrow() -> None:
    memories = [made("note", importance=0), made("episode", kind=EPISODIC, importance=0)]
    chosen = planned(*memories, strategy=ForgetStrategy.IMPORTANCE, kinds=(EPISODIC,))
    assert chosen == ["episode"]


def test_over_capacity_the_least_important_go_first_until_it_fits() -> None:
    memories = [made(str(n), days=100, importance=n / 10) for n in range(1, 8)]
    by_capacity = ForgetStrategy.CAPACITY
    assert planned(*memories, strategy=by_capacity, capacities={SEMANTIC: 7}) == []
    assert planned(*memories, strategy=by_capacity, capacities={SEMANTIC: 4}) == ["1", "2", "3"]
    assert planned(*memories, strategy=by_capacity, capacities={EPISODIC: 0}) == []
    first = plan_of(*memories, strategy=by_capacity, capacities={SEMANTIC: 4}).items[0]
    assert first.reasons == {"importance": 0.1, "idle_days": 100, "count": 7, "capacity": 4}


def test_over_capacity_recent_use_counts_and_the_threshold_goes_first() -> None:
    memories = [
        made("important, long ago", days=100, importance=0.9),
        made("plain, new", importance=0.5),
        made("plain, used today", days=100, importance=0.5, uses=1, used_at=MONDAY),
        made("unimportant, new", importance=0.2),
    ]
    by_capacity = ForgetStrategy.CAPACITY
    one, two = {SEMANTIC: 3}, {SEMANTIC: 2}
    assert planned(*memories, strategy=by_capacity, capacities=one) == ["important, long ago"]
    low_first = planned(*memories, strategy=by_capacity, capacities=two, threshold=0.3)
    assert low_first == ["unimportant, new", "important, long ago"]


def test_pinned_memories_count_for_the_capacity() -> None:
    pinned = [made(str(n), importance=0, pinned=True) for n in range(4)]
    chosen = planned(
        *pinned, made("free"), strategy=ForgetStrategy.CAPACITY, capacities={SEMANTIC: 2}
    )
    assert chosen == ["free"]


def test_intelligent_forgetting_weighs_four_things_as_documented() -> None:
    memory = made("a", days=60, importance=0.2, uses=2, used_at=MONDAY - timedelta(days=30))
    (item,) = plan_of(memory, strategy=ForgetStrategy.INTELLIGENT, threshold=0.5).items
    kept = math.exp(-30 / (10 * 3))
    frequency = math.log(3) / math.log(11)
    expected = 0.4 * 0.2 + 0.3 * kept + 0.2 * frequency + 0.1 * 0.25
    assert item.score == pytest.approx(expected, abs=1e-9)
    assert item.reasons["retrievability"] == pytest.approx(kept)
    assert item.reasons["frequency"] == pytest.approx(frequency)
    assert item.reasons["freshness"] == 0.25
    assert item.reasons["age_days"] == 60
    assert item.reasons["idle_days"] == 30
    assert item.reasons["uses"] == 2


def test_intelligent_forgetting_spares_what_is_used() -> None:
    old = {"days": 365, "importance": 0.2}
    memories = [
        made("never used", **old),
        made("used", **old, uses=9, used_at=MONDAY - timedelta(days=3)),
        made("said again", **old, sightings=4, seen_at=MONDAY - timedelta(days=3)),
        made("new", importance=0.2),
        made("important", days=365, importance=0.9),
    ]
    assert planned(*memories, strategy=ForgetStrategy.INTELLIGENT) == ["never used"]
    all_of_them = planned(*memories, strategy=ForgetStrategy.INTELLIGENT, threshold=1.0)
    assert all_of_them[0] == "never used"
    assert len(all_of_them) == 5


def test_the_example_of_the_documentation() -> None:
    notes = [
        made("A", days=200, importance=0.2),
        made("B", days=200, importance=0.2, uses=8, used_at=MONDAY - timedelta(days=2)),
        made("C", days=200, importance=0.9),
        made("D", days=3, importance=0.05),
        made("E", days=45, sightings=3, seen_at=MONDAY - timedelta(days=20)),
        made("F", days=300, importance=0, pinned=True),
    ]
    three = {SEMANTIC: 3}
    gone = {
        strategy: set(planned(*notes, strategy=strategy, capacities=three))
        for strategy in ForgetStrategy
    }
    assert gone == {
        ForgetStrategy.IMPORTANCE: {"D"},
        ForgetStrategy.TIME: {"A", "B", "C", "E"},
        ForgetStrategy.CAPACITY: {"A", "D", "E"},
        ForgetStrategy.INTELLIGENT: {"A"},
    }
    everything = plan_of(*notes, strategy=ForgetStrategy.INTELLIGENT, threshold=1.0)
    scores = {item.memory.id: round(item.score, 3) for item in everything.items}
    assert scores == {"A": 0.081, "D": 0.336, "C": 0.361, "E": 0.481, "B": 0.558}


def test_a_preview_changes_nothing_and_reaches_working_memory(parts: Parts) -> None:
    parts.add(made("a", importance=0), made("w", kind=WORKING, importance=0), made("kept"))
    parts.add(made("b", importance=0), namespace=OTHER_NS)
    preview = parts.forgetting.preview(namespace=NS)
    assert {item.memory.id for item in preview.items} == {"a", "w"}
    assert (preview.threshold, preview.max_age_days, preview.kinds) == (0.1, 30, ALL)
    assert parts.ids() == {"a", "w", "kept"}
    assert parts.undo.list(namespace=NS) == []


@pytest.mark.parametrize("options", [{"threshold": -0.1}, {"threshold": 2}, {"max_age_days": -1}])
def test_impossible_parameters_are_refused(parts: Parts, options: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError):
        parts.forgetting.preview(namespace=NS, **options)


def test_what_is_forgotten_comes_back_as_it_was(parts: Parts) -> None:
    used = made("a", "entropy grows", importance=0, uses=3, used_at=MONDAY, sightings=2)
    parts.add(used, made("e", "entropy episode", kind=EPISODIC, importance=0))
    parts.add(made("w", kind=WORKING, importance=0), made("kept", "entropy kept"))
    parts.add(replace(used, id="bob"), namespace=OTHER_NS)
    change = parts.forgetting.apply(parts.forgetting.preview(namespace=NS), namespace=NS)
    assert change is not None
    assert (change.kind, change.detail) == (ChangeKind.FORGOTTEN, "importance_based")
    assert change.expires_at - change.at == timedelta(days=UNDO_DAYS)
    assert parts.ids() == {"kept"}
    assert parts.found("entropy") == {"kept"}
    assert parts.points() == 1
    assert sorted(parts.removed) == ["a", "e", "w"]
    assert parts.undo.list(namespace=NS) == [change]
    assert parts.undo.list(namespace=OTHER_NS) == []

    restored = parts.undo.undo(change.id, namespace=NS)
    assert sorted(m.id for m in restored) == ["a", "e", "w"] == sorted(parts.restored)
    assert parts.store.get("a", namespace=NS) == used
    assert parts.ids() == {"a", "e", "w", "kept"}
    assert parts.found("entropy") == {"a", "e", "kept"}
    assert parts.undo.list(namespace=NS) == []
    with pytest.raises(NotFoundError):
        parts.undo.undo(change.id, namespace=NS)
    assert parts.found("entropy", OTHER_NS) == {"bob"}


def test_a_plan_that_is_out_of_date_takes_what_is_left_and_not_pinned(parts: Parts) -> None:
    parts.add(made("a", importance=0), made("b", importance=0), made("c", importance=0))
    preview = parts.forgetting.preview(namespace=NS)
    parts.durable[SEMANTIC].delete("a", namespace=NS)
    pinned = replace(made("b", importance=0), pinned=True)
    parts.store.add(pinned, namespace=NS)
    change = parts.forgetting.apply(preview, namespace=NS)
    assert change is not None
    assert [m.id for m in change.before] == ["c"]
    assert parts.forgetting.apply(preview, namespace=NS) is None
    assert parts.forgetting.apply(["b", "unknown"], namespace=NS) is None
    assert parts.ids() == {"b"}


def test_another_learner_cannot_undo(parts: Parts) -> None:
    parts.add(made("a", importance=0))
    change = parts.forgetting.apply(["a"], namespace=NS)
    assert change is not None
    with pytest.raises(NotFoundError):
        parts.undo.undo(change.id, namespace=OTHER_NS)


def test_after_thirty_days_it_is_gone_for_good_on_disk_too(parts: Parts, tmp_path) -> None:
    phrase = "zebra-unmistakable-斑马"
    parts.add(made("a", phrase, importance=0))
    change = parts.forgetting.apply(["a"], namespace=NS)
    assert change is not None

    def on_disk() -> bool:
        return any(phrase.encode() in p.read_bytes() for p in tmp_path.rglob("*") if p.is_file())

    parts.clock.forward(days=UNDO_DAYS, seconds=-1)
    assert parts.undo.list(namespace=NS) == [change]
    assert on_disk()
    parts.clock.forward(seconds=1)
    assert parts.undo.list(namespace=NS) == []
    assert not on_disk()
    with pytest.raises(NotFoundError):
        parts.undo.undo(change.id, namespace=NS)


def test_a_working_memory_over_its_time_does_not_come_back(parts: Parts) -> None:
    parts.add(made("w", kind=WORKING, importance=0), made("a", importance=0))
    change = parts.forgetting.apply(["w", "a"], namespace=NS)
    assert change is not None
    parts.clock.forward(hours=2)
    assert [m.id for m in parts.undo.undo(change.id, namespace=NS)] == ["a"]
    assert parts.ids() == {"a"}


@pytest.mark.parametrize(
    "now", [{"importance": 0.99}, {"content": "something else"}, {"kind": EPISODIC}]
)
def test_what_changed_since_the_preview_stays(parts: Parts, now: dict[str, object]) -> None:
    parts.add(made("a", importance=0.01), made("b", importance=0.01))
    preview = parts.forgetting.preview(namespace=NS)
    parts.store.add(replace(parts.store.get("a", namespace=NS), **now), namespace=NS)
    change = parts.forgetting.apply(preview, namespace=NS)
    assert [m.id for m in change.before] == ["b"]
    assert parts.ids() == {"a"}


def test_what_was_used_since_the_preview_is_weighed_again(parts: Parts) -> None:
    parts.add(made("a", days=200, importance=0.1))
    preview = parts.forgetting.preview(ForgetStrategy.INTELLIGENT, threshold=0.3, namespace=NS)
    assert len(preview.items) == 1
    for _ in range(20):
        parts.store.note_used(["a"], at=MONDAY, namespace=NS)
    assert parts.forgetting.apply(preview, namespace=NS) is None


def test_no_more_go_by_capacity_than_there_are_too_many_now(tmp_path) -> None:
    parts = open_parts(tmp_path / "few", capacities={SEMANTIC: 2})
    parts.add(*(made(name, importance=0.1 * n) for n, name in enumerate("abcd", start=1)))
    preview = parts.forgetting.preview(ForgetStrategy.CAPACITY, namespace=NS)
    assert [item.memory.id for item in preview.items] == ["a", "b"]
    raised = replace(parts.store.get("a", namespace=NS), importance=0.9)
    parts.store.add(raised, namespace=NS)
    parts.durable[SEMANTIC].delete("d", namespace=NS)
    change = parts.forgetting.apply(preview, namespace=NS)
    assert [m.id for m in change.before] == ["b"]
    parts.add(made("e"))
    parts.durable[SEMANTIC].delete("e", namespace=NS)
    assert parts.forgetting.apply(preview, namespace=NS) is None
    parts.close()
