"""How an answer was found, its doubts and its memories: what is shown, and that it stays tame."""

import json
import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from app.components.conversation import answer_markdown, note_text, waiting_message
from app.components.found import found_html
from app.components.gaps import gap_list
from app.components.meters import meter, share_bar, time_text
from app.components.prose import written_answer
from app.finding import exported
from app.i18n import Words
from app.presenters import escape, escape_markdown
from core.domain.answer import (
    Answer,
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
from core.domain.trace import (
    QueryKind,
    Trace,
    TraceCall,
    TraceCandidate,
    TraceQuery,
    TraceSentence,
    TraceTier,
)
from tests.samples import EN, HOSTILE, WHEN, ZH, Tags, active, answer, assert_tame, passage

BOTH = pytest.mark.parametrize("words", [EN, ZH], ids=["en", "zh"])


def shown(text: str, *doubts: tuple[DoubtKind, str], words: Words = EN) -> str:
    """The Markdown of a generated answer in which the given words are doubtful."""
    return written_answer(doubtful(text, *doubts), words)


def doubtful(text: str, *doubts: tuple[DoubtKind, str]) -> Answer:
    marked = tuple(
        Doubt(kind=kind, start=text.index(said), end=text.index(said) + len(said))
        for kind, said in doubts
    )
    return answer(text=text, mode=AnswerMode.GENERATED, doubts=marked)


def rendered(markdown: str) -> str:
    """The Markdown as a page shows it; HTML in it is kept, so that nothing can hide."""
    html: str = MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(markdown)
    return html


def marked(markdown: str, kind: DoubtKind) -> list[str]:
    """What stands inside the marks of a kind, as a reader sees it."""
    html = re.sub(r'<span class="unseen">.*?</span>', "", rendered(markdown))
    pattern = rf'<span class="doubt-{kind}"[^>]*>((?:<span[^>]*>.*?</span>|.)*?)</span>'
    return [Tags(found).text for found in re.findall(pattern, html, re.DOTALL)]


# --- doubts ---------------------------------------------------------------------------------------

NUMBER, UNGROUNDED = DoubtKind.NUMBER, DoubtKind.UNGROUNDED


@pytest.mark.parametrize(
    ("text", "said", "read"),
    [
        ("It rose by 42 % in 2019. [1]", "42 %", "42 %"),
        ("**It rose by 42 %** [1]", "42 %", "42 %"),
        ("**42 %** [1]", "42 %", "42 %"),
        ("- one [1]\n- it rose by 42.5 [1]", "42.5", "42.5"),
        ("1. **42** more [1]", "42", "42"),
        ("## It rose by *42* [1]", "42", "42"),
        ("It is `x = 42` now. [1]", "42", "x = 42"),
        ("先升了 42% 。[1]", "42%", "42%"),
        ("   It rose\tby 42 [1]", "42", "42"),
    ],
)
def test_a_number_no_quote_contains_is_marked_where_it_stands(
    text: str, said: str, read: str
) -> None:
    markdown = shown(text, (NUMBER, said))
    assert marked(markdown, NUMBER) == [read]
    assert f'title="{EN("doubt.number")}"' in markdown
    assert "(#cite-q-1-2-1)" in markdown


def test_an_ungrounded_sentence_is_marked_with_the_number_in_it_and_said_once() -> None:
    text = "Oak is used. [1] It lasts **over 300** years. More. [1]"
    markdown = shown(text, (UNGROUNDED, "It lasts **over 300** years."), (NUMBER, "300"))
    assert "".join(marked(markdown, UNGROUNDED)).split() == ["It", "lasts", "over", "300", "years."]
    assert markdown.count(EN("doubt.ungrounded_label")) == 1
    assert markdown.count(EN("doubt.number_label")) == 1
    assert markdown.index("Oak is used") < markdown.index("doubt-ungrounded")
    assert "**" not in rendered(markdown)


def test_a_doubt_of_two_paragraphs_marks_both() -> None:
    text = "Proven. [1]\n\nNot this.\n\n- nor that [1]"
    markdown = shown(text, (UNGROUNDED, "Not this.\n\n- nor that"))
    assert [m.strip() for m in marked(markdown, UNGROUNDED)] == ["Not this.", "nor that"]


@pytest.mark.parametrize("text", ["42", "a\n```\nx = 42\n```\n[1]", "**", "42" * 50])
def test_doubts_at_the_edges_break_nothing(text: str) -> None:
    whole = (Doubt(kind=UNGROUNDED, start=0, end=len(text)),)
    doubts = (*whole, Doubt(kind=NUMBER, start=1, end=len(text) + 9))
    markdown = written_answer(answer(text=text, mode=AnswerMode.GENERATED, doubts=doubts), EN)
    assert markdown.count("<span") == markdown.count("</span>")


def test_hostile_words_in_doubt_stay_words() -> None:
    text = f"{HOSTILE} 42 [1]"
    for doubts in ([(UNGROUNDED, HOSTILE)], [(NUMBER, "42")], [(NUMBER, "<script>")]):
        markdown = shown(text, *doubts)
        html = rendered(markdown)
        assert_tame(html)
        assert set(Tags(html).tags) <= {"p", "a", "span"}


@BOTH
def test_a_legend_comes_with_doubts_alone(words: Words) -> None:
    text = "It rose by 42. [1]"
    assert "doubt-legend" not in answer_markdown(doubtful(text), words)
    said = answer_markdown(doubtful(text, (NUMBER, "42")), words)
    assert said.split("doubt-legend")[1].count(words("doubt.number")) == 1
    assert words("doubt.ungrounded_key") not in said


# --- where it was looked for ----------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("route", list(Route))
def test_every_answer_says_where_it_was_looked_for_and_asks_the_other_way(
    words: Words, route: Route
) -> None:
    said = answer_markdown(answer(route=route), words)
    assert escape_markdown(words(f"ask.from_{route}")) in said
    others = {Route.DOCUMENTS, Route.MEMORY} - {route}
    found = set(re.findall(r"\(#other-(\w+)-q-1-2\)", said))
    assert found == {other.value for other in others}
    assert "(#found-q-1-2)" in said


@BOTH
@pytest.mark.parametrize("reason", list(RefusalReason))
def test_a_refusal_says_why_and_names_the_nearest_pages_also_from_the_store(
    words: Words, reason: RefusalReason
) -> None:
    near = NearestPage(document="b.pdf", document_id="d2", page=7, page_label="v", score=0.4)
    refused = answer(
        text="No.", mode=AnswerMode.REFUSED, citations=(), passages=(passage(31),),
        refusal=Refusal(reason=reason, nearest=(near, near)),
    )  # fmt: skip
    said = answer_markdown(refused, words)
    assert escape_markdown(words(f"refused.{reason}")) in said
    assert said.count("(#page-d2-7)") == 1
    assert "(#page-d1-31)" not in said
    assert escape_markdown(words(f"ask.looked_{Route.DOCUMENTS}")) in said
    told_already = answer_markdown(replace(refused, notice="not_provable"), words)
    assert told_already.count(escape_markdown(words("refused.not_provable"))) == 0


@BOTH
def test_a_completed_question_is_shown_above_the_answer(words: Words) -> None:
    said = answer_markdown(answer(completed=f"What in 2019? {HOSTILE}"), words)
    assert said.index("in 2019") < said.index("Water eats iron")
    assert_tame(rendered(said))
    assert "completed" not in answer_markdown(answer(completed="Why oak?"), words)


# --- from memory ----------------------------------------------------------------------------------


def memory(number: int, event: str, kind: str = "episodic", **changes: object) -> RememberedSource:
    values: dict[str, object] = {
        "number": number, "memory_id": f"m{number}", "kind": kind, "event": event,
        "text": "Why oak?", "created_at": WHEN,
    }  # fmt: skip
    return RememberedSource(**{**values, **changes})  # type: ignore[arg-type]


MEMORIES = (
    memory(1, "qa_interaction", question_id="q9", text="Learning about 'Why oak?'"),
    memory(2, "note", "semantic", text=f"Iron. {HOSTILE}"),
    memory(3, "document_loaded", document_id="d1", text="Loaded document 《mill.pdf》"),
    memory(4, "document_loaded", document_id="d7", text=""),
)


@BOTH
def test_memories_are_numbered_sources_that_open_what_they_are(words: Words) -> None:
    remembered = answer(
        text="A. [1]\n- B [2]\n- C [3] [4]", mode=AnswerMode.REMEMBERED, citations=(),
        memories=MEMORIES, route=Route.MEMORY,
    )  # fmt: skip
    said = answer_markdown(remembered, words)
    for thing in ("asked-q9", "noted-m2", "loaded-d1"):
        assert f"](#recall-{thing})" in said
        assert f"](#memory-{thing})" in said
    for group in ("asked", "noted", "loaded"):
        assert escape_markdown(words(f"ask.memory_{group}")) in said
    assert "datetime=" in said
    assert "Learning about" not in said
    assert r"mill\.pdf" in said
    # What is deleted leads nowhere, and says so.
    assert "d7" not in said
    assert r"\[4\]" in said
    assert escape_markdown(words("ask.memory_gone")) in said
    assert_tame(rendered(said))


def test_a_note_from_what_is_remembered_names_its_sources() -> None:
    remembered = answer(mode=AnswerMode.REMEMBERED, citations=(), memories=MEMORIES[:1])
    assert note_text(remembered, EN).endswith("[1] you asked: “Why oak?”")


@BOTH
def test_it_is_told_where_it_is_being_looked_for(words: Words) -> None:
    said = escape_markdown(words("ask.searching_memory"))
    assert waiting_message(words, Route.MEMORY)["content"] == said
    for route in (None, Route.DOCUMENTS):
        assert waiting_message(words, route)["content"] == escape_markdown(words("ask.searching"))


# --- the glass box --------------------------------------------------------------------------------


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


def test_meters_keep_to_their_bar_and_times_to_their_unit() -> None:
    assert "width:100%" in meter(3.0, label="x")
    assert "width:0%" in meter(-1.0, label="x")
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
        Doubt(kind=NUMBER, start=0, end=3),
    ))  # fmt: skip
    value = json.loads(exported(full))
    assert "passages" not in value
    assert value["text"] == full.text
    assert value["citations"][0]["quote"] == "Water eats iron."
    assert value["memories"][0]["created_at"] == WHEN.isoformat()
    assert value["doubts"] == [{"kind": "number", "start": 0, "end": 3}]
    assert Trace.of_json(value["trace"]) == TRACE


# --- gaps -----------------------------------------------------------------------------------------


@BOTH
def test_gaps_can_be_asked_again_opened_and_dismissed(words: Words) -> None:
    near = NearestPage(document=HOSTILE, document_id="d1", page=3, page_label=None, score=0.4)
    gap = Gap(
        id="g1", question=HOSTILE, question_id="q", language="en", asked_at=WHEN,
        reason=RefusalReason.NOT_ANSWERED, nearest=(near,), times=3,
    )  # fmt: skip
    html = gap_list([gap, replace(gap, id="g2", times=1)], words)
    assert_tame(html)
    assert f'data-text="{escape(HOSTILE)}"' in html
    assert 'data-gap="g1"' in html
    assert 'data-act="read_document"' in html
    assert 'data-page="3"' in html
    assert words("gaps.times", count=3) in html
    assert words("gaps.times_one", count=1) in html
    assert escape(words("gaps.none")) in gap_list([], words)


def test_markdown_around_an_answer_is_escaped() -> None:
    said = answer_markdown(answer(completed="[a](b) *c*"), EN)
    assert "](b)" not in active(said)
