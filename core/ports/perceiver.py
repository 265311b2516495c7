"""Port: looking at pictures, listening to sounds. What opens a file runs outside this process."""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.domain.perception import Modality


@dataclass(frozen=True, slots=True, kw_only=True)
class Perceived:
    """What a file was found to be.

    `format` is the suffix under which it is kept, "" for a file that is not opened and so not kept
    (a video). `text` is what was read: the recognised text of a picture, the transcript of a sound,
    the text of a text; "" where there is none. `looked_into` says whether it was looked for at all:
    not without text recognition, a model for transcription or a reader of videos.
    """

    modality: Modality
    format: str
    text: str
    looked_into: bool


class Perceiver(Protocol):
    """Reads files that may be hostile, in limited child processes."""

    def modality(self, path: Path, *, name: str) -> Modality:
        """Return of which kind a file called `name` is, quickly. Raises as `perceive`."""

    def perceive(self, path: Path, *, name: str) -> Perceived:
        """Return what a file called `name` is and says. The content decides, not the name.

        Takes seconds for a picture, and up to the length of a recording. Raises a `DocumentError`
        for what cannot be read or is to be loaded as a document, and `MissingDependencyError`.
        """

    def view(self, path: Path, modality: Modality) -> bytes:
        """Return a file as it is shown to an encoder, made anew: whatever it hides is left behind.

        A picture as PNG of at most `VIEW_SIDE` pixels a side, the beginning of a recording as WAV
        (`SoundReader.beginning`). Raises as `perceive`.
        """

    def picture(self, path: Path, *, width: int) -> bytes:
        """Return a picture as PNG, `width` pixels wide. Raises as `perceive`."""


class SoundReader(Protocol):
    """Decodes recordings in a limited child process."""

    def beginning(self, path: Path) -> bytes:
        """Return the first half minute as WAV: one channel, 16 bits, 48,000 samples a second.

        Raises a `DocumentError`.
        """


VIEW_SIDE = 448
"""Pixels. Encoders take 224 to 448."""
