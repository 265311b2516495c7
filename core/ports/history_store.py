"""Port: questions with their answers, those without one, and the counts over all time."""

from datetime import datetime
from typing import Literal, Protocol

from core.domain.answer import Gap
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
        """Return a stored question, with its trace. Raises `NotFoundError`."""

    def questions(
        self,
        *,
        namespace: str,
        limit: int | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> list[AskedQuestion]:
        """Return stored questions, newest first, without their traces.

        `since` is inclusive, `until` exclusive.
        """

    def forget_document(self, document_id: str, *, at: datetime, namespace: str) -> int:
        """Take a document deleted at `at` out of old answers and gaps; return how many answers.

        These are all answers that have something of it (`core.domain.mentions`). They lose their
        citations of it, their trace, their completed question, its pages among the nearest ones and
        the texts of memories about it. Where the answer's text may repeat the document, that
        becomes empty and the notice `source_removed`; what stays is the tombstone: `at` in
        `sources_removed_at`. Gaps lose its pages among their nearest ones.
        """

    def add_gap(self, gap: Gap, *, namespace: str) -> Gap:
        """Keep a question that was not answered; return it as it is kept.

        A question with the same letters (`core.text.letters`) is the same one: it keeps its id,
        `times` is added to, and everything else is as in `gap`.
        """

    def gaps(self, *, namespace: str) -> list[Gap]:
        """Return the questions that were not answered, the one asked last first."""

    def remove_gap(self, gap_id: str, *, namespace: str) -> None:
        """Take a question off the list, on disk too. Raises `NotFoundError`."""

    def close_gap_for(self, question: str, *, namespace: str) -> bool:
        """Take a question that is answered now off the list; tell whether it was on it."""

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
