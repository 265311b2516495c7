"""What reads files, as it is wired."""

from dataclasses import dataclass

from core import adapters
from core.ports.reader import DocumentReader, PageInspector
from core.ports.recogniser import PageRecogniser
from core.settings import Settings


@dataclass(frozen=True, slots=True)
class Readers:
    """What reads files, each in its own processes."""

    reader: DocumentReader
    inspector: PageInspector
    recogniser: PageRecogniser | None

    @classmethod
    def made(cls, settings: Settings) -> "Readers":
        """Return those that the settings name. Nothing is started."""
        return cls(
            adapters.make_reader(settings),
            adapters.make_inspector(settings),
            adapters.make_recogniser(settings),
        )

    def close(self) -> None:
        """End their processes. They start again at the next use."""
        self.reader.close()
        self.inspector.close()
        if self.recogniser is not None:
            self.recogniser.close()
