"""Files on their way in: rows, stopping, and what is left behind."""

import threading
from pathlib import Path

import pytest

from app.loading import ROWS_KEPT, Loader, LoadStoppedError, LoadTray
from core.domain.study import LoadProgress, LoadResult
from core.errors import EncryptedDocumentError, StoreError

LOADED = LoadResult(success=True, message="")
DEADLINE = 20  # seconds, for a test that would otherwise hang


class Gate:
    """An assistant whose load goes on step by step, as the test says.

    It stands for the slow part only: reading files is tested with the real assistant elsewhere.
    """

    def __init__(self, outcome: LoadResult | Exception = LOADED, *, wait: bool = False) -> None:
        self.outcome = outcome
        self.started, self.go_on, self.ended = (threading.Event() for _ in range(3))
        if not wait:
            self.go_on.set()

    def load_document(self, path, *, name=None, on_progress=None):  # type: ignore[no-untyped-def]
        try:
            on_progress(LoadProgress(stage="reading", done=1, pages=9))
            self.started.set()
            assert self.go_on.wait(DEADLINE)
            on_progress(LoadProgress(stage="indexing", done=9, pages=9))
            if isinstance(self.outcome, Exception):
                raise self.outcome
            return self.outcome
        finally:
            self.ended.set()


def run(tray: LoadTray, gate: Gate, loader: Loader | None = None) -> threading.Event:
    """Load `gate` and return the event of its file being discarded."""
    gone = threading.Event()
    (loader or Loader()).start(
        gate, tray, Path("x.pdf"), name="x.pdf", discard=lambda _: gone.set()
    )  # type: ignore[arg-type]
    return gone


def test_a_load_shows_its_pages_and_leaves_no_row() -> None:
    tray, gate = LoadTray(), Gate(wait=True)
    gone = run(tray, gate)
    assert gate.started.wait(DEADLINE)
    (row,) = tray.rows()
    assert (row.name, row.stage, row.done, row.pages) == ("x.pdf", "reading", 1, 9)
    assert tray.running
    assert not gone.is_set()
    gate.go_on.set()
    assert gone.wait(DEADLINE)
    assert tray.rows() == []
    assert tray.finished == 1


def test_a_refused_file_keeps_its_row_until_it_is_dismissed() -> None:
    tray = LoadTray()
    error = EncryptedDocumentError()
    refused = LoadResult(success=False, message=error.sentence, error=error)
    assert run(tray, Gate(refused)).wait(DEADLINE)
    (row,) = tray.rows()
    assert row.failure is not None
    assert row.failure.code == "encrypted"
    assert not tray.running
    tray.dismiss(row.id)
    tray.dismiss(row.id)
    assert tray.rows() == []


@pytest.mark.parametrize(("error", "code"), [(StoreError(), "store"), (KeyError(), "unexpected")])
def test_every_failure_becomes_a_row(error: Exception, code: str) -> None:
    tray = LoadTray()
    assert run(tray, Gate(error)).wait(DEADLINE)
    (row,) = tray.rows()
    assert row.failure is not None
    assert row.failure.code == code


def test_a_known_file_says_so() -> None:
    tray = LoadTray()
    known = LoadResult(success=True, message="", duplicate=True)
    assert run(tray, Gate(known)).wait(DEADLINE)
    assert tray.rows()[0].stage == "known"


def test_a_running_load_can_be_stopped() -> None:
    tray, gate = LoadTray(), Gate(wait=True)
    gone = run(tray, gate)
    assert gate.started.wait(DEADLINE)
    tray.stop(tray.rows()[0].id)
    assert tray.rows()[0].stopped
    gate.go_on.set()
    assert gone.wait(DEADLINE)
    assert tray.rows() == []


def test_a_waiting_load_can_be_stopped_before_it_begins() -> None:
    tray, loader = LoadTray(), Loader()
    first, second, third = Gate(wait=True), Gate(wait=True), Gate()
    ends = [run(tray, gate, loader) for gate in (first, second)]
    assert first.started.wait(DEADLINE)
    assert second.started.wait(DEADLINE)
    ends.append(run(tray, third, loader))
    assert [row.stage for row in tray.rows()] == ["reading", "reading", "waiting"]
    tray.stop(tray.rows()[2].id)
    first.go_on.set()
    second.go_on.set()
    assert all(end.wait(DEADLINE) for end in ends)
    assert not third.started.is_set()
    assert tray.rows() == []


def test_progress_of_a_stopped_or_forgotten_load_raises() -> None:
    tray = LoadTray()
    row = tray.add("a.pdf")
    tray.progress(row, LoadProgress(stage="reading", done=1, pages=2))
    tray.stop(row)
    with pytest.raises(LoadStoppedError):
        tray.progress(row, LoadProgress(stage="reading", done=2, pages=2))
    with pytest.raises(LoadStoppedError):
        tray.progress("gone", LoadProgress(stage="reading", done=2, pages=2))


def test_old_finished_rows_make_room_but_running_ones_stay() -> None:
    tray = LoadTray()
    running = tray.add("running.pdf")
    for number in range(ROWS_KEPT + 5):
        tray.finish(tray.add(f"{number}.pdf"), LoadResult(success=True, message="", duplicate=True))
    names = [row.name for row in tray.rows()]
    assert len(names) == ROWS_KEPT
    assert tray.rows()[0].id == running
    assert names[-1] == f"{ROWS_KEPT + 4}.pdf"
