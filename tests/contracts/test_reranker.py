"""What every reranker keeps to, whatever is behind it."""

import importlib.util
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.adapters import load, make_reranker
from core.errors import (
    InvalidInputError,
    MissingDependencyError,
    ModelError,
    ModelResponseError,
    ModelUnavailableError,
)
from core.llms.openai_compatible import OpenAICompatibleLLM
from core.ports.reranker import MOST_CANDIDATES, Reranker
from core.settings import load_settings
from tests.servers.openai_server import OpenAIServer, Request, Status

HAS_PACKAGE = importlib.util.find_spec("sentence_transformers") is not None
needs_package = pytest.mark.skipif(
    not HAS_PACKAGE, reason="sentence-transformers is not installed (requirements-local.txt)"
)
QUESTION = "What is attention?"
PASSAGES = ["Attention is a weighted sum.", "The cat sleeps.", "注意力是加权和。"]
WORDS = (
    "[PAD] [UNK] [CLS] [SEP] what is attention ? a weighted sum . the cat sleeps "
    "注 意 力 是 加 权 和 。"
)


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer("1: 9\n2: 0\n3: 7") as running:
        yield running


@pytest.fixture
def llm(server: OpenAIServer) -> Iterator[OpenAICompatibleLLM]:
    made = OpenAICompatibleLLM(
        "judge", base_url=server.base_url, api_key=None, timeout=5, max_retries=0, max_tokens=1024
    )
    yield made
    made.close()


def cross_encoder_folder(folder: Path, *, outputs: int = 1) -> Path:
    """Write a tiny cross-encoder with random weights, as the library saves a trained one."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.manual_seed(3)
    folder.mkdir()
    words = folder / "vocab.txt"
    words.write_text("\n".join(WORDS.split()), encoding="utf-8")
    config = transformers.BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=outputs,
        initializer_range=1.0,
    )
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizer(str(words)).save_pretrained(folder)
    return folder


@pytest.fixture(params=["llm", pytest.param("cross-encoder", marks=needs_package)])
def reranker(request: pytest.FixtureRequest, llm: OpenAICompatibleLLM, tmp_path: Path) -> Reranker:
    folder = cross_encoder_folder(tmp_path / "model") if request.param != "llm" else None
    settings = load_settings(
        env_file=None, reranker=request.param, reranker_model=str(folder) if folder else None
    )
    made = make_reranker(settings, llm)
    assert made is not None
    return made


def test_one_score_a_passage_between_zero_and_one(reranker: Reranker):
    scores = reranker.scores(QUESTION, PASSAGES)
    assert len(scores) == len(PASSAGES)
    assert all(isinstance(score, float) and 0 <= score <= 1 for score in scores)
    assert len(set(scores)) > 1
    assert reranker.scores(QUESTION, PASSAGES) == scores
    assert reranker.name in ("judge", "model")


def test_no_passages(reranker: Reranker):
    assert reranker.scores(QUESTION, []) == []


def test_more_than_the_most_are_refused(reranker: Reranker):
    with pytest.raises(InvalidInputError):
        reranker.scores(QUESTION, ["passage"] * (MOST_CANDIDATES + 1))


def test_from_several_threads(reranker: Reranker):
    found: list[list[float]] = []
    threads = [
        threading.Thread(target=lambda: found.append(reranker.scores(QUESTION, PASSAGES)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [reranker.scores(QUESTION, PASSAGES)] * 4


def test_none_is_none(llm: OpenAICompatibleLLM):
    assert make_reranker(load_settings(env_file=None), llm) is None
    assert make_reranker(load_settings(env_file=None, reranker="llm"), None) is None


# by the language model


def llm_reranker(llm: OpenAICompatibleLLM) -> Reranker:
    made: Reranker = load("core.rerankers.by_llm:LLMReranker")(llm)
    return made


@pytest.mark.parametrize(
    "reply",
    [
        "1: 9\n2: 0\n3: 7",
        "[1]: 9\n[2]: 0\n[3]: 7",
        "Here are the marks:\n\n1: 9/10\n2: 0/10\n3: 7/10\n",
        "- Passage 1: 9\n- Passage 2: 0\n- Passage 3: 7.0",
        "段落1：9分\n段落2：0分\n段落3：7分。",
        "1: 9, 2: 0, 3: 7",
        "3: 7\n1: 9\n2: 0\n1: 0\n4: 10\n2: 99",
    ],
)
def test_marks_are_read_however_a_model_writes_them(server, llm, reply: str):
    server.script(reply)
    scores = llm_reranker(llm).scores(QUESTION, PASSAGES)
    assert scores == pytest.approx([1 / 11 + 10 / 11 * mark for mark in (0.9, 0.0, 0.7)])


def test_passages_without_a_mark_come_last_in_their_order(server, llm):
    server.script("4: 0\n2: 3")
    scores = llm_reranker(llm).scores(QUESTION, ["a", "b", "c", "d", "e"])
    order = sorted(range(5), key=lambda i: -scores[i])
    assert order == [1, 3, 0, 2, 4]
    assert min(scores) > 0


@pytest.mark.parametrize("reply", ["Passage one is best.", "yes", "1\n2\n3", "I cannot judge."])
def test_a_reply_without_marks_is_told(server, llm, reply: str):
    server.script(reply)
    with pytest.raises(ModelResponseError):
        llm_reranker(llm).scores(QUESTION, PASSAGES)


def test_a_model_that_fails_is_told(server, llm):
    server.script(Status(500))
    with pytest.raises(ModelError):
        llm_reranker(llm).scores(QUESTION, PASSAGES)


def test_one_call_in_the_language_of_the_question(server, llm):
    def reply(request: Request) -> str:
        return "1: 1" if "段落" in request.text("system") else "1: 10"

    server.script(reply)
    reranker = llm_reranker(llm)
    assert reranker.scores("什么是注意力？", ["x" * 9000])[0] < 0.5
    assert reranker.scores(QUESTION, ["x" * 9000])[0] == 1.0
    assert len(server.requests) == 2
    assert server.requests[0].body["max_tokens"] == 20
    assert "x" * 601 not in server.requests[0].text()


# by a cross-encoder


@pytest.fixture
def offline() -> Callable[[str], Reranker]:
    return lambda model: load("core.rerankers.cross_encoder:CrossEncoderReranker")(
        model, offline=True
    )


@needs_package
def test_scores_are_those_of_the_models_own_weights(tmp_path: Path, offline):
    import torch
    import transformers

    folder = cross_encoder_folder(tmp_path / "model")
    model = transformers.BertForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.BertTokenizer.from_pretrained(folder)
    pairs = tokenizer([QUESTION] * 3, PASSAGES, padding=True, return_tensors="pt")
    with torch.no_grad():
        expected = torch.sigmoid(model(**pairs).logits[:, 0]).tolist()
    assert offline(str(folder)).scores(QUESTION, PASSAGES) == pytest.approx(expected, abs=1e-5)


@needs_package
def test_long_passages_are_cut(tmp_path: Path, offline):
    folder = cross_encoder_folder(tmp_path / "model")
    assert len(offline(str(folder)).scores(QUESTION, ["attention " * 5000])) == 1


@needs_package
def test_a_model_with_several_outputs_is_no_reranker(tmp_path: Path, offline):
    folder = cross_encoder_folder(tmp_path / "model", outputs=3)
    with pytest.raises(ModelResponseError, match="no single number"):
        offline(str(folder)).scores(QUESTION, PASSAGES)


@needs_package
@pytest.mark.parametrize("model", ["./nowhere", "someone/not-on-this-disk"])
def test_a_model_that_is_not_there_names_the_setting(offline, model: str):
    with pytest.raises(ModelUnavailableError) as caught:
        offline(model).scores(QUESTION, PASSAGES)
    assert "RERANKER_MODEL" in caught.value.remedy


@needs_package
def test_a_folder_without_a_model(tmp_path: Path, offline):
    with pytest.raises(ModelUnavailableError):
        offline(str(tmp_path)).scores(QUESTION, PASSAGES)


@pytest.mark.skipif(HAS_PACKAGE, reason="sentence-transformers is installed")
def test_without_the_package_the_file_to_install_is_named(llm):
    with pytest.raises(MissingDependencyError) as caught:
        make_reranker(load_settings(env_file=None, reranker="cross-encoder"), llm)
    assert "requirements-local.txt" in caught.value.remedy
