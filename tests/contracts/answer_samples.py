"""Answers with all they can have, their traces, and gaps, for the contract suites."""

from dataclasses import replace
from datetime import timedelta

from core.domain.answer import (
    AnswerMode,
    Doubt,
    DoubtKind,
    Gap,
    NearestPage,
    Refusal,
    RefusalReason,
    RememberedSource,
    Route,
    RoutedBy,
)
from core.domain.study import AskedQuestion
from core.domain.trace import (
    QueryKind,
    Trace,
    TraceCall,
    TraceCandidate,
    TraceQuery,
    TraceSentence,
    TraceTier,
)
from tests.contracts.samples import START, asked, citation


def nearest(document_id: str, page: int) -> NearestPage:
    return NearestPage(
        document=f"{document_id}.pdf",
        document_id=document_id,
        page=page,
        page_label="iv",
        score=0.25,
    )


def trace_of(document_id: str, *, text: str, dropped: str | None = None) -> Trace:
    return Trace(
        queries=(TraceQuery(kind=QueryKind.FEEDBACK, text=f"question {text}", seconds=0.5),),
        tiers=(TraceTier(name="instant", documents=1, asked=2),),
        candidates=(
            TraceCandidate(
                chunk_id="c",
                document_id=document_id,
                document=f"{document_id}.pdf",
                page=3,
                scores={"fused": 0.5},
                cited=(1, 2),
                dropped=dropped,
            ),
        ),
        sentences=(
            TraceSentence(
                document_id=document_id, page=3, text=text, score=0.5, features={"words": 0.5}
            ),
        ),
        calls=(TraceCall(purpose="answer", seconds=1.5, prompt_tokens=7, outcome="used"),),
        weights={"instant": 0.5},
        timings={"search": 0.25},
        notes=("feedback",),
    )


def remembered_source(number: int, document_id: str | None) -> RememberedSource:
    return RememberedSource(
        number=number,
        memory_id=f"m{number}",
        kind="episodic",
        event="document_loaded",
        text="a memory 记忆",
        created_at=START,
        document_id=document_id,
        question_id="q0",
    )


def full(question_id: str) -> AskedQuestion:
    """A question whose answer has everything that is stored."""
    stored = asked(question_id, citation(1, "a"))
    answer = replace(
        stored.answer,
        passages=(),
        completed="And what of zebras in 2019?",
        route=Route.BOTH,
        routed_by=RoutedBy.LEARNER,
        refusal=Refusal(reason=RefusalReason.NOT_ANSWERED, nearest=(nearest("a", 3),)),
        doubts=(Doubt(kind=DoubtKind.NUMBER, start=1, end=4),),
        memories=(remembered_source(1, "a"), remembered_source(2, None)),
        trace=trace_of("a", text="a sentence"),
    )
    return replace(stored, answer=answer)


def refused_after_looking_at(document_id: str, other: str, *, text: str) -> AskedQuestion:
    """A refused question; only its trace and its nearest pages have to do with documents."""
    stored = asked("refused", text="No answer.")
    answer = replace(
        stored.answer,
        mode=AnswerMode.REFUSED,
        passages=(),
        completed=f"completed with {text}",
        refusal=Refusal(
            reason=RefusalReason.NOT_ANSWERED, nearest=(nearest(document_id, 3), nearest(other, 4))
        ),
        trace=trace_of(document_id, text=text),
    )
    return replace(stored, answer=answer)


def gap(gap_id: str, question: str, *, minutes: int = 0) -> Gap:
    return Gap(
        id=gap_id,
        question=question,
        question_id="q1",
        language="en",
        asked_at=START + timedelta(minutes=minutes),
        reason=RefusalReason.NOT_ANSWERED,
        nearest=(nearest("a", 1),),
    )
