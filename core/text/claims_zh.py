"""Statements of a Chinese clause."""

import re
from collections.abc import Iterator

from core.text import claims_zh_words as zh
from core.text.claim import Claim
from core.text.claim_closed import closed_claims
from core.text.claim_values import take_values

SELF = "我"


def chinese_claims(clause: str) -> list[Claim]:
    """Return what a Chinese clause states; `[]` for a question, a guess, a wish."""
    written = re.sub(r"\s+", " ", clause).strip(" 。.!！;；,，“”\"'")
    if not written or zh.UNSURE.search(written + clause.strip()[-1:]):
        return []
    changed = bool(zh.CHANGED.search(written))
    low = zh.LEAD.sub("", written)
    return [
        *_own(low, changed, SELF),
        *_of_others(low, changed),
        *closed_claims(low.lower(), "zh", changed=changed),
        *_named(low, changed),
        *_scalars(low, changed),
        *_adjuncts(low, changed),
        *_holds(low),
    ]


def _of_others(low: str, changed: bool) -> Iterator[Claim]:
    """Yield where somebody with a name, or one's brother, lives and works."""
    if match := zh.OTHER.match(low):
        who = re.sub("们|的", "", match["who"])
        yield from _own(f"我{low[match.end() :]}", changed, who)


def _own(low: str, changed: bool, who: str) -> Iterator[Claim]:
    for slot, pattern, denied, change in zh.OWN:
        match = pattern.match(low)
        if match is None:
            continue
        if slot == "home" and (take_values(match["v"]).slots or zh.NO_HOME.search(match["v"])):
            continue
        if not change and zh.BACK_THEN.search(low):
            continue  # 我去年住在北京
        yield Claim(
            language="zh",
            subject=who,
            slot=slot,
            value=_value(match["v"]),
            before=_value(match.groupdict().get("b") or ""),
            positive=not denied,
            changed=bool(change) or changed,
            single=not denied and slot != "home",  # 住在德国，住在柏林
        )
        if not denied:
            break
    if who == SELF:
        yield from _tools(low, changed)
        yield from _manners(low)


def _tools(low: str, changed: bool) -> Iterator[Claim]:
    for pattern in (zh.SWITCH, zh.USE):
        if pattern is zh.USE and zh.BACK_THEN.search(low):
            continue
        if match := pattern.match(low):
            yield Claim(
                language="zh",
                subject=_subject(match["p"]),
                slot="use",
                value=_value(match["v"]),
                before=_value(match.groupdict().get("b") or ""),
                changed=changed or pattern is zh.SWITCH,
            )
            break
    if match := zh.SO_FAR.match(low):
        yield Claim(
            language="zh",
            subject=_subject(match["p"]),
            slot="so far",
            value=frozenset({match["v"]}),
            single=True,
        )
    if match := zh.AT.match(low):
        yield Claim(
            language="zh",
            subject=_subject(match["p"]) or SELF,
            slot=f"at {match['unit']}",
            value=frozenset({match["v"]}),
            single=True,
        )


def _manners(low: str) -> Iterator[Claim]:
    if not zh.PREFER.search(low) or zh.NEGATION.search(low):
        return
    noun = zh.MANNER_NOUN.search(low)
    for name, first, second in zh.MANNERS:
        sides = [any(w in low for w in side) for side in (first, second)]
        if noun and sides[0] != sides[1]:
            yield Claim(
                language="zh",
                subject=f"{name} {noun['n'].replace('答案', '回答').replace('回复', '回答')}",
                slot="manner",
                value=frozenset({"first" if sides[0] else "second"}),
                single=True,
            )
    if match := zh.LANGUAGE.search(low):
        yield Claim(
            language="zh",
            subject="language",
            slot="manner",
            value=frozenset({match["v"].replace("英文", "英语").replace("汉语", "中文")}),
            single=True,
        )


def _named(low: str, changed: bool) -> Iterator[Claim]:
    for pattern in (zh.NAMED, zh.INVERTED, zh.CHANGED_MY):
        match = pattern.match(low)
        if match is None or zh.NEGATION.search(low):
            continue
        if zh.BACK_THEN.search(low) and not zh.CHANGE_VERB.search(low):
            return  # 去年我的老师是李老师
        if take_values(match["v"]).slots.keys() & {"day", "clock", "room"}:
            return  # a value of its own slot: `_scalars` reads it
        if zh.HOW.search(match["v"]) or low.endswith("的"):
            return  # 我的老师是个好人
        if zh.SORT.search(match["v"]) and "喜欢" not in match["np"]:
            return  # 我的老师是德国人
        subject = _subject(match["np"])
        yield Claim(
            language="zh",
            subject=subject,
            slot="is",
            words=frozenset(subject),
            head=subject[-2:],
            value=_value(re.sub(r"^(?:考|是|要)", "", match["v"])),
            before=_value(match.groupdict().get("b") or ""),
            changed=changed or pattern is zh.CHANGED_MY,
            single=pattern is not zh.CHANGED_MY and not zh.MANY.search(subject),
            past=zh.FORMER.match(match["np"]) is not None,
        )
        return


def _scalars(low: str, changed: bool) -> Iterator[Claim]:
    cancelled = bool(zh.CANCELLED.search(low))
    if not cancelled and (zh.NEGATION.search(low) or zh.PAST.search(zh.CHANGE_VERB.sub("", low))):
        return
    values = take_values(low)
    slots = {"day": frozenset[str](), **values.slots} if cancelled else values.slots
    rest = values.rest
    own = re.match(r"我(?!们?的|们)[\u4e00-\u9fff\0]", rest) is not None
    which, over = ({}, {}) if cancelled else _which(low)
    marks = "".join(sorted(f"@{slot}{v}" for slot, found in which.items() for v in found))
    for slot, value in slots.items():
        if len(slots) > 1 and own and slot == "number":
            continue
        phrase = zh.CANCELLED.sub("", zh.CHANGE_VERB.sub("", zh.ADVERB.sub("", rest)))
        name = slot
        if slot == "clock" and zh.END.search(phrase):
            name, phrase = "clock end", zh.END.sub("", phrase)
        phrase = zh.DUE.sub("截止", zh.FRESH.sub("", phrase))
        subject = _subject(zh.LIGHT.sub("", re.sub("从|由", "", phrase)))
        if not subject:
            continue
        passing = slot in which
        lesson = slot == "room" and zh.LESSON.search(subject) is not None
        aside = passing or (lesson and not slots.keys().isdisjoint(("day", "clock")))
        former = over.get(slot, frozenset())
        yield Claim(
            language="zh",
            subject=subject if passing else subject + marks,
            slot=name,
            words=frozenset(subject if passing else subject + marks),
            head=subject if own else subject[-2:],
            value=value - former,
            before=former,
            positive=not cancelled,
            changed=cancelled or (changed and not passing),
            single=not aside and _is_single(slot, low, rest, subject),
            aside=aside,
            fresh=zh.FRESH.search(rest) is not None and not cancelled,
        )


def _which(low: str) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """Return the values by slot that say which thing is meant, and those that are over.

    The Monday of 周一的考试在4号教室; of 周一的考试改到周五, and of 从周一改到周五.
    """
    values = take_values(low)
    if zh.END.search(low) and {"day", "clock"} <= values.slots.keys():
        return {"day": values.slots["day"]}, {}
    if former := re.search(r"从(?P<b>\S+?)(?=改|换|调|推|延|提|挪|移|变)", low):
        return {}, take_values(former["b"]).slots
    verb = zh.VERB.search(low)
    if verb is None:
        return {}, {}
    front, back = take_values(low[: verb.start()]), take_values(low[verb.start() :]).slots
    if not back or not re.match(r"(?:我们?的?)?\0", front.rest):
        return {}, {}
    moved = zh.CHANGE_VERB.search(low) is not None
    times = {slot: v for slot, v in front.slots.items() if slot in ("day", "clock", "room")}
    return (
        {slot: value for slot, value in times.items() if slot not in back},
        {slot: value for slot, value in times.items() if slot in back and moved},
    )


def _is_single(slot: str, low: str, rest: str, subject: str) -> bool:
    own = re.match(r"我(?!们?的|们)[\u4e00-\u9fff\0]", rest) is not None
    if slot == "number":
        if own:
            return bool(zh.HABIT.search(low) or zh.COUNTED.match(low))
        return low.startswith("我的") or zh.LASTS.match(rest) is not None
    if slot == "room" and zh.LESSON.search(subject):
        return not own
    if slot == "clock" and zh.PLACE.search(subject):
        return zh.END.search(low) is not None or subject.endswith(("开门", "开馆", "营业"))
    return any(subject.endswith(word) for word in zh.PLANNED)


def _adjuncts(low: str, changed: bool) -> Iterator[Claim]:
    if zh.NEGATION.search(low) or zh.PAST.search(low) or take_values(low).slots:
        return
    for slot, pattern in zh.ADJUNCTS:
        if match := pattern.match(low):
            yield Claim(
                language="zh",
                subject=_subject(match["core"]),
                slot=slot,
                value=_value(match["v"]),
                changed=changed,
            )
            return


def _holds(low: str) -> Iterator[Claim]:
    if given_up := (zh.GIVEN_UP.match(low) if "戒" in low else None):
        for verb in zh.TAKEN:
            subject = f"我|{verb}{given_up['o']}"
            yield Claim(language="zh", subject=subject, slot="so", positive=False, changed=True)
    if left := zh.LEFT.match(low):
        for told in zh.MEMBER:
            subject = "我|" + _subject(told.format(left["o"]))
            yield Claim(language="zh", subject=subject, slot="so", positive=False, changed=True)
    text = zh.LIKE.sub("喜欢", low)
    text, disliked = zh.ANTI.subn("喜欢", text)
    text, stopped = zh.STOPPED.subn("", text)
    text, begun = zh.BEGUN.subn("", text)
    negations = zh.NEGATION.findall(text)
    unfinished = any("没" in word for word in negations)
    negative = (bool(disliked) + bool(stopped) + len(negations)) % 2 == 1
    past = zh.PAST.search(low) is not None and not stopped and not begun
    subject = _subject(zh.DOING.sub("", zh.NEGATION.sub("", text)))
    least = 1 if "有" in low and low.startswith("我") else 2
    if len(negations) > 1 or len(subject) < least or (past and negative and not unfinished):
        return
    done = re.search(r"[完懂会到成过]了", low) is not None
    general = subject if negative else zh.OFTEN.sub("", subject)
    for about in dict.fromkeys((subject, general)):
        if about == subject or len(about) > 1:
            yield Claim(
                language="zh",
                subject=f"{'我' if low.startswith(('我', '咱')) else ''}|{about}",
                slot="so",
                positive=not negative,
                changed=True,
                past=(past or done) and not negative,
                open=unfinished,
            )


def _subject(phrase: str) -> str:
    for pattern, written in zh.SYNONYMS:
        phrase = pattern.sub(written, phrase)
    return zh.DROPPED.sub("", phrase.lower())


def _value(phrase: str) -> frozenset[str]:
    """A Chinese value is one word; those of other letters are compared without case."""
    word = re.sub(r"[的了啦\s]", "", phrase.lower())
    return frozenset({word}) if word else frozenset()
