"""The real application as a child process in which other hosts are refused."""

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]
NO_NETWORK = Path(__file__).parent / "no_network"
START_SECONDS = 90
END_SECONDS = 30
OPEN = re.compile(r"Open (http://\S+?)/? in a browser")
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT", "TEMP", "OMP_NUM_THREADS")


class RunningApp:
    """Context manager: `python app.py` on a free port. `log` is what it wrote so far.

    `settings` are environment variables of the application. The same `folder` can be used again:
    that is a restart.
    """

    def __init__(self, folder: Path, **settings: str) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.outside = folder / "outside.log"
        self.url = ""
        self.log = ""
        self._settings = settings
        self._ready = threading.Event()

    def __enter__(self) -> "RunningApp":
        self.folder.mkdir(parents=True, exist_ok=True)
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        environment |= {
            "PORT": "0",
            "DATA_DIR": str(self.data),
            "OUTSIDE_LOG": str(self.outside),
            "REFINE_ENABLED": "false",  # unless a test asks for it
            "PYTHONPATH": str(NO_NETWORK),
            **self._settings,
        }
        # Another working folder than the repository: a developer's .env is not read.
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "app.py")],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        if not self._ready.wait(START_SECONDS) or not self.url:
            self._end()
            raise RuntimeError(f"the application did not start:\n{self.log}")
        return self

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.log += line
                if match := OPEN.search(line):
                    self.url = match[1]
                    self._ready.set()
        self._ready.set()

    def stop(self) -> int:
        """End the application as an operating system does and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(END_SECONDS)
        self._reader.join(END_SECONDS)
        return code

    def kill(self) -> None:
        """End the application as a power cut does."""
        self.process.kill()
        self.process.wait(END_SECONDS)
        self._reader.join(END_SECONDS)

    def _end(self) -> None:
        if self.process.poll() is None:
            try:
                self.stop()
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join(END_SECONDS)

    def __exit__(self, *_: object) -> None:
        self._end()

    def outside_attempts(self) -> str:
        """What the server or its child processes tried to reach on other hosts."""
        return self.outside.read_text(encoding="utf-8") if self.outside.exists() else ""
