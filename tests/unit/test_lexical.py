import math

import pytest

from core.domain.document import Chunk, TextRange
from core.errors import StoreError
from core.ports.document_store import StoredSegment
from core.rag.concepts import Concept, concepts_of
from core.rag.lexical import (
    Segment,
    SegmentBuilder,
    SegmentCache,
    occurs,
    read_segments,
    score,
)
from core.scoring import BM25, inverse_document_frequency
from core.text.terms import term_hash, terms


def asked(words):
    return concepts_of(terms(words))


def build(document_id, *texts, pages=None):
    builder = SegmentBuilder()
    for i, text in enumerate(texts):
        where = TextRange(page=pages[i] if pages else i + 1, start=0, end=len(text))
        builder.add(
            Chunk(
                id=f"{document_id}-{i}",
                document_id=document_id,
                ordinal=i,
                text=text,
                ranges=(where,),
            )
        )
    return StoredSegment(document_id, 0, builder.to_bytes())


def read(*stored):
    return [Segment.from_stored(s) for s in stored]


def test_scores_are_bm25():
    texts = ["red apple red", "green apple tree house", "blue sky"]
    found = score(asked("red"), read(build("d", *texts)))
    lengths = [len(terms(t)) for t in texts]
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    norm = BM25.k1 * (1 - BM25.b + BM25.b * lengths[0] / (sum(lengths) / 3))
    assert found.bm25[0] == pytest.approx(idf * 2 * (BM25.k1 + 1) / (2 + norm))
    assert list(found.bm25[1:]) == [0, 0]
    assert list(found.coverage) == [1.0, 0.0, 0.0]


def test_several_documents_score_as_one_collection():
    texts = ["red apple", "green apple tree", "blue sky over apple land", "red sky"]
    question = asked("red apple sky")
    together = score(question, read(build("d", *texts)))
    apart = score(question, read(build("a", *texts[:2]), build("b", *texts[2:])))
    assert apart.bm25 == pytest.approx(together.bm25)
    assert apart.coverage == pytest.approx(together.coverage)


def test_a_page_counts_all_its_chunks():
    stored = build("d", "red apple", "nothing here", "green tree", pages=[1, 1, 2])
    found = score(asked("apple"), read(stored))
    assert found.page_bm25[0] == found.page_bm25[1] > 0
    assert found.page_bm25[2] == 0


def test_headings_above_are_found():
    builder = SegmentBuilder()
    where = TextRange(page=1, start=0, end=3)
    for ordinal, path in enumerate((("Volcanoes",), ("Rivers",))):
        builder.add(
            Chunk(
                id=str(ordinal),
                document_id="d",
                ordinal=ordinal,
                text="They flow.",
                ranges=(where,),
                heading_path=path,
            )
        )
    found = score(asked("volcano"), read(StoredSegment("d", 0, builder.to_bytes())))
    assert found.bm25[0] > 0 == found.bm25[1]


def test_unknown_words_and_no_documents():
    found = score(asked("zebra"), read(build("d", "red apple")))
    assert list(found.bm25) == [0.0]
    (zebra,) = found.weighted
    assert zebra.concept.name == "zebra"
    assert zebra.weight > 0
    assert len(score(asked("zebra"), []).bm25) == 0


def test_a_segment_holds_no_text():
    stored = build("d", "a very secret sentence about submarines")
    import zlib

    assert b"submarine" not in stored.data + zlib.decompress(stored.data[14:])


@pytest.mark.parametrize("data", [b"", b"short", b"\x01\x00" + b"\0" * 12 + b"no zlib"])
def test_a_damaged_segment_is_an_error(data):
    with pytest.raises(StoreError):
        Segment.from_stored(StoredSegment("d", 0, data))


def test_a_segment_of_another_version_says_what_to_do():
    data = bytearray(build("d", "red apple").data)
    data[0] = 9
    with pytest.raises(StoreError) as caught:
        Segment.from_stored(StoredSegment("d", 0, bytes(data)))
    assert "load it again" in caught.value.remedy


def as_parts(document_id, *groups):
    """Return the segments of one document that came in groups of texts."""
    parts, first = [], 0
    for texts in groups:
        pages = range(first + 1, first + len(texts) + 1)
        stored = build(document_id, *texts, pages=list(pages))
        parts.append(StoredSegment(document_id, first, stored.data))
        first += len(texts)
    return parts


def test_parts_of_a_document_read_as_one():
    texts = ["red apple red", "green apple tree", "blue sky over apple land", "red sky red"]
    whole = read_segments([build("d", *texts)])["d"]
    joined = read_segments(as_parts("d", texts[:1], texts[1:3], texts[3:]))["d"]
    assert joined.to_bytes() == whole.to_bytes()
    for word in ("red", "apple", "tree", "nothing"):
        both = [score(asked(word), [segment]).bm25 for segment in (joined, whole)]
        assert list(both[0]) == list(both[1])


def test_a_document_without_words_has_an_empty_segment():
    empty = read_segments([StoredSegment("d", 0, SegmentBuilder().to_bytes())])["d"]
    assert len(score(asked("red"), [empty]).bm25) == 0


def test_the_context_of_a_chunk_is_found():
    builder = SegmentBuilder()
    where = TextRange(page=1, start=0, end=4)
    for ordinal, context in enumerate(("Profit 2022 2021", "")):
        builder.add(
            Chunk(
                id=str(ordinal),
                document_id="d",
                ordinal=ordinal,
                text="Asia 12 34",
                ranges=(where,),
                context=context,
            )
        )
    found = score(asked("profit"), read(StoredSegment("d", 0, builder.to_bytes())))
    assert found.bm25[0] > 0 == found.bm25[1]


def test_the_cache_reads_once_and_forgets():
    stored = {"a": build("a", "red"), "b": build("b", "blue")}
    asked = []

    def load(ids):
        asked.extend(ids)
        return [stored[i] for i in ids if i in stored]

    cache = SegmentCache()
    every = {"a": 1, "b": 1, "gone": 1}
    assert [s.document_id for s in cache.get(every, load)] == ["a", "b"]
    assert [s.document_id for s in cache.get({"b": 1, "a": 1}, load)] == ["b", "a"]
    assert asked == ["a", "b", "gone"]
    cache.drop("a")
    cache.get({"a": 1}, load)
    assert asked[-1] == "a"


def test_the_cache_reads_a_document_that_has_grown_again():
    parts = as_parts("d", ["red"], ["blue"])
    cache = SegmentCache()
    assert len(cache.get({"d": 1}, lambda _: parts[:1])[0].lengths) == 1
    assert len(cache.get({"d": 2}, lambda _: parts)[0].lengths) == 2
    assert len(cache.get({"d": 1}, lambda _: [])[0].lengths) == 2


def concept(name, *wordings):
    return Concept(name, tuple(tuple(term_hash(t) for t in wording) for wording in wordings))


def test_a_concept_scores_as_the_wording_found_most():
    texts = ["car car bus", "bus bus bus", "tram here today"]
    stored = read(build("d", *texts))
    both = score([concept("vehicle", ["car"], ["bus"])], stored)
    (weighted,) = both.weighted
    assert weighted.weight == pytest.approx(inverse_document_frequency(3, 2))
    alone = [score(asked(word), stored) for word in ("car", "bus")]
    norm = weighted.weight / inverse_document_frequency(3, 1)
    assert both.bm25[0] == pytest.approx(alone[0].bm25[0] * norm)
    assert both.bm25[1] == pytest.approx(alone[1].bm25[1])
    assert both.bm25[2] == 0
    assert list(both.coverage) == [1.0, 1.0, 0.0]


def test_a_phrase_is_there_as_often_as_its_rarest_term():
    texts = [
        "gradient descent gradient gradient",
        "gradient only here now",
        "descent only here now",
    ]
    stored = read(build("d", *texts))
    found = score([concept("梯度下降", ["gradient", "descent"])], stored)
    assert found.bm25[0] > 0
    assert list(found.bm25[1:]) == [0, 0]
    once = score([concept("梯度下降", ["descent"])], stored)
    ratio = inverse_document_frequency(3, 1) / inverse_document_frequency(3, 2)
    assert found.bm25[0] == pytest.approx(once.bm25[0] * ratio)


def test_wordings_of_several_documents_are_told_apart():
    stored = read(build("a", "car here"), build("b", "nothing", "bus there"))
    found = score([concept("vehicle", ["car"], ["bus"])], stored)
    assert [value > 0 for value in found.bm25] == [True, False, True]


def test_what_occurs():
    stored = read(build("a", "gradient here", "descent there"))
    assert occurs(concept("x", ["zebra"], ["descent"]), stored)
    assert not occurs(concept("x", ["gradient", "descent"]), stored)
    assert not occurs(Concept("x", ()), stored)
    assert not occurs(concept("x", ["descent"]), [])
