"""What is in memory, in numbers and a few examples."""

from collections.abc import Sequence

from core.domain.memory import Memory, MemoryKind, MemoryState
from core.text.letters import letters

IMPORTANT = 0.7


def summarise(memories: Sequence[Memory], *, limit: int) -> dict[str, object]:
    """Return JSON values: `total`, `kinds` (count and mean importance of each) and `important`.

    `important` has at most `limit` memories that count (none replaced or marked as wrong) with an
    importance of 0.7 or more, the most important first, then in the order given; no text twice.
    """
    kinds: dict[str, object] = {}
    for kind in MemoryKind:
        of_kind = [m.importance for m in memories if m.kind is kind]
        if of_kind:
            average = round(sum(of_kind) / len(of_kind), 4)
            kinds[kind.value] = {"count": len(of_kind), "mean_importance": average}
    important: dict[str, Memory] = {}
    for memory in sorted(memories, key=lambda m: m.importance, reverse=True):
        if memory.importance >= IMPORTANT and memory.state is MemoryState.CURRENT:
            important.setdefault(letters(memory.content) or memory.content, memory)
    return {
        "total": len(memories),
        "kinds": kinds,
        "important": [_row(memory) for memory in list(important.values())[:limit]],
    }


def _row(memory: Memory) -> dict[str, object]:
    return {
        "id": memory.id,
        "content": memory.content,
        "kind": memory.kind.value,
        "event": memory.event,
        "importance": memory.importance,
        "created_at": memory.created_at.isoformat(),
    }
