"""Doubts in an answer, where it was looked for, memories and gaps: what is shown stays tame."""

import re
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from app.components.conversation import TOLD_BY_ANSWER, answer_markdown, note_text, waiting_message
from app.components.gaps import gap_list
from app.components.prose import written_answer
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
    told = escape_markdown(words(f"refused.{reason}"))
    assert (told in said) is (reason not in TOLD_BY_ANSWER)
    assert told in answer_markdown(replace(refused, text=""), words)
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
