"""The word index of a learner's memories: in step with the store, whoever wrote."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import pytest

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.memory.postings import Postings
from core.memory.ranking import QueryWords, with_neighbours
from core.memory.word_index import empty_index
from core.memory.word_indexes import WordIndexes
from core.scoring import RANKING
from core.text.indexed import indexed_text, unpacked
from core.text.terms import term_hash

NS = "pdf_a"
START = datetime(2026, 3, 2, tzinfo=UTC)


def made(number: int, content: str, **more) -> Memory:
    options = {"kind": MemoryKind.SEMANTIC, "session_id": "s", "event": "note", **more}
    speaker = options.pop("speaker", None)
    return Memory(
        id=str(UUID(int=number)),
        content=content,
        importance=0.5,
        created_at=options.pop("created_at", START),
        metadata={"speaker": speaker} if speaker else {},
        **options,
    )


@pytest.fixture
def store(parts):
    return parts["store"]


@pytest.fixture
def indexes(store):
    return WordIndexes(store.words)


def having(index, word: str) -> set[int]:
    rows, _ = index.postings(term_hash(word))
    return {UUID(index.ids[row]).int for row in rows}


def test_packed_texts_come_back():
    text = indexed_text("Cells divide, cells grow: why?", "Ada 王")
    again = unpacked(text.to_bytes())
    assert again.hashes.tolist() == text.hashes.tolist()
    assert dict(zip(again.hashes.tolist(), again.counts.tolist(), strict=True)) == {
        term_hash("cell"): 2,
        term_hash("divid"): 1,
        term_hash("grow"): 1,
    }
    assert (again.length, again.asks, len(again.speaker)) == (4, True, 2)
    nothing = unpacked(indexed_text("").to_bytes())
    assert (nothing.length, nothing.asks, nothing.speaker) == (0, False, ())


@pytest.mark.parametrize(
    ("text", "asks"), [("Why?", True), ("为什么？”", True), ("Why? So.", False), ("So", False)]
)
def test_what_asks(text, asks):
    assert indexed_text(text).asks is asks


def test_merged_postings_are_those_of_one_part():
    chance = random.Random(3)
    words = ["red", "green", "blue", "grey", "红", "绿"]
    texts = [indexed_text(" ".join(chance.choices(words, k=5))) for _ in range(40)]
    whole = Postings.of(texts, 0)
    merged = Postings.merged([Postings.of(texts[n : n + 7], n) for n in range(0, 40, 7)])
    for word in words:
        for mine, theirs in zip(
            whole.of_word(term_hash(word)), merged.of_word(term_hash(word)), strict=True
        ):
            assert mine.tolist() == theirs.tolist()
    assert len(whole.of_word(term_hash("absent"))[0]) == 0


def test_the_index_follows_every_writing(store, indexes):
    assert indexes.of(NS).living == 0
    store.add_all([made(1, "cell wall"), made(2, "cell")], namespace=NS)
    store.add(made(1, "cell"), namespace="pdf_b")
    assert having(indexes.of(NS), "cell") == {1, 2}
    store.add(replace(made(1, "sugar"), state=MemoryState.WRONG), namespace=NS)
    index = indexes.of(NS)
    assert (having(index, "cell"), having(index, "sugar")) == ({2}, {1})
    store.delete(str(UUID(int=2)), namespace=NS)
    store.add(made(3, "cell"), namespace=NS)
    assert having(indexes.of(NS), "cell") == {3}
    assert indexes.of(NS).living == 2


def test_after_many_changes_it_is_as_if_read_anew(store, indexes):
    chance = random.Random(1)
    words = ["red", "green", "blue", "grey", "pink"]
    there: set[int] = set()
    for step in range(120):
        if there and chance.random() < 0.4:
            gone = chance.choice(sorted(there))
            there.discard(gone)
            store.delete(str(UUID(int=gone)), namespace=NS)
        else:
            number = chance.randrange(200)
            there.add(number)
            store.add(made(number, " ".join(chance.choices(words, k=3))), namespace=NS)
        if step % 3 == 0:
            indexes.of(NS)
    index, fresh = indexes.of(NS), WordIndexes(store.words).of(NS)
    assert index.living == fresh.living == len(there)
    for word in words:
        assert having(index, word) == having(fresh, word)


def test_few_indexes_are_kept(store):
    indexes = WordIndexes(store.words, most_rows=3)
    for owner in ("pdf_a", "pdf_b", "pdf_c"):
        store.add_all([made(1, "cell"), made(2, "wall")], namespace=owner)
    for owner in ("pdf_a", "pdf_b", "pdf_c", "pdf_a"):
        assert having(indexes.of(owner), "cell") == {1}


def test_conditions(store, indexes):
    store.add_all(
        [
            made(1, "one", kind=MemoryKind.EPISODIC, event="question"),
            made(2, "two", created_at=START + timedelta(days=1)),
            replace(made(3, "three"), state=MemoryState.REPLACED),
            replace(made(4, "four"), importance=0.9),
        ],
        namespace=NS,
    )
    index = indexes.of(NS)

    def chosen(**conditions):
        every = {
            "kinds": (),
            "states": (),
            "events": (),
            "since": None,
            "until": None,
            "min_importance": 0.0,
        }
        mask = index.chosen(**{**every, **conditions})
        return {UUID(index.ids[row]).int for row in np.flatnonzero(mask)}

    assert chosen() == {1, 2, 3, 4}
    assert chosen(kinds=[MemoryKind.EPISODIC]) == {1}
    assert chosen(events=["question", "unheard of"]) == {1}
    assert chosen(states=[MemoryState.CURRENT]) == {1, 2, 4}
    assert chosen(since=START + timedelta(days=1)) == {2}
    assert chosen(until=START + timedelta(days=1)) == {1, 3, 4}
    assert chosen(min_importance=0.9) == {4}


def test_only_turns_of_one_session_are_neighbours(store, indexes):
    store.add_all(
        [
            made(1, "sail", speaker="Ada"),
            made(2, "a note in between"),
            made(3, "yes", speaker="Bob"),
            made(4, "other", speaker="Ada", session_id="t"),
        ],
        namespace=NS,
    )
    index = indexes.of(NS)
    values = np.zeros(len(index.ids))
    values[index.row_of[str(UUID(int=1))]] = 1.0
    spread = with_neighbours(values, index)
    of = {n: float(spread[index.row_of[str(UUID(int=n))]]) for n in (1, 2, 3, 4)}
    assert of == {1: 1.0, 2: 0.0, 3: pytest.approx(RANKING.before[0]), 4: 0.0}
    store.delete(str(UUID(int=1)), namespace=NS)
    assert float(with_neighbours(np.ones(len(index.ids)), indexes.of(NS)).max()) == 1.0


def test_words_of_neighbours_count_less_than_own_ones(store, indexes):
    store.add_all(
        [
            made(1, "we sailed", speaker="Ada"),
            made(2, "nice", speaker="Bob"),
            made(3, "bread", speaker="Ada", session_id="t"),
        ],
        namespace=NS,
    )
    index = indexes.of(NS)
    scores = QueryWords("sailing", index).scores()
    of = {n: scores.bm25[index.row_of[str(UUID(int=n))]] for n in (1, 2, 3)}
    assert of[1] > of[2] > of[3] == 0
    assert scores.coverage.tolist().count(1.0) == 1


def test_an_empty_index_has_nothing():
    index = empty_index()
    assert index.living == 0
    assert len(QueryWords("cell", index).scores().bm25) == 0
    around = QueryWords("cell", index, [indexed_text("cell wall"), indexed_text("sugar")]).around()
    assert around.coverage.tolist() == [1.0, 0.0]
    assert around.bm25[0] > around.bm25[1] == 0
