"""Facts read from English sentences, and what states none."""

import pytest
from reading import extracted, facts

from core.domain.graph import EntityKind


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Gradient descent is a search method.", "gradient descent is_a search method"),
        ("Mitochondria are organelles.", "mitochondrion is_a organelle"),
        ("Deep learning is a branch of informatics.", "deep learning part_of informatics"),
        ("The heart is part of the circulatory system.", "heart part_of circulatory system"),
        ("Smoking causes lung cancer.", "Smoking causes lung cancer"),
        ("Malaria is caused by a parasite.", "parasite causes Malaria"),
        ("Heart failure can result from stress.", "stress causes heart failure"),
        ("The Transformer uses attention.", "Transformer uses attention"),
        ("Random forests are based on decision trees.", "random forest uses decision tree"),
        ("Silk is produced by silkworms.", "silkworm produces Silk"),
        ("Alan Turing was born in London.", "Alan Turing born_in London"),
        ("Rosalind Franklin worked at King's College London.",
         "Rosalind Franklin works_for King's College London"),
        ("The Louvre is located in Paris.", "Louvre located_in Paris"),
        ("Paris is the capital of France.", "Paris located_in France"),
        ("Osmosis differs from diffusion.", "Osmosis contrasts diffusion"),
        ("Unlike mitosis, meiosis takes two rounds.", "meiosis contrasts mitosis"),
        ("Entropy refers to disorder.", "Entropy defined_as disorder"),
        ("The French Revolution began in 1789.", "French Revolution happened_in 1789"),
        ("Linus Torvalds is the creator of Linux.", "Linus Torvalds created Linux"),
        ("In 1928, Alec Fleming discovered penicillin.", "Alec Fleming created penicillin"),
        ("The compiler was first developed by Grace Hopper.", "Grace Hopper created compiler"),
        ("Metals such as iron, copper and zinc are everywhere.", "copper is_a metal"),
        ("The physicist Lise Meitner explained fission.", "Lise Meitner related fission"),
    ],
)  # fmt: skip
def test_a_sentence_states_its_fact(sentence: str, expected: str) -> None:
    assert expected in facts(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Is coal a renewable source of energy?",
        "Someone asked: \u201cIs a whale a fish?\u201d",
        "A whale is not a fish.",
        "No vitamin cures the common cold.",
        "Coal has never been a renewable source.",
        "If the dam breaks, the flood destroys the village.",
        "Stress may cause insomnia.",
        "Some people believe that bats are birds.",
        "It is a summary.",
        "This method uses attention.",
        "The programme was a success.",
        "Newton and Leibniz wrote at the same time.",
        "He told his teacher what causes fever.",
    ],
)
def test_what_is_asked_denied_or_supposed_states_nothing(sentence: str) -> None:
    assert facts(sentence) == []


def test_a_denial_counts_in_its_part_of_the_sentence_only() -> None:
    text = "The pump runs on wind, which needs no fuel."
    assert facts(text) == ["pump uses wind"]


def test_a_list_is_taken_whole_when_it_is_closed() -> None:
    assert facts("The cell membrane consists of lipids, proteins and sugars.") == [
        "cell membrane has lipid",
        "cell membrane has protein",
        "cell membrane has sugar",
    ]
    assert facts("The membrane contains lipids, proteins move freely.") == ["membrane has lipid"]


def test_things_that_merely_occur_together_are_not_related() -> None:
    assert facts("Curie, Einstein and Bohr met in Brussels near the station.") == []


def test_a_pronoun_stands_for_the_subject_before_with_less_confidence() -> None:
    found = extracted("Bats are mammals. They use echolocation.").facts
    assert [f.subject.name for f in found] == ["bat", "bat"]
    assert found[1].confidence < 0.7 * found[0].confidence + 0.1
    assert facts("Bats are mammals. It uses echolocation.") == ["bat is_a mammal"]
    assert facts("They use echolocation.") == []


def test_an_aside_and_a_second_verb_belong_to_the_subject() -> None:
    assert facts(
        "Marie Curie, a physicist, discovered radium and founded the Radium Institute."
    ) == [
        "Marie Curie is_a physicist",
        "Marie Curie created radium",
        "Marie Curie created Radium Institute",
    ]


def test_the_year_of_a_making_is_a_fact_of_its_own() -> None:
    assert facts("Byte pair encoding was published in 1994 by Philip Gage.") == [
        "byte pair encoding happened_in 1994",
        "Philip Gage created byte pair encoding",
    ]


def test_what_does_a_deed_has_the_kind_that_fits() -> None:
    found = extracted("Ada Lovelace was born in London. She lived there.").facts[0]
    assert (found.subject.kind, found.object.kind) == (EntityKind.PERSON, EntityKind.PLACE)


def test_sentences_are_the_texts_own() -> None:
    text = "**Osmosis** is a passive process of water [1]. The kidney\nproduces urine."
    found = extracted(text)
    assert found.facts
    assert all(fact.sentence in text for fact in found.facts)
    assert all(mention.sentence in text for mention in found.mentions)


def test_repeated_terms_and_names_are_mentioned() -> None:
    text = (
        "Much depends on the learning rate here. A high learning rate ends badly. "
        "We thank Yann LeCun for a talk."
    )
    names = {mention.entity.name for mention in extracted(text).mentions}
    assert {"learning rate", "Yann LeCun"} <= names


@pytest.mark.parametrize("text", ["", " ", "\n\n", "....", "a", "Of of of of of of of.", ", , ,;"])
def test_text_without_words_gives_nothing(text: str) -> None:
    assert extracted(text).facts == ()
