"""Speech to pieces, with whisper.cpp and a Whisper model of the operator's own, offline.

MarkItDown would send recordings to a web service for transcription, so it is not asked. The
packages are optional (requirements-audio.txt) and named by strings: nobody else imports them.
"""

import importlib
import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from core.domain.document import BlockKind
from core.errors import MissingDependencyError
from core.readers.failure import Failure
from core.readers.limits import Limits
from core.readers.markdown_pages import Piece
from core.text.clean import clean

TRANSCRIBER = "pywhispercpp.model:Model"
DECODER = "miniaudio"
_MODEL_MAGIC = b"lmgg"
"""A ggml file begins so; given another one, whisper.cpp ends the process."""
_ANY_LANGUAGE = ""
"""whisper.cpp finds the language itself."""
_RATE = 16_000
"""Samples a second, as Whisper takes them."""
_TICK = 0.01
"""Seconds of whisper.cpp's unit of time."""
_MEMORY_MB = 4096
_SECONDS = 2 * 3600
"""For a recording: about its own length with a small model on two cores."""
_HEADING_SECONDS = 300
_PAUSE_SECONDS = 2.0
_PARAGRAPH = 600
"""Characters after which the next pause, or the next sentence, begins a paragraph."""


@dataclass(frozen=True, slots=True)
class Speech:
    """Something said, from second `start` to second `end` of a recording."""

    start: float
    end: float
    text: str


def audio_limits(bounds: Limits) -> Limits:
    """Return what transcription may use: a model is larger than a parser, and slower."""
    return replace(
        bounds,
        memory_mb=max(bounds.memory_mb, _MEMORY_MB),
        cpu_seconds=max(bounds.cpu_seconds, _SECONDS),
        wall_seconds=max(bounds.wall_seconds, _SECONDS),
    )


def check_audio(model: Path | None) -> None:
    """Raise `MissingDependencyError` when recordings cannot be transcribed here."""
    packages = (TRANSCRIBER.partition(".")[0], DECODER)
    if not all(importlib.util.find_spec(package) for package in packages):
        raise MissingDependencyError(
            "Recordings need a package for transcription that is not installed.",
            remedy="Install requirements-audio.txt and set AUDIO_MODEL (see docs/formats.md).",
        )
    if model is None or not model.is_file() or _head(model) != _MODEL_MAGIC:
        raise MissingDependencyError(
            "AUDIO_MODEL does not name a file with a Whisper model.",
            remedy="Set it to a ggml model file of whisper.cpp (see docs/formats.md).",
        )


def _head(model: Path) -> bytes:
    with model.open("rb") as file:
        return file.read(len(_MODEL_MAGIC))


def transcribe(path: Path, model: Path) -> Iterator[Piece]:
    """Yield what is said in a recording. Runs in worker processes only. Raises `Failure`."""
    samples = _samples(path)
    module, _, name = TRANSCRIBER.partition(":")
    kind = getattr(importlib.import_module(module), name)
    try:
        whisper = kind(str(model), print_progress=False, print_realtime=False)
    except (RuntimeError, ValueError, OSError) as exc:
        raise Failure("missing_dependency", repr(exc)) from exc
    segments = whisper.transcribe(samples, language=_ANY_LANGUAGE)
    yield from speech_pieces(Speech(s.t0 * _TICK, s.t1 * _TICK, s.text) for s in segments)


def _samples(path: Path) -> Any:
    """Return a recording as numbers in [-1, 1], one channel, `_RATE` a second."""
    decoder = importlib.import_module(DECODER)
    try:
        found = decoder.decode_file(
            str(path), output_format=decoder.SampleFormat.FLOAT32, nchannels=1, sample_rate=_RATE
        )
    except decoder.MiniaudioError as exc:
        raise Failure("damaged", repr(exc)) from exc
    return np.frombuffer(found.samples, dtype=np.float32)


def speech_pieces(speeches: Iterable[Speech]) -> Iterator[Piece]:
    """Yield paragraphs that end at pauses, and the time as a heading every five minutes."""
    paragraph: list[str] = []
    end = 0.0
    due = 0.0
    for speech in speeches:
        text = clean(speech.text).strip()
        if not text:
            continue
        size = sum(map(len, paragraph))
        if paragraph and (
            speech.start - end >= _PAUSE_SECONDS or size >= _PARAGRAPH or speech.start >= due
        ):
            yield Piece(kind=BlockKind.PARAGRAPH, lines=(" ".join(paragraph),))
            paragraph = []
        if speech.start >= due:
            yield Piece(kind=BlockKind.HEADING, lines=(_clock(speech.start),), level=2)
            due = (speech.start // _HEADING_SECONDS + 1) * _HEADING_SECONDS
        paragraph.append(text)
        end = speech.end
    if paragraph:
        yield Piece(kind=BlockKind.PARAGRAPH, lines=(" ".join(paragraph),))


def _clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}"
