"""What every job store promises (core/ports/jobs.py)."""

from dataclasses import replace

import pytest

from core.domain.job import JobError, JobKind, JobState
from core.ports.jobs import JobStore
from core.stores.database import Database
from core.stores.jobs import SqlJobStore
from tests.contracts.samples import OTHER, OWNER, job


@pytest.fixture
def store(database: Database) -> JobStore:
    return SqlJobStore(database)


def test_a_job_comes_back_as_it_was(store: JobStore) -> None:
    failed = replace(
        job("1", kind=JobKind.OCR),
        state=JobState.FAILED,
        stage="ocr",
        done=3,
        total=80,
        attempts=2,
        error=JobError(code="damaged", message="坏了。", remedy="Try “again”."),
    )
    for one in (job("2"), failed):
        store.put(one, namespace=OWNER)
    assert store.list(namespace=OWNER) == [job("2"), failed]


def test_putting_again_replaces_and_keeps_the_place(store: JobStore) -> None:
    for name in ("1", "2"):
        store.put(job(name), namespace=OWNER)
    running = replace(job("1"), state=JobState.RUNNING, attempts=1)
    store.put(running, namespace=OWNER)
    assert store.list(namespace=OWNER) == [running, job("2")]


def test_no_method_but_one_reaches_another_namespace(store: JobStore) -> None:
    store.put(job("1"), namespace=OWNER)
    assert store.list(namespace=OTHER) == []
    store.delete("1", namespace=OTHER)
    store.put(job("1", document_id="b"), namespace=OTHER)
    assert store.list(namespace=OWNER) == [job("1")]
    both = [(OWNER, job("1")), (OTHER, job("1", document_id="b"))]
    assert store.everything() == both


def test_deleting_what_is_not_there_is_no_error(store: JobStore) -> None:
    store.put(job("1"), namespace=OWNER)
    store.delete("1", namespace=OWNER)
    store.delete("1", namespace=OWNER)
    assert store.list(namespace=OWNER) == []
    assert store.everything() == []
