"""Several who write one graph at once, and one that is killed while writing."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from core.domain.graph import SourceKind
from core.ports.graph_store import GraphStore
from tests.contracts.child import SHARED_WRITES, acknowledged_before_kill, child
from tests.contracts.graph_samples import GraphBackend, fact, ids, mention, numbered, pairs, write
from tests.contracts.samples import OTHER, OWNER

InThreads = Callable[[Callable[[Any], Any], Sequence[Any]], list[Any]]


def check_whole(store: GraphStore, namespace: str = OWNER) -> None:
    """Nothing is there without a sentence, twice, or with one end only."""
    entities = store.entities(namespace=namespace)
    relations = store.relations(namespace=namespace)
    by_id = {e.id: e for e in entities}
    assert len(by_id) == len(entities) == store.count(namespace=namespace).entities
    assert len({r.id for r in relations}) == store.count(namespace=namespace).relations
    assert set(store.evidence(list(by_id), namespace=namespace)) == set(by_id)
    for relation in relations:
        assert relation.evidence
        assert by_id[relation.subject.id] == relation.subject
        assert by_id[relation.object.id] == relation.object
    names = [name for e in entities for name in (e.name, *e.aliases)]
    assert len(names) == len(set(names))
    for entity in entities:
        assert store.find([entity.name, *entity.aliases], namespace=namespace) == [entity]


def check_numbered(store: GraphStore, numbers: Sequence[int]) -> None:
    """Exactly what `numbered` gives is there for each number, whole."""
    check_whole(store)
    found = {e.name for e in store.entities(namespace=OWNER)}
    assert found == {"everything", "nothing", *(f"topic{n}" for n in numbers)}
    relations = {pair: r for r in store.relations(namespace=OWNER) for pair in pairs([r])}
    assert len(relations) == 2 * len(numbers) + 1
    shared = {e.source_id for e in relations["everything nothing"].evidence}
    assert shared == {f"source{n}" for n in numbers}
    for number in numbers:
        own = [relations[f"everything topic{number}"], relations[f"topic{number} nothing"]]
        assert [len(r.evidence) for r in own] == [1, 1]
    assert store.count(namespace=OWNER).evidence == 4 * len(numbers)


def test_threads_that_write_the_same_make_each_thing_once(
    graph_backend: GraphBackend, in_threads: InThreads
) -> None:
    store = graph_backend.open()

    def go(first: int) -> None:
        for number in range(10):
            store.write(*numbered((first + number) % 10), namespace=OWNER)

    in_threads(go, range(8))
    check_numbered(store, range(10))


def test_stores_that_open_at_once_and_write_the_same(
    graph_backend: GraphBackend, in_threads: InThreads
) -> None:
    def go(store: GraphStore) -> None:
        for number in range(4):
            store.write(*numbered(number), namespace=OWNER)

    in_threads(go, [graph_backend.open() for _ in range(8)])
    check_numbered(graph_backend.open(), range(4))


def test_processes_that_write_the_same_make_each_thing_once(graph_backend: GraphBackend) -> None:
    arguments = ("write-shared-graph", graph_backend.where, str(graph_backend.folder))
    with ExitStack() as running:
        processes = [running.enter_context(child(*arguments)) for _ in range(2)]
        assert [process.wait(timeout=120) for process in processes] == [0, 0]
    check_numbered(graph_backend.open(), range(SHARED_WRITES))


def test_killing_the_writer_loses_nothing_and_leaves_nothing_half(
    graph_backend: GraphBackend,
) -> None:
    arguments = ("write-graph", graph_backend.where, str(graph_backend.folder))
    acknowledged = acknowledged_before_kill(*arguments, after=20)
    store = graph_backend.open()
    written = len(store.sources(SourceKind.DOCUMENT, namespace=OWNER))
    assert acknowledged <= written <= acknowledged + 1
    check_numbered(store, range(written))


def test_writing_removing_and_merging_at_once_leaves_the_graph_whole(
    graph_backend: GraphBackend, in_threads: InThreads
) -> None:
    store = graph_backend.open()
    write(store, "keep drop", "keep stays", source="ground", namespace=OWNER)

    def add(source: str) -> None:
        for number in range(6):
            mentions = [mention(f"only-{source}", source=source)]
            facts = [fact("keep", "drop", source), fact(f"t{number}", "keep", source)]
            store.write(mentions, facts, namespace=OWNER)

    def remove(source: str) -> None:
        for _ in range(6):
            store.remove_source(SourceKind.DOCUMENT, source, namespace=OWNER)

    def join(_: str) -> None:
        store.merge(*ids("keep", "drop"), namespace=OWNER)

    works = [(add, "a"), (remove, "a"), (add, "b"), (remove, "b"), (add, "c"), (join, "")]
    in_threads(lambda work: work[0](work[1]), works)

    check_whole(store)
    (kept,) = store.find(["keep", "drop"], namespace=OWNER)
    assert kept.aliases == ("drop",)
    for source in ("a", "b"):
        store.remove_source(SourceKind.DOCUMENT, source, namespace=OWNER)
    check_whole(store)
    assert set(store.sources(SourceKind.DOCUMENT, namespace=OWNER)) == {"c", "ground"}
    expected = {f"t{n} keep" for n in range(6)} | {"keep stays"}
    assert set(pairs(store.relations(namespace=OWNER))) == expected


def test_writers_of_several_namespaces_do_not_hinder_each_other(
    graph_backend: GraphBackend, in_threads: InThreads
) -> None:
    store = graph_backend.open()
    namespaces = [OWNER, OTHER, "pdf_third", "pdf_fourth"]

    def go(namespace: str) -> None:
        for number in range(8):
            store.write(*numbered(number), namespace=namespace)
            store.clear(namespace=f"{namespace}_gone")

    in_threads(go, namespaces)
    for namespace in namespaces:
        check_whole(store, namespace)
        assert store.count(namespace=namespace).entities == 10


def test_clearing_and_writing_one_namespace_at_once(
    graph_backend: GraphBackend, in_threads: InThreads
) -> None:
    store = graph_backend.open()

    def go(clears: bool) -> None:
        for number in range(8):
            if clears:
                store.clear(namespace=OWNER)
            else:
                store.write(*numbered(number), namespace=OWNER)

    in_threads(go, [True, False, False])
    check_whole(store)
    store.write(*numbered(1), namespace=OWNER)
    store.clear(namespace=OWNER)
    assert store.count(namespace=OWNER).entities == 0
