import pytest

from core.domain.document import Chunk, TextRange
from core.rag.statements import Statement, asked_of_statements, statements_in

INCOME, BALANCE, CASH = Statement.INCOME, Statement.BALANCE, Statement.CASH_FLOW


@pytest.mark.parametrize(
    ("question", "statements", "row"),
    [
        ("What was the COGS in FY2022?", {INCOME}, "cost of sales"),
        ("What is the gross margin profile?", {INCOME}, "gross profit"),
        ("How much capex did it have?", {CASH}, "purchases of property"),
        ("What is the free cash flow?", {CASH}, "operating activities"),
        ("What is the quick ratio?", {BALANCE}, "total current liabilities"),
        ("How large is its unadjusted EBITDA?", {INCOME, CASH}, "depreciation"),
        ("2022年的毛利率是多少？", {INCOME}, "gross profit"),
        ("公司的流动比率是多少？", {BALANCE}, "total current assets"),
        ("自由现金流有多少？", {CASH}, "operating activities"),
    ],
)
def test_what_analysts_ask_is_shown_by_a_statement(question, statements, row):
    asked = asked_of_statements(question)
    assert asked.statements == statements
    assert row in asked.rows


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("What was net income?", "净利润"),
        ("净利润是多少？", "净利润"),
        ("How large were inventories?", "存货"),
        ("存货有多少？", "存货"),
    ],
)
def test_rows_are_said_in_both_languages(question, row):
    asked = asked_of_statements(question)
    assert row in asked.rows_in("zh").split()
    assert asked.rows_in("en") == asked.rows != ""


def test_a_statement_that_is_named_is_the_one():
    asked = asked_of_statements("What is net income according to the cash flow statement?")
    assert asked.statements == {CASH}
    assert "net income" in asked.rows
    assert asked_of_statements("根据资产负债表，收入是多少？").statements == {BALANCE}


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote Hamlet?",
        "How does photosynthesis work?",
        "What does the debtor's wife say?",
        "谁发明了电话？",
        "光合作用是怎么进行的？",
        "",
    ],
)
def test_other_questions_ask_of_no_statement(question):
    asked = asked_of_statements(question)
    assert not asked.statements
    assert asked.rows == asked.rows_zh == ""


def chunk(text, headings=(), context=""):
    return Chunk(
        id="c",
        document_id="d",
        ordinal=0,
        text=text,
        ranges=(TextRange(page=1, start=0, end=len(text)),),
        heading_path=headings,
        context=context,
    )


ROWS = "Net sales 1,234 1,100\nCost of sales (804) (790)\nGross profit 430 310"
ROWS_ZH = "营业收入 1,234 1,100\n营业成本 (804) (790)\n毛利润 430 310"
WORDS = "It explains how the company sees its year and what it expects of the next one. " * 3


@pytest.mark.parametrize(
    ("title", "statement"),
    [
        ("Consolidated Statements of Earnings", INCOME),
        ("CONSOLIDATED STATEMENTS OF OPERATIONS", INCOME),
        ("Consolidated Balance Sheets", BALANCE),
        ("Statement of Financial Position", BALANCE),
        ("Consolidated Statements of Cash Flows", CASH),
        ("合并利润表", INCOME),
        ("资产负债表", BALANCE),
        ("合并现金流量表", CASH),
    ],
)
def test_a_title_over_figures_is_a_statement(title, statement):
    assert statements_in(chunk(f"{title}\n{ROWS}")) == {statement}
    assert statements_in(chunk(ROWS, headings=("Part II", title))) == {statement}
    assert statements_in(chunk(ROWS, context=title)) == {statement}
    assert statements_in(chunk(f"{title}\n{ROWS_ZH}")) == {statement}


def test_a_title_over_words_is_none():
    assert statements_in(chunk(f"Consolidated Statements of Earnings\n{WORDS}")) == frozenset()
    assert statements_in(chunk(f"利润表说明了公司这一年的经营情况。{WORDS}")) == frozenset()


def test_figures_without_a_title_are_none():
    assert statements_in(chunk(ROWS)) == frozenset()
    assert statements_in(chunk("")) == frozenset()


def test_a_title_far_above_or_further_down_does_not_count():
    assert statements_in(chunk(ROWS, headings=("Balance sheet", "Notes", "Leases"))) == frozenset()
    assert statements_in(chunk(f"{ROWS}\n" * 4 + "See the balance sheet 1 2 3")) == frozenset()


def test_figures_as_reports_write_them():
    text = "Income statement\n$ (1,234) 12.5% €5 ¥1,000 (3)% -7"
    assert statements_in(chunk(text)) == {INCOME}
