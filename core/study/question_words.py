"""The words by which headings and sentences are turned into questions, English and Chinese."""

import re

from core.text.letters import letters
from core.text.tokens import CJK

NUMBERING = re.compile(
    r"^(?:(?:chapter|section|part|appendix|lesson|unit|step)\s+(?:\d+|[a-z]|[ivxlc]+)\b[.:)\s–—-]*"
    r"|第\s*[0-9一二三四五六七八九十百零]+\s*[章节部分篇讲课回][\s:：、.]*"
    r"|附录\s*[a-z0-9一二三四五六七八九十]*[\s:：、.]*"
    r"|[(（]?(?:\d+(?:\.\d+)*|[a-z]\.\d+(?:\.\d+)*|[ivxlc]+(?=[.)])|[a-z](?=[.)])"
    r"|[一二三四五六七八九十]+(?=[、.）)]))[.)）、:：\s]*(?=\D|$))",
    re.IGNORECASE,
)
"""The number of a heading: "1.2", "Chapter 3:", "第三章", "二、"."""

SUBTITLE = re.compile("[:：]|——| [–—] ")
NO_TOPIC = re.compile(r"https?:|www\.|@|[=<>{}\\|_#*]|^\W*$")

GENERIC_HEADINGS = frozenset(
    letters(words)
    for line in (
        "introduction|conclusion|conclusions|references|bibliography|abstract|contents|appendix",
        "table of contents|acknowledgements|acknowledgments|index|preface|foreword|summary",
        "overview|background|results|discussion|results and discussion|methods|notes|figures",
        "materials and methods|methodology|related work|exercises|exercise|glossary|tables|cover",
        "list of figures|list of tables|copyright|about the author|about this book|keywords|title",
        "further reading|questions|examples|example|future work|limitations|experiments|evaluation",
        "motivation|definitions|terminology|answers|solutions",
        "目录|引言|前言|摘要|参考文献|结论|结语|总结|小结|本章小结|致谢|附录|索引|习题|练习|思考题|序",
        "序言|后记|版权|绪论|概述|简介|介绍|关键词|正文|背景|方法|结果|讨论|相关工作|封面|延伸阅读",
        "例子|术语|答案|定义|实验|评估",
    )
    for words in line.split("|")
)

CLAUSE_EN = re.compile(
    r"^(?:how|why|what|when|where|which|who|to|on|in|for|from|with|using|by|it)\b"
    r"|\b(?:is|are|was|were|has|have|do|does|can|will|should|must|we|you|your|our|i|this|these)\b",
    re.IGNORECASE,
)
"""A heading that is half a sentence cannot stand behind "What is"."""

JOINED_EN = re.compile(r"\b(?:and|or|of|in|for|to|with|on|by|versus|vs|from)\b|[,;/&–—]", re.I)
JOINED_ZH = re.compile("[和与及、的，]")
ASKING_ZH = re.compile("如何|怎么|怎样|为什么|为何|什么|哪些|吗$")
OWN_WORDS_ZH = re.compile("[这你]|本书|本章|本节|我们|可以")

ARTICLE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
DEFINED_EN = re.compile(
    r"^((?:(?:the|a|an)\s+)?[A-Za-z][\w'’-]*(?:\s+[\w'’-]+){0,2})\s+(?P<verb>is|are)\s+"
    r"(?:an?|the (?:process|set|study|number|ability|way|task|part)|defined|called|known)\b",
    re.IGNORECASE,
)
NO_SUBJECT_EN = re.compile(
    r"^(?:(?:it|this|that|these|those|there|here|he|she|they|we|you|i|his|her|its|their|our|my)\b"
    r"|(?:what|which|who|one|each|such|all|both|another|if|when|but|and|so|also|thus|as|in|for)\b"
    r"|(?:the |an? )?(?:first|second|third|next|last|figure|table|example|result|answer|following"
    r"|above|below|purpose|goal|aim|reason|problem|difference|other|same|only|main|most|latter"
    r"|former)\b)",
    re.IGNORECASE,
)
DEFINED_ZH = re.compile(
    rf"^(?:所谓)?[“「]?([{CJK}A-Za-z][{CJK}A-Za-z0-9 -]{{1,13}}?)[”」]?(?:就|也)?"
    "(?:是指|是一种|是一个|是一类|是一门|是一套|指的是|被称为|被定义为|是由|是把|是将)"
)
NO_SUBJECT_ZH = re.compile(
    "^(?:[这那它他她我你其此该但而图表]|如果|因为|所以|一个|有的|例如|另|最)|[的都也还就年]$"
)

FURNITURE_EN = frozenset(
    word
    for line in (
        "document documents chapter section figure table example page pages following answer",
        "answers question questions sentence sentences passage passages therefore however although",
        "because between without within another several different",
    )
    for word in line.split()
)
"""Words that every text repeats and none is about."""
FURNITURE_ZH = frozenset(
    [
        "文档",
        "文件",
        "段落",
        "句子",
        "页面",
        "章节",
        "问题",
        "回答",
        "答案",
        "内容",
        "例子",
        "作者",
        "没有",
    ]
)
"""The same in Chinese."""

BREAK_ZH = re.compile(
    "[的了是在和与及或也都就而被把对为以于之其这那哪什么吗呢吧啊谁几从到由等并但又所该此些个有不会能可要"
    "我你他它们上中下里用使每一二三四五六七八九十年月日将让很更最还]"
)
"""Characters that seldom stand inside a word that a text is about."""
