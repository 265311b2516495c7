"""History store on a SQL database."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, func, insert, select, update

from core.domain.answer import Gap, RefusalReason
from core.domain.mentions import documents_of
from core.domain.study import AskedQuestion, Totals
from core.errors import NotFoundError
from core.ports.history_store import Activity
from core.stores.answers import (
    answer_json,
    answer_of,
    nearest_json,
    nearest_of,
    nearest_without,
    trace_json,
    without_document,
)
from core.stores.database import Database
from core.stores.schema import (
    activity,
    cited_documents,
    documents,
    gaps,
    memories,
    questions,
    sessions,
)
from core.text.letters import letters

_LIGHT = [column for column in questions.c if column is not questions.c.trace]
_QUESTION = "question"
_PLURAL = {"load": "loads", _QUESTION: "questions", "note": "notes"}
_DAY_LENGTH = len("2026-11-30")


class SqlHistoryStore:
    """Questions with their answers, and what is counted over all time."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_question(self, asked: AskedQuestion, *, namespace: str) -> None:
        """Store a question with its answer and citations, and count it once."""
        key = {"namespace": namespace, "id": asked.id}
        row = {
            **key,
            "session_id": asked.session_id,
            "asked_at": asked.asked_at,
            "answer": answer_json(asked.answer),
            "trace": trace_json(asked.answer),
        }
        with self._database.write() as connection:
            is_new = _row(connection, asked.id, namespace) is None
            connection.execute(
                self._database.insert(questions)
                .values(row)
                .on_conflict_do_update(index_elements=["namespace", "id"], set_=row)
            )
            connection.execute(
                delete(cited_documents).where(
                    cited_documents.c.namespace == namespace,
                    cited_documents.c.question_id == asked.id,
                )
            )
            for document_id in sorted(documents_of(asked.answer)):
                connection.execute(
                    insert(cited_documents),
                    {
                        "namespace": namespace,
                        "document_id": document_id,
                        "question_id": asked.id,
                    },
                )
            if is_new:
                count = len(asked.answer.citations)
                _count(connection, namespace, _QUESTION, asked.asked_at, citations=count)

    def question(self, question_id: str, *, namespace: str) -> AskedQuestion:
        """Return a stored question. Raises `NotFoundError`."""
        with self._database.read() as connection:
            row = _row(connection, question_id, namespace)
        if row is None:
            raise NotFoundError("This question is not there (any more).")
        return _asked(row)

    def questions(
        self,
        *,
        namespace: str,
        limit: int | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[AskedQuestion]:
        """Return stored questions, newest first, without their traces."""
        query = (
            select(*_LIGHT)
            .where(questions.c.namespace == namespace)
            .order_by(questions.c.asked_at.desc(), questions.c.seq.desc())
        )
        if since is not None:
            query = query.where(questions.c.asked_at >= since)
        if until is not None:
            query = query.where(questions.c.asked_at < until)
        if limit is not None:
            query = query.limit(limit)
        with self._database.read() as connection:
            return [_asked(row) for row in connection.execute(query).mappings()]

    def forget_document(self, document_id: str, *, at: datetime, namespace: str) -> int:
        """Take what a deleted document left in old answers and gaps out of them, on disk too."""
        of_document = (
            cited_documents.c.namespace == namespace,
            cited_documents.c.document_id == document_id,
        )
        ids = select(cited_documents.c.question_id).where(*of_document)
        with self._database.write() as connection:
            query = select(questions).where(
                questions.c.namespace == namespace, questions.c.id.in_(ids)
            )
            rows = connection.execute(query).mappings().all()
            for row in rows:
                kept = without_document(_asked(row).answer, document_id, at=at)
                connection.execute(
                    update(questions)
                    .where(questions.c.seq == row["seq"])
                    .values(answer=answer_json(kept), trace=trace_json(kept))
                )
            connection.execute(delete(cited_documents).where(*of_document))
            _forget_in_gaps(connection, document_id, namespace)
        self._database.scrub()
        return len(rows)

    def add_gap(self, gap: Gap, *, namespace: str) -> Gap:
        """Keep a question that was not answered, or count it once more."""
        row = {
            "question": gap.question,
            "question_id": gap.question_id,
            "language": gap.language,
            "asked_at": gap.asked_at,
            "reason": gap.reason.value,
            "nearest": nearest_json(gap.nearest),
        }
        key = {"namespace": namespace, "letters": _key(gap.question)}
        with self._database.write() as connection:
            connection.execute(
                self._database.insert(gaps)
                .values({**key, **row, "id": gap.id, "times": gap.times})
                .on_conflict_do_update(
                    index_elements=list(key), set_={**row, "times": gaps.c.times + gap.times}
                )
            )
            query = select(gaps).where(*(gaps.c[name] == value for name, value in key.items()))
            return _gap(connection.execute(query).mappings().one())

    def gaps(self, *, namespace: str) -> list[Gap]:
        """Return the questions that were not answered, the one asked last first."""
        query = (
            select(gaps)
            .where(gaps.c.namespace == namespace)
            .order_by(gaps.c.asked_at.desc(), gaps.c.seq.desc())
        )
        with self._database.read() as connection:
            return [_gap(row) for row in connection.execute(query).mappings()]

    def remove_gap(self, gap_id: str, *, namespace: str) -> None:
        """Take a question off the list, on disk too. Raises `NotFoundError`."""
        with self._database.write() as connection:
            query = delete(gaps).where(gaps.c.namespace == namespace, gaps.c.id == gap_id)
            if not connection.execute(query).rowcount:
                raise NotFoundError("This question is not on the list (any more).")
        self._database.scrub()

    def close_gap_for(self, question: str, *, namespace: str) -> bool:
        """Take a question that is answered now off the list; tell whether it was on it."""
        of_question = (gaps.c.namespace == namespace, gaps.c.letters == _key(question))
        with self._database.read() as connection:
            if connection.scalar(select(gaps.c.seq).where(*of_question)) is None:
                return False
        with self._database.write() as connection:
            return bool(connection.execute(delete(gaps).where(*of_question)).rowcount)

    def note_activity(
        self, kind: Activity, *, at: datetime, namespace: str, pages: int = 0
    ) -> None:
        """Count a loaded document with its `pages`, or a written note."""
        with self._database.write() as connection:
            _count(connection, namespace, kind, at, pages=pages)

    def note_session(self, session_id: str, *, at: datetime, namespace: str) -> None:
        """Note that the session did something. Calling it again changes nothing."""
        row = {"namespace": namespace, "id": session_id, "first_at": at}
        with self._database.write() as connection:
            connection.execute(self._database.insert(sessions).values(row).on_conflict_do_nothing())

    def activity_by_day(self, *, namespace: str) -> dict[str, dict[str, int]]:
        """Return per UTC day, ascending, the counts of `loads`, `questions` and `notes`."""
        day = func.substr(activity.c.at, 1, _DAY_LENGTH, type_=activity.c.kind.type).label("day")
        query = (
            select(day, activity.c.kind, func.count())
            .where(activity.c.namespace == namespace)
            .group_by(day, activity.c.kind)
            .order_by(day)
        )
        days: dict[str, dict[str, int]] = {}
        with self._database.read() as connection:
            for name, kind, number in connection.execute(query):
                counts = days.setdefault(name, dict.fromkeys(_PLURAL.values(), 0))
                counts[_PLURAL[kind]] = number
        return days

    def totals(self, *, namespace: str) -> Totals:
        """Return the counts over all time."""
        with self._database.read() as connection:
            rows = connection.execute(_totals_query(namespace)).mappings()
            counted = {row["kind"]: row for row in rows}
            there = connection.scalar(
                select(func.count()).where(documents.c.namespace == namespace)
            )
            session_count, first_session = connection.execute(
                select(func.count(), func.min(sessions.c.first_at)).where(
                    sessions.c.namespace == namespace
                )
            ).one()
            by_kind = connection.execute(
                select(memories.c.kind, func.count())
                .where(memories.c.namespace == namespace)
                .group_by(memories.c.kind)
            ).all()
        firsts = [row["first"] for row in counted.values()]
        firsts += [first_session] if first_session is not None else []

        def number(kind: str, field: str = "number") -> int:
            return int(counted[kind][field]) if kind in counted else 0

        return Totals(
            documents_loaded=number("load"),
            documents=there or 0,
            pages=number("load", "pages"),
            questions_asked=number(_QUESTION),
            citations=number(_QUESTION, "citations"),
            concepts_learned=number("note"),
            sessions=session_count,
            first_activity=min(firsts, default=None),
            memories={row[0]: row[1] for row in by_kind},
        )

    def close(self) -> None:
        """Release the database. It opens again at the next use."""
        self._database.close()


def _row(connection: Connection, question_id: str, namespace: str) -> RowMapping | None:
    query = select(questions).where(
        questions.c.namespace == namespace, questions.c.id == question_id
    )
    return connection.execute(query).mappings().one_or_none()


def _asked(row: RowMapping) -> AskedQuestion:
    return AskedQuestion(
        id=row["id"],
        session_id=row["session_id"],
        asked_at=row["asked_at"],
        answer=answer_of(row["answer"], row.get("trace")),
    )


def _key(question: str) -> str:
    return letters(question) or question


def _gap(row: RowMapping) -> Gap:
    return Gap(
        id=row["id"],
        question=row["question"],
        question_id=row["question_id"],
        language=row["language"],
        asked_at=row["asked_at"],
        reason=RefusalReason(row["reason"]),
        nearest=nearest_of(row["nearest"]),
        times=row["times"],
    )


def _forget_in_gaps(connection: Connection, document_id: str, namespace: str) -> None:
    query = select(gaps.c.seq, gaps.c.nearest).where(gaps.c.namespace == namespace)
    for seq, rows in connection.execute(query).all():
        pages = nearest_of(rows)
        kept = nearest_without(pages, document_id)
        if kept != pages:
            change = update(gaps).where(gaps.c.seq == seq)
            connection.execute(change.values(nearest=nearest_json(kept)))


def _count(
    connection: Connection,
    namespace: str,
    kind: str,
    at: datetime,
    *,
    pages: int = 0,
    citations: int = 0,
) -> None:
    connection.execute(
        insert(activity),
        {"namespace": namespace, "kind": kind, "at": at, "pages": pages, "citations": citations},
    )


def _totals_query(namespace: str) -> Select[Any]:
    return (
        select(
            activity.c.kind,
            func.count().label("number"),
            func.sum(activity.c.pages).label("pages"),
            func.sum(activity.c.citations).label("citations"),
            func.min(activity.c.at).label("first"),
        )
        .where(activity.c.namespace == namespace)
        .group_by(activity.c.kind)
    )
