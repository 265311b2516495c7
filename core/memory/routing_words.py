"""The words by which questions about one's own learning are told from others, English and Chinese.

The difficulty is in the others: "Who was president before Lincoln?", "What is episodic memory?",
"我们如何记忆单词？" use the same words. So what counts is who did it: the learner ("I", "我").
"""

import re

from core.memory.query_words import ignoring_case

DOCUMENT_EN = (
    r"(?:documents?|files?|pdfs?|books?|papers?|articles?|texts?|textbooks?|chapters?|reports?"
    r"|sources?|slides?|lectures?|authors?|reading material|materials?|uploads?)"
)
DOCUMENT_ZH = (
    "(?:文档|文件|资料|论文|文章|书籍|原文|课本|教材|课件|材料|报告|作者|pdf"
    "|书(?!写|法|信|架|包|店))"
)

QUOTED = re.compile(
    r"\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|《[^》]*》|(?<!\w)'[^']{2,}'(?!\w)|‘[^’]*’"
)
"""What somebody else said or a title: "I have a dream" is not about the learner."""

NUMERAL = re.compile(
    r"(?<!\babout )(?<!\bon )(?<!\bfor )(?<!\bfrom )(?<!\bwith )"
    r"\b(?!(?:What|Which|When|Where|Who|How|Why|Have|Had|Has|Did|Do|Does|Was|Were|Am|Is|Are|Can|"
    r"Could|Should|Would|Will|Shall|May|Might|Must|The|That|Things?|Everything|Anything|All|And|Or"
    r"|But|Since|Before|After|Yesterday|Today|If|So|Documents?|Files?|PDFs?|Books?|Papers?|Notes?"
    r"|Questions?|Topics?|Concepts?|Words?|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday"
    r"|Sunday|Week|Month|Time|Recently|Earlier|Previously|Also|However|As|Once|Then|While|Because"
    r"|Here|Hi|Hello|Ok|Okay|Well|Sorry|Maybe|Last|Now|Please|Remember|Show|Find|List|Tell)\b)"
    r"[A-Z][a-z]+ I\b(?!['’])"
)
"""A Roman numeral: "Francis I", "World War I"."""

_ADVERB = (
    r"(?:(?:ever|already|just|really|actually|last|previously|recently|first|once|also|all|so far"
    r"|earlier|then|even|only|not|never|yet) ){0,2}"
)
_BASE_EN = (
    r"(?:ask|learn|study|note|write|load|upload|import|add|open|read|review|revise|cover|look at"
    r"|look up|work on|save|go over|go through|discuss|record|take|jot|get stuck|leave off"
    r"|stop|delete|remove|talk about|focus on|spend|finish|begin|start with|start|do|forget|see"
    r"|struggle)"
)
_PAST_EN = (
    r"(?:asked|learn(?:ed|t)|studied|noted|wrote(?: down)?|written(?: down)?|uploaded|loaded"
    r"|imported|deleted|removed|reviewed|revised|covered|discussed|saved|jotted|took notes"
    r"|looked at|looked up|been (?:learning|studying|reading|asking|working on)"
    r"|worked on|talked about|went (?:over|through)|gone (?:over|through)|made notes)"
)
_NOT_HYPOTHETICAL = (
    r"(?<!\bif )(?<!\bshould )(?<!\bcan )(?<!\bcould )(?<!\bwould )(?<!\bmust )(?<!\bwill )"
    r"(?<!\bmay )(?<!\bmight )(?<!\bshall )(?<!\bsuppose )(?<!\bimagine )(?<!\bsay )(?<!\bdo )"
)

_I_ZH = "(?<![自忘本超])(?:我|咱)们?(?![国党军校方市省县])"
_ADVERB_ZH = (
    "(?:之前|以前|曾经?|已经?|都|还|也|又|最近|最后|上次|刚才|刚刚|一共|总共|有没有|是否|是不是|到目前为止|目前|至今"
    "|第一次|首次|有|所|今天|昨天|昨晚|前天|今早|这周|本周|上周|这个?星期|上个?星期|上个?月|这个?月|周?[一二三四五六日]|今年|去年"
    "|早上|晚上|下午|上午|这几天|几天前|过去|在这里|什么时候|何时|哪天|是|里|的|从|到|\\d天前| )*+"
)

OWN_DEED = ignoring_case(
    rf"\bdid (?:i|we) (?!(?:learn|gain) from ){_ADVERB}{_BASE_EN}\b",
    rf"\bdid i {_ADVERB}learn from\b",
    rf"\b(?:have|had) (?:i|we) {_ADVERB}(?:{_PAST_EN}|read|seen|done|added|opened|forgotten)\b",
    rf"{_NOT_HYPOTHETICAL}\b(?:i|we)(?: have|['’]ve| had|['’]d)? {_ADVERB}{_PAST_EN}\b",
    rf"\b(?:i|we)(?: have|['’]ve) {_ADVERB}(?:read|seen|done|added|opened)\b",
    rf"\b{DOCUMENT_EN} (?:that |which )?i (?:have |['’]ve )?{_ADVERB}(?:read|opened|added)\b",
    r"\bwhat do i (?:already )?(?:know|remember) (?:about|of)\b",
    r"\bwhat i (?:already )?know about\b",
    r"\bwhere (?:was i|were we)\b",
    r"\bwhat was i (?:doing|reading|studying|learning|working on)\b",
    # Chinese
    rf"{_I_ZH}{_ADVERB_ZH}(?:(?:在|对|就|关于|针对)[^，。？！?!]{{1,12}}?{_ADVERB_ZH})?"
    r"(?:学习?|提?问|提|记录?|加载|上传|导入|添加|打开|复习|温习|研究|了解|讨论|聊|收藏"
    "|保存|删除|写|读|看|查)(?:过|了)",
    rf"{_I_ZH}{_ADVERB_ZH}(?:学得最|做(?:过|了)[^，。？?]{{0,16}}笔记)",
    rf"{_I_ZH}{_ADVERB_ZH}(?<!是)在(?:学习?|读|看|研究|复习)(?:些|什么|哪)",
    rf"{_I_ZH}(?:还|尚|从)?(?:没有?|未)(?:学习?|问|记|读|看)过",
    rf"{_I_ZH}是?(?:第一|首|最后一|最近一|上一?)次(?:学|问|记|加载|上传|读|看|复习)",
    rf"{_I_ZH}(?:之前|以前|昨天|前天|今天|上周|这周|最近|上次|刚才)(?:学习?|读|看)的",
    rf"{_I_ZH}{_ADVERB_ZH}(?:学到|了解到|记|写|问|提|加载|上传|导入|添加|保存)(?:了|的)(?!是否)",
    rf"{_I_ZH}{_ADVERB_ZH}(?:学|读|看|聊|复习|讲)到(?:了)?(?:哪|第几|什么)",
    r"我(?:对.{1,20})?(?:已经)?(?:知道|掌握)(?:了)?(?:些|哪些)",
)
"""The learner did it: "did I ask", "I noted", "我昨天问了"."""

SUBJECTLESS_ZH = ignoring_case(
    r"^(?:请|帮我|给我|能不能|可以|列出|显示|看看|告诉我|说说|查一下|，|,|\s)*"
    r"(?:之前|以前|曾经|最近|已经|都|刚才|上次|目前|到目前为止|至今|一共|总共|\s)+"
    r"(?:都|还|一共|总共)?(?:学习?|提?问|记录?|加载|上传|导入|读|看|复习|讨论|聊)(?:过|了|到哪)",
    r"^(?:目前|现在|一共|总共|已经?|都|\s)*(?:加载|上传|导入)(?:过|了)?(?:哪些|什么|几|多少)",
    r"^(?:目前|现在|有)?(?:哪些|什么|多少|几)(?:个|篇|份|本)?(?:文档|文件|论文|pdf|资料)"
    r"(?:已经?|被|都)*(?:加载|上传|导入)(?:过|了|进来)*(?:吗|呢)?[？?。]?$",
    r"^(?:列出|显示|看看|查看)?(?:全部|所有)?(?:已|已经)?(?:加载|上传|导入)(?:过|了)?的"
    r"(?:全部|所有)?(?:文档|文件|论文|pdf|资料)(?:列表|清单|有哪些|有多少|是哪些)?[？?。]?$",
    r"^(?:显示|查看|看看|打开|列出)?(?:学习|提问)(?:历史|记录|进度|历程|足迹)",
)
"""Chinese leaves "I" out: "之前学过什么？"; the sentence must begin so."""

DID_ZH = re.compile(r"^\W*(?:都|还|我|一共)*(?:学|问|提|记|加载|上传|导入|读|看|复习|讨论|聊|做)")
"""What must follow a time at the start of a Chinese sentence without "I"."""

OWN_THING = ignoring_case(
    r"\b(?:my|our) (?:(?:learning|study|old|earlier|previous|last|recent|own|first|latest|two|three"
    r"|past|personal|saved|written) )*(?:notes|note(?! that)|questions|uploads|sessions?"
    r"|(?:learning|study|reading|question) (?:history|record|progress|log|journey)|history here)\b",
    r"\bmy (?:last|first|previous|earlier|latest) (?:\w+ )?question\b",
    r"\bquestions? of mine\b",
    rf"^(?:which|what|how many) {DOCUMENT_EN} do i have(?: here| now)?\W*$",
    r"\bmy (?:learning|studies|progress)\b",
    r"\b(?:show|list|which|name|count|how many)\b.{0,12}\bmy (?:loaded |uploaded )?"
    r"(?:documents|files|pdfs|papers|books)\b(?=[^a-z]*$| (?:are|do i|have i|so far))",
    r"^(?:what|show|list|which)\b.{0,24}\bin my library\b\W*$",
    r"\b(?:do|have) i (?:have |got )?(?:any |some |other |more )?notes?\b",
    r"(?<![自忘本超])我们?(?:有)?(?:关于|对于?|有关|在)[^，。？]{1,16}的?笔记(?!本)",
    r"(?<![自忘本超])我(?:现在|目前|一共|总共)?有(?:哪些|什么|几|多少)(?:个|份|篇|本)?"
    r"(?:文档|文件|论文|资料|书|pdf)[？?。]?$",
    r"(?<![自忘本超])我们?的?(?:学习|历史|提问|以前|之前|先前|早先|全部|所有|上一个|上个|第一个|最近|那些|几条|昨天|今天|前天"
    "|上周|这周|本周|上个?月|这个?月|自己|的)*"
    r"(?:笔记(?!本)|提问|学习(?:记录|历史|进度|历程|情况|内容)|历史记录|问题(?!是|[:：]))",
)
"""What is the learner's: "my notes", "我的笔记"."""

LOADED_LIST = ignoring_case(
    rf"^(?:which|what|how many|list|show)\b[a-z ]*\b{DOCUMENT_EN}(?: that)?"
    r" (?:are|were|have been|has been|got) (?:currently |already |now )?(?:loaded|uploaded"
    r"|imported|in (?:the|my) library)(?: (?:so far|here|now|already|currently|yesterday|today"
    r"|recently|last (?:week|month)|this (?:week|month)))?\W*$",
    r"^(?:please )?(?:list|show)(?: me)?(?: all)?(?: of)?(?: the)? (?:loaded|uploaded|imported)"
    rf" {DOCUMENT_EN}\W*$",
    r"^(?:show|open|what is)?(?: me)?(?: the| my)? ?(?:learning|study) (?:history|record|progress)"
    r"\W*$",
)
"""The list of what is loaded, which needs no "I"."""

ASKED_TO_REMEMBER = ignoring_case(
    r"\bremind me (?:of |about |again )?(?:what|which|when|where|how) (?:i|we)\b",
    r"\bdo you (?:still )?(?:remember|recall) (?:me|my|what i|what we|when i|which|our)\b",
    r"\bwhat (?:do|did|have) you (?:remember(?:ed)?|know|stored?|kept?|keep) (?:about|of) me\b",
    r"\b(?:talk|talked|speak|chat) (?:about )?(?:last time|yesterday|before)\b",
    r"你?还?记[得住](?:我|我们|咱们)",
    r"(?:关于|对)我(?:的)?(?:你)?(?:记得|知道|了解)",
    r"上次(?:我们|咱们)?(?:聊|学|讲|说|讨论|读|看)",
)

REVIEW = re.compile(
    r"^(?:please |let['’]?s |can you |could you |help me |i want to |i['’]d like to )*"
    r"(?:review|recap|revise|revisit|go over|summari[sz]e)\b"
    r"|^(?:请|帮我|帮忙|让|我们?|一起|来|想|要|能否|可以|咱们|带我|\s)*(?:回顾|复习|回忆|重温|温习|总结)",
    re.IGNORECASE,
)
ONLY_SUMMARY = re.compile(r"^(?:\w+ ){0,4}summari[sz]e\b|^[^，。]{0,6}总结", re.IGNORECASE)
"""To summarise is asked of documents, too; to review is asked of what was learned."""
LEARNED_ZH = re.compile("学过|学到|学习内容|学习的内容|学了|学的|所学|笔记(?!本)|问过|读过|看过")

PART_OF_DOCUMENT = ignoring_case(
    r"\b(?:the|this|that|these|those|a|each|every|my|which|two|both) (?:[\w-]+ ){0,2}"
    rf"{DOCUMENT_EN}\b",
    r"\b(?:sections?|chapters?|proofs?|tables?|figures?|pages?|literature|abstract|conclusions?)\b",
    DOCUMENT_ZH,
    r"第.{1,4}[章节页部]|[章节]",
)
"""A document, or a part of one."""

CONTENT_VERB = ignoring_case(
    rf"\b{DOCUMENT_EN}\b[^,;.?]{{0,50}}?\b(?:says?|states?|claims?|explains?|mentions?|answers?|tells?"
    r"|argues?|defines?|describes?|concludes?|thinks?|teach(?:es)?|recommends?|shows?)\b",
    rf"\b(?:according to|in|from|of) (?:the|this|that|my|any) (?:\w+ )?{DOCUMENT_EN}\b",
    rf"{DOCUMENT_ZH}(?:里|中|上|又|是|都|对.{{1,12}})*(?:怎么|如何|怎样|是否|有没有|说|写|讲|提|认为|介绍|定义|解释|给出)",
    rf"{DOCUMENT_ZH}的?(?!列表|清单|名)[^，。？?]{{1,12}}(?:是什么|是多少|是谁|为什么|怎么|如何)",
)
"""What a document says, now: not that it was loaded."""

LOADED_CLAUSE = ignoring_case(
    rf"\b(?:the |this |that |these )?{DOCUMENT_EN} (?:that |which )?(?:i|we)(?: have|['’]ve| just)*"
    rf" {_ADVERB}(?:loaded|uploaded|imported|added|opened|read|saved)\b",
    rf"(?:我|咱)们?[^，。？?]{{0,8}}(?:加载|上传|导入|添加|打开|读|看|保存)(?:过|了)?的(?:那|这|几|份|篇|本|个|些)*{DOCUMENT_ZH}",
)
"""A document told by its having been loaded: "the paper I uploaded says"."""
LISTING = ignoring_case(
    r"^(?:please )?(?:list|show|name|which|how many|what (?:are|were) the names)\b",
    r"^what (?:are|were) (?:all )?(?:the )?"
    rf"{DOCUMENT_EN} (?:that |which )?(?:i|we)\b",
    "有哪些|有什么|有几|有多少|是哪|叫什么|列表|清单|^列出|^显示",
)

LINK = ignoring_case(
    r"\b(?:compar\w+|contrast\w*|combin\w+|(?:dis)?agree\w*|contradict\w*|match\w*|differ\w*"
    r"|consistent|inconsistent|conflict\w*|versus|vs|confirm\w*|support\w*|verif\w+|against|relate"
    r"|fits?|together|along with|as well as|back up|line up|square with|in line with|overlap\w*"
    r"|missing|missed|add to|beyond|both)\b",
    "结合|对比|比较|对照|一致|矛盾|符合|吻合|冲突|出入|相符|验证|核对|补充|差异|不同|区别|遗漏|漏掉|结论|支持|印证|一起",
)
"""Two things are held against each other."""
NOT_YET = ignoring_case(
    rf"{DOCUMENT_EN}.*\b(?:not|n['’]t|never)\b.{{0,20}}\b(?:asked|noted|covered|learned|read)\b",
    rf"{DOCUMENT_ZH}.*我?(?:还没|没有|尚未|未)(?:有)?(?:问|学|记|读|看)",
)
JUDGED = ignoring_case(
    r"^(?:is|are|was|were|check|verify|have i|did i)\b.*\b(?:correct|right|true|accurate|wrong"
    r"|complete|mistaken|mistakes?|errors?)\b",
    r"\b(?:right|correct|true|wrong)\?*$",
    "(?:对吗|对不对|正确|准确|有错|错误|有没有错|完整|属实)",
)
"""Only the documents can say whether a note is right."""
LEANING = ignoring_case(
    r"\b(?:using|based on|drawing on|given|considering|in (?:the )?light of|with the help of"
    r"|starting from|building on|with) (?:both )?(?:my notes?|what (?:i|we)(?:['’]ve| have)?)\b",
    r"\bmy notes? and (?:the|my|this|these) ",
    rf"\b{DOCUMENT_EN} and (?:in )?my notes?\b",
    "(?:根据|基于|用|参考|按照|借助|联系)我.{0,8}(?:笔记|学过|问过|记)",
    rf"我的?笔记(?:和|与|跟|及|以及|还有).{{0,4}}{DOCUMENT_ZH}",
    rf"{DOCUMENT_ZH}(?:里|中|内容)*(?:和|与|跟|及|以及|还有|加上)我的?.{{0,4}}笔记",
)
"""An answer from the documents that begins at the learner's own."""
NEW_TEXT = ignoring_case(
    r"\b(?:explain|answer|describe|solve|why|how|derive|prove|define|tell me what the|my notes? and"
    r"|and (?:in )?my notes?|what (?:is|are|does))\b",
    "解释|回答|说明|解答|分析|为什么|怎么|如何|什么是|是什么|介绍|和|与|跟|以及",
)

GENERAL = ignoring_case(
    r"^(?:how|why) (?:do|does|can|should|could|would|to|might|must|is|are|have we|did we)\b",
    r"^(?:should|can|could|must|may|would|do) i (?!(?:already )?(?:know|have))",
    r"\b(?:if|suppose|imagine) (?:i|we)\b",
    r"^我?们?(?:该|应该|应当|要|需要|怎样|怎么|如何|能|可以|为什么|为何)(?!不能回顾)",
    r"^(?:如何|怎么|怎样|为什么|为何|如果|假如|假设)",
)
"""Advice, reasons, suppositions: about the world, though the learner is in them."""

ANNOUNCED = ignoring_case(
    r"^my (?:next )?question(?: is)?\b\W*",
    r"^(?:请问|我的?问题(?:是|[:：])|我(?:想|要)(?:请)?问(?:一下|问)?)[\s,，:：]*",
)
"""Words that only announce a question."""

FIRST_PERSON = ignoring_case(r"\b(?:i|my|mine|me|we|our)\b", "(?<![自忘本超])我(?![国党军校方])|咱")
PASSING = ignoring_case(
    r"\b(?:remember|recall|before|earlier|previous(?:ly)?|history|notes?|last time|again|already"
    r"|learn(?:ed|t|ing)?|stud(?:y|ied)|memory)\b",
    "之前|以前|记得|历史|上次|笔记|回顾|曾经|已经|学|记忆",
)
"""With the first person, these make a question doubtful that no rule decided."""
