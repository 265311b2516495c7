"""What is found first: conversations, states, importance, and the tutorial's scorer."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.memory import MemoryKind, MemoryState, Scorer

NS = "pdf_a"
EPISODIC, SEMANTIC, WORKING = MemoryKind.EPISODIC, MemoryKind.SEMANTIC, MemoryKind.WORKING


@pytest.fixture
def conversation(add, clock):
    """Two sessions of Ada and Bob, a month apart."""
    for day, session, speaker, content in [
        (1, "c1", "Ada", "I went sailing with my brother."),
        (1, "c1", "Bob", "Was it nice?"),
        (1, "c1", "Ada", "It was windy, the mast broke!"),
        (1, "c1", "Bob", "I never liked sailing myself."),
        (31, "c2", "Bob", "Yesterday we baked bread."),
        (31, "c2", "Ada", "Sailing was better this time."),
    ]:
        clock.now = datetime(2026, 3, day, 9, tzinfo=UTC)
        add(
            f"{speaker}: {content}",
            EPISODIC,
            session_id=session,
            event="turn",
            metadata={"speaker": speaker},
        )


def test_who_is_named_is_preferred(conversation, recall):
    assert recall("What did Bob think of sailing?")[0] == "Bob: I never liked sailing myself."
    assert recall("What did Ada say about sailing?")[0].startswith("Ada:")


def test_what_was_said_around_is_found_after_it(conversation, recall):
    found = recall("mast", limit=10)
    assert found[0] == "Ada: It was windy, the mast broke!"
    assert "Bob: Was it nice?" in found[1:]
    assert "Bob: Yesterday we baked bread." not in found


def test_a_time_that_is_named_is_preferred_and_narrows_nothing(conversation, recall, clock):
    clock.now = datetime(2026, 6, 1, tzinfo=UTC)
    assert recall("Ada sailing on 31 March 2026")[0] == "Ada: Sailing was better this time."
    assert recall("Ada sailing on 1 March 2026")[0] == "Ada: I went sailing with my brother."
    assert len(recall("Ada sailing on 1 March 2026", limit=10)) > 2


def test_nothing_of_a_conversation_is_found_without_a_reason(conversation, recall):
    assert recall("quantum chromodynamics") == []


@pytest.mark.parametrize("scorer", list(Scorer))
def test_only_current_memories_are_found(add, manager, scorer):
    kept = add("softmax is current")
    for state in (MemoryState.REPLACED, MemoryState.WRONG, MemoryState.OUTDATED):
        old = add(f"softmax is {state.value}")
        manager.update(replace(old, state=state), namespace=NS)
    hits = manager.recall("softmax", namespace=NS, scorer=scorer)
    assert [hit.memory.id for hit in hits] == [kept.id]


@pytest.mark.parametrize("scorer", list(Scorer))
def test_the_least_importance_counts_before_the_limit(add, manager, scorer):
    for n in range(6):
        add(f"softmax number {n}", EPISODIC, importance=0.4)
    add("softmax that matters", importance=0.9)
    add("softmax just now", WORKING, importance=0.9)
    hits = manager.recall("softmax", namespace=NS, limit=2, min_importance=0.8, scorer=scorer)
    assert {hit.memory.content for hit in hits} == {"softmax that matters", "softmax just now"}


@pytest.mark.parametrize("scorer", list(Scorer))
def test_the_limit_is_that_of_all_kinds(add, manager, scorer):
    for kind in (SEMANTIC, EPISODIC, WORKING):
        for n in range(4):
            add(f"softmax {kind.value} {n}", kind)
    hits = manager.recall("softmax", namespace=NS, limit=5, scorer=scorer)
    assert len(hits) == 5
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)


# the tutorial's scorer


def test_the_tutorials_formulas(add, manager, clock, parts):
    old = add("softmax of old", EPISODIC, importance=0.9)
    clock.forward(days=3)
    new = add("softmax of now", EPISODIC, importance=0.2)
    note = add("softmax noted", SEMANTIC, importance=0.8)
    clock.forward(hours=6)
    hits = manager.recall("softmax", namespace=NS, scorer=Scorer.TUTORIAL)
    query = parts["embedder"].embed_query("softmax")
    by_id = {hit.memory.id: hit for hit in hits}
    for memory, days in ((old, 3.25), (new, 0.25)):
        cosine = float(query @ parts["embedder"].embed_query(memory.content))
        weight = 0.8 + 0.4 * memory.importance
        expected = (0.8 * cosine + 0.2 / (1 + days)) * weight
        assert by_id[memory.id].score == pytest.approx(expected, abs=1e-6)
        assert by_id[memory.id].relevance == pytest.approx(cosine, abs=1e-6)
    cosine = float(query @ parts["embedder"].embed_query(note.content))
    assert by_id[note.id].score == pytest.approx(0.7 * cosine * 1.12, abs=1e-6)


def test_the_tutorials_working_memory(add, manager, clock):
    add("softmax", WORKING, importance=0.6)
    clock.forward(minutes=30)
    (hit,) = manager.recall("softmax", namespace=NS, scorer=Scorer.TUTORIAL)
    # the same words: TF-IDF cosine and keyword score are 1
    assert hit.score == pytest.approx(0.95 ** (0.5 / 6) * 1.04, abs=1e-6)


def test_the_graph_counts_for_three_tenths_of_a_note(add, manager):
    near, far = add("softmax", importance=0.5), add("entirely different", importance=0.5)
    other = add("asked about it", EPISODIC, importance=0.5)

    def graph(query, *, namespace):
        assert (query, namespace) == ("softmax", NS)
        return {near.id: 0.5, far.id: 1.0, other.id: 1.0, "somebody else's": 1.0}

    manager.find_with(refining=None, graph=graph)
    hits = manager.recall("softmax", namespace=NS, kinds=[SEMANTIC], scorer=Scorer.TUTORIAL)
    scores = {hit.memory.id: hit.score for hit in hits}
    assert scores[near.id] == pytest.approx(0.7 + 0.15, abs=1e-6)
    assert scores[far.id] == pytest.approx(0.3, abs=0.1)
    assert other.id not in scores
