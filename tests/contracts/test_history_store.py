"""What every history store promises (core/ports/history_store.py)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.domain.memory import MemoryKind
from core.domain.study import Totals
from core.errors import NotFoundError
from core.ports.history_store import HistoryStore
from core.stores.database import Database
from core.stores.documents import SqlDocumentStore
from core.stores.history import SqlHistoryStore
from core.stores.memories import SqlMemoryStore
from tests.contracts.backends import RecordBackend
from tests.contracts.samples import OTHER, OWNER, START, add_document, asked, citation, memory

PHRASE = "zebra-unmistakable-斑马-quote"
NOTHING = Totals(
    documents_loaded=0,
    documents=0,
    pages=0,
    questions_asked=0,
    citations=0,
    concepts_learned=0,
    sessions=0,
    first_activity=None,
    memories={},
)


@pytest.fixture
def store(database: Database) -> HistoryStore:
    return SqlHistoryStore(database)


def test_a_question_comes_back_with_its_answer_but_without_passages(store: HistoryStore) -> None:
    stored = asked("q", citation(1, "a"), citation(2, "b"))
    store.add_question(stored, namespace=OWNER)
    expected = replace(stored, answer=replace(stored.answer, passages=()))
    assert store.question("q", namespace=OWNER) == expected
    assert store.questions(namespace=OWNER) == [expected]


def test_the_newest_question_comes_first(store: HistoryStore) -> None:
    for name, minutes in (("b", 1), ("c", 2), ("a", 0), ("b2", 1)):
        store.add_question(asked(name, minutes=minutes), namespace=OWNER)
    assert [q.id for q in store.questions(namespace=OWNER)] == ["c", "b2", "b", "a"]
    assert [q.id for q in store.questions(namespace=OWNER, limit=2)] == ["c", "b2"]


def test_the_same_id_replaces_and_counts_once(store: HistoryStore) -> None:
    store.add_question(asked("q", citation(1, "a")), namespace=OWNER)
    store.add_question(asked("q", citation(1, "b"), text="second"), namespace=OWNER)
    (only,) = store.questions(namespace=OWNER)
    assert only.answer.text == "second"
    assert store.totals(namespace=OWNER).questions_asked == 1
    assert store.forget_document("a", at=START, namespace=OWNER) == 0
    assert store.forget_document("b", at=START, namespace=OWNER) == 1


def test_forgetting_a_document_empties_the_answers_that_cite_it(store: HistoryStore) -> None:
    kept = citation(2, "b")
    store.add_question(asked("both", citation(1, "a"), kept, citation(3, "a")), namespace=OWNER)
    store.add_question(asked("other", citation(1, "b")), namespace=OWNER)
    store.add_question(asked("none"), namespace=OWNER)
    assert store.forget_document("a", at=START, namespace=OWNER) == 1
    answer = store.question("both", namespace=OWNER).answer
    assert answer.citations == (kept,)
    assert (answer.text, answer.notice, answer.detail) == ("", "source_removed", None)
    assert answer.question == "什么是过拟合? 🎓"
    assert store.question("other", namespace=OWNER).answer.text == "An answer [1]."
    assert store.question("none", namespace=OWNER).answer.text == "An answer [1]."
    assert store.forget_document("a", at=START, namespace=OWNER) == 0
    assert store.forget_document("b", at=START, namespace=OWNER) == 2


def test_totals_count_what_was_done(database: Database, store: HistoryStore) -> None:
    documents, memories = SqlDocumentStore(database), SqlMemoryStore(database)
    add_document(documents, "a", namespace=OWNER)
    store.note_activity("load", at=START + timedelta(hours=1), pages=3, namespace=OWNER)
    store.note_activity("load", at=START + timedelta(hours=2), pages=40, namespace=OWNER)
    memories.add(memory("n"), namespace=OWNER)
    memories.add(memory("e", kind=MemoryKind.EPISODIC), namespace=OWNER)
    store.note_activity("note", at=START + timedelta(hours=3), namespace=OWNER)
    store.add_question(asked("q1", citation(1, "a"), citation(2, "a")), namespace=OWNER)
    store.add_question(asked("q2", citation(1, "a"), minutes=9), namespace=OWNER)
    for session_id in ("s1", "s2", "s1"):
        store.note_session(session_id, at=START - timedelta(minutes=1), namespace=OWNER)
    assert store.totals(namespace=OWNER) == Totals(
        documents_loaded=2,
        documents=1,
        pages=43,
        questions_asked=2,
        citations=3,
        concepts_learned=1,
        sessions=2,
        first_activity=START - timedelta(minutes=1),
        memories={"semantic": 1, "episodic": 1},
    )


def test_deleting_lowers_no_count_of_what_was_done(database: Database, store: HistoryStore) -> None:
    documents, memories = SqlDocumentStore(database), SqlMemoryStore(database)
    add_document(documents, "a", namespace=OWNER)
    store.note_activity("load", at=START, pages=3, namespace=OWNER)
    memories.add(memory("n"), namespace=OWNER)
    store.note_activity("note", at=START, namespace=OWNER)
    store.add_question(asked("q", citation(1, "a")), namespace=OWNER)
    before = store.totals(namespace=OWNER)
    documents.delete("a", namespace=OWNER)
    memories.delete("n", namespace=OWNER)
    store.forget_document("a", at=START, namespace=OWNER)
    assert store.totals(namespace=OWNER) == replace(before, documents=0, memories={})


def test_days_are_those_of_utc_and_ascend(store: HistoryStore) -> None:
    store.note_activity("note", at=START + timedelta(hours=1), namespace=OWNER)  # the next day
    store.note_activity("load", at=START, pages=1, namespace=OWNER)
    store.note_activity("load", at=START, pages=1, namespace=OWNER)
    store.add_question(asked("q"), namespace=OWNER)
    store.add_question(asked("later", minutes=60 * 24 * 40), namespace=OWNER)
    store.note_session("s", at=START - timedelta(days=3), namespace=OWNER)
    days = store.activity_by_day(namespace=OWNER)
    assert list(days.items()) == [
        ("2026-03-01", {"loads": 2, "questions": 1, "notes": 0}),
        ("2026-03-02", {"loads": 0, "questions": 0, "notes": 1}),
        ("2026-04-10", {"loads": 0, "questions": 1, "notes": 0}),
    ]


def test_nothing_there_is_empty_or_not_found(store: HistoryStore) -> None:
    assert store.questions(namespace=OWNER) == []
    assert store.activity_by_day(namespace=OWNER) == {}
    assert store.totals(namespace=OWNER) == NOTHING
    assert store.forget_document("a", at=START, namespace=OWNER) == 0
    with pytest.raises(NotFoundError):
        store.question("q", namespace=OWNER)


def test_no_method_reaches_another_namespace(database: Database, store: HistoryStore) -> None:
    add_document(SqlDocumentStore(database), "a", namespace=OWNER)
    SqlMemoryStore(database).add(memory("n"), namespace=OWNER)
    store.add_question(asked("q", citation(1, "a")), namespace=OWNER)
    store.note_activity("load", at=START, pages=3, namespace=OWNER)
    store.note_activity("note", at=START, namespace=OWNER)
    store.note_session("s", at=START, namespace=OWNER)
    before = store.totals(namespace=OWNER)
    assert store.questions(namespace=OTHER) == []
    assert store.activity_by_day(namespace=OTHER) == {}
    assert store.totals(namespace=OTHER) == NOTHING
    assert store.forget_document("a", at=START, namespace=OTHER) == 0
    with pytest.raises(NotFoundError):
        store.question("q", namespace=OTHER)
    store.add_question(asked("q", text="mine"), namespace=OTHER)
    assert store.question("q", namespace=OWNER).answer.text == "An answer [1]."
    assert store.question("q", namespace=OTHER).answer.text == "mine"
    assert store.totals(namespace=OWNER) == before


def test_everything_is_there_after_a_restart(
    store: HistoryStore, record_backend: RecordBackend
) -> None:
    store.add_question(asked("q", citation(1, "a")), namespace=OWNER)
    store.note_activity("note", at=START, namespace=OWNER)
    totals, question = store.totals(namespace=OWNER), store.question("q", namespace=OWNER)
    store.close()
    again = SqlHistoryStore(record_backend.open())
    assert again.totals(namespace=OWNER) == totals
    assert again.question("q", namespace=OWNER) == question


def test_many_threads_at_once(store: HistoryStore, in_threads: Callable[..., list[Any]]) -> None:
    def work(worker: int) -> None:
        for number in range(5):
            store.add_question(asked(f"{worker}/{number}", citation(1, "a")), namespace=OWNER)
            store.note_activity("load", at=START, pages=2, namespace=OWNER)
            store.note_session(f"s{number}", at=START, namespace=OWNER)

    in_threads(work, range(8))
    totals = store.totals(namespace=OWNER)
    assert (totals.questions_asked, totals.citations, totals.pages) == (40, 40, 80)
    assert totals.sessions == 5


def test_a_forgotten_quote_is_nowhere_in_the_files(sqlite_backend: RecordBackend) -> None:
    store = SqlHistoryStore(sqlite_backend.open())
    quoted = asked("q", citation(1, "a", PHRASE), text=f"As it says: {PHRASE} [1]." * 200)
    store.add_question(quoted, namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    assert store.forget_document("a", at=START, namespace=OWNER) == 1
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()
