"""The application's side of an embedding process: starting it, waiting for it, ending it."""

import json
import logging
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import numpy as np

from core.embeddings.e5_worker import ROWS
from core.errors import ModelError
from core.ports.embedder import Vectors

logger = logging.getLogger(__name__)

DIMENSION = 384
_PROJECT = Path(__file__).resolve().parents[2]
_FLOAT_BYTES = 4
_START_SECONDS = 60.0
_TRIES = 2
_LOG_TAIL = 300


class WorkerGone(Exception):
    """The process ended, or was ended, before it replied."""


@dataclass(frozen=True, slots=True)
class Conduct:
    """How a process behaves.

    It may take `seconds` for a request and ends after `idle_seconds` without one (0: never).
    """

    niceness: int
    idle_seconds: float
    seconds: float


class EmbeddingProcess:
    """One process, started at the first use and again after it ended. Thread-safe.

    Requests wait for each other. One during which the process dies, or takes too long, is tried
    once more.
    """

    def __init__(self, conduct: Conduct) -> None:
        self._conduct = conduct
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._closed = 0

    @property
    def pid(self) -> int | None:
        """The running process, None while there is none."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def embed(self, texts: Sequence[str], *, query: bool) -> Vectors:
        """Return shape (len(texts), 384). Raises `ModelError`."""
        body = json.dumps({"query": query, "texts": list(texts)}).encode() + b"\n"
        closed = self._closed
        with self._lock:
            for _ in range(_TRIES):
                try:
                    return self._exchange(body, len(texts))
                except WorkerGone as exc:
                    gone = exc
                    self._end()
                    if self._closed != closed:
                        break
                    logger.warning("An embedding process ended: %s", exc)
        raise ModelError(
            "The embedding process ended over these texts.",
            remedy="It is tried again later; if it stays so, set REFINE_ENABLED=false.",
        ) from gone

    def close(self) -> None:
        """End the process, also a busy one: who waits for it gets a `ModelError`.

        It starts again at the next use.
        """
        self._closed += 1
        process = self._process
        if process is not None:
            process.kill()
        with self._lock:
            self._end()

    def _exchange(self, body: bytes, rows: int) -> Vectors:
        process = self._started()
        assert process.stdin is not None
        with _killed_after(process, self._conduct.seconds):
            try:
                process.stdin.write(body)
                process.stdin.flush()
            except BrokenPipeError as exc:
                raise self._gone() from exc
            vectors = self._reply(process)
        if vectors.shape != (rows, DIMENSION) or not np.isfinite(vectors).all():
            raise WorkerGone("it gave no usable vectors")
        return vectors

    def _started(self) -> subprocess.Popen[bytes]:
        """Return the running process. Raises `WorkerGone` when it cannot be started."""
        if self.pid is not None:
            assert self._process is not None
            return self._process
        self._end()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        conduct = self._conduct
        arguments = [str(conduct.niceness), str(conduct.idle_seconds)]
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", "core.embeddings.e5_worker", *arguments],
                cwd=_PROJECT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                start_new_session=True,
            )
        except OSError as exc:
            raise WorkerGone(str(exc)) from exc
        with _killed_after(process, _START_SECONDS):
            self._reply(process)
        return process

    def _reply(self, process: subprocess.Popen[bytes]) -> Vectors:
        assert process.stdout is not None
        head = process.stdout.read(ROWS.size)
        rows = ROWS.unpack(head)[0] if len(head) == ROWS.size else 0
        size = rows * DIMENSION * _FLOAT_BYTES
        body = process.stdout.read(size)
        if len(head) < ROWS.size or len(body) < size:
            raise self._gone()
        return np.frombuffer(body, dtype="<f4").astype(np.float32).reshape(rows, DIMENSION)

    def _gone(self) -> WorkerGone:
        assert self._process is not None
        self._process.kill()
        code = self._process.wait()
        return WorkerGone(f"exit {code}; {self._last_words() or 'no message'}")

    def _last_words(self) -> str:
        assert self._log is not None
        size = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, size - _LOG_TAIL))
        return self._log.read().decode("utf-8", "replace").strip()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                assert pipe is not None
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # unsent bytes for a process that is gone
        if self._log is not None:
            self._log.close()
            self._log = None


@contextmanager
def _killed_after(process: subprocess.Popen[bytes], seconds: float) -> Iterator[None]:
    """Kill the process unless the block ends in time; then whoever reads from it finds the end."""
    timer = threading.Timer(seconds, process.kill)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
