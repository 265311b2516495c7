"""Keeping and losing memories, on the real stores."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.errors import InvalidInputError, ModelError, NotFoundError, StoreError
from core.memory.checks import MAX_CONTENT_CHARS
from core.memory.durable import in_windows
from core.memory.engine import MemoryEngine
from core.stores.database import open_database
from core.stores.memories import SqlMemoryStore
from core.stores.qdrant_edge import QdrantEdgeStore
from core.text.letters import letters
from core.text.tokens import count_tokens
from tests.fakes import WordEmbedder

NS = "pdf_a"
EPISODIC, SEMANTIC, WORKING = MemoryKind.EPISODIC, MemoryKind.SEMANTIC, MemoryKind.WORKING


class FailingEmbedder(WordEmbedder):
    """Breaks when asked for documents."""

    def embed_documents(self, texts):
        raise ModelError("The embedder broke.")


class FullDisk(SqlMemoryStore):
    """A record store that takes no more."""

    def add_all(self, added: Sequence[Memory], *, namespace: str) -> None:
        raise StoreError("The disk is full.")


class LostVectors(QdrantEdgeStore):
    """A vector store that takes no more."""

    def upsert(self, points, *, namespace: str) -> None:
        raise StoreError("The index is gone.")


# adding


def test_add_returns_what_was_kept(manager, clock, parts):
    memory = manager.add(
        "  Softmax sums to one.\n",
        SEMANTIC,
        namespace=NS,
        session_id="s1",
        event="note",
        importance=0.8,
        metadata={"concept": "softmax"},
    )
    assert memory == Memory(
        id="00000000-0000-0000-0000-000000000001",
        kind=SEMANTIC,
        content="Softmax sums to one.",
        importance=0.8,
        created_at=clock.now,
        session_id="s1",
        event="note",
        metadata={"concept": "softmax"},
    )
    assert parts["store"].list(namespace=NS) == [memory]
    assert manager.list(namespace=NS) == [memory]


@pytest.mark.parametrize("content", ["", " \n\t", "\x00\ud800"])
def test_blank_content_is_refused(add, content):
    with pytest.raises(InvalidInputError):
        add(content)


@pytest.mark.parametrize("importance", [-0.01, 1.01, float("nan")])
def test_importance_out_of_range_is_refused(add, importance):
    with pytest.raises(InvalidInputError):
        add("x", importance=importance)


def test_too_long_content_is_refused_with_both_numbers(add):
    with pytest.raises(InvalidInputError, match=f"{MAX_CONTENT_CHARS + 1}.*{MAX_CONTENT_CHARS}"):
        add("x" * (MAX_CONTENT_CHARS + 1))


FIGURES = [
    ("Figure 2: Cross section of the water wheel", {"document_id": "d1", "page": 3, "box": (1, 2)}),
    ("图 1：水磨坊的结构", {"document_id": "d1", "page": 9, "box": (1, 2)}),
    ("Fig. 7. Tides in the harbour", {"document_id": "d2", "page": 1, "box": (5, 6)}),
]


@pytest.fixture
def with_figures(manager):
    def keep():
        manager.add_figures(FIGURES, importance=0.5, namespace=NS, session_id="s")

    keep()
    keep()  # a load that goes on after a restart tells them again
    return manager


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("the diagram of the water wheel", 3),
        ("show me the picture of the wheel's section", 3),
        ("水磨坊的示意图", 9),
        ("figures about tides", 1),
    ],
)
def test_figures_are_found_by_what_their_captions_say(with_figures, query, page):
    hits = with_figures.recall(query, namespace=NS)
    assert hits[0].memory.kind is MemoryKind.PERCEPTUAL
    assert hits[0].memory.metadata["page"] == page


def test_figures_are_kept_once_and_go_with_their_document(with_figures):
    seen = {"kinds": [MemoryKind.PERCEPTUAL], "namespace": NS}
    assert len(with_figures.list(**seen)) == 3
    assert len(with_figures.recall("my figures", namespace=NS)) == 3
    with_figures.forget_document("d1", namespace="other")
    with_figures.forget_document("d1", namespace=NS)
    assert [m.metadata["document_id"] for m in with_figures.list(**seen)] == ["d2"]
    assert with_figures.recall("水磨坊的示意图", namespace=NS) == []


def test_a_picture_asked_for_may_be_a_note(manager, add):
    add("The drawing of the loom hangs in room 4.")
    assert manager.recall("drawing of the loom", namespace=NS)


def test_characters_no_database_takes_are_left_out(add):
    assert add("a\x00b\ud800c").content == "abc"


def test_the_same_note_twice_is_one_memory_with_two_sightings(add, manager, clock):
    first = add("Twice is enough.")
    clock.forward(hours=1)
    again = add("twice is  enough")
    assert (again.id, again.sightings, again.seen_at) == (first.id, 2, clock())
    assert manager.list(namespace=NS) == [again]


def test_the_same_text_about_another_concept_is_another_note(add, manager):
    add("It sums to one.", metadata={"concept": "softmax"})
    add("It sums to one.", metadata={"concept": "probability"})
    assert manager.count(namespace=NS) == {SEMANTIC: 2}


def test_working_memory_counts_sightings_too(manager):
    for _ in range(2):
        manager.add(
            "The plot is on page 4",
            WORKING,
            namespace=NS,
            session_id="s",
            event="memory",
            importance=0.5,
        )
    (kept,) = manager.list(namespace=NS)
    assert kept.sightings == 2


def test_the_same_question_twice_is_asked_twice(add, manager):
    add("Learning about 'erosion'", EPISODIC)
    add("Learning about 'erosion'", EPISODIC)
    assert manager.count(namespace=NS) == {EPISODIC: 2}


def test_a_changed_memory_is_found_by_its_new_text_only(add, manager):
    memory = add("Erosion moves soil.")
    manager.update(replace(memory, content="Attention weighs words."), namespace=NS)
    (hit,) = manager.recall("attention", namespace=NS)
    assert hit.memory.content == "Attention weighs words."
    assert manager.recall("erosion", namespace=NS) == []
    with pytest.raises(NotFoundError):
        manager.update(replace(memory, id="another"), namespace=NS)
    with pytest.raises(NotFoundError):
        manager.update(memory, namespace="pdf_b")


def test_uses_are_counted(add, manager, clock):
    note, question = add("Erosion moves soil."), add("Question: why", WORKING)
    clock.forward(days=0, minutes=5)
    manager.note_used([note.id, question.id, "gone"], namespace=NS)
    for memory in manager.list(namespace=NS):
        assert (memory.uses, memory.used_at) == (1, clock())


def test_listeners_hear_what_comes_and_goes(parts):
    heard = []
    manager = MemoryEngine(**parts)
    manager.subscribe(
        added=[lambda memory, namespace: heard.append((memory.content, namespace))],
        removed=[lambda ids, namespace: heard.append((list(ids), namespace))],
    )
    memory = manager.add(
        "a note", SEMANTIC, namespace=NS, session_id="s", event="note", importance=0.5
    )
    manager.update(replace(memory, pinned=True), namespace=NS)
    assert heard == [("a note", NS)]
    wrong = manager.update(replace(memory, state=MemoryState.WRONG), namespace=NS)
    assert heard[1:] == [([memory.id], NS)]
    manager.update(replace(wrong, state=MemoryState.CURRENT), namespace=NS)
    assert heard[2:] == [([memory.id], NS), ("a note", NS)]
    manager.delete(memory.id, namespace=NS)
    assert heard[4:] == [([memory.id], NS)]


def test_no_text_in_the_vector_store(add, parts):
    memory = add("Softmax sums to one.", metadata={"concept": "softmax"})
    vector = parts["embedder"].embed_query("softmax")
    (hit,) = parts["vectors"].search(vector, namespace=NS, where={}, limit=5)
    own = {key: value for key, value in hit.payload.items() if key in ("kind", "memory_id")}
    assert own == {"kind": "semantic", "memory_id": memory.id}
    assert "oftmax" not in str(hit.payload)


@pytest.mark.parametrize("broken", ["embedder", "vectors", "store"])
def test_nothing_is_half_there_when_a_part_fails(parts, tmp_path, embedder, broken):
    failing = {
        "embedder": lambda: FailingEmbedder(),
        "store": lambda: FullDisk(open_database(None, tmp_path)),
        "vectors": lambda: LostVectors(
            tmp_path / "other", dimension=embedder.dimension, embedder=embedder.name
        ),
    }[broken]()
    manager = MemoryEngine(**{**parts, broken: failing})
    with pytest.raises((ModelError, StoreError)):
        manager.add("x", SEMANTIC, namespace=NS, session_id="s", event="note", importance=0.5)
    assert parts["store"].list(namespace=NS) == []
    assert parts["vectors"].count(namespace=NS, where={}) == 0
    if broken != "embedder":
        failing.close()


def test_vectors_without_a_record_are_never_found(add, recall, parts):
    lost = add("photosynthesis in plants")
    kept = add("photosynthesis in algae")
    parts["store"].delete(lost.id, namespace=NS)  # as after a crash between the two writes
    assert recall("photosynthesis") == [kept.content]


def test_long_notes_are_embedded_whole(add, recall, embedder):
    filler = " ".join(f"Sentence number {n} says nothing much." for n in range(60))
    note = add(f"{filler} {'Photosynthesis, ' * 95}")
    assert count_tokens(note.content) > embedder.window_tokens
    assert all(count_tokens(text) <= embedder.window_tokens for text in embedder.seen)
    assert letters("".join(embedder.seen)) == letters(note.content)
    assert recall("光合作用") == [note.content]  # only vectors can find it


@pytest.mark.parametrize(
    "text",
    [
        "一" * 950,
        "word " * 950,
        "长句子，没有句号，" * 80,
        "a. " * 400,
        "x" * 5000,
        "One. " + "二" * 333,
    ],
)
def test_windows_hold_the_whole_text(text):
    windows = in_windows(text, 100)
    assert letters("".join(windows)) == letters(text)
    assert all(0 < count_tokens(window) <= 100 for window in windows)


# recalling
