"""Which embedder the settings choose, and which former ones they can still make."""

import importlib.util

import pytest

from core.adapters import EMBEDDERS, former_index, make_embedder
from core.embeddings.prefixes import prefixes_of
from core.errors import ConfigurationError, MissingDependencyError
from core.settings import load_settings

KEY = {"embed_api_key": "sk-0123456789"}


@pytest.fixture
def choose(data_dir):
    def made(kind, **changes):
        return load_settings(env_file=None, data_dir=data_dir, embed_model_type=kind, **changes)

    return made


def test_making_one_opens_and_sends_nothing(choose, data_dir):
    made = [make_embedder(choose(kind, **KEY)) for kind in EMBEDDERS if kind != "local"]
    names = [embedder.name for embedder in made]
    assert len(set(names)) == len(made)
    assert not data_dir.exists()


@pytest.mark.parametrize(
    ("kind", "changes", "name", "dimension"),
    [
        ("openai", {}, "openai:text-embedding-3-small/1536@", 1536),
        ("openai", {"embed_dimension": 512}, "openai:text-embedding-3-small/512@", 512),
        ("openai", {"embed_model_name": "nomic-embed-text:latest"}, "openai:nomic-embed", 768),
        ("dashscope", {}, "dashscope:text-embedding-v4/1024", 1024),
        ("dashscope", {"embed_dimension": 256}, "dashscope:text-embedding-v4/256", 256),
        ("tfidf", {}, "tfidf:1/1024/unfitted", 1024),
        ("builtin", {}, "use-multilingual-v3/", 512),
    ],
)
def test_names_tell_what_makes_the_vectors(choose, kind, changes, name, dimension):
    embedder = make_embedder(choose(kind, **KEY, **changes))
    assert embedder.name.startswith(name)
    assert embedder.dimension == dimension


def test_another_address_may_be_another_model(choose):
    names = [
        make_embedder(choose("openai", embed_base_url=url)).name
        for url in ("http://127.0.0.1:1/v1", "http://127.0.0.1:2/v1", "http://127.0.0.1:1/v1/")
    ]
    assert names[0] != names[1]
    assert names[0] == names[2]
    assert "127.0.0.1" not in names[0]


@pytest.mark.parametrize(
    ("kind", "changes", "words"),
    [
        ("openai", {}, "EMBED_API_KEY"),
        ("dashscope", {}, "EMBED_API_KEY"),
        ("openai", {**KEY, "embed_model_name": "unheard-of"}, "EMBED_DIMENSION"),
        ("openai", {**KEY, "qdrant_vector_size": 512}, "QDRANT_VECTOR_SIZE"),
    ],
)
def test_what_is_missing_is_told_at_the_start(choose, kind, changes, words):
    with pytest.raises(ConfigurationError) as caught:
        make_embedder(choose(kind, **changes))
    assert words in caught.value.sentence


def test_a_missing_package_is_told_and_nothing_takes_its_place(choose):
    if importlib.util.find_spec("sentence_transformers"):
        pytest.skip("sentence-transformers is installed")
    with pytest.raises(MissingDependencyError) as caught:
        make_embedder(choose("local"))
    assert "requirements-local.txt" in caught.value.remedy
    assert former_index(choose("builtin"), "local:intfloat/multilingual-e5-small") is None


def test_former_embedders_are_made_by_their_names(choose):
    for kind, changes in (("builtin", {}), ("tfidf", {})):
        name = make_embedder(choose(kind, **changes)).name
        found = former_index(choose("dashscope", **KEY), name)
        assert found is not None
        assert found.embedder.name == name
    before = make_embedder(choose("dashscope", **KEY, embed_dimension=512)).name
    found = former_index(choose("dashscope", **KEY), before)
    assert found is not None
    assert (found.embedder.name, found.embedder.dimension) == (before, 512)
    assert former_index(choose("builtin"), "unheard-of/1") is None


def test_a_key_is_never_taken_to_another_service(choose):
    openai = make_embedder(choose("openai", **KEY)).name
    dashscope = make_embedder(choose("dashscope", **KEY)).name
    assert former_index(choose("dashscope", **KEY), openai) is None
    assert former_index(choose("openai", **KEY), dashscope) is None
    elsewhere = choose("openai", **KEY, embed_base_url="http://127.0.0.1:9/v1")
    assert former_index(elsewhere, openai) is None
    assert former_index(choose("builtin", **KEY), dashscope) is None


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        ("intfloat/e5-base-v2", "query: ", "passage: "),
        ("BAAI/bge-m3", "", ""),
        ("BAAI/bge-small-zh-v1.5", "为这个句子生成表示以用于检索相关文章：", ""),
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("sentence-transformers/all-MiniLM-L6-v2", "", ""),
        ("text-embedding-3-small", "", ""),
    ],
)
def test_prefixes_of_well_known_models(model, query, document):
    assert prefixes_of(model) == (query, document)


def test_instructions_of_models_that_want_some():
    assert prefixes_of("BAAI/bge-large-en-v1.5").query.startswith("Represent this sentence")
    assert prefixes_of("intfloat/multilingual-e5-large-instruct").document == ""
    assert prefixes_of("Qwen/Qwen3-Embedding-0.6B").query.startswith("Instruct: ")
