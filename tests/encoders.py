"""Encoders with real geometry, without a model: colours of pictures, pitches of sounds."""

import hashlib
import io
import wave
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from core.domain.perception import Modality
from core.ports.embedder import Vectors
from core.ports.perceiver import Perceived

COLOURS = {
    "red": ((255, 0, 0), "红"),
    "green": ((0, 160, 0), "绿"),
    "blue": ((0, 0, 255), "蓝"),
    "yellow": ((255, 230, 0), "黄"),
    "black": ((0, 0, 0), "黑"),
    "white": ((255, 255, 255), "白"),
}
PITCHES = {
    "deep": (100, "低沉"),
    "middle": (800, "中音"),
    "shrill": (6000, "尖锐"),
}
_NOISE = 0.03
"""How much of a text says nothing that can be seen or heard."""


def _unit(rows: Sequence[Vectors], dimension: int) -> Vectors:
    vectors = np.asarray(rows, dtype=np.float32).reshape(len(rows), dimension)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _of_text(text: str, words: Sequence[tuple[str, str]]) -> Vectors:
    """Return what of `words` a text names, with a little noise and a part that all texts have."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).standard_normal(len(words) + 1) * _NOISE
    vector[-1] += 0.5
    for n, names in enumerate(words):
        vector[n] += any(name in text.lower() for name in names)
    return vector.astype(np.float32)


class ColourEncoder:
    """Pictures by the share of each colour; texts by the colours they name."""

    name = "colours-1"
    dimension = len(COLOURS) + 1
    modalities = frozenset({Modality.IMAGE})

    def encode_files(self, paths: Sequence[Path]) -> Vectors:
        return _unit([self._seen(path) for path in paths], self.dimension)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        words = [(name, zh) for name, (_, zh) in COLOURS.items()]
        return _unit([_of_text(text, words) for text in texts], self.dimension)

    def _seen(self, path: Path) -> Vectors:
        with Image.open(path, formats=["PNG"]) as image:
            pixels = np.asarray(image.convert("RGB").resize((32, 32)), dtype=float).reshape(-1, 3)
        palette = np.asarray([rgb for rgb, _ in COLOURS.values()], dtype=float)
        nearest = np.linalg.norm(pixels[:, None] - palette[None], axis=2).argmin(axis=1)
        shares = np.bincount(nearest, minlength=len(palette)) / len(nearest)
        return np.append(shares, 0.3).astype(np.float32)


class PitchEncoder:
    """Sounds by the energy in three bands; texts by the pitches they name."""

    name = "pitches-1"
    dimension = len(PITCHES) + 1
    modalities = frozenset({Modality.AUDIO})

    def encode_files(self, paths: Sequence[Path]) -> Vectors:
        return _unit([self._heard(path) for path in paths], self.dimension)

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        words = [(name, zh) for name, (_, zh) in PITCHES.items()]
        return _unit([_of_text(text, words) for text in texts], self.dimension)

    def _heard(self, path: Path) -> Vectors:
        with wave.open(str(path), "rb") as file:
            rate = file.getframerate()
            samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2")
        energy = np.abs(np.fft.rfft(samples.astype(float))) ** 2
        hertz = np.fft.rfftfreq(len(samples), 1 / rate)
        bands = [energy[(hertz >= a) & (hertz < b)].sum() for a, b in _BANDS]
        return np.append(np.asarray(bands) / max(sum(bands), 1.0), 0.3).astype(np.float32)


_BANDS = ((20, 300), (300, 2500), (2500, 20_000))


class OwnFiles:
    """A perceiver for the tests' own files, which nobody has to be protected from."""

    def modality(self, path: Path, *, name: str) -> Modality:
        return Modality.AUDIO if path.suffix == ".wav" else Modality.IMAGE

    def perceive(self, path: Path, *, name: str) -> Perceived:
        modality = self.modality(path, name=name)
        return Perceived(
            modality=modality, format=path.suffix[1:], text=path.stem, looked_into=True
        )

    def view(self, path: Path, modality: Modality) -> bytes:
        return path.read_bytes()

    def picture(self, path: Path, *, width: int) -> bytes:
        return path.read_bytes()


def picture(path: Path, *parts: str) -> Path:
    """Write a picture of stripes in these colours."""
    image = Image.new("RGB", (60, 60))
    for n, part in enumerate(parts):
        size = 60 // len(parts)
        image.paste(COLOURS[part][0], (0, n * size, 60, (n + 1) * size))
    image.save(path)
    return path


def tone(path: Path, pitch: str, *, seconds: float = 0.5, rate: int = 48_000) -> Path:
    """Write a recording of one pitch."""
    times = np.arange(int(rate * seconds)) / rate
    samples = (np.sin(2 * np.pi * PITCHES[pitch][0] * times) * 12_000).astype("<i2")
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    path.write_bytes(out.getvalue())
    return path
