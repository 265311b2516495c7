"""What a text states, and what contradicts it (the many pairs: tests/evals/stale_facts.py)."""

import pytest

from core.text.claims import LONGEST, claim_keys, outdated


def test_only_the_same_thing_with_another_value_is_out_of_date() -> None:
    older = ["My exam is on 12 May.", "My exam is on 19 May.", "My essay is on 12 May.", "Hello!"]
    assert outdated("My exam is on 19 May.", older) == [0]
    assert outdated("Hello!", older) == []
    assert outdated("My exam is on 19 May.", []) == []


@pytest.mark.parametrize(
    "newer",
    [
        "Is my exam on 19 May?",
        "My exam might be moved to 19 May.",
        "If my exam is moved to 19 May, I travel.",
        "Ben said my exam is on 19 May.",
        "My exam on 19 May was hard.",
        "My sister's exam was moved to 19 May.",
    ],
)
def test_questions_guesses_and_hearsay_change_nothing(newer: str) -> None:
    assert outdated(newer, ["My exam is on 12 May."]) == []


def test_a_text_that_tells_more_is_not_out_of_date() -> None:
    assert outdated("I moved to Hamburg.", ["I live in Berlin."]) == [0]
    assert outdated("I moved to Hamburg.", ["I live in Berlin. I have two cats."]) == []
    assert outdated("我搬到汉堡了。", ["我住在柏林。"]) == [0]
    assert outdated("我搬到汉堡了。", ["我住在柏林，养了两只猫。"]) == []


def test_a_change_that_names_the_old_value_is_about_that() -> None:
    older = ["I use Word for notes.", "I use Anki for notes."]
    assert outdated("I switched from Word to Obsidian for notes.", older) == [0]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The exam is on 12 May.", "The exam is on 19 May, not on 12 May."),
        ("The exam is on 12 May.", "The exam was on 12 May but is now on 19 May."),
        ("My supervisor is Dr. Klein.", "My supervisor is not Dr. Klein, but Dr. Adams."),
        ("考试在5月12日。", "考试不是5月12日，而是5月19日。"),
        ("我的导师是王老师。", "我的导师是李老师，不是王老师。"),
    ],
)
def test_a_correction_names_the_old_value(older: str, newer: str) -> None:
    assert outdated(newer, [older]) == [0]
    other = older.replace("12", "14").replace("Klein", "Long").replace("王", "张")
    assert outdated(newer, [other]) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("I go to the gym in the morning.", "I go to the gym in the evening now."),
        ("I go to school by bus.", "I now go to school by bike."),
        ("我早上去健身房。", "我现在晚上去健身房。"),
        ("我和小红一起学习。", "我现在和小李一起学习。"),
    ],
)
def test_how_something_is_done_changes_only_where_it_is_said(older: str, newer: str) -> None:
    assert outdated(newer, [older]) == [0]
    without = newer.replace(" now", "").replace("现在", "")
    assert outdated(without, [older]) == []


def test_names_and_how_things_are_are_not_the_same() -> None:
    assert outdated("My teacher is nice.", ["My teacher is Mr. Brown."]) == []
    assert outdated("My laptop is broken.", ["My laptop is a ThinkPad."]) == []
    assert outdated("我的老师是个好人。", ["我的老师是陈老师。"]) == []
    assert outdated("I moved to chapter 4.", ["I live in Berlin."]) == []


def test_cancelled_is_what_was_on_that_day() -> None:
    older = ["The tour is on Thursday.", "The tour is on Friday at 6 pm."]
    assert outdated("The tour on Friday was cancelled.", older) == [1]


def test_keys_are_hashes_shared_by_what_may_contradict() -> None:
    first, second = claim_keys("My exam is on 12 May."), claim_keys("The exam was moved to 19 May.")
    assert set(first) & set(second)
    assert all(len(key) == 16 and int(key, 16) >= 0 for key in first)
    assert not set(first) & set(claim_keys("I live in Berlin."))
    assert claim_keys("") == ()
    assert claim_keys("My exam is on 12 May. " * 30) == ()
    assert claim_keys("x" * (LONGEST + 1)) == ()
