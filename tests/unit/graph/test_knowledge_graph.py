"""Learning from documents and memories, and what the graph then knows."""

import pytest

from core.domain.graph import EntityKind, RelationKind, SourceKind
from core.domain.memory import Memory, MemoryKind
from core.errors import NotFoundError
from core.graph.knowledge import KnowledgeGraph
from core.stores.graph import SqlGraphStore
from tests.fakes import MONDAY

NS = "pdf_a"
PAGES = [
    (1, "Mira Holt founded Halden Works in 1931. The company had a leaking roof.", "en"),
    (2, "Halden Works produces the Kestrel turbine. It is painted every spring.", "en"),
    (3, "The Kestrel turbine uses ceramic bearings. Children draw it often.", "en"),
    (4, "Ceramic bearings consist of silicon nitride and steel.", "en"),
    (5, "Lake Baikal lies in Siberia.", "en"),
]
CHINESE = [
    (1, "一九三一年，何米拉创立了海登工厂。厂里只有四名工人。", "zh"),
    (2, "海登工厂生产红隼风机。红隼风机使用陶瓷轴承。", "zh"),
]


def memory(content: str, id_: str = "m1") -> Memory:
    return Memory(
        id=id_,
        kind=MemoryKind.SEMANTIC,
        content=content,
        importance=0.5,
        created_at=MONDAY,
        session_id="s",
        event="note",
    )


def test_a_connection_has_a_sentence_with_page_for_each_step(graph: KnowledgeGraph) -> None:
    assert graph.learn_pages("d1", PAGES, namespace=NS) >= 5
    found = graph.connected("Mira Holt", "ceramic bearings", namespace=NS)
    assert [(s.relation.kind, s.forward, s.evidence.page) for s in found.steps] == [
        (RelationKind.CREATED, True, 1),
        (RelationKind.PRODUCES, True, 2),
        (RelationKind.USES, True, 3),
    ]
    assert found.steps[0].evidence.sentence == "Mira Holt founded Halden Works in 1931."
    assert found.steps[0].evidence.source_id == "d1"
    back = graph.connected("ceramic bearings", "Mira Holt", namespace=NS)
    assert [s.forward for s in back.steps] == [False] * 3


def test_chinese_connects_the_same_way(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", CHINESE, namespace=NS)
    found = graph.connected("何米拉", "陶瓷轴承", namespace=NS)
    assert [s.relation.kind.value for s in found.steps] == ["created", "produces", "uses"]


def test_what_is_not_connected_and_what_is_not_known_differ(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    assert graph.connected("Mira Holt", "Lake Baikal", namespace=NS).steps == ()
    assert graph.connected("Mira Holt", "mira holt", namespace=NS).steps == ()
    with pytest.raises(NotFoundError, match="Atlantis"):
        graph.connected("Mira Holt", "Atlantis", namespace=NS)
    with pytest.raises(NotFoundError):
        graph.connected("Mira Holt", "", namespace=NS)


def test_a_question_may_ask_for_a_connection(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [*PAGES, *CHINESE], namespace=NS)
    for question, steps in (
        ("How is Mira Holt connected with ceramic bearings?", 3),
        ("How is Lake Baikal, for Mira Holt, related to the Kestrel turbine?", 2),
        ("何米拉和陶瓷轴承有什么联系？", 3),
        ("How is Mira Holt connected with Lake Baikal?", 0),
    ):
        found = graph.connection_asked(question, namespace=NS)
        assert found is not None
        assert len(found.steps) == steps
    for question in ("Who is Mira Holt?", "How is Mira Holt connected?", "How are they related?"):
        assert graph.connection_asked(question, namespace=NS) is None


def test_learners_do_not_meet(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    assert graph.entities_of("Who is Mira Holt?", namespace="pdf_b") == []
    assert graph.related_passages("Mira Holt", namespace="pdf_b").passages == ()
    with pytest.raises(NotFoundError):
        graph.about("Mira Holt", namespace="pdf_b")


def test_reading_again_changes_nothing(graph: KnowledgeGraph, store: SqlGraphStore) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    before = store.count(namespace=NS)
    graph.learn_pages("d1", PAGES, namespace=NS)
    assert store.count(namespace=NS) == before


def test_pages_a_few_at_a_time_give_the_same_facts(graph: KnowledgeGraph) -> None:
    for page in PAGES:
        graph.learn_pages("d1", [page], namespace=NS)
    assert len(graph.connected("Mira Holt", "silicon nitride", namespace=NS).steps) == 4


def test_known_things_are_found_again_on_later_pages(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    graph.learn_pages("d2", [(7, "We saw a Kestrel turbine near the road.", "en")], namespace=NS)
    said = graph.evidence("Kestrel turbine", namespace=NS)
    assert ("d2", 7) in {(evidence.source_id, evidence.page) for evidence in said}


def test_what_only_a_source_says_goes_with_it(graph: KnowledgeGraph, store: SqlGraphStore) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    graph.learn_memory(memory("Mira Holt founded Halden Works."), namespace=NS)
    assert graph.forget_source(SourceKind.DOCUMENT, "d1", namespace=NS) > 0
    assert len(graph.connected("Mira Holt", "Halden Works", namespace=NS).steps) == 1
    with pytest.raises(NotFoundError):
        graph.about("ceramic bearings", namespace=NS)
    graph.forget_source(SourceKind.MEMORY, "m1", namespace=NS)
    assert store.count(namespace=NS).entities == 0


def test_questions_name_entities_the_longest_first(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [*PAGES, (6, "Holt is a surname.", "en")], namespace=NS)
    found = graph.entities_of("What do Ceramic Bearings have to do with Mira Holt?", namespace=NS)
    assert [one.name for one in found] == ["ceramic bearing", "Mira Holt"]
    graph.learn_pages("d3", CHINESE, namespace=NS)
    found = graph.entities_of("海登工厂和红隼风机有什么关系？", namespace=NS)
    assert [one.name for one in found] == ["海登工厂", "红隼风机"]


@pytest.mark.parametrize("question", ["", "?", "？", "why", "《》", "x" * 5_000, "的" * 2_000])
def test_a_question_without_entities_relates_to_nothing(
    graph: KnowledgeGraph, question: str
) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    assert graph.related_passages(question, namespace=NS).passages == ()
    assert graph.related_memories(question, namespace=NS) == {}


def test_passages_two_steps_away_are_related(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", PAGES, namespace=NS)
    found = graph.related_passages(
        "What do the bearings that the Kestrel turbine uses consist of?", namespace=NS
    )
    assert [p.page for p in found.passages[:2]] == [3, 4]
    assert all(0 < p.score <= 1 for p in found.passages)
    plain = graph.related_passages("Tell me about Lake Baikal", namespace=NS)
    assert [p.page for p in plain.passages] == [5]
    assert found.weight > plain.weight > 0


def test_memories_on_the_way_between_two_things_are_nearest(graph: KnowledgeGraph) -> None:
    for i, text in enumerate(
        (
            "Osmosis is a kind of diffusion.",
            "The kidney uses osmosis.",
            "Lake Baikal lies in Siberia.",
            "Diffusion is a passive transport.",
        )
    ):
        graph.learn_memory(memory(text, f"m{i}"), namespace=NS)
    near = graph.related_memories("How is the kidney connected with diffusion?", namespace=NS)
    assert set(near) == {"m0", "m1", "m3"}
    assert min(near["m0"], near["m1"]) > near["m3"]
    assert all(0 < value <= 1 for value in near.values())


def test_a_surname_means_the_person_of_the_same_text(graph: KnowledgeGraph) -> None:
    text = "Alan Turing was born in London. Later Turing designed the Bombe. Turing smiled."
    graph.learn_pages("d1", [(1, text, "en")], namespace=NS)
    kinds = {r.kind for r in graph.about("Alan Turing", namespace=NS)}
    assert kinds == {RelationKind.BORN_IN, RelationKind.CREATED}


def test_two_bearers_keep_their_surname_apart(graph: KnowledgeGraph) -> None:
    text = (
        "Marie Curie was born in Warsaw. Pierre Curie was born in Paris. "
        "In 1903 Curie discovered nothing new."
    )
    graph.learn_pages("d1", [(1, text, "en")], namespace=NS)
    assert graph.about("Marie Curie", namespace=NS)[0].object.name == "Warsaw"
    assert len(graph.about("Marie Curie", namespace=NS)) == 1


def test_an_alias_joins_what_was_two(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [(1, "RAG uses a search index.", "en")], namespace=NS)
    graph.learn_pages(
        "d1", [(2, "Retrieval-augmented generation (RAG) was proposed in 2020.", "en")],
        namespace=NS,
    )  # fmt: skip
    one = graph.entity("RAG", namespace=NS)
    assert one.id == graph.entity("retrieval-augmented generation", namespace=NS).id
    assert "search index" in {r.object.name for r in graph.about("RAG", namespace=NS)}


def test_an_abbreviation_of_two_things_stays_with_the_first(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [(1, "Machine learning (ML) uses data.", "en")], namespace=NS)
    graph.learn_pages("d2", [(1, "Maximum likelihood (ML) is an estimator.", "en")], namespace=NS)
    assert graph.entity("ML", namespace=NS).name.lower() == "machine learning"
    other = graph.entity("maximum likelihood", namespace=NS)
    assert other.id != graph.entity("machine learning", namespace=NS).id


def test_a_surname_of_another_document_is_nobody(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [(1, "Alan Turing was born in London.", "en")], namespace=NS)
    graph.learn_pages("d2", [(1, "In 1936 Turing designed the Bombe.", "en")], namespace=NS)
    assert len(graph.about("Alan Turing", namespace=NS)) == 1
    graph.learn_pages("d1", [(2, "In 1936 Turing designed the Bombe.", "en")], namespace=NS)
    assert len(graph.about("Alan Turing", namespace=NS)) == 2


def test_an_english_name_in_chinese_text_is_an_alias(graph: KnowledgeGraph) -> None:
    graph.learn_pages("d1", [(1, "注意力机制（attention）是一种计算方法。", "zh")], namespace=NS)
    assert graph.entity("attention", namespace=NS).name == "注意力机制"


def test_a_merge_by_the_learner_holds(graph: KnowledgeGraph) -> None:
    graph.learn_pages(
        "d1", [(1, "梯度下降是一种优化算法。梯度下降法使用导数信息。", "zh")], namespace=NS
    )
    (proposal,) = graph.proposals(namespace=NS)
    graph.merge(proposal.keep.id, proposal.drop.id, namespace=NS)
    assert graph.proposals(namespace=NS) == []
    assert graph.entity("梯度下降法", namespace=NS).id == proposal.keep.id


def test_single_mentions_of_unknown_names_are_left_out(
    graph: KnowledgeGraph, store: SqlGraphStore
) -> None:
    graph.learn_pages("d1", [(1, "We met Paul Dirac. The soup was good.", "en")], namespace=NS)
    assert store.count(namespace=NS).entities == 0
    graph.learn_pages(
        "d1", [(2, "We met Paul Dirac. Then Paul Dirac left for home.", "en")], namespace=NS
    )
    assert [one.name for one in store.entities(namespace=NS)] == ["Paul Dirac"]
    assert store.entities(namespace=NS)[0].kind is EntityKind.OTHER
