"""Recordings: what is said without the optional package, and speech to pieces."""

import wave
from pathlib import Path

import pytest

from core.errors import MissingDependencyError
from core.readers import audio
from core.readers.audio import Speech, speech_pieces
from core.readers.limited import LimitedReader
from core.readers.limits import Limits
from core.readers.markdown_pages import pages_of

LIMITS = Limits(memory_mb=512, cpu_seconds=10, wall_seconds=20, max_pages=10, max_file_mb=5)


def recording(folder: Path) -> Path:
    path = folder / "lecture.wav"
    with wave.open(str(path), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(16_000)
        out.writeframes(bytes(32_000))
    return path


def test_a_recording_needs_the_optional_package_and_a_model(tmp_path: Path) -> None:
    path = recording(tmp_path)
    with pytest.raises(MissingDependencyError) as caught:
        LimitedReader(LIMITS, audio_model=tmp_path).format_of(path, "lecture.wav")
    # Without the package it names the file to install; with it, what AUDIO_MODEL must name.
    assert "requirements-audio.txt" in caught.value.remedy or "ggml" in caught.value.remedy
    assert "docs/formats.md" in caught.value.remedy
    root = Path(__file__).parents[2]
    optional = (root / "requirements-audio.txt").read_text(encoding="utf-8")
    assert f"\n{audio.TRANSCRIBER.partition('.')[0]}==" in optional
    assert f"\n{audio.DECODER}==" in optional
    assert (root / "docs" / "formats.md").is_file()


def test_transcription_gets_more_than_a_parser_and_never_less() -> None:
    bounds = audio.audio_limits(LIMITS)
    assert bounds.memory_mb > LIMITS.memory_mb
    assert bounds.cpu_seconds > LIMITS.cpu_seconds
    assert (bounds.max_pages, bounds.max_file_mb) == (10, 5)
    generous = Limits(
        memory_mb=9_000, cpu_seconds=99_000, wall_seconds=99_000, max_pages=1, max_file_mb=1
    )
    assert audio.audio_limits(generous) == generous


def test_speech_becomes_paragraphs_under_times() -> None:
    speeches = [
        Speech(0.5, 3.0, " Welcome to the lecture."),
        Speech(3.1, 5.0, " Today: memory."),
        Speech(8.0, 9.0, "After a pause."),
        Speech(9.1, 9.2, "  "),
        Speech(301.0, 305.0, "五分钟以后。"),
        Speech(3700.0, 3701.0, "After an hour."),
    ]
    (page,) = pages_of(speech_pieces(speeches))
    assert page.text.split("\n\n") == [
        "00:00:00",
        "Welcome to the lecture. Today: memory.",
        "After a pause.",
        "00:05:01",
        "五分钟以后。",
        "01:01:40",
        "After an hour.",
    ]
    assert [b.kind.value for b in page.blocks].count("heading") == 3


def test_long_speech_without_a_pause_is_cut() -> None:
    speeches = [Speech(i, i + 0.9, f"Sentence number {i} goes on.") for i in range(100)]
    paragraphs = [p for p in speech_pieces(speeches) if p.level == 0]
    assert len(paragraphs) > 3
    assert all(len(p.lines[0]) < 700 for p in paragraphs)
    assert " ".join(p.lines[0] for p in paragraphs) == " ".join(s.text for s in speeches)
