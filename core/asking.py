"""A learner's question from the first word to the record: completed, routed, answered, kept."""

import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo

from core.afterwards import Afterwards
from core.domain.answer import (
    DEFAULT_OPTIONS,
    Answer,
    AnswerMode,
    AnswerPiece,
    AskOptions,
    Gap,
    Refusal,
    RefusalReason,
    RememberedSource,
    Route,
    RoutedBy,
)
from core.domain.memory import Memory, MemoryKind
from core.domain.mentions import documents_of
from core.domain.study import AskedQuestion
from core.domain.trace import QueryKind, Trace
from core.errors import ModelError
from core.memory.query import QA_INTERACTION, QUESTION
from core.memory.routing import route, route_by_model
from core.ports.history_store import HistoryStore
from core.ports.llm import ChatTurn
from core.ports.metered import MeteredModel
from core.rag.asking import Ask, Finished
from core.rag.engine import RAGEngine
from core.rag.follow_ups import Turn, complete_by_model, complete_by_rules, is_follow_up
from core.recording import Recorder
from core.remembering import Remembered, Rememberer
from core.text.tokens import language_of

logger = logging.getLogger(__name__)

_TURNS = 3
"""A follow-up is completed from so many of the last questions of the session."""
_ROUTE_TOKENS = 8
_GAPS = frozenset(
    {
        RefusalReason.NOTHING_FOUND,
        RefusalReason.NOT_ANSWERED,
        RefusalReason.MODEL_DECLINED,
    }
)
"""Refusals that are about what the documents say."""
_MARK = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """Whose question it is, and whose days are meant by "yesterday"; the clock's without a zone."""

    namespace: str
    session_id: str
    zone: tzinfo | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Understood:
    """A question as it is looked up: completed, and where."""

    asked: str
    completed: str | None
    language: str
    route: Route
    routed_by: RoutedBy

    @property
    def text(self) -> str:
        return self.completed or self.asked

    def told(self, answer: Answer) -> Answer:
        """Return the answer saying how the question was understood."""
        return replace(answer, completed=self.completed, route=self.route, routed_by=self.routed_by)


class Asking:
    """Answers and records questions of all learners. Thread-safe."""

    def __init__(
        self,
        *,
        engine: RAGEngine,
        rememberer: Rememberer,
        recorder: Recorder,
        history: HistoryStore,
        new_model: Callable[[], MeteredModel | None],
        afterwards: Afterwards,
        on_generated: Callable[[Memory, str, str], None],
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        self._engine = engine
        self._rememberer = rememberer
        self._recorder = recorder
        self._history = history
        self._new_model = new_model
        self._afterwards = afterwards
        self._on_generated = on_generated
        self._clock = clock
        self._new_id = new_id

    def ask(
        self,
        question: str,
        learner: Learner,
        *,
        advanced: bool = True,
        documents: Sequence[str] | None = None,
        options: AskOptions = DEFAULT_OPTIONS,
    ) -> Iterator[AnswerPiece]:
        """Yield the answer's text in pieces, then the whole answer, recorded.

        Closing the iterator stops the answer; then it is neither stored nor counted. `question` is
        one line that is not empty.
        """
        asked_at = self._clock()
        question_id = self._new_id()
        self._remember(
            f"Question: {question}",
            MemoryKind.WORKING,
            QUESTION,
            {"question_id": question_id},
            learner,
        )
        model = self._new_model()
        understood = self._understand(question, learner, options, model)
        ask = Ask(
            question=understood.text,
            documents=documents,
            kind=QueryKind.COMPLETED if understood.completed else QueryKind.QUESTION,
            options=options,
            advanced=advanced,
            model=model,
        )
        for piece in self._look_up(understood, ask, question_id, learner):
            if isinstance(piece, str):
                yield AnswerPiece(text=piece)
            else:
                seconds = (self._clock() - asked_at).total_seconds()
                answer = replace(piece, seconds=seconds)
                self._record(answer, asked_at, learner)
                yield AnswerPiece(answer=answer)

    def _look_up(
        self, understood: _Understood, ask: Ask, question_id: str, learner: Learner
    ) -> Iterator[str | Answer]:
        """Yield pieces of text, then the answer from where the question is looked up."""
        if understood.route is Route.MEMORY:
            answer = self._from_memory(understood, question_id, learner, ask.model)
            yield answer.text
            yield understood.told(answer)
            return
        notes: tuple[RememberedSource, ...] = ()
        if understood.route is Route.BOTH:
            notes = self._rememberer.context(
                understood.text, namespace=learner.namespace, zone=learner.zone
            )
        elif ask.model is not None:
            notes = self._rememberer.related(understood.text, namespace=learner.namespace)
        ask = replace(ask, notes=tuple(note.text for note in notes))
        for piece in self._engine.ask(ask, namespace=learner.namespace):
            if isinstance(piece, str):
                yield piece
            else:
                answer = self._from_documents(piece, understood, question_id, learner)
                if understood.route is Route.DOCUMENTS and answer.mode is AnswerMode.GENERATED:
                    answer = replace(answer, memories=_numbered_on(answer, notes))
                yield understood.told(answer)

    def _understand(
        self, question: str, learner: Learner, options: AskOptions, model: MeteredModel | None
    ) -> _Understood:
        completed = self._completed(question, learner, model) if options.follow_up else None
        text = completed or question
        language = language_of(text)
        if options.route is not None:
            where, by = options.route, RoutedBy.LEARNER
        else:
            where, by = self._routed(text, language, model)
        return _Understood(
            asked=question, completed=completed, language=language, route=where, routed_by=by
        )

    def _completed(self, question: str, learner: Learner, model: MeteredModel | None) -> str | None:
        """Return a follow-up completed from the last turns of the session, None for others."""
        language = language_of(question)
        if not is_follow_up(question, language):
            return None
        last = self._history.questions(namespace=learner.namespace, limit=_TURNS)
        turns = [
            Turn(question=a.answer.completed or a.answer.question, answer=a.answer.text)
            for a in reversed(last)
            if a.session_id == learner.session_id
        ]
        if not turns:
            return None
        if model is not None:
            try:
                completed = complete_by_model(question, turns, language, model.call)
            except ModelError as exc:
                logger.warning("A follow-up could not be completed by the model: %s", exc)
            else:
                if completed is not None:
                    return completed
        completed = complete_by_rules(question, turns, language)
        # What the rules cannot complete ("Why?") is searched for with the question before it.
        return completed or f"{turns[-1].question} {question}"

    def _routed(
        self, question: str, language: str, model: MeteredModel | None
    ) -> tuple[Route, RoutedBy]:
        routing = route(question)
        if routing.certain or model is None:
            return routing.route, RoutedBy.RULES

        def complete(system: str, user: str) -> str:
            turns = [ChatTurn("system", system), ChatTurn("user", user)]
            return model.call("route", turns, _ROUTE_TOKENS)

        try:
            decided = route_by_model(question, language, complete)
        except ModelError as exc:
            logger.warning("The model did not say where to look: %s", exc)
            decided = None
        if decided is None:
            return routing.route, RoutedBy.RULES
        return decided, RoutedBy.MODEL

    def _from_memory(
        self,
        understood: _Understood,
        question_id: str,
        learner: Learner,
        model: MeteredModel | None,
    ) -> Answer:
        remembered = self._rememberer.answer(
            understood.text,
            understood.language,
            namespace=learner.namespace,
            zone=learner.zone,
        )
        refusal = None
        if not remembered.found:
            refusal = Refusal(reason=RefusalReason.NOTHING_REMEMBERED)
        return Answer(
            id=question_id,
            question=understood.asked,
            text=remembered.text,
            mode=AnswerMode.REMEMBERED if remembered.found else AnswerMode.REFUSED,
            language=understood.language,
            memories=remembered.sources,
            refusal=refusal,
            trace=Trace(calls=model.calls) if model is not None and model.calls else None,
        )

    def _from_documents(
        self, finished: Finished, understood: _Understood, question_id: str, learner: Learner
    ) -> Answer:
        answer = finished.as_answer(id=question_id, question=understood.asked, seconds=0.0)
        if understood.route is not Route.BOTH:
            return answer
        remembered = self._rememberer.answer(
            understood.text,
            understood.language,
            namespace=learner.namespace,
            zone=learner.zone,
        )
        return _with_memories(answer, remembered) if remembered.found else answer

    def _record(self, answer: Answer, asked_at: datetime, learner: Learner) -> None:
        self._history.add_question(
            AskedQuestion(
                id=answer.id, session_id=learner.session_id, asked_at=asked_at, answer=answer
            ),
            namespace=learner.namespace,
        )
        self._note_gap(answer, asked_at, learner.namespace)
        self._forget_deleted(answer, learner.namespace)
        self._afterwards.later(lambda: self._keep_passages(answer, learner))
        used = [memory.memory_id for memory in answer.memories]
        if used:
            self._afterwards.later(lambda: self._recorder.used(used, learner.namespace))
        asked = self._remember(
            f"Learning about '{answer.question}'",
            MemoryKind.EPISODIC,
            QA_INTERACTION,
            {
                "question_id": answer.id,
                "mode": answer.mode.value,
                "document_ids": list(dict.fromkeys(c.document_id for c in answer.citations)),
            },
            learner,
        )
        if answer.mode is AnswerMode.GENERATED:
            self._on_generated(asked, answer.text, learner.namespace)

    def _note_gap(self, answer: Answer, asked_at: datetime, namespace: str) -> None:
        """Keep a question that the documents did not answer; take one off that they now did."""
        refusal = answer.refusal
        if answer.citations:
            self._history.close_gap_for(answer.question, namespace=namespace)
        elif refusal is not None and refusal.reason in _GAPS:
            gap = Gap(
                id=self._new_id(),
                question=answer.question,
                question_id=answer.id,
                language=answer.language,
                asked_at=asked_at,
                reason=refusal.reason,
                nearest=refusal.nearest,
            )
            self._history.add_gap(gap, namespace=namespace)

    def _keep_passages(self, answer: Answer, learner: Learner) -> None:
        """Remember what answered, unless its document was deleted before or meanwhile."""
        there = {d.id for d in self._engine.documents(namespace=learner.namespace)}
        cited = tuple(c for c in answer.citations if c.document_id in there)
        self._recorder.answered_from(
            replace(answer, citations=cited),
            session_id=learner.session_id,
            namespace=learner.namespace,
        )
        left = {d.id for d in self._engine.documents(namespace=learner.namespace)}
        for document_id in {c.document_id for c in cited} - left:
            self._recorder.removed(document_id, learner.namespace)

    def _forget_deleted(self, answer: Answer, namespace: str) -> None:
        """Take out of a stored answer what is of a document deleted while it was made.

        Either this sees the document gone, or the deletion comes later and sees the answer.
        """
        there = {d.id for d in self._engine.documents(namespace=namespace)}
        for document_id in documents_of(answer) - there:
            self._history.forget_document(document_id, at=self._clock(), namespace=namespace)

    def _remember(
        self,
        content: str,
        kind: MemoryKind,
        event: str,
        metadata: dict[str, object],
        learner: Learner,
    ) -> Memory:
        return self._recorder.remember(
            content,
            kind,
            event,
            metadata,
            session_id=learner.session_id,
            namespace=learner.namespace,
        )


def _last_number(answer: Answer) -> int:
    return max((c.number for c in answer.citations), default=0)


def _numbered_on(
    answer: Answer, sources: Sequence[RememberedSource]
) -> tuple[RememberedSource, ...]:
    """Return sources numbered from 1, numbered on behind the answer's citations."""
    first = _last_number(answer)
    return tuple(replace(source, number=source.number + first) for source in sources)


def _with_memories(answer: Answer, remembered: Remembered) -> Answer:
    """Return the answer with what is remembered below it; its sources are numbered on.

    Where the documents do not answer, what is remembered is the answer.
    """
    first = _last_number(answer)
    text = _MARK.sub(lambda mark: f"[{int(mark.group(1)) + first}]", remembered.text)
    memories = _numbered_on(answer, remembered.sources)
    if answer.mode is AnswerMode.REFUSED:
        return replace(
            answer, mode=AnswerMode.REMEMBERED, text=text, memories=memories, refusal=None
        )
    return replace(answer, text=f"{answer.text}\n\n{text}", memories=memories)
