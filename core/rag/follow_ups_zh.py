"""Follow-up questions in Chinese: telling them, and completing them from the last question.

Careful rather than complete: a question that stands alone must never be changed.
"""

import re

_ASKS = "为什么|为何|怎么|怎样|如何|什么|哪|谁|多少|几|是否|吗"
_SHORT = re.compile(
    r"^(?:那么?|但是?|所以)?(?:为什么|为何|为啥|怎么说|怎么做到的|怎么回事|什么意思|是?什么时候|"
    r"从什么时候开始|"
    r"何时|在哪里?|在哪儿|是谁|"
    r"多少|哪些|哪一?个|然后|还有|还有呢|然后呢|还有吗|还有什么|还有哪些|还有其他的?吗|比如|"
    r"例如|比如说|举个例子|举例说明|"
    r"能举个?例子?吗|(?:能|可以|请)?(?:再)?举(?:个|一个|几个|一些)?例子?(?:吗)?|"
    r"有(?:什么)?例子吗|详细一点|详细说说|具体呢|"
    r"具体说说|具体一点|请?详细说明|请?继续|再说一遍|是吗|真的吗|确定吗|为什么呢|为什么会这样|"
    r"为什么这样|怎么会这样|"
    r"展开说说|能详细(?:说说|解释)吗|前者|后者)呢?$"
)
_ELLIPSIS = re.compile(
    r"^(?:那么?|而|至于|换成|如果是|要是|和|以及|还有|"
    r"另外)?[，,]?(?P<phrase>[^，。？?]{1,14}?)(?:方面|的话)?(?:又)?呢$"
)
_THEN_ONLY = re.compile(
    r"^(?:那么?|而|换成|至于|如果是)[，,]?(?P<phrase>(?:在|对|对于)?[^，。？?]{1,10})$"
)
_FALSE_FRIENDS = re.compile(
    r"它山|他山|其他|其它|其实|其次|其余|其乐|其貌|其间|其人|极其|尤其|与其|土耳其|吉他|他人|"
    r"他乡|他者|他汀|他克|他莫|维他命|"
    r"她经济|它经济|他加禄|他杀|排他|利他|莫名其妙|自圆其说|各得其所|名副其实|其味无穷|"
    r"应该|该死|活该|不该|该不该|此外|因此|彼此|从此|如此|此后|此前|由此|至此|为此|其后|其一|"
    r"其二|顺其|若无其事|"
    r"这样的话|这里的|这年头|这几[天年]|这个世界|这个(?:词|字|成语|符号|公式|单词)|这[句首段]|"
    r"这两个[词字]"
)
_DOCUMENT = re.compile(
    r"[这该本此][一]?(?:本|篇|份|个|章|节|页|部|些|几[章篇页])?(?:书|文档|文件|文章|论文|章|节|"
    r"页|报告|材料|资料|教材|课程?|课本|小说|"
    r"PDF|pdf|讲义|附件|手册|图|表)"
)
_QUOTED = re.compile(r"[“\"「『《‘][^”\"」』》’]*[”\"」』》’]")
_PRONOUN = r"(?:它们|他们|她们|它|他|她)"
_CLASS = (
    "公司|企业|方法|算法|理论|概念|技术|模型|系统|国家|城市|地方|战争|战役|法律|制度|过程|现象|事件|人物|人|疾病|动物|植物|项目|产品|"
    "组织|机构|材料|结构|机制|原理|原则|问题|效应|反应|定理|定律|药物|条约|建筑|河流|团队|物质|工具|语言|协议|朝代|节日|书法家|作家"
)
_THAT = (
    r"(?:(?:这|那|该|此|上述)(?:个|种|些|项|类|家|座|位|场|款|门|条)?"
    rf"(?:{_CLASS})(?![法史制论学权级型]))"
)
_BEFORE = (
    r"(?:那么?|请问|那么请问|为什么|为何|怎么|怎样|如何|什么时候|何时|在哪里|是不是|是否|到底|"
    r"究竟|请|解释一下|说明|介绍一下|"
    r"关于|对于|对|在|由于|除了|与|和|但是?|所以|是谁|谁|什么|哪些人|哪个国家|哪里|有多少人|"
    r"有哪些)?[，,]?"
)
_STARTS = re.compile(
    rf"^{_BEFORE}(?:{_PRONOUN}(?:的|们的)?|其(?!中)|{_THAT}|(?:这|那)(?:个|种|些|样)?(?=是|有|"
    rf"会|能|对|和|与|说明|意味|怎么|为什么|"
    r"如何|什么|为何|可以|需要|在|跟|到底|叫什么|重要))"
)
_AMONG = re.compile(r"^其中(?!国)")
_OBJECT = re.compile(
    rf"^(?:是?谁|哪[^，]{{1,4}}|什么[^，]{{0,3}}|怎么|怎样|如何|"
    rf"为什么要?)[^，的]{{1,5}}了?{_PRONOUN}$"
    rf"|^(?:是?谁|哪[^，]{{1,4}})[^，的]{{1,4}}了?{_THAT}$"
)
_TWO = re.compile(r"^(?:前者|后者|两者|二者)")
_YEAR = re.compile(r"(?:1\d|20)\d{2}\s*(?:财年|年度|年)?")
_NAMES = re.compile(r"^[A-Za-z][\w .-]*$")
_ASPECT_WORDS = (
    "主要作用|主要原因|主要特点|优点|缺点|优势|劣势|好处|坏处|作用|原因|特点|影响|定义|意义|功能|用途|历史|组成|原理|过程|类型|种类|"
    "症状|背景|内容|目的|目标|含义|结果|后果|步骤|例子|区别|局限性?|用法|风险|成本|价格|弊端|起源|特征|本质|条件|结构|分类"
)
_ATTRIBUTES = frozenset(
    f"{_ASPECT_WORDS}|人口|面积|收入|利润|净利润|毛利率|净利率|毛利|营业收入|销售额|费用|研发费用|首都|长度|高度|重量|体重|寿命|"
    "速度|温度|产量|出口|进口|作者|导演|身高|年龄|总部|员工数|资产|负债|现金流|市值".replace(
        "局限性?", "局限|局限性"
    ).split("|")
)
_ASPECT_OF = re.compile(rf"^(?P<of>.+)的(?:{_ASPECT_WORDS})$")
_TOPICS = tuple(
    re.compile(pattern)
    for pattern in (
        r"^(?:什么是|什么叫|谁是|何为|何谓|什么叫做)(?P<topic>[^，,]+)$",
        r"^(?:请)?(?:介绍|解释|说明|描述|讲讲|谈谈|说说)(?:一下)?(?P<topic>[^，,]+)$",
        r"^(?:为什么|为何|怎么|如何|怎样)(?P<topic>[^，,]{2,12}?)(?:会|要|是|能|被|没有|不|需要|"
        r"很|可以|那么|这么|在|如此|对|有|发生)",
        r"^(?:是)?(?:谁|哪[^，]{1,4}?)(?:最早|首先|最先)?(?:发明|写|创立|创建|创办|建造|提出|"
        r"发现|设计|创作|导演|主演|撰写|成立|赢得|修建|统一|"
        r"建立|编写|绘制|开创)了?(?P<topic>[^，,]+?)(?:的)?$",
        r"^(?P<topic>[^，,]{1,20}?)(?:是(?:在|由|于)?(?:什么|谁|哪|怎样|怎么|如何|多少|几|何时|"
        r"何|否)|有(?:什么|哪|多少|几|多)|"
        r"为什么|为何|怎么|怎样|如何|(?:是)?(?:在)?什么时候|何时|(?:是)?在(?:哪|什么)|"
        r"(?:是)?由(?:谁|什么|哪)|"
        r"包括|分为|多少|多大|多高|多长|多重|是否|主要|[会能](?:不|怎|导致|产生|影响|带来|引起|"
        r"造成|够|否)|可以|属于|成立于|"
        r"位于|发生|采用|使用|需要|起源|(?:生活|居住|栖息|分布|出生|生长|诞生)[在于])",
    )
)
_WHEN = re.compile(r"什么时候|何时|在哪里|在哪儿|怎么样|怎么|怎样|如何|在哪一年|哪一年")


_CATAPHORA = re.compile(rf"{_PRONOUN}被[称叫]为?(?!什么)|^[^，,]{{3,}}[，,].{{5,}}")
_NO_SUBJECT = re.compile(rf"^有(?:什么|哪些)(?:{_ASPECT_WORDS}|应用|意义)$")


def bare(question: str) -> str:
    """Return a question without white space, its end mark and politeness."""
    return re.sub(r"^请问[，,]?", "", "".join(question.split()).strip("？?！!。．."))


def is_follow_up(question: str) -> bool:
    """Tell whether a question cannot be understood without the one before."""
    text = bare(question)
    if _SHORT.match(text):
        return True
    if _QUOTED.search(text) or _DOCUMENT.search(text):
        return False
    if fragment(text) is not None or _AMONG.match(text) or _TWO.match(text):
        return True
    if _NO_SUBJECT.match(text):
        return True
    if _FALSE_FRIENDS.search(text) or _CATAPHORA.search(text):
        return False
    return _STARTS.match(text) is not None or _OBJECT.match(text) is not None


def fragment(text: str) -> str | None:
    """Return the phrase of a question that names only what changes, else None."""
    for pattern in (_ELLIPSIS, _THEN_ONLY):
        match = pattern.match(text)
        if (
            match
            and not re.search(_ASKS, match["phrase"])
            and not re.search(r"[它他她]|^[这那]", match["phrase"])
        ):
            return re.sub(r"^(?:在|对于|对)", "", match["phrase"])
    return None


def topic(question: str) -> str | None:
    """Return what a question is about, as it is written there, or None when it cannot be told."""
    text = bare(question)
    for pattern in _TOPICS:
        match = pattern.match(text)
        if match:
            found = re.sub(rf"^{_YEAR.pattern}的?", "", match["topic"])
            aspect = _ASPECT_OF.match(found)
            found = aspect["of"] if aspect else found
            return found if found and not re.search(_ASKS, found) else None
    return None


def complete(question: str, last: str, answer: str) -> str | None:
    """Return `question` completed from the question before, or None. `answer` is not needed."""
    text, base = bare(question), bare(last)
    about = topic(base)
    if _SHORT.match(text):
        return _short(text, base, about)
    phrase = fragment(text)
    if phrase:
        return _changed(phrase, base, about)
    if not about or re.search(_PRONOUN, about):
        return None
    if _NO_SUBJECT.match(text):
        return f"{about}{text}？"
    text = re.sub(r"^(?:那么?|但是?|所以)[，,]?(?!个|种|些)", "", text)
    for pattern, form in (
        (r"^其中", "{}中"),
        (rf"{_PRONOUN}的", "{}的"),
        (r"^(.{0,6}?)其(?!中)", "\\1{}的"),
        (_PRONOUN, "{}"),
        (_THAT, "{}"),
        (
            r"(?:这|那)(?:个|种|些|样)?(?=是|有|会|能|对|和|与|说明|意味|怎么|为什么|如何|什么|"
            r"为何|可以|需要|在|跟|到底|叫|重要)",
            "{}",
        ),
    ):
        done, count = re.subn(pattern, form.format(about.replace("\\", r"\\")), text, count=1)
        if count:
            return re.sub("呢$", "怎么样", done) + "？"
    return None


def _short(text: str, base: str, about: str | None) -> str | None:
    text = re.sub(r"^(?:那么?|但是?|所以)", "", text)
    if re.match(r"为什么|为何|为啥|怎么会这样", text):
        if _WHEN.search(base):
            return _WHEN.sub("为什么", base, count=1) + "？"
        return f"为什么{base[:-1]}？" if base.endswith("吗") else None
    if re.match(r"是?什么时候|何时", text) and re.search(
        r"在哪里|在哪儿|怎么|怎样|如何|为什么", base
    ):
        return re.sub(r"在哪里|在哪儿|怎么|怎样|如何|为什么", "什么时候", base, count=1) + "？"
    if text.startswith("还有"):
        found = re.search(r"有(?:哪些|什么|哪几)|包括哪些", base)
        return f"{base[: found.start()]}还{base[found.start() :]}？" if found else None
    if about is None:
        return None
    if "例" in text or text.startswith("比如"):
        return f"{about}有哪些例子？"
    if re.search(r"详细|具体|继续|展开", text):
        return f"请详细说明{about}。"
    return f"{about}是什么意思？" if text.startswith("什么意思") else None


def _changed(phrase: str, base: str, about: str | None) -> str | None:
    """Return the last question with the phrase in the place of its like."""
    year = _YEAR.fullmatch(phrase)
    years = list(_YEAR.finditer(base))
    if year:
        if len(years) > 1:
            return None
        if years:
            old = years[0]
            new = phrase if re.search(r"\D$", phrase) else phrase + re.sub(r"\d", "", old.group())
            return f"{base[: old.start()]}{new}{base[old.end() :]}？"
        return f"{phrase}{base}？"
    place = re.match(r"^[^在]{1,8}?(?P<where>[中里上下时])$", phrase)
    if place:
        like = re.search(rf"(?<=在)[^在，]{{1,8}}?{place['where']}", base)
        return f"{base[: like.start()]}{phrase}{base[like.end() :]}？" if like else None
    parts = re.match(
        rf"^(?P<of>.+?)的(?P<noun>[^的，]{{1,8}}?)(?P<rest>(?:是|有|为|占|达|怎|如何|{_ASKS}).*)$",
        base,
    )
    if parts and _is_attribute(phrase, parts["of"], parts["noun"]):
        return f"{parts['of']}的{phrase}{parts['rest']}？"
    owned = re.match(rf"^(?P<of>.+?)有(?P<what>什么|哪些)(?P<noun>(?:{_ASPECT_WORDS}))$", base)
    if owned and phrase in _ATTRIBUTES:
        return f"{owned['of']}有{owned['what']}{phrase}？"
    if parts:
        of = _YEAR.sub("", parts["of"])
        if of and "的" not in of:
            return f"{base.replace(of, phrase, 1)}？"
    if about and about in base:
        return f"{base.replace(about, phrase, 1)}？"
    return None


def _is_attribute(phrase: str, of: str, noun: str) -> bool:
    """Tell whether a phrase is like the noun of "of 的 noun" and not like what it is of."""
    if phrase in _ATTRIBUTES:
        return True
    return (
        phrase[-1] == noun[-1] and phrase[-1] != _YEAR.sub("", of)[-1:] and not _NAMES.match(phrase)
    )
