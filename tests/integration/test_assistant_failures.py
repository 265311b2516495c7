"""Crashes, lost files, full disks and wrong settings: a sentence, and nothing half done."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.domain.answer import AnswerMode
from core.errors import ConfigurationError, StoreError
from core.settings import load_settings
from core.wiring import build_services

DATA = Path(__file__).parents[1] / "data"
MILL = DATA / "two_columns_en.pdf"


def test_a_load_that_is_stopped_leaves_nothing(ada, services, data_dir):
    class Stopped(Exception):
        pass

    def stop(_):
        raise Stopped

    with pytest.raises(Stopped):
        ada.load_document(MILL, on_progress=stop)
    assert ada.documents() == []
    assert not list((data_dir / "learners").rglob("*.pdf"))
    assert ada.load_document(MILL).success


@pytest.mark.parametrize("left", [b"", b"%PDF-1.7 not any more", None])
def test_without_its_file_a_document_proves_nothing(ada, data_dir, left):
    ada.load_document(MILL)
    assert ada.ask("What does the mill do?").citations
    ada.load_document(DATA / "table.pdf")
    (file,) = [
        p for p in (data_dir / "learners").rglob("*.pdf") if p.read_bytes() == MILL.read_bytes()
    ]
    if left is None:
        file.unlink()
    else:
        file.write_bytes(left)
    ada._services.engine._inspector.close()
    answer = ada.ask("What does the mill do?", documents=[file.stem])
    assert answer.mode is AnswerMode.REFUSED
    assert answer.notice == "not_provable"
    assert answer.removed > 0
    assert "mill" not in answer.text.lower()


CRASH = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services
services = build_services(load_settings(env_file=None, data_dir=Path(sys.argv[1])))
def die(_):
    import os, signal
    os.kill(os.getpid(), signal.SIGKILL)
PDFLearningAssistant("ada", services=services).load_document(sys.argv[2], on_progress=die)
"""


def test_a_killed_load_goes_on_at_the_next_start(ada, data_dir):
    ended = subprocess.run(
        [sys.executable, "-c", CRASH, str(data_dir), str(MILL)],
        cwd=Path(__file__).parents[2],
        timeout=120,
        check=False,
    )
    assert ended.returncode == -signal.SIGKILL
    result = ada.load_document(MILL)  # waits for the load that goes on
    assert result.success
    assert result.duplicate
    assert ada.ask("What does the mill do?").citations
    assert [hit.memory.event for hit in ada.recall("documents I loaded")] == ["document_loaded"]


def test_two_copies_of_the_application_do_not_share_a_folder(ada, data_dir):
    ada.load_document(MILL)
    code = CRASH.replace("on_progress=die", "on_progress=None")
    other = subprocess.run(
        [sys.executable, "-c", code, str(data_dir), str(DATA / "table.pdf")],
        cwd=Path(__file__).parents[2],
        timeout=120,
        capture_output=True,
        text=True,
        check=False,
    )
    assert other.returncode != 0
    assert "StoreError" in other.stderr
    assert ada.ask("What does the mill do?").citations


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"qdrant_vector_size": 384}, ConfigurationError, "QDRANT_VECTOR_SIZE is 384"),
        ({"embed_model_type": "dashscope"}, ConfigurationError, "needs a key"),
        ({"llm_api_key": "k"}, ConfigurationError, "LLM_MODEL_ID"),
    ],
)
def test_settings_that_cannot_work_are_sentences(data_dir, values, error, words):
    with pytest.raises(error) as caught:
        build_services(load_settings(env_file=None, data_dir=data_dir, **values))
    assert words in caught.value.sentence


def test_a_lost_secret_is_told_and_a_damaged_one_refused(ada, services, data_dir, caplog):
    first = services.user_secret()
    ada.load_document(MILL)
    (data_dir / "secret.key").unlink()
    assert services.user_secret() != first
    assert "nobody's browser fits it" in caplog.text
    (data_dir / "secret.key").write_bytes(b"")
    with pytest.raises(StoreError, match="damaged"):
        services.user_secret()


def test_a_lost_index_is_an_error_not_a_worse_answer(ada, services, data_dir):
    ada.load_document(MILL)
    services.close()
    shutil.rmtree(data_dir / "vectors")
    with pytest.raises(StoreError) as caught:
        ada.ask("What does the mill do?")
    assert "load them again" in caught.value.remedy
    ada.delete_document(ada.documents()[0].id)
    assert ada.load_document(MILL).success
    assert ada.ask("What does the mill do?").citations


def test_a_nearly_full_disk_is_a_sentence(ada, monkeypatch):
    ada.load_document(DATA / "table.pdf")
    usage = shutil.disk_usage("/")._replace(free=1024 * 1024)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(StoreError, match="nearly full"):
        ada.load_document(MILL)
    monkeypatch.undo()
    assert len(ada.documents()) == 1
    assert ada.load_document(MILL).success
