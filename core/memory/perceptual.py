"""Perceptual memory: what was seen and heard, found by what it says."""

from core.domain.memory import Memory, MemoryKind
from core.domain.perception import Modality
from core.memory.durable import DurableMemory
from core.memory.query import FIGURE


class PerceptualMemory(DurableMemory):
    """What was seen: figures and pictures of pages, found by their captions."""

    kind = MemoryKind.PERCEPTUAL

    def _payload(self, memory: Memory) -> dict[str, str | int]:
        return {**super()._payload(memory), "modality": modality_of(memory).value}


def modality_of(memory: Memory) -> Modality:
    """Return what a memory says it is of: figures are images, what says nothing is text."""
    told = str(memory.metadata.get("modality", ""))
    if told in {modality.value for modality in Modality}:
        return Modality(told)
    return Modality.IMAGE if memory.event == FIGURE else Modality.TEXT
