"""Recall queries taken apart, in English and Chinese, on Thursday, 26 November 2026, 10:00."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from core.memory.named_times import named_times
from core.memory.query import DOCUMENT_LOADED, NOTE, QA_INTERACTION, QUESTION, parse_query
from core.memory.time_words import find_time

NOW = datetime(2026, 11, 26, 10, 0, tzinfo=UTC)
ASKED = (QUESTION, QA_INTERACTION)
LOADED = (DOCUMENT_LOADED,)


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("today", "2026-11-26", "2026-11-27"),
        ("Yesterday", "2026-11-25", "2026-11-26"),
        ("the day before yesterday", "2026-11-24", "2026-11-25"),
        ("this week", "2026-11-23", "2026-11-30"),
        ("last week", "2026-11-16", "2026-11-23"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("3 days ago", "2026-11-23", "2026-11-24"),
        ("two weeks ago", "2026-11-12", "2026-11-13"),
        ("last Tuesday", "2026-11-24", "2026-11-25"),
        ("on Thursday", "2026-11-19", "2026-11-20"),
        ("last friday", "2026-11-20", "2026-11-21"),
        ("今天", "2026-11-26", "2026-11-27"),
        ("昨天", "2026-11-25", "2026-11-26"),
        ("前天", "2026-11-24", "2026-11-25"),
        ("这周", "2026-11-23", "2026-11-30"),
        ("本星期", "2026-11-23", "2026-11-30"),
        ("上周", "2026-11-16", "2026-11-23"),
        ("上个星期", "2026-11-16", "2026-11-23"),
        ("上礼拜", "2026-11-16", "2026-11-23"),
        ("这个月", "2026-11-01", "2026-12-01"),
        ("上个月", "2026-10-01", "2026-11-01"),
        ("上月", "2026-10-01", "2026-11-01"),
        ("三天前", "2026-11-23", "2026-11-24"),
        ("两周以前", "2026-11-12", "2026-11-13"),
        ("周二", "2026-11-24", "2026-11-25"),
        ("上周三", "2026-11-18", "2026-11-19"),
        ("上个星期天", "2026-11-22", "2026-11-23"),
    ],
)
def test_whole_days(words, since, until):
    for query in (words, f"photosynthesis {words}", f"{words}光合作用"):
        window, rest = find_time(query, NOW)
        assert (window.since.isoformat(), window.until.isoformat()) == (
            f"{since}T00:00:00+00:00",
            f"{until}T00:00:00+00:00",
        )
        assert words.lower() not in rest.lower()


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("in the last 3 days", 3),
        ("past two weeks", 14),
        ("during the past few days", 3),
        ("最近三天", 3),
        ("过去7天", 7),
        ("近两周", 14),
        ("最近一个月", 30),
    ],
)
def test_spans_reach_back_from_now_and_include_now(words, days):
    window, _ = find_time(words, NOW)
    assert window.since == NOW - timedelta(days=days)
    assert NOW < window.until <= NOW + timedelta(minutes=1)


def test_months_at_the_turn_of_the_year():
    window, _ = find_time("last month", datetime(2027, 1, 31, tzinfo=UTC))
    assert (window.since.date().isoformat(), window.until.date().isoformat()) == (
        "2026-12-01",
        "2027-01-01",
    )


def test_days_begin_at_midnight_of_the_clocks_zone():
    china = timezone(timedelta(hours=8))
    window, _ = find_time("今天", datetime(2026, 11, 27, 2, 0, tzinfo=china))
    assert window.since.astimezone(UTC) == datetime(2026, 11, 26, 16, 0, tzinfo=UTC)


def test_a_huge_number_is_no_crash():
    window, _ = find_time("last 9999 months", NOW)
    assert window.since < NOW


@pytest.mark.parametrize(
    "query",
    [
        "the lasting week",
        "一周三次",
        "学习率",
        "daytoday",
        "week 3 of the course",
        "softmax",
    ],
)
def test_no_time_meant(query):
    assert find_time(query, NOW) == (None, query)


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("documents loaded", LOADED),
        ("What documents have I loaded before?", LOADED),
        ("which PDFs did I upload last month", LOADED),
        ("the papers I read", LOADED),
        ("my files", LOADED),
        ("我加载过哪些文档", LOADED),
        ("我之前加载过什么文档？", LOADED),
        ("上个星期加载的文档", LOADED),
        ("读过的论文", LOADED),
        ("我上传了哪些PDF", LOADED),
        ("notes", (NOTE,)),
        ("show me all my notes", (NOTE,)),
        ("What did I note yesterday?", (NOTE,)),
        ("笔记", (NOTE,)),
        ("我的笔记", (NOTE,)),
        ("上个月的笔记", (NOTE,)),
        ("我记过什么", (NOTE,)),
        ("questions I asked", ASKED),
        ("What questions did I ask this week?", ASKED),
        ("what did I ask today", ASKED),
        ("my questions", ASKED),
        ("我问过哪些问题", ASKED),
        ("我昨天问了什么", ASKED),
        ("我的提问", ASKED),
    ],
)
def test_kinds_of_event_without_a_subject(query, events):
    parsed = parse_query(query, NOW)
    assert (parsed.text, parsed.events) == ("", events)


@pytest.mark.parametrize(
    ("query", "text", "events"),
    [
        ("my notes about transformers", "transformers", (NOTE,)),
        ("notes on softmax from last week", "softmax", (NOTE,)),
        ("What did I note about overfitting in the last two weeks?", "overfitting", (NOTE,)),
        ("关于注意力的笔记", "注意力", (NOTE,)),
        ("我记过哪些关于过拟合的笔记", "过拟合", (NOTE,)),
        ("questions I asked yesterday about gradient descent", "gradient descent", ASKED),
        ("我问过什么关于梯度下降的问题", "梯度下降", ASKED),
        ("documents about cells that I loaded", "cells", LOADED),
    ],
)
def test_kinds_of_event_with_a_subject(query, text, events):
    parsed = parse_query(query, NOW)
    assert (parsed.text, parsed.events) == (text, events)


@pytest.mark.parametrize(
    "query",
    [
        "what did I do last week?",
        "What have I learned so far?",
        "what did I learn before?",
        "yesterday",
        "上周我做了什么？",
        "昨天学了什么",
        "我之前学过什么？",
        "最近我做了什么",
    ],
)
def test_everything_of_a_time(query):
    parsed = parse_query(query, NOW)
    assert (parsed.text, parsed.events) == ("", ())


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("What did I learn yesterday about attention?", "attention"),
        ("What did I read about probabilities?", "probabilities"),
        ("我之前学过关于注意力机制的内容吗", "注意力机制"),
        ("回顾一下反向传播", "反向传播"),
        ("监督学习有哪些", "监督学习"),
        ("学习率是什么", "学习率"),
        ("Transformer的历史是什么", "Transformer的历史"),
        ("机器学习", "机器学习"),
        ("学习", "学习"),
        ("what is self-attention?", "what is self-attention"),
        ("reinforcement learning", "reinforcement learning"),
        ("document retrieval", "document retrieval"),
        ("how are documents split into chunks?", "how are documents split into chunks"),
        ("question answering with BERT", "question answering with BERT"),
        ("笔记本电脑的原理", "笔记本电脑的原理"),
        ("the file format of a book", "the file format of a book"),
    ],
)
def test_a_subject_alone(query, text):
    parsed = parse_query(query, NOW)
    assert (parsed.text, parsed.events) == (text, ())


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("on 3 May", "2026-05-03", "2026-05-04"),
        ("on 3 May 2024", "2024-05-03", "2024-05-04"),
        ("on May 3rd, 2024", "2024-05-03", "2024-05-04"),
        ("on 2024-05-03", "2024-05-03", "2024-05-04"),
        ("in December", "2025-12-01", "2026-01-01"),
        ("in February 2024", "2024-02-01", "2024-03-01"),
        ("in 2024", "2024-01-01", "2025-01-01"),
        ("5月3日", "2026-05-03", "2026-05-04"),
        ("2024年5月3号", "2024-05-03", "2024-05-04"),
        ("12月", "2025-12-01", "2026-01-01"),
        ("2024年2月", "2024-02-01", "2024-03-01"),
        ("2024年", "2024-01-01", "2025-01-01"),
    ],
)
def test_dates_of_the_calendar(words, since, until):
    named, rest = named_times(f"photosynthesis {words}", NOW)
    assert (named[0].since.isoformat(), named[0].until.isoformat()) == (
        f"{since}T00:00:00+00:00",
        f"{until}T00:00:00+00:00",
    )
    assert "photosynthesis" in rest
    assert not any(c.isdigit() for c in rest)


@pytest.mark.parametrize(
    "text", ["may I ask", "a march of penguins", "31 Feb", "三个月前", "3个月", "v2.5 月"]
)
def test_what_is_no_date(text):
    assert named_times(text, NOW) == ((), text)


def test_a_date_without_a_year_may_be_of_several_none_in_the_future():
    named, _ = named_times("12月5日", NOW)
    assert [window.since.year for window in named] == [2025, 2024, 2023, 2022]


def test_a_date_narrows_only_without_a_subject():
    everything = parse_query("what did I learn on 3 May?", NOW)
    assert everything.text == ""
    assert everything.window is not None
    assert everything.window.since.date().isoformat() == "2026-05-03"
    notes = parse_query("5月3日我的笔记", NOW)
    assert (notes.text, notes.events) == ("", (NOTE,))
    assert notes.window == everything.window
    about = parse_query("what did I ask about enzymes last week, on 3 May?", NOW)
    assert about.window is None
    assert "enzymes" in about.text
