"""Memories as JSON values, for the archive and the undo log."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from core.domain.memory import Memory, MemoryKind, MemoryState


def memory_json(memory: Memory) -> dict[str, Any]:
    """Return a memory as JSON values."""
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "content": memory.content,
        "importance": memory.importance,
        "created_at": _text(memory.created_at),
        "session_id": memory.session_id,
        "event": memory.event,
        "metadata": dict(memory.metadata),
        "state": memory.state.value,
        "pinned": memory.pinned,
        "uses": memory.uses,
        "used_at": _text(memory.used_at),
        "sightings": memory.sightings,
        "seen_at": _text(memory.seen_at),
        "replaced_by": memory.replaced_by,
    }


def memory_of(values: Mapping[str, Any]) -> Memory:
    """Return the memory that `memory_json` made the values of."""
    return Memory(
        **{
            **values,
            "kind": MemoryKind(values["kind"]),
            "state": MemoryState(values["state"]),
            "created_at": datetime.fromisoformat(values["created_at"]),
            "used_at": _time(values["used_at"]),
            "seen_at": _time(values["seen_at"]),
        }
    )


def columns_of(memories: Sequence[Memory]) -> dict[str, list[Any]]:
    """Return the fields of memories but their ids, each as a list: so they compress better."""
    rows = [memory_json(memory) for memory in memories]
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else {}) if name != "id"}


def memories_of(ids: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> list[Memory]:
    """Return the memories that `columns_of` made the lists of, in the same order."""
    return [
        memory_of({"id": memory_id, **dict(zip(columns, values, strict=True))})
        for memory_id, values in zip(ids, zip(*columns.values(), strict=True), strict=True)
    ]


def _text(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(UTC).isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
