"""What every history store promises (core/ports/history_store.py)."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy

from core.domain.answer import Refusal, RefusalReason
from core.domain.memory import MemoryKind
from core.domain.study import Totals
from core.errors import NotFoundError
from core.ports.history_store import HistoryStore
from core.stores.database import Database
from core.stores.documents import SqlDocumentStore
from core.stores.history import SqlHistoryStore
from core.stores.memories import SqlMemoryStore
from tests.contracts.answer_samples import (
    full,
    gap,
    nearest,
    refused_after_looking_at,
    remembered_source,
    trace_of,
)
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


def test_everything_an_answer_has_comes_back(store: HistoryStore) -> None:
    stored = full("q")
    store.add_question(stored, namespace=OWNER)
    assert store.question("q", namespace=OWNER) == stored
    without_trace = replace(stored, answer=replace(stored.answer, trace=None))
    assert store.questions(namespace=OWNER) == [without_trace]


def test_an_answer_written_by_an_older_version_is_read(
    store: HistoryStore, database: Database
) -> None:
    store.add_question(asked("q", citation(1, "a")), namespace=OWNER)
    new = ("completed", "route", "routed_by", "refusal", "doubts", "memories")
    with database.write() as connection:
        (text,) = connection.exec_driver_sql("SELECT answer FROM questions").one()
        old = {name: value for name, value in json.loads(text).items() if name not in new}
        connection.execute(
            sqlalchemy.text("UPDATE questions SET answer = :old"), {"old": json.dumps(old)}
        )
    answer = store.question("q", namespace=OWNER).answer
    assert answer == replace(asked("q", citation(1, "a")).answer, passages=())


def test_questions_of_a_time_begin_with_it_and_end_before_its_end(store: HistoryStore) -> None:
    for name, minutes in (("a", 0), ("b", 10), ("c", 20)):
        store.add_question(asked(name, minutes=minutes), namespace=OWNER)
    since, until = START + timedelta(minutes=10), START + timedelta(minutes=20)

    def ids(**narrow: Any) -> list[str]:
        return [q.id for q in store.questions(namespace=OWNER, **narrow)]

    assert ids(since=since) == ["c", "b"]
    assert ids(until=until) == ["b", "a"]
    assert ids(since=since, until=until) == ["b"]
    assert ids(until=until, limit=1) == ["b"]


def test_a_document_that_was_only_looked_at_is_forgotten_too(store: HistoryStore) -> None:
    store.add_question(refused_after_looking_at("a", "b", text=PHRASE), namespace=OWNER)
    assert store.forget_document("a", at=START, namespace=OWNER) == 1
    answer = store.question("refused", namespace=OWNER).answer
    assert (answer.trace, answer.completed) == (None, None)
    assert answer.refusal == Refusal(reason=RefusalReason.NOT_ANSWERED, nearest=(nearest("b", 4),))
    assert (answer.text, answer.sources_removed_at) == ("No answer.", ())
    assert answer.notice != "source_removed"
    assert store.forget_document("b", at=START, namespace=OWNER) == 1
    nowhere = store.question("refused", namespace=OWNER).answer.refusal
    assert nowhere is not None
    assert nowhere.nearest == ()


def test_memories_about_a_forgotten_document_lose_their_text(store: HistoryStore) -> None:
    about, other = remembered_source(1, "a"), remembered_source(2, None)
    stored = asked("q")
    answer = replace(stored.answer, memories=(about, other))
    store.add_question(replace(stored, answer=answer), namespace=OWNER)
    assert store.forget_document("a", at=START, namespace=OWNER) == 1
    kept = store.question("q", namespace=OWNER).answer
    assert kept.memories == (replace(about, text=""), other)
    assert kept.text == "An answer [1]."


def test_what_a_model_wrote_with_a_passage_before_it_goes(store: HistoryStore) -> None:
    stored = asked("q", citation(1, "b"))
    answer = replace(stored.answer, trace=trace_of("a", text="seen"))
    store.add_question(replace(stored, answer=answer), namespace=OWNER)
    dropped = replace(answer, id="r", trace=trace_of("a", text="seen", dropped="below_limit"))
    store.add_question(replace(stored, id="r", answer=dropped), namespace=OWNER)
    assert store.forget_document("a", at=START, namespace=OWNER) == 2
    written = store.question("q", namespace=OWNER).answer
    assert (written.text, written.notice, written.doubts) == ("", "source_removed", ())
    assert store.question("r", namespace=OWNER).answer.text == "An answer [1]."


def test_a_sentence_of_the_way_to_a_refusal_is_nowhere_in_the_files(
    sqlite_backend: RecordBackend,
) -> None:
    store = SqlHistoryStore(sqlite_backend.open())
    store.add_question(refused_after_looking_at("a", "b", text=PHRASE), namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    store.forget_document("a", at=START, namespace=OWNER)
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()


def test_gaps_come_back_the_one_asked_last_first(store: HistoryStore) -> None:
    first, second = gap("g1", "What is a zebra?"), gap("g2", "什么是斑马？", minutes=5)
    assert store.add_gap(second, namespace=OWNER) == second
    assert store.add_gap(first, namespace=OWNER) == first
    assert store.gaps(namespace=OWNER) == [second, first]
    assert store.gaps(namespace=OTHER) == []


def test_the_same_question_again_is_one_gap_with_the_newest_data(store: HistoryStore) -> None:
    store.add_gap(gap("g1", "What is a zebra?"), namespace=OWNER)
    again = replace(
        gap("g2", "what is  a ZEBRA", minutes=9),
        question_id="q9",
        reason=RefusalReason.NOTHING_FOUND,
        nearest=(nearest("b", 7),),
    )
    expected = replace(again, id="g1", times=2)
    assert store.add_gap(again, namespace=OWNER) == expected
    assert store.gaps(namespace=OWNER) == [expected]
    assert store.add_gap(again, namespace=OTHER) == again


def test_a_gap_is_removed_once(store: HistoryStore) -> None:
    store.add_gap(gap("g1", "What is a zebra?"), namespace=OWNER)
    with pytest.raises(NotFoundError):
        store.remove_gap("g1", namespace=OTHER)
    store.remove_gap("g1", namespace=OWNER)
    assert store.gaps(namespace=OWNER) == []
    with pytest.raises(NotFoundError):
        store.remove_gap("g1", namespace=OWNER)


def test_a_question_that_is_answered_leaves_the_list(store: HistoryStore) -> None:
    store.add_gap(gap("g1", "What is a zebra?"), namespace=OWNER)
    store.add_gap(gap("g2", "What is an okapi?"), namespace=OWNER)
    assert not store.close_gap_for("What is a zebra?", namespace=OTHER)
    assert store.close_gap_for("what is a zebra", namespace=OWNER)
    assert [g.id for g in store.gaps(namespace=OWNER)] == ["g2"]
    assert not store.close_gap_for("What is a zebra?", namespace=OWNER)


def test_forgetting_a_document_takes_its_pages_from_the_gaps(
    store: HistoryStore,
) -> None:
    both = replace(gap("g1", "Who?"), nearest=(nearest("a", 1), nearest("b", 2)))
    store.add_gap(both, namespace=OWNER)
    store.add_gap(both, namespace=OTHER)
    assert store.forget_document("a", at=START, namespace=OWNER) == 0
    assert store.gaps(namespace=OWNER) == [replace(both, nearest=(nearest("b", 2),))]
    assert store.gaps(namespace=OTHER) == [both]


def test_a_removed_gap_is_nowhere_in_the_files(sqlite_backend: RecordBackend) -> None:
    store = SqlHistoryStore(sqlite_backend.open())
    store.add_gap(gap("g1", f"What is {PHRASE}?"), namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    store.remove_gap("g1", namespace=OWNER)
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()


def test_many_threads_count_one_gap(store: HistoryStore, in_threads: Callable[..., Any]) -> None:
    in_threads(lambda n: store.add_gap(gap(f"g{n}", "Who?"), namespace=OWNER), range(8))
    (only,) = store.gaps(namespace=OWNER)
    assert only.times == 8
