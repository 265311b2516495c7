"""A newer statement about the same thing replaces the older one, and only that."""

from collections.abc import Iterator

import pytest

from core.domain.memory import Memory, MemoryState
from core.domain.upkeep import Change, ChangeKind
from core.memory.replacing import Replacing
from tests.upkeep import EPISODIC, NS, OTHER_NS, WORKING, Parts, made, open_parts

MAY_12, MAY_19 = "My exam is on 12 May.", "My exam is on 19 May."


@pytest.fixture
def parts(tmp_path) -> Iterator[Parts]:
    opened = open_parts(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def gone() -> list[str]:
    return []


@pytest.fixture
def replacing(parts: Parts, gone: list[str]) -> Replacing:
    return Replacing(
        store=parts.store,
        working=parts.working,
        undo=parts.undo,
        on_removed=[lambda ids, _: gone.extend(ids)],
    )


def say(parts: Parts, replacing: Replacing, memory: Memory, namespace: str = NS) -> Change | None:
    """Add a memory as the engine does."""
    older = replacing.check(memory, namespace)
    parts.add(memory, namespace=namespace)
    return replacing.apply(memory, older, namespace=namespace)


def states(parts: Parts) -> dict[str, MemoryState]:
    return {m.id: m.state for m in parts.store.list(namespace=NS)}


def test_the_older_is_marked_and_can_come_back(parts, replacing, gone) -> None:
    older = made("old", MAY_12, days=2)
    parts.add(older)
    change = say(parts, replacing, made("new", MAY_19, days=1))
    assert change is not None
    assert (change.kind, change.before, change.after) == (ChangeKind.REPLACED, (older,), ("new",))
    marked = parts.store.get("old", namespace=NS)
    assert (marked.state, marked.replaced_by) == (MemoryState.REPLACED, "new")
    assert marked.content == MAY_12
    assert gone == ["old"]
    parts.undo.undo(change.id, namespace=NS)
    assert parts.store.get("old", namespace=NS) == older
    assert states(parts) == {"old": MemoryState.CURRENT, "new": MemoryState.CURRENT}


def test_a_chinese_statement_is_replaced_by_its_change(parts, replacing) -> None:
    parts.add(made("old", "我的考试在5月12日。", days=2))
    say(parts, replacing, made("new", "考试改到5月19日了。", days=1))
    assert states(parts) == {"old": MemoryState.REPLACED, "new": MemoryState.CURRENT}


def test_back_and_forth_leaves_the_last_word(parts, replacing) -> None:
    for number, text in enumerate(("I like tea.", "I no longer like tea.", "I like tea again.")):
        say(parts, replacing, made(str(number), text, days=9 - number))
    assert [i for i, state in states(parts).items() if state is MemoryState.CURRENT] == ["2"]


def test_an_episode_is_replaced_by_a_note(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=2, kind=EPISODIC, event="memory"))
    say(parts, replacing, made("new", MAY_19))
    assert states(parts)["old"] is MemoryState.REPLACED


@pytest.mark.parametrize(
    "older",
    [
        made("old", MAY_12, days=2, pinned=True),
        made("old", MAY_12, days=2, kind=EPISODIC, event="qa_interaction"),
        made("old", MAY_12, days=2, event="passage"),
        made("old", MAY_12, days=2, metadata={"concept": "biology"}),
        made("old", MAY_12, days=2, metadata={"document_id": "d2"}),
        made("old", MAY_12, days=-1),
        made("old", "My exam is on May 19th.", days=2),
        made("old", MAY_12 + " Bring a calculator.", days=2),
    ],
    ids=["pinned", "question", "passage", "concept", "document", "later", "same", "tells more"],
)
def test_what_stays(parts, replacing, older) -> None:
    parts.add(older)
    newer = made("new", MAY_19, metadata={"concept": "history", "document_id": "d1"})
    assert say(parts, replacing, newer) is None
    assert set(states(parts).values()) == {MemoryState.CURRENT}


def test_a_general_concept_sets_nothing_apart(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=2, metadata={"concept": "general"}))
    say(parts, replacing, made("new", MAY_19, metadata={"concept": "exams"}))
    assert states(parts)["old"] is MemoryState.REPLACED


def test_another_learner_has_another_exam(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=2), namespace=OTHER_NS)
    assert say(parts, replacing, made("new", MAY_19)) is None
    assert parts.store.get("old", namespace=OTHER_NS).state is MemoryState.CURRENT


def test_a_change_without_a_name_is_about_the_only_exam_there_is(parts, replacing) -> None:
    parts.add(made("maths", "The maths exam is on 12 May.", days=3))
    moved = made("moved", "The exam was moved to 19 May.", days=1)
    assert [m.id for m in replacing.check(moved, NS)] == ["maths"]
    parts.add(made("physics", "The physics exam is on 14 May.", days=2))
    assert replacing.check(moved, NS) == []


def test_what_is_replaced_already_is_left_alone(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=3))
    say(parts, replacing, made("new", MAY_19, days=2))
    change = say(parts, replacing, made("newest", "My exam is on 26 May."))
    assert change is not None
    assert [m.id for m in change.before] == ["new"]


def test_what_was_written_before_is_found_out_of_date_when_it_comes_back(parts, replacing) -> None:
    old = made("old", MAY_12, days=3)
    assert replacing.newer_than(old, NS) is None
    parts.add(made("new", MAY_19, days=1))
    newer = replacing.newer_than(old, NS)
    assert newer is not None
    assert newer.id == "new"
    assert replacing.newer_than(made("old", MAY_12, days=3, pinned=True), NS) is None
    assert replacing.newer_than(made("older", MAY_12, days=0), NS) is None


def test_it_is_known_what_a_memory_replaced(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=3), made("other", "I like tea.", days=3))
    say(parts, replacing, made("new", MAY_19))
    assert [m.id for m in replacing.replaced_by(["new"], namespace=NS)] == ["old"]
    assert replacing.replaced_by(["other"], namespace=NS) == []


def test_working_memory_is_kept_up_to_date_without_touching_what_lasts(parts, replacing) -> None:
    first, second = (
        made(name, text, kind=WORKING, event="memory", days=days)
        for name, text, days in (("first", MAY_12, 0.02), ("second", MAY_19, 0.01))
    )
    parts.add(made("note", "My exam is on 14 May.", days=1))
    say(parts, replacing, first)
    assert say(parts, replacing, second) is None
    marked = parts.working.get("first", namespace=NS)
    assert (marked.state, marked.replaced_by) == (MemoryState.REPLACED, "second")
    assert states(parts) == {"note": MemoryState.CURRENT}
    assert parts.undo.list(namespace=NS) == []


def test_what_lasts_replaces_what_is_in_working_memory(parts, replacing) -> None:
    parts.add(made("passing", MAY_12, kind=WORKING, event="memory", days=0.02))
    parts.add(made("lasting", "My exam is on 14 May.", days=1))
    change = say(parts, replacing, made("new", MAY_19))
    assert [m.id for m in change.before] == ["lasting"]
    assert parts.working.get("passing", namespace=NS).state is MemoryState.REPLACED


def test_an_edited_or_deleted_text_is_not_compared_any_more(parts, replacing) -> None:
    parts.add(made("a", MAY_12, days=3), made("b", MAY_12, days=3))
    parts.store.add(made("a", "I like tea.", days=3), namespace=NS)
    parts.store.delete("b", namespace=NS)
    assert replacing.check(made("new", MAY_19), NS) == []


MAY_26 = "My exam is on 26 May."


@pytest.mark.parametrize(
    ("older", "newer"), [(MAY_12, MAY_19), ("我的考试在5月12日。", "考试改到5月19日了。")]
)
def test_when_the_newer_one_goes_the_older_counts_again(parts, replacing, older, newer) -> None:
    parts.add(made("old", older, days=3))
    say(parts, replacing, made("new", newer, days=1))
    assert states(parts)["old"] is MemoryState.REPLACED
    parts.store.delete("new", namespace=NS)
    replacing.let_go(["new"], NS)
    assert parts.store.get("old", namespace=NS) == made("old", older, days=3)


def test_a_middle_one_that_goes_leaves_the_last_word(parts, replacing) -> None:
    parts.add(made("1", MAY_12, days=3))
    say(parts, replacing, made("2", MAY_19, days=2))
    say(parts, replacing, made("3", MAY_26, days=1))
    parts.store.delete("2", namespace=NS)
    replacing.let_go(["2"], NS)
    first = parts.store.get("1", namespace=NS)
    assert (first.state, first.replaced_by) == (MemoryState.REPLACED, "3")
    parts.store.delete("3", namespace=NS)
    replacing.let_go(["3"], NS)
    assert states(parts) == {"1": MemoryState.CURRENT}


@pytest.mark.parametrize(
    ("state", "older"),
    [
        (MemoryState.OUTDATED, MemoryState.REPLACED),
        (MemoryState.REPLACED, MemoryState.REPLACED),
        (MemoryState.CURRENT, MemoryState.REPLACED),
        (MemoryState.UNWANTED, MemoryState.CURRENT),
        (MemoryState.WRONG, MemoryState.CURRENT),
    ],
)
def test_what_a_newer_one_holds_back_depends_on_its_state(parts, replacing, state, older) -> None:
    parts.add(made("old", MAY_12, days=3))
    say(parts, replacing, made("new", MAY_19, days=1))
    parts.store.add(made("new", MAY_19, days=1, state=state), namespace=NS)
    replacing.let_go(["new"], NS)
    assert states(parts)["old"] is older


def test_what_is_in_working_memory_holds_nothing_back_that_lasts(parts, replacing) -> None:
    parts.add(made("old", MAY_12, days=3))
    say(parts, replacing, made("new", MAY_19, days=1))
    say(parts, replacing, made("passing", MAY_26, kind=WORKING, event="memory"))
    parts.store.delete("new", namespace=NS)
    replacing.let_go(["new"], NS)
    assert states(parts) == {"old": MemoryState.CURRENT}


def test_who_wants_to_know_is_told_of_what_counts_again(parts) -> None:
    told: list[str] = []
    replacing = Replacing(
        store=parts.store,
        working=parts.working,
        undo=parts.undo,
        on_restored=[lambda memories, _: told.extend(m.id for m in memories)],
    )
    parts.add(made("old", MAY_12, days=3))
    say(parts, replacing, made("new", MAY_19, days=1))
    parts.store.delete("new", namespace=NS)
    replacing.let_go(["new"], NS)
    assert told == ["old"]


def test_an_archived_memory_holds_until_something_newer_that_lasts(parts, replacing) -> None:
    old = made("old", MAY_12, days=3)
    assert replacing.holds(old, NS)
    assert not replacing.holds(made("old", MAY_12, state=MemoryState.WRONG), NS)
    parts.add(made("passing", MAY_19, kind=WORKING, event="memory"))
    assert replacing.holds(old, NS)
    parts.add(made("new", MAY_19, days=1))
    assert not replacing.holds(old, NS)
