"""Financial statements: what questions call them and their line items, and pages that are one.

Analysts ask for "COGS" or "gross margin" by the income statement; the filing has a table headed
"Consolidated Statements of Earnings" with a row "Cost of sales". A small vocabulary of the field
leads from one to the other, in English and Chinese. Nothing in it is about one company.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.domain.document import Chunk

LEAST_FIGURES = 0.2
"""A passage under a statement's title is the statement when this share of its words is figures."""
_TITLE_CHARACTERS = 200
_FIGURE = re.compile(r"^[($€£¥-]*\d[\d,.]*[)%]*$")


class Statement(StrEnum):
    """The three main statements of a financial report."""

    INCOME = "income"
    BALANCE = "balance"
    CASH_FLOW = "cash_flow"


_TITLES = {
    Statement.INCOME: re.compile(
        r"statements? of (?:consolidated )?(?:operations|(?:comprehensive )?(?:income|earnings)|"
        r"profit)|income statements?|profit and loss|利润表|损益表|收益表",
        re.I,
    ),
    Statement.BALANCE: re.compile(
        r"balance sheets?|statements? of financial (?:position|condition)|资产负债表|财务状况表",
        re.I,
    ),
    Statement.CASH_FLOW: re.compile(
        r"statements? of (?:consolidated )?cash ?flows?|cash ?flow statements?|现金流量表", re.I
    ),
}


@dataclass(frozen=True, slots=True)
class _Item:
    """What a question says, the statements that show it, and its rows (English; Chinese)."""

    asked: re.Pattern[str]
    statements: tuple[Statement, ...]
    rows: str
    rows_zh: str


def _item(asked: str, statements: Sequence[Statement], rows: str, rows_zh: str) -> _Item:
    return _Item(re.compile(asked, re.I), tuple(statements), rows, rows_zh)


_INCOME, _BALANCE, _CASH = (Statement.INCOME,), (Statement.BALANCE,), (Statement.CASH_FLOW,)
_ITEMS = (
    _item(
        r"\bcogs\b|cost of (?:goods|sales|revenue)|营业成本|销售成本",
        _INCOME,
        "cost of goods sold cost of sales cost of revenue",
        "营业成本 销售成本",
    ),
    _item(
        r"\brevenues?\b|\b(?:net )?sales\b|top.?line|营业收入|营收|销售额|收入",
        _INCOME,
        "revenue net sales sales",
        "营业收入 销售收入",
    ),
    _item(
        r"\bnet (?:income|profit|earnings|loss)\b|profit margin|bottom.?line|净利润?|净亏损",
        _INCOME,
        "net income net earnings",
        "净利润 净亏损",
    ),
    _item(
        r"\bgross (?:margin|profit)|毛利",
        _INCOME,
        "gross profit cost of sales cost of revenue gross margin",
        "毛利润 毛利率 营业成本",
    ),
    _item(
        r"\boperating (?:margin|income|profit)|营业利润|经营利润",
        _INCOME,
        "operating income income from operations total revenue",
        "营业利润 营业收入",
    ),
    _item(
        r"\bebitda\b|\bebit\b|息税",
        (Statement.INCOME, Statement.CASH_FLOW),
        "ebitda depreciation amortization operating income",
        "折旧 摊销 营业利润",
    ),
    _item(
        r"free cash ?flow|\bfcf\b|\bcapex\b|capital expenditure|自由现金流|资本开支|资本支出",
        _CASH,
        "net cash provided by operating activities purchases of property and equipment "
        "additions to property capital expenditures",
        "经营活动产生的现金流量净额 购建固定资产",
    ),
    _item(
        r"cash ?flows?\b|(?:operating|investing|financing) activities|现金流|[经投筹][营资]活动",
        _CASH,
        "net cash provided by operating activities investing activities financing activities",
        "经营活动产生的现金流量净额 投资活动 筹资活动",
    ),
    _item(r"\bpayables?\b|\bdpo\b|应付", _BALANCE, "accounts payable", "应付账款"),
    _item(r"\breceivables?\b|\bdso\b|应收", _BALANCE, "accounts receivable", "应收账款"),
    _item(r"\binventor(?:y|ies)\b|\bdio\b|存货|库存", _BALANCE, "inventories", "存货"),
    _item(
        r"current (?:liabilities|assets|ratio)|working capital|quick ratio|流动(?:资产|负债|比率)",
        _BALANCE,
        "total current liabilities total current assets",
        "流动资产合计 流动负债合计",
    ),
    _item(
        r"cash (?:&|and) cash equivalents|现金及现金等价物",
        _BALANCE,
        "cash and cash equivalents",
        "货币资金 现金及现金等价物",
    ),
    _item(
        r"total assets|return on (?:total )?assets|\broa\b|\bpp&?n?e\b|asset turnover|"
        r"总资产|固定资产",
        _BALANCE,
        "total assets property plant and equipment net",
        "资产总计 固定资产",
    ),
    _item(
        r"\bdebt\b|leverage|total liabilities|\bequity\b|负债|股东权益",
        _BALANCE,
        "long-term debt total liabilities total equity",
        "负债合计 长期借款 股东权益合计",
    ),
    _item(
        r"\beps\b|earnings per (?:common )?share|每股收益",
        _INCOME,
        "earnings per share diluted",
        "每股收益",
    ),
    _item(r"\bdividends?\b|股利|分红", _CASH, "dividends paid", "分配股利"),
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks of financial statements; empty for other questions."""

    statements: frozenset[Statement] = frozenset()
    rows: str = ""
    rows_zh: str = ""

    def rows_in(self, language: str) -> str:
        """Return the words of the rows as documents of a language (`en`, `zh`) have them."""
        return self.rows_zh if language == "zh" else self.rows


def asked_of_statements(question: str) -> Asked:
    """Return the statements a question names, or those that show what it asks for."""
    named = {s for s, title in _TITLES.items() if title.search(question)}
    items = [item for item in _ITEMS if item.asked.search(question)]
    meant = named or {s for item in items for s in item.statements}
    return Asked(
        frozenset(meant),
        " ".join(item.rows for item in items),
        " ".join(item.rows_zh for item in items),
    )


def statements_in(chunk: Chunk) -> frozenset[Statement]:
    """Return the statements a passage is part of, by its title and its share of figures."""
    words = chunk.text.split()
    figures = sum(bool(_FIGURE.match(word)) for word in words)
    if not words or figures < LEAST_FIGURES * len(words):
        return frozenset()
    title = "\n".join((*chunk.heading_path[-2:], chunk.context, chunk.text[:_TITLE_CHARACTERS]))
    return frozenset(s for s, pattern in _TITLES.items() if pattern.search(title))
