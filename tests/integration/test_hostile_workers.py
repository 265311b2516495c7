"""Worker processes under attack: their limits, their end, and what is left of them."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from core.domain.document import Page
from core.errors import (
    DocumentError,
    DocumentTooComplexError,
    DocumentTooLargeError,
)
from core.readers import frames
from core.readers.failure import Failure
from core.readers.host import Worker, WorkerDied
from core.readers.inspector import LimitedInspector
from core.readers.limited import LimitedReader
from core.readers.limits import MAX_CHARACTERS, Limits
from core.readers.recogniser import LimitedRecogniser
from tests.data import hostile, hostile_formats

pytestmark = pytest.mark.alone

DATA = Path(__file__).parents[1] / "data"
ROOT = Path(__file__).parents[2]
GOOD = DATA / "two_columns_en.pdf"
LIMITS = Limits(memory_mb=768, cpu_seconds=5, wall_seconds=30, max_pages=500, max_file_mb=50)
SECONDS = 15


def read(path, limits=LIMITS, format="pdf"):
    pages = []
    LimitedReader(limits).read(path, lambda new, total: pages.extend(new), format=format)
    return pages


def gone_within(pids, seconds=SECONDS):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not any(psutil.pid_exists(pid) for pid in pids):
            return True
        time.sleep(0.05)
    return False


APPLICATION = """
import sys, threading
from pathlib import Path
from core.readers.host import Worker
from core.readers.limits import Limits

idle, busy = (Worker(Limits(1536, 600, 600, 100, 100)) for _ in range(2))
idle.start()
busy.start()
request = {"path": sys.argv[1], "max_pages": 100}
threading.Thread(target=lambda: list(busy.request("read_pdfium", **request))).start()
print("ready", flush=True)
threading.Event().wait()
"""


def test_workers_end_when_the_application_is_killed(tmp_path):
    slow = hostile.crossing_lines(tmp_path / "slow.pdf")
    application = subprocess.Popen(
        [sys.executable, "-c", APPLICATION, str(slow)], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert application.stdout.readline() == b"ready\n"
    workers = [child.pid for child in psutil.Process(application.pid).children()]
    assert len(workers) == 2
    time.sleep(1)  # let one of them be deep in the file
    application.kill()
    application.wait()
    application.stdout.close()
    assert gone_within(workers)


def test_a_worker_stays_when_the_thread_that_asked_for_it_ends():
    worker = Worker(LIMITS)
    thread = threading.Thread(target=worker.start)
    thread.start()
    thread.join()
    time.sleep(0.5)
    assert worker.alive
    ((kind, body),) = worker.request("count_pages", path=str(GOOD))
    assert (kind, body) == (frames.DONE, b"3")
    worker.kill()


@pytest.mark.parametrize(
    ("make", "bounds"),
    [
        (hostile.flate_bomb, LIMITS),
        (hostile.object_stream_bomb, LIMITS),
        (hostile.crossing_lines, Limits(1536, 2, 30, 500, 50)),
        (hostile.crossing_lines, Limits(1536, 30, 3, 500, 50)),
    ],
    ids=["memory", "memory_of_structure", "cpu", "clock"],
)
def test_what_passes_a_limit_is_too_complex(tmp_path, make, bounds):
    path = make(tmp_path / "a.pdf")
    worker = Worker(bounds)
    worker.start()
    with pytest.raises(WorkerDied) as died:
        list(worker.request("read_pdfium", path=str(path), max_pages=500))
    assert died.value.by_limit
    assert not worker.alive


def test_both_readers_of_a_file_share_its_time(tmp_path):
    words = hostile.scattered_words(tmp_path / "a.pdf")
    bounds = Limits(memory_mb=1536, cpu_seconds=60, wall_seconds=8, max_pages=9, max_file_mb=50)
    began = time.monotonic()
    with pytest.raises(DocumentTooComplexError):
        read(words, bounds)
    assert time.monotonic() - began < bounds.wall_seconds + 5


@pytest.mark.parametrize("bad", [(40,), (20, 21, 50)])
def test_a_page_that_kills_the_reader_is_left_out(tmp_path, bad):
    pages = read(hostile.bad_pages_within(tmp_path / "a.pdf", bad=bad))
    assert [page.number for page in pages] == list(range(1, 61))
    for page in pages:
        assert (f"Page {page.number} tells of station" in page.text) == (page.number not in bad)


def test_many_such_pages_are_too_complex(tmp_path):
    bad = tuple(range(10, 60, 3))  # each one costs a process
    with pytest.raises(DocumentTooComplexError):
        read(hostile.bad_pages_within(tmp_path / "a.pdf", bad=bad))


def test_a_document_has_a_largest_number_of_characters(tmp_path):
    letters = MAX_CHARACTERS + 1
    text = tmp_path / "a.txt"
    text.write_bytes(b"a" * letters)
    with pytest.raises(DocumentTooLargeError):
        read(text, format="txt")


NOISE = """
import os, sys

def shout(event, arguments):
    if event == "open" and str(arguments[0]).endswith(".pdf"):
        os.write(1, b"D\\0\\0\\0\\2{}")
        print("noise", flush=True)
        os.close(os.open({marker!r}, os.O_CREAT))

sys.addaudithook(shout)
"""


def test_noise_of_libraries_does_not_break_the_frames(tmp_path, monkeypatch):
    marker = tmp_path / "made"
    startup = NOISE.replace("{marker!r}", repr(str(marker)))
    (tmp_path / "sitecustomize.py").write_text(startup, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    pages = []
    LimitedReader(LIMITS, pdf_reader="pypdf").read(GOOD, lambda new, _: pages.extend(new))
    assert marker.exists()
    assert len(pages) == 3


def test_frames_over_the_limit_are_neither_sent_nor_taken():
    out = io.BytesIO()
    with pytest.raises(Failure):
        frames.write_frame(out, frames.PAGES, b"x" * (frames.MAX_JSON + 1))
    with pytest.raises(Failure):
        frames.write_frame(out, frames.IMAGE, b"x" * (frames.MAX_FRAME + 1))
    assert out.getvalue() == b""
    head = frames.PAGES + (frames.MAX_JSON + 1).to_bytes(4, "big")
    assert frames.read_frame(io.BytesIO(head + b"x" * (frames.MAX_JSON + 1))) is None
    frames.write_frame(out, frames.PAGES, b"x")
    assert frames.read_frame(io.BytesIO(out.getvalue())) == (frames.PAGES, b"x")


def test_halves_of_characters_do_not_leave_the_worker():
    page = Page(number=1, label=None, text="a \ud835 b", width=1.0, height=1.0)
    taken = frames.page_from_json(frames.page_to_json(page))
    assert taken.text == "a \ufffd b"


def test_recognition_leaves_no_files_and_reports_to_nobody(tmp_path, monkeypatch):
    for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    recogniser = LimitedRecogniser(Limits(2048, 60, 60, 100, 50))
    try:
        page = recogniser.recognise(DATA / "scanned.pdf", 1)
    finally:
        recogniser.close()
    assert page.text
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("name", ["bomb.docx", "quotes.md", "deep.html", "line.csv", "letter.txt"])
def test_conversions_leave_no_files(tmp_path, monkeypatch, name):
    makes = {
        "bomb.docx": hostile_formats.docx_bomb,
        "quotes.md": lambda path: hostile_formats.markdown(path, ">", tail="quoted"),
        "deep.html": hostile_formats.deep_html,
        "line.csv": lambda path: hostile_formats.long_line(path, mib=5),
        "letter.txt": lambda path: hostile_formats.one_letter(path, mib=5),
    }
    path = makes[name](tmp_path / name)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    with contextlib.suppress(DocumentError):
        read(path, format=name.rpartition(".")[2])
    assert list(temporary.iterdir()) == []


def test_a_hostile_page_does_not_spoil_the_next_file(tmp_path):
    inspector = LimitedInspector(LIMITS, workers=1)
    bomb = hostile.flate_bomb(tmp_path / "a.pdf")
    try:
        inspector.image(GOOD, 1, width=400)
        with pytest.raises(DocumentError):
            inspector.image(bomb, 1, width=400)
        assert inspector.image(GOOD, 1, width=400).startswith(b"\x89PNG")
    finally:
        inspector.close()


def test_nothing_runs_after_a_worker_was_killed_in_a_request(tmp_path):
    worker = Worker(LIMITS)
    worker.start()
    pid = max(child.pid for child in psutil.Process().children())
    slow = hostile.crossing_lines(tmp_path / "slow.pdf")
    timer = threading.Timer(1, os.kill, args=(pid, signal.SIGKILL))
    timer.start()
    with pytest.raises(WorkerDied):
        list(worker.request("read_pdfium", path=str(slow), max_pages=9))
    assert gone_within([pid])
    assert not worker.alive
