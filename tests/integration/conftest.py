"""An assistant with its real stores, readers and embedder."""

import pytest

from core.assistant import PDFLearningAssistant
from core.settings import load_settings
from core.wiring import build_services


@pytest.fixture
def services(data_dir):
    made = build_services(load_settings(env_file=None, data_dir=data_dir))
    yield made
    made.close()


@pytest.fixture
def ada(services):
    return PDFLearningAssistant("ada", services=services)
