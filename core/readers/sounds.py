"""The beginning of a recording as plain samples. Runs in worker processes only."""

import importlib
import io
import wave
from pathlib import Path

from core.readers.audio import DECODER
from core.readers.failure import Failure

RATE = 48_000
"""Samples a second, as CLAP takes them."""
SECONDS = 30
_BLOCK = 48_000
_SAMPLE_BYTES = 2


def beginning(path: Path) -> bytes:
    """Return the first `SECONDS` as WAV: one channel, 16 bits, `RATE` samples a second.

    Raises `Failure`: `damaged`, `empty`, `missing_dependency`.
    """
    try:
        decoder = importlib.import_module(DECODER)
    except ImportError as exc:
        raise Failure("missing_dependency", str(exc)) from exc
    samples = bytearray()
    try:
        blocks = decoder.stream_file(
            str(path),
            output_format=decoder.SampleFormat.SIGNED16,
            nchannels=1,
            sample_rate=RATE,
            frames_to_read=_BLOCK,
        )
        for block in blocks:
            samples += block.tobytes()
            if len(samples) >= SECONDS * RATE * _SAMPLE_BYTES:
                break
    except decoder.MiniaudioError as exc:
        raise Failure("damaged", repr(exc)) from exc
    if not samples:
        raise Failure("empty")
    return _wav(bytes(samples[: SECONDS * RATE * _SAMPLE_BYTES]))


def _wav(samples: bytes) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(_SAMPLE_BYTES)
        file.setframerate(RATE)
        file.writeframes(samples)
    return out.getvalue()
