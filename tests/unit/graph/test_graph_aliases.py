"""Names for the same thing: those a sentence gives, and those proposed."""

import pytest
from reading import extracted

from core.domain.graph import Entity, EntityKind, entity_id
from core.domain.graph_views import MergeReason
from core.graph.aliases import proposals
from core.graph.phrases import singular


@pytest.mark.parametrize(
    ("text", "language", "pair"),
    [
        ("Support vector machines (SVM) are old.", "en", ("support vector machine", "SVM")),
        ("The method is retrieval-augmented generation, or RAG.", "en",
         ("retrieval-augmented generation", "RAG")),
        ("Vitamin C, also known as ascorbic acid, is needed daily.", "en",
         ("Vitamin C", "ascorbic acid")),
        ("检索增强生成，简称 RAG。", "zh", ("检索增强生成", "RAG")),
        ("注意力（attention）很有用。", "zh", ("注意力", "attention")),
        ("抗坏血酸，又称维生素C，是一种维生素。", "zh", ("抗坏血酸", "维生素C")),
    ],
)  # fmt: skip
def test_a_sentence_gives_another_name(text: str, language: str, pair: tuple[str, str]) -> None:
    found = [
        (alias.entity.name.lower(), alias.other.name.lower())
        for alias in extracted(text, language).aliases
    ]
    one, other = (singular(name.lower()) for name in pair)
    assert (one, other) in [(singular(a), singular(b)) for a, b in found]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The river Thames (London) is long.", "en"),
        ("Marie Curie (1867) was a physicist.", "en"),
        ("The results (Table) are good.", "en"),
        ("图灵（1912年生）是数学家。", "zh"),
        ("这本书（见附录）很好。", "zh"),
    ],
)
def test_what_stands_in_brackets_is_mostly_no_name(text: str, language: str) -> None:
    assert extracted(text, language).aliases == ()


def entity(name: str, kind: EntityKind = EntityKind.CONCEPT) -> Entity:
    return Entity(id=entity_id(name), name=name, kind=kind, language="en")


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("gradient descent", "gradient descents", MergeReason.PLURAL),
        ("梯度下降", "梯度下降法", MergeReason.SUFFIX),
        ("quicksort", "quicksort algorithm", MergeReason.SUFFIX),
        ("natural language processing", "NLP", MergeReason.ABBREVIATION),
        ("photosynthesis", "photosinthesis", MergeReason.SPELLING),
        ("colour theory", "color theory", MergeReason.SPELLING),
    ],
)
def test_likely_pairs_are_proposed_with_a_reason(one: str, other: str, reason: MergeReason) -> None:
    found = proposals([entity(one), entity("unrelated thing"), entity(other)])
    assert [(p.keep.name, p.drop.name, p.reason) for p in found] == [(one, other, reason)]
    assert 0 < found[0].score <= 1


def test_a_surname_is_proposed_for_its_bearer() -> None:
    found = proposals([entity("Turing"), entity("Alan Turing", EntityKind.PERSON)])
    assert [(p.keep.name, p.drop.name) for p in found] == [("Alan Turing", "Turing")]


def test_years_and_numbered_things_are_not_spellings_of_each_other() -> None:
    years = [entity(name, EntityKind.TIME) for name in ("23 June 1912", "23 June 1913")]
    assert proposals([*years, entity("protocol version 2"), entity("protocol version 3")]) == []


@pytest.mark.parametrize(
    ("word", "one"),
    [("queries", "query"), ("processes", "process"), ("analysis", "analysis"), ("GPUs", "GPU"),
     ("glass", "glass"), ("virus", "virus"), ("bacteria", "bacterium"), ("vectors", "vector"),
     ("physics", "physics"), ("pancreas", "pancreas"), ("boxes", "box")],
)  # fmt: skip
def test_the_singular_of_a_noun(word: str, one: str) -> None:
    assert singular(word) == one


def test_a_difference_at_the_beginning_is_no_spelling():
    def entity(name):
        return Entity(id=entity_id(name), name=name, kind=EntityKind.CONCEPT, language="en")

    assert proposals([entity("encoder"), entity("decoder")]) == []
    assert [p.reason for p in proposals([entity("tokeniser"), entity("tokenizer")])] == [
        MergeReason.SPELLING
    ]
