"""What the erasure of rows promises (core/ports/erasure_store.py)."""

from dataclasses import replace

import pytest
from sqlalchemy import inspect

from core.domain.answer import RememberedSource
from core.domain.upkeep import Change, ChangeKind
from core.ports.erasure_store import ErasureStore
from core.stores.archive import SqlArchiveStore
from core.stores.changes import SqlChangeLog
from core.stores.database import Database
from core.stores.documents import SqlDocumentStore
from core.stores.erasure import SqlErasure
from core.stores.history import SqlHistoryStore
from core.stores.jobs import SqlJobStore
from core.stores.memories import SqlMemoryStore
from core.stores.schema import metadata
from tests.contracts.samples import OTHER, OWNER, START, add_document, asked, citation, job, memory

IDLE = {"migrations"}
"""Tables that are of nobody."""


@pytest.fixture
def store(database: Database) -> ErasureStore:
    return SqlErasure(database)


def fill(database: Database, namespace: str) -> None:
    add_document(SqlDocumentStore(database), "d", namespace=namespace)
    SqlMemoryStore(database).add(memory("m", content=f"note of {namespace}"), namespace=namespace)
    put = SqlArchiveStore(database).put
    put([memory("a", content=f"archived of {namespace}")], at=START, namespace=namespace)
    gone = Change(
        id="c",
        kind=ChangeKind.FORGOTTEN,
        at=START,
        expires_at=START,
        before=(memory("f", content=f"forgotten of {namespace}"),),
    )
    SqlChangeLog(database).add(gone, namespace=namespace)
    SqlJobStore(database).put(job("j", document_id="d"), namespace=namespace)
    plain = asked("q", citation(1, "d"), text=f"answer for {namespace}")
    source = RememberedSource(
        number=2, memory_id="m", kind="semantic", event="note", text="said", created_at=START
    )
    answer = replace(plain.answer, memories=(source,))
    history = SqlHistoryStore(database)
    history.add_question(replace(plain, answer=answer), namespace=namespace)
    history.add_question(asked("q2", text="of no memory"), namespace=namespace)
    history.note_session("s1", at=START, namespace=namespace)


def test_every_table_of_the_database_is_gone_through(
    store: ErasureStore, database: Database
) -> None:
    with database.read() as connection:
        inspector = inspect(connection)
        owned = {
            table
            for table in inspector.get_table_names()
            if "namespace" in {column["name"] for column in inspector.get_columns(table)}
        }
        others = set(inspector.get_table_names()) - owned
    known = {name for name, table in metadata.tables.items() if "namespace" in table.c}
    assert owned == known
    assert {name for name in others if not name.startswith("sqlite_")} == IDLE


def test_rows_are_counted_by_place_and_owner(store: ErasureStore, database: Database) -> None:
    assert store.count(namespace=OWNER) == {}
    assert store.namespaces_of_all() == []
    fill(database, OWNER)
    fill(database, OTHER)
    assert store.count(namespace=OWNER) == store.count(namespace=OTHER)
    assert dict(store.count(namespace=OWNER)) == {
        "documents": 1,
        "pages": 5,
        "full_text": 2,
        "records": 1,
        "statements": 1,
        "archive": 1,
        "undo_log": 1,
        "jobs": 1,
        "questions": 3,
        "activity": 2,
        "sessions": 1,
    }
    assert store.namespaces_of_all() == [OTHER, OWNER]
    of_document = store.count_of_document("d", namespace=OWNER)
    assert dict(of_document) == {
        "documents": 1,
        "pages": 5,
        "full_text": 1,
        "jobs": 1,
        "questions": 1,
    }
    assert store.count_of_document("x", namespace=OWNER) == {}


def test_texts_are_those_of_one_owner_or_of_all_others(
    store: ErasureStore, database: Database
) -> None:
    fill(database, OWNER)
    fill(database, OTHER)
    mine = [(t.place, t.item, t.text) for t in store.texts(namespace=OWNER)]
    for place, item, said in (
        ("records", "m", "note"),
        ("archive", "a", "archived"),
        ("undo_log", "f", "forgotten"),
        ("questions", "q", "answer"),
    ):
        verb = "for" if said == "answer" else "of"
        assert (place, item, f"{said} {verb} {OWNER}") in mine
    assert ("pages", "d", "First page of d. It ends here.") in mine
    assert ("questions", "q", "a quote 引文 🎓") in mine
    assert ("records", "m", "概念") in mine
    theirs = [t.text for t in store.texts_of_others(namespace=OWNER)]
    assert f"archived of {OTHER}" in theirs
    assert not any(OWNER in text for text in theirs)


def test_erasing_takes_one_owner(store: ErasureStore, database: Database) -> None:
    fill(database, OWNER)
    fill(database, OTHER)
    before = store.count(namespace=OTHER)
    store.erase(namespace=OWNER)
    store.erase(namespace=OWNER)
    assert store.count(namespace=OWNER) == {}
    assert store.count(namespace=OTHER) == before
    store.erase_document("d", namespace=OTHER)
    assert store.count_of_document("d", namespace=OTHER) == {}
    assert store.count(namespace=OTHER)["records"] == 1


def test_a_memory_leaves_the_answers_that_rest_on_it(
    store: ErasureStore, database: Database
) -> None:
    fill(database, OWNER)
    fill(database, OTHER)
    assert store.answers_from_memory("m", namespace=OWNER) == ["q"]
    assert store.answers_from_memory("q", namespace=OWNER) == []
    assert store.forget_memory("m", at=START, namespace=OWNER) == 1
    assert store.forget_memory("m", at=START, namespace=OWNER) == 0
    history = SqlHistoryStore(database)
    answer = history.question("q", namespace=OWNER).answer
    assert (answer.text, answer.memories, answer.notice) == ("", (), "source_removed")
    assert answer.sources_removed_at == (START,)
    assert len(answer.citations) == 1
    assert history.question("q2", namespace=OWNER).answer.text == "of no memory"
    assert history.question("q", namespace=OTHER).answer.text == f"answer for {OTHER}"
