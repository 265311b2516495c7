"""The composition root of perceptual memory: settings and readers to its senses."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core import adapters
from core.domain.memory import Memory
from core.files import LearnerFiles
from core.memory.encoded import EncodedSpace
from core.memory.engine import MemoryEngine
from core.memory.perceptual import Senses
from core.perceiving import FilePerceiver, Perceiving
from core.ports.reader import DocumentReader, PageInspector
from core.ports.recogniser import PageRecogniser
from core.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class PerceptualParts:
    """What perceptual memory has besides the memory engine. Making it opens nothing."""

    senses: Senses

    def perceiving(self, engine: MemoryEngine) -> Perceiving:
        """Return what remembers files with an engine that was made with these senses."""
        return Perceiving(
            memory=engine,
            perceptual=engine.perceptual,
            perceiver=self.senses.perceiver,
            files=self.senses.files,
            encoded=[space.modality for space in self.senses.spaces],
        )

    def ensure_ready(self) -> None:
        """Open the collections of the encoders. Raises `StoreError`."""
        for space in self.senses.spaces:
            space.vectors.ensure_ready()

    def close(self) -> None:
        """Release them. They open again at the next use."""
        for space in self.senses.spaces:
            space.vectors.close()


def perceptual_parts(
    settings: Settings,
    *,
    files: LearnerFiles,
    reader: DocumentReader,
    inspector: PageInspector,
    recogniser: PageRecogniser | None,
    elsewhere: Callable[[str], Iterable[Memory]],
) -> PerceptualParts:
    """Wire perceptual memory. Raises `ConfigurationError`.

    `elsewhere` is that of `Senses`: memories in the archive and in the undo log.
    """
    encoders = adapters.make_perceptual_encoders(settings)
    spaces = tuple(
        EncodedSpace(
            modality,
            encoder,
            adapters.make_vector_store(settings, encoder, f"perceptual_{modality.value}"),
        )
        for modality, encoder in encoders.items()
    )
    perceiver = FilePerceiver(
        reader=reader,
        inspector=inspector,
        recogniser=recogniser,
        sounds=adapters.make_listener(settings),
    )
    senses = Senses(files=files, perceiver=perceiver, spaces=spaces, elsewhere=elsewhere)
    return PerceptualParts(senses=senses)
