"""Starting, limiting and ending worker processes."""

import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import AssistantError, ConfigurationError
from core.readers import frames, limits
from core.readers.limits import Limits

logger = logging.getLogger(__name__)

_PROJECT = Path(__file__).resolve().parents[2]
_TICK = 0.1
"""Seconds between two looks of the watchdog."""
_START_SECONDS = 60
_LOG_TAIL = 2000


class WorkerDied(Exception):
    """The worker ended without a reply: by a limit, by a crash, or by the wall clock.

    `by_limit` says that time or memory ran out, as far as the exit tells.
    """

    def __init__(self, message: str, *, by_limit: bool) -> None:
        super().__init__(message)
        self.by_limit = by_limit


class _Waited:
    """Seconds for which a process was waited for: not those in which its reader was busy."""

    def __init__(self) -> None:
        self._before = 0.0
        self._since: float | None = time.monotonic()

    @property
    def seconds(self) -> float:
        """The seconds so far."""
        since = self._since
        return self._before if since is None else self._before + time.monotonic() - since

    def pause(self) -> None:
        """What follows is not waiting."""
        self._before, self._since = self.seconds, None

    def go_on(self) -> None:
        """Wait again."""
        self._since = time.monotonic()


class Worker:
    """One worker process. One request at a time; not safe for several threads."""

    def __init__(self, bounds: Limits) -> None:
        self._limits = bounds
        self._process: subprocess.Popen[bytes] | None = None
        self._log: Any = None
        self._timed_out = False
        self._over_memory = False

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the process. Raises `ConfigurationError` when it cannot even load its libraries."""
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._timed_out = self._over_memory = False
        self._process = subprocess.Popen(
            [sys.executable, "-m", "core.readers.worker", str(self._limits.memory_mb)],
            cwd=_PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
        )
        done = self._watch(_START_SECONDS, _Waited())
        frame = frames.read_frame(self._stdout)
        done.set()
        if frame is None or frame[0] != frames.READY:
            tail = self._log_tail()
            self.kill()
            raise ConfigurationError(
                f"The reading process did not start: {tail or 'no message'}",
                remedy="Install the packages of requirements.txt again.",
            )

    @property
    def _stdout(self) -> Any:
        assert self._process is not None
        return self._process.stdout

    def request(self, op: str, **arguments: Any) -> Iterator[tuple[bytes, bytes]]:
        """Send a request and yield its reply frames up to the last one.

        The last frame is anything but `PAGES`. Raises `WorkerDied`; the process is gone then.
        """
        assert self._process is not None
        assert self._process.stdin is not None
        body = {"op": op, "cpu_seconds": self._limits.cpu_seconds, **arguments}
        waited = _Waited()
        done = self._watch(self._limits.wall_seconds, waited)
        try:
            self._process.stdin.write(json.dumps(body).encode() + b"\n")
            self._process.stdin.flush()
            while (frame := frames.read_frame(self._stdout)) is not None:
                waited.pause()
                yield frame
                waited.go_on()
                if frame[0] != frames.PAGES:
                    return
        except BrokenPipeError:
            pass  # the process is gone: told below, with what is known of its end
        finally:
            done.set()
        raise self._death()

    def _watch(self, seconds: float, waited: _Waited) -> threading.Event:
        """Kill the process when it was waited for too long, or over its memory.

        Unless the event is set before.
        """
        done = threading.Event()
        process = self._process
        assert process is not None

        def look() -> None:
            while not done.wait(_TICK):
                self._over_memory = limits.over_memory(process.pid, self._limits.memory_mb)
                self._timed_out = waited.seconds > seconds
                if self._over_memory or self._timed_out:
                    process.kill()
                    return

        threading.Thread(target=look, name="reader-watchdog", daemon=True).start()
        return done

    def _death(self) -> WorkerDied:
        assert self._process is not None
        self._process.kill()
        code = self._process.wait()
        tail = self._log_tail()
        self._close()
        by_limit = self._timed_out or self._over_memory or code < 0 or "MemoryError" in tail
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


def reply_error(body: bytes, errors: dict[str, type[AssistantError]]) -> AssistantError:
    """Return the error that an `ERROR` frame names."""
    told = json.loads(body)
    code = str(told.get("code"))
    logger.info("A file was refused: %s (%s)", code, str(told.get("detail"))[:200])
    return errors[code](detail=told.get("detail"))
