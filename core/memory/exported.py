"""A memory as JSON values, to be taken along."""

from core.domain.memory import Memory


def exported(memory: Memory) -> dict[str, object]:
    """Return everything of a memory; times are ISO 8601."""
    times = {"used_at": memory.used_at, "seen_at": memory.seen_at}
    return {
        "id": memory.id,
        "kind": memory.kind.value,
        "event": memory.event,
        "content": memory.content,
        "importance": memory.importance,
        "created_at": memory.created_at.isoformat(),
        "session_id": memory.session_id,
        "state": memory.state.value,
        "replaced_by": memory.replaced_by,
        "pinned": memory.pinned,
        "uses": memory.uses,
        "sightings": memory.sightings,
        "metadata": dict(memory.metadata),
        **{name: None if at is None else at.isoformat() for name, at in times.items()},
    }
