"""Adapter of `PageRecogniser`: one limited worker, kept while pages come, started again after a
page kills it."""

import json
import logging
import threading
import time
from pathlib import Path
from typing import Any

from core.domain.document import Page
from core.errors import (
    AssistantError,
    DamagedDocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
    MissingDependencyError,
)
from core.readers import frames
from core.readers.host import Worker, WorkerDied, reply_error
from core.readers.limited import ERRORS
from core.readers.limits import MAX_PIXELS, Limits

logger = logging.getLogger(__name__)

_IDLE_SECONDS = 60.0
_ERRORS: dict[str, type[AssistantError]] = {
    **ERRORS,
    MissingDependencyError.code: MissingDependencyError,
}


class LimitedRecogniser:
    """Recognises one page at a time, each within `bounds`.

    The process holds its models (about 400 MB); after `idle_seconds` without a page it ends.
    """

    def __init__(self, bounds: Limits, *, idle_seconds: float = _IDLE_SECONDS) -> None:
        self._worker = Worker(bounds)
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._last_used = 0.0
        self._timer: threading.Timer | None = None

    def page_count(self, path: Path) -> int:
        """See `PageRecogniser.page_count`."""
        return int(self._ask("count_pages", path))

    def recognise(self, path: Path, page: int) -> Page:
        """See `PageRecogniser.recognise`."""
        found = self._ask("ocr", path, page=page)
        try:
            return frames.page_from_json(found)
        except (KeyError, TypeError, ValueError) as exc:
            raise DamagedDocumentError(detail=repr(exc)) from exc

    def close(self) -> None:
        """See `PageRecogniser.close`. Waits for the page that is being recognised."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._worker.kill()

    def _ask(self, op: str, path: Path, **arguments: Any) -> Any:
        with self._lock:
            if not self._worker.alive:
                self._worker.kill()
                self._worker.start()
            try:
                resolved = str(path.resolve())
                kind, body = list(self._worker.request(op, path=resolved, **arguments))[-1]
            except WorkerDied as exc:
                error = DocumentTooComplexError if exc.by_limit else DamagedDocumentError
                raise error(detail=str(exc)) from exc
            finally:
                self._last_used = time.monotonic()
                self._end_when_idle(self._idle_seconds)
        if kind == frames.ERROR:
            raise _told(body)
        return json.loads(body)

    def _end_when_idle(self, seconds: float) -> None:
        """Look again after `seconds` whether the process is still needed. The lock is held."""
        if self._timer is None:
            self._timer = threading.Timer(seconds, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        with self._lock:
            self._timer = None
            left = self._last_used + self._idle_seconds - time.monotonic()
            if left > 0:
                self._end_when_idle(left)
            else:
                self._worker.kill()


def _told(body: bytes) -> AssistantError:
    error = reply_error(body, _ERRORS)
    if isinstance(error, DocumentTooLargeError):
        return DocumentTooLargeError(
            f"This picture has more than {MAX_PIXELS // 1_000_000} million pixels.",
            limit=MAX_PIXELS,
        )
    if isinstance(error, MissingDependencyError):
        return MissingDependencyError(
            "Text recognition needs packages that are not installed.",
            remedy="Install the packages of requirements.txt again, or set OCR_ENABLED=false.",
        )
    return error
