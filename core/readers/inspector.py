"""Adapter of `PageInspector`: long-lived limited workers, started again when a file kills one."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.answer import Box
from core.errors import DamagedDocumentError, DocumentTooComplexError
from core.ports.reader import LetterRange
from core.readers import frames
from core.readers.host import Worker, WorkerDied, reply_error
from core.readers.limited import ERRORS
from core.readers.limits import Limits

_CPU_SECONDS = 20
"""A page takes a tenth of a second; others wait for one that takes longer."""
_WALL_SECONDS = 40


class LimitedInspector:
    """Answers from a few worker processes; a call waits while all of them are busy."""

    def __init__(self, bounds: Limits, *, workers: int = 2) -> None:
        bounds = replace(
            bounds,
            cpu_seconds=min(bounds.cpu_seconds, _CPU_SECONDS),
            wall_seconds=min(bounds.wall_seconds, _WALL_SECONDS),
        )
        self._free = [Worker(bounds) for _ in range(workers)]
        self._changed = threading.Condition()

    @contextmanager
    def _worker(self) -> Iterator[Worker]:
        with self._changed:
            while not self._free:
                self._changed.wait()
            # A running worker first: its documents are open.
            alive = [w for w in self._free if w.alive]
            worker = alive[-1] if alive else self._free[-1]
            self._free.remove(worker)
        try:
            yield worker
        finally:
            with self._changed:
                self._free.append(worker)
                self._changed.notify()

    def _ask(self, op: str, path: Path, **arguments: Any) -> tuple[bytes, bytes]:
        with self._worker() as worker:
            kind, body = self._reply(worker, op, path, arguments)
        if kind == frames.ERROR:
            raise reply_error(body, ERRORS)
        return kind, body

    def _reply(
        self, worker: Worker, op: str, path: Path, arguments: dict[str, Any]
    ) -> tuple[bytes, bytes]:
        """Return the last frame. What other files left in a process is no reason to refuse one."""
        wanted = {"path": str(path.resolve()), **arguments}
        if worker.alive:
            with suppress(WorkerDied):
                return list(worker.request(op, **wanted))[-1]
        worker.kill()
        worker.start()
        try:
            return list(worker.request(op, **wanted))[-1]
        except WorkerDied as exc:
            error = DocumentTooComplexError if exc.by_limit else DamagedDocumentError
            raise error(detail=str(exc)) from exc

    def boxes(
        self, path: Path, quotes: Sequence[Sequence[LetterRange]]
    ) -> list[tuple[Box, ...] | None]:
        """See `PageInspector.boxes`."""
        wanted = [[(r.page, r.start, r.letters) for r in quote] for quote in quotes]
        _, body = self._ask("boxes", path, quotes=wanted)
        return [
            None
            if rects is None
            else tuple(Box(page=int(n), x0=x0, y0=y0, x1=x1, y1=y1) for n, x0, y0, x1, y1 in rects)
            for rects in json.loads(body)
        ]

    def image(
        self,
        path: Path,
        page: int,
        *,
        width: int,
        boxes: Sequence[Box] = (),
        clip: Box | None = None,
    ) -> bytes:
        """See `PageInspector.image`."""
        marks = [_corners(b) for b in boxes if b.page == page]
        part = None if clip is None else _corners(clip)
        return self._ask("image", path, page=page, width=width, boxes=marks, clip=part)[1]

    def close(self) -> None:
        """See `PageInspector.close`."""
        with self._changed:
            for worker in self._free:
                worker.kill()


def _corners(box: Box) -> tuple[float, float, float, float]:
    return box.x0, box.y0, box.x1, box.y1
