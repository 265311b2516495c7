"""What every graph store promises (core/ports/graph_store.py)."""

import random
from datetime import timedelta

import pytest

from core.domain.graph import EntityKind, GraphCounts, Mention, RelationKind, SourceKind, entity_id
from core.errors import NotFoundError, StoreError
from core.ports.graph_store import GraphStore
from tests.contracts.graph_samples import (
    GraphBackend,
    entity,
    fact,
    ids,
    mention,
    pairs,
    said,
    write,
)
from tests.contracts.samples import OTHER, OWNER, START


@pytest.fixture
def store(graph_backend: GraphBackend) -> GraphStore:
    return graph_backend.open()


def picture(store: GraphStore, namespace: str = OWNER) -> object:
    """All that can be seen of a graph."""
    entities = store.entities(namespace=namespace)
    return (
        entities,
        store.relations(namespace=namespace),
        store.evidence([e.id for e in entities], namespace=namespace),
        store.count(namespace=namespace),
    )


def names(store: GraphStore, namespace: str = OWNER) -> list[str]:
    return sorted(e.name for e in store.entities(namespace=namespace))


def test_an_empty_graph_is_empty(store: GraphStore) -> None:
    store.ensure_ready()
    store.ensure_ready()
    nobody = GraphCounts(entities=0, relations=0, evidence=0)
    assert picture(store) == ([], [], {}, nobody)
    assert store.find(["a", ""], namespace=OWNER) == []
    assert store.neighbourhood(ids("a"), namespace=OWNER) == []
    assert store.shortest_path(*ids("a", "b"), namespace=OWNER) == []
    assert store.sources(SourceKind.DOCUMENT, namespace=OWNER) == []
    store.write([], [], namespace=OWNER)
    store.clear(namespace=OWNER)
    assert store.count(namespace=OWNER) == nobody


def test_what_was_read_comes_back_as_it_was(store: GraphStore) -> None:
    told = fact(
        "卷积神经网络",
        "Yann LeCun",
        kind=RelationKind.CREATED,
        sentence="“卷积神经网络”由 Yann LeCun 提出 🎓 \\ ' \" é.",
        confidence=0.75,
        label="提出",
    )
    store.write([mention("C++", "C++ is a language.", "m1", page=None)], [told], namespace=OWNER)
    (found,) = store.relations(namespace=OWNER)
    assert (found.subject, found.kind, found.object) == (told.subject, told.kind, told.object)
    assert (found.label, found.evidence) == ("提出", (told.evidence,))
    assert found.evidence[0].at.utcoffset() == timedelta(0)
    (cpp,) = store.find(["c++"], namespace=OWNER)
    assert cpp == entity("C++")
    assert store.evidence([cpp.id, "unknown"], namespace=OWNER) == {
        cpp.id: [said("C++ is a language.", "m1", page=None)]
    }
    assert store.count(namespace=OWNER) == GraphCounts(entities=3, relations=1, evidence=2)


def test_writing_the_same_again_changes_nothing(store: GraphStore) -> None:
    mentions = [
        Mention(entity=entity("LSTM", "Long short-term memory"), evidence=said("LSTM (…).")),
        mention("RNN"),
    ]
    facts = [fact("LSTM", "RNN"), fact("RNN", "gate", label="")]
    store.write(mentions, facts, namespace=OWNER)
    before = picture(store)
    store.write(mentions, facts, namespace=OWNER)
    store.write(mentions[::-1], facts[::-1] * 2, namespace=OWNER)
    assert picture(store) == before


def test_the_same_sentence_is_one_piece_with_the_greater_confidence(store: GraphStore) -> None:
    for confidence, at in ((0.5, START), (0.9, START + timedelta(1)), (0.6, START)):
        evidence = said("A uses B.", confidence=confidence, at=at)
        told = fact("A", "B", sentence="A uses B.", confidence=confidence)
        store.write([Mention(entity=entity("A"), evidence=evidence)], [told], namespace=OWNER)
    (found,) = store.relations(namespace=OWNER)
    assert [(e.confidence, e.at) for e in found.evidence] == [(0.9, START)]
    assert [e.confidence for e in store.evidence(ids("A"), namespace=OWNER)[ids("A")[0]]] == [0.9]
    elsewhere = [fact("A", "B", source, sentence="A uses B.") for source in ("book", "film")]
    store.write([], elsewhere, namespace=OWNER)
    (found,) = store.relations(namespace=OWNER)
    assert [(e.source_id, e.confidence) for e in found.evidence] == [("book", 0.9), ("film", 0.5)]
    assert found.confidence == pytest.approx(0.95)


def test_the_same_sentence_on_another_page_is_another_piece(store: GraphStore) -> None:
    for page in (1, 2, None):
        store.write([mention("A", "A.", page=page)], [], namespace=OWNER)
    pages = {e.page for e in store.evidence(ids("A"), namespace=OWNER)[entity_id("A")]}
    assert pages == {1, 2, None}


def test_spelling_stays_and_a_telling_kind_wins(store: GraphStore) -> None:
    for name, kind in (
        ("Ada Lovelace", EntityKind.OTHER),
        ("ada lovelace", EntityKind.CONCEPT),
        ("ADA-LOVELACE", EntityKind.PERSON),
        ("Ada Lovelace", EntityKind.PLACE),
        ("Ada Lovelace", EntityKind.CONCEPT),
    ):
        evidence = said(f"{name}.")
        store.write(
            [Mention(entity=entity(name, kind=kind), evidence=evidence)], [], namespace=OWNER
        )
    (found,) = store.entities(namespace=OWNER)
    assert (found.name, found.kind, found.aliases) == ("Ada Lovelace", EntityKind.PERSON, ())
    assert len(store.evidence([found.id], namespace=OWNER)[found.id]) == 3


def test_an_entity_is_found_by_each_of_its_names_once(store: GraphStore) -> None:
    lstm = Mention(entity=entity("LSTM", "长短期记忆", "Long memory"), evidence=said("LSTM (…)."))
    store.write([mention("Long memory"), lstm, mention("RNN")], [], namespace=OWNER)
    found = store.find(["rnn", "long-memory", "LSTM", "长短期记忆", "GRU"], namespace=OWNER)
    assert [e.name for e in found] == ["RNN", "LSTM"]
    assert set(found[1].aliases) == {"长短期记忆", "Long memory"}
    store.write([], [fact("长短期记忆", "RNN")], namespace=OWNER)
    assert pairs(store.relations(namespace=OWNER)) == ["LSTM RNN"]


def test_an_alias_that_is_another_entity_s_name_is_not_taken(store: GraphStore) -> None:
    store.write([mention("RNN")], [], namespace=OWNER)
    claims = Mention(entity=entity("LSTM", "RNN"), evidence=said("LSTM, an RNN."))
    store.write([claims], [], namespace=OWNER)
    assert [e.aliases for e in store.find(["RNN", "LSTM"], namespace=OWNER)] == [(), ()]


def test_a_relation_between_two_names_of_one_entity_is_evidence_of_it(store: GraphStore) -> None:
    lstm = Mention(entity=entity("LSTM", "Long memory"), evidence=said("LSTM (long memory)."))
    store.write([lstm], [fact("LSTM", "long memory")], namespace=OWNER)
    assert store.count(namespace=OWNER) == GraphCounts(entities=1, relations=0, evidence=2)
    assert len(store.evidence(ids("LSTM"), namespace=OWNER)[entity_id("LSTM")]) == 2


def test_a_long_name_is_a_name(store: GraphStore) -> None:
    chance = random.Random(3)
    one, other = ("".join(chance.choices("过拟合模型学习 abcdefgh", k=6000)) for _ in "ab")
    told = fact("X", one, kind=RelationKind.DEFINED_AS)
    also = Mention(entity=entity("X", other), evidence=said("X."))
    store.write([also], [told], namespace=OWNER)
    assert [e.name for e in store.find([one, other], namespace=OWNER)] == [one, "X"]
    assert store.find([one[:-1]], namespace=OWNER) == []
    store.merge(*ids(one, "X"), namespace=OWNER)
    assert set(store.entities(namespace=OWNER)[0].aliases) == {"X", other}


def test_a_name_of_spaces_is_refused(store: GraphStore) -> None:
    with pytest.raises(ValueError, match="without a name"):
        store.write([mention("A"), mention("  ", "…")], [], namespace=OWNER)
    assert store.count(namespace=OWNER).entities == 0


def test_a_write_that_fails_leaves_nothing(store: GraphStore) -> None:
    write(store, "A B", namespace=OWNER)
    before = picture(store)
    good = [fact("A", f"C{n}", confidence=0.9) for n in range(50)]
    for facts in (
        [*good, fact("A", "D", sentence="secret \ud800 text")],
        [*good, fact("A\ud800", "E")],
    ):
        with pytest.raises(StoreError) as caught:
            store.write([mention("B", confidence=0.9)], facts, namespace=OWNER)
        assert "secret" not in caught.value.sentence
    assert picture(store) == before


def test_the_best_connected_come_first_then_by_name(store: GraphStore) -> None:
    write(store, "hub c", "hub b", "a hub", "b c", namespace=OWNER)
    store.write([mention("lonely"), mention("alone")], [], namespace=OWNER)
    ordered = ["hub", "b", "c", "a", "alone", "lonely"]
    assert [e.name for e in store.entities(namespace=OWNER)] == ordered
    for limit in (0, 1, 4, 100):
        found = store.entities(namespace=OWNER, limit=limit)
        assert [e.name for e in found] == ordered[:limit]


def test_relations_are_narrowed_and_the_most_said_come_first(store: GraphStore) -> None:
    write(store, "a b", "b c", "c d", namespace=OWNER)
    for source in ("two", "three"):
        write(store, "b c", source=source, namespace=OWNER)
    write(store, "c d", source="two", namespace=OWNER)
    assert pairs(store.relations(namespace=OWNER)) == ["b c", "c d", "a b"]
    assert pairs(store.relations(namespace=OWNER, limit=2)) == ["b c", "c d"]
    assert pairs(store.relations(namespace=OWNER, of=ids("b"))) == ["b c", "a b"]
    assert pairs(store.relations(namespace=OWNER, of=ids("b", "d", "x"), limit=2)) == ["b c", "c d"]
    assert store.relations(namespace=OWNER, limit=0) == []
    assert store.relations(namespace=OWNER, of=ids("x")) == []


def test_evidence_of_a_relation_begins_with_the_most_certain(store: GraphStore) -> None:
    for confidence, label in ((0.3, ""), (0.6, "applies"), (0.9, "")):
        told = fact("A", "B", sentence=f"{confidence}", confidence=confidence, label=label)
        store.write([], [told], namespace=OWNER)
    (found,) = store.relations(namespace=OWNER)
    assert [e.confidence for e in found.evidence] == [0.9, 0.6, 0.3]
    assert found.label == "applies"


def test_merging_keeps_all_evidence_and_all_names(store: GraphStore) -> None:
    lstm = Mention(entity=entity("LSTM", "Long memory"), evidence=said("LSTM (long memory)."))
    person = Mention(
        entity=entity("长短期记忆", kind=EntityKind.WORK), evidence=said("长短期记忆。")
    )
    store.write([lstm, person], [], namespace=OWNER)
    write(
        store,
        "LSTM gate",
        "x LSTM",
        "长短期记忆 gate",
        "长短期记忆 LSTM",
        "y 长短期记忆",
        namespace=OWNER,
    )
    sentences = store.count(namespace=OWNER).evidence

    store.merge(*ids("LSTM", "长短期记忆"), namespace=OWNER)

    (kept,) = store.find(["长短期记忆", "LSTM", "long memory"], namespace=OWNER)
    assert (kept.id, kept.name, kept.kind) == (entity_id("LSTM"), "LSTM", EntityKind.WORK)
    assert set(kept.aliases) == {"Long memory", "长短期记忆"}
    found = {pair: r for r in store.relations(namespace=OWNER) for pair in pairs([r])}
    assert set(found) == {"LSTM gate", "x LSTM", "y LSTM"}
    said_of_gate = {e.sentence for e in found["LSTM gate"].evidence}
    assert said_of_gate == {"LSTM uses gate.", "长短期记忆 uses gate."}
    assert store.count(namespace=OWNER).evidence == sentences
    assert len(store.evidence([kept.id], namespace=OWNER)[kept.id]) == sentences


def test_a_merge_lasts(store: GraphStore) -> None:
    write(store, "RNN gate", "Elman gate", namespace=OWNER)
    store.merge(*ids("RNN", "Elman"), namespace=OWNER)
    write(store, "Elman state", "RNN Elman", source="later", namespace=OWNER)
    assert set(pairs(store.relations(namespace=OWNER))) == {"RNN gate", "RNN state"}
    store.write([mention("Hopfield")], [], namespace=OWNER)
    store.merge(*ids("Hopfield", "RNN"), namespace=OWNER)
    (found,) = store.find(["elman"], namespace=OWNER)
    assert (found.name, set(found.aliases)) == ("Hopfield", {"RNN", "Elman"})


def test_only_what_is_there_can_be_merged(store: GraphStore) -> None:
    write(store, "A B", namespace=OWNER)
    before = picture(store)
    for keep, drop in (("A", "X"), ("X", "A"), ("X", "X")):
        with pytest.raises(NotFoundError):
            store.merge(*ids(keep, drop), namespace=OWNER)
    store.merge(*ids("A", "A"), namespace=OWNER)
    assert picture(store) == before


def test_a_source_takes_with_it_what_only_it_says(store: GraphStore) -> None:
    write(store, "A B", "B C", namespace=OWNER)
    write(store, "A B", "C D", source="film", namespace=OWNER)
    store.write([mention("E", source="film"), mention("B", source="film")], [], namespace=OWNER)
    assert store.remove_source(SourceKind.DOCUMENT, "film", namespace=OWNER) == 4
    assert names(store) == ["A", "B", "C"]
    assert sorted(pairs(store.relations(namespace=OWNER))) == ["A B", "B C"]
    assert {e.source_id for r in store.relations(namespace=OWNER) for e in r.evidence} == {"book"}
    assert store.sources(SourceKind.DOCUMENT, namespace=OWNER) == ["book"]
    assert store.remove_source(SourceKind.DOCUMENT, "film", namespace=OWNER) == 0
    assert store.remove_source(SourceKind.DOCUMENT, "book", namespace=OWNER) == 2
    assert store.count(namespace=OWNER) == GraphCounts(entities=0, relations=0, evidence=0)


def test_a_memory_and_a_document_with_one_id_are_two_sources(store: GraphStore) -> None:
    for kind in SourceKind:
        evidence = said(f"A, from a {kind}.", "1", kind=kind)
        store.write([Mention(entity=entity("A"), evidence=evidence)], [], namespace=OWNER)
    assert store.sources(SourceKind.MEMORY, namespace=OWNER) == ["1"]
    assert store.remove_source(SourceKind.MEMORY, "1", namespace=OWNER) == 1
    assert store.sources(SourceKind.MEMORY, namespace=OWNER) == []
    assert store.sources(SourceKind.DOCUMENT, namespace=OWNER) == ["1"]


def test_names_go_with_the_last_source_that_has_them(store: GraphStore) -> None:
    write(store, "Rosa x", source="diary", namespace=OWNER)
    write(store, "Luxemburg y", "Luxemburg z", namespace=OWNER)
    also = Mention(entity=entity("Luxemburg", "Junius"), evidence=said("Junius.", "diary"))
    store.write([also], [], namespace=OWNER)
    store.merge(*ids("Rosa", "Luxemburg"), namespace=OWNER)
    assert store.find(["Junius"], namespace=OWNER)[0].name == "Rosa"

    store.remove_source(SourceKind.DOCUMENT, "diary", namespace=OWNER)

    assert store.find(["Rosa", "Junius"], namespace=OWNER) == []
    (found,) = store.find(["luxemburg"], namespace=OWNER)
    assert found == entity("Luxemburg")
    assert sorted(pairs(store.relations(namespace=OWNER))) == ["Luxemburg y", "Luxemburg z"]
    assert names(store) == ["Luxemburg", "y", "z"]
    write(store, "Rosa x", namespace=OWNER)
    assert len(store.entities(namespace=OWNER)) == 5, "what is read again is a new entity"


def test_removed_text_is_nowhere_in_the_store(
    store: GraphStore, graph_backend: GraphBackend
) -> None:
    write(store, "A B", namespace=OWNER)
    hidden = ["zebra-unmistakable", "斑马不会弄错", "quagga-alias", "okapi-verb", "private-id"]
    zebra, horse, alias, verb, source = hidden
    for page in range(1, 60):
        told = fact(zebra, horse, source, sentence=f"{page} {zebra} {horse} " * 40, label=verb)
        shared = fact("A", "B", source, sentence=f"{page} {zebra}", label=verb)
        also = Mention(
            entity=entity("A", alias), evidence=said(f"{page} {alias}", source, page=page)
        )
        store.write([also], [told, shared], namespace=OWNER)
    store.write([mention("stripes", source="book")], [fact("stripes", "zoo")], namespace=OWNER)
    store.merge(*ids(zebra, "stripes"), namespace=OWNER)
    assert all(text in graph_backend.everything() for text in hidden)

    store.remove_source(SourceKind.DOCUMENT, source, namespace=OWNER)

    everything = graph_backend.everything()
    assert [text for text in hidden if text in everything] == []
    assert "stripes" in everything
    assert sorted(pairs(store.relations(namespace=OWNER))) == ["A B", "stripes zoo"]

    store.clear(namespace=OWNER)
    everything = graph_backend.everything()
    assert [text for text in ("stripes", "A uses B", OWNER) if text in everything] == []


def test_a_closed_store_opens_again(store: GraphStore) -> None:
    write(store, "A B", namespace=OWNER)
    store.close()
    store.close()
    assert names(store) == ["A", "B"]


def test_no_name_path_or_merge_reaches_another_namespace(store: GraphStore) -> None:
    write(store, "A bridge", "bridge Z", "A secret", namespace=OTHER)
    also = Mention(entity=entity("A", "mine", "Z2"), evidence=said("A is mine."))
    store.write([also], [fact("Z", "Z2", "film")], namespace=OTHER)
    write(store, "A m", "Z Z2", "mine m2", namespace=OWNER)
    foreign = picture(store, OTHER)
    mine = picture(store)

    assert names(store) == ["A", "Z", "Z2", "m", "m2", "mine"]
    assert store.find(["bridge", "secret"], namespace=OWNER) == []
    assert [e.aliases for e in store.find(["A", "mine", "Z2"], namespace=OWNER)] == [(), (), ()]
    assert store.shortest_path(*ids("A", "Z"), namespace=OWNER) == []
    assert store.shortest_path(*ids("bridge", "A"), namespace=OWNER) == []
    assert pairs(store.neighbourhood(ids("A", "bridge"), namespace=OWNER, hops=5)) == ["A m"]
    assert pairs(store.relations(namespace=OWNER, of=ids("A", "bridge"))) == ["A m"]
    assert set(store.evidence(ids("A", "bridge"), namespace=OWNER)) == set(ids("A"))
    for keep, drop in (("A", "bridge"), ("bridge", "A"), ("bridge", "secret")):
        with pytest.raises(NotFoundError):
            store.merge(*ids(keep, drop), namespace=OWNER)
    assert store.remove_source(SourceKind.DOCUMENT, "film", namespace=OWNER) == 0
    assert store.sources(SourceKind.DOCUMENT, namespace=OWNER) == ["book"]
    assert picture(store) == mine

    store.merge(*ids("A", "Z"), namespace=OWNER)
    assert pairs(store.shortest_path(*ids("m", "Z2"), namespace=OWNER)) == ["A m", "A Z2"]
    store.remove_source(SourceKind.DOCUMENT, "book", namespace=OWNER)
    store.clear(namespace=OWNER)
    assert picture(store, OTHER) == foreign


@pytest.mark.parametrize("namespace", ["", "pdf_owner/", "pdf_owne", "%", "pdf_OWNER", "a' OR '1"])
def test_namespaces_are_alike_only_when_they_are_the_same(
    store: GraphStore, namespace: str
) -> None:
    write(store, "A B", "/ //", namespace=OWNER)
    assert picture(store, namespace) == (
        [],
        [],
        {},
        GraphCounts(entities=0, relations=0, evidence=0),
    )
    write(store, "A C", "// /", namespace=namespace)
    store.clear(namespace=namespace)
    assert sorted(pairs(store.relations(namespace=OWNER))) == ["/ //", "A B"]
