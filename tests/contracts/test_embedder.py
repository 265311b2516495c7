"""What every embedder promises (core/ports/embedder.py)."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.adapters import EMBEDDERS, load, make_embedder
from core.errors import EmbeddingError
from core.ports.embedder import Embedder
from core.settings import load_settings
from tests.local_model import required_folder
from tests.servers.dashscope_server import DashScopeServer
from tests.servers.embedding_rules import GOOD_KEY
from tests.servers.openai_server import OpenAIServer

KINDS = [
    pytest.param(kind, marks=[pytest.mark.local_model] if kind == "local" else [])
    for kind in EMBEDDERS
]
TEXTS = [
    "The mill grinds corn into flour.",
    "The bus leaves at seven in the morning.",
    "公交车早上七点出发，请提前到达车站。",
    "Net sales were $1,234.5 million in fiscal 2019.",
]
HOSTILE = [
    "",
    "   \n\t",
    "\x00\x01\x02",
    "\ud800 lone surrogate",
    "\ufdfa" * 40,
    "🎓👩‍👩‍👧‍👦 e\u0301 𠮷",
    "the of and",
    "!?…",
    "word " * 3000,
    "无" * 3000,
    '{"a": "b"} <s> [CLS] query: passage: \\n',
]


@pytest.fixture(params=KINDS)
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Embedder]:
    kind: str = request.param
    changes: dict[str, Any] = {"data_dir": tmp_path / "data", "embed_model_type": kind}
    if kind == "local":
        changes["embed_model_name"] = str(required_folder())
    with OpenAIServer() as openai_server, DashScopeServer() as dashscope_server:
        if kind == "openai":
            changes |= {"embed_base_url": openai_server.base_url, "embed_api_key": GOOD_KEY}
            changes |= {"embed_model_name": "test-model", "embed_dimension": 256}
        if kind == "dashscope":
            changes |= {"embed_base_url": dashscope_server.base_url, "embed_api_key": GOOD_KEY}
        made = make_embedder(load_settings(env_file=None, **changes))
        yield made
        if kind in ("openai", "dashscope"):
            made.close()  # type: ignore[attr-defined]


def test_every_entry_loads() -> None:
    for target in EMBEDDERS.values():
        assert isinstance(load(target), type)


def test_one_normalised_row_a_text(embedder: Embedder) -> None:
    vectors = embedder.embed_documents(TEXTS)
    assert vectors.shape == (len(TEXTS), embedder.dimension)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    query = embedder.embed_query(TEXTS[0])
    assert query.shape == (embedder.dimension,)
    assert query.dtype == np.float32
    assert float(np.linalg.norm(query)) == pytest.approx(1.0, abs=1e-4)


def test_no_texts_give_no_rows(embedder: Embedder) -> None:
    assert embedder.embed_documents([]).shape == (0, embedder.dimension)


def test_rows_are_in_the_order_of_the_texts(embedder: Embedder) -> None:
    many = [f"{text} Number {n}." for n in range(12) for text in TEXTS]
    forward = embedder.embed_documents(many)
    backward = embedder.embed_documents(many[::-1])
    assert np.allclose(forward, backward[::-1], atol=1e-4)
    assert len({row.tobytes() for row in forward.round(3)}) > len(TEXTS)


def test_a_batch_equals_its_texts_one_by_one(embedder: Embedder) -> None:
    single = np.concatenate([embedder.embed_documents([text]) for text in TEXTS])
    assert np.allclose(embedder.embed_documents(TEXTS), single, atol=1e-4)


def test_the_same_text_is_the_same_vector(embedder: Embedder) -> None:
    vectors = embedder.embed_documents([TEXTS[0], TEXTS[1], TEXTS[0]])
    assert np.allclose(vectors[0], vectors[2], atol=1e-5)
    assert np.allclose(embedder.embed_query(TEXTS[0]), embedder.embed_query(TEXTS[0]), atol=1e-5)


@pytest.mark.parametrize(
    ("question", "answer"), [("When does the bus leave?", 1), ("公交车几点出发？", 2)]
)
def test_a_question_is_nearest_to_the_text_that_answers_it(
    embedder: Embedder, question: str, answer: int
) -> None:
    same_language = [2] if answer == 2 else [0, 1, 3]
    cosines = embedder.embed_documents(TEXTS) @ embedder.embed_query(question)
    assert max(same_language, key=lambda i: float(cosines[i])) == answer


def test_nothing_a_document_may_hold_breaks_it(embedder: Embedder) -> None:
    vectors = embedder.embed_documents(HOSTILE)
    assert vectors.shape == (len(HOSTILE), embedder.dimension)
    assert np.isfinite(vectors).all()
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(HOSTILE)), abs=1e-4)
    for text in HOSTILE:
        assert float(np.linalg.norm(embedder.embed_query(text))) == pytest.approx(1.0, abs=1e-4)


def test_name_and_sizes_stand_before_the_first_text_and_after_it(embedder: Embedder) -> None:
    before = embedder.name, embedder.dimension, embedder.window_tokens
    assert before[0]
    assert before[1] > 0
    assert before[2] > 0
    embedder.embed_documents(TEXTS)
    assert (embedder.name, embedder.dimension, embedder.window_tokens) == before


def test_many_threads_at_once(
    embedder: Embedder, in_threads: Callable[..., list[np.ndarray]]
) -> None:
    expected = embedder.embed_documents(TEXTS)
    seen: set[int] = set()

    def work(shift: int) -> np.ndarray:
        seen.add(threading.get_ident())
        moved = TEXTS[shift:] + TEXTS[:shift]
        return np.roll(embedder.embed_documents(moved), shift, axis=0)

    for found in in_threads(work, list(range(4))):
        assert np.allclose(found, expected, atol=1e-4)
    assert len(seen) == 4


@pytest.mark.parametrize("kind", ["openai", "dashscope"])
def test_a_dead_server_is_told_and_never_replaced(kind: str, tmp_path: Path) -> None:
    with OpenAIServer() as server:
        gone = server.base_url if kind == "openai" else server.base_url.replace("/v1", "/api/v1")
    dead = make_embedder(
        load_settings(
            env_file=None,
            data_dir=tmp_path,
            embed_model_type=kind,
            embed_base_url=gone,
            embed_api_key=GOOD_KEY,
            embed_max_retries=0,
        )
    )
    with pytest.raises(EmbeddingError) as caught:
        dead.embed_documents(TEXTS)
    assert "could not be reached" in caught.value.message
    assert "EMBED_BASE_URL" in caught.value.remedy
    with pytest.raises(EmbeddingError):
        dead.embed_query(TEXTS[0])
