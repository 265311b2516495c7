"""The glass box, how an answer was found: what is shown, and that it stays tame."""

import json
import re
from dataclasses import replace

import pytest

from app.components.evidence import evidence_empty
from app.components.found import found_html
from app.components.meters import meter, share_bar, time_text
from app.finding import exported
from app.i18n import Words
from app.presenters import escape
from core.domain.answer import (
    AnswerMode,
    Doubt,
    DoubtKind,
    NearestPage,
    Refusal,
    RefusalReason,
    RememberedSource,
    Route,
    RoutedBy,
)
from core.domain.trace import (
    QueryKind,
    Trace,
    TraceCall,
    TraceCandidate,
    TraceQuery,
    TraceSentence,
    TraceTier,
)
from tests.samples import EN, HOSTILE, WHEN, ZH, Tags, answer, assert_tame, passage

BOTH = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])
MEMORIES = (
    RememberedSource(
        number=1, memory_id="m1", kind="semantic", event="note", text="Iron.", created_at=WHEN
    ),
)


def candidate(n: int, **changes: object) -> TraceCandidate:
    values: dict[str, object] = {
        "chunk_id": f"c{n}", "document_id": "d1", "document": "paper.pdf", "page": n,
        "scores": {"words": 0.5, "instant": 0.25, "fused": 0.4},
    }  # fmt: skip
    return TraceCandidate(**{**values, **changes})  # type: ignore[arg-type]


TRACE = Trace(
    queries=(
        TraceQuery(kind=QueryKind.QUESTION, text=HOSTILE, seconds=0.012),
        TraceQuery(kind=QueryKind.HYDE, text="Because of salt.", seconds=1.5),
    ),
    tiers=(
        TraceTier(name="refined", documents=2, asked=3),
        TraceTier(name="instant", documents=1, asked=1),
    ),
    candidates=(
        candidate(1, cited=(1, 2)),
        candidate(2, document=HOSTILE, dropped="not_quoted", reranked=0.75),
        candidate(3, document="notes.docx", scores={"later": 0.1}),
        *(candidate(n) for n in range(4, 13)),
    ),
    sentences=(
        TraceSentence(
            document_id="d1", page=1, text=HOSTILE, score=0.9, features={"cosine": 0.8},
            citation=1,
        ),
        TraceSentence(
            document_id="d1", page=2, text="No.", score=0.2, features={"odd": 7.0}, why="too_far"
        ),
    ),
    calls=(
        TraceCall(
            purpose="hyde", seconds=2.0, prompt_tokens=1200, completion_tokens=7, estimated=True,
            outcome="late",
        ),
    ),
    weights={"instant": 0.4, "words": 0.6},
    timings={"search": 0.25, "answer": 0.5},
    notes=("refined_partly", "feedback", "a_new_note"),
)  # fmt: skip


def box(words: Words = EN, **changes: object) -> str:
    return found_html(answer(**{"trace": TRACE, "seconds": 1.0, **changes}), words, stamp=5)


@BOTH
def test_the_glass_box_shows_the_whole_way_and_nothing_active(words: Words) -> None:
    html = box(words)
    assert_tame(html)
    text = Tags(html).text
    for key in (
        "found.query_question", "found.query_hyde", "found.tier_refined", "found.cited_as",
        "found.dropped_not_quoted", "found.not_cited", "found.why_too_far", "found.purpose_hyde",
        "found.outcome_late", "found.note_refined_partly", "found.note_feedback",
        "found.feature_cosine", "found.score_reranked", "found.step_search", "found.step_other",
        "found.routed_rules",
    ):  # fmt: skip
        assert words(key) in text, key
    assert words("found.covers", documents=2, asked=3) in text
    assert words("found.covers_one", documents=1, count=1, asked=1) in text
    assert HOSTILE in text
    assert "Because of salt." in text
    # Codes that came later than the words are shown as they are.
    assert "a_new_note" in text
    assert "odd" in text
    assert "later" in text


def test_candidates_open_their_pages_and_the_rest_is_folded() -> None:
    html = box()
    assert html.count('data-act="open_page"') == 12 + 2
    first, rest = html.split('class="found-more"')
    assert first.count("<tr") == 1 + 8
    assert rest.split("</details>")[0].count("<tr") == 1 + 4
    assert 'data-document="d1" data-page="12"' in rest
    assert EN("found.more", count=4) in rest
    assert "part 3" in first
    assert 'data-explains="q-1-2" data-stamp="5"' in html


def test_the_columns_are_the_scores_there_are() -> None:
    heads = re.findall(r"<th [^>]*>(.*?)</th>", box().split("</thead>")[0])
    expected = [EN(f"found.score_{n}") for n in ("instant", "words", "fused", "reranked")]
    assert heads == [EN("found.rank"), EN("found.place"), *expected]
    assert EN("found.all_scores") in box()  # of the score that has no column


def test_tokens_that_are_estimated_say_so() -> None:
    assert "~1,200" in box()
    exact = replace(TRACE, calls=(replace(TRACE.calls[0], estimated=False),))
    assert "~1,200" not in box(trace=exact)


@BOTH
def test_an_answer_without_a_trace_says_so_and_an_empty_one_stays_quiet(words: Words) -> None:
    assert escape(words("found.nothing")) in box(words, trace=None)
    assert "export_answer" not in box(words, trace=None)
    html = box(words, trace=Trace(), routed_by=RoutedBy.LEARNER)
    assert words("found.routed_learner") in html
    assert "<table" not in html
    assert "<h4" not in html


@BOTH
def test_what_has_no_trace_says_why(words: Words) -> None:
    remembered = box(words, trace=None, route=Route.MEMORY, citations=(), memories=MEMORIES)
    assert words.count("found.sum_memories", len(MEMORIES)) in remembered
    assert escape(words("found.remembered")) in remembered
    assert escape(words("found.nothing")) not in remembered
    assert 'data-act="export_answer"' in remembered
    empty = Refusal(reason=RefusalReason.NO_DOCUMENTS)
    refused = box(words, trace=None, mode=AnswerMode.REFUSED, refusal=empty)
    assert escape(words("found.nothing_there")) in refused


@BOTH
def test_what_became_of_passages_and_sentences_is_said_by_the_answers_kind(words: Words) -> None:
    assert words("found.dropped_not_read") in box(words, mode=AnswerMode.GENERATED)
    assert words("found.dropped_not_quoted") not in box(words, mode=AnswerMode.GENERATED)
    assert words("found.why_refused") in box(words, mode=AnswerMode.REFUSED)
    assert words("found.why_too_far") not in box(words, mode=AnswerMode.REFUSED)


@BOTH
def test_an_index_that_is_not_there_is_not_shown(words: Words) -> None:
    tiers = tuple(TraceTier(name=n, documents=0, asked=2) for n in ("instant", "refined"))
    html = box(words, trace=replace(TRACE, tiers=tiers, notes=("refined_partly",)))
    assert words("found.tier_refined_text") in html
    assert words("found.tier_instant_text") not in html
    assert "found-tiers" not in box(words, trace=replace(TRACE, tiers=tiers, notes=()))


@BOTH
def test_pages_are_those_of_the_file(words: Words) -> None:
    html = box(words)
    assert words("found.page_file", page=2) in html
    assert words("evidence.page_plain", page=2) in html  # a name without .pdf
    unknown = box(words, trace=replace(TRACE, candidates=(candidate(0),), sentences=()))
    assert words("found.page_file", page=0) not in unknown
    assert 'data-page="1"' in unknown


@BOTH
def test_the_empty_evidence_says_why_it_is(words: Words) -> None:
    near = NearestPage(document="b.pdf", document_id="d2", page=7, page_label="v", score=0.4)
    refused = answer(
        citations=(), refusal=Refusal(reason=RefusalReason.NOT_ANSWERED, nearest=(near,))
    )
    cases = {
        "ask.empty": None,
        "ask.empty_refused": refused,
        "ask.empty_remembered": answer(citations=(), memories=MEMORIES),
    }
    for key, given in cases.items():
        assert escape(words(key)) in evidence_empty(words, documents=True, answer=given)
    told = evidence_empty(words, documents=False, answer=refused)
    assert escape(words("ask.empty_no_documents")) in told


def test_meters_keep_to_their_bar_and_times_to_their_unit() -> None:
    assert "width:100%" in meter(3.0, label="x")
    assert "width:0%" in meter(-1.0, label="x")
    assert ">−0.25<" in meter(-0.25, label="x")
    assert ">0.00<" in meter(-0.001, label="x")
    assert "–" in meter(None, label="x")
    assert [time_text(s, EN) for s in (0, 0.0001, 0.25, 1.25)] == [
        "0 ms",
        "1 ms",
        "250 ms",
        "1.2 s",
    ]
    assert share_bar([], 0.0, EN).count("<li") == 0
    assert share_bar([("a", 1.0)], 4.0, EN).count("<li") == 2


def test_the_export_has_answer_and_trace_and_no_passages() -> None:
    full = answer(trace=TRACE, passages=(passage(3),), memories=MEMORIES, doubts=(
        Doubt(kind=DoubtKind.NUMBER, start=0, end=3),
    ))  # fmt: skip
    value = json.loads(exported(full))
    assert "passages" not in value
    assert value["text"] == full.text
    assert value["citations"][0]["quote"] == "Water eats iron."
    assert value["memories"][0]["created_at"] == WHEN.isoformat()
    assert value["doubts"] == [{"kind": "number", "start": 0, "end": 3}]
    assert Trace.of_json(value["trace"]) == TRACE
