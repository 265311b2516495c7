"""Finding by words in one and in two languages."""

import uuid
from datetime import UTC, datetime

import pytest

from core.domain.document import Chunk, Document, ReaderName, TextRange
from core.ports.document_store import StoredSegment
from core.rag.chunking import chunk_id_for
from core.rag.concepts import concepts_of
from core.rag.dictionary import Dictionary
from core.rag.lexical import Segment, SegmentBuilder
from core.rag.lexical import score as lexical_score
from core.rag.words import score_rows, score_words
from core.text.terms import terms

ENGLISH = ["Vitamins help the body heal.", "The car stops at the river.", "Nothing else is here."]
CHINESE = ["维生素帮助身体恢复。", "汽车停在河边。", "这里没有别的内容。"]


def made(name, language, texts):
    """A document with one passage a page, and its word index."""
    document_id = str(uuid.uuid5(uuid.NAMESPACE_OID, name))
    builder = SegmentBuilder()
    for i, text in enumerate(texts):
        where = TextRange(page=i + 1, start=0, end=len(text))
        builder.add(
            Chunk(
                id=chunk_id_for(document_id, i),
                document_id=document_id,
                ordinal=i,
                text=text,
                ranges=(where,),
            )
        )
    document = Document(
        id=document_id,
        name=name,
        title=name,
        sha256=name,
        size=1,
        pages=len(texts),
        chunks=len(texts),
        language=language,
        reader=ReaderName.LITEPARSE,
        loaded_at=datetime(2026, 3, 2, tzinfo=UTC),
        embedder="e",
    )
    return document, Segment.from_stored(StoredSegment(document_id, 0, builder.to_bytes()))


@pytest.fixture
def english():
    return made("english", "en", ENGLISH)


@pytest.fixture
def chinese():
    return made("chinese", "zh", CHINESE)


def found(question, language, library, dictionary, number=10):
    documents, segments = zip(*library, strict=True)
    return score_words(question, language, documents, segments, dictionary).best(number)


def places(hits, *library):
    names = {document.id: document.name for document, _ in library}
    starts = {document.id: document for document, _ in library}
    out = []
    for chunk_id, document_id, _ in hits:
        ordinals = range(starts[document_id].chunks)
        (ordinal,) = [i for i in ordinals if chunk_id_for(document_id, i) == chunk_id]
        out.append((names[document_id], ordinal))
    return out


@pytest.mark.parametrize("first", [0, 1], ids=["english first", "chinese first"])
@pytest.mark.parametrize(
    ("question", "language", "ordinal"),
    [
        ("Which vitamins does the body need?", "en", 0),
        ("维生素对身体有什么帮助？", "zh", 0),
        ("Where does the car stop?", "en", 1),
        ("汽车停在哪里？", "zh", 1),
    ],
)
def test_a_question_finds_its_passage_in_both_languages(
    english, chinese, dictionary, question, language, ordinal, first
):
    library = [english, chinese][:: 1 - 2 * first]
    hits = places(found(question, language, library, dictionary), *library)
    assert set(hits[:2]) == {("english", ordinal), ("chinese", ordinal)}


def test_a_traditional_question_finds_english(english, dictionary):
    hits = places(found("維生素對身體有什麼幫助？", "zh", [english], dictionary), english)
    assert hits[0] == ("english", 0)


def test_without_a_dictionary_the_other_language_gets_nothing(english, chinese):
    hits = places(found("维生素 2023", "zh", [english, chinese], None), english, chinese)
    assert hits == [("chinese", 0)]


def test_in_one_language_no_dictionary_is_read(english, tmp_path):
    missing = Dictionary(text=tmp_path / "not there")
    hits = places(found("vitamins", "en", [english], missing), english)
    assert hits == [("english", 0)]


def test_each_language_has_its_own_weights(english, chinese, dictionary):
    documents, segments = zip(english, chinese, strict=True)
    scored = score_words("Does a car have vitamins?", "en", documents, segments, dictionary)
    assert {w.concept.name for w in scored.weighted["en"]} == {"car", "vitamin"}
    assert {w.concept.name for w in scored.weighted["zh"]} == {"car", "vitamin"}
    assert all(w.weight > 0 for own in scored.weighted.values() for w in own)


def test_of_a_translation_only_what_occurs_counts(chinese, dictionary):
    documents, segments = zip(chinese, strict=True)
    scored = score_words("Do vitamins help zebras?", "en", documents, segments, dictionary)
    assert {w.concept.name for w in scored.weighted["zh"]} == {"vitamin", "help"}
    assert scored.coverage[0] == pytest.approx(1.0)


def test_in_ones_own_language_missing_words_count(english):
    documents, segments = zip(english, strict=True)
    scored = score_words("Do vitamins help zebras?", "en", documents, segments, None)
    assert "zebra" in {w.concept.name for w in scored.weighted["en"]}
    assert scored.coverage[0] < 0.9


def test_rows_lead_back_to_their_passages(english, chinese, dictionary):
    second = made("more english", "en", ["A second river.", "A third car with vitamins."])
    library = [english, chinese, second]
    hits = places(found("car", "en", library, dictionary), *library)
    assert set(hits) == {("english", 1), ("chinese", 1), ("more english", 1)}


def test_best_are_the_best_and_no_more_than_wanted(english):
    assert len(found("the car, the river, vitamins", "en", [english], None, number=1)) == 1
    assert found("zebra", "en", [english], None) == []


def test_no_documents_and_documents_without_words():
    assert score_words("car", "en", [], [], None).best(5) == []
    empty = made("empty", "en", [])
    documents, segments = zip(empty, strict=True)
    assert score_words("car", "en", documents, segments, None).best(5) == []


def test_a_document_without_its_word_index_is_left_out(english, chinese, dictionary):
    scored = score_words("car", "en", [english[0], chinese[0]], [english[1]], dictionary)
    assert set(scored.first_rows) == {english[0].id}


def test_further_words_are_scored_in_the_same_rows(english, chinese, dictionary):
    library = [english, chinese]
    documents, segments = zip(*library, strict=True)
    like = score_words("vitamins", "en", documents, segments, dictionary)
    rows = score_rows("river 河边", like, segments[::-1])
    own, other = (like.first_rows[document.id] for document in documents)
    assert rows[own + 1] > 0 < rows[other + 1]
    assert rows.max() == 1.0
    assert rows[own] == rows[other] == 0


def test_one_language_scores_as_the_word_index_does(english):
    documents, segments = zip(english, strict=True)
    question = "Where does the car stop?"
    scored = score_words(question, "en", documents, segments, None)
    plain = lexical_score(concepts_of(terms(question)), segments)
    assert scored.bm25 == pytest.approx(plain.bm25 / plain.bm25.max())
    assert list(scored.coverage) == list(plain.coverage)
