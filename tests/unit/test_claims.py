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


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("My exam on Monday is in room 4.", "My exam on Tuesday is in room 5."),
        ("On Monday my exam is in room 4.", "On Tuesday my exam is in room 5."),
        ("My exam at 9 am is in room 4.", "My exam at 2 pm is now in room 5."),
        ("My exam is in room 4 on Monday.", "My exam is in room 5 on Tuesday."),
        ("The lecture is in room 4 on Monday.", "The lecture is in room 5 on Friday."),
        ("周一的考试在4号教室。", "周二的考试在5号教室。"),
        ("我周一的考试在4号教室。", "我周二的考试在5号教室。"),
        ("课周一在301教室。", "课周三在302教室。"),
        ("图书馆周六晚上八点关门。", "图书馆现在十点关门。"),
        ("The library closes at 8 pm on Saturdays.", "The library now closes at 10 pm."),
    ],
)
def test_a_day_or_hour_may_say_which_thing_is_meant(older: str, newer: str) -> None:
    assert outdated(newer, [older]) == []


def test_the_thing_of_that_day_can_still_change() -> None:
    older = ["My exam on Monday is in room 4.", "My exam on Tuesday is in room 5."]
    assert outdated("My exam on Monday is in room 6.", older) == [0]
    assert outdated("The exam on Monday was moved to Friday.", ["The exam is on Monday."]) == [0]
    assert outdated("The exam on Monday was moved to Friday.", ["The exam is on Tuesday."]) == []
    assert outdated("周一的考试改到周五了。", ["考试在周一。"]) == [0]
    assert outdated("周一的考试改到周五了。", ["考试在周二。"]) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The password is abc for the old laptop.", "The password is def for the new laptop."),
        ("The password for the old laptop is abc.", "The password for the new laptop is def."),
        ("My teacher is Mr. Smith for maths.", "My teacher is now Ms. Jones for English."),
        ("My old phone number is 123456.", "My new phone number is 456789."),
        ("电脑的密码是abc。", "新电脑的密码是def。"),
        ("我的旧手机号是123。", "我的新手机号是456。"),
    ],
)
def test_old_and_new_ones_are_two_things(older: str, newer: str) -> None:
    assert outdated(newer, [older]) == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("去年我的老师是李老师。", "我的老师是王老师。"),
        ("我去年住在北京。", "我现在住在上海。"),
        ("我以前在西门子工作。", "我现在在博世工作。"),
        ("我去年用Word记笔记。", "我现在用Obsidian记笔记。"),
        ("My teacher is Mr. Brown in 2019.", "My teacher is Ms. Green."),
        ("My exam was on Monday.", "My exam is on Friday."),
        ("I moved to Berlin in 2019.", "I moved to Rome in 2010."),
    ],
)
def test_what_was_then_is_still_true_of_then(older: str, newer: str) -> None:
    assert outdated(newer, [older]) == []


def test_a_move_of_last_year_still_counts() -> None:
    assert outdated("我去年搬到上海了。", ["我住在北京。"]) == [0]
    assert outdated("我从去年起住在上海。现在住在上海。", ["我住在北京。"]) == [0]


def test_how_somebody_is_does_not_say_who_it_is() -> None:
    assert outdated("My teacher is German.", ["My teacher is Mr. Brown."]) == []
    assert outdated("我的老师是德国人。", ["我的老师是王老师。"]) == []
    assert outdated("我最喜欢的颜色是绿色。", ["我最喜欢的颜色是蓝色。"]) == [0]


@pytest.mark.parametrize(
    ("older", "newer", "other"),
    [
        ("The lecture is in room 12.", "The lecture is in room 14.", "The seminar is in room 12."),
        ("课在301教室。", "课在302教室。", "数学课在301教室。"),
        ("The report is due Monday.", "The report is due Friday.", "The essay is due Monday."),
        ("报告周一交。", "报告周三交。", "作业周一交。"),
        ("The library closes at 6 pm.", "The library closes at 8 pm.", "The gym closes at 6 pm."),
        ("图书馆六点关门。", "图书馆八点关门。", "图书馆六点开门。"),
        ("My favourite colour is blue.", "My favorite color is green.", "My colour is blue."),
        ("Anna lives in Berlin.", "Anna moved to Rome.", "Anna lives in Berlin and studies law."),
        ("安娜住在柏林。", "安娜搬到罗马了。", "小红住在柏林。"),
        ("I drink coffee every morning.", "I no longer drink coffee.", "I drink tea every day."),
        ("我每天早上喝咖啡。", "我不喝咖啡了。", "我每天早上喝茶。"),
        ("My car is a Honda.", "My car is a Tesla.", "My wife's car is a Honda."),
        ("我的车是本田。", "我的车是特斯拉。", "我的车是红色的。"),
        ("The exam has 40 questions.", "The exam has 50 questions.", "The exam has 5 parts."),
        ("考试有40道题。", "考试有50道题。", "考试有40道选择题。"),
        (
            "My visa appointment is on Monday.",
            "My visa appointment is on Friday.",
            "My car is red.",
        ),
        ("My phone number is 123456.", "I changed my phone number, it is 456789.", "I am 24."),
        ("我的手机号是123。", "我换了手机号，是456。", "我的学号是123。"),
    ],
)
def test_what_has_one_value_at_a_time(older: str, newer: str, other: str) -> None:
    assert outdated(newer, [older, other]) == [0]


@pytest.mark.parametrize(
    ("older", "newer", "other"),
    [
        ("I use Windows.", "I switched to Linux.", "I use Firefox."),
        ("我用Windows。", "我改用Linux了。", "我用Firefox。"),
        ("I am single.", "I got married.", "I am vegetarian."),
        ("我单身。", "我结婚了。", "我吃素。"),
        ("I am vegetarian.", "I eat meat again.", "I am single."),
        ("我吃素。", "我又吃肉了。", "我单身。"),
        ("I am in my second year.", "I am in my third year.", "I am in my second semester."),
        ("我大二。", "我大三了。", "我是学生。"),
    ],
)
def test_values_of_closed_lists(older: str, newer: str, other: str) -> None:
    assert outdated(newer, [older, other]) == [0]
    assert outdated(older, [older]) == []


def test_closed_lists_know_what_is_finer_or_of_another_kind() -> None:
    assert outdated("I am vegan now.", ["I am vegetarian."]) == []
    assert outdated("I use Linux.", ["I use Windows."]) == []
    assert outdated("I switched from Chrome to Linux.", ["I use Windows."]) == []
    assert outdated("I got married in 2010.", ["I am single."]) == []


def test_not_every_move_is_to_another_home() -> None:
    assert outdated("Anna moved to chapter 4.", ["Anna lives in Berlin."]) == []
    assert outdated("Anna moved to the other team.", ["Anna lives in Berlin."]) == []
    assert outdated("小明搬到新教室了。", ["小明住在北京。"]) == []
    assert outdated("My sister moved to Rome.", ["My brother lives in Berlin."]) == []
