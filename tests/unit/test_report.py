"""The learning report."""

import json
import math
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.domain.answer import Answer, AnswerMode, Citation, CitationState
from core.domain.document import Document, ReaderName
from core.domain.memory import Memory, MemoryKind
from core.domain.study import AskedQuestion, Totals
from core.errors import InvalidInputError, StoreError
from core.study.report import RagStatus, ReportData, build_report, write_report

START = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)


def citation(score: float = 0.81) -> Citation:
    return Citation(
        number=1,
        document="attention.pdf",
        document_id="d1",
        page=14,
        pages=(14, 15),
        page_label="xii",
        quote="自注意力“看着”每个词。",
        state=CitationState.EXACT,
        score=score,
    )


def data(**changes) -> ReportData:
    document = Document(
        id="d1",
        name="attention.pdf",
        title="Attention",
        sha256="0" * 64,
        size=1000,
        pages=15,
        chunks=40,
        language="en",
        reader=ReaderName.LITEPARSE,
        loaded_at=START,
        embedder="use/1",
        warnings=("no_boxes",),
    )
    note = Memory(
        id="m1",
        kind=MemoryKind.SEMANTIC,
        content="Positions must be added.",
        importance=0.8,
        created_at=START + timedelta(minutes=3),
        session_id="s1",
        event="note",
        metadata={"concept": "positions"},
    )
    asked = AskedQuestion(
        id="q1",
        session_id="s1",
        asked_at=START + timedelta(minutes=2),
        answer=Answer(
            id="q1",
            question="What is attention?",
            text="A weighted sum.[1]",
            mode=AnswerMode.GENERATED,
            language="en",
            citations=(citation(),),
            removed=1,
        ),
    )
    given = {
        "session_id": "s1",
        "user_id": "u1",
        "started_at": START,
        "generated_at": START + timedelta(minutes=5, microseconds=1500),
        "documents_loaded": 1,
        "questions_asked": 1,
        "concepts_learned": 1,
        "totals": Totals(
            documents_loaded=4,
            documents=2,
            pages=80,
            questions_asked=9,
            citations=12,
            concepts_learned=3,
            sessions=5,
            first_activity=START - timedelta(days=8),
            memories={"semantic": 3},
        ),
        "memory_summary": {"total": 1, "kinds": {}, "important": []},
        "status": RagStatus(
            answering="qwen-plus",
            embedder="use/1",
            vector_store="qdrant-edge",
            record_store="sqlite",
        ),
        "documents": [document],
        "notes": [note],
        "questions": [asked],
    }
    return ReportData(**{**given, **changes})


def test_the_fields_of_the_tutorial_with_real_data():
    report = build_report(data())
    assert report["session_info"] == {
        "session_id": "s1",
        "user_id": "u1",
        "start_time": "2026-03-02T09:30:00+00:00",
        "duration_seconds": 300.002,
    }
    assert report["learning_metrics"] == {
        "documents_loaded": 1,
        "questions_asked": 1,
        "concepts_learned": 1,
        "total": {
            "documents_loaded": 4,
            "documents": 2,
            "pages": 80,
            "questions_asked": 9,
            "citations": 12,
            "concepts_learned": 3,
            "sessions": 5,
            "first_activity": "2026-02-22T09:30:00+00:00",
            "memories": {"semantic": 3},
        },
    }
    assert report["memory_summary"] == {"total": 1, "kinds": {}, "important": []}
    assert report["generated_at"] == "2026-03-02T09:35:00.001500+00:00"


def test_rag_status_is_data():
    assert build_report(data())["rag_status"] == {
        "answering": "qwen-plus",
        "embedder": "use/1",
        "vector_store": "qdrant-edge",
        "record_store": "sqlite",
        "total_pages": 15,
        "total_chunks": 40,
        "documents": [
            {
                "name": "attention.pdf",
                "title": "Attention",
                "document_id": "d1",
                "pages": 15,
                "chunks": 40,
                "language": "en",
                "reader": "liteparse",
                "embedder": "use/1",
                "loaded_at": "2026-03-02T09:30:00+00:00",
                "warnings": ["no_boxes"],
            }
        ],
    }


def test_notes_and_questions_with_their_proof():
    report = build_report(data())
    assert report["notes"] == [
        {
            "content": "Positions must be added.",
            "concept": "positions",
            "created_at": "2026-03-02T09:33:00+00:00",
        }
    ]
    assert report["questions"] == [
        {
            "question": "What is attention?",
            "asked_at": "2026-03-02T09:32:00+00:00",
            "session_id": "s1",
            "mode": "generated",
            "answer": "A weighted sum.[1]",
            "notice": None,
            "removed": 1,
            "citations": [
                {
                    "number": 1,
                    "document": "attention.pdf",
                    "document_id": "d1",
                    "page": 14,
                    "pages": [14, 15],
                    "page_label": "xii",
                    "quote": "自注意力“看着”每个词。",
                    "state": "exact",
                    "score": 0.81,
                }
            ],
        }
    ]


def test_an_empty_session_is_a_report_too():
    report = build_report(
        data(documents=[], notes=[], questions=[], started_at=START, generated_at=START)
    )
    assert report["session_info"]["duration_seconds"] == 0.0
    assert (report["notes"], report["questions"]) == ([], [])
    assert report["rag_status"]["total_pages"] == 0


def test_no_nan_even_from_a_broken_score(tmp_path):
    (asked,) = data().questions
    answer = Answer(
        id="q1",
        question="q",
        text="t",
        mode=AnswerMode.EXTRACTIVE,
        language="en",
        citations=(citation(math.nan), citation(math.inf)),
    )
    broken = AskedQuestion(id="q1", session_id="s1", asked_at=asked.asked_at, answer=answer)
    report = build_report(data(questions=[broken]))
    assert [c["score"] for c in report["questions"][0]["citations"]] == [None, None]
    write_report(tmp_path, "s1", report)


def test_written_file_reads_back_as_strict_json(tmp_path):
    report = build_report(data())
    path = write_report(tmp_path / "reports", "session_20260302-1", report)
    assert path == tmp_path / "reports" / "learning_report_session_20260302-1.json"
    text = path.read_text(encoding="utf-8")
    assert "自注意力“看着”每个词。" in text
    assert json.loads(text, parse_constant=lambda name: pytest.fail(name)) == report
    assert [p.name for p in path.parent.iterdir()] == [path.name]


def test_only_the_owner_of_the_process_can_read_it(tmp_path):
    path = write_report(tmp_path, "s1", {})
    assert os.name == "nt" or path.stat().st_mode & 0o077 == 0


def test_writing_again_replaces(tmp_path):
    write_report(tmp_path, "s1", {"n": 1})
    path = write_report(tmp_path, "s1", {"n": 2})
    assert json.loads(path.read_text(encoding="utf-8")) == {"n": 2}
    assert len(list(tmp_path.iterdir())) == 1


def test_a_lone_surrogate_does_not_stop_the_report(tmp_path):
    path = write_report(tmp_path, "s1", {"note": "a\ud800b"})
    assert json.loads(path.read_text(encoding="utf-8")) == {"note": "a?b"}


@pytest.mark.parametrize("session_id", ["", "../s", "a/b", "a.json", "s\n", "会话", "x" * 101])
def test_session_ids_that_are_no_file_names(tmp_path, session_id):
    with pytest.raises(InvalidInputError):
        write_report(tmp_path, session_id, {})
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_store_error(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="report"):
        write_report(tmp_path / "file" / "reports", "s1", {})


def test_a_failed_write_leaves_the_old_report_alone(tmp_path: Path):
    path = write_report(tmp_path, "s1", {"n": 1})
    with pytest.raises(ValueError, match="JSON"):
        write_report(tmp_path, "s1", {"n": math.nan})
    assert json.loads(path.read_text(encoding="utf-8")) == {"n": 1}
    assert list(tmp_path.iterdir()) == [path]
