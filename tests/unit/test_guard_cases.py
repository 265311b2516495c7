"""The number guard on labelled answers: {{…}} is a doubtful number, <<…>> without citation."""

import re

import pytest

from core.domain.answer import Citation, CitationState, DoubtKind
from core.rag.guard import doubts

KINDS = {"{{": DoubtKind.NUMBER, "<<": DoubtKind.UNGROUNDED}


def citation(number, quote, **more):
    values = {
        "document": "report.pdf",
        "document_id": "d",
        "page": 7,
        "pages": (7,),
        "page_label": None,
        "state": CitationState.EXACT,
        "score": 1.0,
    }
    return Citation(number=number, quote=quote, **{**values, **more})


def labelled(text):
    """Return the text without labels, and the stretches that are labelled."""
    bare, wanted, at = "", [], 0
    for match in re.finditer(r"(\{\{|<<)(.*?)(?:\}\}|>>)", text):
        bare += text[at : match.start()]
        wanted.append((KINDS[match[1]], match[2]))
        bare += match[2]
        at = match.end()
    return bare + text[at:], wanted


def check(said, *quotes, **more):
    text, wanted = labelled(said)
    citations = [citation(i, quote, **more) for i, quote in enumerate(quotes, start=1)]
    found = doubts(text, citations)
    assert [(d.kind, text[d.start : d.end]) for d in found] == wanted
    assert [d.start for d in found] == sorted(d.start for d in found)


PROVEN_EN = [
    ("Sales were 1,234 units [1].", "We sold 1234 units."),
    ("Sales were 1234 units [1].", "We sold 1 234 units."),
    ("Sales were 1 234 567 units [1].", "We sold 1,234,567 units."),
    ("The margin was 12% [1].", "a margin of 12.0 %"),
    ("The margin was 12 percent [1].", "a margin of 12%"),
    ("The margin was twelve percent [1].", "a margin of 12 per cent"),
    ("The margin was 12.5% [1].", "a margin of 12.50%"),
    ("Sales were $5.2 billion [1].", "sales of 5,200 million dollars"),
    ("Sales were $5.2bn [1].", "sales of $5,200,000,000"),
    ("Sales were $5.2B [1].", "sales of $5.2 billion"),
    ("It raised $300m [1].", "It raised 300 million dollars."),
    ("It cost $40k [1].", "It cost 40,000 dollars."),
    ("There were twelve ships [1].", "12 ships set sail."),
    ("There were 12 ships [1].", "Twelve ships set sail."),
    ("There were two hundred and five ships [1].", "205 ships set sail."),
    ("It has twenty-one members [1].", "It has 21 members."),
    ("It began on March 3, 2020 [1].", "It began on 3 March 2020."),
    ("It began on 2020-03-03 [1].", "It began on March 3rd, 2020."),
    ("It began on 3 March 2020 [1].", "开始于2020年3月3日。"),
    ("It began on 3/4/2020 [1].", "It began on April 3, 2020."),
    ("It began in March 2020 [1].", "It began on March 3, 2020."),
    ("It began on March 3 [1].", "It began on 3 March 2020."),
    ("It began in 2020 [1].", "It began on 3 March 2020."),
    ("It began on March 3, 2020 [1].", "On March 3 it began; the year was 2020."),
    ("In fiscal 2019 it grew [1].", "It grew in FY19."),
    ("In FY2019 it grew [1].", "It grew in fiscal year 2019."),
    ("In FY19 it grew [1].", "It grew in 2019."),
    ("Take 10–12 tablets [1].", "Take 10 to 12 tablets."),
    ("It costs $10-12 million [1].", "between 10 million and 12 million"),
    ("It rose 10-12% [1].", "from 10% to 12%"),
    ("It was the 3rd largest [1].", "the third largest"),
    ("It was the third quarter [1].", "in Q3"),
    ("It fell by 1.5 percentage points [1].", "down 150 basis points"),
    ("Two thirds agreed [1].", "66.66666666666667% agreed"),
    ("About 5 billion people live there [1].", "4.98 billion people"),
    ("Roughly $4.1 million was paid [1].", "It paid 4,052,310 dollars."),
    ("More than 5 billion were sold [1].", "5.2 billion were sold"),
    ("There are two reasons: cost and speed [1].", "The cost and the speed speak for it."),
    ("It has three parts: a lid, a box and a key [1].", "a lid, a box and a key"),
    ("One of them is free [1].", "This program is free."),
    ("First, it is cheap [1].", "It is cheap."),
    (
        "1. It is cheap [1].\n2. It is fast [2].",
        "It is cheap.",
    ),
    ("COVID-19 spread fast [1].", "The disease spread fast."),
    ("The 10-K says so [1].", "The annual report says so."),
    ("In the 1990s it grew [1].", "It grew in the 1990s."),
    ("Net sales were $5,200 million [1].", "Net sales | 5,200 | 4,900"),
    ("Net sales were $5.2 billion [1].", "Net sales 5,200 4,900"),
    ("The gross margin was 43.5% [1].", "Gross margin 43.5 44.1"),
    ("The loss was $1,234 [1].", "Net loss (1,234)"),
    ("As page 7 says, it is free [1].", "It is free."),
    ("Version 3.1.4 fixes it [1].", "fixed in 3.1.4"),
    ("The war lasted from 1914 to 1918 [1].", "the war of 1914-18"),
    ("A million people came [1].", "1,000,000 people came"),
]
PROVEN_ZH = [
    ("销售了1234件[1]。", "共售出1,234件。"),
    ("利润率为12%[1]。", "利润率为12％"),
    ("利润率为百分之十二[1]。", "利润率为12.0%"),
    ("利润率为１２％[1]。", "利润率达百分之十二"),
    ("收入为52亿元[1]。", "revenue of 5.2 billion yuan"),
    ("收入为52亿元[1]。", "收入5,200,000,000元"),
    ("收入为3500万元[1]。", "收入三千五百万元"),
    ("收入为1.2万亿元[1]。", "收入12000亿元"),
    ("船队有十二艘船[1]。", "船队有12艘船。"),
    ("船队有12艘船[1]。", "The fleet had twelve ships."),
    ("人口为三百二十万人[1]。", "人口320万"),
    ("始于2020年3月3日[1]。", "It began on March 3, 2020."),
    ("始于二〇二〇年三月三日[1]。", "始于2020-03-03。"),
    ("始于2020年3月[1]。", "始于2020年3月3日。"),
    ("2019财年有所增长[1]。", "It grew in FY19."),
    ("二十世纪有所增长[1]。", "20世纪增长了"),
    ("增长了10到12个百分点[1]。", "增长10%至12%"),
    ("约有50亿人[1]。", "有49.8亿人"),
    ("有50亿人左右[1]。", "有49.8亿人"),
    ("超过50亿人[1]。", "有52亿人"),
    ("有两个原因：成本和速度[1]。", "成本低，速度快。"),
    ("它有三个部分：盖子、盒子和钥匙[1]。", "盖子、盒子和钥匙"),
    ("这是一种方法[1]。", "这种方法很好。"),
    ("首先，它十分便宜[1]。", "它很便宜。"),
    ("第一，它便宜[1]。\n第二，它快[1]。", "它便宜又快。"),
    ("三分之一的人同意[1]。", "1/3，即33.333333333333336%的人同意"),
    ("它是第三大城市[1]。", "the third largest city"),
    ("他活了七十八岁[1]。", "享年78岁"),
    ("万一下雨，统一取消[1]。", "下雨时取消。"),
    ("第7页写明免费[1]。", "免费。"),
    ("销售额为52亿元[1]。", "销售额 5,200 4,900"),
    ("有两万五千人参加[1]。", "25,000人参加"),
    ("11月他写了判决书[1]。", "In November he wrote the judgment."),
    ("80年代初增长很快[1]。", "It grew fast in the early 1980s."),
    ("上世纪60年代很流行[1]。", "popular in the 1960s"),
    ("第33届超级碗[1]。", "Super Bowl XXXIII"),
    ("第二次世界大战后重建[1]。", "rebuilt after World War II"),
    ("每十年上升一次[1]。", "It rises once a decade."),
    ("两家公司都获利[1]。", "Both companies made a profit."),
]
DOUBTFUL_EN = [
    ("Sales were {{1,235}} units [1].", "We sold 1234 units."),
    ("The margin was {{13%}} [1].", "a margin of 12%"),
    ("The margin was {{12%}} [1].", "12 employees left"),
    ("Sales were ${{5.3 billion}} [1].", "sales of $5.2 billion"),
    ("Sales were ${{5.2 million}} [1].", "sales of $5.2 billion"),
    ("There were {{thirteen}} ships [1].", "12 ships set sail."),
    ("The company has {{five}} segments [1].", "It has four segments."),
    ("It began on {{March 4, 2020}} [1].", "It began on March 3, 2020."),
    ("It began in {{2021}} [1].", "It began in 2020."),
    ("In {{FY2018}} it grew [1].", "It grew in FY19."),
    ("Take 10–{{14}} tablets [1].", "Take 10 to 12 tablets."),
    ("It was the {{third}} quarter [1].", "in Q4"),
    ("It was 5 or {{6 billion}} [1].", "5 or 8 billion"),
    ("It rose 5 points to {{7}} [1].", "It rose 5 points to 8."),
    ("It rose {{6}} points to 8 [1].", "It rose 5 points to 8."),
    (
        "{{5 billion}} people live there [1].",
        "4.98 billion people",
    ),
    ("About {{5 billion}} people live there [1].", "4.5 billion people"),
    ("More than {{5 billion}} were sold [1].", "4.9 billion were sold"),
    ("It rose by 5% [1]. It fell by {{5%}} [2].", "It rose by 5%.", "It fell by 6%."),
    ("It rose by {{7%}} to $3 million [1].", "It rose to $3 million."),
    ("It has {{four}} parts: a lid, a box and a key [1].", "a lid, a box and a key"),
    ("<<It was founded by two brothers in Oslo.>> It grew [1].", "It grew."),
    ("It grew [1]. <<The founder later moved the company to Norway.>>", "It grew."),
    ("<<In 1999 it had 30 people.>>", "nothing"),
    ("Page {{9}} says that it is free [1].", "It is free."),
    ("Version {{3.1.5}} fixes it [1].", "fixed in 3.1.4"),
    ("In the {{1980s}} it grew [1].", "It grew in the 1990s."),
    ("It lasted {{ten}} years [1].", "It lasted nine years."),
]
DOUBTFUL_ZH = [
    ("销售了{{1235}}件[1]。", "共售出1,234件。"),
    ("利润率为{{百分之十三}}[1]。", "利润率为12%"),
    ("收入为{{53亿}}元[1]。", "收入为52亿元"),
    ("船队有{{十三}}艘船[1]。", "船队有12艘船。"),
    ("公司有{{五}}个部门[1]。", "公司有四个部门。"),
    ("始于{{2020年3月4日}}[1]。", "始于2020年3月3日。"),
    ("始于{{2021年}}[1]。", "始于2020年。"),
    ("有{{50亿}}人[1]。", "有49.8亿人"),
    ("约有{{50亿}}人[1]。", "有45亿人"),
    ("它是{{第四}}大城市[1]。", "它是第三大城市。"),
    ("增长5%[1]。下降{{5%}}[2]。", "增长5%。", "下降6%。"),
    ("<<公司由两兄弟在奥斯陆创立。>>后来扩大了[1]。", "后来扩大了。"),
    ("后来扩大了[1]。<<创始人随后把公司迁到了挪威。>>", "后来扩大了。"),
    ("{{三分之二}}的人同意[1]。", "三分之一的人同意"),
    ("他活了{{七十九}}岁[1]。", "享年78岁"),
    ("{{12月}}他写了判决书[1]。", "In November he wrote the judgment."),
    ("{{70年代}}增长很快[1]。", "It grew fast in the early 1980s."),
]


@pytest.mark.parametrize("case", PROVEN_EN + PROVEN_ZH, ids=lambda c: c[0][:40])
def test_what_the_quotes_say_is_not_marked(case):
    said, *quotes = case
    check(said, *quotes, *quotes[:1])


@pytest.mark.parametrize("case", DOUBTFUL_EN + DOUBTFUL_ZH, ids=lambda c: c[0][:40])
def test_what_the_quotes_do_not_say_is_marked(case):
    check(*case)


@pytest.mark.parametrize(
    "said",
    [
        "## What it costs\n\nIt is free [1].",
        "**What the programme costs today**\n\nIt is free [1].",
        "What the programme costs today\n\nIt is free [1].",
        "The documents give these facts about the price:\n- It is free [1].",
        "However,\nit is free [1].",
        "In summary:\nIt is free [1].",
        "It is free [1]. I hope this helps you with your homework!",
        "Sure, happy to help you with this question! It is free [1].",
        "It is free [1]. Would you like to know more about the licence?",
        "It is free [1]. The documents do not say who wrote the programme.",
        "It is free [1].\n```\nprint(12345)\n```",
        "文档给出的价格信息如下：\n- 它是免费的[1]。",
        "价格与许可证说明\n\n它是免费的[1]。",
        "总之，\n它是免费的[1]。",
        "它是免费的[1]。希望以上回答对你的学习有所帮助！",
        "它是免费的[1]。文档中没有说明作者是谁。",
        "它便宜；速度也很快；并且是免费的[1]。",
        "",
    ],
)
def test_what_needs_no_proof(said):
    check(said, "It is free. 它便宜、快、免费。")


def test_the_heading_and_the_years_of_the_name_prove_too():
    check("Sales in 2018 were 5 [1].", "Sales 5", document="3M_2018_10K.pdf")
    check("Sales in 2018 were 5 [1].", "Sales 5", heading_path=("Fiscal year 2018",))
    check("Sales in {{2017}} were 5 [1].", "Sales 5", document="3M_2018_10K.pdf")


def test_a_number_of_the_question_alone_is_marked():
    # Why did sales fall by 12 %?
    check("Sales fell by {{12%}} because of the strike [1].", "Sales fell because of the strike.")
