"""What a question asks of the graph, and how the graph stands beside the vectors."""

import pytest

from core.domain.graph import Entity, EntityKind, RelationKind, entity_id
from core.graph.asked import asks_connection, kinds_asked
from core.graph.fusing import with_graph
from core.graph.relating import together
from core.graph.spotting import Spotter, candidates


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("What does the turbine use?", {RelationKind.USES}),
        ("Who invented the telescope?", {RelationKind.CREATED}),
        ("What is concrete made of?", {RelationKind.HAS}),
        ("Where was the founder born?", {RelationKind.BORN_IN, RelationKind.CREATED}),
        ("红隼风机使用什么？", {RelationKind.USES}),
        ("望远镜是谁发明的？", {RelationKind.CREATED}),
        ("混凝土由什么组成？", {RelationKind.HAS}),
    ],
)
def test_the_words_of_a_question_name_relations(question: str, kinds: set[RelationKind]) -> None:
    assert kinds <= kinds_asked(question)


@pytest.mark.parametrize("question", ["", "Hello there", "Tell me about bread", "面包", "你好"])
def test_other_questions_name_none(question: str) -> None:
    assert kinds_asked(question) == frozenset()
    assert not asks_connection(question)


@pytest.mark.parametrize(
    "question",
    ["How are A and B connected?", "What do A and B have in common?", "甲和乙有什么联系？"],
)
def test_a_connection_may_be_asked_for(question: str) -> None:
    assert asks_connection(question)


def test_vectors_alone_keep_their_order() -> None:
    ranked = [("a", 0.9), ("b", 0.5), ("c", 0.1)]
    assert with_graph(ranked, {}, weight=0.6) == ["a", "b", "c"]
    assert with_graph(ranked, {"c": 1.0}, weight=0.0) == ["a", "b", "c"]
    assert with_graph([], {}, weight=0.6) == []


def test_the_graph_raises_what_it_relates_and_adds_what_is_missing() -> None:
    ranked = [("a", 0.9), ("b", 0.5), ("c", 0.1)]
    # a: .4 · 1 = .4; b: .4 · .5 = .2; c: .6 · .5 = .3; d: .6 · 1 = .6
    assert with_graph(ranked, {"d": 0.8, "c": 0.4}, weight=0.6) == ["d", "a", "c", "b"]
    assert with_graph([], {"x": 0.1, "y": 0.2}, weight=0.6) == ["y", "x"]
    assert with_graph([("a", 2.0), ("b", 2.0)], {"b": 0.5}, weight=0.1) == ["b", "a"]


def test_several_sentences_weigh_more_than_one_and_never_more_than_all() -> None:
    assert together([0.5]) == 0.5
    assert together([0.5, 0.5]) == 0.75
    assert together([0.5] * 100) == together([0.5] * 3)
    assert together([]) == 0.0
    assert together([1.0, 0.5]) == 1.0


def entity(name: str, *aliases: str) -> Entity:
    return Entity(
        id=entity_id(name), name=name, kind=EntityKind.CONCEPT, language="en", aliases=aliases
    )


def test_known_names_are_found_the_longest_first_and_once() -> None:
    spotter = Spotter(
        [entity("neural network"), entity("network"), entity("GPU"), entity("注意力机制"),
         entity("注意力"), entity("卡尔·马克思"), entity("machine learning", "ML"), entity("C++")]
    )  # fmt: skip
    text = "Neural networks, ML and GPUs. The network: 注意力机制和注意力，卡尔·马克思 in C++. "
    text += "NEURAL NETWORK"
    assert [one.name for one in spotter.find(text)] == [
        "neural network", "machine learning", "GPU", "network", "注意力机制", "注意力",
        "卡尔·马克思", "C++",
    ]  # fmt: skip
    assert spotter.find("networking, GP, 注意, MLP") == []
    assert Spotter([]).find("anything") == []


def test_strings_that_may_be_names_are_bounded() -> None:
    assert "Kestrel turbine" in candidates("What do Kestrel turbines use?")
    assert "红隼风机" in candidates("红隼风机使用什么？")
    assert len(candidates("word " * 5_000)) < 100
    assert len(candidates("".join(chr(0x4E00 + i) for i in range(5_000)))) <= 2_000
