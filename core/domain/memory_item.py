"""What readers of the tutorial know a memory and its settings as (*Hello-Agents*, chapter 8)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from core.domain.memory import Memory, Scorer


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryItem:
    """One memory of one user. `importance` is in [0, 1]; `timestamp` is aware UTC.

    `metadata` has what was given with it, and `session_id` and `event`.
    """

    id: str
    content: str
    memory_type: str
    user_id: str
    timestamp: datetime
    importance: float = 0.5
    metadata: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryConfig:
    """Settings of one `MemoryManager`, by the names and defaults of the text.

    `max_capacity` is that of each long-lived type, `working_memory_capacity` and
    `working_memory_ttl` (minutes) those of working memory; what the process allows
    (`WORKING_MEMORY_CAPACITY`, `WORKING_MEMORY_TTL`, …) is not exceeded. `importance_threshold` is
    that of forgetting. `storage_path` and `decay_factor` are those of the process: another value
    than the default is refused, with the setting to use. `scorer` is how what is found is ranked
    (docs/memory-recall.md); `Scorer.TUTORIAL` takes the printed formulas.
    """

    storage_path: str = "./memory_data"
    max_capacity: int = 100_000
    importance_threshold: float = 0.1
    decay_factor: float = 0.95
    working_memory_capacity: int = 50
    working_memory_ttl: int = 60
    perceptual_memory_modalities: tuple[str, ...] = ("text", "image", "audio", "video")
    scorer: Scorer = Scorer.DEFAULT


def as_item(memory: Memory, user_id: str) -> MemoryItem:
    """Return a memory as the tutorial's readers know it."""
    return MemoryItem(
        id=memory.id,
        content=memory.content,
        memory_type=memory.kind.value,
        user_id=user_id,
        timestamp=memory.created_at,
        importance=memory.importance,
        metadata={**memory.metadata, "session_id": memory.session_id, "event": memory.event},
    )
