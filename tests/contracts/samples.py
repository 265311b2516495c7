"""Points, documents, memories and answers for the contract suites."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np

from core.domain.answer import Answer, AnswerMode, Box, Citation, CitationState, Passage
from core.domain.document import (
    Block,
    BlockKind,
    Chunk,
    Document,
    DocumentState,
    Figure,
    Line,
    OutlineEntry,
    Page,
    ReaderName,
    Segment,
    TextRange,
    TextSource,
)
from core.domain.job import Job, JobKind
from core.domain.memory import Memory, MemoryKind
from core.domain.study import AskedQuestion
from core.ports.document_store import DocumentStore
from core.ports.embedder import Vectors
from core.ports.vector_store import VectorPoint

OWNER = "pdf_owner"
OTHER = "pdf_other"
START = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)
POINTS_PER_BATCH = 3


def point_id(number: int) -> str:
    return str(uuid.UUID(int=number + 1))


def point(
    number: int,
    vector: list[float] | None = None,
    /,
    *,
    document_id: str = "d",
    **payload: str | int,
) -> VectorPoint:
    """A point; without `vector` one of its own direction, the same for the same number."""
    values = vector or np.random.default_rng(number).standard_normal(8).tolist()
    return VectorPoint(
        point_id(number),
        np.array(values, dtype=np.float32),
        {"document_id": document_id, **payload},
    )


def refined_vector(number: int) -> Vectors:
    """A vector of the refining tier of its own direction; the first axis for number 0."""
    if not number:
        return np.eye(1, 384, dtype=np.float32)[0]
    values = np.random.default_rng(number).standard_normal(384)
    return (values / np.linalg.norm(values)).astype(np.float32)


def batch_of_points(number: int) -> list[VectorPoint]:
    first = number * POINTS_PER_BATCH
    return [point(n, batch=number) for n in range(first, first + POINTS_PER_BATCH)]


def page(number: int, text: str) -> Page:
    return Page(
        number=number,
        label=f"p-{number}" if number % 2 else None,
        text=text,
        width=595.25,
        height=842.0,
        blocks=tuple(
            Block(kind=kind, start=i, end=i + 1, level=i % 7) for i, kind in enumerate(BlockKind)
        ),
        segments=(Segment(start=0, end=5, letter=0), Segment(start=6, end=9, letter=4)),
        source=TextSource.OCR if number % 2 else TextSource.LAYER,
        lines=(Line(start=0, end=5, x0=1.5, y0=2, x1=100.25, y1=14),),
        figures=(Figure(x0=0, y0=1, x1=200, y1=300.5, caption="图 1 🎓"),),
    )


def pages_of(document_id: str) -> list[Page]:
    return [
        page(1, f"First page of {document_id}. It ends here."),
        page(2, "第二页：机器学习 𠮷 🎓 é."),
        page(3, "Third page."),
    ]


def chunks_of(document_id: str, pages: list[Page]) -> list[Chunk]:
    """Two chunks: one on a single page, one over two pages."""
    ranges = (
        (TextRange(page=1, start=0, end=10),),
        (TextRange(page=1, start=11, end=15), TextRange(page=2, start=0, end=9)),
    )
    return [
        Chunk(
            id=f"{document_id}/{ordinal}",
            document_id=document_id,
            ordinal=ordinal,
            text="\n".join(pages[r.page - 1].text[r.start : r.end] for r in of_chunk),
            ranges=of_chunk,
            heading_path=("Teil 1", "第一节"),
            tokens=7 + ordinal,
            context=pages[0].text[2:6] if ordinal else "",
            context_ranges=(TextRange(page=1, start=2, end=6),) if ordinal else (),
        )
        for ordinal, of_chunk in enumerate(ranges)
    ]


def document(document_id: str, *, loaded_at: datetime = START) -> Document:
    return Document(
        id=document_id,
        name=f"{document_id} 论文 🎓.pdf",
        title="Über das Lernen 学习",
        sha256="0" * 64,
        size=5_000_000_000,
        pages=3,
        chunks=2,
        language="zh",
        reader=ReaderName.PYPDF,
        loaded_at=loaded_at,
        embedder="test@1",
        warnings=("no_boxes",),
        textless_pages=(4, 5),
        format="docx",
        pages_read=2,
        ocr_pages=(3,),
        outline=(OutlineEntry(level=1, title="Teil 1", page=1),),
        refined=1,
    )


def add_document(
    store: DocumentStore,
    document_id: str,
    *,
    namespace: str,
    loaded_at: datetime = START,
    pages: list[Page] | None = None,
) -> Document:
    stored = document(document_id, loaded_at=loaded_at)
    pages = pages or pages_of(document_id)
    segment = b"\x00\xff" + document_id.encode()
    store.begin(beginning(document_id), namespace=namespace)
    store.append(
        replace(stored, state=DocumentState.READING),
        pages=pages,
        chunks=chunks_of(document_id, pages),
        segment=segment,
        namespace=namespace,
    )
    store.finish(stored, segment=segment, namespace=namespace)
    return stored


def beginning(document_id: str) -> Document:
    """The record of a document whose pages have not come in yet."""
    return replace(document(document_id), state=DocumentState.READING, chunks=0, pages_read=0)


def memory(
    memory_id: str,
    *,
    content: str = "Überanpassung 过拟合 🎓",
    minutes: int = 0,
    kind: MemoryKind = MemoryKind.SEMANTIC,
) -> Memory:
    return Memory(
        id=memory_id,
        kind=kind,
        content=content,
        importance=0.75,
        created_at=START + timedelta(minutes=minutes),
        session_id="s1",
        event="note",
        metadata={"concept": "概念", "document_ids": ["a", "b"], "count": 3, "none": None},
    )


def citation(number: int, document_id: str, quote: str = "a quote 引文 🎓") -> Citation:
    return Citation(
        number=number,
        document=f"{document_id}.pdf",
        document_id=document_id,
        page=2,
        pages=(2, 3),
        page_label="ii",
        quote=quote,
        state=CitationState.PARTIAL,
        score=0.5,
        boxes=(Box(page=2, x0=1.5, y0=2.0, x1=3.25, y1=4.0), Box(page=3, x0=0, y0=0, x1=1, y1=1)),
    )


def asked(
    question_id: str,
    *citations: Citation,
    minutes: int = 0,
    text: str = "An answer [1].",
) -> AskedQuestion:
    answer = Answer(
        id=question_id,
        question="什么是过拟合? 🎓",
        text=text,
        mode=AnswerMode.GENERATED,
        language="zh",
        citations=citations,
        passages=(
            Passage(
                chunk_id="c",
                document="a.pdf",
                document_id="a",
                page=1,
                pages=(1,),
                page_label=None,
                text="a whole passage that is not to be stored",
                heading_path=(),
                score=1.0,
                scores={"dense": 1.0},
            ),
        ),
        removed=2,
        notice="model_unavailable",
        detail="The model did not answer.",
        seconds=1.25,
        timings={"search": 0.5},
    )
    return AskedQuestion(
        id=question_id,
        session_id="s1",
        asked_at=START + timedelta(minutes=minutes),
        answer=answer,
    )


def job(job_id: str, *, document_id: str = "a", kind: JobKind = JobKind.LOAD) -> Job:
    return Job(
        id=job_id,
        kind=kind,
        document_id=document_id,
        name=f"{document_id} 论文 🎓.pdf",
        format="pdf",
        session_id="s1",
        created_at=START,
    )
