"""Adapter of `SoundReader`: one limited child process a recording."""

import importlib.util
from pathlib import Path

from core.errors import DamagedDocumentError, DocumentTooComplexError, MissingDependencyError
from core.readers import frames
from core.readers.audio import DECODER
from core.readers.host import Worker, WorkerDied, reply_error
from core.readers.limited import ERRORS
from core.readers.limits import Limits


class LimitedListener:
    """Decodes within `bounds`. Raises `MissingDependencyError` without the optional decoder."""

    def __init__(self, bounds: Limits) -> None:
        if importlib.util.find_spec(DECODER) is None:
            raise MissingDependencyError(
                "PERCEPTUAL_AUDIO_MODEL needs a package that decodes recordings.",
                remedy="Install requirements-audio.txt, or leave PERCEPTUAL_AUDIO_MODEL empty.",
            )
        self._limits = bounds

    def beginning(self, path: Path) -> bytes:
        """See `SoundReader.beginning`."""
        worker = Worker(self._limits)
        worker.start()
        try:
            kind, body = list(worker.request("sound", path=str(path.resolve())))[-1]
        except WorkerDied as exc:
            error = DocumentTooComplexError if exc.by_limit else DamagedDocumentError
            raise error(detail=str(exc)) from exc
        finally:
            worker.kill()
        if kind == frames.ERROR:
            raise reply_error(body, ERRORS)
        return body
