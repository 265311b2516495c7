"""Tidying up memories: why each would be forgotten, what moves on, changes, the proof."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.components import memory_changes, memory_tidy
from app.i18n import LANGUAGES, Words
from core.domain.memory import MemoryKind
from core.domain.upkeep import (
    Change,
    ChangeKind,
    ConsolidationItem,
    ConsolidationPlan,
    ErasureProof,
    ForgetItem,
    ForgetPlan,
    ForgetStrategy,
    NearDuplicate,
    OftenAsked,
)
from tests.samples import EN, HOSTILE, WHEN, ZH, Tags, assert_tame, note

BOTH = [Words(language) for language in LANGUAGES]

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


@pytest.mark.parametrize("words", BOTH, ids=LANGUAGES)
def test_two_that_say_nearly_the_same_can_be_merged(words: Words) -> None:
    pair = NearDuplicate(older=note(HOSTILE), newer=note("Oak is pegged!", id="m2"), alike=0.97)
    html = memory_tidy.merging([pair], words)
    text = Tags(html).text
    assert HOSTILE in text
    assert "Oak is pegged!" in text
    assert 'data-older="m1" data-newer="m2"' in html
    assert_tame(html)
    assert words("tidy.alike_none") in Tags(memory_tidy.merging([], words)).text


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
        assert words("proof.anew") not in text
        again = memory_changes.proof_html(proof(searched=0), words, everything=True)
        assert words("proof.not_searched", files="214") in Tags(again).text
        assert 'class="primary" href="?"' in again
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


def test_what_is_asked_often_leads_to_a_note():
    often = OftenAsked(concept="<b>overfitting</b>", memory_ids=("1", "2", "3"))
    shown = memory_tidy.asking_often([often], Words("en"))
    assert "&lt;b&gt;overfitting&lt;/b&gt;: 3 questions this week" in shown
    assert 'data-tab="notes"' in shown
    assert "本周问了 3 次" in memory_tidy.asking_often([often], Words("zh"))
    assert memory_tidy.asking_often([], Words("en")) == ""
