"""Port: the finer, slower embedder that fills in behind the instant one."""

from typing import Protocol

from core.ports.embedder import Embedder


class Refiner(Embedder, Protocol):
    """An embedder that may not exist on this machine; questions never wait for documents."""

    def missing(self) -> str | None:
        """Return why it cannot be used here, as a code, None when it can.

        The first call tries it, which takes a second.
        """

    @property
    def trouble(self) -> str | None:
        """What `missing` returned, None before its first call."""

    def warm_up(self) -> None:
        """Make it ready for the first question, where it can be used."""

    def close(self) -> None:
        """Release what it holds; who waits for it gets a `ModelError`.

        The next use opens it again.
        """
