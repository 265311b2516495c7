import pytest

from core.rag.concepts import Concept, Weighted, concepts_of, coverage, hashes
from core.text.terms import term_hash, terms


def concept(name, *wordings):
    return Concept(name, tuple(tuple(term_hash(t) for t in wording) for wording in wordings))


def test_a_concept_is_there_in_any_of_its_wordings():
    car = concept("汽车", ["car"], ["motor", "vehicl"])
    assert car.is_in(hashes("The car stops."))
    assert car.is_in(hashes("A motor drives the vehicle."))
    assert not car.is_in(hashes("The motor stops."))
    assert not car.is_in(hashes(""))


def test_a_concept_without_wordings_is_nowhere():
    assert not Concept("nothing", ()).is_in(hashes("nothing"))


def test_terms_are_concepts_once_and_in_order():
    found = concepts_of(terms("red apples and a red sky"))
    assert [c.name for c in found] == ["red", "appl", "sky"]
    assert all(c.is_in(hashes("red apple, sky")) for c in found)


def test_a_hash_is_the_same_everywhere():
    """Stored word indexes hold it: another one would make them useless."""
    assert term_hash("apple") == 0xDFAEF547A0B50E96
    assert term_hash("学习") != term_hash("学 习")


def test_coverage_is_the_share_by_weight():
    red, sky = (
        Weighted(c, w) for c, w in zip(concepts_of(["red", "sky"]), (3.0, 1.0), strict=True)
    )
    assert coverage(hashes("red"), [red, sky]) == pytest.approx(0.75)
    assert coverage(hashes("sky"), [red, sky]) == pytest.approx(0.25)
    assert coverage(hashes("red sky"), [red, sky]) == 1.0
    assert coverage(hashes("blue"), [red, sky]) == 0.0
    assert coverage(hashes("blue"), []) == 0.0
