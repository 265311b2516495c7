"""Small version of the eval of latency: that the crowd is there, searchable, and kept apart.

No times here: a shared machine says nothing about them.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
from tests.evals import latency
from tests.evals.crowd import Crowd, RandomEmbedder, add_learner, passages_of, sentence_pool

pytestmark = pytest.mark.alone

PASSAGES = 12


@pytest.fixture(scope="module")
def folder(pdfs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("latency")
    places = {
        "two_columns_en": "xquad/xquad_en_small.pdf",
        "chinese": "xquad/xquad_zh_small.pdf",
        "table": "financebench/pdfs/table.pdf",
        "cross_page": "financebench/pdfs/cross_page.pdf",
    }
    for name, place in places.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes((pdfs / f"{name}.pdf").read_bytes())
    (folder / "xquad" / "q.jsonl").write_bytes((pdfs / "questions.jsonl").read_bytes())
    line = {"id": "1", "doc": "table", "question": "What were net sales?", "pages": [1]}
    (folder / "financebench" / "questions.jsonl").write_text(json.dumps(line), encoding="utf-8")
    return folder


def test_everybody_is_counted_and_nobody_sees_others(folder: Path, tmp_path: Path) -> None:
    measured = latency.run(
        folder, tmp_path, learners=6, passages=PASSAGES, few=4, questions=4, refine=False
    )
    named = {figure.name: figure for figure in latency.figures(measured)}
    assert measured.learners == 6
    assert measured.passages > 3 * PASSAGES
    assert named["passages of other learners found"].passed
    assert named["search, instant, all in relation to few"].count == 12
    assert len(measured.many.ask) == len(measured.few.ask) == 12
    assert measured.store > 0


def test_learners_of_the_crowd_have_documents_of_their_own(tmp_path: Path) -> None:
    pool = sentence_pool(
        [f"The mill number {n} was built by the river in {1700 + n}." for n in range(40)]
    )
    services = build_services(load_settings(env_file=None, data_dir=tmp_path, refine_enabled=False))
    try:
        services.ensure_ready()
        crowd = Crowd(RandomEmbedder(services.status.embedder, latency.INSTANT_DIMENSION), None)
        made = [add_learner(services, crowd, pool, seed, PASSAGES) for seed in (7, 8)]
        first = PDFLearningAssistant("crowd_7", services=services)
        assert [d.id for d in first.documents()] == [made[0].id]
        assert first.documents()[0].chunks == PASSAGES
        answer = first.ask("When was the mill number 7 built?")
        assert {p.document_id for p in answer.passages} == {made[0].id}
        assert all(p.scores["bm25"] >= 0 for p in answer.passages)
        count = services.engine.index.count(namespace="pdf_crowd_8", where={})
        assert count >= PASSAGES
    finally:
        services.close()


def test_text_and_vectors_are_the_same_in_every_run() -> None:
    pool = sentence_pool(["A stone bridge was built here. Nobody knows who paid for the bridge."])
    pages, passages = passages_of("7d4f4f0e-0000-4000-8000-000000000000", pool, 3, 5)
    again = passages_of("7d4f4f0e-0000-4000-8000-000000000000", pool, 3, 5)
    assert (pages, passages) == again
    assert [p.chunk.ordinal for p in passages] == [0, 1, 2, 3, 4]
    vectors = RandomEmbedder("any", 8).embed_documents(["a", "b", "a"])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert np.array_equal(vectors[0], vectors[2])
    assert not np.allclose(vectors[0], vectors[1])
