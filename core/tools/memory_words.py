"""Memories as the memory tool tells them, and what it adds to what it is told."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from core.domain.formats import FORMATS, FormatKind, format_named
from core.domain.memory import MemoryKind
from core.domain.memory_item import MemoryItem
from core.domain.perception import Modality
from core.domain.upkeep import ForgetItem
from core.errors import DocumentError, InvalidInputError
from core.memory.query import NOTE
from core.tools.paths import existing_file
from core.tools.texts import shortened, wrong
from core.tools.texts_memory import say

PREVIEW = 80
"""Characters of a memory that a list shows."""
SHOWN_ID = 8
_VIDEOS = frozenset({"mp4", "m4v", "mov", "webm", "mkv", "avi"})
_SOUNDS = frozenset({"m4a", "aac", "wma"})
"""Besides the formats that are read."""


def line(
    number: int, *, kind: str, content: str, importance: object, memory_id: str, language: str
) -> str:
    """Return one line of a list: type, beginning, importance and the id to name it by."""
    return say(
        "line",
        language,
        n=number,
        kind=say(f"kind.{kind}", language),
        preview=shortened(content, PREVIEW),
        importance=importance,
        id=memory_id[:SHOWN_ID],
    )


def listed(items: Iterable[MemoryItem], language: str) -> list[str]:
    """Return memories as the lines of a list, in the order given."""
    return [
        line(
            number,
            kind=item.memory_type,
            content=item.content,
            importance=item.importance,
            memory_id=item.id,
            language=language,
        )
        for number, item in enumerate(items, start=1)
    ]


def summary_told(summary: Mapping[str, object], session: str, language: str) -> str:
    """Return a summary (see `MemoryManager.get_summary`) in words."""
    lines = [say("summary", language, total=summary["total"], session=session)]
    kinds, important = summary["kinds"], summary["important"]
    if isinstance(kinds, Mapping) and kinds:
        lines += ["", say("by_kind", language)]
        for name, counted in kinds.items():
            lines.append(
                say(
                    "of_kind",
                    language,
                    kind=say(f"kind.{name}", language),
                    n=counted["count"],
                    importance=counted["mean_importance"],
                )
            )
    if isinstance(important, Sequence) and important:
        lines += ["", say("important", language)]
        for number, row in enumerate(important, start=1):
            told = line(
                number,
                kind=str(row["kind"]),
                content=str(row["content"]),
                importance=row["importance"],
                memory_id=str(row["id"]),
                language=language,
            )
            lines.append(f"  {told}")
    return "\n".join(lines)


def would_forget(items: Sequence[ForgetItem], strategy: str, language: str) -> str:
    """Return what would be forgotten, and the numbers that led to it."""
    if not items:
        return say("would_forget_none", language, strategy=strategy)
    lines = [say("would_forget", language, n=len(items), strategy=strategy)]
    for number, item in enumerate(items, start=1):
        memory = item.memory
        lines.append(
            line(
                number,
                kind=memory.kind.value,
                content=memory.content,
                importance=memory.importance,
                memory_id=memory.id,
                language=language,
            )
        )
        numbers = {"score": item.score, **item.reasons}
        reasons = ", ".join(f"{name}={round(value, 3):g}" for name, value in numbers.items())
        lines.append(f"   {reasons}")
    return "\n".join(lines)


def file_facts(
    path: str, modality: str | None, kind: str, language: str, *, private: Path
) -> dict[str, object]:
    """Return what is kept of a file: where it is and of what kind.

    Raises `InvalidInputError` for a memory that is not perceptual, `DocumentError` without a file
    or for one in the folder `private`.
    """
    if kind != MemoryKind.PERCEPTUAL:
        named = say(f"kind.{kind}", language)
        raise wrong(InvalidInputError, say, "file_elsewhere", language, kind=named)
    found = existing_file(path, private=private, language=language)
    if found is None:
        raise wrong(DocumentError, say, "no_file", language, path=path)
    return {"modality": modality or modality_of(path).value, "raw_data": str(found)}


def modality_of(name: str) -> Modality:
    """Return the modality that the ending of a file's name stands for; text for unknown ones."""
    suffix = name.rpartition(".")[2].lower()
    format = format_named(name)
    kind = None if format is None else FORMATS[format]
    if kind is FormatKind.IMAGE:
        return Modality.IMAGE
    if kind is FormatKind.AUDIO or suffix in _SOUNDS:
        return Modality.AUDIO
    return Modality.VIDEO if suffix in _VIDEOS else Modality.TEXT


def with_event(metadata: Mapping[str, object], kind: str) -> dict[str, object]:
    """Return metadata with the event that recall knows it by.

    That is `event_type` (*Hello-Agents* 8.4: `document_loaded`, `qa_interaction`); what has a
    concept and no event is a note.
    """
    event = metadata.get("event_type")
    if event is None and kind == MemoryKind.SEMANTIC and "concept" in metadata:
        event = NOTE
    return dict(metadata) if event is None else {"event": event, **metadata}
