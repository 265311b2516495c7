"""Starting, limiting and ending worker processes."""

import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from core.errors import AssistantError, ConfigurationError
from core.readers import frames, limits
from core.readers.limits import Limits

logger = logging.getLogger(__name__)

_PROJECT = Path(__file__).resolve().parents[2]
_TICK = 0.1
"""Seconds between two looks of the watchdog."""
_IDLE_TICK = 0.5
"""The same while the process has nothing to do."""
_START_SECONDS = 60.0
_LOG_TAIL = 2000
_OUT_OF_MEMORY = ("MemoryError", "bad_alloc", "bad allocation", "nsufficient memory")
"""What libraries write when they get no more."""


PRELOAD = "preload"


class WorkerDied(Exception):
    """The worker ended without a reply: by a limit, by a crash, or by the wall clock.

    `by_limit` says that time or memory ran out, as far as the exit tells.
    """

    def __init__(self, message: str, *, by_limit: bool) -> None:
        super().__init__(message)
        self.by_limit = by_limit


class Worker:
    """One worker process. One request at a time; not safe for several threads."""

    def __init__(self, bounds: Limits, *, preload: bool = False) -> None:
        """With `preload` the process loads the libraries for PDFs at its start."""
        self._limits = bounds
        self._preload = preload
        self._process: subprocess.Popen[bytes] | None = None
        self._log: Any = None
        self._deadline: float | None = None
        self._timed_out = False
        self._over_memory = False

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def limit(self, bounds: Limits) -> None:
        """Set the limits of the next requests; that of memory stays."""
        self._limits = bounds

    def start(self) -> None:
        """Start the process. Raises `ConfigurationError` when it cannot even load its libraries."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._timed_out = self._over_memory = False
        started: Future[subprocess.Popen[bytes]] = Future()
        threading.Thread(
            target=self._live, args=(started,), name="reader-watchdog", daemon=True
        ).start()
        try:
            self._process = started.result()
        except OSError as exc:
            self._close()
            raise _not_started(str(exc)) from exc
        self._deadline = time.monotonic() + _START_SECONDS
        frame = frames.read_frame(self._stdout)
        self._deadline = None
        if frame is None or frame[0] != frames.READY:
            tail = self._log_tail()
            self.kill()
            raise _not_started(tail)

    def _live(self, started: Future[subprocess.Popen[bytes]]) -> None:
        """Start the process and keep it within its limits until it ends.

        The thread must stay as long: on Linux the process ends with it (see `limits.enter`).
        """
        command = [sys.executable, "-m", "core.readers.worker", str(self._limits.memory_mb)]
        try:
            process = subprocess.Popen(
                [*command, PRELOAD] if self._preload else command,
                cwd=_PROJECT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                start_new_session=True,
            )
        except OSError as exc:
            started.set_exception(exc)
            return
        started.set_result(process)
        while process.poll() is None:
            deadline = self._deadline
            over_time = deadline is not None and time.monotonic() > deadline
            if over_time or limits.over_memory(process.pid, self._limits.memory_mb):
                self._timed_out, self._over_memory = over_time, not over_time
                process.kill()
            time.sleep(_IDLE_TICK if deadline is None else _TICK)

    @property
    def _stdout(self) -> Any:
        assert self._process is not None
        return self._process.stdout

    def request(self, op: str, **arguments: Any) -> Iterator[tuple[bytes, bytes]]:
        """Send a request and yield its reply frames up to the last one.

        The last frame is anything but `PAGES`. What the caller does between two frames does not
        count for the time limit. Raises `WorkerDied`; the process is gone then.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        body = {"op": op, "cpu_seconds": self._limits.cpu_seconds, **arguments}
        left = float(self._limits.wall_seconds)
        try:
            self._deadline = time.monotonic() + left
            self._process.stdin.write(json.dumps(body).encode() + b"\n")
            self._process.stdin.flush()
            while (frame := frames.read_frame(self._stdout)) is not None:
                left, self._deadline = self._deadline - time.monotonic(), None
                if frame[0] == frames.LAST_WORDS:
                    self.kill()
                    frame = frames.ERROR, frame[1]
                yield frame
                if frame[0] != frames.PAGES:
                    return
                self._deadline = time.monotonic() + left
        except BrokenPipeError:
            pass  # the process is gone: told below, with what is known of its end
        finally:
            self._deadline = None
        raise self._death()

    def _death(self) -> WorkerDied:
        assert self._process is not None
        self._process.kill()
        code = self._process.wait()
        tail = self._log_tail()
        self._close()
        out_of_memory = self._over_memory or any(word in tail for word in _OUT_OF_MEMORY)
        by_limit = self._timed_out or out_of_memory or code < 0
        logger.warning("A reading process ended with %s: %s", code, tail[-300:])
        return WorkerDied(f"worker ended with {code}", by_limit=by_limit)

    def _log_tail(self) -> str:
        size = self._log.seek(0, 2)
        self._log.seek(max(0, size - _LOG_TAIL))
        return str(self._log.read().decode("utf-8", "replace")).strip()

    def _close(self) -> None:
        if self._process is not None:
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    try:
                        pipe.close()
                    except BrokenPipeError:
                        continue  # unsent bytes for a process that is gone
            self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None

    def kill(self) -> None:
        """End the process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._close()


def _not_started(why: str) -> ConfigurationError:
    return ConfigurationError(
        f"The reading process did not start: {why or 'no message'}",
        remedy="Install the packages of requirements.txt again.",
    )


def reply_error(body: bytes, errors: dict[str, type[AssistantError]]) -> AssistantError:
    """Return the error that an `ERROR` frame names."""
    told = json.loads(body)
    code = str(told.get("code"))
    logger.info("A file was refused: %s (%s)", code, str(told.get("detail"))[:200])
    return errors[code](detail=told.get("detail"))
