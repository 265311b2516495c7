"""Job store on a SQL database."""

from sqlalchemy import RowMapping, delete, select

from core.domain.job import Job, JobError, JobKind, JobState
from core.stores.database import Database
from core.stores.schema import jobs as job_table


class SqlJobStore:
    """Jobs of all learners."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, job: Job, *, namespace: str) -> None:
        """Store a job; one with the same id is replaced."""
        row = _row(job, namespace)
        statement = (
            self._database.insert(job_table)
            .values(row)
            .on_conflict_do_update(index_elements=["namespace", "id"], set_=row)
        )
        with self._database.write() as connection:
            connection.execute(statement)

    def everything(self) -> list[tuple[str, Job]]:
        """Return (namespace, job) of all jobs of ALL users."""
        query = select(job_table).order_by(job_table.c.seq)
        with self._database.read() as connection:
            return [(row["namespace"], _job(row)) for row in connection.execute(query).mappings()]

    def list(self, *, namespace: str) -> list[Job]:
        """Return the jobs of the namespace, in the order in which they were first stored."""
        query = (
            select(job_table).where(job_table.c.namespace == namespace).order_by(job_table.c.seq)
        )
        with self._database.read() as connection:
            return [_job(row) for row in connection.execute(query).mappings()]

    def delete(self, job_id: str, *, namespace: str) -> None:
        """Delete a job; one that is not there is no error."""
        statement = delete(job_table).where(
            job_table.c.namespace == namespace, job_table.c.id == job_id
        )
        with self._database.write() as connection:
            connection.execute(statement)


def _row(job: Job, namespace: str) -> dict[str, object]:
    error = job.error
    return {
        "namespace": namespace,
        "id": job.id,
        "kind": job.kind.value,
        "document_id": job.document_id,
        "name": job.name,
        "format": job.format,
        "session_id": job.session_id,
        "state": job.state.value,
        "stage": job.stage,
        "done": job.done,
        "total": job.total,
        "attempts": job.attempts,
        "error": [error.code, error.message, error.remedy] if error else [],
        "created_at": job.created_at,
    }


def _job(row: RowMapping) -> Job:
    error = None
    if row["error"]:
        code, message, remedy = row["error"]
        error = JobError(code=code, message=message, remedy=remedy)
    return Job(
        id=row["id"],
        kind=JobKind(row["kind"]),
        document_id=row["document_id"],
        name=row["name"],
        format=row["format"],
        session_id=row["session_id"],
        created_at=row["created_at"],
        state=JobState(row["state"]),
        stage=row["stage"],
        done=row["done"],
        total=row["total"],
        attempts=row["attempts"],
        error=error,
    )
