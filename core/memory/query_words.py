"""The words by which a recall query is taken apart, English and Chinese."""

import re


def ignoring_case(*patterns: str) -> re.Pattern[str]:
    """Return a pattern that matches what any of `patterns` matches."""
    # ASCII: \b holds between a Latin word and a Chinese character.
    return re.compile("|".join(patterns), re.IGNORECASE | re.ASCII)


_LOADED_EN = r"(?:load|upload|import|add|open)(?:ed|ing)?|(?<=\bi )read|(?<=have )read"
_DOCUMENT_EN = r"documents?|files?|pdfs?|books?|papers?"
_LOADED_ZH = r"(?:加载|上传|导入|添加|打开)(?:过|了|的)*|(?:读|看)(?:过|了)的?"
_DOCUMENT_ZH = r"文档|文件|资料|论文|书籍|pdf|(?:什么|哪些|哪本|几本|的|本)书"
_WHICH_ZH = r"有?(?:哪些|什么|几个|几篇|几本|哪几个|哪篇)?"

NOTES = ignoring_case(
    r"\b(?:all )?my notes?\b",
    r"\bnotes? (?:about|on|of|from|i)\b(?: (?:wrote|took|made|saved))?",
    r"\bi (?:noted|wrote|write)\b(?: down)?",
    r"\b(?:did|have) i (?:note|write|noted|written)\b(?: down)?",
    r"我?记(?:过|了|下)的?(?:哪些|什么)?(?:学习)?笔记(?!本)",
    r"(?:我的|哪些|什么|所有|全部)?(?:学习)?笔记(?!本)(?:里|中|有)?",
    r"我记(?:了|过|下)(?:什么|哪些)?",
)
QUESTIONS = ignoring_case(
    r"\b(?:all )?my questions?\b",
    r"\b(?:the )?questions? (?:that )?(?:did i |have i |i(?: have)? )?(?:asked|ask)\b",
    r"\bquestions? (?:about|on)\b",
    r"\bi (?:have )?ask(?:ed)?\b",
    r"\b(?:did|have) i ask(?:ed)?\b",
    r"我?(?:都|曾经?)?(?:问|提)(?:过|了|的)+(?:哪些|什么|几个)?(?:问题)?",
    r"我的(?:问题|提问)",
    r"提问记录",
)
DOCUMENTS = ignoring_case(
    rf"\b(?:{_DOCUMENT_EN})\b(?=.*\b(?:{_LOADED_EN})\b)",
    rf"\b(?:{_LOADED_EN})\b(?=.*\b(?:{_DOCUMENT_EN})\b)",
    rf"(?:{_LOADED_ZH}){_WHICH_ZH}(?:{_DOCUMENT_ZH})",
    rf"{_WHICH_ZH}(?:{_DOCUMENT_ZH})(?=.*(?:{_LOADED_ZH}))",
)
DOCUMENT_WORDS = ignoring_case(rf"\b(?:{_LOADED_EN}|{_DOCUMENT_EN})\b", _LOADED_ZH, _DOCUMENT_ZH)

_FIGURE_EN = r"(?:figure|diagram|chart|picture|image|photo|photograph|drawing|illustration|map)s?"
_FIGURE_ZH = "(?:示意图|插图|图片|图像|图表|照片|地图|流程图|结构图)"
FIGURES = ignoring_case(
    rf"\b(?:the |a |all |any |show me )*{_FIGURE_EN} (?:of|about|showing|with|on|that shows?)\b",
    rf"(?:的|有关|关于){_FIGURE_ZH}",
)

BARE_NOTES = ignoring_case(r"\b(?:learning )?notes?\b", r"(?:学习)?笔记(?!本)")
BARE_QUESTIONS = ignoring_case(r"\bquestions?\b", "问题", "提问")
BARE_DOCUMENTS = ignoring_case(rf"\b(?:{_DOCUMENT_EN})\b", "文档|文件|资料|论文|书")
BARE_FIGURES = ignoring_case(rf"\b{_FIGURE_EN}\b", _FIGURE_ZH)

REVIEW_EN = frozenset(
    word
    for line in (
        "ask asked do did doing done happened have had has been i me my we us it you tell",
        "know learn learned learning learnt list made make please read recall record recorded",
        "remember remind review reviewed saw see seen show studied study studying load loaded",
        "find found get got give given work worked wrote write say said",
        "so far ever recently before earlier previously already all everything any anything",
        "thing things stuff what which that this these those when",
        "was were is are can could would will the a an of in on at about for to from during since",
        "with and s t d ve ll",
    )
    for word in line.split()
)
"""What may be left of an English question that asks for nothing but "what was there"."""

REVIEW_ZH = ignoring_case(
    "什么|哪些|哪个|学习|复习|回顾|回忆|记得|记录|之前|以前|曾经|已经|所有|全部|列出|显示|看看",
    "告诉|一下|内容|东西|事情|时候|最近|关于|请问|有关",
    "做|学|过|了|的|吗|呢|吧|啊|都|我|们|有|在|是|里|中|还|想|看|读|干|些|事|请|给|把|问|记",
)
"""The same in Chinese."""

OWN_PAST = ignoring_case(
    r"\b(?:i|me|my|we|review|remember|recall)\b",
    "我|复习|回顾|回忆|之前|以前|记得",
)
"""A question without any subject is about one's own past only with one of these."""

FRAME = ignoring_case(
    # the start of a question about one's own past, up to its subject
    r"^(?:please )?(?:what|which things|when|where|how much|tell me what|remind me what)?(?: else)?"
    r" ?(?:did|do|have|had) i (?:ever |already )?"
    r"(?:learn(?:ed|t)?|read|study|studied|see|seen|know|find|found|remember|say|said|do|done)\b",
    r"^(?:please )?(?:remind me|tell me|what|anything|everything) (?=about\b|of\b)",
    r"^(?:about|on|from|of)\b",
    r"^我?们?(?:之前|以前|曾经|已经|都)*(?:学|读|看|了解|复习)习?(?:过|了)(?:的|哪些|什么)*",
    r"^请?(?:帮我)?(?:回顾|复习|回忆)(?:一下)?",
    "^(?:关于|有关|什么关于)",
)
TAIL = ignoring_case(
    r"\b(?:from|in|on|about|during|of|at)$",
    r"\b(?:that |which )?i(?: have)?$",
    r"的?(?:内容|有哪些|有什么|是什么|什么|哪些)?[吗呢吧]?$",
    "的(?:问题|笔记)?$",
)
EDGES = " \t\r\n,.;:!?，。；：！？、\"'“”‘’()（）"
