"""Port: questions with their answers, and the counts over all time."""

from datetime import datetime
from typing import Literal, Protocol

from core.domain.study import AskedQuestion, Totals

Activity = Literal["load", "note"]


class HistoryStore(Protocol):
    """What a learner did, over all sessions. Every method raises `StoreError` when the store fails.

    Times are aware UTC. What is counted stays counted when the thing itself is deleted.
    """

    def add_question(self, asked: AskedQuestion, *, namespace: str) -> None:
        """Store a question with its answer and citations (not its passages), and count it.

        One with the same id is replaced and not counted again.
        """

    def question(self, question_id: str, *, namespace: str) -> AskedQuestion:
        """Return a stored question. Raises `NotFoundError`."""

    def questions(self, *, namespace: str, limit: int | None = None) -> list[AskedQuestion]:
        """Return stored questions, newest first."""

    def forget_document(self, document_id: str, *, at: datetime, namespace: str) -> int:
        """Take the text of a document deleted at `at` out of old answers; return how many changed.

        An answer that cites the document loses its citations of it; as an answer's text may
        repeat the document, its text becomes empty and its notice `source_removed`. What stays is
        the tombstone: `at` in `sources_removed_at`.
        """

    def note_activity(
        self, kind: Activity, *, at: datetime, namespace: str, pages: int = 0
    ) -> None:
        """Count a loaded document with its `pages`, or a written note."""

    def note_session(self, session_id: str, *, at: datetime, namespace: str) -> None:
        """Note that the session did something. Calling it again changes nothing."""

    def activity_by_day(self, *, namespace: str) -> dict[str, dict[str, int]]:
        """Return per UTC day (`YYYY-MM-DD`, ascending) the counts `loads`, `questions`, `notes`.

        Days without any of them are left out.
        """

    def totals(self, *, namespace: str) -> Totals:
        """Return the counts over all time.

        `pages` and `citations` are those of all loads and questions; `concepts_learned` is the
        number of notes ever written; `memories` counts those there now, by kind.
        """

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
