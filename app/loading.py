"""Files that were not taken in: refused, or there already.

What is being read is a job of the assistant and outlives a restart; these are only messages, kept
with the learner until they are dismissed.
"""

import secrets
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from app.errors import Failure, attempt
from core.assistant import PDFLearningAssistant

ROWS_KEPT = 50  # of one learner: the oldest go first


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayRow:
    """One file. `failure` is why it was refused.

    Without one its content is there, or on its way, already: as document `document_id`.
    """

    id: str
    name: str
    failure: Failure | None = None
    document_id: str = ""


class LoadTray:
    """The rows of one learner, oldest first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._rows: dict[str, TrayRow] = {}
        self._lock = Lock()

    def rows(self) -> list[TrayRow]:
        """Return the rows as they are now."""
        with self._lock:
            return list(self._rows.values())

    def refuse(self, name: str, failure: Failure) -> None:
        """Add the row of a refused file."""
        self._add(TrayRow(id=secrets.token_hex(8), name=name, failure=failure))

    def known(self, name: str, document_id: str) -> None:
        """Add the row of a file whose content is there, or on its way, already."""
        self._add(TrayRow(id=secrets.token_hex(8), name=name, document_id=document_id))

    def dismiss(self, row_id: str) -> None:
        """Remove a row; one that is gone already is no error."""
        with self._lock:
            self._rows.pop(row_id, None)

    def _add(self, row: TrayRow) -> None:
        with self._lock:
            for old in list(self._rows)[: max(0, len(self._rows) + 1 - ROWS_KEPT)]:
                del self._rows[old]
            self._rows[row.id] = row


def take_in(assistant: PDFLearningAssistant, tray: LoadTray, path: Path, *, name: str) -> None:
    """Begin to load a file in the background; one that is not loaded gets a row in the tray."""
    result = attempt(lambda: assistant.submit_document(path, name=name))
    if isinstance(result, Failure):
        tray.refuse(name, result)
    elif not result.is_new:
        tray.known(name, result.document_id)
