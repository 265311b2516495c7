"""What matters moves on to a longer-lived memory, whole, once, and can be undone."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.domain.memory import Memory, MemoryState
from core.domain.upkeep import ChangeKind, ConsolidationPlan
from core.errors import InvalidInputError, StoreError
from core.memory.consolidation import Consolidation
from core.memory.replacing import Replacing
from tests.fakes import MONDAY
from tests.upkeep import EPISODIC, NS, OTHER_NS, SEMANTIC, WORKING, Parts, made, open_parts


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


class Full:
    """A store on a full disk: it cannot exchange records."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def exchange(self, *_: Any, **__: Any) -> None:
        raise StoreError("The disk is full.")


def consolidation_of(parts: Parts, told: list[str] | None = None, store: Any = None) -> Any:
    store = store or parts.store
    return Consolidation(
        store=store,
        vectors=parts.vectors,
        durable=parts.durable,
        working=parts.working,
        undo=parts.undo,
        changes=parts.changes,
        replacing=Replacing(store=parts.store, working=parts.working, undo=parts.undo),
        clock=parts.clock,
        working_ttl_minutes=60,
        on_added=[lambda memory, _: (told if told is not None else []).append(memory.id)],
    )


@pytest.fixture
def consolidation(parts: Parts) -> Consolidation:
    return consolidation_of(parts)


def working(memory_id: str, content: str = "", *, importance: float = 0.8, **fields: Any) -> Memory:
    fields.setdefault("event", "memory")
    return made(memory_id, content, kind=WORKING, importance=importance, **fields)


def moved_ids(plan: ConsolidationPlan) -> dict[str, str]:
    return {item.before.id: item.reason for item in plan.items}


def test_the_important_moves_with_all_it_has(parts, consolidation) -> None:
    before = working("a", "entropy grows", metadata={"document_id": "d", "page": 3}, uses=2)
    parts.add(before, working("b", importance=0.69))
    plan = consolidation.preview(namespace=NS)
    assert moved_ids(plan) == {"a": "importance"}
    assert parts.store.list(namespace=NS) == []
    change = consolidation.apply(plan, namespace=NS)
    assert (change.kind, change.before, change.after) == (
        ChangeKind.CONSOLIDATED,
        (before,),
        ("a",),
    )
    assert parts.store.get("a", namespace=NS) == replace(
        before,
        kind=EPISODIC,
        importance=pytest.approx(0.88),
        metadata={
            **before.metadata,
            "consolidated_from": "working",
            "consolidated_at": MONDAY.isoformat(),
        },
    )
    assert [m.id for m in parts.working.list(namespace=NS)] == ["b"]
    assert parts.found("entropy") == {"a"}


def test_importance_stays_within_one(parts, consolidation) -> None:
    parts.add(working("a", importance=1.0))
    consolidation.apply(consolidation.preview(namespace=NS), namespace=NS)
    assert parts.store.get("a", namespace=NS).importance == 1.0


def test_a_plan_done_twice_changes_nothing_more(parts, consolidation) -> None:
    parts.add(working("a"), working("b"))
    plan = consolidation.preview(namespace=NS)
    assert consolidation.apply(plan, namespace=NS) is not None
    kept = parts.store.list(namespace=NS)
    parts.clock.forward(minutes=5)
    assert consolidation.apply(plan, namespace=NS) is None
    assert parts.store.list(namespace=NS) == kept
    assert consolidation.preview(namespace=NS).items == ()


def test_episodes_that_state_something_become_knowledge(parts, consolidation) -> None:
    parts.add(
        made("fact", "entropy grows", kind=EPISODIC, importance=0.85, event="memory"),
        made("seen", "enthalpy falls", kind=EPISODIC, event="memory", sightings=3),
        made("weak", kind=EPISODIC, importance=0.7, event="memory"),
        made("loaded", kind=EPISODIC, importance=0.9, event="document_loaded"),
        made("asked", kind=EPISODIC, importance=0.9, event="qa_interaction", sightings=9),
        made("wrong", kind=EPISODIC, importance=0.9, state=MemoryState.WRONG, event="memory"),
    )
    plan = consolidation.preview(from_type=EPISODIC, to_type=SEMANTIC, namespace=NS)
    assert moved_ids(plan) == {"fact": "importance", "seen": "repetition"}
    consolidation.apply(plan, namespace=NS)
    assert {m.id for m in parts.store.list(namespace=NS, kinds=[SEMANTIC])} == {"fact", "seen"}
    near = parts.durable[SEMANTIC].similar(
        parts.embedder.embed_query("entropy"), namespace=NS, limit=9
    )
    assert max(near, key=lambda memory_id: near[memory_id]) == "fact"
    assert parts.points() == 6


def test_both_steps_are_planned_together(parts, consolidation) -> None:
    parts.add(working("a"), made("b", kind=EPISODIC, importance=0.9, event="memory"))
    assert moved_ids(consolidation.preview_all(namespace=NS)).keys() == {"a", "b"}


def test_the_threshold_and_the_step_can_be_chosen(parts, consolidation) -> None:
    parts.add(working("a", importance=0.3))
    low = {"importance_threshold": 0.2, "namespace": NS}
    assert moved_ids(consolidation.preview(**low)) == {"a": "importance"}
    straight = consolidation.preview(to_type=SEMANTIC, **low)
    assert [item.after.kind for item in straight.items] == [SEMANTIC]
    for wrong in ({"from_type": SEMANTIC, "to_type": EPISODIC}, {"from_type": EPISODIC}):
        with pytest.raises(InvalidInputError):
            consolidation.preview(**wrong, namespace=NS)
    with pytest.raises(InvalidInputError):
        consolidation.preview(importance_threshold=1.1, namespace=NS)


def test_the_same_text_in_the_target_is_one_memory_seen_once_more(parts, consolidation) -> None:
    twin = made("twin", "Entropy grows", kind=EPISODIC, days=3, event="memory", importance=0.4)
    source = working("a", "entropy grows.")
    parts.add(twin, source)
    change = consolidation.apply(consolidation.preview(namespace=NS), namespace=NS)
    assert parts.ids() == {"twin"}
    kept = parts.store.get("twin", namespace=NS)
    assert (kept.content, kept.sightings, kept.seen_at) == ("Entropy grows", 2, source.created_at)
    assert kept.importance == pytest.approx(0.88)
    assert parts.found("entropy") == {"twin"}
    parts.undo.undo(change.id, namespace=NS)
    assert parts.ids() == {"twin", "a"}
    assert parts.store.get("twin", namespace=NS).importance == 0.4


def test_the_same_text_twice_in_one_plan_is_one_memory(parts, consolidation) -> None:
    parts.add(working("a", "entropy grows"), working("b", "Entropy grows."))
    consolidation.apply(consolidation.preview(namespace=NS), namespace=NS)
    (kept,) = parts.store.list(namespace=NS)
    assert kept.sightings == 2
    assert parts.working.list(namespace=NS) == []
    assert parts.found("entropy") == {kept.id}


def test_it_is_undone_as_one_change(parts, consolidation) -> None:
    episode = made("e", "enthalpy", kind=EPISODIC, importance=0.9, event="memory")
    parts.add(working("a", "entropy grows"), episode)
    change = consolidation.apply(consolidation.preview_all(namespace=NS), namespace=NS)
    restored = parts.undo.undo(change.id, namespace=NS)
    assert {m.id for m in restored} == {"a", "e"}
    assert parts.working.list(namespace=NS) == [working("a", "entropy grows")]
    assert parts.store.list(namespace=NS) == [episode]


def test_what_has_an_answer_among_the_episodes_is_not_kept_again(parts, consolidation) -> None:
    asked = {"event": "question", "metadata": {"question_id": "q1"}}
    parts.add(
        working("a", **asked),
        made("answered", kind=EPISODIC, event="qa_interaction", metadata={"question_id": "q1"}),
        working("open", event="question", metadata={"question_id": "q2"}),
    )
    assert moved_ids(consolidation.preview(namespace=NS)).keys() == {"open"}


def test_important_working_memories_are_due_before_their_time_is_over(parts, consolidation) -> None:
    parts.add(working("a"), working("b", importance=0.6))
    assert consolidation.due(namespace=NS).items == ()
    parts.clock.forward(minutes=51)
    plan = consolidation.due(namespace=NS)
    assert moved_ids(plan) == {"a": "session_end"}
    assert moved_ids(consolidation.due(namespace=NS, within=timedelta(minutes=5))) == {}
    consolidation.apply(plan, namespace=NS)
    parts.clock.forward(minutes=60)
    assert parts.ids() == {"a"}


def test_a_statement_that_moves_replaces_and_is_replaced(parts, consolidation) -> None:
    parts.add(made("old", "My exam is on 12 May.", days=2))
    parts.add(working("new", "My exam is on 19 May."), working("stale", "I live in Berlin."))
    parts.add(made("moved", "I moved to Hamburg.", days=-0.1))
    consolidation.apply(consolidation.preview(namespace=NS), namespace=NS)
    found = {m.id: (m.state, m.replaced_by) for m in parts.store.list(namespace=NS)}
    assert found == {
        "old": (MemoryState.REPLACED, "new"),
        "new": (MemoryState.CURRENT, None),
        "stale": (MemoryState.REPLACED, "moved"),
        "moved": (MemoryState.CURRENT, None),
    }


def test_what_changed_or_left_since_the_preview_is_left_out(parts, consolidation) -> None:
    parts.add(working("a", "first text"), working("b"))
    plan = consolidation.preview(namespace=NS)
    parts.working.update(working("a", "another text"), namespace=NS)
    parts.working.delete("b", namespace=NS)
    assert consolidation.apply(plan, namespace=NS) is None
    assert parts.store.list(namespace=NS) == []


def test_a_full_disk_leaves_everything_as_it_was(parts) -> None:
    episode = made("e", "enthalpy", kind=EPISODIC, importance=0.9, event="memory")
    parts.add(working("a", "entropy grows"), episode)
    full = consolidation_of(parts, store=Full(parts.store))
    with pytest.raises(StoreError):
        full.apply(full.preview_all(namespace=NS), namespace=NS)
    assert parts.store.list(namespace=NS) == [episode]
    assert [m.id for m in parts.working.list(namespace=NS)] == ["a"]
    assert parts.points() == 1
    vector = parts.embedder.embed_query("enthalpy")
    assert "e" in parts.durable[EPISODIC].similar(vector, namespace=NS, limit=5)
    assert parts.undo.list(namespace=NS) == []


def test_others_are_told_and_another_learner_keeps_what_he_has(parts) -> None:
    told: list[str] = []
    consolidation = consolidation_of(parts, told)
    parts.add(working("a"), made("e", kind=EPISODIC, importance=0.9, event="memory"))
    parts.add(working("bob"), namespace=OTHER_NS)
    consolidation.apply(consolidation.preview_all(namespace=NS), namespace=NS)
    assert told == ["a"]
    assert [m.id for m in parts.working.list(namespace=OTHER_NS)] == ["bob"]
    assert parts.store.list(namespace=OTHER_NS) == []


def test_before_their_time_is_over_the_pinned_and_the_repeated_move_too(
    parts, consolidation
) -> None:
    parts.add(
        working("pinned", importance=0.1, pinned=True),
        working("question", pinned=True, event="question", metadata={"question_id": "q"}),
        working("often", importance=0.1, sightings=3),
        working("plain", importance=0.1),
        working("said again", sightings=2, seen_at=MONDAY + timedelta(minutes=40)),
        made("answer", kind=EPISODIC, metadata={"question_id": "q"}),
    )
    parts.clock.forward(minutes=55)
    due = moved_ids(consolidation.due(namespace=NS))
    assert due.keys() == {"pinned", "often", "question"}
    at_the_end = moved_ids(consolidation.due(namespace=NS, within=None))
    assert at_the_end.keys() == {"pinned", "often", "question", "said again"}


@pytest.mark.parametrize("now", [{"state": MemoryState.WRONG}, {"importance": 0.2}])
def test_what_was_marked_or_lowered_since_the_preview_stays(parts, consolidation, now) -> None:
    before = working("a")
    parts.add(before)
    plan = consolidation.preview(namespace=NS)
    parts.working.update(replace(before, **now), namespace=NS)
    assert consolidation.apply(plan, namespace=NS) is None
    assert parts.store.list(namespace=NS) == []
