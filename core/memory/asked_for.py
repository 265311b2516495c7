"""What a question about the learning history asks for: things, a subject, a time."""

import re
from dataclasses import dataclass
from datetime import datetime

from core.memory import routing_words
from core.memory.query import DOCUMENT_LOADED, NOTE, QUESTION, parse_query
from core.memory.query_words import EDGES, REVIEW_EN, ignoring_case
from core.memory.time_words import TimeWindow, find_time

_KINDS = {DOCUMENT_LOADED: "documents", QUESTION: "questions", NOTE: "notes"}
_UNANSWERED = ignoring_case(
    r"\b(?:that |which )?(?:(?:were|was|have been|are|is|got) )?(?:not |never |n['’]t )+"
    r"(?:be |been |get |got )?(?:an )?answer(?:ed)?\b|\bunanswered\b|\bwithout (?:an )?answers?\b",
    "(?:还|都)?(?:没有?|未)(?:有)?(?:得到|被|能)?(?:回答|答案|解答)(?:过|的)?",
)
_THING_EN = r"(?:questions?|notes?|documents?|files?|papers?|pdfs?|books?|thing)"
_DELETED = ignoring_case(r"\b(?:deleted?|removed?)\b", "删除|移除|删")
"""What was deleted was loaded once: the list of loads says which are gone."""
_NO_SUBJECT = ignoring_case(
    r"^(?:where (?:did|was|were) (?:i|we)\b.*|.*\btalk about last time|not|miss|don['’]?t|topic"
    r"|(?:my )?(?:learning |study )?(?:history|progress|record)|parts? have i not .*)$",
    "^(?:.{0,4}上次.*|.*学到哪.*|哪儿了|.{0,4}的?学习(?:历史|记录|进度|历程)|历史上|.*得最多"
    "|里有哪些.*|我?最近.*|.{0,2}说|.*哪些我.*没有|帮我.*|题|.{0,3}叫|知识)$",
)
"""What the ways to ask for everything leave over."""
_ONLY_DOCUMENTS = ignoring_case(
    r"^(?:pdfs?|documents?|files?|papers?)(?: .*\bmy library)?$", "^(?:文档|文件|论文)$"
)
_NAMES_KIND = (
    (
        "notes",
        ignoring_case(r"\bnotes? (?:did|have) i\b", r"\bi (?:take|took|taken|make|made) notes?\b"),
    ),
    ("questions", ignoring_case(r"\bi (?:ever |first |last |already )*ask(?:ed)?\b", "次问")),
)
"""Ways to name a kind that searching memories does not know."""
_LAST = ignoring_case(
    rf"\b(?:last|latest|previous|most recent)\b(?= {_THING_EN}\b)",
    r"(?<=\bi )last\b",
    "(?:最后|最近|上)一?(?:个|份|篇|条|次|本)的?(?=问题|提问|文档|文件|论文|笔记|书|问|加载|上传|记|读|看)",
)
_FIRST = ignoring_case(
    rf"\bfirst\b(?= {_THING_EN}\b)",
    r"(?<=\bi )first\b",
    "(?:第一|最早的?一?|首)(?:个|份|篇|条|次|本)(?:的|问|学|记|读|看)?",
)
_COUNT = ignoring_case(
    r"\bhow (?:many|much|often)\b|\bof mine\b|\bby me\b|\b(?:a )?list of\b|\bnumber of\b",
    "(?:一共|总共)|多少(?:个|份|篇|条|次|本)?|几(?:个|份|篇|条|次|本)(?!月|星期)",
)
_EDGE_EN = REVIEW_EN | frozenset(
    word
    for line in (
        "how many much name give find any some topics concepts subjects be lately most often mine",
        "did covered cover talked discussed by together compare use using whether recap summarize",
        "summarise go going over take took taken note notes noted upload uploaded reading here yet",
        "documents answered questions what's whats who or library topic based something",
    )
    for word in line.split()
)
"""Words at either end of what is left that are no subject."""
_NOT_AT_THE_END = frozenset(
    word
    for line in (
        "learn learning learned learnt study studied studying read reading work worked review list",
        "recall memory history note notes question questions thing things stuff library topic",
        "topics concepts subjects record recording",
    )
    for word in line.split()
)
"""These end a subject: "machine learning"."""
_NAMED = ignoring_case(
    r"\b(?:about|regarding|concerning|(?<=notes )on|(?<=note )on|(?<=questions )on)\s+"
    r"(?!me\b|us\b|it\b|that\b|this\b|my\b|yet\b)(?P<subject>[^,;]+)"
)
"""Where English names the subject."""
_ARTICLE = ignoring_case(r"^(?:the|an?|all|topics?|subjects?|concepts?)\s+(?:of\s+)?")
_OWN_START = ignoring_case(
    r"^.*\b(?:i|we) (?:have )?(?:ask|learn|stud|not|writ|wrot|load|upload|import|read|review|cover"
    r"|tak|took)\w*(?: down)?(?: notes?)?(?: about| on| of)?\b",
)
"""What is left of how the question began, up to the learner's deed."""
_EDGE_ZH = ignoring_case(
    "^(?:学|记|写|做|问|聊|读|看|提|上传|加载|导入|讨论)(?:过|了|到|的|着)+(?:你|些|哪些|什么|几)*(?:关于|对于|有关)?",
    "^[学问记聊](?=关于|有关)",
    "^(?:关于|有关|对于|你|根据|基于|目前|现在|什么时候|何时|那[份个篇本])",
    "^(?:你?还?记[得住])?(?:请|帮我|查看|看看|列出|查一下|回顾|复习|总结|回忆|一下)*(?:我|咱)们?"
    "(?:之前|以前|都|曾经?|已经|有没有|有|一共|在|又|首次)*(?:关于|对于?|有关)?",
    "(?:我|咱)们?(?:之前|以前|都|曾经?|已经|有没有|一共)*(?:学习?|了解|提?问|读|看|记|加载|上传|写)"
    "(?:过|了|到)?(?:的|些|什么|哪些|吗|问题|知识|内容|笔记)*$",
    "(?:学习?|了解|提?问|读|看|记)(?:过|了|到)(?:的|些|什么|哪些|吗|问题|知识|内容)*$",
    "(?:的)?(?:问题|知识|内容|笔记|东西)?(?:是|有)?(?:哪些|什么时候|什么|吗|呢|来着|怎么样)$",
    "的?(?:问题|知识|内容|笔记|东西|资料)$",
)
_COMPARED = ignoring_case(
    r"\b(?:correct|right|true|accurate|complete|wrong|says?|agrees?|explain|answer|what (?:is|are)"
    r"|tell me|does|do|from|with|check|combine|compare)\b",
    "解释|回答|说法|怎么说|对吗|对不对|正确吗?|检查|什么是|是什么|一下|进行|和|与|跟|把|用|的?内容",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedFor:
    """A question about the learning history, taken apart.

    `kind` is `documents`, `questions`, `notes`, or None for all of them. `subject` is what they are
    to be about, "" for everything. `pick` is `first` or `last` when only that one is wanted.
    """

    kind: str | None
    subject: str
    window: TimeWindow | None
    unanswered: bool = False
    pick: str | None = None


def asked_for(question: str, now: datetime) -> AskedFor:
    """Take a question apart; `now` is aware, and days begin at midnight of its time zone."""
    text = routing_words.ANNOUNCED.sub("", " ".join(question.split()))
    original = text
    text = _DELETED.sub(lambda m: "loaded" if m[0].isascii() else "加载", text)
    unanswered = _UNANSWERED.search(text) is not None
    pick = "last" if _LAST.search(text) else "first" if _FIRST.search(text) else None
    for words in (_UNANSWERED, _LAST, _FIRST, _COUNT):
        text = words.sub(" ", text)
    parsed = parse_query(text, now)
    kind = next((_KINDS[event] for event in parsed.events if event in _KINDS), None)
    if kind is None:
        kind = next((name for name, words in _NAMES_KIND if words.search(original)), None)
    named = _NAMED.search(find_time(text, now)[1]) if parsed.text else None
    subject = subject_of(parsed.text)
    if named is not None and (ending := _without_end(named["subject"])):
        subject = _ARTICLE.sub("", ending)
    if kind is None and _ONLY_DOCUMENTS.search(subject):
        kind, subject = "documents", ""
    return AskedFor(
        kind="questions" if unanswered else kind,
        subject=subject,
        window=parsed.window,
        unanswered=unanswered,
        pick=pick,
    )


def held_against(question: str, now: datetime) -> AskedFor:
    """Take apart a question that holds the learning history against the documents."""
    text = " ".join(question.split())
    for words in (
        routing_words.CONTENT_VERB,
        routing_words.PART_OF_DOCUMENT,
        routing_words.LINK,
        _COMPARED,
    ):
        text = words.sub(" ", text)
    return asked_for(text, now)


def subject_of(text: str) -> str:
    """Take words that are about learning in general off both ends; "" when nothing else is left."""
    words = text.split()
    while words and _is_general(words[0]):
        del words[0]
    text = _without_end(" ".join(words))
    shorter = _OWN_START.sub("", text, count=1).strip(EDGES)
    while (shorter := _EDGE_ZH.sub("", shorter, count=1).strip(EDGES)) != text:
        text = shorter
    return "" if _NO_SUBJECT.search(text) else text


def _without_end(text: str) -> str:
    words = text.split()
    while words and _is_general(words[-1]) and _bare(words[-1]) not in _NOT_AT_THE_END:
        del words[-1]
    return " ".join(words).strip(EDGES)


def _is_general(word: str) -> bool:
    shouted = word.isupper() and len(word) > 1
    return not _bare(word) or (_bare(word) in _EDGE_EN and not shouted)


def _bare(word: str) -> str:
    return re.sub(r"['’]\w+$", "", word.strip(EDGES).lower())
