"""The queue of background jobs, with the real job store."""

import threading
import time
from dataclasses import replace

import pytest

from core.domain.job import Job, JobKind, JobState
from core.errors import DamagedDocumentError, JobStoppedError, NotFoundError
from core.jobs.queue import MOST_ATTEMPTS, BackgroundJobs
from core.stores.database import open_database
from core.stores.jobs import SqlJobStore
from tests.contracts.samples import OTHER, OWNER, job

SECONDS = 20


class Work:
    """A runner whose jobs go step by step, when a test lets them."""

    def __init__(self):
        self.begun = []
        self.abandoned = []
        self.errors = {}
        self._may = {}
        self._done = {}
        self._changed = threading.Condition()

    def run(self, job, control, *, namespace):
        with self._changed:
            self.begun.append((namespace, job.id))
            self._changed.notify_all()
        for step in range(self._done.get(job.id, 0), 3):
            with self._changed:
                assert self._changed.wait_for(lambda: self._may.get(job.id, 0) > step, SECONDS)  # noqa: B023
            if job.id in self.errors:
                raise self.errors.pop(job.id)
            if job.kind in (JobKind.OCR, JobKind.REFINE):
                self._done[job.id] = step + 1
            control.progress(stage="reading", done=step + 1, total=3)

    def abandon(self, job, *, namespace):
        self.abandoned.append((namespace, job.id))

    def let(self, *ids, steps=3):
        with self._changed:
            for job_id in ids:
                self._may[job_id] = steps
            self._changed.notify_all()

    def until_begun(self, count):
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.begun) >= count, SECONDS)


@pytest.fixture
def store(tmp_path):
    database = open_database(None, tmp_path)
    yield SqlJobStore(database)
    database.close()


@pytest.fixture
def work():
    return Work()


def opened(store, work, **options):
    queue = BackgroundJobs(store, **options)
    for kind in JobKind:
        queue.register(kind, work)
    queue.resume()
    return queue


@pytest.fixture
def queue(store, work):
    queue = opened(store, work)
    yield queue
    work.let(*(j.id for _, j in store.everything()))
    queue.close()


def nothing(_):
    return None


def test_a_job_that_ends_well_is_gone(queue, store, work):
    queue.submit(job("1"), namespace=OWNER)
    work.let("1")
    seen: list[Job] = []
    assert queue.wait("a", on_change=seen.append, namespace=OWNER) is None
    assert queue.list(namespace=OWNER) == store.list(namespace=OWNER) == []
    assert {j.total for j in seen if j.stage == "reading"} <= {3}
    assert work.abandoned == []


def test_a_failed_job_stays_and_can_run_again(queue, store, work):
    work.errors["1"] = DamagedDocumentError()
    queue.submit(job("1"), namespace=OWNER)
    work.let("1")
    failed = queue.wait("a", on_change=nothing, namespace=OWNER)
    assert failed.error.code == "damaged"
    assert store.list(namespace=OWNER) == [failed]
    queue.retry("1", namespace=OWNER)
    assert queue.wait("a", on_change=nothing, namespace=OWNER) is None
    with pytest.raises(NotFoundError):
        queue.retry("1", namespace=OWNER)


def test_a_dismissed_job_leaves_nothing(queue, store, work):
    work.errors["1"] = DamagedDocumentError()
    queue.submit(job("1"), namespace=OWNER)
    work.let("1")
    queue.wait("a", on_change=nothing, namespace=OWNER)
    queue.dismiss("1", namespace=OTHER)
    assert len(queue.list(namespace=OWNER)) == 1
    queue.dismiss("1", namespace=OWNER)
    assert queue.list(namespace=OWNER) == store.list(namespace=OWNER) == []
    assert work.abandoned == [(OWNER, "1")]


def test_a_running_job_stops_at_its_next_step(queue, store, work):
    queue.submit(job("1"), namespace=OWNER)
    work.let("1", steps=1)
    work.until_begun(1)
    queue.stop("1", namespace=OTHER)
    queue.stop("1", namespace=OWNER)
    assert queue.list(namespace=OWNER)[0].stopping
    work.let("1")
    assert queue.wait("a", on_change=nothing, namespace=OWNER) is None
    assert store.list(namespace=OWNER) == []
    assert work.abandoned == [(OWNER, "1")]


def test_what_goes_wrong_after_a_stop_is_no_failure(queue, work):
    work.errors["1"] = JobStoppedError()
    queue.submit(job("1"), namespace=OWNER)
    queue.stop_document("nothing of it", namespace=OWNER)
    work.let("1")
    queue.stop_document("a", namespace=OWNER)
    assert queue.list(namespace=OWNER) == []
    assert work.abandoned == [(OWNER, "1")]


def test_a_waiting_job_can_be_stopped(store, work):
    queue = opened(store, work, slots={JobKind.LOAD: 1})
    for name in ("1", "2"):
        queue.submit(job(name, document_id=name), namespace=OWNER)
    queue.stop("2", namespace=OWNER)
    assert [j.id for j in queue.list(namespace=OWNER)] == ["1"]
    work.let("1")
    queue.close()
    assert work.begun == [(OWNER, "1")]
    assert work.abandoned == [(OWNER, "2")]


def test_learners_take_turns(store, work):
    queue = opened(store, work, slots={JobKind.LOAD: 1})
    for name in ("1", "2", "3"):
        queue.submit(job(name, document_id=name), namespace=OWNER)
    queue.submit(job("x", document_id="x"), namespace=OTHER)
    work.let("1", "2", "3", "x")
    for name, namespace in (("3", OWNER), ("x", OTHER)):
        queue.wait(name, on_change=nothing, namespace=namespace)
    assert work.begun == [(OWNER, "1"), (OTHER, "x"), (OWNER, "2"), (OWNER, "3")]
    queue.close()


def test_one_learner_never_has_all_slots(queue, work):
    for name in ("1", "2", "3"):
        queue.submit(job(name, document_id=name), namespace=OWNER)
    work.until_begun(2)
    queue.submit(job("x", document_id="x"), namespace=OTHER)
    work.let("x")
    assert queue.wait("x", on_change=nothing, namespace=OTHER) is None
    assert sorted(work.begun) == [(OTHER, "x"), (OWNER, "1"), (OWNER, "2")]


def test_kinds_do_not_wait_for_each_other(queue, work):
    for name in ("1", "2", "3"):
        queue.submit(job(name, kind=JobKind.OCR), namespace=OWNER)
    queue.submit(job("load", document_id="b"), namespace=OWNER)
    work.let("load")
    assert queue.wait("b", on_change=nothing, namespace=OWNER) is None
    running = [j.id for j in queue.list(namespace=OWNER) if j.state is JobState.RUNNING]
    assert running == ["1"]


def test_text_recognition_of_one_learner_makes_way_for_another_page_by_page(queue, work):
    queue.submit(job("1", kind=JobKind.OCR), namespace=OWNER)
    work.until_begun(1)
    queue.submit(job("2", kind=JobKind.OCR), namespace=OTHER)
    work.let("1", "2")
    for namespace in (OWNER, OTHER):
        assert queue.wait("a", on_change=nothing, namespace=namespace) is None
    turns = [namespace for namespace, _ in work.begun]
    assert turns == [OWNER, OTHER, OWNER, OTHER]
    assert work.abandoned == []


def test_closing_interrupts_and_opening_goes_on(store, work):
    queue = opened(store, work)
    queue.submit(job("1"), namespace=OWNER)
    queue.submit(job("2"), namespace=OWNER)
    queue.submit(job("3"), namespace=OWNER)
    work.until_begun(2)
    closing = threading.Thread(target=queue.close)
    closing.start()
    while queue.is_open:
        pass
    work.let("1", "2", "3")
    closing.join()
    assert {j.id for j in store.list(namespace=OWNER)} == {"1", "2", "3"}
    assert work.abandoned == []
    again = opened(store, work)
    assert again.wait("a", on_change=nothing, namespace=OWNER) is None
    assert store.list(namespace=OWNER) == []
    again.close()


def test_a_job_that_ends_the_application_again_and_again_is_not_begun(store, work):
    store.put(replace(job("1"), state=JobState.RUNNING, attempts=MOST_ATTEMPTS), namespace=OWNER)
    queue = opened(store, work)
    (left,) = queue.list(namespace=OWNER)
    assert left.state is JobState.FAILED
    assert left.error.code == "load_interrupted"
    queue.retry("1", namespace=OWNER)
    work.let("1")
    assert queue.wait("a", on_change=nothing, namespace=OWNER) is None
    queue.close()


def test_what_a_watcher_raises_passes_and_the_job_goes_on(queue, work):
    def watcher(_):
        raise KeyError("of the watcher")

    queue.submit(job("1"), namespace=OWNER)
    work.let("1")
    with pytest.raises(KeyError, match="of the watcher"):
        queue.wait("a", on_change=watcher, namespace=OWNER)
    assert queue.wait("a", on_change=nothing, namespace=OWNER) is None


def test_refining_waits_while_anything_is_loaded_and_goes_on_after(queue, work):
    queue.submit(job("refine", kind=JobKind.REFINE), namespace=OWNER)
    work.until_begun(1)
    queue.submit(job("load", document_id="b"), namespace=OTHER)
    work.until_begun(2)
    work.let("refine", steps=1)
    until(lambda: queue.list(namespace=OWNER)[0].state is JobState.WAITING)
    queue.submit(job("refine b", document_id="b", kind=JobKind.REFINE), namespace=OTHER)
    assert work.begun == [(OWNER, "refine"), (OTHER, "load")]
    work.let("load", "refine", "refine b")
    assert queue.wait_for_kind(JobKind.REFINE, namespace=OWNER, timeout=SECONDS)
    assert queue.wait_for_kind(JobKind.REFINE, namespace=OTHER, timeout=SECONDS)
    assert {j for _, j in work.begun[2:]} == {"refine", "refine b"}
    assert work.abandoned == []


def test_nobody_waits_for_refining_and_nobody_is_told_of_it(queue, work):
    queue.submit(job("1", kind=JobKind.REFINE), namespace=OWNER)
    work.until_begun(1)
    seen: list[Job] = []
    assert queue.wait("a", on_change=seen.append, namespace=OWNER) is None
    assert seen == []
    assert not queue.wait_for_kind(JobKind.REFINE, namespace=OWNER, timeout=0.01)
    assert queue.wait_for_kind(JobKind.REFINE, namespace=OTHER, timeout=0)
    work.let("1")
    assert queue.wait_for_kind(JobKind.REFINE, namespace=OWNER, timeout=SECONDS)


def test_refining_is_resumed_after_any_number_of_ends(store, work):
    ended = replace(job("1", kind=JobKind.REFINE), attempts=MOST_ATTEMPTS, state=JobState.RUNNING)
    failed = replace(job("2", kind=JobKind.REFINE), state=JobState.FAILED)
    for one in (ended, failed):
        store.put(one, namespace=OWNER)
    queue = opened(store, work)
    work.let("1", "2")
    assert queue.wait_for_kind(JobKind.REFINE, namespace=OWNER, timeout=SECONDS)
    assert {j for _, j in work.begun} == {"1", "2"}
    queue.close()


def test_stopping_a_document_ends_what_its_jobs_begin_meanwhile(queue, store, work):
    """A load that is stopped after its last step submits the job that follows it."""

    class Follows(Work):
        def run(self, job, control, *, namespace):
            super().run(job, control, namespace=namespace)
            following = replace(job, id="2", kind=JobKind.OCR, state=JobState.WAITING)
            queue.submit(following, namespace=namespace)

    follows = Follows()
    queue.register(JobKind.LOAD, follows)
    queue.submit(job("1"), namespace=OWNER)
    follows.until_begun(1)
    follows.let("1")
    work.until_begun(1)
    done = threading.Thread(target=queue.stop_document, args=("a",), kwargs={"namespace": OWNER})
    done.start()
    until(lambda: all(j.stopping for j in queue.list(namespace=OWNER)))
    work.let("2", steps=1)
    done.join(SECONDS)
    assert not done.is_alive()
    assert queue.list(namespace=OWNER) == store.list(namespace=OWNER) == []


def until(true):
    deadline = time.monotonic() + SECONDS
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.01)
