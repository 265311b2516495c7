"""Embedding services against real HTTP servers: what is sent, what is tried again, what is told."""

import logging
import math
import traceback

import numpy as np
import pytest

from core.embeddings.dashscope import DashScopeEmbedder
from core.embeddings.openai_compatible import OpenAICompatibleEmbedder
from core.errors import ConfigurationError, EmbeddingError
from tests.servers.dashscope_server import DashScopeServer
from tests.servers.embedding_rules import GOOD_KEY, Answer, Wait, entries
from tests.servers.openai_server import OpenAIServer

SERVICES = {
    "openai": (OpenAIServer, OpenAICompatibleEmbedder, "test-model", 256, "index"),
    "dashscope": (DashScopeServer, DashScopeEmbedder, "text-embedding-v4", None, "text_index"),
}
BUSY = Answer(429, '{"message": "slow down"}')
TEXTS = [f"text number {n} 第{n}页" for n in range(25)]


class Service:
    """A running server and how to make an embedder for it."""

    def __init__(self, kind, server):
        _, self._adapter, self._model, self._dimension, self.number = SERVICES[kind]
        self.kind = kind
        self.server = server
        self.rules = server.embeddings
        self.waits: list[float] = []

    def make(self, **changes):
        options = {
            "base_url": self.server.base_url,
            "api_key": GOOD_KEY,
            "dimension": self._dimension,
            "timeout": 5.0,
            "max_retries": 2,
            "sleep": self.waits.append,
            "jitter": lambda: 0.0,
        }
        return self._adapter(changes.pop("model", self._model), **{**options, **changes})


@pytest.fixture(params=list(SERVICES))
def service(request):
    with SERVICES[request.param][0]() as server:
        yield Service(request.param, server)


def test_batches_are_as_large_as_the_service_takes(service):
    assert service.make().embed_documents(TEXTS).shape[0] == len(TEXTS)
    sizes = [len(b.get("input", {})) for b in service.rules.bodies if service.kind == "openai"]
    sizes += [len(b["input"]["texts"]) for b in service.rules.bodies if service.kind != "openai"]
    assert sizes == ([25] if service.kind == "openai" else [10, 10, 5])


def test_a_service_that_takes_fewer_texts_gets_fewer(service):
    if service.kind == "dashscope":
        pytest.skip("DashScope's limit is documented")
    service.rules.most_texts = 10
    embedder = service.make()
    vectors = embedder.embed_documents(TEXTS)
    assert np.allclose(vectors[13], embedder.embed_documents(TEXTS[13:14])[0], atol=1e-6)
    assert [len(b["input"]) for b in service.rules.bodies] == [25, 10, 10, 5, 1]
    embedder.embed_documents(TEXTS[:12])
    assert [len(b["input"]) for b in service.rules.bodies][5:] == [10, 2]


def test_dimensions_are_sent_only_when_they_are_set_and_left_out_when_refused(service):
    if service.kind == "dashscope":
        assert service.make(dimension=512).embed_query("x").shape == (512,)
        assert service.rules.bodies[-1]["parameters"]["dimension"] == 512
        return
    assert service.make(dimension=128).embed_query("x").shape == (128,)
    assert service.rules.bodies[-1]["dimensions"] == 128
    service.rules.lengths = ()
    embedder = service.make(dimension=256)
    embedder.embed_query("x")
    embedder.embed_query("y")
    assert [b.get("dimensions") for b in service.rules.bodies[1:]] == [256, None, None]


def test_questions_and_documents_are_told_apart(service):
    if service.kind == "dashscope":
        embedder = service.make()
        embedder.embed_query("x")
        embedder.embed_documents(["x"])
        told = [b["parameters"]["text_type"] for b in service.rules.bodies]
        assert told == ["query", "document"]
        return
    embedder = service.make(model="intfloat/multilingual-e5-small", dimension=256)
    embedder.embed_query("x")
    embedder.embed_documents(["x"])
    assert [b["input"] for b in service.rules.bodies] == [["query: x"], ["passage: x"]]


@pytest.mark.parametrize("code", [429, 500, 503])
def test_busy_services_are_asked_again(service, code):
    service.rules.script(Answer(code, "{}"), Answer(code, "{}"))
    assert service.make().embed_documents(["a"]).shape[0] == 1
    assert service.waits == [0.5, 1.0]


def test_the_wait_a_service_asks_for_is_kept(service):
    service.rules.script(Answer(429, "{}", {"Retry-After": "7"}))
    service.make().embed_query("a")
    assert service.waits == [7.0]


@pytest.mark.parametrize(
    ("step", "words"),
    [(BUSY, "busy"), (Answer(500, "{}"), "problem"), (Answer(404, "{}"), "does not know")],
)
def test_a_failure_that_stays_is_told(service, step, words):
    service.rules.script(step, step, step)
    with pytest.raises(EmbeddingError) as caught:
        service.make().embed_documents(["a"])
    assert words in caught.value.message
    assert caught.value.details["status"] == step.code


def test_redirects_are_not_followed(service):
    service.rules.script(Answer(307, "{}", {"Location": service.server.base_url + "/elsewhere"}))
    with pytest.raises(EmbeddingError):
        service.make(max_retries=0).embed_query("a")
    assert len(service.rules.bodies) == 1


def test_a_wrong_key_is_told_and_shown_nowhere(service, caplog):
    caplog.set_level(logging.DEBUG)
    key = "sk-wrong-9876543210"
    with pytest.raises(EmbeddingError) as caught:
        service.make(api_key=key).embed_documents(["a"])
    assert "refused the key" in caught.value.message
    assert "EMBED_API_KEY" in caught.value.remedy
    told = "".join(traceback.format_exception(caught.value)) + repr(service.make(api_key=key))
    assert key not in told
    assert key not in caplog.text
    assert service.waits == []


def test_a_service_that_does_not_answer_is_left(service):
    service.rules.script(Wait(), Wait(), Wait(), Wait())
    with pytest.raises(EmbeddingError) as caught:
        service.make(timeout=0.3, max_retries=1).embed_query("a")
    assert "0.3 seconds" in caught.value.message
    assert "EMBED_TIMEOUT" in caught.value.remedy


def changed(change):
    def step(rows):
        number = "index" if len(rows[0]) == 256 else "text_index"
        return change(rows, number)

    return step


@pytest.mark.parametrize(
    "change",
    [
        lambda rows, number: entries(rows[:-1], number),
        lambda rows, number: entries([*rows, rows[0]], number),
        lambda rows, number: entries([row[:-1] for row in rows], number),
        lambda rows, number: entries([[*row, 0.0] for row in rows], number),
        lambda rows, number: entries([[0.0] * len(row) for row in rows], number),
        lambda rows, number: entries([[math.nan, *row[1:]] for row in rows], number),
        lambda rows, number: [{number: 0, "embedding": row} for row in rows],
        lambda rows, number: [{number: i, "embedding": "AAAA"} for i, _ in enumerate(rows)],
        lambda rows, number: [{number: i} for i, _ in enumerate(rows)],
        lambda rows, number: "nothing",
        lambda rows, number: None,
    ],
    ids=[
        "fewer",
        "more",
        "shorter",
        "longer",
        "zero",
        "nan",
        "numbers",
        "text",
        "none",
        "string",
        "null",
    ],
)
def test_vectors_that_cannot_be_are_refused_not_mended(service, change):
    service.rules.script(changed(change))
    with pytest.raises(EmbeddingError):
        service.make().embed_documents(["one", "two", "three"])


@pytest.mark.parametrize("body", ["<html>", "[]", "7", '{"data": 1, "output": 1}', ""])
def test_an_answer_that_is_none_is_told(service, body):
    service.rules.script(Answer(200, body))
    with pytest.raises(EmbeddingError):
        service.make(max_retries=0).embed_query("a")


def test_only_what_is_needed_is_sent(service):
    service.make().embed_query("a")
    (headers,) = service.rules.headers
    assert headers["user-agent"] == "pdf-learning-assistant"
    assert not {name for name in headers if name.startswith("x-")}
    assert headers["authorization"] == f"Bearer {GOOD_KEY}"


def test_a_closed_embedder_opens_again(service):
    embedder = service.make()
    embedder.embed_query("a")
    embedder.close()
    embedder.close()
    assert embedder.embed_query("a").any()
    embedder.close()


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("openai", {"dimension": None}, "EMBED_DIMENSION"),
        ("openai", {"base_url": "localhost:11434"}, "http"),
        ("dashscope", {"dimension": 1000}, "1024"),
        ("dashscope", {"model": "new-model"}, "EMBED_DIMENSION"),
        ("dashscope", {"api_key": " "}, "EMBED_API_KEY"),
        ("dashscope", {"api_key": "密钥"}, "Copy the key"),
        ("dashscope", {"base_url": "https://dashscope.aliyuncs.com/compatible-mode/v1"}, "openai"),
    ],
)
def test_settings_that_cannot_be_are_told_before_anything_is_sent(kind, changes, words):
    with SERVICES[kind][0]() as server:
        with pytest.raises(ConfigurationError) as caught:
            Service(kind, server).make(**changes)
        assert words in caught.value.sentence
        assert server.embeddings.bodies == []
