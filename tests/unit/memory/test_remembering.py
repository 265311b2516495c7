"""Answers from the learning history, on SQLite, on Monday, 2 March 2026, 09:30."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.domain.answer import (
    Answer,
    AnswerMode,
    Citation,
    CitationState,
    Refusal,
    RefusalReason,
)
from core.domain.document import Document, DocumentState, ReaderName
from core.domain.job import Job, JobKind
from core.domain.memory import MemoryKind
from core.domain.study import AskedQuestion
from core.memory.archive import Archive
from core.memory.engine import MemoryEngine
from core.memory.query import NOTE, QA_INTERACTION
from core.recording import Recorder
from core.remembering import MOST_SOURCES, Remembered, Rememberer
from core.stores.archive import SqlArchiveStore
from core.stores.database import open_database
from core.stores.history import SqlHistoryStore
from tests.fakes import MONDAY, Clock, IdCounter

NS = "pdf_a"
SECRET = "the zebra is striped"


@dataclass
class Desk:
    """A learner's doings on real stores, and what is remembered of them."""

    memory: MemoryEngine
    history: SqlHistoryStore
    clock: Clock
    archive: Archive | None = None
    ids: IdCounter = field(default_factory=IdCounter)
    there: dict[str, Document] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.recorder = Recorder(self.memory, self.history, self.clock)
        self.rememberer = Rememberer(
            self.memory,
            self.history,
            lambda _: list(self.there.values()),
            self.clock,
            self.archive,
        )

    def load(self, name: str, *, pages: int = 3, state: DocumentState = DocumentState.READY) -> str:
        document = Document(
            id=f"id-{name}",
            name=name,
            title=name,
            sha256="0",
            size=1,
            pages=pages,
            chunks=1,
            language="en",
            reader=ReaderName.LITEPARSE,
            loaded_at=self.clock(),
            embedder="words-1",
            state=state,
            pages_read=pages,
        )
        self.there[document.id] = document
        if state is DocumentState.READY:
            job = Job(
                id="j",
                kind=JobKind.LOAD,
                document_id=document.id,
                name=name,
                format="pdf",
                session_id="s",
                created_at=self.clock(),
            )
            self.recorder.loaded(document, job, NS)
        return document.id

    def delete(self, document_id: str) -> None:
        self.history.forget_document(document_id, at=self.clock(), namespace=NS)
        del self.there[document_id]

    def ask(self, question: str, document_id: str | None = None, *, page: int = 2) -> str:
        """Ask a question; with a document it is answered from it, else refused."""
        citation = Citation(
            number=1,
            document=str(document_id).removeprefix("id-"),
            document_id=str(document_id),
            page=page,
            pages=(page,),
            page_label=None,
            quote=SECRET,
            state=CitationState.EXACT,
            score=1.0,
        )
        cited = (citation,) if document_id else ()
        mode = AnswerMode.EXTRACTIVE if cited else AnswerMode.REFUSED
        refusal = None if cited else Refusal(reason=RefusalReason.NOT_ANSWERED)
        return self.record(
            Answer(
                id=self.ids(),
                question=question,
                text=f"{SECRET} [1]",
                mode=mode,
                language="en",
                citations=cited,
                refusal=refusal,
            )
        )

    def record(self, answer: Answer) -> str:
        self.history.add_question(
            AskedQuestion(id=answer.id, session_id="s", asked_at=self.clock(), answer=answer),
            namespace=NS,
        )
        metadata = {
            "question_id": answer.id,
            "mode": answer.mode.value,
            "document_ids": [c.document_id for c in answer.citations],
        }
        self._keep(
            f"Learning about '{answer.question}'", MemoryKind.EPISODIC, QA_INTERACTION, metadata
        )
        return answer.id

    def note(self, text: str, concept: str = "general") -> None:
        self._keep(text, MemoryKind.SEMANTIC, NOTE, {"concept": concept})

    def _keep(self, text: str, kind: MemoryKind, event: str, metadata: dict[str, object]) -> None:
        self.recorder.remember(text, kind, event, metadata, session_id="s", namespace=NS)

    def answer(self, question: str, language: str = "en") -> Remembered:
        remembered = self.rememberer.answer(question, language, namespace=NS)
        marks = [int(n) for n in re.findall(r"\[(\d+)\]", remembered.text)]
        assert marks == [source.number for source in remembered.sources]
        assert marks == list(range(1, len(marks) + 1))
        assert remembered.found == bool(marks)
        assert SECRET not in remembered.text
        assert all(line.endswith("]") for line in remembered.text.splitlines() if line[0] == "-")
        return remembered

    def lines(self, question: str, language: str = "en") -> list[str]:
        return self.answer(question, language).text.splitlines()


@pytest.fixture
def desk(manager, parts, clock, tmp_path) -> Iterator[Desk]:
    database = open_database(None, tmp_path / "history")
    history = SqlHistoryStore(database)
    archive = Archive(
        archived=SqlArchiveStore(database),
        store=parts["store"],
        durable=manager.durable,
        clock=clock,
    )
    yield Desk(manager, history, clock, archive)
    history.close()


def test_loaded_documents_are_all_told_also_those_that_are_gone(desk):
    gone = desk.load("old.pdf", pages=1)
    desk.clock.forward(days=1)
    desk.load("attention.pdf", pages=15)
    desk.delete(gone)
    assert desk.lines("What documents have I loaded before?") == [
        "You have loaded 2 documents:",
        "- attention.pdf, 15 pages, loaded on 3 March 2026 [1]",
        "- old.pdf, 1 page, loaded on 2 March 2026, removed since [2]",
    ]
    assert desk.lines("我加载过哪些文档？", "zh") == [
        "你加载过 2 份文档：",
        "- 《attention.pdf》，15 页，2026年3月3日加载 [1]",
        "- 《old.pdf》，1 页，2026年3月2日加载，现已删除 [2]",
    ]
    first, second = desk.answer("Which documents did I load?").sources
    assert (first.document_id, first.text) == ("id-attention.pdf", "attention.pdf")
    assert (second.document_id, second.event) == (None, "document_loaded")


def test_a_document_loaded_twice_is_one_line_and_one_being_read_is_told(desk):
    gone = desk.load("a.pdf")
    desk.delete(gone)
    desk.clock.forward(days=2)
    desk.load("a.pdf")
    desk.load("b.pdf", state=DocumentState.READING)
    assert desk.lines("Which documents did I load?") == [
        "You have loaded 1 document:",
        "- a.pdf, 3 pages, loaded on 2 March 2026 and 4 March 2026 [1]",
        "Still being read: b.pdf.",
    ]


def test_questions_of_yesterday_with_what_became_of_them(desk):
    document = desk.load("attention.pdf")
    desk.ask("What is attention?", document, page=7)
    desk.clock.forward(hours=1)
    desk.ask("Who was Lincoln?")
    desk.clock.forward(days=1)
    desk.ask("What is today's question?")
    assert desk.lines("What did I ask yesterday?") == [
        "You have asked 2 questions on Monday, 2 March 2026:",
        "- 10:30: “Who was Lincoln?” – not answered [1]",
        "- 09:30: “What is attention?” – answered from attention.pdf, page 7 [2]",
    ]
    assert desk.lines("我昨天问了什么？", "zh") == [
        "你在2026年3月2日（星期一）问过 2 个问题：",
        "- 10:30：“Who was Lincoln?”，未得到回答 [1]",
        "- 09:30：“What is attention?”，回答来自《attention.pdf》第 7 页 [2]",
    ]
    assert desk.lines("What was my last question?")[1:] == [
        "- 3 March 2026 10:30: “What is today's question?” – not answered [1]"
    ]
    assert len(desk.answer("Which questions of mine were never answered?").sources) == 2
    assert len(desk.answer("我提过哪些问题没有得到回答？", "zh").sources) == 2
    desk.ask("Who was Lincoln?", document)
    assert desk.lines("Which questions of mine were never answered?")[0] == (
        "You have asked 1 question without an answer:"
    )
    assert desk.answer("What was the first question I asked?").sources[0].text == (
        "What is attention?"
    )


def test_what_is_not_there_is_said_with_the_time_looked_at(desk):
    assert desk.lines("What did I ask yesterday?") == [
        "Your learning history has no question on Sunday, 1 March 2026."
    ]
    assert desk.lines("What did I learn last week?") == [
        "Your learning history has nothing from 23 February 2026 to 1 March 2026."
    ]
    assert desk.lines("我上周学了什么？", "zh") == [
        "你的学习记录里在2026年2月23日至2026年3月1日没有内容。"
    ]
    assert desk.lines("Show my notes on entropy") == [
        "Your learning history has no note about “entropy”."
    ]
    assert desk.lines("看看我关于熵的笔记", "zh") == ["你的学习记录里没有与“熵”有关的笔记。"]
    assert desk.lines("Which documents did I load?") == [
        "Your learning history has no loaded document."
    ]


def test_days_are_those_of_the_clock(parts, tmp_path):
    clock = Clock(MONDAY.astimezone(timezone(timedelta(hours=8))))
    history = SqlHistoryStore(open_database(None, tmp_path / "history"))
    desk = Desk(MemoryEngine(**{**parts, "clock": clock}), history, clock)
    clock.now = datetime(2026, 3, 2, 1, 0, tzinfo=clock.now.tzinfo)  # 1 March in UTC
    desk.ask("What is attention?")
    clock.forward(days=1)
    assert desk.lines("What did I ask yesterday?")[1].startswith("- 01:00:")
    history.close()


def test_notes_by_subject_with_their_concepts(desk):
    desk.note("Attention weighs values by keys and queries.", "attention")
    desk.note("Erosion moves soil.")
    assert desk.lines("Show my notes on attention") == [
        "You have written 1 note about “attention”:",
        "- 2 March 2026 09:30, on attention: Attention weighs values by keys and queries. [1]",
    ]
    assert desk.lines("我的笔记", "zh")[0] == "你写过 2 条笔记："
    told = desk.lines("看看我关于attention的笔记", "zh")
    assert told[0] == "你写过 1 条与“attention”有关的笔记："
    assert told[1].startswith("- 2026年3月2日 09:30，关于attention：Attention weighs")
    assert "Erosion moves soil." in desk.answer("my notes").text


def test_what_was_learned_about_a_subject(desk):
    document = desk.load("nature.pdf")
    desk.note("Erosion moves soil.", "erosion")
    desk.ask("What causes erosion?", document)
    desk.ask("Who was Lincoln?", document)
    desk.record(
        Answer(
            id=desk.ids(),
            question="What have I learned about erosion?",
            text="…",
            mode=AnswerMode.REMEMBERED,
            language="en",
        )
    )
    assert desk.lines("What have I learned about erosion?") == [
        "This is in your learning history about “erosion”:",
        "Notes:",
        "- 2 March 2026 09:30, on erosion: Erosion moves soil. [1]",
        "Questions:",
        "- 2 March 2026 09:30: “What causes erosion?” – answered from nature.pdf, page 2 [2]",
    ]
    assert desk.lines("关于erosion我学过什么？", "zh")[0] == "关于“erosion”，你的学习记录里有："


def test_a_week_by_day_the_newest_first(desk):
    document = desk.load("nature.pdf")
    desk.note("Erosion moves soil.", "erosion")
    desk.clock.forward(days=1)
    desk.ask("What causes erosion?", document)
    desk.clock.forward(days=7)
    assert desk.lines("What did I learn last week?") == [
        "This is what you did from 2 March 2026 to 8 March 2026:",
        "Tuesday, 3 March 2026: 1 question",
        "- Asked: 09:30: “What causes erosion?” – answered from nature.pdf, page 2 [1]",
        "Monday, 2 March 2026: 1 document and 1 note",
        "- Noted: 09:30, on erosion: Erosion moves soil. [2]",
        "- Loaded: nature.pdf, 3 pages, loaded on 2 March 2026 [3]",
    ]
    assert desk.lines("回顾一下上周的内容", "zh")[1] == "2026年3月3日（星期二）：1 个问题"


def test_of_many_things_some_of_every_day_are_shown_and_the_rest_is_counted(desk):
    for day in range(3):
        for number in range(6):
            desk.note(f"Note number {number} of day {day}")
        desk.clock.forward(days=1)
    remembered = desk.answer("What did I learn before?")
    assert len(remembered.sources) == MOST_SOURCES
    assert remembered.text.count(": 6 notes") == 3
    assert remembered.text.endswith("And 8 more.")
    assert desk.lines("我的笔记", "zh")[-1] == "另外还有 8 条。"


def test_after_a_deletion_no_text_of_the_document_is_told(desk):
    document = desk.load("nature.pdf")
    desk.ask("What causes erosion?", document)
    desk.delete(document)
    (line,) = desk.lines("What did I ask today?")[1:]
    assert line.endswith("– the answer was removed with its document [1]")
    (source,) = desk.answer("What did I ask today?").sources
    assert source.document_id is None
    assert "nature.pdf" not in desk.answer("What have I learned about erosion?").text


def test_what_looks_like_a_mark_or_goes_over_lines_is_made_harmless(desk):
    desk.note("as [9] says\nand more " + "x" * 300)
    (line,) = desk.lines("my notes")[1:]
    assert "as (9) says and more" in line
    assert line.endswith("… [1]")


def test_context_for_a_question_to_both(desk):
    desk.load("nature.pdf")
    desk.note("Erosion moves soil.", "erosion")
    desk.note("Lincoln was a president.")
    desk.ask("What causes erosion?", "id-nature.pdf")
    texts = [
        source.text
        for source in desk.rememberer.context(
            "Compare what I learned about erosion with what the paper says", namespace=NS
        )
    ]
    assert texts == ["Erosion moves soil.", "What causes erosion?"]
    notes = desk.rememberer.context("Is my note about erosion correct?", namespace=NS)
    assert [(s.number, s.text) for s in notes] == [(1, "Erosion moves soil.")]
    assert desk.rememberer.context("Compare my notes on RAG with the paper", namespace=NS) == ()


def test_nobody_sees_what_another_learner_did(desk):
    desk.note("Erosion moves soil.")
    other = desk.rememberer.answer("my notes", "en", namespace="pdf_b")
    assert not other.found
    assert desk.rememberer.context("Are my notes right?", namespace="pdf_b") == ()


def test_what_was_archived_is_told_too(desk):
    desk.note("Erosion moves soil.", "erosion")
    desk.load("tides.pdf")
    desk.clock.forward(days=400)
    assert [m.event for m in desk.archive.run(namespace=NS)] == [NOTE]
    desk.note("Attention weighs words.")
    told = desk.answer("What are my notes?")
    assert [s.text for s in told.sources] == ["Attention weighs words.", "Erosion moves soil."]
    assert "Erosion moves soil." in desk.answer("What did I note about erosion?").text
    assert "tides.pdf" in desk.answer("What documents have I loaded before?").text


def test_days_are_those_of_the_learner(desk):
    desk.clock.now = datetime(2026, 3, 3, 17, 0, tzinfo=UTC)  # one in the morning in China
    desk.note("潮水推动水轮")
    desk.clock.forward(hours=12)
    china = timezone(timedelta(hours=8))
    told = desk.rememberer.answer("我昨天记了什么？", "zh", namespace=NS, zone=china)
    assert not told.found
    told = desk.rememberer.answer("我今天记了什么？", "zh", namespace=NS, zone=china)
    assert "01:00" in told.text
    assert desk.rememberer.answer("我昨天记了什么？", "zh", namespace=NS).found
