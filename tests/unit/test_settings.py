"""Settings: one reader of the environment, the tutorial's names, refusals that help."""

from itertools import pairwise
from pathlib import Path

import pytest
from dotenv import dotenv_values

from core.errors import ConfigurationError
from core.settings import Settings, known_names, load_settings

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / ".env.example"

# Section 8.1.4 of the tutorial, with the alternatives its readers switch to.
TUTORIAL = """\
QDRANT_URL=https://your-cluster.qdrant.tech:6333
QDRANT_API_KEY=your_qdrant_api_key_here
QDRANT_COLLECTION=hello_agents_vectors
QDRANT_VECTOR_SIZE=384
QDRANT_DISTANCE=cosine
QDRANT_TIMEOUT=30

NEO4J_URI=neo4j+s://your-instance.databases.neo4j.io
NEO4J_USERNAME=neo4j
NEO4J_PASSWORD=your_neo4j_password_here
NEO4J_DATABASE=neo4j
NEO4J_MAX_CONNECTION_LIFETIME=3600
NEO4J_MAX_CONNECTION_POOL_SIZE=50
NEO4J_CONNECTION_TIMEOUT=60

EMBED_MODEL_TYPE=dashscope
EMBED_MODEL_NAME=
EMBED_API_KEY=
EMBED_BASE_URL=
"""


def write(folder: Path, text: str) -> Path:
    path = folder / ".env"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def no_data_dir(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATA_DIR")


def test_the_example_lists_every_setting_in_order() -> None:
    assert list(dotenv_values(EXAMPLE, encoding="utf-8")) == known_names()


def test_the_example_changes_no_default(tmp_path: Path) -> None:
    from_example = load_settings(write(tmp_path, EXAMPLE.read_text(encoding="utf-8")))
    assert from_example == load_settings(env_file=None)


def test_the_example_shows_the_defaults() -> None:
    shown = dotenv_values(EXAMPLE, encoding="utf-8")
    for name, field in Settings.model_fields.items():
        default = field.default
        text = "" if default is None else str(default)
        value = shown[name.upper()] or ""
        assert value.lower() == text.lower() or float(value) == float(text), name


def test_the_example_marks_the_names_of_the_tutorial() -> None:
    lines = EXAMPLE.read_text(encoding="utf-8").splitlines()
    marked = {
        line.partition("=")[0]
        for before, line in pairwise(lines)
        if "(tutorial)" in before and not line.startswith("#")
    }
    block = {line.partition("=")[0] for line in TUTORIAL.splitlines() if line}
    assert block <= marked
    assert {"LLM_MODEL_ID", "LLM_API_KEY", "LLM_BASE_URL"} <= marked


def test_the_tutorials_block_loads_with_its_meaning(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, TUTORIAL))
    assert settings.qdrant_url == "https://your-cluster.qdrant.tech:6333"
    assert settings.qdrant_api_key is not None
    assert settings.qdrant_api_key.get_secret_value() == "your_qdrant_api_key_here"
    assert settings.qdrant_vector_size == 384
    assert settings.embed_model_type == "dashscope"
    assert settings.embed_model_name is None, "empty text means: not set"
    assert settings.neo4j_max_connection_pool_size == 50


@pytest.mark.parametrize(
    ("key", "nearest"),
    [("QDRANT_ULR", "QDRANT_URL"), ("llm_api_kei", "LLM_API_KEY"), ("CHUNKSIZE", "CHUNK_SIZE")],
)
def test_an_unknown_key_of_the_file_is_refused_with_the_nearest_name(
    tmp_path: Path, key: str, nearest: str
) -> None:
    with pytest.raises(ConfigurationError, match=f"{key}.*Did you mean {nearest}"):
        load_settings(write(tmp_path, f"PORT=8000\n{key}=1\n"))


def test_a_key_unlike_any_other_is_refused_without_a_guess(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(write(tmp_path, "ZZZZ=1\n"))
    assert "Did you mean" not in caught.value.message
    assert ".env.example" in caught.value.remedy


def test_unknown_process_variables_are_nobodys_business(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_ULR", "http://elsewhere")
    assert load_settings(env_file=None).qdrant_url is None


def test_arguments_win_over_the_process_and_the_process_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path, "PORT=1001\nHOST=from-file\nLOG_LEVEL=ERROR\n")
    monkeypatch.setenv("PORT", "1002")
    monkeypatch.setenv("HOST", "from-process")
    settings = load_settings(file, port=1003)
    assert (settings.port, settings.host, settings.log_level) == (1003, "from-process", "ERROR")


def test_every_wrong_setting_is_named() -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(env_file=None, port=70_000, qdrant_distance="euclid", chunk_size=1)
    assert all(name in str(caught.value) for name in ("PORT", "QDRANT_DISTANCE", "CHUNK_SIZE"))


def test_choices_are_read_in_any_case(tmp_path: Path) -> None:
    settings = load_settings(write(tmp_path, "QDRANT_DISTANCE=Cosine\nEMBED_MODEL_TYPE=Builtin\n"))
    assert (settings.qdrant_distance, settings.embed_model_type) == ("cosine", "builtin")


def test_secrets_are_not_shown(tmp_path: Path) -> None:
    settings = load_settings(
        write(tmp_path, "LLM_API_KEY=sk-hidden\nAPP_SECRET=sk-hidden\nNEO4J_PASSWORD=sk-hidden\n")
    )
    assert "sk-hidden" not in repr(settings) + str(settings) + str(settings.model_dump())


def test_settings_cannot_be_changed_afterwards() -> None:
    settings = load_settings(env_file=None)
    with pytest.raises(ValueError, match="frozen"):
        settings.port = 1


def test_every_setting_says_what_it_is() -> None:
    assert [n for n, field in Settings.model_fields.items() if not field.description] == []


def test_hosts_that_run_gradio_applications_give_address_and_port(monkeypatch):
    monkeypatch.setenv("GRADIO_SERVER_NAME", "0.0.0.0")
    monkeypatch.setenv("GRADIO_SERVER_PORT", "7861")
    settings = load_settings(env_file=None)
    assert (settings.host, settings.port) == ("0.0.0.0", 7861)
    monkeypatch.setenv("HOST", "127.0.0.1")
    assert load_settings(env_file=None).host == "127.0.0.1"
    assert load_settings(env_file=None, port=1234).port == 1234


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_env_files_of_windows_editors(tmp_path, encoding):
    path = tmp_path / ".env"
    path.write_text("PORT=7999\nLLM_MODEL_ID=模型\n", encoding=encoding)
    if encoding == "utf-16":
        with pytest.raises(ConfigurationError) as caught:
            load_settings(env_file=path)
        assert "UTF-8" in caught.value.sentence
    else:
        assert load_settings(env_file=path).port == 7999


def test_an_overlap_that_cannot_be_is_refused_at_the_start():
    with pytest.raises(ConfigurationError, match="CHUNK_OVERLAP"):
        load_settings(env_file=None, chunk_size=100, chunk_overlap=100)
