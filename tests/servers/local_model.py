"""A small real language model (a GGUF file) behind an OpenAI-compatible server of its own.

    python -m tests.servers.local_model MODEL.gguf [--context 4096]

prints the server's address and runs until its standard input ends. Needs `xllamacpp`
(requirements-local.txt). Replies are greedy: the same request gives the same reply.
"""

import argparse
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Self

SECONDS_TO_START = 180
SECONDS_TO_END = 10


class LocalModel:
    """Context manager: a process that serves `model` on a free port of 127.0.0.1.

    `context` is the longest prompt and reply together, in tokens. One thread: several are slower
    where other work has the cores.
    """

    def __init__(self, model: Path, *, context: int = 4096, log: IO[bytes] | None = None) -> None:
        self.name = model.stem
        self.base_url = ""
        self._command = [
            *(sys.executable, "-m", "tests.servers.local_model", str(model)),
            *("--context", str(context)),
        ]
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log or subprocess.DEVNULL,
        )
        self._process = process
        watch = threading.Timer(SECONDS_TO_START, process.kill)
        watch.start()
        try:
            for line in process.stdout or ():
                if line.startswith(b"http://127.0.0.1:"):
                    self.base_url = line.decode().strip() + "/v1"
                    break
        finally:
            watch.cancel()
        if not self.base_url:
            self.__exit__()
            raise RuntimeError("the model's server did not start")
        return self

    def __exit__(self, *_: object) -> None:
        process = self._process
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def serve(model: Path, context: int) -> None:
    """Serve until standard input ends."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.n_ctx = context
    params.n_parallel = 1
    params.n_gpu_layers = 0
    params.cpuparams.n_threads = 1
    params.cpuparams_batch.n_threads = 1
    params.port = 0
    params.ui = False
    params.sampling.temp = 0.0
    params.sampling.seed = 1
    server = xllamacpp.Server(params)
    sys.stdout.write(server.listening_address + "\n")
    sys.stdout.flush()
    sys.stdin.buffer.read()
    os._exit(0)  # at once, also in the middle of a reply


def main() -> int:
    """Run the server."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path)
    parser.add_argument("--context", type=int, default=4096)
    args = parser.parse_args()
    serve(args.model, args.context)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
