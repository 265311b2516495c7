"""The tabs. Adding one is one file with a `build` function and one line here."""

from collections.abc import Callable

from app.desk import Desk, View
from app.tabs import ask, documents, memory, notes, progress, recall

TABS: dict[str, Callable[[Desk], View]] = {
    "documents": documents.build,
    "ask": ask.build,
    "notes": notes.build,
    "recall": recall.build,
    "progress": progress.build,
    "memory": memory.build,
}
