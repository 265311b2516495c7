"""Import this before numpy: one thread, no settings from outside, nothing that calls home."""

import os

from core.settings import known_names

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = os.environ.get("EVAL_THREADS", "1")
os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
for name in known_names():
    os.environ.pop(name, None)
    os.environ.pop(name.lower(), None)
