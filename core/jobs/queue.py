"""The queue of background jobs: durable, in this process, fair between learners.

A job is stored before it runs and deleted when it ends, so a crash at any moment leaves it to be
begun again; how much of its work is then kept is its runner's business. Progress is held in memory.
"""

import itertools
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

from core.domain.job import Job, JobError, JobKind, JobState
from core.errors import (
    AssistantError,
    JobInterruptedError,
    JobStoppedError,
    NotFoundError,
)
from core.ports.jobs import JobRunner, JobStore

logger = logging.getLogger(__name__)

SLOTS = {
    JobKind.LOAD: 3,
    JobKind.OCR: 1,
    JobKind.REINDEX: 1,
    JobKind.REFINE: 1,
    JobKind.GRAPH: 1,
}
"""So many jobs of a kind run at once; a load keeps about one core busy, OCR too.

Of several slots one learner never has all: a file that takes its reader's whole time must not keep
others from loading.
"""
YIELDING = frozenset({JobKind.OCR, JobKind.REINDEX, JobKind.REFINE, JobKind.GRAPH})
"""These go on where they were: after each step they let another learner's job go first."""
AFTER_LOADS = frozenset({JobKind.REFINE, JobKind.GRAPH})
"""These wait, also between two steps, while anything is being loaded."""
MOST_ATTEMPTS = 3
"""A job that ended the application so often is not begun again by itself."""
ALWAYS_RESUMED = frozenset({JobKind.REFINE, JobKind.GRAPH})
"""But for these, which nobody is asked about: one in a process of its own, one on plain text."""
_CLOSE_SECONDS = 60.0

Key = tuple[str, str]
"""Namespace and job id."""


class _Yielded(AssistantError):
    """A job makes way for another learner's and waits for its next turn."""


class _Control:
    """What a running job is given; see `core.ports.jobs.JobControl`."""

    def __init__(self, queue: "BackgroundJobs", key: Key) -> None:
        self._queue = queue
        self._key = key

    def progress(self, *, stage: str, done: int, total: int) -> None:
        """See `JobControl.progress`."""
        self._queue.note_progress(self._key, stage=stage, done=done, total=total)


class BackgroundJobs:
    """Adapter of `JobQueue` with a thread for each running job."""

    def __init__(self, store: JobStore, *, slots: Mapping[JobKind, int] = SLOTS) -> None:
        self._store = store
        self._slots = slots
        self._runners: dict[JobKind, JobRunner] = {}
        self._jobs: dict[Key, Job] = {}
        self._turns: dict[str, int] = {}
        self._first_steps: dict[Key, int] = {}
        self._turn = itertools.count(1)
        self._threads: dict[Key, threading.Thread] = {}
        self._changed = threading.Condition()
        self._open = False

    def _of(self, document_id: str, namespace: str) -> list[Job]:
        return [
            job
            for (owner, _), job in self._jobs.items()
            if owner == namespace and job.document_id == document_id
        ]

    @property
    def is_open(self) -> bool:
        """Whether jobs are run."""
        return self._open

    def register(self, kind: JobKind, runner: JobRunner) -> None:
        """See `JobQueue.register`."""
        self._runners[kind] = runner

    def resume(self) -> None:
        """See `JobQueue.resume`."""
        stored = self._store.everything()
        with self._changed:
            self._open = True
            for namespace, job in stored:
                key = (namespace, job.id)
                if job.kind in ALWAYS_RESUMED:
                    job = replace(job, state=JobState.WAITING, attempts=0, error=None)
                elif job.active and job.attempts >= MOST_ATTEMPTS:
                    job = replace(job, state=JobState.FAILED, error=_told(JobInterruptedError()))
                elif job.active:
                    job = replace(job, state=JobState.WAITING, stage="waiting")
                self._jobs[key] = job
            self._dispatch()

    def submit(self, job: Job, *, namespace: str) -> None:
        """See `JobQueue.submit`."""
        self._store.put(job, namespace=namespace)
        with self._changed:
            self._jobs[namespace, job.id] = job
            self._dispatch()
            self._changed.notify_all()

    def stop(self, job_id: str, *, namespace: str) -> None:
        """See `JobQueue.stop`."""
        key = (namespace, job_id)
        with self._changed:
            job = self._jobs.get(key)
            if job is None or not job.active:
                return
            if job.state is JobState.RUNNING:
                self._jobs[key] = replace(job, stopping=True)
                self._changed.notify_all()
                return
            del self._jobs[key]
        self._end(key, job)
        self._leave(key, None)

    def retry(self, job_id: str, *, namespace: str) -> None:
        """See `JobQueue.retry`."""
        key = (namespace, job_id)
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.active:
                raise NotFoundError("There is no failed load to begin again (any more).")
            job = replace(job, state=JobState.WAITING, stage="waiting", attempts=0, error=None)
            self._jobs[key] = job
        self.submit(job, namespace=namespace)

    def dismiss(self, job_id: str, *, namespace: str) -> None:
        """See `JobQueue.dismiss`."""
        key = (namespace, job_id)
        with self._changed:
            job = self._jobs.get(key)
            if job is None or job.active:
                return
            del self._jobs[key]
        self._end(key, job)
        self._leave(key, None)

    def stop_document(self, document_id: str, *, namespace: str) -> None:
        """See `JobQueue.stop_document`."""
        while jobs := self._jobs_of(document_id, namespace):
            known = {job.id for job in jobs}
            for job in jobs:
                self.stop(job.id, namespace=namespace)
                self.dismiss(job.id, namespace=namespace)
            with self._changed:  # one that ends well may have submitted the next one
                self._changed.wait_for(
                    lambda: known.isdisjoint({j.id for j in self._of(document_id, namespace)})  # noqa: B023
                )

    def wait(
        self, document_id: str, *, on_change: Callable[[Job], None], namespace: str
    ) -> Job | None:
        """See `JobQueue.wait`."""
        told: dict[str, Job] = {}
        while True:
            with self._changed:
                self._changed.wait_for(
                    lambda: (
                        not any(j.active for j in self._awaited(document_id, namespace))
                        or any(told.get(j.id) != j for j in self._awaited(document_id, namespace))
                    )
                )
                jobs = self._awaited(document_id, namespace)
            for job in jobs:
                if told.get(job.id) != job:
                    told[job.id] = job
                    if job.state is JobState.RUNNING:
                        on_change(job)
            if not any(job.active for job in jobs):
                return next(iter(jobs), None)

    def wait_for_kind(self, kind: JobKind, *, namespace: str, timeout: float) -> bool:
        """See `JobQueue.wait_for_kind`."""
        with self._changed:
            return self._changed.wait_for(
                lambda: (
                    not any(
                        owner == namespace and job.kind is kind and job.active
                        for (owner, _), job in self._jobs.items()
                    )
                ),
                timeout,
            )

    def note_progress(self, key: Key, *, stage: str, done: int, total: int) -> None:
        """Note how far a running job is. Raises as `JobControl.progress`."""
        with self._changed:
            job = self._jobs[key]
            if not self._open:
                raise JobInterruptedError
            if job.stopping:
                raise JobStoppedError
            self._jobs[key] = replace(job, stage=stage, done=done, total=total)
            self._changed.notify_all()
            if job.kind in AFTER_LOADS and self._loading():
                raise _Yielded
            first = self._first_steps.setdefault(key, done)
            if done > first and job.kind in YIELDING and self._others_wait(key[0], job.kind):
                raise _Yielded

    def close(self) -> None:
        """See `JobQueue.close`."""
        with self._changed:
            self._open = False
            threads = list(self._threads.values())
        for thread in threads:
            thread.join(_CLOSE_SECONDS)
        with self._changed:
            self._jobs.clear()
            self._changed.notify_all()

    def _jobs_of(self, document_id: str, namespace: str) -> list[Job]:
        with self._changed:
            return self._of(document_id, namespace)

    def _awaited(self, document_id: str, namespace: str) -> list[Job]:
        return [job for job in self._of(document_id, namespace) if not job.quiet]

    def _loading(self) -> bool:
        return any(job.kind is JobKind.LOAD and job.active for job in self._jobs.values())

    def _others_wait(self, namespace: str, kind: JobKind) -> bool:
        return any(
            owner != namespace and job.kind is kind and job.state is JobState.WAITING
            for (owner, _), job in self._jobs.items()
        )

    def _dispatch(self) -> None:
        """Start what may start now. The lock is held."""
        while self._open and (key := self._next()) is not None:
            job = replace(self._jobs[key], state=JobState.RUNNING)
            self._jobs[key] = replace(job, attempts=job.attempts + 1)
            self._turns[key[0]] = next(self._turn)
            thread = threading.Thread(
                target=self._run, args=(key,), name=f"job-{job.kind}", daemon=True
            )
            self._threads[key] = thread
            thread.start()

    def _next(self) -> Key | None:
        """Return the job whose turn it is: of the learner who had none for the longest time."""
        running = [
            (owner, job.kind)
            for (owner, _), job in self._jobs.items()
            if job.state is JobState.RUNNING
        ]
        kinds = [kind for _, kind in running]
        loading = self._loading()

        def may_start(owner: str, job: Job) -> bool:
            if loading and job.kind in AFTER_LOADS:
                return False
            slots = self._slots[job.kind]
            own = running.count((owner, job.kind))
            return kinds.count(job.kind) < slots and own < max(1, slots - 1)

        waiting = [
            key
            for key, job in self._jobs.items()
            if job.state is JobState.WAITING and may_start(key[0], job)
        ]
        return min(waiting, key=lambda key: self._turns.get(key[0], 0), default=None)

    def _run(self, key: Key) -> None:
        namespace, _ = key
        job = self._jobs[key]
        runner = self._runners[job.kind]
        error: AssistantError | None = AssistantError()
        try:
            self._store.put(job, namespace=namespace)
            runner.run(job, _Control(self, key), namespace=namespace)
            error = None
        except AssistantError as failed:
            error = failed
        finally:  # a bug in a runner is logged by the thread; its job must not hang
            self._finish(key, error)

    def _finish(self, key: Key, error: AssistantError | None) -> None:
        namespace, job_id = key
        with self._changed:
            job = self._jobs[key]
            closing = not self._open
        try:
            if error is None:
                self._store.delete(job_id, namespace=namespace)
                self._leave(key, None)
            elif isinstance(error, _Yielded):
                self._leave(key, replace(job, state=JobState.WAITING, attempts=0))
            elif isinstance(error, JobInterruptedError) or closing:
                self._leave(key, replace(job, state=JobState.WAITING))
            elif isinstance(error, JobStoppedError) or job.stopping:
                self._end(key, job)
                self._leave(key, None)
            else:
                logger.warning("A job failed (%s): %s", job.kind, error.code)
                failed = replace(job, state=JobState.FAILED, error=_told(error))
                self._store.put(failed, namespace=namespace)
                self._leave(key, failed)
        except AssistantError as unrecorded:
            # The next start finds the job as it was stored and begins it again.
            logger.error("The end of a job could not be stored: %s", unrecorded)
            self._leave(key, replace(job, state=JobState.FAILED, error=_told(unrecorded)))

    def _end(self, key: Key, job: Job) -> None:
        """Delete a job, then what is left of it: in this order a crash leaves nothing unknown."""
        namespace, job_id = key
        self._store.delete(job_id, namespace=namespace)
        self._runners[job.kind].abandon(job, namespace=namespace)

    def _leave(self, key: Key, job: Job | None) -> None:
        with self._changed:
            self._threads.pop(key, None)
            self._first_steps.pop(key, None)
            if job is None:
                self._jobs.pop(key, None)
            else:
                self._jobs[key] = job
            self._dispatch()
            self._changed.notify_all()

    def list(self, *, namespace: str) -> list[Job]:
        """See `JobQueue.list`."""
        with self._changed:
            return [job for (owner, _), job in self._jobs.items() if owner == namespace]


def _told(error: AssistantError) -> JobError:
    return JobError(code=error.code, message=error.message, remedy=error.remedy)
