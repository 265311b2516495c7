"""What every document store promises (core/ports/document_store.py)."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from core.domain.document import Chunk, DocumentState, TextRange
from core.errors import NotFoundError, StoreError
from core.ports.document_store import DocumentStore, StoredSegment
from core.stores.database import Database
from core.stores.documents import SqlDocumentStore
from tests.contracts.backends import RecordBackend
from tests.contracts.child import acknowledged_before_kill
from tests.contracts.samples import (
    OTHER,
    OWNER,
    START,
    add_document,
    beginning,
    chunks_of,
    document,
    page,
    pages_of,
)

PHRASE = "zebra-unmistakable-斑马-phrase"


@pytest.fixture
def store(database: Database) -> DocumentStore:
    return SqlDocumentStore(database)


def test_everything_of_a_document_comes_back_as_it_was(store: DocumentStore) -> None:
    stored = add_document(store, "a", namespace=OWNER)
    assert store.get("a", namespace=OWNER) == stored
    assert store.list(namespace=OWNER) == [stored]
    assert store.pages("a", [1, 2, 3], namespace=OWNER) == pages_of("a")
    assert store.page("a", 2, namespace=OWNER) == pages_of("a")[1]
    assert store.chunk_ids("a", namespace=OWNER) == ["a/0", "a/1"]
    assert store.chunks(["a/0", "a/1"], namespace=OWNER) == chunks_of("a", pages_of("a"))
    assert store.segments(["a"], namespace=OWNER) == [StoredSegment("a", 0, b"\x00\xffa")]


def test_chunk_text_is_cut_from_the_pages_and_joined_by_a_line_break(store: DocumentStore) -> None:
    add_document(store, "a", namespace=OWNER)
    (chunk,) = store.chunks(["a/1"], namespace=OWNER)
    assert chunk.text == "of a\n第二页：机器学习 "


def test_times_come_back_aware_in_utc(store: DocumentStore) -> None:
    elsewhere = START.astimezone(tz=None).astimezone()
    add_document(store, "a", namespace=OWNER, loaded_at=elsewhere)
    loaded_at = store.get("a", namespace=OWNER).loaded_at
    assert loaded_at == START
    assert loaded_at.utcoffset() == timedelta(0)


def test_a_time_without_zone_is_refused(store: DocumentStore) -> None:
    with pytest.raises(StoreError, match="time zone"):
        add_document(store, "a", namespace=OWNER, loaded_at=START.replace(tzinfo=None))


def test_pages_ascend_without_repeats_and_missing_ones_are_left_out(store: DocumentStore) -> None:
    add_document(store, "a", namespace=OWNER)
    found = store.pages("a", [3, 1, 3, 99, 0, -1], namespace=OWNER)
    assert [p.number for p in found] == [1, 3]
    assert store.pages("a", [], namespace=OWNER) == []


def test_chunks_come_in_the_order_of_the_ids(store: DocumentStore) -> None:
    add_document(store, "a", namespace=OWNER)
    add_document(store, "b", namespace=OWNER)
    wanted = ["b/1", "a/0", "unknown", "b/0", "a/0"]
    found = [chunk.id for chunk in store.chunks(wanted, namespace=OWNER)]
    assert found == ["b/1", "a/0", "b/0", "a/0"]
    assert store.chunks([], namespace=OWNER) == []


def test_segments_come_in_the_order_asked(store: DocumentStore) -> None:
    for name in "abc":
        add_document(store, name, namespace=OWNER)
    found = store.segments(["c", "unknown", "a"], namespace=OWNER)
    assert [segment.document_id for segment in found] == ["c", "a"]


def test_the_document_loaded_last_is_listed_first(store: DocumentStore) -> None:
    add_document(store, "middle", namespace=OWNER)
    add_document(store, "new", namespace=OWNER, loaded_at=START + timedelta(microseconds=1))
    add_document(store, "old", namespace=OWNER, loaded_at=START - timedelta(days=400))
    add_document(store, "middle, stored later", namespace=OWNER)
    listed = [d.id for d in store.list(namespace=OWNER)]
    assert listed == ["new", "middle, stored later", "middle", "old"]


def test_only_its_own_method_changes_how_much_is_refined(store: DocumentStore) -> None:
    stored = add_document(store, "a", namespace=OWNER)
    add_document(store, "a", namespace=OTHER)
    store.note_refined("a", 2, namespace=OWNER)
    stale = replace(stored, title="New")
    store.append(stale, pages=[], chunks=[], segment=b"", namespace=OWNER)
    store.finish(stale, segment=None, namespace=OWNER)
    store.update(replace(stale, language="en"), namespace=OWNER)
    assert store.get("a", namespace=OWNER) == replace(stale, language="en", refined=2)
    assert store.get("a", namespace=OTHER).refined == stored.refined == 1
    store.update(replace(stale, state=DocumentState.DELETING), namespace=OWNER)
    for document_id in ("a", "unknown"):
        with pytest.raises(NotFoundError):
            store.note_refined(document_id, 1, namespace=OWNER)


def test_documents_to_refine_are_the_ready_ones_with_chunks_left(store: DocumentStore) -> None:
    for name in ("partly", "wholly", "deleted"):
        add_document(store, name, namespace=OWNER)
    add_document(store, "of another", namespace=OTHER)
    store.begin(beginning("coming"), namespace=OWNER)
    store.note_refined("wholly", 2, namespace=OWNER)
    store.update(replace(document("deleted"), state=DocumentState.DELETING), namespace=OWNER)
    found = [(namespace, d.id) for namespace, d in store.unrefined()]
    assert found == [(OWNER, "partly"), (OTHER, "of another")]
    assert not store.get("partly", namespace=OWNER).is_refined
    assert store.get("wholly", namespace=OWNER).is_refined
    assert not replace(document("empty"), chunks=0, refined=0).is_refined


def test_nothing_there_is_empty_or_not_found(store: DocumentStore) -> None:
    assert store.list(namespace=OWNER) == []
    assert store.unfinished() == []
    assert store.chunk_ids("a", namespace=OWNER) == []
    assert store.segments(["a"], namespace=OWNER) == []
    with pytest.raises(NotFoundError):
        store.get("a", namespace=OWNER)
    with pytest.raises(NotFoundError):
        store.page("a", 1, namespace=OWNER)
    add_document(store, "a", namespace=OWNER)
    with pytest.raises(NotFoundError):
        store.page("a", 4, namespace=OWNER)


def test_no_method_reaches_another_namespace(store: DocumentStore) -> None:
    add_document(store, "a", namespace=OWNER)
    assert store.list(namespace=OTHER) == []
    assert store.pages("a", [1], namespace=OTHER) == []
    assert store.chunks(["a/0"], namespace=OTHER) == []
    assert store.chunk_ids("a", namespace=OTHER) == []
    assert store.segments(["a"], namespace=OTHER) == []
    with pytest.raises(NotFoundError):
        store.get("a", namespace=OTHER)
    with pytest.raises(NotFoundError):
        store.page("a", 1, namespace=OTHER)
    store.delete("a", namespace=OTHER)
    assert store.get("a", namespace=OWNER) == document("a")


def test_two_namespaces_hold_the_same_ids_apart(store: DocumentStore) -> None:
    texts = [page(1, "another first page, longer than ten"), page(2, "another second"), page(3, "")]
    add_document(store, "a", namespace=OWNER)
    add_document(store, "a", namespace=OTHER, pages=texts)
    store.begin(document("a"), namespace=OTHER)
    assert store.page("a", 1, namespace=OWNER).text == "First page of a. It ends here."
    assert store.chunks(["a/0"], namespace=OTHER)[0].text == "another fi"
    assert store.chunks(["a/0"], namespace=OWNER)[0].text == "First page"
    store.delete("a", namespace=OTHER)
    assert store.list(namespace=OTHER) == []
    assert store.unfinished() == []
    assert store.chunks(["a/0"], namespace=OWNER)[0].text == "First page"


def unfinished(store: DocumentStore) -> list[tuple[str, str]]:
    return sorted((namespace, found.id) for namespace, found in store.unfinished())


def test_a_document_is_unfinished_until_it_is_finished_or_deleted(store: DocumentStore) -> None:
    for name, namespace in (("a", OWNER), ("a", OWNER), ("b", OWNER), ("a", OTHER)):
        store.begin(beginning(name), namespace=namespace)
    assert unfinished(store) == [(OTHER, "a"), (OWNER, "a"), (OWNER, "b")]
    add_document(store, "a", namespace=OWNER)
    assert unfinished(store) == [(OTHER, "a"), (OWNER, "b")]
    store.delete("b", namespace=OWNER)
    assert unfinished(store) == [(OTHER, "a")]
    store.update(replace(document("a"), state=DocumentState.DELETING), namespace=OWNER)
    assert unfinished(store) == [(OTHER, "a"), (OWNER, "a")]


def test_a_document_grows_batch_by_batch(store: DocumentStore) -> None:
    pages, chunks = pages_of("a"), chunks_of("a", pages_of("a"))
    store.begin(beginning("a"), namespace=OWNER)
    for i, chunk in enumerate(chunks):
        record = replace(beginning("a"), pages_read=i + 1, chunks=i + 1)
        store.append(
            record,
            pages=[pages[0], pages[1]] if i == 0 else [pages[2]],
            chunks=[chunk],
            segment=f"part {i}".encode(),
            namespace=OWNER,
        )
        assert store.get("a", namespace=OWNER) == record
    assert store.pages("a", [1, 2, 3], namespace=OWNER) == pages
    parts = [StoredSegment("a", 0, b"part 0"), StoredSegment("a", 1, b"part 1")]
    assert store.segments(["a"], namespace=OWNER) == parts
    store.finish(document("a"), segment=b"whole", namespace=OWNER)
    assert store.segments(["a"], namespace=OWNER) == [StoredSegment("a", 0, b"whole")]


def test_a_page_is_replaced_when_it_comes_again(store: DocumentStore) -> None:
    stored = add_document(store, "a", namespace=OWNER)
    store.append(stored, pages=[page(2, "read anew")], chunks=[], segment=b"", namespace=OWNER)
    assert [p.text for p in store.pages("a", [2, 3], namespace=OWNER)] == [
        "read anew",
        "Third page.",
    ]


def test_other_names_are_kept_while_a_document_grows(store: DocumentStore) -> None:
    stored = add_document(store, "a", namespace=OWNER)
    store.update(replace(stored, names=("copy.pdf",)), namespace=OWNER)
    store.append(stored, pages=[], chunks=[], segment=b"", namespace=OWNER)
    store.finish(stored, segment=b"", namespace=OWNER)
    assert store.get("a", namespace=OWNER).names == ("copy.pdf",)


@pytest.mark.parametrize("state", [None, DocumentState.DELETING])
def test_a_deleted_document_does_not_grow(store: DocumentStore, state: DocumentState) -> None:
    if state is not None:
        store.begin(replace(document("a"), state=state), namespace=OWNER)
    pages = pages_of("a")
    with pytest.raises(NotFoundError):
        store.append(document("a"), pages=pages, chunks=[], segment=b"", namespace=OWNER)
    with pytest.raises(NotFoundError):
        store.finish(document("a"), segment=b"", namespace=OWNER)
    assert store.pages("a", [1, 2, 3], namespace=OWNER) == []


def test_appending_is_whole_or_not_at_all(store: DocumentStore) -> None:
    pages = pages_of("a")
    store.begin(beginning("a"), namespace=OWNER)
    with pytest.raises(StoreError) as caught:
        store.append(
            document("a"),
            pages=[*pages, pages[0]],
            chunks=chunks_of("a", pages),
            segment=b"",
            namespace=OWNER,
        )
    assert "First page" not in caught.value.sentence
    assert store.get("a", namespace=OWNER) == beginning("a")
    assert store.pages("a", [1, 2, 3], namespace=OWNER) == []
    assert store.chunk_ids("a", namespace=OWNER) == []


def test_delete_takes_everything_and_leaves_the_others(store: DocumentStore) -> None:
    add_document(store, "a", namespace=OWNER)
    add_document(store, "b", namespace=OWNER)
    store.delete("a", namespace=OWNER)
    store.delete("a", namespace=OWNER)
    assert [d.id for d in store.list(namespace=OWNER)] == ["b"]
    assert store.pages("a", [1, 2, 3], namespace=OWNER) == []
    assert store.chunks(["a/0", "b/0"], namespace=OWNER)[0].document_id == "b"
    assert store.segments(["a"], namespace=OWNER) == []
    add_document(store, "a", namespace=OWNER)
    assert store.page("a", 1, namespace=OWNER) == pages_of("a")[0]


def test_a_closed_store_opens_again_and_has_kept_everything(
    store: DocumentStore, record_backend: RecordBackend
) -> None:
    stored = add_document(store, "a", namespace=OWNER)
    store.begin(beginning("b"), namespace=OWNER)
    store.close()
    store.close()
    assert store.get("a", namespace=OWNER) == stored
    again = SqlDocumentStore(record_backend.open())
    assert again.pages("a", [1, 2, 3], namespace=OWNER) == pages_of("a")
    assert unfinished(again) == [(OWNER, "b")]


def test_many_threads_add_read_and_delete_at_once(
    store: DocumentStore, in_threads: Callable[..., list[Any]]
) -> None:
    def work(worker: int) -> None:
        namespace = f"pdf_{worker}"
        for round_number in range(5):
            name = f"{worker}/{round_number}"
            add_document(store, name, namespace=namespace)
            assert store.chunks([f"{name}/1"], namespace=namespace)[0].document_id == name
            if round_number % 2:
                store.delete(name, namespace=namespace)
        assert len(store.list(namespace=namespace)) == 3

    in_threads(work, range(8))
    assert store.unfinished() == []


def test_more_ids_than_one_query_takes(store: DocumentStore) -> None:
    pages = [page(n, f"text of page {n}") for n in range(1, 1202)]
    chunks = [
        Chunk(
            id=f"c{n}",
            document_id="long",
            ordinal=n,
            text=f"page {n}",
            ranges=(TextRange(page=n, start=8, end=8 + len(f"page {n}")),),
        )
        for n in range(1, 1202)
    ]
    store.begin(document("long"), namespace=OWNER)
    store.append(document("long"), pages=pages, chunks=chunks, segment=b"", namespace=OWNER)
    assert store.pages("long", range(1, 2000), namespace=OWNER) == pages
    assert store.chunks([c.id for c in chunks], namespace=OWNER) == chunks


def test_killing_the_writer_loses_nothing_and_leaves_nothing_half(
    record_backend: RecordBackend,
) -> None:
    url = record_backend.url or ""
    arguments = ("write-documents", url, str(record_backend.folder))
    acknowledged = acknowledged_before_kill(*arguments, after=20)
    store = SqlDocumentStore(record_backend.open())
    listed = {d.id for d in store.list(namespace=OWNER) if d.state is DocumentState.READY}
    assert {f"document {n}" for n in range(acknowledged)} <= listed
    for name in listed:
        assert store.pages(name, [1, 2, 3], namespace=OWNER) == pages_of(name)
        assert store.chunk_ids(name, namespace=OWNER) == [f"{name}/0", f"{name}/1"]
    assert len(store.unfinished()) <= 1
    assert listed.isdisjoint(name for _, name in unfinished(store))


def test_deleted_text_is_nowhere_in_the_files(sqlite_backend: RecordBackend) -> None:
    store = SqlDocumentStore(sqlite_backend.open())
    add_document(store, "kept", namespace=OWNER)
    store.begin(beginning("a"), namespace=OWNER)
    text = f"{PHRASE} " + f"A long page that fills several database pages. {PHRASE} " * 500
    pages = [page(n, f"{n} {text}") for n in range(1, 31)]
    stored = document("a")
    segment = PHRASE.encode() * 5000
    chunks = chunks_of("a", pages)
    store.append(stored, pages=pages, chunks=chunks, segment=segment, namespace=OWNER)
    assert PHRASE.encode() in sqlite_backend.bytes_on_disk()
    size = len(sqlite_backend.bytes_on_disk())

    store.delete("a", namespace=OWNER)

    after = sqlite_backend.bytes_on_disk()
    assert PHRASE.encode() not in after
    assert len(after) < size / 4
    assert store.page("kept", 1, namespace=OWNER) == pages_of("kept")[0]


def test_replaced_text_is_nowhere_in_the_files_after_a_delete(
    sqlite_backend: RecordBackend,
) -> None:
    store = SqlDocumentStore(sqlite_backend.open())
    stored = add_document(store, "a", namespace=OWNER)
    for text in (PHRASE * 40, "read anew"):
        store.append(stored, pages=[page(1, text)], chunks=[], segment=b"", namespace=OWNER)
    store.delete("a", namespace=OWNER)
    assert PHRASE.encode() not in sqlite_backend.bytes_on_disk()
