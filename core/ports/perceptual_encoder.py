"""Port: pictures or sounds, and texts, to vectors of one space (as CLIP and CLAP do)."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from core.domain.perception import Modality
from core.ports.embedder import Vectors


class PerceptualEncoder(Protocol):
    """Maps files and texts to L2-normalised vectors of one space. Safe in several threads.

    What a text tells and what a file shows are near each other: a text finds pictures.
    """

    @property
    def name(self) -> str:
        """Model and version, as recorded with an index. Raises `ConfigurationError`."""

    @property
    def dimension(self) -> int:
        """Length of a vector. Raises `ConfigurationError`."""

    @property
    def modalities(self) -> frozenset[Modality]:
        """What it encodes besides texts."""

    def encode_files(self, paths: Sequence[Path]) -> Vectors:
        """Return shape (len(paths), dimension), rows as `paths`.

        The files are views that `core.ports.perceiver` made, never those of a user: PNG for an
        image, WAV for a sound. Raises `ModelError` and `ConfigurationError`.
        """

    def encode_texts(self, texts: Sequence[str]) -> Vectors:
        """Return shape (len(texts), dimension), rows as `texts`.

        Of a text that is longer than the model reads, the beginning counts. Raises `ModelError` and
        `ConfigurationError`.
        """
