"""The Memory tab: what a memory shows of itself, days, tidying up, the proof; hostile text."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from app.components import memory_changes, memory_tidy, used_memories
from app.components.conversation import answer_markdown
from app.components.memory_list import Filter, Shown, filter_bar, memory_list, nothing
from app.components.memory_row import Around, memory_row, rewritten, version_of
from app.days import SPANS, by_heading, heading, span, zone_of
from app.i18n import LANGUAGES, Words
from core.domain.answer import RememberedSource, Route
from core.domain.memory import Memory, MemoryKind, MemoryState
from core.domain.upkeep import (
    Change,
    ChangeKind,
    ConsolidationItem,
    ConsolidationPlan,
    ErasureProof,
    ForgetItem,
    ForgetPlan,
    ForgetStrategy,
)
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


# --- tidying up -----------------------------------------------------------------------------------

NUMBERS = {
    ForgetStrategy.IMPORTANCE: {"importance": 0.05, "threshold": 0.1},
    ForgetStrategy.TIME: {"age_days": 41.6, "max_age_days": 30.0},
    ForgetStrategy.CAPACITY: {
        "importance": 0.3, "idle_days": 9.0, "count": 52.0, "capacity": 50.0
    },
    ForgetStrategy.INTELLIGENT: {
        "importance": 0.2, "retrievability": 0.03, "frequency": 0.0, "freshness": 0.4,
        "age_days": 41.0, "idle_days": 40.0, "uses": 1.0, "sightings": 1.0, "threshold": 0.5,
    },
}  # fmt: skip


def plan(strategy: ForgetStrategy, *items: ForgetItem) -> ForgetPlan:
    return ForgetPlan(
        strategy=strategy, threshold=0.1, max_age_days=30, kinds=tuple(MemoryKind), items=items
    )


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
@pytest.mark.parametrize("strategy", list(ForgetStrategy))
def test_a_preview_says_for_each_memory_why(strategy: ForgetStrategy, words: Words) -> None:
    item = ForgetItem(memory=note(HOSTILE), score=0.05, reasons=NUMBERS[strategy])
    html = memory_tidy.forgetting(memory_tidy.Rule(), plan(strategy, item), words)
    said = memory_tidy.reason(item, strategy, words)
    assert said in Tags(html).text
    assert "{" not in said
    assert 'type="checkbox" name="ids" value="m1" checked' in html
    assert_tame(html)


def test_numbers_without_a_sentence_are_named() -> None:
    item = ForgetItem(memory=note(), score=0.1, reasons={"boredom": 0.5})
    assert memory_tidy.reason(item, ForgetStrategy.TIME, EN) == "boredom: 0.50"


def test_a_preview_of_nothing_and_one_too_long_to_list() -> None:
    none = memory_tidy.forgetting(memory_tidy.Rule(), plan(ForgetStrategy.TIME), EN)
    assert EN("tidy.preview_none") in Tags(none).text
    items = [
        ForgetItem(memory=note(id=f"m{n}"), score=0.1, reasons=NUMBERS[ForgetStrategy.TIME])
        for n in range(memory_tidy.LISTED + 7)
    ]
    html = memory_tidy.forgetting(memory_tidy.Rule(), plan(ForgetStrategy.TIME, *items), EN)
    assert html.count('name="ids"') == memory_tidy.LISTED
    assert EN("tidy.preview_more", count=7) in Tags(html).text
    assert 'name="rest"' in html


def test_the_rule_shows_what_was_chosen() -> None:
    rule = memory_tidy.Rule(
        strategy=ForgetStrategy.TIME, max_age_days=7, kinds=(MemoryKind.EPISODIC,)
    )
    html = memory_tidy.forgetting(rule, None, ZH)
    assert 'value="time_based" selected' in html
    assert 'value="episodic" selected' in html
    assert 'name="max_age_days" value="7"' in html


def test_consolidation_shows_before_and_after() -> None:
    before = note(HOSTILE, kind=MemoryKind.WORKING, importance=0.8)
    after = replace(before, kind=MemoryKind.EPISODIC, importance=0.9)
    item = ConsolidationItem(before=before, after=after, reason="importance")
    for words in BOTH:
        html = memory_tidy.consolidating(ConsolidationPlan(items=(item,)), words)
        text = Tags(html).text
        assert words("memory.type_working") in text
        assert words("memory.type_episodic") in text
        assert 'data-act="consolidate"' in html
        assert_tame(html)
        none = memory_tidy.consolidating(ConsolidationPlan(items=()), words)
        assert words("tidy.consolidate_none") in Tags(none).text


# --- changes and the proof ------------------------------------------------------------------------


def change(kind: ChangeKind = ChangeKind.DELETED, count: int = 1) -> Change:
    before = tuple(note(HOSTILE, id=f"m{n}") for n in range(count))
    return Change(id="c1", kind=kind, at=WHEN, expires_at=WHEN + timedelta(days=30), before=before)


@pytest.mark.parametrize("kind", list(ChangeKind))
def test_every_change_has_words_and_an_undo(kind: ChangeKind) -> None:
    for words in BOTH:
        html = memory_changes.change_list([change(kind, 5)], words)
        text = Tags(html).text
        assert words(f"changes.{kind}", count=5) in text
        assert words(f"changes.{kind}_one")
        assert words("tidy.preview_more", count=2) in text
        assert words("changes.until", date="2026-04-01") in text
        assert 'data-act="memory_undo" class="quiet undo" data-change="c1"' in html
        assert_tame(html)
    assert EN("changes.none") in Tags(memory_changes.change_list([], EN)).text


def test_what_was_done_can_be_undone_at_once() -> None:
    assert 'data-change="c1"' in memory_changes.done("Deleted.", change(), EN)
    assert "memory_undo" not in memory_changes.done("Pinned.", None, EN)


def proof(**changes: object) -> ErasureProof:
    values: dict[str, object] = {
        "target": "m1", "at": WHEN, "before": {"records": 1, "vectors": 1, "jobs": 0},
        "after": {"records": 0, "vectors": 0, "jobs": 0}, "searched": 1, "files_read": 214,
        "found_in": (),
    }  # fmt: skip
    return ErasureProof(**{**values, **changes})  # type: ignore[arg-type]


def test_the_proof_of_an_erasure_is_told_in_words() -> None:
    for words in BOTH:
        html = memory_changes.proof_html(proof(), words)
        text = Tags(html).text
        assert words("proof.done") in text
        assert words("proof.at_records") in text
        assert words("proof.at_jobs") not in text
        assert words("proof.searched", files="214") in text
        assert 'data-complete="yes"' in html
        left = memory_changes.proof_html(proof(after={"logs": 2}, found_in=(HOSTILE,)), words)
        assert words("proof.left") in Tags(left).text
        assert words("proof.at_logs") in Tags(left).text
        assert HOSTILE in Tags(left).text
        assert 'data-complete="no"' in left
        assert_tame(left)


def test_everything_is_erased_only_after_a_word_was_typed() -> None:
    for words in BOTH:
        html = memory_changes.data_section(words)
        assert words("data.erase_word") in Tags(html).text
        assert 'name="typed"' in html
        assert 'data-act="memory_export"' in html


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
