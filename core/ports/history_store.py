"""Port: questions with their answers, and the counts over all time."""

from typing import Protocol

from core.domain.study import AskedQuestion, Totals


class HistoryStore(Protocol):
    """What a learner did, over all sessions. Every method raises `StoreError` when the store fails."""

    def add_question(self, asked: AskedQuestion, *, namespace: str) -> None:
        """Store a question with its answer and citations (not its passages)."""

    def question(self, question_id: str, *, namespace: str) -> AskedQuestion:
        """Return a stored question. Raises `NotFoundError`."""

    def questions(self, *, namespace: str, limit: int | None = None) -> list[AskedQuestion]:
        """Return stored questions, newest first."""

    def forget_document(self, document_id: str, *, namespace: str) -> int:
        """Take the text of a deleted document out of old answers; return how many changed.

        An answer that cites the document loses its citations of it; as an answer's text may
        repeat the document, its text becomes empty and its notice `source_removed`.
        """

    def note_load(self, document_id: str, *, pages: int, namespace: str) -> None:
        """Count a loaded document (stays counted when the document is deleted)."""

    def note_session(self, session_id: str, *, namespace: str) -> None:
        """Note that the session did something. Calling it again changes nothing."""

    def activity_by_day(self, *, namespace: str) -> dict[str, dict[str, int]]:
        """Return per UTC day (`YYYY-MM-DD`) the counts of `loads`, `questions` and `notes`."""

    def totals(self, *, namespace: str) -> Totals:
        """Return the counts over all time."""

    def close(self) -> None:
        """Release the store. A closed store opens again at the next use."""
