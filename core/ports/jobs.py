"""Ports: records of background jobs, and the queue that runs them."""

from collections.abc import Callable
from typing import Protocol

from core.domain.job import Job, JobKind


class JobStore(Protocol):
    """Durable records of jobs. Every method raises `StoreError` when the store fails."""

    def put(self, job: Job, *, namespace: str) -> None:
        """Store a job; one with the same id is replaced."""

    def everything(self) -> list[tuple[str, Job]]:
        """Return (namespace, job) of all jobs of ALL users, in the order of `list`."""

    def list(self, *, namespace: str) -> list[Job]:
        """Return the jobs of the namespace, in the order in which they were first stored."""

    def delete(self, job_id: str, *, namespace: str) -> None:
        """Delete a job; one that is not there is no error."""


class JobControl(Protocol):
    """What a running job is given."""

    def progress(self, *, stage: str, done: int, total: int) -> None:
        """Tell how far the job is.

        Raises `JobStoppedError` when it shall stop, `JobInterruptedError` when the application
        ends: then it goes on at the next start.
        """


class JobRunner(Protocol):
    """How jobs of one kind are done."""

    def run(self, job: Job, control: JobControl, *, namespace: str) -> None:
        """Do the job, or go on with it. Raises an `AssistantError` when it cannot be done."""

    def abandon(self, job: Job, *, namespace: str) -> None:
        """Remove what is left of a job that was stopped, or dismissed after it failed."""


class JobQueue(Protocol):
    """Runs jobs in the background, fair between learners. Safe to use from several threads."""

    def register(self, kind: JobKind, runner: JobRunner) -> None:
        """Say who does jobs of a kind. Before `resume`."""

    def resume(self) -> None:
        """Go on with the jobs that were waiting or running when the application ended."""

    def submit(self, job: Job, *, namespace: str) -> None:
        """Store a job and run it when its turn comes."""

    def list(self, *, namespace: str) -> list[Job]:
        """Return the jobs of a learner as they are now, oldest first."""

    def stop(self, job_id: str, *, namespace: str) -> None:
        """Stop a job at its next step and remove what it did; one that has ended is no error."""

    def retry(self, job_id: str, *, namespace: str) -> None:
        """Run a failed job again. Raises `NotFoundError` when there is no such failed job."""

    def dismiss(self, job_id: str, *, namespace: str) -> None:
        """Remove a failed job; one that is not there is no error."""

    def stop_document(self, document_id: str, *, namespace: str) -> None:
        """Stop and remove every job of a document, and return when none runs any more."""

    def wait(
        self, document_id: str, *, on_change: Callable[[Job], None], namespace: str
    ) -> Job | None:
        """Wait until no job of the document is active; return the one that failed, if any.

        `on_change` gets each state of the jobs; what it raises passes through, and the jobs go on.
        `Job.quiet` ones are not waited for and not returned.
        """

    def wait_for_kind(self, kind: JobKind, *, namespace: str, timeout: float) -> bool:
        """Wait until no job of the kind is active; `False` when `timeout` seconds were too few."""

    def close(self) -> None:
        """End the running jobs at their next step; `resume` goes on with them."""
