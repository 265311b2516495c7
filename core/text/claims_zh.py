"""Statements of a Chinese clause."""

import re
from collections.abc import Iterator

from core.text.claim import Claim
from core.text.claim_values import take_values

SELF = "我"

_LEAD = re.compile(
    r"^(?:更新|更正|注意|提醒|备注|记住|请记住|另外|对了|顺便说一下|其实|通知|最新消息|好消息|坏消息|"
    r"从(?:现在|今天|明天|下周|这周|本周|下个月)(?:开始|起)|今后|以后|现在|目前|如今|最近)+[：:，,]?"
)
_UNSURE = re.compile(
    r"[？?吗呢]\s*$|如果|要是|假如|假设|可能|也许|大概|或许|恐怕|希望|但愿|听说|据说|以为|觉得|好像|是不是|"
    r"是否|会不会|什么|哪[里个些天本]|怎么|为什么|几[点号岁个时]|多少|谁|比如|例如|打算|考虑|想(?:要|去|搬|住|换|象|在)|很想"
)
_CHANGED = re.compile(
    r"现在|目前|如今|不再|不了|已经|从(?:现在|今天|明天|下周|这周|下个月)(?:开始|起)|今后|以后|"
    r"改[到成为在用学]|更改为|变[成为更]|换[到成了为]|调[整到]|挪到|移到|搬[到去]|推迟|延期|延[后到长]|提前|"
    r"转[到成为入]|升[到为级]|降[到为]|涨到|增加到|减少到|取消|更新|更正|新的?|了$"
)
_CHANGE_VERB = re.compile(
    r"(?:已经?)?(?:被|给)?(?:更改为|更改到|改期[到至]|改[到成为在至]|变更[到为]|变[成为]|更换[成为]|换[到成为]了?|"
    r"调整[到为]|调[到至]|挪[到至]|移[到至]|推迟[到至]|延期[到至]|延后[到至]|延长[到至]|延[到至]|提前[到至]|"
    r"转[到移]|搬[到去]|升[到至]|降[到至]|涨到|增加到|增[到至]|减少到|减[到至]|更新为)了?"
)
_CANCELLED = re.compile(r"(?:被)?取消了?|不(?:举行|开|考|办)了|作废了?")
_PAST = re.compile(
    r"[\u4e00-\u9fff](?:过|了)(?!$)|(?:昨天|前天|上周|上个月|去年|刚才|之前|曾经|以前)|(?:通过|完成|参加|考完|学完|读完|"
    r"看完|做完|交|买|去|见|得)了"
)
_NEGATION = re.compile(
    r"(?<![差要对了得说可])(?:再也不|不再|从不|(?:还)?没有?(?![收用])|(?:还)?不(?![同过错断仅但少管论如得久一只是等定满安良便利]))"
)
_STOPPED = re.compile(r"(?:停止|放弃)了?(?=[\u4e00-\u9fff])")
_GIVEN_UP = re.compile(
    r"^(?:我们?|咱们?)?\S{0,4}?(?:戒掉?|把)了?(?P<o>[\u4e00-\u9fff]{1,4}?)(?:戒)?了?$"
)
"""What is given up may have been smoked, drunk, eaten …"""
_TAKEN = ("抽", "吸", "喝", "吃", "玩", "看", "用")
_BEGUN = re.compile(r"开始(?=[\u4e00-\u9fff])")
_ANTI = re.compile(r"讨厌|厌恶|反感|受不了")
_LIKE = re.compile(r"(?:很|非常|特别|超|真|最近)*(?:喜爱|热爱|爱|喜欢上)(?!人|情|好|国|因|尔)")
_DROPPED = re.compile(
    r"现在|目前|如今|已经|还是|仍然|依然|一直|最近|终于|其实|真的|非常|特别|今年|本学期|这学期|今天起|开始|一般|通常|平时|往往|会|能|可以|"
    r"从今以后|今后|以后|下次|这次|本次|任何|[的了也都还就再很]|我们|我|咱们|\0|\s|[，。！：:“”\"'、（）()]"
)
_ADVERB = re.compile("现在|目前|如今|正在|还在")
_LIGHT = re.compile(
    r"举行|进行|开始上|开始|定在|定于|安排在|安排到|开考|上课|截止于|截止到|设在|位于|是在|将在|会在|将于|"
    r"时间|日期|日子|地点|场地|教室|考场|房间|"
    r"[是在于为有到会将被]"
)
_END = re.compile(r"结束|下课|放学")
_FRESH = re.compile(r"(?:有|还有|又有)(?:一|另)?(?:个|场|次|门)")
_PLANNED = (
    "考试",
    "截止",
    "答辩",
    "期末",
    "期中",
    "毕业",
    "典礼",
    "婚礼",
    "生日",
    "面试",
    "报告会",
    "补考",
    "考研",
)
_HABIT = re.compile(r"每(?:天|周|月|年|晚|个?星期|个?月|日)")
_COUNTED = re.compile(r"^我(?:们)?(?:有|会|认识|体重|身高|掌握|需要|每)")


def chinese_claims(clause: str) -> list[Claim]:
    """Return what a Chinese clause states; `[]` for a question, a guess, a wish."""
    written = re.sub(r"\s+", " ", clause).strip(" 。.!！;；,，“”\"'")
    if not written or _UNSURE.search(written + clause.strip()[-1:]):
        return []
    changed = bool(_CHANGED.search(written))
    low = _LEAD.sub("", written)
    return [
        *_own(low, changed),
        *_named(low, changed),
        *_scalars(low, changed),
        *_holds(low),
    ]


# What the learner says of themselves

_V = r"(?P<v>[^，,；;了]+?)"
_ADV = r"(?:(?:现在|目前|如今|已经|刚|刚刚|最近|终于|上个?月|上周|去年|今年|这个?月|昨天|今天|暂时|一直|从\S{1,6}起|后来|就)+)?"
_TAIL = r"(?:了|啦|呢|的)?$"
_OWN = tuple(
    (slot, re.compile(pattern + _TAIL), denied, change)
    for slot, pattern, denied, change in (
        ("home", rf"我?{_ADV}(?:[和跟与同]\S{{1,6}}?(?:一起)?)?(?:居住|住|定居)(?:在|到){_V}", False, False),
        ("home", rf"我?们?的?家{_ADV}在{_V}", False, False),
        ("home", rf"我?(?:们)?(?:家)?{_ADV}(?:从(?P<b>\S+?))?(?:搬家?|迁)(?:到|去|回|至)了?{_V}", False, True),
        ("home", rf"我?{_ADV}(?:不再住|不住)在{_V}", True, True),
        ("home", rf"我?{_ADV}(?:离开|搬离|搬出)了?{_V}", True, True),
        ("job", rf"我?{_ADV}在{_V}(?:工作|上班|任职|就职)", False, False),
        ("job", rf"我?{_ADV}(?:从(?P<b>\S+?))?(?:跳槽|调|换工作)(?:到|去)了?{_V}", False, True),
        ("job", rf"我?{_ADV}(?:加入|入职)了?{_V}", False, True),
        ("job", rf"我?{_ADV}(?:不再|不)在{_V}(?:工作|上班)", True, True),
        ("age", rf"我?{_ADV}(?:满)?(?P<v>\d{{1,3}}|[一二三四五六七八九十]+)岁", False, False),
        ("name", rf"(?:我(?:的名字)?(?:叫|是叫)|请?叫我|我的名字(?:是|改成了?)){_V}", False, False),
        ("major", rf"我?的?(?:大学)?专业{_ADV}(?:是|改成了?|换成了?|改为|换到了?|变成了?){_V}(?:专业)?", False, False),
        ("major", rf"我?{_ADV}(?:从(?P<b>\S+?))?(?:转|换|改)(?:专业)?(?:到|成|学|为|读|去)了?{_V}专业", False, True),
        ("major", rf"我?{_ADV}(?:转|换)专业(?:到|成|去)?了?{_V}", False, True),
    )
)  # fmt: skip
_USE = re.compile(
    rf"^我?{_ADV}(?:用|使用)(?P<v>[A-Za-z0-9 .+#-]+|[\u4e00-\u9fff]{{2,6}}?)(?:来|去)?(?P<p>(?:记|写|做|画|看|读|背|学|管理|编|整理|复习|查|存|听|安排)[\u4e00-\u9fff]*?){_TAIL}"
)
_SWITCH = re.compile(
    rf"^我?{_ADV}(?:从(?P<b>\S+?))?(?:改用|换用|换成用?|转用|改成用|换到)了?(?P<v>[A-Za-z0-9 .+#-]+|[\u4e00-\u9fff]{{2,6}}?)(?:来|去)?"
    rf"(?P<p>(?:记|写|做|画|看|读|背|学|管理|编|整理|复习|查|存|听|安排)[\u4e00-\u9fff]*?){_TAIL}"
)
_AT = re.compile(
    rf"^(?P<p>\S*?)我?{_ADV}(?:看|读|学|讲|做|背|听|复习)(?:到|至)了?第?(?P<v>\d+|[一二三四五六七八九十百]+)(?P<unit>页|章|课|单元|节|集|讲|题){_TAIL}"
)
_PREFER = re.compile(r"喜欢|希望|请|更想|偏好|习惯|用|给我|以后")
_MANNERS = (
    ("length", ("简短", "简洁", "简要", "精简", "短一点", "短的"), ("详细", "详尽", "长一点", "具体")),
    ("mode", ("深色", "暗色", "夜间"), ("浅色", "亮色", "白天")),
    ("level", ("通俗", "简单", "入门"), ("专业", "深入", "高级", "学术")),
)  # fmt: skip
_MANNER_NOUN = re.compile(r"(?P<n>回答|答案|解释|总结|摘要|模式|主题|回复)")
_LANGUAGE = re.compile(
    r"用(?P<v>中文|英文|英语|汉语|德语|法语|日语|德文|法文|日文)(?:来)?(?:回答|回复|解释|作答|写|说)"
)


def _own(low: str, changed: bool) -> Iterator[Claim]:
    for slot, pattern, denied, change in _OWN:
        match = pattern.match(low)
        if match is None:
            continue
        yield Claim(
            language="zh",
            subject=SELF,
            slot=slot,
            value=_value(match["v"]),
            before=_value(match.groupdict().get("b") or ""),
            positive=not denied,
            changed=change or changed,
            single=not denied,
        )
        break
    yield from _tools(low, changed)
    yield from _manners(low)


def _tools(low: str, changed: bool) -> Iterator[Claim]:
    for pattern in (_SWITCH, _USE):
        if match := pattern.match(low):
            yield Claim(
                language="zh",
                subject=_subject(match["p"]),
                slot="use",
                value=_value(match["v"]),
                before=_value(match.groupdict().get("b") or ""),
                changed=changed or pattern is _SWITCH,
            )
            break
    if match := _AT.match(low):
        yield Claim(
            language="zh",
            subject=_subject(match["p"]) or SELF,
            slot=f"at {match['unit']}",
            value=frozenset({match["v"]}),
            single=True,
        )


def _manners(low: str) -> Iterator[Claim]:
    if not _PREFER.search(low) or _NEGATION.search(low):
        return
    noun = _MANNER_NOUN.search(low)
    for name, first, second in _MANNERS:
        sides = [any(w in low for w in side) for side in (first, second)]
        if noun and sides[0] != sides[1]:
            yield Claim(
                language="zh",
                subject=f"{name} {noun['n'].replace('答案', '回答').replace('回复', '回答')}",
                slot="manner",
                value=frozenset({"first" if sides[0] else "second"}),
                single=True,
            )
    if match := _LANGUAGE.search(low):
        yield Claim(
            language="zh",
            subject="language",
            slot="manner",
            value=frozenset({match["v"].replace("英文", "英语").replace("汉语", "中文")}),
            single=True,
        )


# A thing with a name, a teacher, a favourite …

_SINGLE = (
    r"(?:最喜[欢爱]的[\u4e00-\u9fff]+?|导师|老师|教授|班主任|辅导员|教练|搭档|老板|经理|房东|医生|密码|用户名|昵称|网名|"
    r"邮箱(?:地址)?|地址|住址|(?:手机|电话|学|账|座位|房间|宿舍|准考证)号码?|手机|电脑|目标|计划|浏览器|编辑器|输入法|"
    r"时区|级别|水平|职位|工作|头衔|题目|课题|选题|论文主题|母语|教材|课本|学校|大学|院系|班级|小组|宿舍|办公室|座位|"
    r"成绩|分数|排名|体重|身高|预算|工资|房租|银行)"
)
_BECOMES = r"(?:就?是|叫|为|(?:已经?)?(?:被)?(?:改|换|变|更换|更改|调整|更新|升|降|定|涨)(?:成|为|到|了)了?(?:：)?|已?变更为)"
_NAMED = re.compile(
    rf"^(?:我们?的?|本人)?{_ADV}(?:新的?)?(?P<np>[\u4e00-\u9fffA-Za-z]{{0,8}}?{_SINGLE}){_ADV}(?:从(?P<b>\S+?))?{_BECOMES}{_V}{_TAIL}"
)
_INVERTED = re.compile(rf"^{_V}{_ADV}是我{_ADV}(?:新的?)?(?P<np>{_SINGLE}){_TAIL}")
_CHANGED_MY = re.compile(
    rf"^我{_ADV}把(?:我的)?(?P<np>[\u4e00-\u9fff]{{1,10}}?)(?:从(?P<b>\S+?))?(?:改|换|调|变|提高|降低)(?:成|为|到)了?{_V}{_TAIL}"
)


def _named(low: str, changed: bool) -> Iterator[Claim]:
    for pattern in (_NAMED, _INVERTED, _CHANGED_MY):
        match = pattern.match(low)
        if match is None or _NEGATION.search(low):
            continue
        if take_values(match["v"]).slots.keys() & {"day", "clock", "room"}:
            return  # a value of its own slot: `_scalars` reads it
        subject = _subject(match["np"])
        yield Claim(
            language="zh",
            subject=subject,
            slot="is",
            words=frozenset(subject),
            head=subject[-2:],
            value=_value(re.sub(r"^(?:考|是|要)", "", match["v"])),
            before=_value(match.groupdict().get("b") or ""),
            changed=changed or pattern is _CHANGED_MY,
            single=pattern is not _CHANGED_MY,
        )
        return


# Days, times, rooms, numbers


def _scalars(low: str, changed: bool) -> Iterator[Claim]:
    cancelled = bool(_CANCELLED.search(low))
    if not cancelled and (_NEGATION.search(low) or _PAST.search(_CHANGE_VERB.sub("", low))):
        return
    values = take_values(low)
    slots = {"day": frozenset[str](), **values.slots} if cancelled else values.slots
    rest = values.rest
    own = re.match(r"我(?!们?的|们)[\u4e00-\u9fff\0]", rest) is not None
    before = re.search(r"从(?P<b>\S+?)(?=改|换|调|推|延|提|挪|移|变)", low)
    for slot, value in slots.items():
        if len(slots) > 1 and own and slot == "number":
            continue
        phrase = _CANCELLED.sub("", _CHANGE_VERB.sub("", _ADVERB.sub("", rest)))
        name = slot
        if slot == "clock" and _END.search(phrase):
            name, phrase = "clock end", _END.sub("", phrase)
        subject = _subject(_LIGHT.sub("", re.sub("从|由", "", _FRESH.sub("", phrase))))
        if not subject:
            continue
        over = take_values(before["b"]).slots.get(slot, frozenset()) if before else frozenset()
        yield Claim(
            language="zh",
            subject=subject,
            slot=name,
            words=frozenset(subject),
            head=subject if own else subject[-2:],
            value=value - over,
            before=over,
            positive=not cancelled,
            changed=cancelled or changed,
            single=_is_single(slot, low, subject, own),
            fresh=_FRESH.search(rest) is not None and not cancelled,
        )


def _is_single(slot: str, low: str, subject: str, own: bool) -> bool:
    if slot == "number":
        return bool(_HABIT.search(low) or _COUNTED.match(low)) if own else low.startswith("我的")
    return any(subject.endswith(word) for word in _PLANNED)


# Whether it holds at all


def _holds(low: str) -> Iterator[Claim]:
    if given_up := (_GIVEN_UP.match(low) if "戒" in low else None):
        for verb in _TAKEN:
            subject = f"我|{verb}{given_up['o']}"
            yield Claim(language="zh", subject=subject, slot="so", positive=False, changed=True)
    text = _LIKE.sub("喜欢", low)
    text, disliked = _ANTI.subn("喜欢", text)
    text, stopped = _STOPPED.subn("", text)
    text, begun = _BEGUN.subn("", text)
    negations = _NEGATION.findall(text)
    unfinished = any("没" in word for word in negations)
    negative = (bool(disliked) + bool(stopped) + len(negations)) % 2 == 1
    past = _PAST.search(low) is not None and not stopped and not begun
    subject = _subject(_NEGATION.sub("", text))
    if len(negations) > 1 or len(subject) < 2 or (past and negative and not unfinished):
        return
    done = re.search(r"[完懂会到成过]了", low) is not None
    yield Claim(
        language="zh",
        subject=f"{'我' if low.startswith(('我', '咱')) else ''}|{subject}",
        slot="so",
        positive=not negative,
        changed=True,
        past=(past or done) and not negative,
        open=unfinished,
    )


# Words

_SYNONYMS = (
    (re.compile(r"截止(?:日期|时间|日)|最后期限|交稿日期?|提交日期|(?i:deadline|ddl)"), "截止"),
    (re.compile(r"电话号码?|手机号码?|电话"), "手机号"),
    (re.compile(r"邮箱地址|电子邮箱|邮件地址"), "邮箱"),
    (re.compile(r"最喜爱|最爱"), "最喜欢"),
    (re.compile(r"住址|家庭住址"), "地址"),
    (re.compile(r"指导老师|指导教授"), "导师"),
)


def _subject(phrase: str) -> str:
    for pattern, written in _SYNONYMS:
        phrase = pattern.sub(written, phrase)
    return _DROPPED.sub("", phrase.lower())


def _value(phrase: str) -> frozenset[str]:
    """A Chinese value is one word; those of other letters are compared without case."""
    word = re.sub(r"[的了啦\s]", "", phrase.lower())
    return frozenset({word}) if word else frozenset()
