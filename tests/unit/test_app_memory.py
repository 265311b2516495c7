"""The Memory tab: what a memory shows of itself, days, the list, memories under an answer."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.components import used_memories
from app.components.conversation import answer_markdown
from app.components.memory_list import Filter, Shown, filter_bar, memory_list, nothing
from app.components.memory_row import Around, memory_row, rewritten, version_of
from app.days import SPANS, by_heading, heading, span, zone_of
from app.i18n import LANGUAGES, Words
from core.domain.answer import RememberedSource, Route
from core.domain.memory import Memory, MemoryState
from tests.samples import EN, HOSTILE, WHEN, ZH, Tags, active, answer, assert_tame, note

BOTH = [Words(language) for language in LANGUAGES]


def passage(**changes: object) -> Memory:
    place = {"document_id": "d1", "document": "paper.pdf", "page": 14, "question_id": "q1"}
    return note(
        **{"content": "Water eats iron.", "event": "passage", "metadata": place, **changes}  # type: ignore[arg-type]
    )


def row(memory: Memory, words: Words = EN, **options: object) -> str:
    around = Around(documents={"d1": "paper.pdf"})
    return memory_row(memory, options.pop("around", around), words, **options)  # type: ignore[arg-type]


# --- one memory -----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_a_memory_says_what_it_is_from_where_and_why_it_is_kept(words: Words) -> None:
    seen = passage(sightings=3, seen_at=WHEN, uses=2, used_at=WHEN, pinned=True)
    html = row(seen, words)
    text = Tags(html).text
    assert "Water eats iron." in text
    assert words("memory.type_semantic") in text
    assert words("memory.group_read") in text
    assert words("memory.why_passage") in text
    assert words("memory.pinned") in text
    assert words("memory.seen_times", count=3, date="2026-03-02") in text
    assert words("memory.used_times", count=2, date="2026-03-02") in text
    assert words("memory.importance", value="0.80") in text
    assert f"paper.pdf · {words('evidence.page_plain', page=14)}" in text
    assert 'data-act="read_document" class="link source" data-document="d1" data-page="14"' in html
    assert 'data-act="show_answer"' in html
    assert 'data-pinned="no"' in html


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        ("document_loaded", "loaded"),
        ("question", "asked"),
        ("qa_interaction", "asked"),
        ("note", "noted"),
        ("passage", "read"),
        ("fact", "known"),
        ("figure", "seen"),
        ("perceived", "seen"),
        ("memory", "other"),
        (HOSTILE, "other"),
    ],
)
def test_every_event_has_words_and_a_reason(event: str, kind: str) -> None:
    for words in BOTH:
        html = row(note(event=event), words)
        why = event if kind != "other" else "other"
        assert words(f"memory.group_{kind}") in Tags(html).text
        assert words(f"memory.why_{why}") in Tags(html).text
        assert_tame(html)


def test_a_memory_that_moved_on_says_from_where() -> None:
    moved = note(metadata={"consolidated_from": "working"})
    assert "It was in working memory before." in Tags(row(moved)).text
    assert "此前在工作记忆中。" in Tags(row(moved, ZH)).text
    assert "before" not in Tags(row(note(metadata={"consolidated_from": HOSTILE}))).text


def test_a_note_leads_to_the_notes_and_a_deleted_document_nowhere() -> None:
    assert 'href="#memory-noted-m1"' in row(note())
    gone = row(passage(), around=Around())
    assert "read_document" not in gone
    assert EN("memory.from_gone") in Tags(gone).text


def test_the_page_of_a_converted_document_is_a_part() -> None:
    slides = passage(metadata={"document_id": "d2", "page": 3})
    html = row(slides, around=Around(documents={"d2": "talk.pptx"}))
    assert "talk.pptx · part 3" in Tags(html).text


@pytest.mark.parametrize("state", [s for s in MemoryState if s is not MemoryState.CURRENT])
def test_a_memory_that_is_not_used_says_so_and_can_come_back(state: MemoryState) -> None:
    for words in BOTH:
        html = row(note(state=state, replaced_by="m2"), words)
        assert 'class="memory-state"' in html
        assert words("memory.again") in Tags(html).text
        assert 'data-act="memory_mark" class="link" data-memory="m1" data-state="current"' in html
        # What it is already is not offered.
        assert html.count(f'class="choice" data-memory="m1" data-state="{state}"') == 0
    assert 'class="memory-state"' not in row(note())


def test_a_replaced_memory_names_the_newer_one() -> None:
    newer = note("The exam is on 19 March.", id="m2")
    old = note("The exam is on 12 March.", state=MemoryState.REPLACED, replaced_by="m2")
    html = row(old, around=Around(newer={"m2": newer}))
    assert "The exam is on 19 March." in Tags(html).text
    assert EN("memory.is_replaced_gone") in Tags(row(old, around=Around())).text


def test_hostile_text_stays_text_in_a_row() -> None:
    evil = note(HOSTILE, HOSTILE, id=HOSTILE, session_id=HOSTILE, replaced_by=HOSTILE)
    evil = replace(
        evil,
        state=MemoryState.REPLACED,
        metadata={"document_id": HOSTILE, "page": HOSTILE, "question_id": HOSTILE},
    )
    around = Around(documents={HOSTILE: HOSTILE}, newer={HOSTILE: note(HOSTILE)})
    html = row(evil, around=around)
    assert_tame(html)
    assert HOSTILE in Tags(html).text


def test_a_long_text_is_folded() -> None:
    html = row(note("Oak is pegged. " * 100))
    assert EN("memory.show_all_text") in Tags(html).text
    assert html.count('class="memory-text"') == 2
    assert row(note("短。" * 300)).count('class="memory-text"') == 1


def test_editing_keeps_the_sentence_around_a_question() -> None:
    asked = note("Learning about 'Why oak?'", event="qa_interaction")
    assert rewritten(asked, "Why ash?") == "Learning about 'Why ash?'"
    assert rewritten(note("Oak."), "Ash.") == "Ash."
    assert rewritten(asked, " ") == " "
    assert version_of(asked) != version_of(replace(asked, content="Learning about 'Why ash?'"))
    assert version_of(note("\ud800")).startswith("m1-")
    html = row(asked)
    assert ">Why oak?</textarea>" in html
    assert 'name="content"' in html


def test_an_archived_memory_can_be_brought_back_or_deleted() -> None:
    html = row(note(), archived=True)
    assert 'data-act="memory_wake"' in html
    assert 'data-act="memory_edit"' not in html
    assert EN("memory.type_archived") in Tags(html).text


# --- days -----------------------------------------------------------------------------------------

WEDNESDAY = datetime(2026, 3, 18, 22, 0, tzinfo=UTC)


def test_days_are_the_learners_own() -> None:
    beijing = WEDNESDAY.astimezone(zone_of(480))  # Thursday, 6:00
    assert (beijing.day, beijing.hour) == (19, 6)
    evening = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)  # Wednesday, 20:00 there
    assert heading(evening, beijing) == "yesterday"
    assert heading(evening, WEDNESDAY) == "today"
    assert span("today", beijing).since == datetime(2026, 3, 18, 16, 0, tzinfo=UTC)


@pytest.mark.parametrize("sent", ["480", None, 100_000, -100_000, float("nan"), [1]])
def test_a_browser_can_send_any_zone(sent: object) -> None:
    assert zone_of(sent) is UTC


@pytest.mark.parametrize(
    ("moment", "expected"),
    [
        (WEDNESDAY, "today"),
        (datetime(2026, 3, 17, 23, 59, tzinfo=UTC), "yesterday"),
        (datetime(2026, 3, 16, 0, 0, tzinfo=UTC), "week"),
        (datetime(2026, 3, 15, 23, 59, tzinfo=UTC), "month"),
        (datetime(2026, 2, 28, 12, 0, tzinfo=UTC), "2026-02"),
        (WEDNESDAY + timedelta(days=3), "today"),
    ],
)
def test_headings_go_from_days_to_months(moment: datetime, expected: str) -> None:
    assert heading(moment, WEDNESDAY) == expected


def test_spans_do_not_overlap_and_leave_nothing_out() -> None:
    week, month, before = (span(name, WEDNESDAY) for name in SPANS[1:])
    assert week.since == datetime(2026, 3, 12, tzinfo=UTC)
    assert month.since == before.until == datetime(2026, 2, 17, tzinfo=UTC)
    assert span("", WEDNESDAY).since is span("", WEDNESDAY).until is None


# --- the list -------------------------------------------------------------------------------------


def test_the_list_is_grouped_by_time_and_counts() -> None:
    memories = [note(id="m1"), note(id="m2", created_at=WHEN - timedelta(days=90))]
    shown = Shown(groups=by_heading(memories, WHEN), around=Around(), more=True)
    html = memory_list(shown, EN)
    assert html.count('class="memory-day"') == 2
    assert EN("memory.day_today") in Tags(html).text
    assert 'class="month" datetime="2025-12-15' in html
    assert EN("memory.shown", count=2) in Tags(html).text
    assert 'data-act="memory_more"' in html
    assert "memory_more" not in memory_list(replace(shown, more=False), EN)
    later = memory_list(replace(shown, first=240, more=False), EN)
    assert "241 to 242" in Tags(later).text
    assert 'data-act="memory_more" class="quiet outlined" data-from="0"' in later


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_the_filter_counts_types_and_shows_what_is_chosen(words: Words) -> None:
    wanted = Filter(type="semantic", what="noted", time="week", state="pinned")
    html = filter_bar(wanted, {"episodic": 1200, "semantic": 34, "archived": 1}, words)
    assert "1,200" in Tags(html).text
    assert "1,235" in Tags(html).text
    assert html.count('aria-pressed="true"') == 1
    for chosen in ("noted", "week", "pinned"):
        assert f'value="{chosen}" selected' in html
    assert words("memory.filter_clear") in Tags(html).text
    assert words("memory.about_semantic") in Tags(html).text
    assert "<select" not in filter_bar(Filter(), {}, words)


def test_an_empty_list_says_why() -> None:
    for words in BOTH:
        assert words("memory.empty_title") in Tags(nothing(Filter(), " ", words)).text
        assert words("memory.none_fit") in Tags(nothing(Filter(what="read"), "", words)).text
        empty = Tags(nothing(Filter(type="archived"), "", words)).text
        assert words("memory.none_archived") in empty
        html = nothing(Filter(), HOSTILE, words)
        assert HOSTILE in Tags(html).text
        assert_tame(html)


# --- under an answer ------------------------------------------------------------------------------


def remembered(**changes: object) -> RememberedSource:
    values: dict[str, object] = {
        "number": 1, "memory_id": "m1", "kind": "semantic", "event": "note",
        "text": "Oak is pegged.", "created_at": WHEN,
    }  # fmt: skip
    return RememberedSource(**{**values, **changes})  # type: ignore[arg-type]


def test_an_answer_says_how_many_memories_it_used() -> None:
    used = answer(citations=(), memories=(remembered(),), route=Route.MEMORY)
    said = active(answer_markdown(used, EN))
    assert "[used 1 memory](#used-q-1-2)" in said
    two = replace(used, memories=(remembered(), remembered(number=2)))
    assert "[用到 2 条记忆](#used-q-1-2)" in active(answer_markdown(two, ZH))
    assert "#used-" not in answer_markdown(answer(), EN)


def test_each_memory_used_can_be_judged_and_that_taken_back() -> None:
    used = answer(memories=(remembered(text=HOSTILE), remembered(number=2, memory_id="m2")))
    for words in BOTH:
        html = used_memories.used_html(used, {"m1": note(HOSTILE)}, words, stamp=7)
        assert 'data-explains="q-1-2" data-stamp="7"' in html
        assert html.count('data-act="memory_use"') == 3
        assert 'data-state="unwanted" data-question="q-1-2"' in html
        assert words("used.gone") in Tags(html).text  # m2
        assert_tame(html)
        judged = {"m1": note(state=MemoryState.UNWANTED)}
        html = used_memories.used_html(used, judged, words, stamp=8)
        assert html.count('data-act="memory_use"') == 1
        assert words("memory.is_unwanted") in Tags(html).text
        assert words("memory.again") in Tags(html).text
