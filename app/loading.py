"""Documents on their way in: a background load and one row for each file.

A load belongs to the learner, not to the page that began it: it goes on over a reload, and a
refused file keeps its row until it is dismissed.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from threading import BoundedSemaphore, Lock, Thread

from app.errors import Failure, attempt
from core.assistant import PDFLearningAssistant
from core.domain.study import LoadProgress, LoadResult
from core.errors import AssistantError, DocumentError


class LoadStoppedError(AssistantError):
    """The learner stopped the load; nothing of the file was kept."""

    code = "load_stopped"
    default_message = "Loading was stopped."
    default_remedy = "Choose the file again to load it."


LOADS_AT_ONCE = 2  # in the whole application; a load keeps about one core busy
ROWS_KEPT = 50  # of one learner: the oldest finished rows go first


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadRow:
    """One file on its way in. `done` and `pages` count pages; `failure` is why it was refused.

    `stopped` says that the load shall end at its next step.
    """

    id: str
    name: str
    stage: str = "waiting"
    done: int = 0
    pages: int = 0
    duplicate: bool = False
    stopped: bool = False
    failure: Failure | None = None

    @property
    def running(self) -> bool:
        """Whether the file is still being waited for."""
        return self.stage in ("waiting", "reading", "indexing")


class LoadTray:
    """The rows of one learner, oldest first. Safe to use from several threads."""

    def __init__(self) -> None:
        self._rows: dict[str, LoadRow] = {}
        self._finished = 0
        self._lock = Lock()

    def rows(self) -> list[LoadRow]:
        """Return the rows as they are now."""
        with self._lock:
            return list(self._rows.values())

    @property
    def running(self) -> bool:
        """Whether a load is under way."""
        return any(row.running for row in self.rows())

    @property
    def finished(self) -> int:
        """How many loads have ended so far: a change means that the documents may have changed."""
        return self._finished

    def add(self, name: str) -> str:
        """Add a waiting row and return its id."""
        row = LoadRow(id=secrets.token_hex(8), name=name)
        with self._lock:
            finished = [r.id for r in self._rows.values() if not r.running]
            for old in finished[: max(0, len(self._rows) + 1 - ROWS_KEPT)]:
                del self._rows[old]
            self._rows[row.id] = row
        return row.id

    def progress(self, row_id: str, step: LoadProgress) -> None:
        """Note how far a load is. Raises `LoadStoppedError` if it was stopped meanwhile."""
        self.check(row_id)
        self._change(row_id, stage=step.stage, done=step.done, pages=step.pages)

    def check(self, row_id: str) -> None:
        """Raise `LoadStoppedError` if the load was stopped."""
        with self._lock:
            if row_id not in self._rows or self._rows[row_id].stopped:
                raise LoadStoppedError()

    def stop(self, row_id: str) -> None:
        """Ask a load to end at its next step; one that has ended already is no error."""
        self._change(row_id, stopped=True)

    def finish(self, row_id: str, outcome: LoadResult | Failure) -> None:
        """Note the end of a load: a loaded file's row goes, all others stay to be read."""
        with self._lock:
            self._finished += 1
        if isinstance(outcome, Failure) and outcome.code == LoadStoppedError.code:
            self.dismiss(row_id)
        elif isinstance(outcome, Failure):
            self._change(row_id, stage="refused", failure=outcome)
        elif outcome.duplicate:
            self._change(row_id, stage="known", duplicate=True)
        else:
            self.dismiss(row_id)

    def dismiss(self, row_id: str) -> None:
        """Remove a row; one that is gone already is no error."""
        with self._lock:
            self._rows.pop(row_id, None)

    def _change(self, row_id: str, **changes: object) -> None:
        with self._lock:
            if row_id in self._rows:
                self._rows[row_id] = replace(self._rows[row_id], **changes)  # type: ignore[arg-type]


class Loader:
    """Loads files in the background, `LOADS_AT_ONCE` at a time, over all learners.

    The threads do not keep the application from ending: a load that is cut off leaves nothing.
    """

    def __init__(self) -> None:
        self._turns = BoundedSemaphore(LOADS_AT_ONCE)

    def start(
        self,
        assistant: PDFLearningAssistant,
        tray: LoadTray,
        path: Path,
        *,
        name: str,
        discard: Callable[[Path], None] | None = None,
    ) -> None:
        """Load `path` for a learner; `discard` gets the path afterwards, whatever happened."""
        row_id = tray.add(name)

        def load() -> LoadResult:
            tray.check(row_id)
            result = assistant.load_document(
                str(path), name=name, on_progress=lambda step: tray.progress(row_id, step)
            )
            if result.success:
                return result
            error: AssistantError = result.error or DocumentError(result.message)
            raise error

        def run() -> None:
            try:
                with self._turns:
                    tray.finish(row_id, attempt(load))
            finally:
                if discard is not None:
                    discard(path)

        Thread(target=run, name=f"load-{row_id}", daemon=True).start()
