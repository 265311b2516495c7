"""Whether a question asks about a document as a whole, or about a place in it.

"What is this paper about?", "总结一下第三章", "What does figure 2 show?" hold no word that a
passage would have to answer with; where a subject is named beside them, that is what is asked.
"""

import re

from core.text.terms import stem, terms
from core.text.tokens import CJK

_INSTRUCTIONS_EN = """
summarize summarise summary explain describe define list tell show give state say answer provide
discuss outline overview please thank thanks detail details briefly brief question sentence
many much
"""
_ASKS_EN = """
summarize summarise summary summaries sum outline overview abstract gist recap explain describe
list tell show give me say says said mean means find know help want need learn understand read
talk discuss discusses cover covers covered deal deals contain contains include included mention
mentioned present presents address addresses
main key central core essential important general overall major basic short brief briefly
detail details detailed concise simple quick nutshell tl dr tldr please thank thanks
point points idea ideas message messages topic topics subject subjects theme themes takeaway
takeaways finding findings argument arguments claim claims conclusion conclusions conclude result
results contribution contributions purpose goal goals aim aims objective objectives limitation
limitations thing things content contents information something anything everything kind type
one two three four five six seven eight nine ten argue argues argued
sentence sentences word words paragraph bullet bullets
"""
_PLACES_EN = """
document documents doc paper papers pdf text file files article articles report book ebook chapter
section page pages part appendix thesis study essay lecture slide slides presentation manual note
notes material materials upload uploaded figure fig table tables diagram chart image picture
equation formula title titled name heading headings author authors write wrote written introduction
beginning end first second third last next
"""
_WORDS_EN = frozenset(stem(word) for word in (_ASKS_EN + _PLACES_EN).split())
_INSTRUCTIONS = frozenset(stem(word) for word in _INSTRUCTIONS_EN.split())
_WORDS_ZH = """
这篇 这份 这本 这个 这些 这里 这张 该 本 此 篇 份 本书 本文 全文 全书 文中 书中 文里 里面 其中
上面 上传 加载 文档 文件 文章 论文 资料 材料 报告 讲义 教材 课件 手册 课文 文本 文字 图书 书籍
书 附录 标题 题目 名字 作者 引言 开头 结尾 第 章 节 页 部分 段落 段 图 表 表格 图表 图片 公式 幅
张 篇章 目录 总结 概括 概述 归纳 摘要 综述 提炼 梳理 介绍 简介 简述 说明 描述 解释 列出 列举
告诉 讲解 分析 回答 帮 帮忙 给 我 我们 你 请 主要 重要 核心 关键 中心 基本 大致 大概 大体 整体
总体 简单 简要 简短 简洁 详细 具体 内容 要点 重点 观点 思想 主旨 主题 大意 意思 信息 结论 结果
发现 贡献 目的 目标 意义 论点 问题 局限 话题 知识点 知识 概念 讲述 讲了 讲的 讲 说了 说的 说
写了 写的 写 谈了 谈 论述 讨论 涉及 包括 包含 提到 提及 研究 表达 展示 显示 表明 得出 想 关于
方面 有关 是 有 的 了 些 什么 哪些 哪 几 怎么 怎样 如何 谁 吗 呢 吧 啊 一下 下 一 用 句话 句 话
点 条 个 在 中 里 上 和 与 及 能 可以 能否 可否 都 到底 究竟 请问 多少 字 以内 左右 中文 英文 来
要 把 对 为
"""
_CHINESE = re.compile("(?:" + "|".join(sorted(_WORDS_ZH.split(), key=lambda w: (-len(w), w))) + ")")
_RUN = re.compile(f"[{CJK}]+")
_NUMERAL = re.compile(r"[\d.]+|[ivxlc]+|[a-z]", re.I)
_NUMERAL_ZH = re.compile("[一二三四五六七八九十百两]+")
_NAMES_IT = re.compile(
    r"\b(?:this|my|its?|summar\w+|overview|main|key|gist|outline|recap|tl;?dr)\b|"
    r"\b(?:the|these|your|all) (?:\w+ )?(?:documents?|papers?|text|files?|pdfs?|e?books?|articles?|"
    r"reports?|thesis|study|slides?|lecture|notes?|authors?|title|points?|conclusions?|findings|"
    r"introduction|contents?|page|chapter|section|part|figure|table|abstract)\b|"
    r"\b(?:page|chapter|section|part|figure|fig|table)\b\W*\w|"
    "[文书章节页图表讲]|总结|概[括述要]|归纳|[要重论观]点|内容|主[题旨要]|大意|思想|结论|作者|标题|题目|资料|材料|报告",
    re.I,
)

_NAMES_A_PLACE = re.compile(
    r"\b(?:pages?|pp?|chapters?|sections?|parts?|fig(?:ure)?s?|tables?|equations?|appendix|slides?|"
    r"sentences?|paragraphs?)\b\W*(?:\d+|[ivxlc]+|[a-z])\b|"
    "第 ?[\\d一二三四五六七八九十百两]+|[图表页章节]片?格? ?[\\d一二三四五六七八九十]",
    re.I,
)


def asks_about_whole(question: str) -> bool:
    """Tell whether nothing but a document, a place in it or a summary of them is asked for.

    True for "Summarise this document", "What are the main points?", "这篇文档讲了什么？", "What is
    on page 5?"; false where a subject is named: "Summarise the history of mills".
    """
    runs = _RUN.findall(question)
    latin = terms(_RUN.sub(" ", question))
    left = [w for w in latin if w not in _WORDS_EN and not _NUMERAL.fullmatch(w)]
    if left:
        return False
    if any(_NUMERAL_ZH.sub("", _CHINESE.sub("", run)) for run in runs):
        return False
    return bool(_NAMES_IT.search(question))


def asks_for_an_overview(question: str) -> bool:
    """Tell whether the beginning of a document answers: it is asked about, and no place in it.

    False for "What does section 9 say?" and "第三章讲了什么？": they are searched for.
    """
    return asks_about_whole(question) and not _NAMES_A_PLACE.search(question)


def is_instruction(term: str) -> bool:
    """Tell whether an English index term says what to do, not what about."""
    return term in _INSTRUCTIONS
